"""How far the fixes of a drive are off, where its true path and that of the map are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from commonground.arrays import Floats
from commonground.errors import DataError
from commonground.geometry import gravity_aligned, inverse
from commonground.localization.nearby import upright_gap
from commonground.mapping.locating import Fix
from commonground.names import within
from commonground.run_folder import RunFolder
from commonground.tum import read_tum

TRUE, SAME_TIME_S = "ground_truth.tum", 0.05


def paths_of(map_file: Path) -> list[tuple[Path, Path]]:
    """Return the files of the paths of a map, and of the true ones beside them; some may not be there."""
    folder = map_file.parent
    if (folder / "trajectory.tum").is_file():
        return [(folder / "trajectory.tum", folder / TRUE)]
    run = RunFolder(folder.parent)
    return [
        (path, within(run.robot(path.stem), TRUE))
        for path in sorted((folder / "trajectories").glob("*.tum"))
    ]


def true_poses(fixes: Sequence[Fix], own: Path | None) -> list[Floats | None]:
    """Return where the submaps of fixes really were; ``own`` is the folder of a drive mapped before."""
    if own is None:
        return [None if fix.seen is None else fix.seen.T_world_submap for fix in fixes]
    try:
        stamps, poses = read_tum(own / TRUE)
    except DataError:
        return [None for _ in fixes]
    gaps = [np.abs(stamps - fix.estimate.stamp_ns) for fix in fixes]
    return [
        gravity_aligned(poses[gap.argmin()]) if gap.min() <= SAME_TIME_S * 1e9 else None
        for gap in gaps
    ]


def fix_scores(
    fixes: Sequence[Fix], true: Sequence[Floats | None], T_world_map: Floats
) -> Mapping[str, float]:
    """Return medians, the worst and the mean squared error by the covariance; empty without true poses."""
    off, nees = [], []
    for fix, T_true in zip(fixes, true, strict=True):
        T, covariance = fix.estimate.T_map_submap, fix.estimate.covariance_submap
        if T_true is None or T is None or covariance is None:
            continue
        gap = upright_gap(T, gravity_aligned(inverse(T_world_map) @ T_true))[[0, 1, 3]]
        off.append((float(np.hypot(*gap[:2])), abs(float(np.degrees(gap[2])))))
        nees.append(float(gap @ np.linalg.solve(covariance[np.ix_([0, 1, 5], [0, 1, 5])], gap)))
    if not off:
        return {}
    meters, degrees = np.array(off).T
    return {
        "fixes": len(off),
        "median_m": round(float(np.median(meters)), 4),
        "median_deg": round(float(np.median(degrees)), 3),
        "worst_m": round(float(meters.max()), 4),
        "nees": round(float(np.mean(nees)), 3),
    }
