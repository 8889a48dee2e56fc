"""Bags with an index, one or several as one, and the types of messages in bags."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path
from typing import Any

from commonground.errors import DataError


class IndexedBags:
    """Reads bags of one version of ROS through ``rosbags``."""

    def __init__(self, paths: Sequence[Path]) -> None:
        """Open the bags; raises what ``rosbags`` does on damaged ones."""
        from rosbags import rosbag1, rosbag2

        self.is2 = any(path.suffix != ".bag" for path in paths)
        reader: Any = rosbag2.Reader if self.is2 else rosbag1.Reader
        with ExitStack() as stack:
            self._readers = [stack.enter_context(reader(path)) for path in paths]
            self._open = stack.pop_all()
        self.connections = [c for reader in self._readers for c in reader.connections]
        self.end_time = max(int(reader.end_time) for reader in self._readers)
        self._definitions = {c.msgtype: c.msgdef for c in self.connections}
        if len({(c.msgtype, c.digest) for c in self.connections}) > len(self._definitions):
            self.close()
            raise DataError("the bags define the same type of messages in different ways")

    def messages(
        self, connections: Sequence[Any], start: int | None = None, stop: int | None = None
    ) -> Iterator[tuple[Any, int, bytes]]:
        """Yield (connection, receive time, bytes) in the order of reception."""
        wanted = [[c for c in reader.connections if c in connections] for reader in self._readers]
        streams = (
            reader.messages(own, start, stop)
            for reader, own in zip(self._readers, wanted, strict=True)
            if own
        )
        yield from heapq.merge(*streams, key=lambda message: message[1])

    def deserialize(self, raw: bytes, kind: str) -> Any:
        """Return the message of serialized bytes."""
        types = types_of(kind, self._definitions[kind])
        return types.deserialize_cdr(raw, kind) if self.is2 else types.deserialize_ros1(raw, kind)

    def close(self) -> None:
        self._open.close()


@lru_cache(maxsize=512)
def types_of(kind: str, definition: Any) -> Any:
    """Return the store with a type as a bag defines it, or as usual where it does not.

    Every connection of every bag brings its own copy: a definition is parsed once in a process, and only if
    a message of it is read.
    """
    from rosbags.interfaces import MessageDefinitionFormat
    from rosbags.typesys import Stores, get_types_from_idl, get_types_from_msg, get_typestore

    if definition.format == MessageDefinitionFormat.NONE:
        return get_typestore(Stores.ROS2_HUMBLE)
    types: dict[str, Any] = {}
    if definition.format == MessageDefinitionFormat.MSG:
        types |= get_types_from_msg(definition.data, kind)
    else:
        for part in definition.data.split("=" * 80 + "\n"):
            head, _, rest = part.partition("\n")
            types |= get_types_from_idl(rest if head.startswith("IDL: ") else part) if part else {}
    store = get_typestore(Stores.EMPTY)
    store.register(types)
    return store
