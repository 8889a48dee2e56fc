"""A mesh is where surfaces were seen: what is guessed to lie behind them has no back."""

from __future__ import annotations

import numpy as np

from commonground.frame import Camera, Frame
from commonground.geometry import transform
from commonground.mapping.surface.field import DistanceField
from commonground.mapping.surface.nets import extract
from commonground.mapping.surface.settings import SurfaceSettings

BOARD_M, WALL_M = 1.5, 4.0
VOXEL_M = 0.1


def look(focal: float, T_odom_cam: np.ndarray, depth_m: np.ndarray) -> Frame:
    h, w = depth_m.shape
    K = np.array([[focal, 0, w / 2], [0, focal, h / 2], [0, 0, 1]])
    image = np.zeros((h, w, 3), np.uint8)
    return Frame(0, "a", Camera("rgb", K, w, h), image, depth_m.astype(np.float32), T_odom_cam)


def test_free_space_behind_a_board_gives_it_no_second_face() -> None:
    depth = np.full((72, 96), WALL_M)
    depth[16:56, 28:68] = BOARD_M
    front = look(60.0, np.eye(4), depth)
    # along the board, through what its front hides: nothing but the wall of the room, far away
    along = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    side = look(280.0, transform(along, np.array([-3.0, 0, 2.2])), np.full((72, 96), 6.0))
    field = DistanceField(SurfaceSettings(voxel_m=VOXEL_M))
    for frame in (*[front] * 12, *[side] * 3):
        field.integrate(frame)
    blocks = field.blocks
    mesh = extract(blocks, blocks.unread(), 0.03)
    middle = mesh.vertices[np.abs(mesh.vertices[:, :2]).max(axis=1) < 0.3]
    before_wall = middle[middle[:, 2] < WALL_M - 0.5]
    assert len(before_wall) > 20
    assert np.abs(before_wall[:, 2] - BOARD_M).max() < 0.5 * VOXEL_M
