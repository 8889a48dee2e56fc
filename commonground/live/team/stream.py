"""A robot's frames as they come, replayed at the pace of a clock, with what was late and what was dropped."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from commonground.errors import CommongroundError
from commonground.frame import Frame
from commonground.live.team.waiting import Arrival, Timed, Waiting
from commonground.mapping.checkpoint import Progress
from commonground.mapping.run import FrameSource
from commonground.mapping.source import RecordedFrames

RECENT = 500
"""Frames whose delays are told of."""
TIMED = 100_000
"""Frames whose processor times are kept."""
LONGEST_GAP_S = 10.0
"""A stream that was silent for longer goes on as a stretch of its own; a replay does not wait that long."""
LEAST_CONTRAST = 1.5
"""Standard deviation of values from 0 to 255; the noise of a covered camera is less."""
BEHIND_S = 0.5
"""A replay whose reading is so far behind its clock reads no more images until it has caught up."""
BACK_S = 1.0
"""Frames that much older than those before say that the clock was set back; others are only late."""


Came: TypeAlias = tuple[Frame, float, bool]
"""A frame, when it came, and whether its images were read."""


def continued(frames: Iterator[Frame], newest_ns: int | None = None) -> Iterator[Frame]:
    """Yield frames with stamps that rise: where a clock was set back, the stream goes on after a gap."""
    shift_ns = 0
    for frame in frames:
        stamp_ns = frame.stamp_ns + shift_ns
        if newest_ns is not None and stamp_ns < newest_ns - BACK_S * 1e9:
            begin_ns = newest_ns + int(1.1e9 * LONGEST_GAP_S)
            shift_ns, stamp_ns = shift_ns + begin_ns - stamp_ns, begin_ns
        newest_ns = stamp_ns if newest_ns is None else max(newest_ns, stamp_ns)
        yield replace(frame, stamp_ns=stamp_ns) if shift_ns else frame


def shows_nothing(frame: Frame) -> bool:
    """Return whether an image is black, white or of one color all over, or has no depth."""
    some = frame.rgb[::8, ::8].reshape(-1, 3)
    plain = bool(len(some) > 1 and some.std(axis=0).max() < LEAST_CONTRAST)
    return plain or not np.isfinite(frame.depth_m[::4, ::4]).any()


class Stream:
    """Frames of a source at ``rate`` times the pace they were taken at; 0: each when the last is mapped.

    Without a rate they come when they come.
    """

    def __init__(self, source: FrameSource, rate: float | None, most_waiting: int) -> None:
        self.source, self.rate, self.most = source, rate, most_waiting
        self._behind = False
        """Whether frames are read later than they are due."""
        if rate and isinstance(source, RecordedFrames):
            source.images = lambda: not self._behind
        self.frames = 0
        """All so far, those taken before this process began among them."""
        self.dropped = self.dropped_before = 0
        """Of these, frames of which only the pose was used; and how many of them before."""
        self.late: deque[float] = deque(maxlen=RECENT)
        """Seconds from when a frame came to when it was in the map."""
        self.blank = 0
        """Images in a row, up to the last, that show nothing."""
        self._mapped: deque[float] = deque(maxlen=RECENT)
        """When frames were in the map."""
        self.timed: deque[Timed] = deque(maxlen=TIMED)
        """What was done for each frame."""
        self._began: tuple[int, float] | None = None
        """How many frames were in the map when counting began, and the processor time used up to then."""

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield all frames, or those after what was done before."""
        self.frames = 0 if done is None else done.frames
        self.dropped = self.dropped_before if done else 0
        frames = continued(self.source(done), None if done is None else done.stamp_ns)
        return self._on_demand(frames) if self.rate == 0 else self._paced(frames)

    def _on_demand(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.frames += 1
            yield from self._given(Arrival(frame, time.monotonic()))

    def _paced(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        """Yield frames as they come. The clock of a replay runs from when its first frame has been mapped."""
        waiting = Waiting(self.most)
        if self.rate:
            for first in frames:
                self.frames += 1
                yield from self._given(Arrival(first, time.monotonic()), counts=False)
                break
            else:
                return
            self._receive(self._due(frames, first.stamp_ns), waiting)
        else:
            self._receive(_now(frames), waiting)
        for arrival in waiting:
            self.frames += 1
            # what came while inner loops were compiled for the first one had to wait for that
            counts = bool(self.rate) or len(self.timed) >= self.most
            self.dropped += not arrival.images
            yield from self._given(arrival, counts=counts)

    def _receive(self, frames: Iterator[Came], waiting: Waiting) -> None:
        """Let a thread put frames into a line as they come."""
        threading.Thread(target=_received, args=(frames, waiting), daemon=True).start()

    def _given(self, arrival: Arrival, *, counts: bool = True) -> Iterator[Frame]:
        """Yield a frame, and note what it took when the next one is asked for: it is in the map then."""
        if arrival.images:
            self.blank = self.blank + 1 if shows_nothing(arrival.frame) else 0
        begin = time.process_time()
        yield arrival.frame
        now, used = time.monotonic(), time.process_time()
        late = now - arrival.at_s if arrival.images and counts else np.nan
        self.timed.append(
            Timed(arrival.frame.stamp_ns, used - begin, late, dropped=not arrival.images)
        )
        self._began = self._began or (self.frames, used)
        self._mapped.append(now)
        if not np.isnan(late):
            self.late.append(late)

    def _due(self, frames: Iterator[Frame], first_ns: int) -> Iterator[Came]:
        """Yield frames when their time has come, counted from now, and when that was."""
        rate = self.rate or 1.0
        begin = time.monotonic() - first_ns / 1e9 / rate
        for frame in frames:
            due = begin + frame.stamp_ns / 1e9 / rate
            wait_s = due - time.monotonic()
            if wait_s > LONGEST_GAP_S:
                begin, due, wait_s = begin - wait_s, due - wait_s, 0.0
            time.sleep(max(0.0, wait_s))
            read, self._behind = not self._behind, wait_s < -BEHIND_S
            yield frame, due, read

    def _cpu_s(self) -> float:
        """Return the processor time that each frame took, of all that this process does."""
        frames, used_s = self._began or (0, 0.0)
        more = self.frames - frames
        return round((time.process_time() - used_s) / more, 4) if more else 0.0

    def metrics(self) -> dict[str, Any]:
        """Return JSON values: frames, drops, delays (nothing before they are known), rate."""
        late = np.array(self.late)
        took_s = self._mapped[-1] - self._mapped[0] if self._mapped else 0.0
        return {
            "frames": self.frames,
            "dropped": self.dropped,
            "delay_s": round(float(np.median(late)), 3) if self.late else None,
            "delay_95_s": round(float(np.quantile(late, 0.95)), 3) if self.late else None,
            "cpu_s_per_frame": self._cpu_s(),
            "rate_hz": round((len(self._mapped) - 1) / took_s, 2) if took_s else 0.0,
        }


def _now(frames: Iterator[Frame]) -> Iterator[Came]:
    return ((frame, time.monotonic(), True) for frame in frames)


def _received(frames: Iterator[Came], waiting: Waiting) -> None:
    """Put frames into a line as they come."""
    try:
        for frame, at_s, images in frames:
            waiting.put(frame, at_s, images=images)
    except (CommongroundError, OSError) as error:
        waiting.end(error)
    else:
        waiting.end()
