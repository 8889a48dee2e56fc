"""Evaluation of matching and relocalization on one route driven the same way, across or opposite.

Each meeting is that of one robot's map with another robot's drive, both with drift, and with the truth
beside them. Every two submaps are matched; and the second robot is set down at each of its submaps and
must find itself in the map of the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.blas import one_blas_thread
from commonground.geometry import inverse
from commonground.localization.evaluation.relocalization import (
    AHEAD,
    Start,
    follow,
    is_near,
    mean,
    median,
    pose_error,
    until_localized,
)
from commonground.localization.evaluation.traverses import Traverse
from commonground.localization.matching import Match, contested, match_pair
from commonground.localization.places import comparable, wide_places
from commonground.localization.relocalizer import Relocalizer
from commonground.localization.retrieval import compare_appearance, make_atlas
from commonground.localization.settings import LocalizationSettings
from commonground.objects import ObjectMap, Submap, save_objects

FEWEST = 6
"""Objects that two submaps must share for their match to be demanded."""
RIGHT_M, RIGHT_DEG = 1.0, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """A drive, and what its robot knew at each submap."""

    traverse: Traverse
    live: tuple[ObjectMap, ...]
    """The object map as it was when each submap was taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Meeting:
    """Two traverses: what the first robot mapped, and how the second one looks at it."""

    views: str
    mapped: Recorded
    driven: Recorded
    related: bool = True
    """Whether both are in one world; else nothing may be accepted."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two submaps, matched."""

    shared: int
    """Objects that both hold, by the truth."""
    near: bool
    """Within 5 m and 10°."""
    right: bool
    """Within 1 m and 5°."""
    accepted: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a meeting."""

    views: str
    pairs: tuple[Pair, ...]
    starts: tuple[Start, ...]
    kb_per_km: float
    """Size of the file that holds the mapped drive's objects."""


@one_blas_thread
def outcome(meeting: Meeting, settings: LocalizationSettings | None = None) -> Outcome:
    """Return a meeting's matches and starts."""
    s = settings or LocalizationSettings()
    pairs, starts = tuple(matched(meeting, s)), tuple(started(meeting, s))
    return Outcome(meeting.views, pairs, starts, kb_per_km(meeting.mapped.traverse))


def kb_per_km(traverse: Traverse) -> float:
    """Return the size of an object map's file for each kilometer driven."""
    steps = np.diff(traverse.T_world_submaps[:, :3, 3], axis=0)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "objects.npz"
        save_objects(traverse.objects, file)
        return file.stat().st_size / max(float(np.linalg.norm(steps, axis=1).sum()), 1e-9)


def matched(meeting: Meeting, settings: LocalizationSettings) -> Iterator[Pair]:
    """Match every submap of one drive with every submap of the other."""
    one, two = meeting.mapped.traverse, meeting.driven.traverse
    matches = _all_to_all(one, two, settings)
    for match in matches:
        true = inverse(two.T_world_submaps[match.place2]) @ one.T_world_submaps[match.place1]
        meters, degrees = pose_error(true, match.association.T_2_1)
        known = bool(meeting.related and np.isfinite(match.association.log_evidence))
        shared = meeting.related * len(
            np.intersect1d(_things(one, match.place1), _things(two, match.place2))
        )
        yield Pair(
            shared=shared,
            near=known and is_near((meters, degrees)),
            right=known and meters < RIGHT_M and degrees < RIGHT_DEG,
            accepted=match.accepted,
        )


def _all_to_all(one: Traverse, two: Traverse, settings: LocalizationSettings) -> list[Match]:
    """Return every two submaps matched; those that nothing agrees on come last, without a lead."""
    s = settings.matching
    objects1, objects2 = comparable(one.objects, two.objects)
    places1, places2 = (wide_places(o, s.places) for o in (objects1, objects2))
    appearance = compare_appearance(make_atlas(objects2, places2, s.appearance), objects1)
    matches = []
    for i, place1 in enumerate(places1):
        ratios = appearance.between(place1.rows)
        matches += [
            match_pair(i, place1, j, place2, ratios[:, place2.rows], s)
            for j, place2 in enumerate(places2)
        ]
    without = [m for m in matches if not np.isfinite(m.association.log_evidence)]
    return [*contested(matches, places1, places2), *without]


def _things(traverse: Traverse, submap: int) -> Ints:
    """Return the true objects of a submap."""
    truth = traverse.truth[traverse.objects.submaps[submap].rows]
    return np.unique(truth[truth >= 0])


def started(meeting: Meeting, settings: LocalizationSettings) -> Iterator[Start]:
    """Set the second robot down at each submap that 60 m of driving follow; it knows nothing from before."""
    relocalizer = Relocalizer(meeting.mapped.traverse.objects, settings)
    count = len(meeting.driven.live)
    for first in range(max(count - AHEAD + 1, 0)):
        yield follow(relocalizer, _seen_from(meeting, first))


def _seen_from(meeting: Meeting, first: int) -> Iterator[tuple[ObjectMap, Submap, Floats | None]]:
    driven, mapped = meeting.driven, meeting.mapped.traverse
    since_ns = driven.traverse.objects.submaps[first].stamp_ns
    for k in range(first, first + AHEAD):
        true = _expected(mapped, driven.traverse.T_world_submaps[k]) if meeting.related else None
        yield (*_since(driven.live[k], since_ns), true)


def _since(objects: ObjectMap, stamp_ns: int) -> tuple[ObjectMap, Submap]:
    """Return what a robot knows that was set down at an instant, and its latest submap."""
    known = objects.take(objects.last_seen_ns >= stamp_ns)
    submaps = tuple(s for s in known.submaps if s.stamp_ns >= stamp_ns)
    return replace(known, submaps=submaps), submaps[-1]


def _expected(mapped: Traverse, T_world: Floats) -> Floats:
    """Return where a true pose lies in a map that drifts: as seen from the nearest of its submaps."""
    far = np.linalg.norm(mapped.T_world_submaps[:, :3, 3] - T_world[:3, 3], axis=1)
    k = int(far.argmin())
    T_map_world = mapped.objects.submaps[k].T_map_submap @ inverse(mapped.T_world_submaps[k])
    return np.asarray(T_map_world @ T_world)


def rows(outcomes: Iterable[Outcome]) -> Iterator[dict[str, object]]:
    """Yield a row of the table for each way to look at things."""
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.views, []).append(one)
    for views, group in groups.items():
        pairs = [pair for one in group for pair in one.pairs]
        size = float(np.mean([one.kb_per_km for one in group]))
        yield {"views": views, **_pairs_row(pairs), **_starts_row(group), "KB per km": size}


def _pairs_row(pairs: list[Pair]) -> dict[str, object]:
    demanded = [pair for pair in pairs if pair.shared >= FEWEST]
    accepted = [pair for pair in pairs if pair.accepted]
    return {
        "pairs": len(pairs),
        "demanded": len(demanded),
        "5 m, 10°": _share([pair.near for pair in demanded]),
        "1 m, 5°": _share([pair.right for pair in demanded]),
        "accepted": len(accepted),
        "wrong": sum(not pair.near for pair in accepted),
    }


def _starts_row(group: list[Outcome]) -> dict[str, object]:
    starts = [start for one in group for start in one.starts]
    errors = [error for start in starts for error in start.errors_m]
    return {
        "starts": len(starts),
        "in 60 m": _share([start.meters is not None for start in starts]),
        "meters": until_localized(starts),
        "fixes": sum(start.localized for start in starts),
        "wrong fixes": sum(start.wrong for start in starts),
        "error m": median(errors),
        "NEES": mean([e for start in starts for e in start.nees]),
    }


def _share(hits: list[bool]) -> float | None:
    return float(np.mean(hits)) if hits else None
