"""SceneGraph → Spark-DSG's JSON document."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Ids
from commonground.errors import SceneError
from commonground.scene.decode import OWN, SCHEMA, UNLABELED, mean_feature
from commonground.scene.graph import STANDARD, Mesh, SceneGraph
from commonground.scene.layer import NO_LABEL, REGIONS, SURFACE_PLACES, Edges, Layer, LayerKey
from commonground.scene.native import NATIVE, Native
from commonground.symbols import symbol_of

SPARK_NAMES = {
    "OBJECTS": STANDARD["objects"],
    "AGENTS": STANDARD["objects"],
    "PLACES": STANDARD["places"],
    "ROOMS": REGIONS,
    "BUILDINGS": STANDARD["buildings"],
}
"""The layer names every Spark-DSG graph has."""
Node = dict[str, Any]


def document_of(graph: SceneGraph, version: tuple[int, int, int]) -> dict[str, Any]:
    """Return the JSON document of a graph; SceneError if a column holds what no file can."""
    for name, layer in graph.layers.items():
        bad = np.flatnonzero(~np.isfinite(layer.positions).all(axis=1))
        if len(bad):
            node = symbol_of(int(layer.ids[bad[0]]))
            raise SceneError(
                f"the position of {node} in layer '{name}' is not finite; nothing was written"
            )
    nodes: list[Node] = []
    own: dict[str, dict[str, str]] = {}
    for name, layer in graph.layers.items():
        members, columns = _nodes(layer)
        nodes += members
        if columns:
            own[name] = columns
    document: dict[str, Any] = {
        "SPARK_DSG_header": {
            "project_name": "main",
            "version": dict(zip(("major", "minor", "patch"), version, strict=True)),
        },
        "directed": False,
        "multigraph": False,
        "layer_keys": [_key(layer.key) for layer in graph.layers.values()],
        "layer_names": {name: _key(key) for name, key in _layer_names(graph).items()},
        "metadata": _metadata(graph, own),
        "nodes": nodes,
        "edges": list(_edges(graph)),
    }
    if graph.mesh is not None:
        document["mesh"] = _mesh(graph.mesh, version)
    return document


def _key(key: LayerKey) -> dict[str, int]:
    return {"layer": key.layer, "partition": key.partition}


def _layer_names(graph: SceneGraph) -> dict[str, LayerKey]:
    names = {**SPARK_NAMES, **graph.layer_names}
    if graph.has("surface_places") and graph.surface_places.key == SURFACE_PLACES:
        names.setdefault("MESH_PLACES", SURFACE_PLACES)
    return names


def _metadata(graph: SceneGraph, own: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    metadata = {k: v for k, v in graph.metadata.items() if k not in (OWN, "labelspaces")}
    spaces = {}
    for name, space in graph.labelspaces.items():
        key = graph.layers[name].key if name in graph.layers else STANDARD.get(name)
        if key is not None:
            spaces[f"_l{key.layer}p{key.partition}"] = [[k, space[k]] for k in sorted(space)]
    if spaces:
        metadata["labelspaces"] = spaces
    kept = {k: v for k, v in graph.metadata.get(OWN, {}).items() if k not in ("schema", "columns")}
    if own or kept:
        metadata[OWN] = {**kept, "schema": SCHEMA, "columns": own}
    return metadata


# ---- nodes ----


def _nodes(layer: Layer) -> tuple[list[Node], dict[str, str]]:
    """Return the layer's nodes, and which columns went to the metadata, with their types."""
    template = _template(layer.kind)
    natives = {name: native for name, native in NATIVE.items() if native.field in template}
    own = {name: column for name, column in layer.columns.items() if name not in natives}
    own_values = {name: _json_list(column) for name, column in own.items()}
    columns = _native_columns(layer, template, natives)
    nodes = []
    for row in range(len(layer)):
        kept = layer.extras[row] if layer.extras else {}
        attributes = {**template, **kept, **_given(columns, row)}
        metadata = {k: v for k, v in (attributes.get("metadata") or {}).items() if k != OWN}
        if own:
            metadata[OWN] = {name: values[row] for name, values in own_values.items()}
        attributes["metadata"] = metadata
        nodes.append({"id": int(layer.ids[row]), **_key(layer.key), "attributes": attributes})
    return nodes, {name: str(column.dtype) for name, column in own.items()}


def _given(columns: Mapping[str, list[Any]], row: int) -> Node:
    return {field: values[row] for field, values in columns.items() if values[row] is not None}


def _native_columns(
    layer: Layer, template: Node, natives: Mapping[str, Native]
) -> dict[str, list[Any]]:
    """Return Spark-DSG field → value per node, None where the node keeps what it has."""
    out: dict[str, list[Any]] = {"position": layer.positions.tolist()}
    if "ellipse_centroid" in template and not layer.extras:
        out["ellipse_centroid"] = layer.positions.tolist()
    if "semantic_label" in template:
        out["semantic_label"] = [UNLABELED if x == NO_LABEL else x for x in layer.labels.tolist()]
        out["name"] = list(layer.names)
    for name, native in natives.items():
        if name in layer.columns:
            out[native.field] = native.write(layer.columns[name].tolist())
    return out | _shapes(layer, template)


def _shapes(layer: Layer, template: Node) -> dict[str, list[Any]]:
    """Return the fields of boxes, features and outlines that the kind of node has."""
    out: dict[str, list[Any]] = {}
    if layer.boxes is not None and "bounding_box" in template:
        out["bounding_box"] = _boxes(layer)
    if layer.features is not None and "semantic_feature" in template:
        out["semantic_feature"] = [
            _feature(v, layer.extras[row].get("semantic_feature") if layer.extras else None)
            for row, v in enumerate(layer.features)
        ]
    if layer.boundaries is not None and isinstance(template.get("boundary"), list):
        out["boundary"] = [layer.boundaries[i].tolist() for i in range(len(layer))]
    return out


def _boxes(layer: Layer) -> list[Any]:
    boxes = layer.boxes
    out: list[Any] = []
    if boxes is None:
        return [None] * len(layer)
    for row, valid in enumerate(boxes.valid):
        if not valid:
            out.append(None)
            continue
        w, x, y, z = boxes.quat_wxyz[row].tolist()
        before = layer.extras[row].get("bounding_box", {}) if layer.extras else {}
        upright = abs(w) > 1 - 1e-12
        kind = before.get("type") if before.get("type") not in (None, "INVALID") else None
        out.append(
            {
                "type": kind or ("AABB" if upright else "OBB"),
                "world_P_center": boxes.centers[row].tolist(),
                "dimensions": boxes.sizes[row].tolist(),
                "world_R_center": {"w": w, "x": x, "y": y, "z": z},
            }
        )
    return out


def _feature(vector: Any, before: Any) -> Any:
    """Return a vector as files hold it; the views that it is the mean of where it is as it was read."""
    if not np.isfinite(vector).all():
        return None
    known = mean_feature(before)
    if known is not None and np.array_equal(vector, known):
        return before
    if (vector == np.rint(vector)).all():  # looks of our maps are: without ".0" a third less text
        data = vector.astype(np.int64).tolist()
    else:  # the shortest text that reads back as the same 32 bits: half of what all digits of 64 take
        data = vector.astype(str).astype(float).tolist()
    return {"rows": len(vector), "cols": 1, "data": data}


def _json_list(column: Any) -> list[Any]:
    """Return nested lists with null for NaN, which JSON has not."""
    if not np.issubdtype(column.dtype, np.floating) or np.isfinite(column).all():
        return list(column.tolist())
    values = column.astype(object)
    values[~np.isfinite(column)] = None
    return list(values.tolist())


@lru_cache(maxsize=32)
def _template_text(kind: str) -> str:
    """Return the attributes of a fresh node of this kind as the installed Spark-DSG writes them."""
    import spark_dsg

    if not hasattr(spark_dsg, kind):
        return "{}"
    attributes = getattr(spark_dsg, kind)()
    attributes.position = np.zeros(3)
    graph = spark_dsg.DynamicSceneGraph()
    graph.add_node(2, 0, attributes)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "node.json")
        graph.save(str(file), False)
        template = json.loads(file.read_text())["nodes"][0]["attributes"]
    template |= {field: value for field, value in _UNSET.items() if field in template}
    return json.dumps(template)


_UNSET: dict[str, Any] = {
    "ellipse_matrix_expand": [1, 0, 0, 1],
    "ellipse_matrix_compress": [1, 0, 0, 1],
    "ellipse_centroid": [0.0, 0.0, 0.0],
    "external_key": 0,
    "world_R_body": {"w": 1.0, "x": 0.0, "y": 0.0, "z": 0.0},
}
"""Fields that the library leaves uninitialized: a fresh node would hold whatever was in memory."""


def _template(kind: str) -> Node:
    return dict(copy.deepcopy(json.loads(_template_text(kind))), type=kind)


# ---- edges and mesh ----


def _edges(graph: SceneGraph) -> Iterator[dict[str, Any]]:
    for layer in graph.layers.values():
        yield from _edge_list(layer.edges, layer.ids, layer.ids, parent_first=False)
    for (child, parent), edges in graph.links.items():
        lower, upper = graph.layers[child].ids, graph.layers[parent].ids
        yield from _edge_list(edges, lower, upper, parent_first=True)


def _edge_list(
    edges: Edges, first: Ids, second: Ids, *, parent_first: bool
) -> Iterator[dict[str, Any]]:
    a = first[edges.rows[:, 0]].tolist()
    b = second[edges.rows[:, 1]].tolist()
    default = {"type": "EdgeAttributes", "metadata": {}, "weighted": False}
    for i, weight in enumerate(edges.weights.tolist()):
        info = {**default, **(edges.extras[i] if edges.extras else {}), "weight": weight}
        info["weighted"] = info["weighted"] or weight != 1.0
        source, target = (b[i], a[i]) if parent_first else (a[i], b[i])
        yield {"source": source, "target": target, "info": info}


def _mesh(mesh: Mesh, version: tuple[int, int, int]) -> dict[str, Any]:
    colors = (
        mesh.colors if mesh.colors is not None else np.full((len(mesh.vertices), 3), 128, np.uint8)
    )
    out: dict[str, Any] = {
        "header": {
            "project_name": "main",
            "version": dict(zip(("major", "minor", "patch"), version, strict=True)),
        },
        "has_colors": True,
        "has_labels": mesh.labels is not None,
        "has_timestamps": False,
        "has_first_seen_stamps": False,
        "points": mesh.vertices.astype(np.float32).tolist(),
        "faces": mesh.faces.tolist(),
        "colors": NATIVE["color"].write(colors.tolist()),
    }
    if mesh.labels is not None:
        out["labels"] = [UNLABELED if x == NO_LABEL else x for x in mesh.labels.tolist()]
    return out
