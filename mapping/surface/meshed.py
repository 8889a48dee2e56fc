"""A map's scene graph with its mesh, which lies in a file of its own: it is large, and few need it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from commonground.mapping.surface.ply import read_mesh
from commonground.scene import SceneGraph, load_scene
from commonground.scene.graph import Mesh


def load_meshed(path: str | Path) -> SceneGraph:
    """Return the scene graph of a file, with the mesh that was mapped with it where it has none itself."""
    file = Path(path)
    graph, beside = load_scene(file), file.with_name("mesh.ply")
    if graph.mesh is not None or not beside.is_file():
        return graph
    part = read_mesh(beside)
    mesh = Mesh(part.vertices.astype(float), part.faces, part.colors, part.labels)
    return replace(graph, mesh=mesh)
