"""Graphs of networks as onnxruntime runs them, read and drawn without the package that wrote them.

A graph is a message of protocol buffers: numbered fields, each a whole number, four bytes of a float,
or bytes that may be a message again. Of ONNX's kinds of messages a network of ours needs six.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
Shape: TypeAlias = tuple[str | int, ...]
"""Of an input or output; a name stands for a length that is known when the graph runs."""
CONTRIB = "com.microsoft"
"""The nodes that onnxruntime adds to ONNX."""
_OPSETS = (("", 20), (CONTRIB, 1))
_IR_VERSION = 8
_TYPES: dict[int, type[np.generic]] = {
    1: np.float32, 2: np.uint8, 3: np.int8, 7: np.int64, 9: np.bool_,
}  # fmt: skip
_NUMBERS = {np.dtype(kind): number for number, kind in _TYPES.items()}
_WHOLE, _EIGHT, _BYTES, _FOUR = 0, 1, 2, 5


class Node(NamedTuple):
    """One operation."""

    kind: str
    takes: tuple[str, ...]
    gives: tuple[str, ...]


def session(data: bytes, *, fuse: bool = True) -> Any:
    """Return a session of onnxruntime that runs a graph, with small nodes put together unless told not to."""
    # else it keeps a log of its use in the home folder, for a server that is never asked for
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    if not fuse:
        options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


# ---- reading ------------------------------------------------------------------------------------


def read_graph(data: bytes) -> tuple[list[Node], dict[str, Array]]:
    """Return the nodes of a graph and its constants; ValueError if the bytes hold none."""
    try:
        graph = _fields(_fields(memoryview(data))[7][0])
        nodes = [_fields(node) for node in graph.get(1, ())]
        return (
            [Node(_text(n[4][0]), _texts(n.get(1)), _texts(n.get(2))) for n in nodes],
            dict(_constant(_fields(constant)) for constant in graph.get(5, ())),
        )
    except (IndexError, KeyError, TypeError) as error:
        raise ValueError("it is no graph of ONNX") from error


def _constant(tensor: dict[int, list[Any]]) -> tuple[str, Array]:
    kind = _TYPES[tensor[2][0]]
    if 5 in tensor:  # small numbers are kept as whole ones of any length
        values = np.array([*_whole_numbers(tensor[5][0])]).astype(kind)
    else:
        values = np.frombuffer(tensor.get(9, tensor.get(4, [b""]))[0], kind)
    return _text(tensor[8][0]), values.reshape(tensor.get(1, []))


def _fields(data: memoryview) -> dict[int, list[Any]]:
    """Return what each field of a message holds."""
    found: dict[int, list[Any]] = {}
    at = 0
    while at < len(data):
        key, at = _whole_number(data, at)
        field, wire = key >> 3, key & 7
        if wire == _WHOLE:
            value, at = _whole_number(data, at)
            found.setdefault(field, []).append(value)
            continue
        size, at = _whole_number(data, at) if wire == _BYTES else ({_FOUR: 4, _EIGHT: 8}[wire], at)
        if at + size > len(data):
            raise ValueError("it ends too early")
        found.setdefault(field, []).append(data[at : at + size])
        at += size
    return found


def _whole_number(data: memoryview, at: int) -> tuple[int, int]:
    """Return the number that begins at a place, seven bits a byte, and where it ends."""
    number = bits = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << bits
        at, bits = at + 1, bits + 7
        if byte < 128:
            return number, at


def _whole_numbers(data: memoryview) -> Iterator[int]:
    at = 0
    while at < len(data):
        number, at = _whole_number(data, at)
        yield number


def _text(data: memoryview) -> str:
    return bytes(data).decode()


def _texts(data: Sequence[memoryview] | None) -> tuple[str, ...]:
    return tuple(_text(one) for one in data or ())


# ---- drawing ------------------------------------------------------------------------------------


class Graph:
    """A graph under construction. Nodes and constants are named by what they give."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._constants: list[bytes] = []
        self._named = 0

    def constant(self, values: Array) -> str:
        """Add numbers and return their name."""
        name = self._name()
        shape = ((1, size) for size in values.shape)
        kind, raw = _NUMBERS[values.dtype], np.ascontiguousarray(values).tobytes()
        self._constants.append(_message(*shape, (2, kind), (8, name), (9, raw)))
        return name

    def node(self, kind: str, *takes: str, domain: str = "", **how: float) -> str:
        """Add an operation that gives one thing and return its name."""
        return self.nodes(kind, *takes, gives=1, domain=domain, **how)[0]

    def nodes(
        self, kind: str, *takes: str, gives: int, domain: str = "", **how: float
    ) -> tuple[str, ...]:
        """Add an operation and return the names of what it gives."""
        names = tuple(self._name() for _ in range(gives))
        fields: list[tuple[int, int | float | bytes | str]] = [
            *((1, taken) for taken in takes),
            *((2, given) for given in names),
            (4, kind),
            *((5, _setting(name, value)) for name, value in how.items()),
            (7, domain),
        ]
        self._nodes.append(_message(*fields))
        return names

    def drawn(
        self, takes: Mapping[str, Shape], gives: Mapping[str, Shape], whole: Collection[str] = ()
    ) -> bytes:
        """Return the file of the graph; its inputs and outputs are floats but for some of whole numbers."""
        graph = _message(
            *((1, node) for node in self._nodes),
            (2, "graph"),
            *((5, constant) for constant in self._constants),
            *((11, _described(name, shape, name in whole)) for name, shape in takes.items()),
            *((12, _described(name, shape, name in whole)) for name, shape in gives.items()),
        )
        sets = ((8, _message((1, domain), (2, version))) for domain, version in _OPSETS)
        return _message((1, _IR_VERSION), (7, graph), *sets)

    def _name(self) -> str:
        self._named += 1
        return f"n{self._named}"


def _setting(name: str, value: float) -> bytes:
    if isinstance(value, int):
        return _message((1, name), (3, value), (20, 2))
    return _message((1, name), (2, value), (20, 1))


def _described(name: str, shape: Shape, whole: bool) -> bytes:
    sizes = ((1, _message((1 if isinstance(size, int) else 2, size))) for size in shape)
    tensor = _message((1, 7 if whole else 1), (2, _message(*sizes)))
    return _message((1, name), (2, _message((1, tensor))))


def _message(*fields: tuple[int, int | float | bytes | str]) -> bytes:
    return b"".join(_field(number, value) for number, value in fields)


def _field(number: int, value: int | float | bytes | str) -> bytes:
    if isinstance(value, int):
        return _packed(number << 3 | _WHOLE) + _packed(value)
    if isinstance(value, float):
        return _packed(number << 3 | _FOUR) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return _packed(number << 3 | _BYTES) + _packed(len(data)) + data


def _packed(number: int) -> bytes:
    number &= (1 << 64) - 1  # of a negative number its complement
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])
