"""Where a document is no scene graph: the node and the field, looked for once reading has failed.

Reading takes whole columns at a time and then knows only that something is wrong; here every part
is looked at by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    TypeAdapter,
    ValidationError,
)

from commonground.errors import MALFORMED
from commonground.reasons import reason
from commonground.scene.decode import LARGEST_ID, mean_feature
from commonground.scene.native import NATIVE, quaternions
from commonground.symbols import symbol_of

Coordinate = StrictFloat | None
Vector = tuple[Coordinate, Coordinate, Coordinate]
POINTS = {"position", "world_P_center", "dimensions"}
Number = StrictInt | str
MOST = 6
"""So many parts that are missing are named at once."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Key(_Part):
    layer: Number
    partition: Number = 0


class _Box(_Part):
    type: str
    world_P_center: Vector
    dimensions: Vector
    world_R_center: dict[str, float] | None = None


class _Attributes(_Part):
    type: str = ""
    position: Vector
    name: str = ""
    semantic_label: StrictInt = Field(0, ge=0, le=2**32)
    bounding_box: _Box | None = None
    metadata: dict[str, Any] | None = None


class _Node(_Key):
    id: StrictInt = Field(ge=0, le=LARGEST_ID)
    attributes: _Attributes


class _Info(_Part):
    weight: float = 1.0


class _Edge(_Part):
    source: StrictInt
    target: StrictInt
    info: _Info = _Info()


class _Space(_Part):
    columns: dict[str, dict[str, str]] = {}


class _Metadata(_Part):
    labelspaces: dict[str, list[tuple[int, str]]] = {}
    commonground: _Space = _Space()


class _Document(_Part):
    metadata: _Metadata = _Metadata()
    layer_names: dict[str, _Key] = {}
    layer_keys: list[_Key] = []
    nodes: list[dict[str, Any]]
    edges: list[_Edge]
    mesh: dict[str, Any] | None = None


def first_fault(document: Mapping[str, Any], own: str) -> str | None:
    """Return the first part of a document that is not as it has to be; ``own`` is this project's key."""
    return next(_faults(document, own), None)


def _faults(document: Mapping[str, Any], own: str) -> Iterator[str]:
    yield from _fault(_Document, document, "")
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        return
    columns: dict[str, str] = {}
    for found in document.get("metadata", {}).get(own, {}).get("columns", {}).values():
        columns |= found
    for number, node in enumerate(nodes):
        called = f"node {number + 1} of the file"
        if isinstance(node, dict) and type(node.get("id")) is int and node["id"] >= 0:
            called = f"node {symbol_of(node['id'])}" if node["id"] <= LARGEST_ID else called
        yield from _fault(_Node, node, f"{called}: ")
        yield from _column_faults(node["attributes"], columns, own, called)


def _fault(kind: Any, value: Any, called: str) -> Iterator[str]:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError as error:
        found = error.errors(include_url=False)
        first = found[0]
        means = ": x, y, z in meters" if POINTS & {*first["loc"]} else ""
        lacks = [".".join(map(str, e["loc"])) for e in found if e["type"] == "missing"]
        if lacks:
            more = " and more" * (len(lacks) > MOST)
            verb = "is" if len(lacks) == 1 else "are"
            yield f"{called}{', '.join(map(repr, lacks[:MOST]))}{more} {verb} missing{means}"
        given = first["input"]
        shown = "" if isinstance(given, (dict, list)) else f", not {given!r:.40}"
        yield f"{called}{reason(error)}{shown}{means}"


def _column_faults(
    attributes: Mapping[str, Any], columns: Mapping[str, str], own: str, called: str
) -> Iterator[str]:
    """Yield what is no value of a column, of those that Spark-DSG has a field for and of this project's."""
    for native in NATIVE.values():
        if native.field in attributes:
            yield from _unread(native.read, [attributes[native.field]], native.field, called)
    if attributes.get("boundary") is not None:
        yield from _fault(list[Vector], attributes["boundary"], f"{called}: attributes.boundary: ")
    matrix = attributes.get("semantic_feature")
    yield from _unread(mean_feature, matrix, "attributes.semantic_feature", called)
    rotation = (attributes.get("bounding_box") or {}).get("world_R_center")
    if rotation:
        yield from _unread(quaternions, [rotation], "bounding_box", called)
    kept = (attributes.get("metadata") or {}).get(own, {})
    if not isinstance(kept, dict):
        yield f"{called}: metadata.{own}: is {kept!r:.40}, not a table of values"
        return
    for name, kind in columns.items():
        if name in kept:
            yield from _unread(np.dtype(kind).type, kept[name], f"{own}.{name}", called)


def _unread(read: Callable[[Any], Any], value: Any, name: str, called: str) -> Iterator[str]:
    try:
        read(value)
    except MALFORMED as error:
        yield f"{called}: {name}: {reason(error)}"
