"""Robots settled one after the other: each is planned through what those before it leave free."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from commonground.arrays import Bools, Floats
from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.team._sipp_kernels import Motions, safe_intervals, soonest
from commonground.planning.team.errands import Hop, Way
from commonground.planning.team.telling import actions_of
from commonground.planning.team.track import MARGIN_M, Track, closest
from commonground.planning.team.watch import POINTS_PER_S
from commonground.planning.team.world import release_s
from commonground.robots import Robot, Team

SLACK_M = 2e-3
"""More than the margin, so that rounding to millimeters does not break it."""
MOST_STATES = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Mover:
    """A robot that may be moved, with its plan as if it were alone; an idle one has none."""

    robot: Robot
    plan: RobotPlan
    way: Way
    free_end: bool
    """Whether its goal says nothing of where it ends."""
    closed: Bools
    """(n,) places of its roadmap that its goal forbids."""
    keeps: bool = True
    """Whether it may drive as if it were alone."""


@dataclass(eq=False)
class Attempt:
    """Robots settled one after the other."""

    team: Team
    still: frozenset[str]
    """Idle robots that are not moved."""
    aside: bool = False
    """Whether robots that may end anywhere keep off the others' ways."""
    actions: dict[str, tuple[Action, ...]] = field(default_factory=dict)
    tracks: dict[str, Track] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.still:
            self.keep(name, ())

    def keep(self, name: str, actions: tuple[Action, ...]) -> None:
        """Settle what a robot does."""
        self.actions[name] = actions
        self.tracks[name] = Track.of(self.team[name].position, actions)

    def needed_m(self, a: str, b: str) -> float:
        """Return how far two robots have to stay apart."""
        return self.team[a].radius_m + self.team[b].radius_m + MARGIN_M + SLACK_M

    def free(self, name: str, actions: tuple[Action, ...]) -> bool:
        """Return whether nobody who is settled is in the way of some actions."""
        track = Track.of(self.team[name].position, actions)
        return all(
            closest(track, theirs).meters >= self.needed_m(name, other)
            for other, theirs in self.tracks.items()
        )

    def motions(self, name: str) -> Motions:
        """Return the motions of all who are settled, as obstacles for one robot."""
        found = [_motions(t, self.needed_m(name, other)) for other, t in self.tracks.items()]
        return Motions(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def settle(order: Sequence[Mover], attempt: Attempt, plans: Mapping[str, RobotPlan]) -> str:
    """Settle robots in their order; return the name of the one that finds no way, '' for none."""
    for mover in order:
        name = mover.robot.name
        releases = _releases_s(mover, attempt, plans)
        actions: tuple[Action, ...] | None = mover.plan.actions
        if not _keeps(mover, attempt, releases):
            for way in mover.way.choices():
                now = replace(mover, way=way)
                ends = _ends(now, attempt, order)
                actions = _found(now, attempt, releases, ends)
                if actions is not None:
                    break
        if actions is None:
            return name
        attempt.keep(name, actions)
    return ""


def settling_s(order: Sequence[Mover]) -> float:
    """Return about how many seconds of work it is to settle some robots."""
    return sum(len(m.way.ground.points) * (1 + len(m.way.errands)) for m in order) / POINTS_PER_S


def _releases_s(mover: Mover, attempt: Attempt, plans: Mapping[str, RobotPlan]) -> list[float]:
    """Return when those whose turn comes before are done with the thing of each errand."""
    turn = list(plans)
    name = mover.robot.name
    before = turn[: turn.index(name)] if mover.plan.actions else []
    theirs = [attempt.actions[n] for n in before if n in attempt.actions]
    return [release_s(e.action, theirs) for e in mover.way.errands]


def _keeps(mover: Mover, attempt: Attempt, releases_s: Sequence[float]) -> bool:
    """Return whether a robot's own plan is in nobody's way and handles nothing before its turn."""
    own = mover.plan.actions
    if not mover.keeps and (own or mover.way.errands):
        return False
    if own and attempt.aside and mover.free_end:
        return False
    begins = [e.action.start_s if e.lasts_s else e.action.end_s for e in mover.way.errands]
    in_turn = all(b >= r for b, r in zip(begins, releases_s, strict=True))
    return in_turn and attempt.free(mover.robot.name, own)


def _ends(mover: Mover, attempt: Attempt, order: Sequence[Mover]) -> Bools:
    """Return where (n,) a robot may end."""
    way = mover.way
    ends = np.zeros(len(way.ground.points), bool)
    last = list(way.last)
    if not mover.free_end:
        ends[last] = True
        return ends
    ends[:] = True
    if attempt.aside:
        name = mover.robot.name
        for other in order:
            if other is not mover and other.plan.actions:
                line = Track.of(other.robot.position, other.plan.actions).points
                near = distance_to_line(way.ground.points, line)
                ends &= near >= attempt.needed_m(name, other.robot.name)
    elif way.errands:
        ends[:] = False
        ends[last] = True
    return ends


def distance_to_line(points: Floats, line: Floats) -> Floats:
    """Return meters (n,) on the ground from points to a line of waypoints."""
    out = np.full(len(points), np.inf)
    for a, b in itertools.pairwise(line[:, :2]) if len(line) > 1 else [(line[0, :2], line[0, :2])]:
        along, offset = b - a, points[:, :2] - a
        t = np.clip(offset @ along / max(float(along @ along), 1e-18), 0.0, 1.0)
        out = np.minimum(out, np.linalg.norm(offset - t[:, None] * along, axis=1))
    return out


def _found(
    mover: Mover, attempt: Attempt, releases_s: Sequence[float], ends: Bools
) -> tuple[Action, ...] | None:
    """Return the soonest actions of a robot past all that are settled, None where there are none."""
    way = mover.way
    problem = way.problem(releases_s, ends)
    if not attempt.tracks:
        others = _motions(Track(np.zeros(1), np.full((1, 3), 1e12)), 0.1)
    else:
        others = attempt.motions(mover.robot.name)
    ground = way.ground
    longest = np.zeros(len(ground.points))
    rows = np.repeat(np.arange(len(ground.points)), np.diff(ground.indptr))
    np.maximum.at(longest, rows, ground.travel_s * mover.robot.speed_mps)
    safe = safe_intervals(ground, longest, others)
    state, search = soonest(ground, problem, safe, others, way.start, MOST_STATES)
    if state < 0:
        return None
    hops = []
    while search.parent[state] >= 0:
        done, row = divmod(state, len(safe.low_s))
        times = float(search.left_s[state]), float(search.began_s[state])
        hops.append(Hop(*times, int(safe.place[row]), done))
        state = int(search.parent[state])
    return actions_of(way, hops[::-1])


def _motions(track: Track, reach_m: float) -> Motions:
    """Return a track as linear motions, the last of them standing still for ever."""
    begin, end = track.time_s, np.append(track.time_s[1:], np.inf)
    keep = end > begin
    last = np.diff(track.points, axis=0, append=track.points[-1:])
    lasts = np.where(np.isfinite(end - begin) & keep, end - begin, 1.0)
    velocity = last / lasts[:, None]
    return Motions(
        begin[keep],
        end[keep],
        track.points[keep],
        velocity[keep],
        np.full(int(keep.sum()), reach_m),
    )
