"""A robot's frames as they come, replayed at the pace of a clock, with what was late and what was dropped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from commonground.errors import CommongroundError
from commonground.frame import Frame
from commonground.live.team.waiting import Waiting
from commonground.mapping.checkpoint import Progress
from commonground.mapping.run import FrameSource

RECENT = 500
"""Frames whose delays are told of."""


class Stream:
    """Frames of a source at ``rate`` times the pace they were taken at; 0: each when the last is mapped."""

    def __init__(self, source: FrameSource, rate: float, most_waiting: int) -> None:
        self.source, self.rate, self.most = source, rate, most_waiting
        self.frames = 0
        self.dropped = 0
        """Of these, frames of which only the pose was used."""
        self.late: deque[float] = deque(maxlen=RECENT)
        """Seconds from when a frame came to when it was in the map."""
        self._began = time.monotonic()

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield all frames, or those after what was done before."""
        frames = self.source(done)
        return self._paced(frames) if self.rate else self._on_demand(frames)

    def _on_demand(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.frames += 1
            came = time.monotonic()
            yield frame
            self.late.append(time.monotonic() - came)

    def _paced(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        waiting = Waiting(self.most)
        threading.Thread(target=self._receive, args=(frames, waiting), daemon=True).start()
        for arrival in waiting:
            self.frames += 1
            yield arrival.frame
            self.dropped = waiting.dropped
            if arrival.images:
                self.late.append(time.monotonic() - arrival.at_s)
        self.dropped = waiting.dropped

    def _receive(self, frames: Iterator[Frame], waiting: Waiting) -> None:
        """Hand frames on when their time has come; a clock that stands still for this is not waited for."""
        begin, first_ns = 0.0, None
        try:
            for frame in frames:
                if first_ns is None:
                    begin, first_ns = time.monotonic(), frame.stamp_ns
                due = begin + (frame.stamp_ns - first_ns) / 1e9 / self.rate
                time.sleep(max(0.0, due - time.monotonic()))
                waiting.put(frame, due)
        except (CommongroundError, OSError) as error:
            waiting.end(error)
        else:
            waiting.end()

    def metrics(self) -> dict[str, Any]:
        """Return JSON values: frames, drops, delays, rate."""
        late = np.array(self.late) if self.late else np.zeros(1)
        return {
            "frames": self.frames,
            "dropped": self.dropped,
            "delay_s": round(float(np.median(late)), 3),
            "delay_95_s": round(float(np.quantile(late, 0.95)), 3),
            "rate_hz": round(self.frames / max(time.monotonic() - self._began, 1e-9), 2),
        }
