"""Compiled histograms over a full turn, to which votes add that spread over their noise."""

from __future__ import annotations

import math

from commonground.arrays import Floats32
from commonground.compiled import compiled


@compiled(fastmath=True)
def vote(histograms: Floats32, row: int, first: int, last: int, weight: float) -> None:
    """Add weight to the bins first..last − 1 of one histogram's circle, as the steps of a running sum."""
    bins = histograms.shape[1] - 1
    if first < 0:
        histograms[row, first + bins] += weight
        histograms[row, bins] -= weight
        first = 0
    if last > bins:
        histograms[row, 0] += weight
        histograms[row, last - bins] -= weight
        last = bins
    histograms[row, first] += weight
    histograms[row, last] -= weight


@compiled(fastmath=True)
def span(angle: float, spread: float, bins: int) -> tuple[int, int]:
    """Return the first bin that an angle in [0, 2π] with its spread reaches, and that after the last.

    Those below zero and beyond the last of the circle are counted on.
    """
    per_radian = bins / (2.0 * math.pi)
    # conversion cuts towards zero, which is downwards for what is positive
    first = int((angle - spread) * per_radian + bins) - bins
    return first, int((angle + spread) * per_radian) + 1


@compiled(fastmath=True)
def accumulate(histograms: Floats32, row: int, bins: int) -> int:
    """Turn one histogram's steps into the histogram itself, in place; return its fullest bin."""
    best = 0
    for b in range(1, bins):
        histograms[row, b] += histograms[row, b - 1]
        if histograms[row, b] > histograms[row, best]:
            best = b
    return best
