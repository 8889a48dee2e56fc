"""Who is called behind a clause is told what stands before it: ``check the van, Anna, and the shed, Bert``.

Where one robot alone is called in a sentence that opens with what to do, all of the sentence is for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.fidelity.held import Held, nouns_of, with_sides
from commonground.grounding.fidelity.robots import GROUP, told_to
from commonground.grounding.meaning import Assignment
from commonground.grounding.words.closed import ENDS
from commonground.grounding.words.nouns import word_set

_PAUSES = ENDS | {",", ""}
_JOINTS = _PAUSES | word_set("and but then while please or")
_ABOUT = word_set(
    "by to for with near from at of than behind beside follow like not let have tell ask the"
)
"""Before a robot these speak of it, not to it."""


def wrong_callers(held: Held) -> Iterator[str]:
    """Yield what a meaning has somebody else do, or nobody in particular, than who is called behind it."""
    held = held.apart
    for k, one in enumerate(held.meaning.assignments):
        whom = _robots(held, k, one)
        heads = {noun for act, _ in with_sides(one.task) for noun in nouns_of(act.what)}
        for at in held.once(sorted(heads)):
            called = _called(held, at)
            if called and whom != {called} and not (one.who.choose == "each" and not one.who.names):
                yield f"the {held.words[at]} is for {called}"


def _robots(held: Held, at: int, one: Assignment) -> set[str]:
    """Return which robots a task is for; none where that is left open."""
    before = held.meaning.assignments[:at]
    if one.who.choose == "told":
        return told_to(
            held.robots, [n for other in held.meaning.assignments for n in other.who.names]
        )
    if one.who.choose == "same" and not one.who.names:
        return _robots(held, at - 1, before[-1]) if before else set()
    return told_to(held.robots, one.who.names)


def _called(held: Held, at: int) -> str:
    """Return the robot that is called behind what stands at some place, '' where that is not plain."""
    first, last = held.sentence(at)
    names = [k for k in range(first, last) if held.is_robot(held.words[k])]
    if not names or not all(_is_behind(held, k, first) for k in names):
        return ""
    if GROUP.search(held.text[held.tokens[first].start : held.tokens[last - 1].end]):
        return ""
    behind = [k for k in names if k > at] or (names if len(names) == 1 else [])
    named = (n for n in held.robots if told_to([n], [held.words[k] for k in behind[:1]]))
    return next(named, "")


def _is_behind(held: Held, at: int, first: int) -> bool:
    """Return whether a robot is called behind what it shall do, beside nobody else."""
    before, after = held.word(at - 1) if at > first else "", held.word(at + 1)
    alone = not any(
        held.is_robot(held.word(k)) for k in (at - 2, at + 2) if held.word((k + at) // 2) != ","
    )
    return at > first and alone and after in _JOINTS and before not in (_JOINTS - {","}) | _ABOUT
