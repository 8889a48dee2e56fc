"""Pieces of a depth image: neighboring pixels on one surface, joined by union and find."""

from __future__ import annotations

from typing import NamedTuple

from commonground.arrays import Ints, Ints32
from commonground.compiled import compiled


class DepthNoise(NamedTuple):
    """How depth errs and grows from pixel to pixel of one surface."""

    near_m: float
    """Standard deviation close by."""
    growth: float
    """What the square of the distance adds to it."""
    slant: float
    """Share of the depth by which a slanted surface changes from one pixel to the next."""


class DepthSensor(NamedTuple):
    """Which depth is used, and how well it is known."""

    near_m: float
    far_m: float
    noise: DepthNoise


@compiled
def step_limit(z: float, noise: DepthNoise) -> float:
    """Return the step in depth between neighboring pixels that one surface may show."""
    return float(3 * (noise.near_m + noise.growth * z * z) + noise.slant * z)


@compiled
def root_of(parent: Ints | Ints32, n: int) -> int:
    """Return the first of those that n belongs to by now, shortening the path to it."""
    while parent[n] != n:
        parent[n] = parent[parent[n]]
        n = parent[n]
    return n


@compiled
def join(parent: Ints32, a: int, b: int) -> None:
    """Make the pieces of two pixels one."""
    root_a, root_b = root_of(parent, a), root_of(parent, b)
    parent[max(root_a, root_b)] = min(root_a, root_b)
