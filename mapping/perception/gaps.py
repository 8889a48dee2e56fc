"""What is seen only through the gaps of nearer things, as a floor between the slats of a chair."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints32

NEARER_M, NEARER = 0.05, 0.03
"""What is so much nearer, or that share, hides what is behind it."""
REACH_PX = 3


def hidden_share(labels: Ints32, depth: Floats32) -> Floats:
    """Return for each segment (k + 1,) how much of its border is where something nearer cuts it off."""
    count = int(labels.max(initial=0)) + 1
    z = np.where(np.isfinite(depth), depth, np.float32(1e6))
    least = z - np.maximum(NEARER_M, NEARER * z)
    hidden = np.zeros(labels.shape, bool)
    for step in range(1, REACH_PX + 1):
        for axis in (0, 1):
            here, there = _shifted(axis, step)
            for a, b in ((here, there), (there, here)):
                # a mask that spills over its edge is not hidden by itself
                hidden[a] |= (labels[a] != labels[b]) & (z[b] < least[a])
    border = _border(labels)
    whole = np.bincount(labels[border], minlength=count)
    cut = np.bincount(labels[border & hidden], minlength=count)
    return np.asarray(cut / np.maximum(whole, 1), float)


def _shifted(axis: int, step: int) -> tuple[tuple[slice, ...], tuple[slice, ...]]:
    """Return slices of an image and of what lies so many pixels on along an axis."""
    full, low, high = slice(None), slice(None, -step), slice(step, None)
    return ((low, full), (high, full)) if axis == 0 else ((full, low), (full, high))


def _border(labels: Ints32) -> Bools:
    """Return the pixels that have a neighbor in another segment."""
    differ = np.zeros(labels.shape, bool)
    down, right = labels[1:] != labels[:-1], labels[:, 1:] != labels[:, :-1]
    differ[1:] |= down
    differ[:-1] |= down
    differ[:, 1:] |= right
    differ[:, :-1] |= right
    return differ
