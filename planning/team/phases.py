"""Order between robots: what one has to wait for is planned first, what waits for it from there on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.errors import PlanningError
from commonground.planning.pddl import TRUE, And, Formula, conjuncts, nnf
from commonground.planning.result import Status
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.goal import literals
from commonground.planning.scene.plan import Action, RobotPlan, TeamPlan
from commonground.planning.scene.precedence import (
    WAIT_S,
    Deed,
    Precedence,
    begun_at_s,
    done_at_s,
    regions_of,
)
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team.check import validate
from commonground.planning.team.world import moved_things, scene_after
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

Goals = Mapping[str, Formula]
PlanPhase = Callable[[SceneGraph, Team, Goals], TeamPlan]
Actions = Mapping[str, tuple[Action, ...]]


class Parts(NamedTuple):
    """A robot's goal taken apart."""

    todo: list[tuple[int, Formula]]
    """What it has to do, each with its phase."""
    at_last: list[Formula]
    """What has to be true when it is done with all."""
    always: list[Formula]
    """What it has to avoid."""

    @property
    def last(self) -> int:
        """The last phase in which it does anything."""
        return max((phase for phase, _ in self.todo), default=0)

    def of(self, phase: int) -> list[Formula]:
        """Return what belongs to a phase, besides what is avoided in all."""
        own = [part for k, part in self.todo if k == phase]
        own = [part for part in own if part != TRUE]
        return [*own, *self.at_last] if phase == self.last else own


def phases(goals: Goals, order: Sequence[Precedence]) -> list[dict[str, Formula]]:
    """Return the goals of robots in as few phases as an order between them needs.

    What nobody waits for, and waits for nobody, is done in the first; what has to be true at the end in the
    last one in which its robot does anything; what is to be avoided is avoided in all.
    """
    ranks = _ranks(order)
    parts = {robot: _parts(robot, goal, ranks) for robot, goal in goals.items()}
    return [
        {
            name: And((*own.of(k), *own.always))
            for name, own in parts.items()
            if own.of(k) or own.always
        }
        for k in range(1 + max(ranks.values(), default=0))
    ]


def _parts(robot: str, goal: Formula, ranks: Mapping[Deed, int]) -> Parts:
    """Return a robot's goal taken apart."""
    found = Parts([], [], [])
    for part in _flat(nnf(goal)):
        if any(x.predicate in FINALS for x in literals(part)):
            found.at_last.append(part)
            found.todo.append((_rank(part, robot, ranks), TRUE))
        elif any(x.positive for x in literals(part)):
            found.todo.append((_rank(part, robot, ranks), part))
        else:
            found.always.append(part)
    return found


def _ranks(order: Sequence[Precedence]) -> dict[Deed, int]:
    """Return the phase of each step: after those of other robots that come before it."""
    ranks = {deed: 0 for pair in order for deed in pair}
    for _ in range(len(ranks) + 1):
        before = dict(ranks)
        for pair in order:
            least = ranks[pair.first] + pair.is_between_robots
            ranks[pair.then] = max(ranks[pair.then], least)
        if ranks == before:
            return ranks
    raise PlanningError(f"this order cannot be kept: {'; '.join(map(str, order))}")


def _flat(goal: Formula) -> list[Formula]:
    """Return the parts of a conjunction, and of conjunctions in it."""
    parts = conjuncts(goal)
    return [goal] if parts == (goal,) else [x for part in parts for x in _flat(part)]


def _rank(part: Formula, robot: str, ranks: Mapping[Deed, int]) -> int:
    """Return the phase of a part of a robot's goal."""
    about = {x for x in literals(part) if x.positive}
    return max(
        (
            rank
            for deed, rank in ranks.items()
            if any(deed.is_by(robot, x) for x in about & deed.literals)
        ),
        default=0,
    )


# ---- one phase after the other ----


def in_phases(
    graph: SceneGraph, team: Team, goals: Goals, order: Sequence[Precedence], plan_phase: PlanPhase
) -> TeamPlan:
    """Return a plan that keeps an order between robots: each phase planned from where the last one ends."""
    so_far = TeamPlan(Status.SOLVED)
    now, here = graph, team
    for k, own in enumerate(phases(goals, order)):
        found = plan_phase(now, here, own)
        if found.status is not Status.SOLVED:
            # from where another plan of the first phase ends it may be possible
            status = Status.NOT_FOUND if k and found.status is Status.UNSOLVABLE else found.status
            return replace(found, status=status)
        so_far = _joined(graph, team, so_far, found, order)
        now, here = _after(graph, team, so_far)
    return so_far


def _after(graph: SceneGraph, team: Team, plan: TeamPlan) -> tuple[SceneGraph, Team]:
    """Return the scene and the robots as a plan leaves them."""
    actions = [a for p in plan.robots.values() for a in p.actions]
    inspected = {a.target for a in actions if a.action == "inspect"}
    lies = moved_things(sorted(actions, key=lambda a: a.end_s))
    ends = {n: p.actions[-1].path_map[-1] for n, p in plan.robots.items() if p.actions}
    moved = {r.name: _at(r, ends[r.name]) if r.name in ends else r for r in team}
    return scene_after(graph, place_layer(graph), lies, inspected), Team(moved)


def _at(robot: Robot, position: Floats) -> Robot:
    pose = robot.T_map_robot.copy()
    pose[:3, 3] = position
    return replace(robot, T_map_robot=pose)


def _joined(
    graph: SceneGraph, team: Team, one: TeamPlan, two: TeamPlan, order: Sequence[Precedence]
) -> TeamPlan:
    """Return two plans as one, the second begun as soon as its robots are free and nobody is in the way."""
    acted = {n: p.actions for n, p in one.robots.items()}
    comes = {n: p.actions for n, p in two.robots.items()}
    soon_s = min(_soonest_s(graph, acted, comes, order), one.makespan_s)
    both = _later(acted, comes, soon_s)
    if soon_s < one.makespan_s and validate(graph, team, {}, both, order):
        both = _later(acted, comes, one.makespan_s + WAIT_S)
    robots = {
        name: _both(one.robots.get(name), two.robots.get(name), both[name])
        for name in dict.fromkeys([*one.robots, *two.robots])
    }
    told = tuple(dict.fromkeys([*one.assumed, *two.assumed]))
    return replace(one, robots=robots, assumed=told)


def _soonest_s(
    graph: SceneGraph, acted: Actions, comes: Actions, order: Sequence[Precedence]
) -> float:
    """Return by how much what comes has to be put off at least: its robots free, what it waits for done."""
    region_of = regions_of(graph)
    free_s = [acted[n][-1].end_s for n, own in comes.items() if own and acted.get(n)]
    waits_s = [
        done_at_s(pair.first, acted, region_of) + WAIT_S - begun_at_s(pair.then, comes, region_of)
        for pair in order
    ]
    return max([0.0, *free_s, *(s for s in waits_s if math.isfinite(s))])


def _later(acted: Actions, comes: Actions, by_s: float) -> dict[str, tuple[Action, ...]]:
    """Return what robots did and what they do so many seconds later, with waits between."""
    out = {}
    for name in dict.fromkeys([*acted, *comes]):
        before, own = acted.get(name, ()), comes.get(name, ())
        after = tuple(replace(a, start_s=a.start_s + by_s, end_s=a.end_s + by_s) for a in own)
        ends_s = before[-1].end_s if before else 0.0
        gap = after and after[0].start_s > ends_s + WAIT_S
        here = np.asarray(after[0].path_map[:1]) if after else np.empty((0, 3))
        wait = (Action("wait", "", here, start_s=ends_s, end_s=after[0].start_s),) if gap else ()
        out[name] = (*before, *wait, *after)
    return out


def _both(one: RobotPlan | None, two: RobotPlan | None, actions: tuple[Action, ...]) -> RobotPlan:
    """Return two plans of a robot as one; its bound is that of what it does from where it stands."""
    known = [p for p in (one, two) if p is not None]
    acting = [p for p in known if p.actions]
    first = (acting or known)[0]
    return replace(
        first,
        actions=actions,
        cost_m=sum(p.cost_m for p in acting),
        optimal=first.optimal and len(acting) < 2,
        reason="; ".join(dict.fromkeys(p.reason for p in known if p.reason and not acting)),
    )
