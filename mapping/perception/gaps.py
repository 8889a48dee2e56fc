"""What is seen only through the gaps of nearer things, as a floor between the slats of a chair."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints32

NEARER_M, NEARER = 0.05, 0.03
"""What is so much nearer, or that share, hides what is behind it."""
WINDOW_PX = 7


def hidden_share(labels: Ints32, depth: Floats32) -> Floats:
    """Return for each segment (k + 1,) how much of its border is where something nearer cuts it off."""
    from scipy.ndimage import minimum_filter

    count = int(labels.max(initial=0)) + 1
    z = np.where(np.isfinite(depth), depth, np.float32(1e6))
    hidden = minimum_filter(z, WINDOW_PX) < z - np.maximum(NEARER_M, NEARER * z)
    border = _border(labels)
    whole = np.bincount(labels[border], minlength=count)
    cut = np.bincount(labels[border & hidden], minlength=count)
    return np.asarray(cut / np.maximum(whole, 1), float)


def _border(labels: Ints32) -> Bools:
    """Return the pixels that have a neighbor in another segment."""
    differ = np.zeros(labels.shape, bool)
    down, right = labels[1:] != labels[:-1], labels[:, 1:] != labels[:, :-1]
    differ[1:] |= down
    differ[:-1] |= down
    differ[:, 1:] |= right
    differ[:, :-1] |= right
    return differ
