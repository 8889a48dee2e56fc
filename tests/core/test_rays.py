"""Rays meet triangles without what Open3D's plots draw with, which plots then load themselves."""

from __future__ import annotations

import subprocess
import sys

from tests.optional import needs

needs("open3d", "dash")

PROGRAM = """
import sys
import numpy as np
from commonground.rays import Triangles

floor = Triangles([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
down = np.array([[1, 1, 2, 0, 0, -1], [9, 9, 2, 0, 0, -1]], np.float32)
assert np.allclose(floor.cast(down)["t_hit"].numpy(), [2.0, np.inf])
assert not {"dash", "plotly"} & set(sys.modules)
import open3d
assert open3d.visualization.get_plotly_fig([]).data == ()
assert "plotly" in sys.modules
"""


def test_rays_meet_triangles_and_nothing_is_loaded_for_plots() -> None:
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
