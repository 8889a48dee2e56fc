"""Tracks that are no one thing: a row of books, taken for one when seen from far, or a piece of wall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from commonground.mapping.objects.association import View
from commonground.mapping.objects.evidence import LEAST_VOXELS, PAIR_BOUND
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track
from commonground.mapping.perception.segments import FrameSegments

PART, WHOLE = 0.1, 0.6
"""A mask over less of a track says nothing; one over more is the track itself."""
SEEN = 0.3
"""With less of a track in view, an image says nothing of the whole."""
STRUCTURE = 1.0
"""Net share, summed over images, at which a track is a part of the room."""
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
    bound, out = PAIR_BOUND, []
    for view in views:
        vote = _vote(view, sightings, settings)
        if vote:
            clarity = min(1.0, 2 * view.seen_share)
            view.track.several = min(max(view.track.several + vote * clarity, -bound), bound)
        if view.track.several >= limit:
            out.append(view.track)
    return out


def judge_structure(
    views: Sequence[View],
    owner: Mapping[int, int],
    segments: FrameSegments,
    settings: ObjectSettings,
) -> list[Track]:
    """Count for and against each track that it is a part of the room; return those to be begun anew.

    An image that shows a plane only in part cannot tell it from a thing's side. Others do, whether the track
    was found there or not. What color told from its surface is not judged: from farther it is surface.
    """
    limit = settings.evidence.most_structure
    if limit is None:
        return []
    out = []
    for i, view in enumerate(views):
        track, segment = view.track, owner.get(i)
        if segment is not None:
            track.flat += 1.0 if segments.is_flat(segment) else -1.0
        if view.seen < LEAST_VOXELS or view.seen_share < SEEN or track.flat > 0:
            continue
        share = float(view.overlap[-1]) / view.seen
        track.structure = max(track.structure + share - limit, -STRUCTURE)
        if track.structure >= STRUCTURE:
            out.append(track)
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
