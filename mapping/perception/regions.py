"""What a segmenter says of an image, and the protocol that every one follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.frame import Frame


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """Masks of one image; they may overlap."""

    masks: Bools
    """(k, h, w)."""
    scores: Floats32
    """(k,) confidence in [0, 1]."""
    classes: Ints
    """(k,) rows of the segmenter's words; −1 where it has none."""

    @staticmethod
    def none(frame: Frame) -> Regions:
        empty = np.zeros((0, *frame.depth_m.shape), bool)
        return Regions(empty, np.zeros(0, np.float32), np.zeros(0, np.int64))

    def take(self, rows: Bools | Ints) -> Regions:
        """Return some of the masks."""
        return Regions(self.masks[rows], self.scores[rows], self.classes[rows])


class Segmenter(Protocol):
    """Finds masks in a frame."""

    @property
    def name(self) -> str:
        """The kind of network."""
        ...

    @property
    def device(self) -> str:
        """Where it computes."""
        ...

    @property
    def words(self) -> tuple[str, ...]:
        """Classes it tells apart; empty for one that finds everything and names nothing."""
        ...

    def regions(self, frame: Frame) -> Regions:
        """Return the masks in a frame."""
        ...


def without_repeats(regions: Regions, most_iou: float) -> Regions:
    """Return the masks without those that overlap a surer one by more than ``most_iou``."""
    order = np.argsort(-regions.scores, kind="stable")
    flat = regions.masks[order][:, ::4, ::4].reshape(len(order), -1).astype(np.float32)
    both = flat @ flat.T
    area = flat.sum(axis=1)
    iou = both / np.maximum(area[:, None] + area[None, :] - both, 1.0)
    kept: list[int] = []
    for i in range(len(order)):
        if area[i] and not (iou[i, kept] > most_iou).any():
            kept.append(i)
    return regions.take(order[kept])


def before_background(frame: Frame, boxes: Floats) -> Bools:
    """Return masks (k, h, w) of what is foremost in the middle of boxes (k, 4) left, top, right, bottom.

    A detector gives boxes; depth tells which of the pixels are the thing: those about as deep as the near
    part of what its middle shows, give or take half of the width it has there.
    """
    height, width = frame.depth_m.shape
    out = np.zeros((len(boxes), height, width), bool)
    for mask, box in zip(out, boxes, strict=True):
        x0, y0 = np.maximum(np.floor(box[:2]), 0).astype(int)
        x1, y1 = np.minimum(np.ceil(box[2:]), (width, height)).astype(int)
        dx, dy = (x1 - x0) // 4, (y1 - y0) // 4
        middle = frame.depth_m[y0 + dy : y1 - dy, x0 + dx : x1 - dx]
        seen = middle[np.isfinite(middle)]
        if len(seen) == 0:
            continue
        depth = float(np.percentile(seen, 30))
        reach = max(0.15, 0.5 * (x1 - x0) / frame.camera.K[0, 0] * depth)
        part = frame.depth_m[y0:y1, x0:x1]
        mask[y0:y1, x0:x1] = np.abs(part - depth) <= reach  # false without depth
    return out
