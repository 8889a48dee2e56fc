"""ROS 1 bags whose recording was cut off: read from front to back, as far as they go.

The bag format, version 2.0: records of a header (fields ``name=value``, each behind its length) and data,
each behind its length; messages and connections lie in chunks, which may be compressed.
"""

from __future__ import annotations

import bz2
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NamedTuple

from commonground.datasets.readers.indexed import types_of
from commonground.errors import DataError
from commonground.reading import opened

MAGIC = b"#ROSBAG V2.0\n"
MESSAGE, CHUNK, CONNECTION = 2, 5, 7
LARGEST = 1 << 30
"""No chunk or message is larger; a damaged length may claim it."""


class Record(NamedTuple):
    """One record: its header's fields, and where its data lies."""

    fields: dict[bytes, bytes]
    start: int
    size: int

    @property
    def kind(self) -> int:
        """The operation code."""
        return self.fields.get(b"op", b"\0")[0]


@dataclass(frozen=True)
class Channel:
    """A connection, under the names ``rosbags`` uses."""

    id: int
    topic: str
    msgtype: str
    msgcount: int = field(default=0, compare=False)


class UnindexedBag:
    """Reads one damaged bag with the part of ``rosbags``' reader interface that is used here."""

    is2 = False

    def __init__(self, path: Path) -> None:
        """Scan the bag once for its connections, counts and times."""
        from rosbags.interfaces import MessageDefinition, MessageDefinitionFormat

        self.path = path
        self.end_time = 0
        self.connections: list[Channel] = []
        self._definitions: dict[str, Any] = {}
        counts: dict[int, int] = {}
        found: dict[int, Channel] = {}
        for record, body in self._records():
            number = _u32(record.fields.get(b"conn", b""))
            if record.kind == CONNECTION and number not in found:
                about = dict(_fields(body))
                kind = _ros2_name(about.get(b"type", b"").decode())
                topic = record.fields.get(b"topic", b"").decode()
                found[number] = Channel(number, topic, kind)
                text = about.get(b"message_definition", b"").decode()
                self._definitions[kind] = MessageDefinition(MessageDefinitionFormat.MSG, text)
            elif record.kind == MESSAGE:
                counts[number] = counts.get(number, 0) + 1
                self.end_time = max(self.end_time, _time(record.fields.get(b"time", b"")) + 1)
        self.connections = [replace(c, msgcount=counts.get(c.id, 0)) for c in found.values()]

    def messages(
        self, connections: Collection[Channel], start: int | None = None, stop: int | None = None
    ) -> Iterator[tuple[Channel, int, bytes]]:
        """Yield (connection, receive time, bytes) in the order of the file."""
        wanted = {c.id: c for c in connections}
        for record, body in self._records():
            channel = wanted.get(_u32(record.fields.get(b"conn", b"")))
            if record.kind != MESSAGE or channel is None:
                continue
            received = _time(record.fields.get(b"time", b""))
            if (start is None or received >= start) and (stop is None or received < stop):
                yield channel, received, body

    def deserialize(self, raw: bytes, kind: str) -> Any:
        """Return the message of serialized bytes."""
        return types_of(kind, self._definitions[kind]).deserialize_ros1(raw, kind)

    def close(self) -> None:
        """Do nothing; the file is open only while it is read."""

    def _records(self) -> Iterator[tuple[Record, bytes]]:
        """Yield the connection and message records of all chunks that are whole."""
        with opened(self.path) as file:
            size = self.path.stat().st_size
            if file.read(len(MAGIC)) != MAGIC:
                raise DataError(f"{self.path}: this is no ROS 1 bag")
            while (record := _next(file, size)) is not None:
                if record.kind not in (CHUNK, CONNECTION, MESSAGE):
                    file.seek(record.start + record.size)
                    continue
                body = file.read(record.size)
                if record.kind == CHUNK:
                    yield from _inside(_unpacked(body, record.fields))
                else:
                    yield record, body


def _next(file: IO[bytes], size: int) -> Record | None:
    """Return the next record; None at the end, or where the file breaks off or makes no sense."""
    length = file.read(4)
    if len(length) < 4 or _u32(length) > 1 << 20:
        return None
    header, length = file.read(_u32(length)), file.read(4)
    start = file.tell()
    if len(length) < 4 or _u32(length) > min(LARGEST, size - start):
        return None
    return Record(dict(_fields(header)), start, _u32(length))


def _inside(data: bytes) -> Iterator[tuple[Record, bytes]]:
    """Yield the records of a chunk."""
    at = 0
    while at + 8 <= len(data):
        header_size = _u32(data[at : at + 4])
        begin = at + 4 + header_size
        size = _u32(data[begin : begin + 4])
        if begin + 4 + size > len(data) or header_size > 1 << 20:
            return
        fields = dict(_fields(data[at + 4 : begin]))
        at = begin + 4 + size
        yield Record(fields, begin + 4, size), data[begin + 4 : at]


def _fields(header: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 0
    while at + 4 <= len(header):
        size = _u32(header[at : at + 4])
        name, equals, value = header[at + 4 : at + 4 + size].partition(b"=")
        if equals:
            yield name, value
        at += 4 + size


def _unpacked(body: bytes, fields: dict[bytes, bytes]) -> bytes:
    """Return the records of a chunk, decompressed; nothing if it is damaged."""
    size = min(_u32(fields.get(b"size", b"")), LARGEST)
    compression = fields.get(b"compression", b"none")
    try:
        if compression == b"bz2":
            return bz2.BZ2Decompressor().decompress(body, max_length=size)
        if compression == b"lz4":
            frame = import_module("lz4.frame")
            return bytes(frame.LZ4FrameDecompressor().decompress(body, max_length=size))
    except (OSError, ValueError, RuntimeError, EOFError):
        return b""
    return body


def _u32(data: bytes) -> int:
    return int(struct.unpack_from("<I", data)[0]) if len(data) >= 4 else 0


def _time(data: bytes) -> int:
    return _u32(data[:4]) * 10**9 + _u32(data[4:8])


def _ros2_name(kind: str) -> str:
    """Return ``pkg/msg/Name`` of ROS 1's ``pkg/Name``."""
    package, _, name = kind.partition("/")
    return kind if "/msg/" in kind else f"{package}/msg/{name}"
