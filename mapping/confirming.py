"""Whether a robot is where its objects say, by surfaces: in a small room few objects agree, but walls do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from commonground.geometry import gravity_aligned, inverse
from commonground.localization import Estimate, State
from commonground.mapping.fusion.closures import moved_covariance
from commonground.mapping.fusion.overlay import Sight, overlay
from commonground.mapping.locating import find_map
from commonground.mapping.surface.ply import read_mesh
from commonground.run_folder import SCENE
from commonground.scene import load_scene

LIKELY = 0.9
"""Confidence from which it is looked whether the surfaces say the same."""


def sight_of(folder: Path) -> Sight | None:
    """Return the surfaces of a robot's folder or a fused map, and from where they were seen; None without."""
    if not ((folder / "mesh.ply").is_file() and (folder / SCENE).is_file()):
        return None
    agents = load_scene(folder / SCENE).agents.values()
    eyes = np.concatenate([np.empty((0, 3)), *(agent.positions for agent in agents)])
    return Sight(read_mesh(folder / "mesh.ply"), eyes)


def find_sights(map_: str | Path, own: str | Path) -> tuple[Sight, Sight] | None:
    """Return the surfaces of a map and of a robot's own; None unless both show a room's."""
    seen = [
        s for s in map(sight_of, (find_map(map_).parent, find_map(own).parent)) if s is not None
    ]
    return (seen[0], seen[1]) if len(seen) == 2 and all(s.small for s in seen) else None


def confirmed(estimate: Estimate, mapped: Sight, own: Sight) -> Estimate:
    """Return a likely estimate as surfaces have it where they and free space agree, else as it is."""
    T, T_submap = estimate.T_map_odom, estimate.T_map_submap
    if T is None or T_submap is None or estimate.confidence < LIKELY:
        return estimate
    seen = overlay(mapped, own, T, T_submap[:3, 3])
    if seen is None or not seen.holds:
        return estimate
    T_odom_submap = inverse(T) @ T_submap
    return replace(
        estimate,
        state=State.LOCALIZED,
        T_map_odom=seen.T,
        covariance=seen.covariance,
        T_map_submap=gravity_aligned(seen.T @ T_odom_submap),
        covariance_submap=moved_covariance(seen.covariance, T_odom_submap),
    )
