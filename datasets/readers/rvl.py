"""Depth packed as RVL: A. D. Wilson, "Fast lossless depth image compression", 2017."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Ints
from commonground.errors import DataError

LONGEST = 11
"""Groups of a number; more would not fit 32 bits."""


def unpack_rvl(words: NDArray[np.uint32], count: int) -> NDArray[np.uint16]:
    """Return ``count`` depths: a run of zeros, then a run of differences, again and again.

    DataError if the code ends too early or says more than there is room for.
    """
    numbers = _numbers(words)
    out = np.zeros(count, np.uint16)
    at, k, previous = 0, 0, 0
    while at < count:
        if k >= len(numbers):
            raise DataError("the image's RVL code breaks off")
        at += int(numbers[k])
        run = int(numbers[k + 1]) if k + 1 < len(numbers) else 0
        coded = numbers[k + 2 : k + 2 + run]
        if at + run > count or len(coded) < run:
            raise DataError("the image's RVL code is damaged")
        steps = (coded >> 1) ^ -(coded & 1)
        values = previous + np.cumsum(steps)
        out[at : at + run] = (values & 0xFFFF).astype(np.uint16)
        previous = int(values[-1]) if run else previous
        at, k = at + run, k + 2 + run
    return out


def _numbers(words: NDArray[np.uint32]) -> Ints:
    """Return the numbers of a code: groups of four bits, three of value, the lowest first, one for more."""
    groups = (
        (words[:, None] >> np.arange(28, -1, -4, dtype=np.uint32) & 15).ravel().astype(np.int64)
    )
    ends = np.flatnonzero(groups < 8)
    if len(ends) == 0:
        return np.empty(0, np.int64)
    groups = groups[: ends[-1] + 1]
    starts = np.concatenate([[0], ends[:-1] + 1])
    place = np.arange(len(groups)) - np.repeat(starts, ends - starts + 1)
    if place.max() >= LONGEST:
        raise DataError("the image's RVL code is damaged")
    return np.asarray(np.add.reduceat((groups & 7) << (3 * place), starts), np.int64)
