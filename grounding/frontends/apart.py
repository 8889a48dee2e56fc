"""Who does which of two things, where each is named before its own: ``first Anna checks A, then Bert B``.

The network often has both robots do both, or both at once what ``first Anna, then Bert`` are to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.utterance import Crew, Part, Span, Step, Steps, Utterance

_BEGINS = re.compile(
    r"(?:^|[.,;:!?]|\b(?:and|but|then|while|before|after|once|when|first|next|let|have|for))\s*$",
    re.I,
)
"""What stands before who does something of his own."""
_TOO = re.compile(r"\W*(?:too|also|as\s+well|likewise|both|does|do|should\s+too)\b", re.IGNORECASE)
_THEN = re.compile(
    r"(?:\s+first)?\s*,?\s*(?:and\s+)?(?:then|after\s+(?:him|her|it|that)|afterwards?)\s*,?\s*",
    re.I,
)
"""Between robots that do the same one after the other."""
_FIRST, _LATER = (
    re.compile(r"[^.;!?]*\bfirst\s*,?\s*(?:and|then|with)?\s*", re.IGNORECASE),
    re.compile(r"\s*,?\s*(?:after\s+(?:him|her|it|that)|afterwards?|next|second)\b", re.IGNORECASE),
)
"""``Anna goes there first, and Bert after that``."""


def told_apart(utterance: Utterance, text: str, _names: Names) -> Utterance:
    """Return an utterance in which each of several robots does what stands behind its own name."""
    return Utterance(tuple(one for part in utterance.parts for one in _apart(part, text)))


def _apart(part: Part, text: str) -> Iterator[Part]:
    """Yield the parts of the robots of a crew, or the part itself."""
    names = sorted(part.crew.names if part.crew else (), key=lambda s: s.start)
    if part.crew is None or len(names) < 2 or part.shared:
        yield part
    elif _are_in_turn(names, text):
        for k, name in enumerate(names):
            crew = replace(part.crew, choose="named", names=(name,))
            yield replace(part, crew=crew, then=k > 0 or part.then)
    else:
        yield from _each_own(part, part.crew, names, text)


def _each_own(part: Part, crew: Crew, names: Sequence[Span], text: str) -> Iterator[Part]:
    """Yield for each robot what stands behind its own name, or the part itself."""
    steps, own = part.step, _owners(part.step, names, text)
    if not isinstance(steps, Steps) or part.stands or not own:
        yield part
        return
    for k, name in enumerate(names):
        mine = tuple(step for step, who in zip(steps.steps, own, strict=True) if who == k)
        step = mine[0] if len(mine) == 1 else replace(steps, steps=mine)
        then = part.then if k == 0 else steps.join == "in order"
        yield replace(
            part,
            step=step,
            crew=replace(crew, choose="named", names=(name,)),
            then=then,
            introduced=part.introduced if k == 0 else (),
        )


def _are_in_turn(names: Sequence[Span], text: str) -> bool:
    """Return whether some robots do the same one after the other."""
    return all(
        _THEN.fullmatch(text, one.end, other.start)
        or (_FIRST.fullmatch(text, one.end, other.start) and _LATER.match(text, other.end))
        for one, other in pairwise(names)
    )


def _owners(steps: Step, names: Sequence[Span], text: str) -> list[int]:
    """Return for each step the robot, of some in turn, that it is for; none where they do all together."""
    if not isinstance(steps, Steps) or steps.join not in ("in order", "any order", "at once"):
        return []
    begun = (_BEGINS.search(text, 0, n.start) and not _TOO.match(text, n.end) for n in names)
    own = [_whose(step, names) for step in steps.steps]
    return own if all(begun) and own == sorted(own) and {*own} == {*range(len(names))} else []


def _whose(step: Step, names: Sequence[Span]) -> int:
    """Return which of some names is the last before a step, -1 for none."""
    begins = min((span.start for span in parts_of(step, Span)), default=-1)
    return sum(name.start < begins for name in names) - 1
