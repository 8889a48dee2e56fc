"""Ground that no image named: where it goes on level with ground that has a class, it takes that class.

Perception may take the floor of a doorway for a part of the door, or of what stands on it. A hole there would
cut the map in two, though the surface goes on without a step, and often the robot drove over it.
"""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Ints, Ints32
from commonground.mapping.space.grid import neighbors, reached
from commonground.mapping.surface.blocks import NO_LABEL
from commonground.mapping.surface.ground import GroundMap

LEVEL_M = 0.04
"""Heights that differ by less are one surface; what is that low is driven over anyway."""


def level_kinds(ground: GroundMap, rows: Ints, kind: Ints32, drivable: Bools) -> Ints32:
    """Return the classes (n,) of cells, with those of the nearest ground where there was none.

    ``drivable`` (n,) tells which of the ``rows`` (n,) have a class that is ground. A cell without a class is
    ground too if it was driven over, or if it is as high as the nearest ground and level cells lead there.
    """
    from scipy.spatial import cKDTree

    c, nameless = ground.cells, kind == NO_LABEL
    if not nameless.any() or not drivable.any():
        return kind
    at = ground.positions(rows)
    _, nearest = cKDTree(at[drivable, :2]).query(at[nameless, :2])
    driven = nameless & c.traversed[rows]
    level = drivable | driven
    level[nameless] |= np.abs(at[nameless, 2] - at[drivable, 2][nearest]) < LEVEL_M
    usable = np.zeros(len(c), np.bool_)
    usable[rows[level]] = True
    found = neighbors(rows, 8, LEVEL_M, c.table, usable)
    index = np.full(len(c) + 1, -1, np.int32)
    index[rows] = np.arange(len(rows))
    ours = reached(index[found], np.flatnonzero(drivable | driven))
    out = kind.copy()
    out[nameless] = np.where(ours[nameless], kind[drivable][nearest], NO_LABEL)
    return out
