"""A mesh beside a scene graph goes along into the formats that show one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from commonground.mapping import load_meshed
from commonground.mapping.surface.mesh_part import MeshPart
from commonground.mapping.surface.ply import write_mesh
from commonground.scene import SceneGraph, load_scene, save_scene
from commonground.scene.export import export_scene


def test_a_map_is_exported_with_the_mesh_beside_it(tmp_path: Path) -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0]], np.float32)
    red, stamps = np.full((3, 3), (255, 0, 0), np.uint8), np.zeros(3, np.int64)
    part = MeshPart(
        stamps, corners, red, np.full(3, -1, np.int32), stamps, stamps, np.array([[0, 1, 2]])
    )
    write_mesh(part, tmp_path / "mesh.ply")
    save_scene(SceneGraph(), tmp_path / "scene.json")
    graph = load_meshed(tmp_path / "scene.json")
    for name in ("out.json", "out.glb"):
        export_scene(graph, tmp_path / name)
    mesh = load_scene(tmp_path / "out.json").mesh
    assert mesh is not None
    assert mesh.colors is not None
    assert np.allclose(mesh.vertices, corners)
    assert (mesh.colors == red).all()
    data = (tmp_path / "out.glb").read_bytes()
    length = int.from_bytes(data[12:16], "little")
    views = json.loads(data[20 : 20 + length])["bufferViews"]
    body = data[28 + length :]
    assert np.allclose(np.frombuffer(body, "<f4", 9).reshape(3, 3), corners)
    where = views[2]["byteOffset"]
    assert np.frombuffer(body, "<u4", 3, where).tolist() == [0, 1, 2]
