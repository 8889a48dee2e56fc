"""Association problems with known answers: point sets with wrong pairs, scattered objects, campus submaps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.geometry import angle_between, apply, exp_so3, from_yaw, inverse, transform
from commonground.localization.evaluation.worlds import Perception, View, World, view

APART_M = 10.0
"""Two views of one place are at most so far apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A problem and its answer."""

    points1: Floats
    points2: Floats
    T_2_1: Floats
    pairs: Ints | None = None
    right: Bools | None = None
    """(m,) which pairs are right; for all to all, over i · n2 + j."""
    features1: Mapping[str, Any] | None = None
    features2: Mapping[str, Any] | None = None

    @property
    def shared(self) -> int:
        """How many objects both sides hold."""
        return 0 if self.right is None else int(self.right.sum())

    def error(self, T_2_1: Floats) -> tuple[float, float]:
        """Return the rotation error in degrees, and the translation error in meters at side 1's center."""
        center = self.points1.mean(axis=0)[None] if len(self.points1) else np.zeros((1, 3))
        miss = float(np.linalg.norm(apply(T_2_1, center) - apply(self.T_2_1, center)))
        return float(np.degrees(angle_between(self.T_2_1, T_2_1))), miss


def point_sets(rng: np.random.Generator, m: int, wrong: float, noise_m: float) -> Known:
    """Return points of a unit cube under any rigid motion, with m pairs of which a share is wrong."""
    right = round(m * (1 - wrong))
    n = max(m // 2, right)
    T = transform(exp_so3(_direction(rng) * rng.uniform(0, np.pi)), rng.uniform(-5, 5, 3))
    p1 = rng.uniform(0, 1, (n, 3))
    clutter = rng.uniform(0, 1, (max(m // 8, 10), 3))
    p2 = apply(T, np.vstack([p1, clutter]))
    i = np.concatenate([rng.permutation(n)[:right], rng.integers(n, size=m - right)])
    j = np.concatenate([i[:right], rng.integers(len(p2), size=m - right)])
    order = rng.permutation(m)
    pairs = np.stack([i, j], axis=1)[order]
    noisy1, noisy2 = (p + rng.normal(0, noise_m, p.shape) for p in (p1, p2))
    return Known(noisy1, noisy2, T, pairs, pairs[:, 0] == pairs[:, 1])


def _direction(rng: np.random.Generator) -> Floats:
    v = rng.normal(size=3)
    return np.asarray(v / np.linalg.norm(v))


def scattered_maps(
    rng: np.random.Generator,
    n: int,
    shared: int,
    *,
    noise_m: float = 0.15,
    radius_m: float = 15.0,
    upright: bool = True,
    classes: int = 8,
) -> Known:
    """Return two maps of n objects in a disc that share some: no structure, every object anywhere."""

    def disc(k: int) -> Floats:
        r, a = radius_m * np.sqrt(rng.random(k)), rng.uniform(-np.pi, np.pi, k)
        return np.stack([r * np.cos(a), r * np.sin(a), rng.uniform(0, 2.0, k)], axis=1)

    both = disc(shared)
    R = (
        from_yaw(rng.uniform(-np.pi, np.pi))
        if upright
        else exp_so3(_direction(rng) * rng.uniform(0, np.pi))
    )
    T = transform(R, rng.uniform(-5, 5, 3))
    p1 = np.vstack([both, disc(n - shared)]) + rng.normal(0, noise_m, (n, 3))
    p2 = apply(T, np.vstack([both, disc(n - shared)])) + rng.normal(0, noise_m, (n, 3))
    f1, f2 = _looks(rng, n, shared, classes)
    a, b = rng.permutation(n), rng.permutation(n)
    right = (a[:, None] == b[None, :]) & (a[:, None] < shared)
    return Known(
        p1[a],
        p2[b],
        T,
        None,
        right.ravel(),
        {k: v[a] for k, v in f1.items()},
        {k: v[b] for k, v in f2.items()},
    )


def _looks(
    rng: np.random.Generator, n: int, shared: int, classes: int, dim: int = 48
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    words, base = rng.normal(size=(classes, dim)), rng.normal(size=dim)
    kinds = rng.integers(classes, size=(2, n))
    single = rng.normal(size=(2, n, dim))
    shape = np.exp(rng.normal(0, 0.6, (2, n, 4)))
    for column in (kinds, single, shape):
        column[1, :shared] = column[0, :shared]
    out = []
    for s in range(2):
        embedding = base + words[kinds[s]] + 0.3 * single[s] + 0.5 * rng.normal(size=(n, dim))
        out.append(
            {"embedding": embedding, "shape": shape[s] * np.exp(rng.normal(0, 0.25, (n, 4)))}
        )
    return out[0], out[1]


def campus_pair(world: World, rng: np.random.Generator, *, turn_deg: float | None) -> Known:
    """Return two submaps of one world: nearby and turned by ``turn_deg``, or far apart if that is None."""
    seen = Perception()
    half = 0.4 * float(np.ptp(world.centers[:, 0]))
    x, y = rng.uniform(-half, half, 2)
    yaw = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.2)
    if turn_deg is None:
        while True:
            x2, y2 = rng.uniform(-half, half, 2)
            if np.hypot(x2 - x, y2 - y) > 40.0:
                break
        yaw2 = rng.choice(4) * np.pi / 2 + rng.normal(0, 0.2)
    else:
        r, a = APART_M * np.sqrt(rng.random()), rng.uniform(-np.pi, np.pi)
        x2, y2 = x + r * np.cos(a), y + r * np.sin(a)
        yaw2 = yaw + np.radians(turn_deg) + rng.normal(0, 0.2)
    one = view(world, (x, y, yaw), seen, rng)
    two = view(world.later(rng), (x2, y2, yaw2), seen, rng)
    return known_views(one, two)


def known_views(one: View, two: View) -> Known:
    """Return the problem of matching two submaps of one world."""
    right = (one.truth[:, None] == two.truth[None, :]) & (one.truth[:, None] >= 0)
    T_2_1 = inverse(two.T_world_view) @ one.T_world_view
    return Known(one.points, two.points, T_2_1, None, right.ravel(), one.features, two.features)
