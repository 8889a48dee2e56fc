"""Rows of one length, found by the values in any of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Relation(Generic[Value]):
    """Rows in the order in which they came, of which none goes; indices are made when they are asked for."""

    __slots__ = ("_indices", "rows")

    def __init__(self) -> None:
        self.rows: dict[tuple[Value, ...], None] = {}
        self._indices: dict[tuple[int, ...], dict[tuple[Value, ...], list[tuple[Value, ...]]]] = {}

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, row: tuple[Value, ...]) -> bool:
        """Add a row; return whether it is new."""
        if row in self.rows:
            return False
        self.rows[row] = None
        for columns, index in self._indices.items():
            index.setdefault(tuple([row[i] for i in columns]), []).append(row)
        return True

    def find(self, columns: tuple[int, ...], key: tuple[Value, ...]) -> Sequence[tuple[Value, ...]]:
        """Return the rows that have the key in some columns."""
        index = self._indices.get(columns)
        if index is None:
            index = self._indices[columns] = {}
            for row in self.rows:
                index.setdefault(tuple([row[i] for i in columns]), []).append(row)
        return index.get(key, ())


class Changing(Relation[Value]):
    """Rows of which some go again."""

    __slots__ = ()

    def discard(self, row: tuple[Value, ...]) -> bool:
        """Remove a row; return whether it was there."""
        if row not in self.rows:
            return False
        del self.rows[row]
        for columns, index in self._indices.items():
            index[tuple([row[i] for i in columns])].remove(row)
        return True
