"""Recorded frames of one robot, from the start or from where an earlier process stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, runtime_checkable

from commonground.errors import DataError, did_you_mean
from commonground.frame import Frame
from commonground.mapping.checkpoint import Progress
from commonground.mapping.color_fit import ColorFit
from commonground.reporter import SILENT, Reporter

Span = tuple[float, float | None]
"""Seconds after the first frame: from where, and up to where if not to the end."""
WHOLE: Span = (0.0, None)


@runtime_checkable
class Recording(Protocol):
    """What mapping needs of a dataset; every reader of ``commonground.datasets`` is one."""

    def robots(self) -> tuple[str, ...]:
        """Return the names of the robots."""

    def labels(self) -> Mapping[int, str]:
        """Return class number → word of the label images."""

    def fingerprint(self, robot: str) -> str:
        """Return what tells a robot's recording from any other, and from itself before it was changed."""

    def first_ns(self, robot: str) -> int:
        """Return the stamp of the first image."""

    def length(self, robot: str) -> int:
        """Return how many frames there are, of all cameras."""

    def frames(
        self,
        robot: str,
        *,
        start_s: float = 0.0,
        stop_s: float | None = None,
        stride: int = 1,
        images: Callable[[], bool] | None = None,
    ) -> Iterator[Frame]:
        """Yield frames in time order."""


class Account(Protocol):
    """What a reader skipped, and why: that of ``commonground.datasets`` is one."""

    def begin(self) -> None:
        """Count from here on."""

    def summary(self) -> str:
        """Return a line, empty where nothing was skipped."""


class RecordedFrames:
    """Frames of one robot in time order; can begin after those taken before."""

    def __init__(
        self,
        recording: Recording,
        robot: str,
        span_s: Span = WHOLE,
        reporter: Reporter = SILENT,
        fits: Mapping[str, ColorFit] | None = None,
    ) -> None:
        self.recording, self.robot, self.reporter = recording, robot, reporter
        self.fits = fits or {}
        self.start_s, self.stop_s = span_s
        self.account: Account | None = getattr(recording, "health", None)
        """A recording of your own need not have one."""
        self.images: Callable[[], bool] | None = None
        """Asked before each frame: whether its images are read. None: always."""

    def __call__(self, done: Progress | None) -> Iterator[Frame]:
        """Yield all frames, or those after what was done before."""
        start_s, before = self.start_s, 0
        if self.account is not None:
            self.account.begin()
        if done is not None:
            first = self.recording.first_ns(self.robot)
            start_s = max(start_s, (done.stamp_ns - first) / 1e9 - 1e-3)
            before = done.frames
        frames = self.recording.frames(
            self.robot, start_s=start_s, stop_s=self.stop_s, images=self.images
        )
        total = max(0, self._expected() - before)
        tracked = self.reporter.track(frames, f"mapping {self.robot}", total=total)
        rest = tracked if done is None else _after(tracked, done)
        return map(self._registered, rest) if self.fits else rest

    def _expected(self) -> int:
        """Return about how many frames lie in the span, where the recording says how long it is."""
        count, whole_s = (
            self.recording.length(self.robot),
            getattr(self.recording, "duration_s", None),
        )
        if whole_s is None or (self.start_s, self.stop_s) == WHOLE:
            return count
        seconds: float = max(whole_s(self.robot), 1e-9)
        stop_s = seconds if self.stop_s is None else min(self.stop_s, seconds)
        return round(count * max(stop_s - self.start_s, 0.0) / seconds)

    def left_out(self) -> str:
        """Return what of the recording could not be read since the first frame was asked for, in a line."""
        return self.account.summary() if self.account is not None else ""

    def _registered(self, frame: Frame) -> Frame:
        """Return a frame with its color where its depth is."""
        fit = self.fits.get(frame.camera.name)
        return frame if fit is None else fit.applied(frame)


def _after(frames: Iterator[Frame], done: Progress) -> Iterator[Frame]:
    """Yield the frames that come after what was done; several cameras may share its last stamp."""
    seen = 0
    for frame in frames:
        seen += frame.stamp_ns == done.stamp_ns
        if frame.stamp_ns > done.stamp_ns or (
            frame.stamp_ns == done.stamp_ns and seen > done.at_stamp
        ):
            yield frame


def check_recording(recording: object) -> None:
    """Raise DataError for what is no recording, such as the path of one."""
    if not isinstance(recording, Recording):
        raise DataError(
            f"a recording is what a reader of commonground.datasets gives, such as open_dataset(path); "
            f"{type(recording).__name__} is none"
        )


def check_span(recording: Recording, robot: str, span_s: Span) -> None:
    """Raise DataError where the seconds asked for hold no frame of a recording."""
    start_s, stop_s = span_s
    if stop_s is not None and stop_s <= start_s:
        raise DataError(f"from {start_s:g} s up to {stop_s:g} s there is no time in between")
    if start_s > 0.0 and next(recording.frames(robot, start_s=start_s), None) is None:
        raise DataError(f"the recording of {robot} ends before {start_s:g} s, where it is to begin")


def chosen_robot(robots: tuple[str, ...], wanted: str | None) -> str:
    """Return the robot to map: the one asked for, or the only one."""
    if wanted is None and len(robots) == 1:
        return robots[0]
    if wanted not in robots:
        there = ", ".join(robots) or "none"
        if wanted is None:
            raise DataError(f"the data holds several robots; name one (robot, or --robot): {there}")
        raise DataError(
            f"the data holds no robot '{wanted}'; it has {there}.{did_you_mean(wanted, robots)}"
        )
    return wanted
