"""A goal of the whole team shared out over the robots: the ways that are done soonest first."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from commonground.planning.pddl import And, Formula
from commonground.planning.pddl.logic import subformulas
from commonground.planning.result import Check, Status, unhurried
from commonground.planning.scene.allocation import Allocation, allocate, tasks_of
from commonground.planning.scene.precedence import Precedence
from commonground.planning.team.alone import Alone
from commonground.planning.team.hopeless import is_hopeless
from commonground.planning.team.in_order import waiting_tasks
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_PORTIONS = 64
"""Where there are more ways to share out, only the fastest one and those next to it are looked at."""
WEIGHED_SHARE = 0.5
"""Of the time for a plan: ways that were not weighed by then come last."""


@dataclass(frozen=True, slots=True, eq=False)
class Portions:
    """The ways of sharing out a team's goal."""

    fastest: Allocation
    all: Sequence[Mapping[str, Formula]]
    """A goal for each robot that has one; first those whose robots alone would be done soonest."""
    alone_s: Sequence[float]
    """When that would be, of each way; infinite for those that were not looked at."""
    complete: bool
    """Whether there are no other ways."""
    impossible: str = ""
    """Why none of them leads to the goal, as far as that is proven."""


def portions(
    graph: SceneGraph,
    team: Team,
    goal: Formula,
    own: Mapping[str, Formula],
    rng: np.random.Generator,
    check: Check = unhurried,
    order: Sequence[Precedence] = (),
) -> Portions:
    """Return how the parts of a goal may fall to the robots, which avoid what their ``own`` goals do.

    The first ways are those after which robots with goals of their own besides would be done soonest if they
    keep to an ``order`` of the parts.
    """
    bans = {name: tasks_of(wish)[1] for name, wish in own.items()}
    fastest = allocate(graph, team, goal, rng, check, bans)
    tasks = tasks_of(goal)[0]
    if fastest.status is Status.UNSOLVABLE and _out_of_reach(graph, team, tasks, bans):
        return Portions(fastest, (), (), True, fastest.reason)
    few = len(team.robots) ** len(tasks) <= MOST_PORTIONS
    shares = _shares(fastest, team, len(tasks), few=few)
    ways = [_shared(who, tasks) for who in shares]
    alone = Alone(graph, team, own, rng, functools.partial(check, share=WEIGHED_SHARE))
    goals, before = [joined(own, way) for way in ways], waiting_tasks(order, tasks)
    alone_s = alone.weighed(fastest.problem, shares, goals, before)
    # what is next to the fastest way is worth a try where it looks sooner
    tried = [k for k in range(len(ways)) if k == 0 or few or alone_s[k] < math.inf]
    tried.sort(key=alone_s.__getitem__)
    whole = few and not any(map(_hides_parts, tasks))
    return Portions(fastest, [ways[k] for k in tried], [alone_s[k] for k in tried], whole)


def _hides_parts(task: Formula) -> bool:
    """Return whether what stands together in an alternative of a task could be shared out too."""
    return any(isinstance(part, And) for part in subformulas(task))


def _out_of_reach(
    graph: SceneGraph, team: Team, tasks: Sequence[Formula], bans: Mapping[str, Sequence[Formula]]
) -> bool:
    """Return whether some task is beyond every robot."""

    def is_beyond(robot: Robot, task: Formula) -> bool:
        return is_hopeless(graph, team, robot, And((task, *bans.get(robot.name, ()))))

    return any(all(is_beyond(robot, task) for robot in team) for task in tasks)


def _shares(fastest: Allocation, team: Team, tasks: int, *, few: bool) -> Sequence[tuple[str, ...]]:
    """Return the robots of all tasks in ways of sharing them out, the fastest one first if there is one."""
    first = [tuple(fastest.who)] if fastest.who else []
    more = _every_share(team, tasks) if few or not first else _next_shares(first[0], team)
    return [*dict.fromkeys([*first, *itertools.islice(more, MOST_PORTIONS)])]


def joined(own: Mapping[str, Formula], more: Mapping[str, Formula]) -> dict[str, Formula]:
    """Return the robots' own goals together with their parts of the team's goal."""
    out = dict(own)
    for name, part in more.items():
        out[name] = And((own[name], part)) if name in own else part
    return out


def _every_share(team: Team, tasks: int) -> Iterator[tuple[str, ...]]:
    """Yield every way in which tasks may fall to robots."""
    return itertools.product(team.robots, repeat=tasks)


def _next_shares(who: Sequence[str], team: Team) -> Iterator[tuple[str, ...]]:
    """Yield the ways in which one task falls to another robot, or two robots change tasks."""
    for k, name in itertools.product(range(len(who)), team.robots):
        yield (*who[:k], name, *who[k + 1 :])
    for j, k in itertools.combinations(range(len(who)), 2):
        changed = list(who)
        changed[j], changed[k] = who[k], who[j]
        yield tuple(changed)


def _shared(who: Sequence[str], tasks: Sequence[Formula]) -> dict[str, Formula]:
    """Return the goals of robots to whom tasks fall."""
    mine: Mapping[str, list[Formula]] = {name: [] for name in dict.fromkeys(who)}
    for name, task in zip(who, tasks, strict=True):
        mine[name].append(task)
    return {name: And(tuple(parts)) for name, parts in mine.items()}
