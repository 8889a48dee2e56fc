"""Goals that have to hold one after the other: whether plans pass through them, what must wait for what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.problem_writer.goals import is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call, Surroundings
from commonground.planning.pddl import Formula
from commonground.planning.pddl.logic import conjuncts

Wait = tuple[int, int]
"""The call at the second place must not begin before the one at the first has ended."""


@dataclass(frozen=True, slots=True)
class Passage:
    """How calls pass through steps."""

    marks: tuple[int, ...]
    """For each step that is reached, after how many calls that is so."""
    waits: tuple[Wait, ...]
    ordered: bool
    """All steps are reached, and nothing of a step is brought about before the step before it."""


def passage(
    steps: Sequence[Formula], graph: HouseGraph, calls: Sequence[Call], surroundings: Surroundings
) -> Passage:
    """Return which steps calls reach one after the other, and which calls must wait for that."""
    graphs = [graph]
    for call in calls:
        graphs.append(surroundings.predict(graphs[-1], [call]))
    marks = _marks(steps, graphs)
    made = [
        (mark, i)
        for mark, step, following in zip(marks, steps, steps[1:], strict=False)
        for i in _made(following, step, graphs)
    ]
    early = any(i <= mark for mark, i in made)
    waits = [(mark - 1, i - 1) for mark, i in made if i > mark > 0]
    return Passage(tuple(marks), tuple(waits), len(marks) == len(steps) and not early)


def _marks(steps: Sequence[Formula], graphs: Sequence[HouseGraph]) -> list[int]:
    """Return after how many calls each step is reached, up to the first that is not."""
    marks: list[int] = []
    for step in steps:
        start = marks[-1] if marks else 0
        mark = next((i for i in range(start, len(graphs)) if is_reached(step, graphs[i])), None)
        if mark is None:
            break
        marks.append(mark)
    return marks


def _made(following: Formula, step: Formula, graphs: Sequence[HouseGraph]) -> Iterator[int]:
    """Yield after how many calls something comes true that a step wants and the one before it does not."""
    for part in conjuncts(following):
        if part not in conjuncts(step):
            held = [is_reached(part, graph) for graph in graphs]
            yield from (i for i in range(1, len(graphs)) if held[i] and not held[i - 1])
