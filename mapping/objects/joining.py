"""Merging of tracks that turn out to be one thing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from commonground.crops import best_crops
from commonground.mapping.objects._voxels import MISSES
from commonground.mapping.objects.evidence import Pairs, near_pairs
from commonground.mapping.objects.settings import ObjectSettings
from commonground.mapping.objects.track import Track

OVERLAP_JOIN = 0.6
"""Share of the smaller track inside the larger at which they are joined unless evidence is against it."""


def grown_together(
    tracks: Sequence[Track], pairs: Pairs, settings: ObjectSettings
) -> list[tuple[Track, Track]]:
    """Return pairs of tracks of which one lies mostly inside the other, and nothing is against a join."""
    found = []
    for a, b in near_pairs(tracks, 0.0):
        first, second = tracks[a], tracks[b]
        if pairs.of(first, second) > -0.5 * settings.evidence.join and contained(
            first, second, settings
        ):
            found.append((first, second))
    return found


def one_thing(a: Track, b: Track, pairs: Pairs, settings: ObjectSettings) -> bool:
    """Return whether two tracks are one thing: one mask over both again and again, or one inside the other.

    One mask over two things that were apart before may be either the first whole view or a merged mask;
    the next frame tells.
    """
    if a.motion.moving != b.motion.moving:
        return False
    score = pairs.of(a, b)
    if score >= settings.evidence.join:
        return _touching(a, b)
    return score > -0.5 * settings.evidence.join and contained(a, b, settings)


def contained(a: Track, b: Track, settings: ObjectSettings) -> bool:
    """Return whether the smaller of two tracks lies mostly inside the larger."""
    small, large = (a, b) if a.cloud.count <= b.cloud.count else (b, a)
    reach = min(large.cloud.voxel_m, 2 * settings.lifting.voxel_m)
    share = large.cloud.share_inside(small.cloud.points, reach)
    return share >= OVERLAP_JOIN


def _touching(a: Track, b: Track) -> bool:
    """Return whether some of one track's voxels lie right beside the other's."""
    small, large = (a, b) if a.cloud.count <= b.cloud.count else (b, a)
    reach = 3 * max(small.cloud.voxel_m, large.cloud.voxel_m)
    return large.cloud.share_inside(small.cloud.points, reach) > 0.02


def join(a: Track, b: Track, settings: ObjectSettings) -> tuple[Track, Track]:
    """Add the younger track to the older one; return (kept, gone)."""
    kept, gone = (a, b) if _rank(a) <= _rank(b) else (b, a)
    kept.cloud.insert(gone.cloud.points, gone.cloud.facts)
    kept.cloud.facts[:, MISSES] = 0.0  # votes cast while the other mask was taken for another thing
    kept.logit = max(kept.logit, gone.logit)
    kept.first_ns = min(kept.first_ns, gone.first_ns)
    kept.last_ns = max(kept.last_ns, gone.last_ns)
    kept.last_travel_m = max(kept.last_travel_m, gone.last_travel_m)
    kept.sightings = max(kept.sightings, gone.sightings)
    kept.change = max(kept.change, gone.change)
    kept.confirmed = kept.confirmed or gone.confirmed
    kept.views += gone.views
    kept.glances = np.maximum(kept.glances, gone.glances)
    kept.glanced += gone.glanced
    kept.eyes = np.where(np.isnan(kept.eyes), gone.eyes, kept.eyes)
    kept.label_logs += gone.label_logs
    kept.label_weight += gone.label_weight
    kept.embedding += gone.embedding
    kept.embedding_weight += gone.embedding_weight
    kept.crops = best_crops([*kept.crops, *gone.crops], settings.crops.most)
    kept.farthest_m = max(kept.farthest_m, gone.farthest_m)
    kept.spans = merged_spans([*kept.spans, *gone.spans])
    kept.history = sorted([*kept.history, *gone.history])[-settings.history_kept :]
    kept.touch()
    return kept, gone


def _rank(track: Track) -> tuple[bool, int, int]:
    return (not track.confirmed, -track.sightings, track.number)


def merged_spans(spans: Sequence[list[float]]) -> list[list[float]]:
    """Return stretches of travel with overlapping ones joined."""
    out: list[list[float]] = []
    for start, stop in sorted(spans):
        if out and start <= out[-1][1]:
            out[-1][1] = max(out[-1][1], stop)
        else:
            out.append([start, stop])
    return out
