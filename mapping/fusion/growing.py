"""Memory of maps that grow: submaps that were matched once are not matched again.

For a map that is fused again and again while robots drive. Two robots that are joined are matched blindly
again only when they have ``GROWN`` times the submaps; and once the submaps that the join lays on one another
prove to be the same places (``overlap``), only those are matched that nothing ties to their place
(``strays``). Two submaps that lie near each other are matched again when their objects or their positions
have changed. Each submap is compared with the few nearest ones only, so that matching stays bounded where
robots come by often.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from commonground.arrays import Bytes, Floats, Ints
from commonground.geometry import inverse
from commonground.localization.matching import Solved
from commonground.localization.places import Place, submap_place, travel_between
from commonground.localization.settings import PlaceSettings
from commonground.mapping.fusion.closures import Closure, Known
from commonground.mapping.fusion.looked import Looked, Near, Spots
from commonground.mapping.fusion.robot_run import RobotRun
from commonground.mapping.fusion.robust import Optimized
from commonground.objects import ObjectMap, Submap

GROWN = 1.2
"""Robots that are joined are matched again once they have so many times the submaps: it may be wrong."""
STRAYS = 24
"""So many of the latest submaps that nothing ties to their place are matched blindly."""
ANEW = 1.5
"""With so many times the submaps all closures are weighed anew; until then only new ones are."""
NEAREST = 3
"""A submap is compared with so many of each robot's nearest ones; with fewer, paths get worse."""
Pair: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Growing:
    """What was matched so far, by the names of the robots."""

    before: Known | None = None
    """What is known from elsewhere."""
    blind: dict[Pair, tuple[int, list[Closure]]] = field(default_factory=dict)
    """Of robots that are joined: submaps they had then, and the closures found without their frames."""
    looked: dict[Spots, Looked] = field(default_factory=dict)
    paths: dict[str, tuple[int, Floats]] = field(default_factory=dict)
    """Of each robot its group, and its keyframes (k, 4, 4) as they were optimized."""
    used: dict[Spots, float] = field(default_factory=dict)
    """Closures that the optimization used, and the evidence for each."""
    made: dict[tuple[str, bytes], tuple[Place, Ints]] = field(default_factory=dict)
    """Submaps as places, by all that goes into them, and which of their objects (k,) count there."""
    confirmed: set[Pair] = field(default_factory=set)
    """Robots whose join shows in what it lays on one another."""
    held: set[tuple[str, int]] = field(default_factory=set)
    """Submaps that a closure which was used holds in their place."""
    counts: dict[str, int] = field(default_factory=dict)
    """Submaps of each robot when it was aligned the last time."""
    optimized: int = 0
    """Submaps of the team when all closures were last weighed anew."""
    solved: Solved = field(default_factory=dict)
    """Submaps that were matched blindly."""

    def places(self, run: RobotRun, settings: PlaceSettings) -> list[Place]:
        """Return the submaps of a robot as places; those that did not change are not made again."""
        objects, out, made = run.objects, [], {}
        travels, contents = travel_between(objects.submaps), _contents(objects)
        for submap, travel in zip(objects.submaps, travels, strict=True):
            key = run.name, _digest(contents, submap)
            if key in self.made:
                place, which = self.made[key]
            else:
                place = submap_place(objects, submap, settings)
                which = np.flatnonzero(np.isin(submap.rows, place.rows))
            made[key] = place, which
            out.append(
                replace(
                    place,
                    rows=submap.rows[which],
                    robot=submap.robot,
                    stamp_ns=submap.stamp_ns,
                    travel_m=travel,
                )
            )
        self.made = {k: v for k, v in self.made.items() if k[0] != run.name} | made
        there = {id(place.side) for place, _ in self.made.values()}
        self.solved = {k: v for k, v in self.solved.items() if {*map(id, k)} <= there}
        return out

    def known(self, one: RobotRun, two: RobotRun) -> Sequence[Closure] | None:
        """Return the closures between two robots, None if they should be matched."""
        found = None if self.before is None else self.before(one, two)
        if found is not None:
            return found
        count, closures = self.blind.get((one.name, two.name), (0, []))
        sure = self.is_sure(one, two)
        if not count or (not sure and _submaps(one, two) >= GROWN * count):
            return None
        return [closure for closure in closures if _within(closure, (one, two))]

    def is_sure(self, one: RobotRun, two: RobotRun) -> bool:
        """Return whether the join of two robots needs no other proof."""
        return (one.name, two.name) in self.confirmed

    def strays(self, run: RobotRun) -> Ints:
        """Return the last submaps of a robot that were looked at where they should lie, and nothing holds."""
        count = min(self.counts.get(run.name, 0), len(run.objects.submaps))
        loose = [k for k in range(count) if (run.name, k) not in self.held]
        return np.array(loose[-STRAYS:], np.int64)

    def near(self, runs: Sequence[RobotRun]) -> list[Closure]:
        """Return the closures at revisits that were found so far."""
        number = {run.name: r for r, run in enumerate(runs)}
        return [
            looked.closure.of((number[one], number[two]))
            for (one, _, two, _), looked in self.looked.items()
            if looked.closure is not None
            and one in number
            and two in number
            and _within(looked.closure, (runs[number[one]], runs[number[two]]))
        ]

    def seen(self, near: Near) -> Looked | None:
        """Return what two submaps said before, None if they should be matched.

        What the paths go by is not asked for again because it has moved them.
        """
        old = self.looked.get(near.spots)
        if old is None or old.contents != near.contents:
            return None
        return old if near.spots in self.used or old.holds(near) else None

    def keep(self, near: Near, closure: Closure | None) -> None:
        """Take note of what two submaps say."""
        variance = float(near.covariance[0, 0])
        self.looked[near.spots] = Looked(near.contents, near.T_2_1, variance, closure)

    def only(self, nominated: set[Spots]) -> None:
        """Forget what two submaps said that are not among the nearest to each other any more."""
        self.looked = {spots: seen for spots, seen in self.looked.items() if spots in nominated}

    def forget(self, one: str, two: str) -> None:
        """Forget what joined two robots, and where all are: they do not lie so to one another."""
        self.looked = {
            spots: seen for spots, seen in self.looked.items() if {spots[0], spots[2]} != {one, two}
        }
        self.paths = {}
        self.confirmed.discard((one, two))

    def expected(self, runs: Sequence[RobotRun], closures: Sequence[Closure]) -> Optimized | None:
        """Return where all keyframes are by what was optimized before and odometry from there on.

        None if a robot is new. One may come as it was a while before.
        """
        if any(len(self._path(run)) == 0 for run in runs):
            return None
        poses = [_prolonged(self._path(run), run) for run in runs]
        groups = [self.paths[run.name][0] for run in runs]
        spots = [_spots(c, runs) for c in closures]
        used = np.array([names in self.used for names in spots], bool)
        evidence = np.array([self.used.get(names, 0.0) for names in spots])
        return Optimized(
            np.concatenate(poses),
            used,
            np.zeros(len(closures)),
            evidence,
            np.array(groups, np.int64),
        )

    def resumable(self, runs: Sequence[RobotRun], closures: Sequence[Closure]) -> Optimized | None:
        """Return what an optimization may go on from; None if all closures are to be weighed anew.

        That is when the team is ``ANEW`` as large, or when a closure would join robots that are not joined.
        """
        if _submaps(*runs) >= ANEW * self.optimized:
            return None
        before = self.expected(runs, closures)
        if before is None or any(len({*before.component[[*c.robots]]}) > 1 for c in closures):
            return None
        return before

    def _path(self, run: RobotRun) -> Floats:
        return self.paths[run.name][1] if run.name in self.paths else np.empty((0, 4, 4))

    def learn(
        self,
        runs: Sequence[RobotRun],
        blind: Sequence[Closure],
        closures: Sequence[Closure],
        now: Optimized,
        confirmed: Sequence[tuple[int, int]],
    ) -> None:
        """Take note of where the robots are, and which are joined by what."""
        if _submaps(*runs) >= ANEW * self.optimized:
            self.optimized = _submaps(*runs)
        self.confirmed = {(runs[a].name, runs[b].name) for a, b in confirmed}
        ends = np.cumsum([len(run.poses) for run in runs])[:-1]
        self.paths = {
            run.name: (int(group), path)
            for run, group, path in zip(runs, now.component, np.split(now.poses, ends), strict=True)
        }
        used = [closures[k] for k in np.flatnonzero(now.accepted).tolist()]
        evidence = now.evidence[now.accepted].tolist()
        self.used = {_spots(c, runs): e for c, e in zip(used, evidence, strict=True)}
        self.held = {
            (runs[r].name, k)
            for c in used
            for pair in (c.submaps, *c.repeated)
            for r, k in zip(c.robots, pair, strict=True)
        }
        self.counts = {run.name: len(run.objects.submaps) for run in runs}
        self._learn_joins(runs, blind, now)

    def _learn_joins(
        self, runs: Sequence[RobotRun], blind: Sequence[Closure], now: Optimized
    ) -> None:
        old, self.blind = self.blind, {}
        for b, two in enumerate(runs):
            for a, one in enumerate(runs[:b]):
                if now.component[a] != now.component[b]:
                    continue  # nothing joins them yet, or what did came apart
                pair, submaps = (one.name, two.name), _submaps(one, two)
                count = old.get(pair, (0, []))[0]
                found = [c.of((0, 1)) for c in blind if c.robots == (a, b)]
                self.blind[pair] = (submaps if submaps >= GROWN * count else count, found)


def _contents(objects: ObjectMap) -> Bytes:
    """Return all of each object (n, b) that a place is made of."""
    n, boxes = len(objects), objects.boxes
    columns = (objects.ids, objects.centroids, objects.covariances, objects.existence, boxes.sizes)
    flat = [np.ascontiguousarray(column).view(np.uint8).reshape(n, -1) for column in columns if n]
    return np.concatenate([np.empty((n, 0), np.uint8), *flat], axis=1)


def _digest(contents: Bytes, submap: Submap) -> bytes:
    """Return what a submap is known by: whatever its place is made of changes it."""
    digest = hashlib.sha256(submap.T_map_submap.tobytes())
    digest.update(contents[submap.rows].tobytes())
    return digest.digest()


def _prolonged(path: Floats, run: RobotRun) -> Floats:
    """Return a robot's keyframes with those that came since, by its own poses."""
    if len(path) >= len(run.poses):
        return path[: len(run.poses)]
    last = len(path) - 1
    return np.concatenate([path, path[last] @ inverse(run.poses[last]) @ run.poses[last + 1 :]])


def _within(closure: Closure, runs: tuple[RobotRun, RobotRun]) -> bool:
    """Return whether both robots have the keyframes of a closure: one may come as it was before."""
    return all(k < len(run.poses) for k, run in zip(closure.keyframes, runs, strict=True))


def _spots(closure: Closure, runs: Sequence[RobotRun]) -> Spots:
    (a, b), (s, t) = closure.robots, closure.submaps
    return runs[a].name, s, runs[b].name, t


def _submaps(*runs: RobotRun) -> int:
    return sum(len(run.objects.submaps) for run in runs)
