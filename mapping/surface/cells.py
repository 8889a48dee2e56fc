"""A table of ground cells: rows of columns, found by their place in the plan through an open hash.

Several rows may share a place: the levels of a bridge and the road below. They form a chain.
"""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonground.arrays import Bools, Floats32, Ints, Ints32
from commonground.compiled import compiled
from commonground.mapping.packing import Column, ColumnStore

_COLUMNS: dict[str, Column] = {
    "place": (np.int32, (2,), 0),
    "next": (np.int32, (), -1),
    "height": (np.float32, (), 0),
    "weight": (np.float32, (), 0),
    "label": (np.int16, (), -1),
    "open": (np.uint8, (), 15),
    "live": (np.bool_, (), False),
    "traversed": (np.bool_, (), False),
    "first_seen_ns": (np.int64, (), 0),
    "last_seen_ns": (np.int64, (), 0),
    "patch": (np.int32, (), -1),
}


class CellTable(NamedTuple):
    """The arrays of ``Cells`` that compiled loops read and write."""

    heads: Ints32
    place: Ints32
    next: Ints32
    height: Floats32
    weight: Floats32
    label: NDArray[np.int16]
    open: NDArray[np.uint8]
    live: Bools
    traversed: Bools
    first_seen_ns: Ints
    last_seen_ns: Ints


class Cells(ColumnStore):
    """Columns of ground cells and the hash that finds them; a row of weight 0 is void."""

    COLUMNS: ClassVar = _COLUMNS

    place: Ints32
    """(n, 2) cell coordinates in the plan."""
    next: Ints32
    """(n,) the next row at the same place, −1 at the end of the chain."""
    height: Floats32
    """(n,) meters."""
    weight: Floats32
    label: NDArray[np.int16]
    open: NDArray[np.uint8]
    """(n,) which quarters of the cell are ground: bit 2a + b, a for the half at larger x, b at larger y."""
    live: Bools
    """(n,) still measured; otherwise it is final."""
    traversed: Bools
    """(n,) the robot drove over it."""
    first_seen_ns: Ints
    last_seen_ns: Ints
    patch: Ints32
    """(n,) number of the surface place it belongs to, −1 for none."""

    def __init__(self) -> None:
        self.count = 0
        self.heads = np.full(1 << 12, -1, np.int32)
        self.grow(1 << 11)

    def __len__(self) -> int:
        return self.count

    @property
    def table(self) -> CellTable:
        """The arrays as they are now; making room may replace them."""
        return CellTable(*(getattr(self, name) for name in CellTable._fields))

    def reserve(self, more: int) -> None:
        """Make room for ``more`` rows, keeping the hash at most half full."""
        need = self.count + more
        if need > len(self.height):
            self.grow(max(2 * len(self.height), need))
        if 2 * need > len(self.heads):
            size = 1 << int(np.ceil(np.log2(4 * need)))
            self.heads = rehash(self.place, self.next, self.count, size)

    def append(self, place: Ints32, **columns: Any) -> None:
        """Add a row at each of several places (n, 2), all different, where there is none yet."""
        self.reserve(len(place))
        rows = slice(self.count, self.count + len(place))
        self.place[rows] = place
        for name, values in columns.items():
            getattr(self, name)[rows] = values
        link(self.heads, self.place, rows.start, rows.stop)
        self.count = rows.stop

    def heads_at(self, places: Ints32) -> Ints32:
        """Return the first row (n,) at each place (n, 2); −1 for none."""
        return find_heads(self.heads, self.place, np.ascontiguousarray(places, np.int32))

    def state(self) -> dict[str, Any]:
        """Return the arrays of a checkpoint."""
        return self.rows(slice(self.count))

    def restore(self, arrays: dict[str, Any]) -> None:
        self.count = 0
        self.reserve(len(arrays["height"]))
        self.count = len(arrays["height"])
        self.put(slice(self.count), arrays)
        self.heads = rehash(self.place, self.next, self.count, len(self.heads))


@compiled
def bucket(heads: Ints32, place: Ints32, x: int, y: int) -> int:
    """Return the bucket of a place: the one that holds it, or the empty one where it would go."""
    mask = len(heads) - 1
    h = (x * 73856093) ^ (y * 19349663)
    h = (h ^ (h >> 15)) & mask
    while heads[h] >= 0 and (place[heads[h], 0] != x or place[heads[h], 1] != y):
        h = (h + 1) & mask
    return int(h)


@compiled
def head_at(cells: CellTable, x: int, y: int) -> int:
    """Return the first row at a place; −1 for none."""
    return int(cells.heads[bucket(cells.heads, cells.place, x, y)])


@compiled
def find_heads(heads: Ints32, place: Ints32, wanted: Ints32) -> Ints32:
    """Return the first row (n,) at each wanted place (n, 2); −1 for none."""
    out = np.empty(len(wanted), np.int32)
    for i in range(len(wanted)):
        out[i] = heads[bucket(heads, place, wanted[i, 0], wanted[i, 1])]
    return out


@compiled
def link(heads: Ints32, place: Ints32, start: int, stop: int) -> None:
    """Make rows the first at their places."""
    for row in range(start, stop):
        heads[bucket(heads, place, place[row, 0], place[row, 1])] = row


@compiled
def rehash(place: Ints32, chain: Ints32, count: int, size: int) -> Ints32:
    """Return buckets holding the first row of each chain."""
    follows = np.zeros(count, np.bool_)
    for row in range(count):
        if chain[row] >= 0:
            follows[chain[row]] = True
    heads = np.full(size, -1, np.int32)
    for row in range(count):
        if not follows[row]:
            heads[bucket(heads, place, place[row, 0], place[row, 1])] = row
    return heads
