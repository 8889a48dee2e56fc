"""The random numbers that compiled loops draw."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from commonground.compiled import compiled

RandomState: TypeAlias = NDArray[np.uint64]
"""(1,) state of a kernel's generator; numba's own is one global of the thread."""


def random_state(rng: np.random.Generator) -> RandomState:
    """Return a fresh kernel generator seeded from ``rng``."""
    return rng.integers(0, 2**63, 1, dtype=np.uint64)


@compiled
def uniform(state: RandomState) -> float:
    """Advance the generator and return a number in [0, 1) (splitmix64; Steele, Lea, Flood 2014)."""
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return float(z >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def below(state: RandomState, count: int) -> int:
    """Advance the generator and return an integer in [0, count)."""
    return int(uniform(state) * count)
