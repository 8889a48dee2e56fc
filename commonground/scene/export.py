"""Scene graphs for other programs: GraphML, GeoJSON, PLY, glTF, PNG."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from commonground.atomic import replacing, write_text, write_with
from commonground.errors import SceneError, did_you_mean
from commonground.scene.draw import draw_scene, footprint, save_figure
from commonground.scene.files import save_scene
from commonground.scene.glb import write_glb
from commonground.scene.graph import SceneGraph
from commonground.scene.hues import color_of


def export_scene(graph: SceneGraph, path: str | Path, form: str | None = None) -> Path:
    """Write a graph in one of the FORMATS; the ending of the name decides if none is told."""
    target = Path(path)
    name = (form or target.suffix.removeprefix(".")).lower()
    if name not in FORMATS:
        known = ", ".join(FORMATS)
        raise SceneError(
            f"{target}: '{name}' is no format to export to; use {known}.{did_you_mean(name, FORMATS)}"
        )
    said = target.suffix.removeprefix(".").lower()
    if name == "sparkdsg" and said in SPARK_DSG:  # the same graph, in the form that its ending says
        name = said
    if said not in (name, "json" if name == "geojson" else name) and said in (*FORMATS, *PICTURES):
        raise SceneError(f"{target}: would hold {name} under the name of {said}; end it in .{name}")
    FORMATS[name](graph, target)
    return target


def _graphml(graph: SceneGraph, path: Path) -> None:
    import networkx as nx

    out = nx.Graph()
    for name, layer in graph.layers.items():
        for symbol, at, word, title in zip(
            layer.symbols,
            layer.positions.tolist(),
            graph.label_words(name),
            layer.names,
            strict=True,
        ):
            out.add_node(
                symbol,
                layer=name,
                x=at[0],
                y=at[1],
                z=at[2],
                label=_plain(word),
                name=_plain(title),
            )
    for name, layer in graph.layers.items():
        symbols, meters = layer.symbols, _lengths(layer)
        for (a, b), length in zip(layer.edges.rows.tolist(), meters.tolist(), strict=True):
            out.add_edge(symbols[a], symbols[b], kind=name, length_m=length)
    for (child, parent), edges in graph.links.items():
        low, high = graph.layers[child].symbols, graph.layers[parent].symbols
        for a, b in edges.rows.tolist():
            out.add_edge(low[a], high[b], kind=f"{child} in {parent}")
    with replacing(path) as temporary:
        nx.write_graphml(out, temporary)


def _plain(text: str) -> str:
    """Return a text without the characters that XML has no way to write."""
    return "".join(c for c in text if c.isprintable() or c in "\t\n")


def _lengths(layer: Any) -> Any:
    ends = layer.positions[layer.edges.rows]
    return np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)


def _geojson(graph: SceneGraph, path: Path) -> None:
    """Write features in the map's own metric frame; GIS programs show it as a local projection."""
    features = []
    for name, layer in graph.layers.items():
        words = graph.label_words(name)
        corners = None if layer.boxes is None else layer.boxes.corners()
        for i, symbol in enumerate(layer.symbols):
            shape: dict[str, Any] = {"type": "Point", "coordinates": layer.positions[i].tolist()}
            if layer.boundaries is not None and len(layer.boundaries[i]) > 2:
                ring = layer.boundaries[i].tolist()
                shape = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
            elif name == "objects" and corners is not None and np.isfinite(corners[i]).all():
                ring = footprint(corners[i]).tolist()
                shape = {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}
            properties = {
                "symbol": symbol,
                "layer": name,
                "label": words[i],
                "name": layer.names[i],
            }
            features.append({"type": "Feature", "geometry": shape, "properties": properties})
    note = "coordinates are meters in the map frame, x and y"
    write_text(path, json.dumps({"type": "FeatureCollection", "note": note, "features": features}))


def _ply(graph: SceneGraph, path: Path) -> None:
    write_ply(path, *_shape(graph, path))


def _glb(graph: SceneGraph, path: Path) -> None:
    write_glb(path, *_shape(graph, path))


def _shape(graph: SceneGraph, path: Path) -> tuple[Any, Any, Any]:
    """Return points, colors and triangles of the mesh; without one, of all layers' nodes as points."""
    mesh = graph.mesh
    if mesh is not None and len(mesh.vertices):
        gray = np.full((len(mesh.vertices), 3), 128, np.uint8)
        return mesh.vertices, gray if mesh.colors is None else mesh.colors, mesh.faces
    layers = [layer for layer in graph.layers.values() if len(layer)]
    if not layers:
        raise SceneError(f"{path}: the graph is empty, there is nothing to export")
    points = np.concatenate([layer.positions for layer in layers])
    shades = [[int(color_of(i)[k : k + 2], 16) for k in (1, 3, 5)] for i in range(len(layers))]
    colors = np.repeat(np.array(shades, np.uint8), [len(layer) for layer in layers], axis=0)
    return points, colors, np.empty((0, 3), np.int32)


def write_ply(path: str | Path, points: Any, colors: Any, faces: Any) -> None:
    """Write a binary PLY of points (n, 3), colors (n, 3) and triangles (m, 3)."""
    vertex = np.empty(len(points), [("p", "<f4", 3), ("c", "u1", 3)])
    vertex["p"], vertex["c"] = points, colors
    face = np.empty(len(faces), [("n", "u1"), ("v", "<i4", 3)])
    face["n"], face["v"] = 3, faces
    header = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(points)}\n"
        "property float x\nproperty float y\nproperty float z\n"
        "property uchar red\nproperty uchar green\nproperty uchar blue\n"
        f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    write_with(path, lambda file: file.write(header.encode() + vertex.tobytes() + face.tobytes()))


def _png(graph: SceneGraph, path: Path) -> None:
    save_figure(draw_scene(graph), path)


FORMATS: dict[str, Callable[[SceneGraph, Path], object]] = {
    "graphml": _graphml,
    "geojson": _geojson,
    "ply": _ply,
    "glb": _glb,
    "png": _png,
    "json": save_scene,
    "bson": save_scene,
    "sparkdsg": save_scene,
}
"""Format name → writer."""
SPARK_DSG = ("json", "bson", "sparkdsg")
"""All are files of Spark-DSG: as text, as BSON, and in its own binary form."""
PICTURES = ("jpg", "jpeg", "svg", "pdf", "gif", "webp", "tif", "tiff", "bmp")
"""Endings of names that promise a picture of another kind than is drawn here."""
MESHED = ("ply", "glb", "json", "bson", "sparkdsg")
"""Formats that show a mesh."""
