"""Triangles that rays meet, through Open3D."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np

from commonground.arrays import Floats32
from commonground.errors import require

PLOTS = "open3d.visualization.draw_plotly"


class Triangles:
    """A mesh for rays to meet."""

    def __init__(self, vertices: Any, faces: Any) -> None:
        require("open3d", "mapping")
        self._o3d = _open3d()
        self._scene = self._o3d.t.geometry.RaycastingScene()
        self._scene.add_triangles(
            self._o3d.core.Tensor.from_numpy(np.asarray(vertices, np.float32)),
            self._o3d.core.Tensor.from_numpy(np.asarray(faces, np.uint32)),
        )

    def cast(self, rays: Floats32) -> Mapping[str, Any]:
        """Return what rays (n, 6) of origin and direction meet: Open3D's tensors by their names."""
        found: Mapping[str, Any] = self._scene.cast_rays(self._o3d.core.Tensor.from_numpy(rays))
        return found


def _open3d() -> Any:
    """Import Open3D without what its plots draw with, a web server among it: half of all it loads.

    Who plots all the same has that loaded then.
    """

    def later(name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        return partial(_plotted, name)

    plots = ModuleType(PLOTS)
    plots.__getattr__ = later  # type: ignore[method-assign]
    sys.modules.setdefault(PLOTS, plots)
    try:
        return import_module("open3d")
    finally:
        if sys.modules.get(PLOTS) is plots:
            del sys.modules[PLOTS]


def _plotted(name: str, *given: Any, **named: Any) -> Any:
    return getattr(import_module(PLOTS), name)(*given, **named)
