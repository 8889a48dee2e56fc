"""Goals that have to hold one after the other: whether plans pass through them, what must wait for what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.grounding.problem_writer.goals import is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call, Surroundings
from commonground.planning.pddl import And, Formula

Wait = tuple[int, int]
"""The call at the second place must not begin before the one at the first has ended."""


@dataclass(frozen=True, slots=True)
class Passage:
    """How calls pass through steps."""

    marks: tuple[int, ...]
    """For each step that is reached, after how many calls that is so."""
    waits: tuple[Wait, ...]


def passage(
    steps: Sequence[Formula], graph: HouseGraph, calls: Sequence[Call], surroundings: Surroundings
) -> Passage:
    """Return which steps calls reach one after the other, and which calls must wait for that."""
    graphs = [graph]
    for call in calls:
        graphs.append(surroundings.predict(graphs[-1], [call]))
    marks: list[int] = []
    for step in steps:
        start = marks[-1] if marks else 0
        mark = next((i for i in range(start, len(graphs)) if is_reached(step, graphs[i])), None)
        if mark is None:
            break
        marks.append(mark)
    return Passage(tuple(marks), tuple(_waits(steps, marks, graphs)))


def _waits(
    steps: Sequence[Formula], marks: Sequence[int], graphs: Sequence[HouseGraph]
) -> Iterator[Wait]:
    """Yield what must wait: whatever brings about a part of a step waits for the step before."""
    for step, mark in zip(steps[1:], marks, strict=False):
        if mark == 0:
            continue
        for part in step.parts if isinstance(step, And) else (step,):
            held = [is_reached(part, graph) for graph in graphs]
            yield from (
                (mark - 1, i - 1)
                for i in range(mark + 1, len(graphs))
                if held[i] and not held[i - 1]
            )
