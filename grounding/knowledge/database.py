"""The SQLite file behind a knowledge graph: its tables, its versions, and what can be wrong with it."""

from __future__ import annotations

import contextlib
import functools
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from commonground.errors import GroundingError
from commonground.reasons import reason

APPLICATION_ID = 0x434D4B47  # "CMKG"; tells our files from other programs' SQLite files
VERSION = 2
LONGEST_DETAIL = 100
"""Characters of what SQLite complains of; it repeats the whole text that it cannot read."""

_TABLES_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE thing (
    id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, traits TEXT NOT NULL DEFAULT '{}',
    tx INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX thing_tx ON thing (tx);
CREATE TABLE change (
    tx INTEGER PRIMARY KEY, recorded_ns INTEGER NOT NULL, observed_ns INTEGER NOT NULL,
    source TEXT NOT NULL, name TEXT NOT NULL, words TEXT NOT NULL, undoes INTEGER);
CREATE TABLE current (
    s TEXT NOT NULL, r TEXT NOT NULL, o TEXT NOT NULL, valid_ns INTEGER NOT NULL,
    confirmed_ns INTEGER NOT NULL, confidence REAL NOT NULL, tx INTEGER NOT NULL,
    origin INTEGER NOT NULL, PRIMARY KEY (s, r, o)) WITHOUT ROWID;
CREATE INDEX current_object ON current (o, r, s);
CREATE INDEX current_tx ON current (tx);
CREATE TABLE history (
    id INTEGER PRIMARY KEY, s TEXT NOT NULL, r TEXT NOT NULL, o TEXT NOT NULL,
    valid_ns INTEGER NOT NULL, ended_ns INTEGER, confirmed_ns INTEGER NOT NULL,
    confidence REAL NOT NULL, tx INTEGER NOT NULL, tx_end INTEGER, origin INTEGER NOT NULL);
CREATE INDEX history_subject ON history (s, r);
CREATE INDEX history_object ON history (o, r);
CREATE INDEX history_tx ON history (tx);
CREATE INDEX history_tx_end ON history (tx_end);
"""

_TABLES_2 = """
CREATE TABLE claim (
    id INTEGER PRIMARY KEY, s TEXT NOT NULL, r TEXT NOT NULL, o TEXT NOT NULL, holds INTEGER NOT NULL,
    observed_ns INTEGER NOT NULL, confidence REAL NOT NULL, tx INTEGER NOT NULL,
    status TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX claim_subject ON claim (s, r);
CREATE INDEX claim_tx ON claim (tx);
CREATE TABLE trust (
    source TEXT NOT NULL, name TEXT NOT NULL, relation TEXT NOT NULL, right INTEGER NOT NULL,
    wrong INTEGER NOT NULL, PRIMARY KEY (source, name, relation)) WITHOUT ROWID;
"""

_STEPS = {1: _TABLES_1, 2: _TABLES_2}
"""What brings a file from the version before to each version."""


def create(path: Path) -> sqlite3.Connection:
    """Make an empty database; an existing file is never overwritten."""
    if path.exists():
        raise GroundingError(f"{path}: exists already; choose another file or remove it first")
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = _connect(path, "rwc")
    with translated(path):
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("BEGIN IMMEDIATE")
        for version in range(1, VERSION + 1):
            _step(connection, version)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("COMMIT")
    return connection


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """Open a database, bringing an older one up to date; the old file is kept as a backup."""
    if not path.is_file():
        raise GroundingError(
            f"{path}: there is no such memory; make one with 'commonground memory init'"
        )
    connection = _connect(path, "ro" if read_only else "rw")
    try:
        with translated(path):
            version = _version(connection, path)
            if _parts(connection) != _own_parts(version):
                raise GroundingError(_damaged(path, "its tables are not those of a memory"))
            if version < VERSION:
                _migrate(connection, path, version, read_only)
            damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if damage != "ok":
                raise GroundingError(_damaged(path, damage))
            if not read_only:
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    with translated(path):
        connection = sqlite3.connect(
            f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=5.0
        )
        connection.execute("PRAGMA busy_timeout = 5000")
    return connection


def _version(connection: sqlite3.Connection, path: Path) -> int:
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if application != APPLICATION_ID or version < 1:
        raise GroundingError(f"{path}: is a SQLite file, but not a memory; it was left as it is")
    if version > VERSION:
        raise GroundingError(
            f"{path}: has format {version}, this program reads up to {VERSION}; update commonground"
        )
    return version


def _parts(connection: sqlite3.Connection) -> frozenset[tuple[str, str]]:
    """Return the tables and indexes of a file, and views and triggers, which would run what they say."""
    rows = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
    )
    return frozenset((str(name), str(sql)) for name, sql in rows)


@functools.cache
def _own_parts(version: int) -> frozenset[tuple[str, str]]:
    """Return what a memory of a version consists of."""
    with contextlib.closing(sqlite3.connect(":memory:")) as blank:
        for step in range(1, version + 1):
            _step(blank, step)
        return _parts(blank)


def _migrate(connection: sqlite3.Connection, path: Path, version: int, read_only: bool) -> None:
    if read_only:
        raise GroundingError(
            f"{path}: has the older format {version}; open it once for writing to bring it up to date"
        )
    backup = path.with_name(f"{path.name}.format{version}.backup")
    if not backup.exists():
        partial = backup.with_name(backup.name + ".partial")
        with contextlib.closing(sqlite3.connect(partial)) as copy:
            connection.backup(copy)
        partial.replace(backup)
    with transaction(connection):
        for step in range(_version(connection, path) + 1, VERSION + 1):
            _step(connection, step)


def _step(connection: sqlite3.Connection, version: int) -> None:
    for statement in _STEPS[version].split(";"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Run statements as one durable change, or none of them."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextlib.contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints into one line that says what to do."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise GroundingError(f"{path}: {_refused(str(error))}") from error
    except sqlite3.ProgrammingError as error:
        closed = "closed" in str(error)
        why = "it has been closed" if closed else "it belongs to the thread that opened it"
        raise GroundingError(f"{path}: {why}; open it once more where it is needed") from error
    except sqlite3.DatabaseError as error:
        raise GroundingError(_damaged(path, str(error))) from error
    except OverflowError as error:
        raise GroundingError(_damaged(path, "a number in it is the largest there is")) from error
    except UnicodeDecodeError as error:  # of what SQLite itself says of damage
        raise GroundingError(_damaged(path, reason(error))) from error
    except UnicodeEncodeError as error:
        raise GroundingError(
            f"{ascii(error.object)[:60]} holds half a character, which no memory can hold"
        ) from error


def _refused(text: str) -> str:
    """Return why SQLite refused to work on a file, by its own words."""
    if "locked" in text or "busy" in text:
        return "another process has been writing for more than 5 s; try again when it is done"
    if "readonly" in text:
        return "cannot be written: it was opened to be read only, or its permissions forbid it"
    if "unable to open" in text:
        return f"cannot be opened: {text}; check its permissions"
    if "full" in text or "disk I/O" in text:
        return f"{text}; nothing of this change was kept"
    return _damage(text)


def _damaged(path: Path, detail: str) -> str:
    return f"{path}: {_damage(detail)}"


def _damage(detail: str) -> str:
    reason = detail if len(detail) <= LONGEST_DETAIL else f"{detail[:LONGEST_DETAIL]}…"
    return f"is not a memory or is damaged ({reason}); it was left as it is: restore a backup"
