"""What a text only warns of beside its orders, told aloud and never done: ``there is ice on the road``.

Whoever warns says that something is somewhere, or how an area is, and orders nothing by it. A network takes
such a clause for a thing to be done or a place to go to now and then; nobody reads it here. What forbids,
limits or counts anything, what a later word takes up, and what speaks of a thing that is also ordered stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.faithful import BACK, NEGATIONS, NUMBERS
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import BEING, DEEDS
from commonground.grounding.language.tellings import Known, is_verb, named_in
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.closed import BE, DO, HAVE, MODALS
from commonground.grounding.words.concepts import artifacts
from commonground.grounding.words.nouns import singular, word_set

_MARKS = frozenset(".,;:!?()–—\n")
_ENDS = frozenset(".;!?\n")
_JOINING = word_set(
    "and but because since as for though although so oh ah well now today right currently"
)
_ALERTING = word_set(
    "caution attention warning danger careful beware alert heads up watch out mind note remember be do take "
    "care advised aware warned that please you look hey cautious fyi"
)
_ALARMS = word_set("caution attention warning danger careful beware alert out heads advised")
"""Behind one of these a clause warns without a verb of its own: ``careful, ice on the road``."""
_ANY = word_set(
    "a an some many several lots plenty somebody someone something people kids children workers"
)
_IS = BE | HAVE | {"'s", "'re", "'ve"}
_HOLDING_BACK = (
    NEGATIONS
    | NUMBERS
    | (MODALS - {"may", "might", "could"})
    | DO
    | word_set(
        "if when unless until till while once after before whenever whether only just except save to another "
        "you your yours one ones other others more also too still left either both each every all please "
        "which who whose where here same closed shut off limits forbidden private reserved blocked locked "
        "need needs want wants instead my our mine ours this these those it them him her"
    )
)
"""What has one of these may forbid, limit, choose or order something, or tell which thing is meant."""
_FORBIDDEN = frozenset(["OFF_LIMITS"])
_KEEPING_OFF = word_set("keep stay steer avoid skirt bypass")
_FORBIDDING = _KEEPING_OFF | NEGATIONS
_BARE = 3
"""A sentence of so few words that forbids something does not say what."""
_OF = word_set("of with around near")
_SPREAD = frozenset(("all", word) for word in ("over", "along", "around", "across"))
_DEFINITE = word_set("the that")
_TAKING_UP = (
    BACK
    | NUMBERS
    | word_set(
        "one ones former latter other others both each same such first second third last pair lot"
    )
) - {"that"}
_BEHIND_THAT = word_set(
    "up down out off away back over in into on onto to at by for and or then first"
)
_LONGEST_SUBJECT = 5


class Warned(NamedTuple):
    """A text without its warnings, and those."""

    text: str
    """As long as before, with blanks."""
    warnings: tuple[str, ...] = ()


class _Clause(NamedTuple):
    first: int
    """Its first word behind what joins it on and what alerts."""
    begin: int
    end: int
    alarms: bool


def without_warnings(text: str, known: Known) -> Warned:
    """Return a text without what it only warns of, where it also orders anything."""
    if len(text) > MAX_CHARACTERS:
        return Warned(text)  # that is not read at all
    tokens = tokens_of(text)
    words = [token.text.casefold() for token in tokens]
    named = named_in(tokens, known)
    robots = frozenset(part for name in known.robots for part in name.casefold().split())
    warned = [one for one in _clauses(words) if _warns(text, tokens, one, named, robots)]
    spans = [(clause.begin, clause.end) for clause in warned]
    spans = [span for span in spans if _stands_alone(words, span, named, spans)]
    rest = blanked(text, ((tokens[a].start, _past_mark(tokens, a, b)) for a, b in spans))
    if not spans or not _deeds(rest) or not _names_any(rest, known, robots):
        return Warned(text)
    return Warned(rest, tuple(text[tokens[a].start : tokens[b - 1].end] for a, b in spans))


def _names_any(text: str, known: Known, robots: frozenset[str]) -> bool:
    tokens = tokens_of(text)
    return any(tokens[at].text.casefold() not in robots for at in named_in(tokens, known))


def _past_mark(tokens: Sequence[Token], begin: int, end: int) -> int:
    """Return where a stretch ends; one that begins a sentence, behind its mark."""
    begins = begin == 0 or tokens[begin - 1].text in _ENDS
    marked = begins and end < len(tokens) and tokens[end].text in _MARKS
    return tokens[end if marked else end - 1].end


def _deeds(text: str) -> list[str]:
    """Return the first words of what a text says that robots could do."""
    said = phrases_in(tokenize(text), DEEDS)
    return [one.words.split()[0] for one in said if one.words not in BEING]


def _clauses(words: Sequence[str]) -> Iterator[_Clause]:
    """Yield the stretches between marks; what only alerts belongs to what follows it."""
    begin: int | None = None
    at = 0
    while at < len(words):
        end = next((k for k in range(at, len(words)) if words[k] in _MARKS), len(words))
        first = at
        while first < end and words[first] in _JOINING | _ALERTING:
            first += 1
        begin = at if begin is None else begin
        alarms = not _ALARMS.isdisjoint(words[begin:first])
        if first < end:
            yield _Clause(first, begin, end, alarms)
        if first < end or not (alarms and at < end):
            begin = None
        at = end + 1


def _warns(
    text: str,
    tokens: Sequence[Token],
    clause: _Clause,
    named: set[int],
    robots: frozenset[str],
) -> bool:
    """Return whether a clause says that something is somewhere, or how an area is, and no more."""
    said = [token.text.casefold() for token in tokens[clause.first : clause.end]]
    spread = {k for k, pair in enumerate(pairwise(said)) if pair in _SPREAD}
    said = ["" if k in spread else word for k, word in enumerate(said)]
    words = text[tokens[clause.first].start : tokens[clause.end - 1].end]
    deeds = _deeds(words)
    if phrases_in(tokenize(words), _FORBIDDEN):
        return False
    if not (_HOLDING_BACK | robots).isdisjoint(said) or not all(map(_may_be_told, deeds)):
        return False
    return _tells_how(said, clause, bool(deeds), named)


def _tells_how(said: Sequence[str], clause: _Clause, going_on: bool, named: set[int]) -> bool:
    """Return whether a clause that holds nothing back has a subject of its own and says how that is."""
    if said[0] == "there":
        return _is_there_something(said)
    begun = enumerate(said[: _LONGEST_SUBJECT + 1])
    verb = next((k for k, word in begun if is_verb(word) and not _owns(said, clause, k, named)), 0)
    if said[0] in _ANY or going_on:
        return verb > 0 and said[0] in _ANY  # not: the flag is inspected
    if verb:
        subject = range(clause.first, clause.first + verb)
        return not named.isdisjoint(subject) and _says_how(said[verb:])
    return clause.alarms and said[0] not in _DEFINITE | _OF


def _owns(said: Sequence[str], clause: _Clause, at: int, named: set[int]) -> bool:
    """Return whether an ``'s`` says whose something is: ``the crane's cabin``."""
    owned = singular([*said, ""][at + 1])
    is_noun = bool(artifacts().senses(owned)) and not is_verb(owned)
    return said[at] == "'s" and (clause.first + at + 1 in named or is_noun)


def _may_be_told(deed: str) -> bool:
    return deed.endswith(("ing", "ed"))


def _is_there_something(said: Sequence[str]) -> bool:
    """Return whether words say that something is there that was not spoken of before."""
    behind = [word for word in said[1:] if word not in _IS | MODALS]
    return 0 < len(behind) < len(said) - 1 and behind[0] not in _DEFINITE


def _says_how(said: Sequence[str]) -> bool:
    """Return whether a verb and what follows it say how something is: ``is icy``, not ``is the next``."""
    return len(said) > 1 and said[0] in _IS and said[1] not in _DEFINITE


def _stands_alone(
    words: Sequence[str], span: tuple[int, int], named: set[int], others: Sequence[tuple[int, int]]
) -> bool:
    """Return whether nothing else of a text speaks of what is in a stretch of it, or takes it up."""
    begin, end = span
    rest = {k for k in range(len(words)) if not any(a <= k < b for a, b in others)}
    heads = {singular(words[k]) for k in named if begin <= k < end}
    again = any(singular(words[k]) in heads for k in named & rest)
    later = [k for k in rest if k >= end]
    taken = any(
        (words[k] in _TAKING_UP and not _is_there(words, k)) or _is_that(words, k) for k in later
    )
    return not (again or taken or _goes_on(words, end))


def _is_that(words: Sequence[str], at: int) -> bool:
    """Return whether a ``that`` stands for a thing by itself: ``pick that up``."""
    behind = words[at + 1] if at + 1 < len(words) else "."
    return words[at] == "that" and (behind in _MARKS or behind in _BEHIND_THAT)


def _is_there(words: Sequence[str], at: int) -> bool:
    return words[at] == "there" and words[at + 1 : at + 2] != [] and words[at + 1] in _IS


def _goes_on(words: Sequence[str], end: int) -> bool:
    """Return whether the sentence goes on with what follows from it, or with more of its list."""
    if end >= len(words):
        return False
    behind = [*words[end + 1 :], ""]
    stop = next((k for k, word in enumerate(behind) if word in _MARKS), len(behind) - 1)
    bare = words[end] not in _ENDS or stop <= _BARE
    if bare and not _FORBIDDING.isdisjoint(behind[:stop]):
        return True  # the yard is wet, keep off; do not enter.
    if words[end] in _ENDS:
        return False
    listed = behind[0] in {"the", "a", "an", "and", "or"} and not any(map(is_verb, behind[:stop]))
    return behind[0] in ("so", "which", "who", "where", "therefore", "thus", "hence") or listed
