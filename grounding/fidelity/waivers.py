"""What a text says need not be done, or says again by its opposite: ``you needn't stay``, ``don't let go``.

Neither orders anything more, so it is not read; but what comes of the rest must not do what need not be done,
and must do that of which the opposite is denied.

Nor does a robot that is given nothing to do get anything: ``Husky, nothing for you on this one.``
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from commonground.grounding.english.names import GROUPS, Names, singular
from commonground.grounding.english.reader import MAX_CHARACTERS
from commonground.grounding.english.remarks import WANTING
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.corrections import Taken
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.words.blanks import any_of, blanked
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tokens import tokenize
from commonground.planning.pddl import atoms, parse_formula

_CUE = re.compile(
    r"\bneed(?:s|ed)?\s?(?:n't|not)\b(?! be\b)|\b(?:do|does|did)(?:n't|\s+not)\s+(?:have|need)\s+to\b"
    r"|\bno\s+need\b|\bno\s+(?:action|task|job|inspection)s?\b|\bnot\s+necessary\s+to\b"
    r"|\bno\s+\w+\s+(?:is\s+)?(?:needed|required|necessary)\b"
    r"|\b(?:do|must|should)(?:n't|\s+not)\s+(?:hang\s+(?:about|around)|linger|loiter|dawdle)\b",
    re.IGNORECASE,
)
_NAMED = r"(?:the|that|those|all|my|our)\s+[^.,;:!?\n–—]{1,40}?"
_OF_NO_CONCERN = re.compile(
    rf"{_CUE.pattern}|\bnever\s+(?:you\s+)?mind\b(?!\W*$)|(?<!n['’]t )(?<!not )(?<!never )"
    r"\b(?:you\s+can\s+leave|forget|skip|ignore)(?:\s+about)?(?=\s+(?:the|that|those|any|all|my|our|O\d))"
    rf"|\bleave(?=\s+{_NAMED}(?:\s+for\s+(?:today|now|later|tomorrow|another)\b|[,;.–—]\s*(?:and\s+)?[^.;!?]*\binstead\b))"
    r"|\b(?:do|does)(?:n['’]t|\s+not)(?:(?:\s+you)?\s+(?:bother|worry|fuss|trouble|concern)"
    r"|\s+need\s+(?:you|him|her|them))\b|\bcan\s+wait\b"
    r"|\bnot\s+(?:bothered|worried|fussed|interested|concerned)\s+(?:about|in|with|by)\b",
    re.IGNORECASE,
)
"""What may be said of a thing with which nothing is to be done, if nothing else is said of it."""
_REST = re.compile(
    r"\b(?:the\s+rest|(?:the|any)\s+others?(?:\s+(?:ones?|two|three|four))?|the\s+remaining\s+(?:ones|two|three|four)|the\s+remainder)\b(?!\s+of\b)",
    re.IGNORECASE,
)
"""Of what nobody cares about of these, nothing is to be done."""
_UNCARED = re.compile(
    r"^\W*(?:I|we)\b[^.;!?]*?(?:n['’]t|\bnot|\bnever)\b|\b(?:do|does)(?:n['’]t|\s+not)\s+(?:matter|count|concern|interest)\b"
    r"|(?:n['’]t|\bnot)\s+care(?:\s+less)?\b|\b(?:are|is)\s+(?:(?:of\s+)?no\s+(?:concern|interest|business)|neither\s+here\s+nor\s+there)\b"
    r"|\b(?:have|has)\s+(?:already\s+)?been\s+(?:done|seen\s+to|dealt\s+with)\b"
    r"|^\W*let\b.*\bbe\s*$",
    re.IGNORECASE,
)
"""What people say of what they do not care about."""
_MORE = word_set(
    "one ones it them other others rest else all every each both any everything anything"
)
"""With these a text may say the same of others, or of all of which the thing is one."""
_ASKING = WANTING - word_set("need like could can would to ask") | word_set("you your touch")
"""Who says these of the rest may forbid it: ``I don't want you near the others``."""
_AND = re.compile(r"\band\s+(?:then\s+)?(?=(?P<verb>\w+))", re.IGNORECASE)
_AGAIN = re.compile(
    r"\b(?:do|does|must|should|will|may)(?:n't|\s+not)\s+(?:ever\s+)?"
    r"(?:(?P<holding>let\s+go|let\s+it|put\s+(?:it|them)|set\s+(?:it|them)|drop|release|lose)|(?P<staying>leave|move|budge|wander))\b",
    re.IGNORECASE,
)
"""Opposites of keeping something, and of staying somewhere."""
_KEPT: Mapping[str, frozenset[str]] = {
    "holding": frozenset(["holding"]), "staying": frozenset(["at-object", "at-place", "in-region"]),
}  # fmt: skip
_BEGIN = re.compile(
    r".*(?:[.!?;,:()\n–—]|\b(?:and|but|so|because|since)\b)", re.DOTALL | re.IGNORECASE
)
_END = re.compile(r"[.!?;,:()\n–—]|\b(?:but|just|only)\b", re.IGNORECASE)
_LIMITS = frozenset(
    ["until", "till", "unless", "if", "before", "after", "once", "when", "while", "except"]
)
_DOING: Mapping[str, frozenset[str]] = {
    "INSPECT": frozenset(["safe", "explored-region"]), "INSPECTION": frozenset(["safe", "explored-region"]),
    "EXPLORE": frozenset(["explored-region"]), "STAY": frozenset(["at-object", "at-place", "in-region"]),
    "END": frozenset(["at-object", "at-place", "in-region"]), "PICK": frozenset(["holding"]),
}  # fmt: skip
"""Kinds of verbs, with what holds in the end where it is done after all."""
_NEEDLESS = re.compile(
    r"\b(?:(?:need(?:n['’]?t| not)|(?:do|does)(?:n['’]?t| not) (?:need|have)(?: to)?"
    r"|no need(?: for (?:you|him|her|it))?(?: to)?)"
    r"(?:\s+(?:bother|come|help|go|do (?:it|that|this|anything)))?(?:\s+(?:too|as well|either|along))?"
    r"|not (?:you|him|her))\W*$",
    re.IGNORECASE,
)
"""What says at the end of a sentence that its robot need do nothing."""
_IDLE = re.compile(
    r"\bno\s+(?:action|task|job|work|orders?|part)s?\b|\bnothing\s+(?:for|to\s+do)\b|\bday\s+off\b"
    r"|\bstands?\s+down\b|\bnot\s+(?:needed|required|involved)\b|\bsits?\s+(?:this\s+one|it)\s+out\b"
    r"|\b(?:do|does|must|should|shall|may|will|can|is|are)(?:n['’]t|\s*not)\s+(?:to\s+)?(?:move|budge|go\s+anywhere)\b(?!\s+the\b)"
    r"|\b(?:stays?|left|(?:leave|keep)\s+\w+)\s+out\s+of\s+(?:this|it)\b"
    r"|\b(?:do|does)\s+(?:absolutely\s+)?nothing\b(?!\s+(?:but|except|else|other|with|about)\b)"
    r"|\b(?:can|may|have a|take a|takes a)\s+rest\b|\bis\s+(?:excused|spared)\b",
    re.IGNORECASE,
)
_LET_REST = (
    r"\s*[,;]?\s*(?:\b(?:and|but)\s+)?\b(?:let\s+(?P<let>{robots})\s+(?:rest|be|idle|sleep)"
    r"|leave\s+(?P<leave>{robots})\s+(?:be|alone|in\s+peace|out\s+of\s+(?:it|this)))(?=\s*(?:[.,;!?]|$)|\s+and\b)"
    r"|(?:^|(?<=[.;!?:]\s))not\s+(?:you\s*,\s*)?(?P<not>{robots})(?:\s+(?:this\s+time|today|now))?"
    r"(?:\s*,\s*(?:you\s+)?(?:sit|stay|stop|stand|hold)\s+(?:tight|put|still|back|there|(?:as|where)\s+you\s+are))?"
    r"(?=[.,;!?])[.,;!?\s]*"
)
"""A clause among others that gives a robot nothing to do."""
_SENTENCE = re.compile(r"[^.!?;\n]+")
_LIMITING = re.compile(r"\b(?:until|till|unless|if|before|after|once|when|while|and|then)\b", re.I)


class Waived(NamedTuple):
    """A text without what it says need not be done, and that."""

    text: str
    """As long as before, with blanks."""
    clauses: tuple[str, ...]
    """What need not be done."""
    again: tuple[tuple[str, str], ...] = ()
    """What is denied of which the opposite is told, with what must hold then."""


def waived(text: str, names: Names, is_area: Callable[[str], bool] = lambda word: True) -> Waived:
    """Return a text without its clauses that say what need not be done, where they name nothing.

    A thing that is named there alone, and is no area that others may be in, need not be heard of either.
    """
    if len(text) > MAX_CHARACTERS:
        return Waived(text, ())  # that is not read at all
    idle = [*_idle(text, names, is_area)]
    again = [found for found in _clauses(text, _AGAIN) if _names_nothing(found[0].word, names)]
    rest = blanked(text, (one[1:] for one in (*idle, *(found for found, _ in again))))
    words = [token.text for token in tokens_of(rest)]
    called = {k for first, end, _ in names.hints(words) for k in range(first, end)}
    if not any(word[0].isalnum() for k, word in enumerate(words) if k not in called):
        return Waived(text, ())  # with nothing but whom it calls, that is all it says
    opposites = tuple((one.word.strip(), kept) for one, kept in again)
    return Waived(rest, tuple(one.word.strip() for one in idle), opposites)


def _idle(text: str, names: Names, is_area: Callable[[str], bool]) -> Iterator[Taken]:
    """Yield the clauses that say what need not be done."""
    for one, _ in _clauses(text, _CUE):
        if _names_nothing(one.word, names) and not _limits(one.word):
            yield one
    for one, _ in _clauses(text, _REST, _AND):
        if _is_uncared_for(one.word, names):
            yield one
    for one, _ in _clauses(text, _OF_NO_CONCERN, _AND):
        if _is_spared(one, text, names, is_area):
            yield one


def _is_uncared_for(clause: str, names: Names) -> bool:
    """Return whether people only say that they do not care for the rest: ``I won't ask about the others``."""
    words = {token.text.casefold() for token in tokens_of(clause)}
    plain = _names_nothing(clause, names) and not _limits(clause) and words.isdisjoint(_ASKING)
    does = phrases_in(tokenize(clause), DEEDS - {"STAY", "OMIT"})  # I would not go near the others
    return plain and bool(_OF_NO_CONCERN.search(clause) or (_UNCARED.search(clause) and not does))


def _clauses(
    text: str, cues: re.Pattern[str], joint: re.Pattern[str] | None = None
) -> Iterator[tuple[Taken, str]]:
    """Yield the clauses with cues, each with the name of what its cue says; a joint before a deed ends it."""
    for cue in cues.finditer(text):
        before = _BEGIN.match(text, 0, cue.start())
        start = before.end() if before else 0
        after = _END.search(text, cue.end())
        end = after.start() if after else len(text)
        ends = joint.finditer(text, cue.end(), end) if joint else ()
        end = next((one.start() for one in ends if phrases_in(tokenize(one["verb"]), DEEDS)), end)
        yield Taken(text[start:end], start, end), cue.lastgroup or ""


def _is_spared(clause: Taken, text: str, names: Names, is_area: Callable[[str], bool]) -> bool:
    """Return whether a clause leaves out a thing of which its text says no more."""
    said = [token.text for token in tokens_of(clause.word)]
    rest = [token.text for token in tokens_of(blanked(text, [clause[1:]]))]
    hints = names.hints(said)
    named = {singular(said[first:end]) for first, end, _ in hints}
    again = {singular(rest[first:end])[-1] for first, end, _ in names.hints(rest)}
    plain = (
        named
        and all(group == GROUPS.index("noun") for *_, group in hints)
        and not _limits(clause.word)
    )
    told = any(name[-1] in again or is_area(" ".join(name)) for name in named)
    return bool(plain) and not told and _MORE.isdisjoint(word.casefold() for word in (*said, *rest))


def _names_nothing(clause: str, names: Names) -> bool:
    words = [token.text for token in tokens_of(clause)]
    plain = not any(c.isdigit() for word in words for c in word)
    return plain and not names.hints(words)


def _limits(clause: str) -> bool:
    return not _LIMITS.isdisjoint(token.text.casefold() for token in tokens_of(clause))


def contradicted(goals: Mapping[str, str], said: Waived) -> str:
    """Return a clause that goals go against; empty where there is none.

    What the rest of the text says as well is done for that.
    """
    done = {atom.predicate for goal in goals.values() for atom in atoms(parse_formula(goal))}
    wanted = _ends(said.text)
    for clause in said.clauses:
        if not done.isdisjoint(_ends(clause) - wanted):
            return clause
    return next((clause for clause, kept in said.again if done.isdisjoint(_KEPT[kept])), "")


def _ends(text: str) -> set[str]:
    """Return what holds in the end where the verbs of a text are done."""
    said = phrases_in(tokenize(text), frozenset(_DOING))
    return {end for one in said for kind, _ in one.senses for end in _DOING[kind]}


class Excused(NamedTuple):
    """A text without the sentences that give robots nothing to do, and those robots."""

    text: str
    """As long as before, with blanks."""
    robots: tuple[str, ...] = ()


def excused(text: str, robots: Sequence[str], names: Names) -> Excused:
    """Return a text without the sentences in which one robot is given nothing to do, where others have."""
    idle = [*_let_rest(text, robots), *_sentences(text, robots, names)]
    rest, found = blanked(text, (one[:2] for one in idle)), [robot for *_, robot in idle]
    told = {robot for robot in robots if _named(robot, rest)}
    return Excused(rest, tuple(found)) if told.difference(found) else Excused(text)


def _let_rest(text: str, robots: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    for clause in re.finditer(_LET_REST.format(robots=any_of(robots)), text, re.IGNORECASE):
        name = (clause["let"] or clause["leave"] or clause["not"]).casefold()
        yield *clause.span(), next(robot for robot in robots if robot.casefold() == name)


def _sentences(text: str, robots: Sequence[str], names: Names) -> Iterator[tuple[int, int, str]]:
    for sentence in _SENTENCE.finditer(text):
        words = sentence[0]
        here = [robot for robot in robots if _named(robot, words)]
        if len(here) != 1 or not _is_idle(words, here[0]) or _LIMITING.search(words):
            continue
        said = [token.text for token in tokens_of(words)]
        others = [
            said[k].casefold() for first, end, _ in names.hints(said) for k in range(first, end)
        ]
        if {*others} <= {here[0].casefold()} and not any(c.isdigit() for c in words):
            yield sentence.start(), sentence.end(), here[0]


def _is_idle(words: str, robot: str) -> bool:
    """Return whether a sentence about a robot gives it nothing to do."""
    spoken_to = re.sub(rf"\W*\b{re.escape(robot)}\W*$", "", words, flags=re.IGNORECASE)
    return bool(_IDLE.search(words) or _NEEDLESS.search(spoken_to))


def _named(robot: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(robot)}\b", text, re.IGNORECASE) is not None
