"""Tracks that are several things: a row of books, taken for one where it was first seen from far."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.mapping.objects.association import View
from commonground.mapping.objects.evidence import LEAST_VOXELS
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track

PART, WHOLE = 0.1, 0.6
"""A mask over less of a track says nothing; one over more is the track itself."""
INSIDE = 0.6
"""Share of a part that lies in the track."""


def judge_rows(
    views: Sequence[View], sightings: Sequence[Sighting], settings: ObjectSettings
) -> list[Track]:
    """Count for and against each track that it is several things; return those to be taken apart.

    Two masks or more that lie in it, none over most of it, speak for several; one over most of it for one.
    """
    limit = settings.evidence.several
    if limit is None:
        return []
    bound, out = settings.evidence.pair_bound, []
    for view in views:
        vote = _vote(view, sightings, settings)
        if vote:
            clarity = min(1.0, 2 * view.seen_share)
            view.track.several = min(max(view.track.several + vote * clarity, -bound), bound)
        if view.track.several >= limit:
            out.append(view.track)
    return out


def _vote(view: View, sightings: Sequence[Sighting], settings: ObjectSettings) -> float:
    if view.seen < LEAST_VOXELS:
        return 0.0
    masks = view.overlap[1:-1]
    if len(masks) and masks.max() >= WHOLE * view.seen:
        return -1.0
    cloud, parts = view.track.cloud, 0
    reach = min(cloud.voxel_m, 2 * settings.lifting.voxel_m)
    for sighting in sightings:
        if view.covered(sighting.segment) >= PART:
            parts += cloud.share_inside(sighting.points, reach) >= INSIDE
    return 1.0 if parts >= 2 else 0.0
