"""One check of a whole team's plan: executed in time on one shared state, apart from the planners."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from commonground.planning.pddl import Formula
from commonground.planning.scene.certificate import nearest_place, perform
from commonground.planning.scene.execution import Execution, beside, holds
from commonground.planning.scene.footing import grounded, place_layer
from commonground.planning.scene.plan import Action
from commonground.planning.scene.precedence import Precedence, broken, regions_of
from commonground.planning.scene.vocabulary import done_by
from commonground.planning.team.track import MARGIN_M, Track, closest
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

TOLERANCE = 1e-6
"""Of seconds and meters."""
AWAY = "in somebody's gripper"
"""Where a thing lies that was picked: at no place."""
Plans = Mapping[str, Sequence[Action]]
"""Robot → its timed actions; robots of the team that are missing stand still."""


class Violation(NamedTuple):
    """Something that cannot be as a plan says."""

    time_s: float
    robots: tuple[str, ...]
    what: str

    def __str__(self) -> str:
        return f"at {self.time_s:.1f} s, {' and '.join(self.robots)}: {self.what}"


@dataclass(frozen=True, slots=True)
class SharedState:
    """What is true for the team: where things lie and what is known of them, and what each robot did."""

    lies: dict[str, str] = field(default_factory=dict)
    """Thing → place it was put, or AWAY."""
    deeds: set[tuple[str, str]] = field(default_factory=set)
    """What was done to which thing, for good."""
    robots: dict[str, Execution] = field(default_factory=dict)

    @staticmethod
    def of(graph: SceneGraph, team: Team) -> SharedState:
        """Return the state before anybody moves."""
        layer = place_layer(graph)
        state = SharedState()
        for robot in team:
            own = grounded(graph, robot)
            start = nearest_place(own, layer, robot)
            state.robots[robot.name] = Execution(
                own, layer, places=[start], lies=state.lies, deeds=state.deeds, view_m=robot.view_m
            )
        return state

    def copied(self) -> SharedState:
        """Return the same state, of which what happens later changes nothing here."""
        state = SharedState(dict(self.lies), set(self.deeds))
        for name, own in self.robots.items():
            state.robots[name] = replace(
                own,
                places=list(own.places),
                objects=set(own.objects),
                driven=list(own.driven),
                lies=state.lies,
                deeds=state.deeds,
            )
        return state

    @property
    def safe(self) -> set[str]:
        """The things that were inspected."""
        return {thing for deed, thing in self.deeds if deed == "inspect"}

    def holds(self, name: str, goal: Formula) -> bool:
        """Return whether a robot's goal is true now."""
        own = self.robots[name]
        lies = {thing: place for thing, place in self.lies.items() if thing != own.holding}
        return holds(goal, replace(own, lies=lies))


def validate(
    graph: SceneGraph,
    team: Team,
    goals: Mapping[str, Formula],
    plans: Plans,
    order: Sequence[Precedence] = (),
) -> list[Violation]:
    """Return everything that is wrong with a team's plan, the earliest first; an empty list is the proof."""
    found = [v for name, actions in plans.items() for v in _motion(team[name], actions)]
    state = SharedState.of(graph, team)
    found += _executed(state, team, plans)
    end = max((a.end_s for actions in plans.values() for a in actions), default=0.0)
    found += [
        Violation(end, (name,), "the goal does not hold at the end")
        for name, goal in goals.items()
        if not state.holds(name, goal)
    ]
    found += too_near(team, plans)
    found += [
        Violation(time_s, (pair.then.robot,), f"too soon, the order is {pair}")
        for time_s, pair in broken(order, plans, regions_of(graph))
    ]
    return sorted(found)


def _motion(robot: Robot, actions: Sequence[Action]) -> Iterator[Violation]:
    """Yield where a robot would jump, be too fast, or do two things at once."""
    here, now = robot.position, 0.0
    for action in actions:
        at = (action.start_s, (robot.name,))
        if action.start_s < now - TOLERANCE or action.end_s < action.start_s - TOLERANCE:
            yield Violation(*at, f"{action.action} begins before the action before it ends")
        if not np.isfinite(action.path_map).all():
            yield Violation(*at, "a waypoint is not finite")
        elif np.linalg.norm(action.path_map[0] - here) > TOLERANCE:
            yield Violation(*at, f"{action.action} begins elsewhere than the action before it ends")
        if action.length_m > robot.speed_mps * (action.end_s - action.start_s) + TOLERANCE:
            yield Violation(*at, f"{action.action} is faster than {robot.speed_mps:g} m/s")
        here, now = action.path_map[-1], action.end_s


def _executed(state: SharedState, team: Team, plans: Plans) -> Iterator[Violation]:
    """Carry out all actions in the order of their beginnings and ends; yield what cannot be carried out."""
    events = [
        (time_s, begins, name, k)
        for name, actions in plans.items()
        for k, action in enumerate(actions)
        for time_s, begins in ((action.end_s, False), (action.start_s + TOLERANCE, True))
    ]
    for time_s, begins, name, k in sorted(events):
        action, now = plans[name][k], state.robots[name]
        handle = _begin if begins else _end
        for fault in handle(state, now, team[name], action):
            what = f"{action.action} {action.item or action.target}: {fault}"
            yield Violation(time_s, (name,), what)


def _begin(state: SharedState, now: Execution, robot: Robot, action: Action) -> list[str]:
    """Check what has to be true as an action begins; a thing is gone from then on."""
    works = action.action in done_by().values()
    if works and not beside(now, robot, action.target, action.path_map[-1]):
        return ["the robot is not at it"]
    if action.action == "place" and now.holding != action.item:
        return [f"the gripper holds {now.holding or 'nothing'}"]
    if action.action != "pick":
        return []
    faults = perform(now, robot, action)
    if not faults:
        state.lies[action.target] = AWAY
    return faults


def _end(_: SharedState, now: Execution, robot: Robot, action: Action) -> list[str]:
    """Check what has to be true as an action ends, and let it take effect."""
    return [] if action.action == "pick" else perform(now, robot, action)


def too_near(team: Team, plans: Plans) -> list[Violation]:
    """Return every pair of robots that comes nearer than radii and margin allow, and when it is nearest."""
    tracks = {r.name: Track.of(r.position, plans.get(r.name, ())) for r in team}
    found = []
    for a, b in itertools.combinations(tracks, 2):
        needed = team[a].radius_m + team[b].radius_m + MARGIN_M
        nearest = closest(tracks[a], tracks[b])
        if nearest.meters < needed - TOLERANCE:
            x, y, _ = tracks[a].at(np.array([nearest.time_s]))[0]
            what = (
                f"{nearest.meters:.2f} m apart near ({x:.1f}, {y:.1f}), {needed:.2f} m are needed"
            )
            found.append(Violation(nearest.time_s, (a, b), what))
    return found
