"""Spark-DSG's JSON document → SceneGraph."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from commonground.arrays import Floats, Floats32, Ints
from commonground.errors import MALFORMED, SceneError
from commonground.given import indices, vectors
from commonground.reasons import reason
from commonground.scene.graph import Mesh as SceneMesh
from commonground.scene.graph import SceneGraph, layer_name
from commonground.scene.layer import (
    KINDS,
    NO_LABEL,
    SURFACE_PLACES,
    Boxes,
    Column,
    Edges,
    Layer,
    LayerKey,
    Ragged,
)
from commonground.scene.native import NATIVE, quaternions
from commonground.symbols import symbol_of

SCHEMA = 1
"""Version of what this project keeps in a graph's metadata."""
OWN = "commonground"
"""Key of this project's part of the metadata of graphs and nodes."""
UNLABELED = 2**32 - 1
"""Spark-DSG's label of a node without one."""
SURFACE_NAMES = ("MESH_PLACES", "PLACES_2D")
"""Names files give to the layer of 2D places; old ones keep it under another key."""

LARGEST_ID = 2**64 - 1
MOST_TOLD = 6
"""Of what is broken so much is told one by one."""
FARTHEST_M = 1e7
"""Coordinates may count from anywhere on Earth, as those of a national grid do."""
WIDEST_M = 1e5

Document = Mapping[str, Any]
log = logging.getLogger(__name__)


def graph_of(document: Document, where: str) -> SceneGraph:
    """Return the scene graph of a document; ``where`` names it in errors.

    What is broken of it is told and left out, where it is little.
    """
    try:
        return _graph_of(document, where)
    except (SceneError, *MALFORMED) as error:
        from commonground.scene.faults import first_fault, without_broken

        whole = without_broken(document, OWN) if isinstance(document, Mapping) else None
        if whole is not None:
            kept, told = whole
            more = f"; and {len(told) - MOST_TOLD} more" if len(told) > MOST_TOLD else ""
            log.warning("%s: left out: %s%s", where, "; ".join(told[:MOST_TOLD]), more)
            return graph_of(kept, where)
        if isinstance(error, SceneError):
            raise
        fault = first_fault(document, OWN) or reason(error)
        raise SceneError(f"{where}: no valid scene graph: {fault}") from error


def _graph_of(document: Document, where: str) -> SceneGraph:
    own = document.get("metadata", {}).get(OWN, {})
    if own.get("schema", SCHEMA) > SCHEMA:
        raise SceneError(
            f"{where}: written with graph schema {own['schema']}, this version reads up to {SCHEMA}; "
            "upgrade commonground"
        )
    layer_names = {n: _key(k) for n, k in document.get("layer_names", {}).items()}
    names = _names(document, layer_names)
    nodes: dict[LayerKey, list[Document]] = {key: [] for key in names}
    for node in document["nodes"]:
        nodes.setdefault(_key(node), []).append(node)
    for key in nodes:
        names.setdefault(key, layer_name(key))
    where_is = _index(nodes)
    inner, links = _edges(document["edges"], where_is, where)
    layers = {
        names[key]: _layer(
            key, members, inner.get(key, []), own.get("columns", {}).get(names[key], {}), where
        )
        for key, members in sorted(nodes.items())
    }
    return SceneGraph(
        layers=layers,
        links={
            (names[a], names[b]): _edge_columns(found) for (a, b), found in sorted(links.items())
        },
        labelspaces=_labelspaces(document.get("metadata", {}), names),
        mesh=_mesh(document.get("mesh"), where),
        metadata=document.get("metadata", {}),
        layer_names=layer_names,
    )


def _key(entry: Document) -> LayerKey:
    return LayerKey(int(entry["layer"]), int(entry.get("partition", 0)))


def _names(document: Document, layer_names: Mapping[str, LayerKey]) -> dict[LayerKey, str]:
    """Name the layers by their keys; a 2D layer kept under another key is the surface places too."""
    names = {_key(k): layer_name(_key(k)) for k in document.get("layer_keys", [])}
    if SURFACE_PLACES not in names:
        for alias in SURFACE_NAMES:
            if layer_names.get(alias) in names:
                names[layer_names[alias]] = "surface_places"
    return names


def _index(nodes: Mapping[LayerKey, Sequence[Document]]) -> dict[int, tuple[LayerKey, int]]:
    found: dict[int, tuple[LayerKey, int]] = {}
    for key, members in nodes.items():
        for row, node in enumerate(members):
            if not 0 <= node["id"] <= LARGEST_ID or node["id"] in found:
                raise ValueError(f"the id {node['id']} is no number of its own")
            found[node["id"]] = (key, row)
    return found


_Found = list[tuple[int, int, Document]]


def _edges(
    edges: Sequence[Document], where_is: Mapping[int, tuple[LayerKey, int]], where: str
) -> tuple[dict[LayerKey, _Found], dict[tuple[LayerKey, LayerKey], _Found]]:
    inner: dict[LayerKey, _Found] = {}
    links: dict[tuple[LayerKey, LayerKey], _Found] = {}
    for edge in edges:
        source, target = where_is.get(edge["source"]), where_is.get(edge["target"])
        if source is None or target is None:
            missing = edge["source"] if source is None else edge["target"]
            other = edge["target"] if source is None else edge["source"]
            raise SceneError(
                f"{where}: an edge joins {symbol_of(other)} to {symbol_of(missing)}, "
                "and there is no such node"
            )
        info = edge.get("info", {})
        if source[0] == target[0]:
            inner.setdefault(source[0], []).append((source[1], target[1], info))
        else:
            child, parent = sorted((source, target))
            links.setdefault((child[0], parent[0]), []).append((child[1], parent[1], info))
    return inner, links


def _edge_columns(found: _Found) -> Edges:
    rows = np.array([(a, b) for a, b, _ in found], np.int64).reshape(-1, 2)
    return Edges(
        rows,
        np.array([e.get("weight", 1.0) for *_, e in found], float),
        tuple(e for *_, e in found),
    )


def _layer(
    key: LayerKey, nodes: Sequence[Document], edges: _Found, own: Mapping[str, str], where: str
) -> Layer:
    extras = tuple(_told(node["attributes"]) for node in nodes)
    n = len(nodes)
    ids = np.array([node["id"] for node in nodes], np.uint64)
    # null is what JSON writers make of NaN
    positions = _points([e["position"] for e in extras]).reshape(n, 3)
    boxes, boundaries = _boxes(extras), _boundaries(extras)
    _within_reach(positions, "position", where)
    if boxes is not None:
        _within_reach(boxes.centers[boxes.valid], "center of a box", where)
        _within_reach(boxes.sizes[boxes.valid], "size of a box", where)
    if boundaries is not None:
        _within_reach(boundaries.points, "boundary", where)
    labels = np.array([e.get("semantic_label", UNLABELED) for e in extras], np.int64)
    labels[labels == UNLABELED] = NO_LABEL
    return Layer(
        key=key,
        ids=ids,
        positions=positions,
        labels=labels.astype(np.int32),
        names=tuple("".join(e.get("name", "")) for e in extras),  # nothing but text is joined
        edges=_edge_columns(edges),
        boxes=boxes,
        features=_features(extras),
        boundaries=boundaries,
        columns=_columns(extras, own),
        kind=_kind(key, extras),
        extras=extras,
    )


def _kind(key: LayerKey, extras: Sequence[Document]) -> str:
    usual = KINDS.get(key, "SemanticNodeAttributes")
    return str(extras[0].get("type", usual)) if extras else "SemanticNodeAttributes"


def _told(attributes: Document) -> Document:
    """Return what a file says of a node; TypeError if that is no table, or its metadata are none."""
    if not isinstance(attributes.get("metadata") or {}, Mapping):
        raise TypeError("metadata are no table of values")
    return attributes


def _within_reach(points: Floats, what: str, where: str) -> None:
    """Refuse coordinates that no map has: what is computed with them would take for ever or overflow."""
    if not np.isfinite(points).all():
        raise ValueError(f"a {what} is not finite")
    with np.errstate(invalid="ignore"):
        far = np.abs(points) > FARTHEST_M
    if far.any():
        raise ValueError(f"a {what} is {points[far][0]:g} m, which lies on no map")
    width = float(np.nanmax(np.ptp(points, axis=0), initial=0.0)) if len(points) else 0.0
    if width > WIDEST_M:
        raise SceneError(
            f"{where}: of one layer, a {what} lies {width:g} m from another; maps up to "
            f"{WIDEST_M / 1000:g} km wide are read"
        )


def _points(lists: Sequence[Any]) -> Floats:
    """Return coordinates as numbers; texts that look like some are none."""
    points = np.array(lists)
    if points.dtype.kind not in "fiu" and any(isinstance(x, str | bool) for x in points.flat):
        raise ValueError("a coordinate is no number")
    return points.astype(float)


def _boxes(extras: Sequence[Document]) -> Boxes | None:
    boxes: list[Any] = [e.get("bounding_box") for e in extras]
    if not any(b and b["type"] != "INVALID" for b in boxes):
        return None
    none = {"type": "INVALID", "world_P_center": [0.0] * 3, "dimensions": [0.0] * 3}
    full: list[Any] = [b or none for b in boxes]
    valid = np.array([b["type"] != "INVALID" for b in full])
    sizes = _points([b["dimensions"] for b in full])
    upright: Document = {"w": 1.0, "x": 0.0, "y": 0.0, "z": 0.0}
    quats = [
        dict(box.get("world_R_center") or upright) if is_valid else upright
        for box, is_valid in zip(full, valid, strict=True)
    ]
    return Boxes(
        _points([b["world_P_center"] for b in full]),
        np.where(valid[:, None], sizes, np.nan),
        quaternions(quats),
    )


def _features(extras: Sequence[Document]) -> Floats32 | None:
    """Return one vector a node, where all that have one agree on its length.

    Clio and Khronos keep a column for each view: the mean over them counts, as there.
    """
    means = [mean_feature(e.get("semantic_feature")) for e in extras]
    sizes = {len(mean) for mean in means if mean is not None}
    if len(sizes) != 1:
        return None
    out = np.full((len(extras), sizes.pop()), np.nan, np.float32)
    for row, mean in enumerate(means):
        if mean is not None:
            out[row] = mean
    return out


def mean_feature(matrix: Any) -> Floats32 | None:
    """Return the mean column of a matrix as files hold it, a row alone as it is; None for an empty one."""
    if not isinstance(matrix, dict) or not matrix.get("data"):
        return None
    rows, columns = int(matrix.get("rows", 0)), int(matrix.get("cols", 0))
    data = np.asarray(matrix["data"], np.float32)
    if rows * columns != data.size or data.size < 2:
        return None
    if rows == 1:
        return data
    return np.asarray(data.reshape(rows, columns).mean(axis=1), np.float32)


def _boundaries(extras: Sequence[Document]) -> Ragged | None:
    lists = [e.get("boundary") for e in extras]
    if all(b is None for b in lists):
        return None
    return Ragged.of([vectors(_points(b or []), 3, "boundary", ValueError) for b in lists])


def _columns(extras: Sequence[Document], own: Mapping[str, str]) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    if not extras:
        return columns
    for name, native in NATIVE.items():
        values = [e[native.field] for e in extras if native.field in e]
        if len(values) == len(extras):
            columns[name] = native.read(values)
    for name, dtype in own.items():
        values = [e["metadata"][OWN][name] for e in extras]
        columns[name] = np.array(values, float if dtype.startswith("float") else dtype).astype(
            dtype
        )
    return columns


def _labelspaces(metadata: Document, names: Mapping[LayerKey, str]) -> dict[str, dict[int, str]]:
    """Read ``{"labelspaces": {"_l2p0": [[0, "unknown"], …]}}``."""
    spaces: dict[str, dict[int, str]] = {}
    for code, pairs in metadata.get("labelspaces", {}).items():
        layer, _, partition = code.removeprefix("_l").partition("p")
        key = LayerKey(int(layer), int(partition or 0))
        spaces[names.get(key, layer_name(key))] = {int(label): str(word) for label, word in pairs}
    return spaces


def _mesh(entry: Document | None, where: str) -> SceneMesh | None:
    if not entry or not entry.get("points"):
        return None
    points = np.array(entry["points"], float)
    _within_reach(points, "vertex of the mesh", where)
    colors = entry.get("colors")
    labels: Ints | None = np.array(entry["labels"], np.int64) if entry.get("labels") else None
    return SceneMesh(
        vertices=points,
        faces=indices(entry.get("faces", []), 3, "faces", ValueError).astype(np.int32),
        colors=np.array([(c["r"], c["g"], c["b"]) for c in colors], np.uint8) if colors else None,
        labels=None
        if labels is None
        else np.where(labels == UNLABELED, NO_LABEL, labels).astype(np.int32),
    )
