"""Simulated campus with a building in its middle that robots drive through; walls hide what is inside."""

from __future__ import annotations

import numpy as np

from commonground.localization.evaluation.worlds import Spot, World, campus_spots, world_of

SHARE = 0.75
"""Of the way from the middle to the streets around, how far the building reaches."""
HALF_WIDTH_M = 1.4
"""Of a corridor, up to what stands along its walls."""
EVERY_M = 3.6
"""From door to door."""
LOBBY_M = 4.0


def hybrid(rng: np.random.Generator, extent_m: float = 160.0) -> World:
    """Return a campus whose middle block holds a building with two corridors that cross in a lobby."""
    half = SHARE * extent_m / 5
    spots = [s for s in campus_spots(rng, extent_m) if max(abs(s[0]), abs(s[1])) > half]
    panes = np.arange(-half + 2.0, half - 1.0, 4.0)
    for wall in (-half - 0.2, half + 0.2):
        spots += [(float(s), wall, 1.0, "window") for s in panes if abs(s) > 2.0]
        spots += [(wall, float(s), 1.0, "window") for s in panes if abs(s) > 2.0]
    for turned in (False, True):
        spots += [
            (y, x, z, name) if turned else (x, y, z, name) for x, y, z, name in _corridor(rng, half)
        ]
    for name in ("bench", "bench", "bush", "bush", "statue", "sign", "bin"):
        x, y = rng.uniform(0.4, 0.9, 2) * LOBBY_M * rng.choice([-1, 1], 2)
        spots.append((float(x), float(y), 0.0, name))
    return world_of(rng, spots, [(-half, -half, half, half)])


def _corridor(rng: np.random.Generator, half: float) -> list[Spot]:
    """Return doors at equal spacing on both sides of a corridor along x, and odd things between."""
    spots: list[Spot] = []
    odd = ("bin", "rack", "bench", "sign", "bush", "bike")
    for x in np.arange(-half + 1.8, half - 1.0, EVERY_M):
        if abs(x) < LOBBY_M + 0.5:
            continue
        for side in (-HALF_WIDTH_M, HALF_WIDTH_M):
            spots.append((float(x), side, 0.0, "door"))
            if rng.random() < 0.6:
                between = float(x + rng.uniform(0.8, EVERY_M - 0.8))
                spots.append((between, 0.8 * side, 0.0, str(rng.choice(odd))))
    return spots
