"""The views of a room that are kept until all is seen, so that what is a thing follows from all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from commonground.arrays import Floats, Floats32, Ints32
from commonground.frame import Frame
from commonground.mapping.objects.lifting import Sighting
from commonground.mapping.objects.settings import ClosingSettings
from commonground.mapping.perception.segments import FrameSegments

Box = tuple[int, int, int, int]
_FACTS = ("weights", "ranges", "open_share")


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """One mask of a view."""

    sighting: Sighting
    """With few of its points."""
    track: int
    """The track it was taken for when it was seen."""
    embedding: Floats32
    label_scores: Floats32
    box: Box
    """In the picture: left, top, right, bottom."""


@dataclass(frozen=True, slots=True, eq=False)
class Page:
    """One view: what is how far, under which mask, and a picture of it."""

    stamp_ns: int
    travel_m: float
    T_odom_cam: Floats
    intrinsics: Floats
    """(4,) of the reduced image."""
    depth: Floats32
    """(h, w) reduced."""
    masks: Ints32
    """(h, w) 1 … k, 0 is none, k + 1 a surface."""
    count: int
    """k"""
    glanced: bool
    """Whether looks are taken one by one."""
    picture: bytes
    """JPEG; empty where none can be made."""
    members: list[Member]


class Album:
    """Views spread evenly over the time, as many as settings allow."""

    KEPT = ("pages", "step", "given")

    def __init__(self, settings: ClosingSettings) -> None:
        self.settings = settings
        self.pages: list[Page] = []
        self.step = 1
        """Every how many views one is kept."""
        self.given = 0

    def add(
        self,
        frame: Frame,
        masks: Ints32,
        segments: FrameSegments,
        found: Mapping[int, tuple[Sighting, int]],
        travel_m: float,
    ) -> None:
        """Keep a view, if it is its turn; ``found`` is the sighting and the track of each segment."""
        self.given += 1
        if not self.settings.views or (self.given - 1) % self.step:
            return
        self.pages.append(self._page(frame, masks, segments, found, travel_m))
        if len(self.pages) > self.settings.views:
            self.pages = self.pages[::2]
            self.step *= 2

    def clear(self) -> None:
        self.pages, self.step, self.given = [], 1, 0

    def _page(
        self,
        frame: Frame,
        masks: Ints32,
        segments: FrameSegments,
        found: Mapping[int, tuple[Sighting, int]],
        travel_m: float,
    ) -> Page:
        by = max(1, round(frame.camera.width / self.settings.width_px))
        fx, fy, cx, cy = frame.camera.intrinsics
        K = np.array([fx, fy, cx - by // 2, cy - by // 2]) / by
        members = [
            Member(
                _thinned(sighting, self.settings.points),
                track,
                segments.embeddings[number - 1].copy(),
                segments.label_scores[number - 1].copy(),
                box,
            )
            for (number, (sighting, track)), box in zip(
                found.items(), _boxes(segments.masks, found), strict=True
            )
        ]
        return Page(
            stamp_ns=frame.stamp_ns,
            travel_m=travel_m,
            T_odom_cam=frame.T_odom_cam.copy(),
            intrinsics=K,
            depth=np.ascontiguousarray(frame.depth_m[by // 2 :: by, by // 2 :: by]),
            masks=np.ascontiguousarray(masks[by // 2 :: by, by // 2 :: by]),
            count=len(segments),
            glanced=segments.glance is not None,
            picture=_picture(frame) if members else b"",
            members=members,
        )


def picture_of(page: Page) -> Any:
    """Return the picture (h, w, 3) of a view, None where there is none."""
    if not page.picture:
        return None
    import cv2

    bgr = cv2.imdecode(np.frombuffer(page.picture, np.uint8), cv2.IMREAD_COLOR)
    return None if bgr is None else bgr[:, :, ::-1]


def _picture(frame: Frame) -> bytes:
    from commonground.mapping.objects.crops import can_encode

    if not can_encode():
        return b""
    import cv2

    done, data = cv2.imencode(".jpg", np.ascontiguousarray(frame.rgb[:, :, ::-1]))
    return bytes(data) if done else b""


def _thinned(sighting: Sighting, most: int) -> Sighting:
    step = max(1, -(-len(sighting.points) // most))
    return replace(
        sighting,
        points=np.ascontiguousarray(sighting.points[::step]),
        **{name: getattr(sighting, name)[::step].copy() for name in _FACTS},
    )


def _boxes(masks: Ints32, numbers: Mapping[int, Any]) -> list[Box]:
    from scipy import ndimage

    found = ndimage.find_objects(masks)
    out: list[Box] = []
    for number in numbers:
        y, x = found[number - 1]
        out.append((x.start, y.start, x.stop, y.stop))
    return out
