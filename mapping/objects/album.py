"""The views of a room that are kept until all is seen, so that what is a thing follows from all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        """Forget all views."""
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

    # ---- checkpoints ----

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return all views as arrays and JSON values."""
        members = [m for page in self.pages for m in page.members]
        pages = [
            [p.stamp_ns, p.travel_m, *p.depth.shape, p.count, p.glanced, len(p.picture)]
            for p in self.pages
        ]
        values = {
            "pages": pages,
            "members": [[_values(m) for m in p.members] for p in self.pages],
            "step": self.step,
            "given": self.given,
        }
        return _page_arrays(self.pages) | _member_arrays(members), values

    def restore(self, arrays: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        """Continue from a checkpoint."""
        self.step, self.given = values["step"], values["given"]
        self.pages = []
        pixel = byte = row = point = 0
        for k, (stamp, travel, h, w, count, glanced, size) in enumerate(values["pages"]):
            members = []
            for number, track, n, area, depth, border, box in values["members"][k]:
                low, high = arrays["album_bounds"][row]
                part = slice(point, point + n)
                facts = {name: np.array(arrays[f"album_{name}"][part]) for name in _FACTS}
                sighting = Sighting(
                    segment=number, points=np.array(arrays["album_points"][part]), low=low,
                    high=high, area_px=area, depth_m=depth, border=border, **facts,
                )  # fmt: skip
                looks, labels = arrays["album_embeddings"][row], arrays["album_labels"][row]
                x0, y0, x1, y1 = box
                members.append(Member(sighting, track, looks, labels, (x0, y0, x1, y1)))
                row, point = row + 1, point + n
            pixels = slice(pixel, pixel + h * w)
            self.pages.append(
                Page(
                    stamp, travel, np.array(arrays["album_poses"][k]),
                    np.array(arrays["album_intrinsics"][k]),
                    np.array(arrays["album_depth"][pixels]).reshape(h, w),
                    np.array(arrays["album_masks"][pixels]).reshape(h, w), count, glanced,
                    np.asarray(arrays["album_pictures"][byte : byte + size], np.uint8).tobytes(),
                    members,
                )
            )  # fmt: skip
            pixel, byte = pixel + h * w, byte + size


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


def _page_arrays(pages: Sequence[Page]) -> dict[str, Any]:
    return {
        "album_depth": _joined([p.depth.ravel() for p in pages], np.float32),
        "album_masks": _joined([p.masks.ravel() for p in pages], np.int32),
        "album_pictures": np.frombuffer(b"".join(p.picture for p in pages), np.uint8),
        "album_poses": np.array([p.T_odom_cam for p in pages], float).reshape(-1, 4, 4),
        "album_intrinsics": np.array([p.intrinsics for p in pages]).reshape(-1, 4),
    }


def _member_arrays(members: Sequence[Member]) -> dict[str, Any]:
    sightings = [m.sighting for m in members]
    arrays = {
        "album_points": np.concatenate([np.empty((0, 3)), *(s.points for s in sightings)]),
        "album_bounds": np.array([(s.low, s.high) for s in sightings]).reshape(-1, 2, 3),
        "album_embeddings": _rows([m.embedding for m in members]),
        "album_labels": _rows([m.label_scores for m in members]),
    }
    for name in _FACTS:
        arrays[f"album_{name}"] = _joined([getattr(s, name) for s in sightings], np.float32)
    return arrays


def _values(m: Member) -> list[Any]:
    s = m.sighting
    return [s.segment, m.track, len(s.points), s.area_px, s.depth_m, s.border, list(m.box)]


def _joined(parts: Sequence[Any], kind: type) -> Any:
    return np.concatenate([np.empty(0, kind), *parts])


def _rows(vectors: Sequence[Floats32]) -> Any:
    return np.array(vectors, np.float32).reshape(len(vectors), len(vectors[0]) if vectors else 0)
