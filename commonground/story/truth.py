"""How the fused map lies in the true world, where that is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.geometry import align_points_yaw, apply
from commonground.runs import Run
from commonground.tum import read_tum

TRUTH = "ground_truth.tum"


def paths(run: Run) -> dict[str, tuple[Floats, Floats | None]]:
    """Return each fused robot's corrected positions (k, 3) in the map, and the true ones in the world."""
    out = {}
    for file in sorted((run.fused / "trajectories").glob("*.tum")):
        stamps_ns, fused = read_tum(file)
        out[file.stem] = (fused[:, :3, 3], _at(run.robot(file.stem) / TRUTH, stamps_ns))
    return out


def T_world_map(run: Run) -> Floats | None:
    """Return the upright pose of the map in the world that fits all paths best; None without a truth."""
    known = [(p, t) for p, t in paths(run).values() if t is not None]
    if not known:
        return None
    p_map, p_world = (np.concatenate(side) for side in zip(*known, strict=True))
    return align_points_yaw(p_map, p_world)


def errors_m(run: Run, T: Floats) -> dict[str, Floats]:
    """Return for each robot how far (k,) its corrected positions are from the true ones."""
    return {
        name: np.linalg.norm(apply(T, fused) - true, axis=1)
        for name, (fused, true) in paths(run).items()
        if true is not None
    }


def _at(file: Path, stamps_ns: Ints) -> Floats | None:
    """Return the positions of a TUM file at stamps; None without the file."""
    if not file.is_file():
        return None
    known_ns, true = read_tum(file)
    return np.stack([np.interp(stamps_ns, known_ns, true[:, k, 3]) for k in range(3)], axis=1)
