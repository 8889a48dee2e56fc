"""State as arrays and JSON values, and back: what checkpoints hold, with nothing pickled.

A list of things of one kind becomes a column for each of their fields, so that a thousand tracks are a few
dozen arrays. A class names in ``KEPT`` what of it is kept; all of a dataclass is that stands in a list.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

Column = tuple[Any, tuple[int, ...], Any]
"""Kind of the values, shape of one row, and what a row holds before anything is written to it."""
NUMBERS: Mapping[type, type] = {bool: np.bool_, int: np.int64, float: np.float64}


def kept_of(thing: Any) -> dict[str, Any]:
    """Return what a thing names in ``KEPT``, that of its parts as well."""
    values = {name: getattr(thing, name) for name in thing.KEPT}
    return {k: kept_of(v) if hasattr(v, "KEPT") else v for k, v in values.items()}


def restore(thing: Any, kept: Mapping[str, Any]) -> None:
    """Give back to a thing what ``kept_of`` returned, all of it and nothing else."""
    for name in thing.KEPT:
        value, now = kept[name], getattr(thing, name)
        if hasattr(now, "KEPT"):
            restore(now, value)
        elif isinstance(now, dict):
            now.clear()
            now.update(value)
        elif isinstance(now, deque):
            now.clear()
            now.extend(value)
        else:
            setattr(thing, name, value)


class ColumnStore:
    """Arrays that grow together: attributes by the names of ``COLUMNS``, with a row for each thing."""

    COLUMNS: ClassVar[Mapping[str, Column]]

    def grow(self, rows: int) -> None:
        """Make room for so many rows; where there is room, the arrays stay what they were."""
        for name, (dtype, shape, fill) in self.COLUMNS.items():
            old = getattr(self, name, None)
            if old is None or len(old) < rows:
                kept = np.empty((0, *shape), dtype) if old is None else old
                more = np.full((rows - len(kept), *shape), fill, dtype)
                setattr(self, name, np.concatenate([kept, more]))

    def rows(self, which: Any) -> dict[str, Any]:
        """Return some rows of each column, for a checkpoint."""
        return {name: getattr(self, name)[which] for name in self.COLUMNS}

    def put(self, which: Any, arrays: Mapping[str, Any]) -> None:
        """Take over what ``rows`` returned."""
        for name in self.COLUMNS:
            getattr(self, name)[which] = arrays[name]


def packed(value: Any) -> tuple[dict[str, Any], Any]:
    """Return a value as arrays by name and a JSON value that tells what of it they are."""
    packer = _Packer()
    tree = packer.one(value)
    return packer.arrays, tree


def unpacked(arrays: Mapping[str, Any], tree: Any, kinds: Sequence[type]) -> Any:
    """Return the value that was packed; things are made of these ``kinds`` alone."""
    return _Unpacker(arrays, {kind.__name__: kind for kind in kinds}).one(tree)


def _fields(kind: type) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else kind.FIELDS  # type: ignore[attr-defined]


class _Packer:
    def __init__(self) -> None:
        self.arrays: dict[str, Any] = {}

    def _keep(self, array: Any) -> str:
        name = str(len(self.arrays))
        self.arrays[name] = array
        return name

    def one(self, value: Any) -> Any:
        """Return a JSON value: as it is, or what it is made of."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, str | bool | int | float):
            return value
        if isinstance(value, np.ndarray):
            return ["array", self._keep(value)]
        if isinstance(value, dict):
            return ["dict", self.column(list(value)), self.column(list(value.values()))]
        return ["one", self.column([list(value) if isinstance(value, deque) else value])]

    def column(self, items: Sequence[Any]) -> list[Any]:
        """Return what a list is made of: together where all in it is alike, else each by itself."""
        items = [item.item() if isinstance(item, np.generic) else item for item in items]
        kinds = {type(item) for item in items}
        alike = self._alike(kinds.pop(), items) if len(kinds) == 1 else None
        return alike or ["each", [self.one(item) for item in items]]

    def _alike(self, kind: type, items: list[Any]) -> list[Any] | None:
        """Return what things of one kind are made of together; None where they have no such way."""
        if kind in NUMBERS:
            return [kind.__name__, self._keep(np.array(items, NUMBERS[kind]))]
        if kind is bytes:
            whole = np.frombuffer(b"".join(items), np.uint8)
            return ["bytes", self._keep(whole), self.column(list(map(len, items)))]
        if kind is list:
            parts = self.column([part for item in items for part in item])
            return ["lists", self.column(list(map(len, items))), parts]
        if kind is tuple and len(set(map(len, items))) == 1:
            return ["rows", len(items), [self.column(part) for part in zip(*items, strict=True)]]
        if kind is np.ndarray:
            return self._arrays(items)
        if is_dataclass(kind) or hasattr(kind, "FIELDS"):
            columns = {f: self.column([getattr(i, f) for i in items]) for f in _fields(kind)}
            return ["things", kind.__name__, len(items), columns]
        return None

    def _arrays(self, items: list[Any]) -> list[Any] | None:
        if len({item.dtype for item in items}) > 1:
            return None
        if len({item.shape for item in items}) == 1:
            return ["stack", self._keep(np.stack(items))]
        flat = np.concatenate([item.ravel() for item in items])
        return ["ragged", self._keep(flat), [item.shape for item in items]]


class _Unpacker:
    def __init__(self, arrays: Mapping[str, Any], kinds: Mapping[str, type]) -> None:
        self.arrays, self.kinds = arrays, kinds

    def one(self, tree: Any) -> Any:
        """Return what a JSON value stands for."""
        if not isinstance(tree, list):
            return tree
        if tree[0] == "array":
            return np.array(self.arrays[tree[1]])
        if tree[0] == "dict":
            return dict(zip(self.column(tree[1]), self.column(tree[2]), strict=True))
        return self.column(tree[1])[0]

    def column(self, tree: Sequence[Any]) -> list[Any]:
        kind, *rest = tree
        if kind == "each":
            return [self.one(item) for item in rest[0]]
        if kind == "rows":
            columns = [self.column(part) for part in rest[1]]
            return [tuple(column[k] for column in columns) for k in range(rest[0])]
        if kind == "lists":
            return self._cut(self.column(rest[1]), self.column(rest[0]))
        if kind == "things":
            made = self.kinds[rest[0]]
            parts = {name: self.column(part) for name, part in rest[2].items()}
            return [made(**{name: part[k] for name, part in parts.items()}) for k in range(rest[1])]
        return self._from_array(kind, self.arrays[rest[0]], rest[1:])

    def _from_array(self, kind: str, array: Any, rest: Sequence[Any]) -> list[Any]:
        if kind == "stack":
            return [np.array(row) for row in array]
        if kind == "bytes":
            return self._cut(array.tobytes(), self.column(rest[0]))
        if kind == "ragged":
            flat = self._cut(array, [int(np.prod(shape)) for shape in rest[0]])
            return [np.array(own).reshape(s) for own, s in zip(flat, rest[0], strict=True)]
        return list(array.tolist())

    @staticmethod
    def _cut(whole: Any, lengths: Sequence[int]) -> list[Any]:
        """Return the parts of these lengths that follow one another."""
        ends = np.cumsum([0, *lengths]).tolist()
        return [whole[a:b] for a, b in pairwise(ends)]
