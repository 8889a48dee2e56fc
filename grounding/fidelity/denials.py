"""Where a text forbids, refuses or leaves something, by what English says so with, and how far that reaches.

Five shapes: an absolute negation before the verb (``under no circumstances is Spot to``), a ban that is said
of somebody or something (``is barred from``), a verb or turn of refraining (``desist from``, ``hands off``),
a noun that denies a warrant or a way (``no entry to``), and a deed that is to remain undone (``unchecked``).
What is itself denied (``do not skip``) is no denial. Plain negations are counted elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import Literal, NamedTuple

from commonground.grounding.english.faithful import DETERMINERS
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.negation import REGRET
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.words.closed import BE, DO, HAVE, MODALS
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.refraining import CEASES, FORBIDDEN, LEFT, OMITS, REFRAINS
from commonground.grounding.words.tokens import Token
from commonground.grounding.words.vocabulary import vocabulary

_NO = frozenset(["no", "not", "never", "nowhere"])
_NEGATORS = _NO | word_set("nobody nothing without neither nor none hardly")
_LEADING = word_set("under at in on by for to with")
_ABSOLUTE = word_set(
    "circumstance circumstances account means event condition conditions occasion pretext"
)
"""With ``no`` before these a whole clause is denied, wherever they stand in it."""
_AUXILIARIES = BE | DO | HAVE | MODALS
_FRONTED = 4
"""So many words behind a negation at most the verb stands that comes before its subject."""
_ENTRY = word_set("entry access admittance admission admission passage trespassing entrance")
_WARRANT = word_set("business right permission cause excuse license licence reason point call")
_TURNS: Sequence[Sequence[str]] = [
    line.split()
    for line in (
        "hands off", "paws off", "never mind", "lay off", "give up on", "hold off", "pass on", "pass up",
        "leave out", "leave off", "turn down", "count out", "back off", "call off", "break off", "put off",
        "do without", "think better of", "draw the line at",
    )
]  # fmt: skip
"""Verbs of several words that refrain."""
_OWN = ["to", "yourself"]
_BOUNDS: Sequence[Sequence[str]] = [
    *(line.split() for line in ("off limits", "out of bounds", "no go", "off the table")),
    *(["none", "of", whose] for whose in ("your", "our", "its", "their")), _OWN,
]  # fmt: skip
"""Said of what nobody may have to do with."""
_BEING = BE - {"was", "were"} | word_set("remain remains stay stays 's get gets leave left keep")
_KEPT = word_set("kept held stopped steered led turned sent")
_AWAY = word_set("from out away off clear")
"""``Must be kept from``."""
_APART = word_set("away back off clear aside")
_ONTO = frozenset(["to", "into", "towards"])
_LENGTHS = word_set("m meter meters metre metres feet ft yard yards far further farther")
"""Before ``away from`` these tell how far something is."""
_ASKED = word_set("who whom which what where whose how")
_IDEAS = word_set("idea thought plan notion intention prospect")
_NOW = word_set(
    "strictly absolutely totally completely hereby still always now all entirely currently quite"
)
_JOINTS = word_set("and but then so or")
_FILLING = word_set("and but then so just please instead kindly rather first next also")
_PAUSES = frozenset([",", "you"])
_STOPS = frozenset([".", ";", "!", "?", ":", "\n"])
_NEAR = 4
"""So near before a word stands what denies it."""


Kind = Literal["bans", "leaves", "parts"]


class Denial(NamedTuple):
    """Words that have something not done, and the tokens that they are said of."""

    words: str
    at: int
    first: int
    end: int
    kind: Kind
    """What is left need not be kept from; where words only part somebody from a thing, it may be a place."""


def denials(said: Wording) -> tuple[Denial, ...]:
    """Return what a text forbids, refuses or leaves, from left to right."""
    return _denials(tuple(said.tokens), tuple(said.robots))


@lru_cache(maxsize=256)  # each reading of a text is held against it
def _denials(tokens: tuple[Token, ...], robots: tuple[str, ...]) -> tuple[Denial, ...]:
    said = Wording(tokens, robots)
    found = (
        (word, _of_the_clause(said, at) or _forward(said, at)) for at, word in enumerate(said.words)
    )
    return tuple(
        one for word, one in found if one and (word in _NO or not _is_denied(said, one.at))
    )


def _of_the_clause(said: Wording, at: int) -> Denial | None:
    """Return a denial of all that its clause says, before it and behind."""
    size = _absolute(said, at)
    if size and not REFRAINS.isdisjoint(said.words[at + size : at + size + _NEAR]):
        return None  # by no means forget it
    size = size or _bounds(said, at) or _undone(said, at) or _banned(said, at)
    if not size:
        return None
    words = " ".join(said.words[at : at + size])
    return Denial(words, at, _begin(said, at), _end(said, at + size), "bans")


def _forward(said: Wording, at: int) -> Denial | None:
    """Return a denial of what follows it in its clause."""
    size, kind = _parts(said, at) or _refrains(said, at)
    first, end = at + size, _end(said, at + size)
    if kind == "parts" and said.words[first - 1] == "from":
        end = next((k for k in range(first, end) if said.words[k] in _ONTO), end)
    if not size or (end <= first and said.words[at] != "no"):
        return None  # a bare "no lifting!" says all
    return Denial(" ".join(said.words[at:first]), at, first, end, kind)


def _refrains(said: Wording, at: int) -> tuple[int, Kind]:
    """Return how many words of a refraining begin there, and of what kind it is; none, 0."""
    word, behind = said.words[at], said.word(at + 1)
    turn = next((t for t in _TURNS if _stands(said, at, t)), [])
    if turn:  # but for: never mind who
        return len(turn) * (said.word(at + len(turn)) not in _ASKED), "leaves"
    if word == "no":
        gerund = _is_deed(behind) and behind not in REFRAINS  # no skipping
        return 2 * (gerund or behind in _ENTRY | _WARRANT), "leaves" if gerund else "bans"
    verb = _is_refraining(said, at) and _is_verb(said, at)
    return int(verb), "leaves" if word in OMITS else "bans"


def _is_refraining(said: Wording, at: int) -> bool:
    """Return whether a word refrains from what is behind it; not ``all excluding Anna``, ``scratch that``."""
    word, behind = said.words[at], said.word(at + 1)
    if word in CEASES:
        return behind.endswith("ing")
    others = (word.endswith("ing") and said.is_robot(behind)) or (
        word in OMITS and behind == "that"
    )
    return word in REFRAINS and not others


def _parts(said: Wording, at: int) -> tuple[int, Kind] | None:
    """Return the two words that part somebody from what follows, or say it would be bad: ``turn away from``.

    Nor is what is only an idea done: ``drop the idea of going``.
    """
    word, behind = said.words[at], said.word(at + 1)
    bad = word in REGRET and behind in ("to", "if")
    bad = bad and _NEGATORS.isdisjoint(said.words[at + 1 : at + 2 + _NEAR])
    idea = word in _IDEAS and behind == "of" and _is_deed(said.word(at + 2))
    apart = word in _APART and behind == "from" and said.word(at - 1) not in _LENGTHS
    return (2, "parts") if bad or idea or apart else None


def _absolute(said: Wording, at: int) -> int:
    """Return how many words of an absolute negation begin there: ``no way is``, ``at no time may``."""
    if said.words[at] not in _NO:
        return 0
    if said.words[at] == "no" and said.word(at - 1) in _LEADING and said.word(at + 1) in _ABSOLUTE:
        return 2
    led = (
        said.words[at] == "nowhere"
        or said.word(at - 1) in _LEADING
        or said.word(at + 1) in ("way", "once", "ever", "again")
    )
    if not led:
        return 0
    behind = range(at + 1, min(at + 1 + _FRONTED, len(said.words) - 1))
    verb = next((k for k in behind if said.words[k] in _AUXILIARIES), 0)
    subject = said.word(verb + 1)
    inverted = said.is_robot(subject) or subject in DETERMINERS or subject in _SUBJECTS
    return verb - at if verb and inverted else 0


_SUBJECTS = word_set("you it they he she anybody anyone either both we i there")


def _bounds(said: Wording, at: int) -> int:
    found = next((b for b in _BOUNDS if _stands(said, at, b)), [])
    if found == _OWN and "keep" not in said.words[_begin(said, at) : at]:
        return 0
    return len(found)


def _undone(said: Wording, at: int) -> int:
    """Return whether something is to remain undone: ``must stay unchecked``."""
    word = said.words[at]
    undone = word.startswith("un") and _is_done(word[2:]) and said.word(at - 1) in _BEING
    return int(undone)


def _banned(said: Wording, at: int) -> int:
    """Return whether somebody or something is said to be banned, or to be left."""
    word = said.words[at]
    kept = word in _KEPT and said.word(at + 1) in _AWAY
    if word not in FORBIDDEN | LEFT and not kept:
        return 0
    before = at - 1
    while said.word(before) in _NOW:
        before -= 1
    be = said.word(before)
    if kept or word in FORBIDDEN:
        return int(be in _BEING or before < 0 or be in _STOPS)
    return int(be == "be")


def _is_verb(said: Wording, at: int) -> bool:
    """Return whether a word stands where verbs do: not ``the skip``, ``my scrap``."""
    return (
        said.word(at - 1) not in DETERMINERS | _LEADING - {"to"} and said.tokens[at].kind == "word"
    )


def _is_denied(said: Wording, at: int) -> bool:
    """Return whether a refraining is itself denied: ``do not skip``, ``no longer off limits``."""
    before = said.words[max(_begin(said, at), at - _NEAR) : at]
    return not _NEGATORS.isdisjoint(before)


def _begin(said: Wording, at: int) -> int:
    """Return where a clause begins: behind a mark, or a joint with a deed before it."""
    first = said.sentence(at)[0]
    for k in range(at - 1, first - 1, -1):
        if said.words[k] in _STOPS:
            return k + 1
        joint = said.words[k] == "," or said.words[k] in _JOINTS
        if joint and any(_deeds(said.words[first:k])):
            return k + 1
    return first


def _end(said: Wording, at: int) -> int:
    """Return where what is said ends: at a mark, a ``but``, or before what is to be done beside it."""
    for k in range(at, len(said.words)):
        word = said.words[k]
        if word in _STOPS or word == "but":
            return k
        if (word in _PAUSES or word in _FILLING) and _orders(said, k + (word != "you")):
            return k
    return len(said.words)


def _orders(said: Wording, at: int) -> bool:
    """Return whether an order begins there, whoever is called."""
    while said.word(at) in _FILLING | _PAUSES or (said.word(at) and said.is_robot(said.words[at])):
        at += 1
    deed = next(_deeds(said.words[at : at + _NEAR]), "")
    told = bool(deed) and said.word(at) == deed.split()[0] and not deed.split()[0].endswith("ing")
    return told and deed not in BE


def _deeds(words: Sequence[str]) -> Iterator[str]:
    trie = vocabulary()[0]
    for at in range(len(words)):
        found = [end for end, kind, *_ in trie.matches(words, at) if kind in DEEDS]
        if found:
            yield " ".join(words[at : max(found)])


@cache
def _is_done(word: str) -> bool:
    """Return whether a word is the participle of a deed."""
    kinds = {kind for _, kind, *_ in vocabulary()[0].matches([word], 0)}
    return any(kind.removesuffix("_D") in DEEDS for kind in kinds if kind.endswith("_D"))


def _is_deed(word: str) -> bool:
    """Return whether a word is a deed as a noun: ``touching``, ``entering``."""
    return word.endswith("ing") and (bool([*_deeds([word])]) or word == "touching")


def _stands(said: Wording, at: int, words: Sequence[str]) -> bool:
    return said.words[at : at + len(words)] == [*words]
