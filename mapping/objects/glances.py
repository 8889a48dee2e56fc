"""Which sightings an encoder is shown, where it makes vectors only of what it is asked for.

To encode every segment of every frame takes longer than all the rest of mapping, and most views of a thing
say what others said before. So a thing is looked at a few times from each side, as masks err each time
otherwise, again once it is seen clearly larger, and so many times a second in all at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.frame import Frame
from commonground.mapping.objects.fusion import picture_worth, side_of
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import GlanceSettings
from commonground.mapping.objects.track import Track
from commonground.mapping.perception.segments import FrameSegments

A_SIDE = 3
"""So many views of each side of a thing are looked at."""

ALIKE = 0.7
"""A view that shows so much of what the best one did tells nearly as much."""
FULL_LOOK_PX = 3600.0
"""Pixels of a thing beyond which a look tells no more: encoders see it as small themselves."""


class Glances:
    """Spends so many looks a second on the sightings that tell most."""

    KEPT = ("left", "stamp_ns")

    def __init__(self, settings: GlanceSettings) -> None:
        self.settings = settings
        self.left = settings.a_second
        """How many looks may be taken now; what is not spent in a second is lost."""
        self.stamp_ns: int | None = None

    def looked(
        self, segments: FrameSegments, found: Sequence[tuple[Track, Sighting]], frame: Frame
    ) -> FrameSegments:
        """Return the segments with vectors of those that are worth a look, of known things alone.

        What was seen once may be a mask that is nothing.
        """
        if segments.glance is None:
            return segments
        self._wait(frame.stamp_ns)
        gains = []
        for track, sighting in found:
            side, worth = side_of(sighting, frame.T_odom_cam), picture_worth(sighting, 1.0)
            if self._tells(track, side, worth):
                gains.append((worth - track.glances[side], track, side, worth, sighting.segment))
        gains.sort(key=lambda g: (-g[0], g[1].number))
        gains = gains[: int(self.left)]
        if not gains:
            return segments
        self.left -= len(gains)
        for _, track, side, worth, _ in gains:
            track.glances[side] = max(worth, track.glances[side])
            track.glanced[side] += 1
        numbers = np.array([segment for *_, segment in gains])
        vectors = segments.embeddings.copy()
        vectors[numbers - 1] = segments.glance(numbers)
        return replace(segments, embeddings=vectors)

    def _tells(self, track: Track, side: int, worth: float) -> bool:
        """Return whether a view tells something new: clearly more, or nearly as much where few were seen."""
        best, rules = track.glances[side], self.settings
        few = track.glanced[side] < A_SIDE
        return bool(worth > rules.better * best or (few and worth >= ALIKE * best))

    def _wait(self, stamp_ns: int) -> None:
        if self.stamp_ns is not None:
            passed_s = max(0, stamp_ns - self.stamp_ns) / 1e9
            self.left = min(self.settings.a_second, self.left + passed_s * self.settings.a_second)
        self.stamp_ns = stamp_ns


def glance_weight(sighting: Sighting, purity: float) -> float:
    """Return how much a look adds to what a thing looks like: by how many pixels it shows of it."""
    return float(min(1.0, picture_worth(sighting, purity) ** 2 / FULL_LOOK_PX))
