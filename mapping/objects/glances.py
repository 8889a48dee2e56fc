"""Which sightings an encoder is shown, where it makes vectors only of what it is asked for.

To encode every segment of every frame takes longer than all the rest of mapping, and most views of a thing
say what others said before. So a thing is looked at from each side, again from that side once it is seen
clearly larger, and so many times a second at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from commonground.frame import Frame
from commonground.mapping.objects.fusion import FULL_VIEW_PX, picture_worth, side_of
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import GlanceSettings
from commonground.mapping.objects.track import Track
from commonground.mapping.perception.segments import FrameSegments


class Glances:
    """Spends so many looks a second on the sightings that tell most."""

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
            if worth > self.settings.better * track.glances[side]:
                gains.append((worth - track.glances[side], track, side, worth, sighting.segment))
        gains.sort(key=lambda g: (-g[0], g[1].number))
        gains = gains[: int(self.left)]
        if not gains:
            return segments
        self.left -= len(gains)
        for _, track, side, worth, _ in gains:
            track.glances[side] = worth
        numbers = np.array([segment for *_, segment in gains])
        vectors = segments.embeddings.copy()
        vectors[numbers - 1] = segments.glance(numbers)
        return replace(segments, embeddings=vectors)

    def _wait(self, stamp_ns: int) -> None:
        if self.stamp_ns is not None:
            passed_s = max(0, stamp_ns - self.stamp_ns) / 1e9
            self.left = min(self.settings.a_second, self.left + passed_s * self.settings.a_second)
        self.stamp_ns = stamp_ns


def glance_weight(sighting: Sighting, purity: float) -> float:
    """Return how much a look adds to what a thing looks like: each that is taken tells something new."""
    return float(min(1.0, picture_worth(sighting, purity) / FULL_VIEW_PX**0.5))
