"""What is new in a map since the last packet that was acknowledged, in as few bytes as may be.

Rows that are new or otherwise than before, and the numbers of those that are gone. Whole numbers lie column
by column, each as its difference from the one above it, byte by byte, so that LZMA finds what repeats.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from commonground.arrays import Ints32
from commonground.live.team.tables import Row, Table

MOST_BYTES = 1 << 30
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 1, "pb": 0}]
WORD = 4
"""Bytes of a whole number."""


def packet(before: Mapping[str, Table], now: Mapping[str, Table]) -> bytes:
    """Return what makes the tables ``now`` of those ``before``."""
    told: dict[str, Any] = {}
    body: list[bytes] = []
    for name, table in now.items():
        old = before.get(name, Table({}, {}))
        new = sorted(k for k, row in table.rows.items() if old.rows.get(k) != row)
        gone = sorted(old.rows.keys() - table.rows.keys())
        rows = [table.rows[k] for k in new]
        told[name] = {"gone": len(gone), "new": len(new)}
        if table.meta != old.meta:
            told[name]["meta"] = table.meta
        body += [_words(np.array([*gone, *new], np.int32)[:, None])]
        if rows:
            told[name]["widths"] = [len(rows[0][0]) // WORD, len(rows[0]) - 1]
            body += list(_packed_rows(rows))
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
        numbers = cursor.words(values["gone"] + values["new"], 1)[:, 0].tolist()
        gone, new = set(numbers[: values["gone"]]), numbers[values["gone"] :]
        rows = {k: row for k, row in old.rows.items() if k not in gone}
        if new:
            rows |= dict(zip(new, _rows(cursor, len(new), *values["widths"]), strict=True))
        out[name] = Table(values.get("meta", old.meta), rows)
    return out


def digest(tables: Mapping[str, Table]) -> str:
    """Return what tables are known by."""
    found = hashlib.sha256()
    for name, table in sorted(tables.items()):
        found.update(json.dumps([name, table.meta], sort_keys=True).encode())
        for number, row in sorted(table.rows.items()):
            found.update(number.to_bytes(8, "little"))
            found.update(b"\0".join(row))
    return found.hexdigest()


def _packed_rows(rows: list[Row]) -> Iterator[bytes]:
    yield _words(np.frombuffer(b"".join(row[0] for row in rows), "<i4").reshape(len(rows), -1))
    for k in range(1, len(rows[0])):
        yield _words(np.array([len(row[k]) // WORD for row in rows], np.int32)[:, None])
        yield _words(np.frombuffer(b"".join(row[k] for row in rows), "<i4")[:, None], steps=False)


def _rows(cursor: _Cursor, count: int, width: int, lists: int) -> list[Row]:
    fixed = cursor.words(count, width)
    parts = [[row.tobytes() for row in fixed]]
    for _ in range(lists):
        lengths = cursor.words(count, 1)[:, 0]
        if (lengths < 0).any():
            raise ValueError("a list of a length below none")
        values = cursor.words(int(lengths.sum()), 1, steps=False)[:, 0]
        parts.append([own.tobytes() for own in np.split(values, np.cumsum(lengths)[:-1])])
    return list(zip(*parts, strict=True))


def _words(values: Ints32, *, steps: bool = True) -> bytes:
    """Return whole numbers (n, k), column by column, as their steps, the lowest bytes of all first."""
    numbers = values.astype(np.int64)
    if steps:
        numbers = np.diff(numbers, axis=0, prepend=0)
    numbers = ((numbers + 2**31) % 2**32 - 2**31).T.ravel()
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
        return ((numbers + 2**31) % 2**32 - 2**31).astype(np.int32)


def _unpacked(data: bytes) -> bytes:
    reader = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS)
    try:
        whole = reader.decompress(data, MOST_BYTES)
    except lzma.LZMAError as error:
        raise ValueError(f"a packet that cannot be unpacked: {error}") from error
    if not reader.eof:
        raise ValueError("a packet is cut off, or too large")
    return whole
