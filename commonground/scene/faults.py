"""Where a document is no scene graph: the node and the field, looked for once reading has failed.

Reading takes whole columns at a time and then knows only that something is wrong; here every part
is looked at by itself.
"""

from __future__ import annotations

import itertools
import math
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
from commonground.scene.decode import FARTHEST_M, LARGEST_ID, mean_feature
from commonground.scene.native import NATIVE, quaternions
from commonground.symbols import symbol_of

Coordinate = StrictFloat | None
Vector = tuple[Coordinate, Coordinate, Coordinate]
POINTS = {"position", "world_P_center", "dimensions"}
Number = StrictInt | str
MOST = 6
"""So many parts that are missing are named at once."""
MOST_BROKEN = 0.03
"""Of the nodes, and of the edges, of a map that is read without them."""


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
    nodes = (why for why in node_faults(document, own) if why)
    return next(itertools.chain(_fault(_Document, document, ""), nodes), None)


def without_broken(
    document: Mapping[str, Any], own: str
) -> tuple[Mapping[str, Any], list[str]] | None:
    """Return a document without nodes that are broken, and edges that lead nowhere, and what was left out.

    None where nothing can be left out, or where so much is broken that what is left is no map.
    """
    if any(_fault(_Document, document, "")):
        return None
    faults = list(node_faults(document, own))
    nodes = [n for n, why in zip(document["nodes"], faults, strict=True) if not why]
    there = {node["id"] for node in nodes}
    edges = [e for e in document["edges"] if there.issuperset((e["source"], e["target"]))]
    broken, nowhere = list(filter(None, faults)), list(_nowhere(document))
    shares = (len(broken), len(faults)), (len(nowhere), len(document["edges"]))
    told = [*broken, *nowhere]
    many = any(count > MOST_BROKEN * of for count, of in shares)
    return None if many or not told else ({**document, "nodes": nodes, "edges": edges}, told)


def _nowhere(document: Mapping[str, Any]) -> Iterator[str]:
    """Yield what edges lead to that no node is, broken or not."""
    known = {node.get("id") for node in document["nodes"] if isinstance(node, dict)}
    for ends in ((edge["source"], edge["target"]) for edge in document["edges"]):
        if not known.issuperset(ends):
            joined = " and ".join(symbol_of(x) if _is_id(x) else str(x) for x in ends)
            yield f"an edge joins {joined}, and there is no such node"


def node_faults(document: Mapping[str, Any], own: str) -> Iterator[str]:
    """Yield what is wrong with each node of a document, '' where nothing is."""
    nodes = document.get("nodes")
    if not isinstance(nodes, list):
        return
    columns: dict[str, str] = {}
    for found in document.get("metadata", {}).get(own, {}).get("columns", {}).values():
        columns |= found
    seen = set[int]()
    for number, node in enumerate(nodes):
        called = f"node {number + 1} of the file"
        known = isinstance(node, dict) and _is_id(node.get("id"))
        called = f"node {symbol_of(node['id'])}" if known else called
        why = next(_fault(_Node, node, f"{called}: "), "")
        why = why or next(_place_faults(node["attributes"], called), "")
        why = why or next(_column_faults(node["attributes"], columns, own, called), "")
        if not why and node["id"] in seen:
            why = f"the {called} is there twice"
        yield why
        if not why:
            seen.add(node["id"])


def _is_id(value: Any) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_ID


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


def _place_faults(attributes: Mapping[str, Any], called: str) -> Iterator[str]:
    """Yield where a node and its box are on no map."""
    box = attributes.get("bounding_box") or {"type": "INVALID"}
    centered = box["type"] != "INVALID"
    for name, point in (
        ("position", attributes["position"]),
        ("center of the box", box["world_P_center"] if centered else (0, 0, 0)),
    ):
        values = [math.nan if x is None else x for x in point]
        if not all(map(math.isfinite, values)):
            yield f"{called}: its {name} is not finite: x, y, z in meters"
        elif max(map(abs, values)) > FARTHEST_M:
            yield f"{called}: its {name} is on no map: x, y, z in meters"


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
