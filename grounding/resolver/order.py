"""What comes before what: the order in which robots were told to do the parts of their goals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from commonground.grounding.meaning import TOLD, Act, Assignment
from commonground.grounding.resolver.draft import Both, Draft
from commonground.grounding.resolver.roles import Roles
from commonground.grounding.resolver.tasks import Stage
from commonground.planning.pddl import Formula, simplify, to_pddl
from commonground.planning.pddl.strata import literals
from commonground.planning.scene import Before, Step

Close = Callable[[Draft], Formula]
Stages = Mapping[str, Sequence[Stage]]


@dataclass(frozen=True, slots=True)
class Turn:
    """An assignment that is to come after the one before it."""

    told: int
    robots: tuple[str, ...]
    before: int
    """The assignment that it comes after."""
    others: tuple[str, ...]
    """Whom that is for."""


def turns_of(assignments: Sequence[Assignment], roles: Roles) -> Iterator[Turn]:
    """Yield which assignments come after the one before them, what is only spoken of left out."""
    last: tuple[int, tuple[str, ...]] = (-1, ())
    for told, (assignment, robots) in enumerate(zip(assignments, roles, strict=True)):
        if isinstance(assignment.task, Act) and assignment.task.do in TOLD:
            continue
        names = tuple(robot.name for robot in robots)
        if assignment.then:
            yield Turn(told, names, *last)
        last = told, names


def order_of(stages: Stages, turns: Iterable[Turn], close: Close) -> tuple[Before, ...]:
    """Return the order within what each robot is told, and between robots."""
    pairs = [pair for name, own in stages.items() for pair in _within(name, own, close)]
    for turn in turns:
        for one, other in product(turn.others, turn.robots):
            if one != other and {one, other} <= stages.keys():
                first = _last(stages[one], turn.before)
                then = _first(stages[other], turn.told)
                pairs += _pairs([Part(one, first), Part(other, then)], close)
    return tuple(dict.fromkeys(pairs))


@dataclass(frozen=True, slots=True)
class Part:
    """Stages of what a robot is told that are in no order among each other."""

    robot: str
    stages: Sequence[Stage]


def _within(name: str, stages: Sequence[Stage], close: Close) -> Iterator[Before]:
    parts: list[list[Stage]] = [[]]
    for stage in stages:
        if stage.then:
            parts.append([])
        parts[-1].append(stage)
    yield from _pairs([Part(name, part) for part in parts], close)


def _pairs(parts: Sequence[Part], close: Close) -> Iterator[Before]:
    """Yield each part before the next one of those that ask for anything."""
    goals = [(p.robot, simplify(close(_draft(p)))) for p in parts if _draft(p).parts]
    steps = [Step(robot, to_pddl(goal)) for robot, goal in goals if _asks(goal)]
    yield from (Before(one, other) for one, other in pairwise(steps) if one != other)


def _draft(part: Part) -> Both:
    return Both(tuple(stage.draft for stage in part.stages if not stage.is_ban))


def _asks(goal: Formula) -> bool:
    return any(is_positive for _, is_positive in literals(goal))


def _last(stages: Sequence[Stage], told: int) -> list[Stage]:
    """Return the stages of an assignment after which nothing of it comes."""
    own = [stage for stage in stages if stage.told == told and not stage.is_ban]
    begins = [k for k, stage in enumerate(own) if stage.then and k]
    return own[begins[-1] if begins else 0 :]


def _first(stages: Sequence[Stage], told: int) -> list[Stage]:
    """Return the stages of an assignment before which nothing of it comes."""
    own = [stage for stage in stages if stage.told == told and not stage.is_ban]
    begins = [k for k, stage in enumerate(own) if stage.then and k]
    return own[: begins[0] if begins else len(own)]
