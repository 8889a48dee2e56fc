"""What is new in a map since the last packet that was acknowledged, in as few bytes as may be.

Rows that are new, how others differ from what they were, and the numbers of those that are gone. Whole
numbers lie column by column, each as its difference from the one above it, byte by byte, so that LZMA finds
what repeats.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from commonground.arrays import Ints, Ints32
from commonground.live.team.tables import Row, Table

MOST_BYTES = 1 << 30
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 1, "pb": 0}]
WORD = 4
"""Bytes of a whole number."""
SAME = -1
"""In place of its length: a list is as it was."""


def packet(before: Mapping[str, Table], now: Mapping[str, Table]) -> bytes:
    """Return what makes the tables ``now`` of those ``before``."""
    told: dict[str, Any] = {}
    body: list[bytes] = []
    for name, table in now.items():
        old = before.get(name, Table({}, {}))
        differ = sorted(k for k, row in table.rows.items() if old.rows.get(k) != row)
        changed = [k for k in differ if k in old.rows and _alike(old.rows[k], table.rows[k])]
        new, gone = sorted({*differ} - {*changed}), sorted(old.rows.keys() - table.rows.keys())
        told[name] = {"gone": len(gone), "changed": len(changed), "new": len(new)}
        if table.meta != old.meta:
            told[name]["meta"] = table.meta
        body += [_words(np.array([*gone, *changed, *new], np.int32)[:, None])]
        for numbers, were in ((changed, old.rows), (new, {})):
            if numbers:
                rows = [table.rows[k] for k in numbers]
                told[name]["widths"] = [len(rows[0][0]) // WORD, len(rows[0]) - 1]
                body += list(_packed_rows(rows, [were[k] for k in numbers if k in were]))
    head = json.dumps(told, separators=(",", ":")).encode()
    whole = len(head).to_bytes(WORD, "little") + head + b"".join(body)
    return lzma.compress(whole, lzma.FORMAT_RAW, filters=FILTERS)


def applied(before: Mapping[str, Table], data: bytes) -> dict[str, Table]:
    """Return the tables that a packet makes of those before; ValueError if it is none."""
    cursor = _Cursor(_unpacked(data))
    told = json.loads(cursor.take(int.from_bytes(cursor.take(WORD), "little")))
    out = {}
    for name, values in told.items():
        old = before.get(name, Table({}, {}))
        counts = values["gone"], values["changed"], values["new"]
        numbers = cursor.words(sum(counts), 1)[:, 0].tolist()
        gone, changed, new = (
            numbers[end - count : end]
            for count, end in zip(counts, accumulate(counts), strict=True)
        )
        rows = {k: row for k, row in old.rows.items() if k not in {*gone}}
        for some, were in ((changed, [old.rows[k] for k in changed]), (new, [])):
            if some:
                made = _rows(cursor, len(some), values["widths"], were)
                rows |= dict(zip(some, made, strict=True))
        out[name] = Table(values.get("meta", old.meta), rows)
    return out


def digest(tables: Mapping[str, Table]) -> str:
    found = hashlib.sha256()
    for name, table in sorted(tables.items()):
        found.update(json.dumps([name, table.meta], sort_keys=True).encode())
        for number, row in sorted(table.rows.items()):
            found.update(number.to_bytes(8, "little"))
            found.update(b"\0".join(row))
    return found.hexdigest()


def _alike(old: Row, new: Row) -> bool:
    """Return whether a row is as wide as it was, so that it can be told as a difference."""
    return len(old) == len(new) and len(old[0]) == len(new[0])


def _packed_rows(rows: Sequence[Row], were: Sequence[Row]) -> Iterator[bytes]:
    """Yield rows in full, or how they differ from what they ``were``."""
    fixed = _fixed(rows)
    yield _words(fixed - _fixed(were), steps=False) if were else _words(fixed)
    for k in range(1, len(rows[0])):
        lengths = [
            SAME if were and row[k] == were[r][k] else len(row[k]) // WORD
            for r, row in enumerate(rows)
        ]
        told = b"".join(row[k] for row, n in zip(rows, lengths, strict=True) if n != SAME)
        yield _words(np.array(lengths, np.int32)[:, None])
        yield _words(np.frombuffer(told, "<i4")[:, None], steps=False)


def _fixed(rows: Sequence[Row]) -> Ints:
    whole = np.frombuffer(b"".join(row[0] for row in rows), "<i4")
    return whole.reshape(len(rows), -1).astype(np.int64)


def _rows(cursor: _Cursor, count: int, widths: tuple[int, int], were: Sequence[Row]) -> list[Row]:
    """Return rows that were told in full, or as they differ from what they ``were``."""
    width, lists = widths
    fixed = cursor.words(count, width, steps=not were)
    if were:
        fixed = _wrapped(_fixed(were) + fixed)
    parts = [[row.tobytes() for row in fixed]]
    for k in range(1, lists + 1):
        lengths = cursor.words(count, 1)[:, 0]
        same = (lengths == SAME) & bool(were)
        if (lengths[~same] < 0).any():
            raise ValueError("a list of a length below none")
        values = cursor.words(int(lengths[~same].sum()), 1, steps=False)[:, 0]
        ends = np.cumsum(np.where(same, 0, lengths))[:-1]
        own = [part.tobytes() for part in np.split(values, ends)]
        parts.append([were[r][k] if same[r] else own[r] for r in range(count)])
    return list(zip(*parts, strict=True))


def _wrapped(numbers: Ints) -> Ints32:
    """Return whole numbers in 32 bits, beginning anew where that is too little."""
    return ((numbers + 2**31) % 2**32 - 2**31).astype(np.int32)


def _words(values: Ints | Ints32, *, steps: bool = True) -> bytes:
    """Return whole numbers (n, k), column by column, as their steps, the lowest bytes of all first."""
    numbers = values.astype(np.int64)
    if steps:
        numbers = np.diff(numbers, axis=0, prepend=0)
    numbers = _wrapped(numbers).astype(np.int64).T.ravel()
    zigzag = np.where(numbers < 0, -2 * numbers - 1, 2 * numbers).astype("<u4")
    return zigzag.view(np.uint8).reshape(-1, WORD).T.tobytes()


class _Cursor:
    """What is still to be read of a packet."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, count: int) -> bytes:
        """Return the next bytes; ValueError where there are not so many."""
        found = self._data[self._at : self._at + count]
        if len(found) < count:
            raise ValueError("a packet ends too early")
        self._at += count
        return found

    def words(self, rows: int, columns: int, *, steps: bool = True) -> Ints32:
        """Return the next whole numbers (rows, columns) as ``_words`` wrote them."""
        if rows < 0 or columns < 0:
            raise ValueError("a packet of less than nothing")
        raw = np.frombuffer(self.take(rows * columns * WORD), np.uint8)
        zigzag = np.ascontiguousarray(raw.reshape(WORD, -1).T).view("<u4")[:, 0].astype(np.int64)
        numbers = np.where(zigzag % 2, -(zigzag + 1) // 2, zigzag // 2).reshape(columns, rows).T
        if steps:
            numbers = np.cumsum(numbers, axis=0)
        return _wrapped(numbers)


def _unpacked(data: bytes) -> bytes:
    reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS)
    try:
        whole = reader.decompress(data, MOST_BYTES)
    except lzma.LZMAError as error:
        raise ValueError(f"a packet that cannot be unpacked: {error}") from error
    if not reader.eof:
        raise ValueError("a packet is cut off, or too large")
    return whole
