"""Numbers for the values of a problem, and placeholders for values that are not known yet."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_BYTES = 4096
"""Larger arrays are told apart by identity."""


@dataclass(frozen=True, slots=True, eq=False)
class Placeholder:
    """The unknown output of a stream that has not been called."""

    stream: str
    output: str
    shared: bool
    """Stands for the outputs of many calls at once."""
    representative: int
    """The shared placeholder that a unique one refines; its own number where it is shared."""
    depth: int
    """How many streams would have to be called in turn to know the value."""
    number: int

    def __repr__(self) -> str:
        return f"#{self.output[1:]}{self.number}"


class Objects:
    """Objects are numbers; equal hashable values are one object, all others are told apart by identity.

    Of what streams yield, equal data are one object even so: a stream that makes up states comes back to
    those that are known, where it would go on for ever with copies of them.
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.placeholder: list[Placeholder | None] = []
        self._by_value: dict[Any, int] = {}
        self._by_identity: dict[int, int] = {}
        self._by_content: dict[Any, int] = {}
        self._held: dict[int, Any] = {}
        """What streams yielded, so that its identity stays its own."""

    def __len__(self) -> int:
        return len(self.values)

    def number(self, value: Any) -> int:
        try:
            known = self._by_value.get(value)
        except TypeError:  # not hashable: an array, a list, …
            known = self._by_identity.get(id(value))
            if known is None:
                known = self._by_identity[id(value)] = self._append(value, None)
                data = content(value)
                if data is not None:
                    self._by_content.setdefault(data, known)
            return known
        if known is None:
            known = self._by_value[value] = self._append(value, None)
        return known

    def yielded(self, value: Any) -> int:
        """Return the number of a value that a stream yields.

        Data are kept as they are now: generators yield one container again and again, changed in place.
        """
        try:
            hash(value)
        except TypeError:
            data = content(value)
            if data is not None:
                known = self._by_content.get(data)
                if known is None:
                    known = self._by_content[data] = self._append(copied(value), None)
                self._by_identity[id(value)] = known  # by which the facts of a wild stream name it
                self._held[id(value)] = value
                return known
        return self.number(value)

    def invent(self, stream: str, output: str, representative: int | None, depth: int) -> int:
        """Return the number of a new placeholder; without a representative it is shared."""
        number = len(self.values)
        shared = representative is None
        held = Placeholder(
            stream,
            output,
            shared,
            number if representative is None else representative,
            depth,
            number,
        )
        return self._append(held, held)

    def _append(self, value: Any, placeholder: Placeholder | None) -> int:
        self.values.append(value)
        self.placeholder.append(placeholder)
        return len(self.values) - 1

    def known(self, numbers: Iterable[int]) -> bool:
        """Return whether all objects are values rather than placeholders."""
        return all(self.placeholder[number] is None for number in numbers)

    def depth(self, numbers: Iterable[int]) -> int:
        """Return the largest depth of some objects; 0 for values."""
        return max(
            (held.depth for n in numbers if (held := self.placeholder[n]) is not None), default=0
        )

    def representatives(self, numbers: Iterable[int]) -> tuple[int, ...]:
        """Return the objects with unique placeholders replaced by the shared ones they refine."""
        return tuple(
            n if (held := self.placeholder[n]) is None else held.representative for n in numbers
        )

    def values_of(self, numbers: Iterable[int]) -> tuple[Any, ...]:
        """Return the values of some objects."""
        return tuple(self.values[number] for number in numbers)


def content(value: Any) -> Hashable | None:
    """Return what makes up plain data, containers and small arrays, as a key; None for anything else."""
    kind = type(value)
    if kind is list or isinstance(value, tuple):
        parts = [content(each) for each in value]
        return None if None in parts else (kind, *parts)
    if kind is dict:
        items = content([*value.items()])
        return None if items is None else (kind, items)
    if isinstance(value, np.ndarray):
        small = value.nbytes <= MOST_BYTES and not value.dtype.hasobject
        return (kind, value.dtype.str, value.shape, value.tobytes()) if small else None
    try:
        hash(value)
    except TypeError:
        return None
    return (kind, value)


def copied(value: Any) -> Any:
    """Return containers and arrays of plain data anew, with the very values that are in them."""
    if type(value) is list:
        return [copied(each) for each in value]
    if isinstance(value, tuple):
        parts = [copied(each) for each in value]
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    if type(value) is dict:
        return {copied(key): copied(each) for key, each in value.items()}
    return value.copy() if isinstance(value, np.ndarray) else value
