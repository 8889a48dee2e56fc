"""Bags opened through ``rosbags``, whatever their version, with every failure told in one line."""

from __future__ import annotations

import logging
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from commonground.errors import DataError, did_you_mean, require
from commonground.reading import opened as open_regular

log = logging.getLogger(__name__)

BAG1 = (".bag", ".active")
"""Endings of ROS 1 bags; ``.bag.active`` is one whose recording was never closed."""

STORED = {".mcap", ".db3", ".yaml"}
"""Endings of the files of a ROS 2 bag, which may be compressed."""


def damage() -> tuple[type[Exception], ...]:
    """Return what ``rosbags`` and the codecs below it raise on damaged or foreign files."""
    import sqlite3

    from rosbags.rosbag1 import ReaderError as Bag1Error
    from rosbags.rosbag2 import ReaderError as Bag2Error
    from rosbags.serde import SerdeError
    from rosbags.typesys import TypesysError

    own = (Bag1Error, Bag2Error, SerdeError, TypesysError, sqlite3.Error)
    # its parsers index and assert their way through the bytes; the codecs raise the rest
    raised = (ValueError, KeyError, IndexError, TypeError, AttributeError, AssertionError, EOFError)
    return (
        *own, *raised, OSError, RuntimeError, ArithmeticError, MemoryError, struct.error,
        *_apsw(),
    )  # fmt: skip


def _apsw() -> tuple[type[Exception], ...]:
    try:
        import apsw
    except ImportError:
        return ()
    return (apsw.Error,)


def bags_below(path: Path) -> list[Path]:
    """Return the bags a path stands for: itself, a ROS 2 bag folder, or all bags up to two folders down."""
    if path.is_file():
        return [path] if path.suffix in (*BAG1, ".mcap", ".db3") else []
    if (path / "metadata.yaml").is_file():
        return [path]
    found = [p for pattern in ("*.bag", "*/*.bag") for p in path.glob(pattern) if p.is_file()]
    found += [p.parent for p in path.glob("*/metadata.yaml")]
    found += [p for pattern in ("*.mcap", "*.db3", "*.bag.active") for p in path.glob(pattern)]
    return sorted(found)


def files_of(bag: Path) -> list[Path]:
    """Return the files that hold what a bag tells, or a file itself; nothing else that lies in its folder."""
    if not bag.is_dir():
        return [bag]
    return sorted(p for p in bag.iterdir() if STORED & {*p.suffixes} and p.is_file())


@contextmanager
def opened(paths: Sequence[Path]) -> Iterator[Any]:
    """Open bags of one version as one; DataError says what is wrong and what to do."""
    require("rosbags", "mapping")
    from commonground.datasets.readers.indexed import IndexedBags

    names = ", ".join(p.name for p in paths[:3])
    broken = damage()
    for path in paths:
        _not_empty(path)
    reader: Any = None
    try:
        reader = IndexedBags(paths)
    except broken as error:
        reader = _without_index(paths)
        if reader is None:
            raise DataError(f"{names}: {_advice(paths, error)}") from error
        log.warning(
            "%s: has no whole index, it was read from front to back as far as it goes", names
        )
    try:
        yield reader
    finally:
        reader.close()


def _without_index(paths: Sequence[Path]) -> Any:
    """Return a reader of a single ROS 1 bag that was cut off; None if there is nothing in it."""
    from commonground.datasets.readers.unindexed import UnindexedBag

    if len(paths) != 1 or not paths[0].is_file() or not _starts_like_a_bag(paths[0]):
        return None
    try:
        bag = UnindexedBag(paths[0])
    except damage():
        return None
    return bag if any(c.msgcount for c in bag.connections) else None


def _not_empty(path: Path) -> None:
    if not path.exists():
        raise DataError(f"{path}: there is no such bag")
    if not path.is_dir():
        open_regular(path).close()
    if path.is_file() and path.stat().st_size == 0:
        raise DataError(f"{path}: the bag is empty (zero bytes)")


def _advice(paths: Sequence[Path], error: Exception) -> str:
    reason = " ".join(str(error).split())[:160] or type(error).__name__
    lower = reason.lower()
    if isinstance(error, MemoryError):
        return "cannot be opened: a size in it is absurd; the bag is damaged"
    first = paths[0]
    if first.is_file() and first.suffix in BAG1 and not _starts_like_a_bag(first):
        return "this is no ROS 1 bag: it does not begin with '#ROSBAG V2.0'"
    if "index" in lower:
        return f"the bag has no index and no whole message; was its recording cut off? ({reason})"
    return f"the bag cannot be opened, it may be cut off or damaged ({reason})"


def _starts_like_a_bag(path: Path) -> bool:
    with open_regular(path) as file:
        return file.read(13) == b"#ROSBAG V2.0\n"


def topics_of(reader: Any) -> dict[str, tuple[str, int]]:
    """Return topic → (message type, count) of an open bag."""
    out: dict[str, tuple[str, int]] = {}
    for connection in reader.connections:
        kind, count = out.get(connection.topic, (connection.msgtype, 0))
        out[connection.topic] = (kind, count + connection.msgcount)
    return out


def connections_of(reader: Any, topics: Sequence[str], where: str) -> list[Any]:
    """Return the connections of topics; DataError lists those there are and the nearest to a missing one."""
    there = {c.topic for c in reader.connections}
    for topic in topics:
        if topic not in there:
            hint = did_you_mean(topic, there)
            listed = ", ".join(sorted(there)[:12]) + (" …" if len(there) > 12 else "")
            raise DataError(
                f"{where}: there is no topic '{topic}'.{hint} It has {listed or 'none'}"
            )
    return [c for c in reader.connections if c.topic in set(topics)]


def messages(
    reader: Any, connections: list[Any], start_ns: int | None = None, stop_ns: int | None = None
) -> Iterator[tuple[Any, int, bytes]]:
    """Yield (connection, receive time, bytes); DataError where the bag breaks off."""
    stream = reader.messages(connections, start=start_ns, stop=stop_ns)
    broken = damage()
    while True:
        try:
            item = next(stream)
        except StopIteration:
            return
        except broken as error:
            reason = " ".join(str(error).split())[:120] or type(error).__name__
            raise DataError(f"the bag breaks off or is damaged ({reason})") from error
        yield item


def decoded(reader: Any, raw: bytes, kind: str) -> Any:
    """Return the message of serialized bytes; DataError if they are damaged."""
    try:
        return reader.deserialize(raw, kind)
    except damage() as error:
        raise DataError(f"a {kind} message is damaged") from error
