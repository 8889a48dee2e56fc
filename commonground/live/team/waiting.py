"""Images that wait to be mapped: a bounded line in which the images that tell least give way.

Poses are never dropped. What an image would tell is measured by how far its camera moved and turned since
the one before it: a robot that stands loses images before one that drives.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from commonground.frame import Frame
from commonground.geometry import angle_between

METERS_PER_RADIAN = 2.0
"""Turning by a radian shows as much that is new as moving so far."""


@dataclass(slots=True)
class Arrival:
    """A frame, and when it came by the clock of this machine."""

    frame: Frame
    at_s: float
    images: bool = True
    """Whether its images are still with it."""


class Timed(NamedTuple):
    """What mapping a frame took."""

    stamp_ns: int
    took_s: float
    """Processor time."""
    late_s: float
    """From when it came to when it was in the map; NaN where that tells nothing."""
    dropped: bool
    """Whether only its pose was used."""


class Waiting:
    """A line between the thread that receives frames and the one that maps them."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.dropped = 0
        """Frames that lost their images so far."""
        self._line: deque[Arrival] = deque()
        self._changed = threading.Condition()
        self._ended = False
        self._error: Exception | None = None

    def put(self, frame: Frame, at_s: float, *, images: bool = True) -> None:
        """Take a frame; too many images waiting, the one that tells least is dropped."""
        with self._changed:
            self._line.append(Arrival(frame, at_s, images))
            with_images = [a for a in self._line if a.images]
            if len(with_images) > self.most:
                _strip(_least_telling(with_images))
                self.dropped += 1
            self._changed.notify()

    def end(self, error: Exception | None = None) -> None:
        """Say that nothing comes any more, or why it does not."""
        with self._changed:
            self._ended, self._error = True, error
            self._changed.notify()

    def take(self, timeout_s: float | None = None) -> Arrival | None:
        """Return what came first; None at the end, or if nothing comes for so long.

        The error that ended it is raised when nothing is left.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._line or self._ended, timeout_s)
            if self._line:
                return self._line.popleft()
            if self._error is not None:
                raise self._error
            return None

    def __iter__(self) -> Iterator[Arrival]:
        """Yield what came, in its order, until the end; the error that ended it is raised then."""
        while (arrival := self.take()) is not None:
            yield arrival


def _least_telling(arrivals: list[Arrival]) -> Arrival:
    """Return the arrival, but for the first of each camera, that is nearest to its predecessor's view."""
    last: dict[str, Frame] = {}
    best, least = arrivals[-1], np.inf
    for arrival in arrivals:
        frame = arrival.frame
        before = last.get(frame.camera.name)
        if before is not None and (told := _told(before, frame)) < least:
            best, least = arrival, told
        last[frame.camera.name] = frame
    return best


def _told(before: Frame, frame: Frame) -> float:
    moved = np.linalg.norm(frame.T_odom_cam[:3, 3] - before.T_odom_cam[:3, 3])
    turned = angle_between(frame.T_odom_cam, before.T_odom_cam)
    return float(moved + METERS_PER_RADIAN * turned)


def _strip(arrival: Arrival) -> None:
    """Take the images from a frame."""
    arrival.images = False
    arrival.frame = arrival.frame.without_images()
