"""Node symbols: ``O39`` for the 64-bit node id that Spark-DSG stores (a letter and an index)."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from commonground.arrays import Ids
from commonground.errors import SceneError

_SYMBOL = re.compile(r"([A-Za-z])\(?([0-9]{1,17})\)?")
_INDEX_BITS = 56


def node_id(symbol: str | int) -> int:
    """Return the node id of ``O39`` or ``O(39)``, and ids as they are; p is not P."""
    if isinstance(symbol, int | np.integer):
        return int(symbol)
    match = _SYMBOL.fullmatch(symbol.strip()) if isinstance(symbol, str) else None
    if match is None or int(match[2]) >> _INDEX_BITS:
        raise SceneError(
            f"{symbol!r:.80} is no node symbol: a letter and a number, as in O39 or R3"
        )
    return ord(match[1]) << _INDEX_BITS | int(match[2])


def node_ids(letter: str, indices: ArrayLike) -> Ids:
    """Return the node ids (n,) of one letter and many indices."""
    return np.asarray(indices, np.uint64) | np.uint64(ord(letter) << _INDEX_BITS)


def symbol_of(node: int) -> str:
    """Return ``O39`` for a node id; an id without a letter comes out as the plain number."""
    letter, index = chr(int(node) >> _INDEX_BITS), int(node) & ((1 << _INDEX_BITS) - 1)
    return f"{letter}{index}" if letter.isascii() and letter.isalpha() else str(int(node))


def symbols_of(nodes: Iterable[int]) -> list[str]:
    """Return the symbols of many node ids."""
    return [symbol_of(node) for node in nodes]


def indices_of(nodes: Ids) -> Ids:
    """Return the indices (n,) of node ids, without their letters."""
    return nodes & np.uint64((1 << _INDEX_BITS) - 1)
