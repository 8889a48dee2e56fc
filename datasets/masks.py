"""Segmentation errors put into true masks: split, merged, missed, with wandering borders, wrongly named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.arrays import Bools, Ints, Ints32
from commonground.datasets.labels import NUMBER, OBJECT_WORDS
from commonground.datasets.settings import MaskSettings
from commonground.frame import Frame

PIECE = 1 << 15
"""Added to an object's number for the cut-off piece of a split mask; 16-bit images still hold it."""
SMALLEST_SPLIT_PX = 200
WAVE_PX = 12
"""Distance over which mask borders wander alike."""

Window = tuple[slice, slice]


def degraded(frame: Frame, settings: MaskSettings, seed: int = 0) -> Frame:
    """Return the frame with spoiled instance and label images; the same frame and seed give the same.

    Works on any frame with instances, whether just rendered or read from a dataset.
    """
    if frame.instances is None or settings == MaskSettings():
        return frame
    name = f"{frame.robot}/{frame.camera.name}".encode()
    rng = np.random.default_rng([seed, 5, frame.stamp_ns, *name])
    instances, labels = degraded_masks(frame.instances, frame.labels, settings, rng)
    return replace(frame, instances=instances, labels=labels)


def degraded_masks(
    instances: Ints32, labels: Ints32 | None, settings: MaskSettings, rng: np.random.Generator
) -> tuple[Ints32, Ints32 | None]:
    """Return spoiled copies of instance and label images (h, w).

    A merged mask takes the number and class of the mask it adjoins; the piece of a split one gets its
    number plus ``PIECE``; a missed one becomes 0 in both images.
    """
    out = instances.copy()
    words = None if labels is None else labels.copy()
    seen, windows = _windows(out)
    fates = rng.random((len(seen), 4))
    for number, window, (miss, merge, split, rename) in zip(seen, windows, fates, strict=True):
        mask = instances[window] == number
        if miss < settings.missed:
            _paint(out, words, window, mask, 0, 0)
            continue
        if rename < settings.mislabeled and words is not None:
            wrong = NUMBER[str(rng.choice(OBJECT_WORDS))]
            words[window][mask] = wrong
        if merge < settings.merged:
            _merge(out, words, instances, window, int(number))
        elif split < settings.split and mask.sum() >= SMALLEST_SPLIT_PX:
            piece = mask & _half_plane(mask, rng)
            out[window][piece] = number + PIECE
    if settings.jitter_px > 0:
        out, words = _warped(out, words, settings.jitter_px, rng)
    return out, words


def _windows(instances: Ints32) -> tuple[Ints, list[Window]]:
    """Return the numbers in an image and the box around each."""
    from scipy.ndimage import find_objects

    found = find_objects(instances)
    kept = [(k + 1, window) for k, window in enumerate(found) if window is not None]
    return np.array([k for k, _ in kept], np.int64), [window for _, window in kept]


def _paint(
    out: Ints32, words: Ints32 | None, window: Window, mask: Bools, number: int, word: int
) -> None:
    out[window][mask] = number
    if words is not None:
        words[window][mask] = word


def _merge(
    out: Ints32, words: Ints32 | None, instances: Ints32, window: Window, number: int
) -> None:
    """Give a mask to the one it touches along the longest border, if it touches any."""
    from scipy.ndimage import binary_dilation

    rows, cols = (slice(max(0, s.start - 2), s.stop + 2) for s in window)
    around = instances[rows, cols]
    mask = around == number
    border = binary_dilation(mask, iterations=2) & ~mask & (around > 0)
    touched = np.bincount(around[border])
    if len(touched) == 0:
        return
    other = int(touched.argmax())
    word = 0 if words is None else int(np.bincount(words[rows, cols][around == other]).argmax())
    _paint(out, words, (rows, cols), mask, other, word)


def _half_plane(mask: Bools, rng: np.random.Generator) -> Bools:
    """Return one side of a random line through the middle of a mask."""
    y, x = np.nonzero(mask)
    angle = rng.uniform(0, np.pi)
    a, b = np.cos(angle), np.sin(angle)
    middle = a * x.mean() + b * y.mean()
    Y, X = np.indices(mask.shape)
    return np.asarray(a * X + b * Y > middle)


def _warped(
    instances: Ints32, labels: Ints32 | None, jitter_px: float, rng: np.random.Generator
) -> tuple[Ints32, Ints32 | None]:
    """Return the images looked up at places displaced by smooth noise, so that borders wander."""
    import cv2

    height, width = instances.shape
    coarse = (height // WAVE_PX + 2, width // WAVE_PX + 2)
    shift = [
        cv2.resize(
            rng.normal(0, jitter_px, coarse).astype(np.float32),
            (width, height),
            interpolation=cv2.INTER_CUBIC,
        )
        for _ in range(2)
    ]
    rows = np.clip(np.rint(np.arange(height, dtype=np.float32)[:, None] + shift[0]), 0, height - 1)
    cols = np.clip(np.rint(np.arange(width, dtype=np.float32)[None, :] + shift[1]), 0, width - 1)
    places = rows.astype(np.int64) * width + cols.astype(np.int64)
    warped = instances.ravel()[places]
    return warped, None if labels is None else labels.ravel()[places]
