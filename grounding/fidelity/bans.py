"""What robots must not do and for whom that holds, and bounds on the way that no goal can hold.

A ban that a sentence of its own says to nobody binds all that are told to do something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.fidelity.denials import denials
from commonground.grounding.fidelity.held import Held, nouns_of, wanted_acts, with_sides
from commonground.grounding.fidelity.negation import named_at, negations, negators
from commonground.grounding.words.closed import ENDS
from commonground.grounding.words.nouns import word_set

_BOUND = re.compile(
    r"\b(?:(?P<none>(?:neither|none) of (?:you|the robots)\b|(?:neither|no) robots?\b)(?!\s+(?:but|except))"
    r"|(?:(?:both|each|all) of (?:you|the robots)|you (?:two|both|all)|both (?:the )?robots)\b)",
    re.I,
)
"""Who a ban is for that is for all."""
_ONE = re.compile(
    r"\W*(?:(?:and|but|also)\s+)?(?:it(?!(?:\s+is|['’]s)\s+(?:forbidden|prohibited|dangerous|unsafe|not\s+(?:allowed|safe)))"
    r"|he|she|they|that one|the (?:latter|former|first|second))\b",
    re.I,
)
"""How a sentence begins that speaks of who was named before it."""
_TOO = word_set("neither nor either too likewise also both those these")
"""With one of these a ban may hold for what was named before it as well."""
_CLAUSE = re.compile(r"[.,;:!?\n]|\b(?:and|but|so|while)\b", re.IGNORECASE)
_THAT = r"(?:(?:to|at|in|on|into)\s+)?(?:the|that|those)\b"
_NOT_BUT = re.compile(
    rf"\bnot\s+(?:only\s+)?{_THAT}[^.;:!?\n]*?\s+but\s+(?:(?:also|rather|instead)\s+)?{_THAT}", re.I
)
"""``not the flag but the rock`` forbids nothing."""
_WITHIN = re.compile(
    r"\b(?:stay|stays|staying|keep|keeps|keeping|remain|remains|stick|sticks)\s+(?:\w+ly\s+|only\s+)?"
    r"(?:on|to|within|inside)\s+(?:the|this|that|our|my)\s+(?P<what>[^.,;:!?\n]+?)(?=\s+(?:and|but|then|while)\b|[.,;:!?\n]|$)",
    re.IGNORECASE,
)
"""``Stay on the road``: where all of the way is to lie."""


def lost_neither(held: Held) -> Iterator[str]:
    """Yield what is forbidden to all robots, where an answer forbids it to some."""
    said = (found[0] for found in _BOUND.finditer(held.text) if _forbids(held.text, found))
    none = next(said, "")
    kept = {*map(str.casefold, _kept_out(held))} if none else set()
    if none and kept and len(kept) < len(held.robots):
        yield f"the text says '{none}', and the answer forbids it to some alone"


def contrasted(held: Held) -> Iterator[str]:
    """Yield what a text only does not mean, where an answer forbids anything."""
    said = _NOT_BUT.search(held.text)
    if said and any(out for _, out in held.sides):
        yield f"the text says '{said[0]}', which may forbid nothing"


def banned_before(held: Held) -> Iterator[str]:
    """Yield what an answer keeps away from, and a text forbids something else behind it: ``with the hose in
    hand, and never enter the yard``.
    """
    excluded = named_at(held)[0]
    bans = sorted({*negations(held), *(one.at for one in denials(held))})
    for at in sorted(excluded):
        begin, end = held.sentence(at)
        said = [ban for ban in bans if begin <= ban < end]
        here = range(*held.clause(at))
        behind = said and min(said) > at and any(k > min(said) for k in excluded if k < end)
        if behind and not any(ban in here for ban in said) and _TOO.isdisjoint(held.words):
            yield f"the text forbids something, and nothing of {held.words[at]}"


def _forbids(text: str, who: re.Match[str]) -> bool:
    """Return whether a clause that speaks of all robots forbids something."""
    rest = _CLAUSE.split(text[who.end() :], 1)[0]
    return who["none"] is not None or bool(negators(rest))


def binds_everybody(text: str, at: int) -> bool:
    """Return whether a ban is for all robots: its clause speaks of them before what it names."""
    begin = max((end.end() for end in _CLAUSE.finditer(text, 0, at)), default=0)
    return _BOUND.search(text, begin, at) is not None


def refers_to_one(text: str, at: int) -> bool:
    """Return whether a sentence speaks of one robot that was named before it: ``it must not enter``."""
    begin = max(text.rfind(mark, 0, at) for mark in ENDS) + 1
    return _ONE.match(text, begin) is not None


def _kept_out(held: Held) -> Iterator[str]:
    """Yield the robots that anything is forbidden to."""
    told = {name for one in held.meaning.assignments for name in one.who.names}
    for one in held.meaning.assignments:
        if any(kept_out for _, kept_out in with_sides(one.task)):
            yield from one.who.names or (told if one.who.choose == "told" else held.robots)


def lost_for_some(held: Held) -> Iterator[str]:
    """Yield what a sentence of its own forbids to nobody by name, and the answer to some alone."""
    told = {n for one in held.meaning.assignments if wanted_acts(one.task) for n in one.who.names}
    for one in held.meaning.assignments:
        if not one.who.names or wanted_acts(one.task):
            continue
        alike = (other.who for other in held.meaning.assignments if other.task == one.task)
        kept = {name for who in alike for name in who.names}
        for at in held.once(nouns_of(one.task)):
            if told > kept and _said_to_nobody(held, at):
                some = " and ".join(sorted(kept))
                yield f"the text keeps everybody off the {held.words[at]}, and the answer {some}"


def _said_to_nobody(held: Held, at: int) -> bool:
    """Return whether a sentence forbids something, names no robot, and has nothing done."""
    begin, end = held.sentence(at)
    words = held.words[begin:end]
    named = any(map(held.is_robot, words)) or refers_to_one(held.text, held.tokens[at].start)
    wanted = {k for act in held.acts for k in held.once(nouns_of(act.what))}
    return begin > 0 and not named and wanted.isdisjoint(range(begin, end))


def unheld_bounds(held: Held) -> Iterator[str]:
    """Yield within what a text has robots stay all the way; alone it may be where they are to end."""
    for within in _WITHIN.finditer(held.text):
        words = {*re.findall(r"\w+", within["what"].casefold())}
        here = [(act, out) for act, out in held.sides if not words.isdisjoint(nouns_of(act.what))]
        others = len(held.sides) > len(here)
        if here and (others or any(out for _, out in here)):
            yield f"no goal can hold anybody to '{within[0]}' all the way"
