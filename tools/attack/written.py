"""What commands wrote, less the times, so that two runs of them can be compared."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TIMES = frozenset(
    [
        "clock",
        "time_s",
        "planning_s",
        "slowest_s",
        "seconds",
        "seconds_total",
        "took_s",
        "wall_s",
        "rate_hz",
        "delay_s",
        "age_s",
        "dropped",
        "at",
    ]
)
"""Of answers, what tells when and how fast they were made; the times within plans are none of these."""
KEPT_APART = ("metrics.json", "manifest.json", "report.html", ".lock", "scores.md")
"""Files that tell when and where a command ran, and how long it took; tables are compared as .csv."""


def written(place: Path) -> Iterator[tuple[str, Any]]:
    """Yield the name of each file that counts, and what stands for its content without the times."""
    for file in sorted(place.rglob("*")):
        if file.is_file() and file.name not in KEPT_APART:
            yield str(file.relative_to(place)), _content(file)


def _content(file: Path) -> Any:
    """Return values of JSON and rows of databases without their times, and else a digest of the bytes."""
    data = file.read_bytes()
    if file.suffix == ".db":
        return _rows(data)
    if file.suffix == ".jsonl":
        return [untimed(parsed(line)) for line in data.decode(errors="replace").splitlines()]
    if file.suffix == ".csv":
        rows = csv.DictReader(io.StringIO(data.decode(errors="replace")))
        return [untimed(row) for row in rows]
    if file.suffix == ".json" and any(f'"{key}"'.encode() in data for key in TIMES):
        return untimed(parsed(data.decode(errors="replace")))
    return hashlib.sha256(data).hexdigest()


def _rows(data: bytes) -> dict[str, list[list[Any]]]:
    """Return the tables of a database, less the columns that hold moments."""
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.deserialize(data[:18] + b"\1\1" + data[20:])  # no log of changes in memory
        base.row_factory = sqlite3.Row
        names = [
            row[0] for row in base.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        return {
            name: [
                [row[key] for key in row.keys() if not key.endswith("_ns")]  # noqa: SIM118 - rows yield values
                for row in base.execute(f"SELECT * FROM {name}")  # noqa: S608 - its own names
            ]
            for name in names
        }


def parsed(text: str) -> Any:
    """Return the value of JSON, and other text as it is."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def untimed(tree: Any) -> Any:
    """Return values without what tells when and how fast they were made."""
    if isinstance(tree, dict):
        return {key: untimed(value) for key, value in tree.items() if key not in TIMES}
    return [untimed(value) for value in tree] if isinstance(tree, list) else tree
