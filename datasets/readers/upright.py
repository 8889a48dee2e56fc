"""The vertical of a recording whose world frame nobody leveled: floors, table tops and walls tell."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from commonground.arrays import Bools, Floats, Floats32, Ints
from commonground.datasets.images import read_image, to_meters
from commonground.datasets.readers.files import Shot
from commonground.datasets.trajectory import Trajectory
from commonground.errors import DataError
from commonground.frame import Camera

log = logging.getLogger(__name__)

FRAMES = 100
"""Frames looked at, evenly spread."""
BLOCK_PX = 32
"""Edge of the image blocks that planes are laid through: small ones follow the noise of depth."""
FILLED = 0.9
"""Share of a block's pixels that must have depth."""
ROUGH = 0.003
"""Standard deviation of points from their plane at 1 m, up to which a block is flat; it grows with z²."""
LEAN_DEG = 30.0
"""People hold a camera level on average; up is looked for within this angle of its mean up."""
FLAT_DEG = 4.0
NOISE_DEG = 1.0
"""Standard deviation of a block's normal."""
WALLS = 0.1
"""What a standing surface counts beside a level one: boards and books lean, floors and table tops do not."""
ROUNDS = 12
STRETCHES = 8
"""The recording is cut into so many stretches with errors of their own: their scatter tells how sure the
vertical is."""
LEAST_DEG = 0.25
"""No vertical is surer: depth cameras bend planes a little."""
UNSURE_DEG = 10.0
"""What is stated where no surface tells."""


FACING = 4.0
"""So many times as many level surfaces that face down as such that face up are seen by no camera held
upright: floors and table tops are what a camera sees, and undersides and ceilings seldom."""


class Upright(NamedTuple):
    """The vertical of a recording."""

    R_up_world: Floats
    """(3, 3) A rotation after which z is up."""
    sigma_deg: float
    """Standard deviation of its tilt."""

    def told(self) -> str:
        """Return how the world is turned, to be undone by who compares a map with the poses."""
        from commonground.geometry import log_so3

        turn = log_so3(self.R_up_world)
        angle = float(np.linalg.norm(turn))
        x, y, z = turn / max(angle, 1e-9)
        return f"turned by {np.rad2deg(angle):.1f}° about ({x:.3f}, {y:.3f}, {z:.3f})"


def upright(T_world_cam: Floats, camera: Camera, shots: list[Shot], unit: float) -> Upright:
    """Return the rotation after which z is up, found from the planes in the frames, and how sure it is.

    Up is the direction near the cameras' mean up to which most surfaces are parallel or at right angles.
    ``T_world_cam`` (n, 4, 4) may be fewer poses than shots; only the mean of the poses and the shots that
    can be read matter.
    """
    prior = -T_world_cam[:, :3, 1].mean(axis=0)
    prior /= max(float(np.linalg.norm(prior)), 1e-9)
    picked = np.linspace(0, len(T_world_cam) - 1, min(FRAMES, len(T_world_cam))).astype(int)
    shares = np.linspace(0, len(shots) - 1, len(T_world_cam)).astype(int)
    blocks = _Blocks.of(camera)
    seen = [
        _normals(blocks, camera, shots[shares[k]], unit) @ T_world_cam[k, :3, :3].T for k in picked
    ]
    stretch = np.repeat(np.arange(len(seen)) * STRETCHES // len(seen), [len(n) for n in seen])
    normals = np.concatenate(seen)
    if not len(normals):
        return Upright(_turn_to_z(prior), UNSURE_DEG)
    up, weight, level = _refined(normals, _best_up(normals, prior))
    if _faces_down(normals, weight, level, up):
        log.warning(
            "nearly all level surfaces face down as the images lie: the camera is taken to be held "
            "upside down, and the map is turned over; were it to look at a ceiling, that is wrong"
        )
        up = -up
    return Upright(_turn_to_z(up), _sigma_deg(normals, weight, level, up, stretch))


def leveled(
    trajectory: Trajectory, mount: Floats, camera: Camera, shots: list[Shot], unit: float
) -> tuple[Trajectory, str]:
    """Return the poses of a robot in a world whose z is up, and what was done: as they are where it is.

    A world on its side, such as one with y down, is turned. One that leans a little is as it was measured.
    """
    from commonground.geometry import exp_so3, transform

    found = upright(trajectory.T_odom_robot @ mount, camera, shots, unit)
    up = found.R_up_world[2]
    angle = np.rad2deg(np.arccos(np.clip(up[2], -1.0, 1.0)))
    if angle < LEAN_DEG or found.sigma_deg >= UNSURE_DEG:
        return trajectory, ""
    axis = np.cross(up, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    axis = axis / sine if sine > 1e-6 else np.array([1.0, 0.0, 0.0])
    turned = Upright(exp_so3(axis * np.deg2rad(angle)), found.sigma_deg)
    T = transform(turned.R_up_world, np.zeros(3))
    true = trajectory.T_world_robot
    moved = replace(
        trajectory,
        T_odom_robot=T @ trajectory.T_odom_robot,
        T_world_robot=None if true is None else T @ true,
    )
    return moved, (
        f"up is not z in these poses: the map's frame is theirs {turned.told()}; are they a camera's "
        "(y down, z forward), turned by x, y, z, w?"
    )


class _Blocks(NamedTuple):
    """The blocks that a camera's images are cut into, and what their planes are worked out from."""

    size: int
    """Edge in pixels."""
    products: Floats
    """(rows, size, cols, size, 3, 3) of each pixel's ray with itself; the rays are the last row."""

    @classmethod
    def of(cls, camera: Camera) -> _Blocks:
        size = max(1, min(BLOCK_PX, camera.width // 8, camera.height // 8))
        rows, cols = camera.height // size, camera.width // size
        rays = camera.rays()[: rows * size, : cols * size].astype(float)
        rays = rays.reshape(rows, size, cols, size, 3)
        return cls(size, rays[..., :, None] * rays[..., None, :])

    def normals(self, depth: Floats32) -> Floats:
        """Return unit normals (n, 3) of the flat blocks of a depth image, to the camera."""
        shape = self.products.shape[:4]
        z = depth[: shape[0] * self.size, : shape[2] * self.size].astype(float).reshape(shape)
        there = np.isfinite(z) & (z > 0)
        full = there.mean(axis=(1, 3)) >= FILLED
        z = np.where(there, z, 0.0)
        count = there.sum(axis=(1, 3))[full][:, None]
        mean = np.einsum("rucv,rucvi->rci", z, self.products[..., 2, :])[full] / count
        square = np.einsum("rucv,rucvij->rcij", z * z, self.products)[full] / count[..., None]
        values, vectors = np.linalg.eigh(square - mean[:, :, None] * mean[:, None, :])
        rough = ROUGH * (1.0 + mean[:, 2] ** 2)
        flat = (values[:, 0] < rough**2) & (values[:, 1] > 4.0 * values[:, 0])
        n = vectors[flat, :, 0]
        return np.asarray(-n * np.sign((n * mean[flat]).sum(axis=1))[:, None])


def _normals(blocks: _Blocks, camera: Camera, shot: Shot, unit: float) -> Floats:
    """Return the normals (n, 3) of an image's flat blocks; none if it cannot be read or is too small."""
    try:
        depth = to_meters(read_image(shot.depth, color=False), unit)
    except DataError:
        return np.empty((0, 3))
    if depth.shape != (camera.height, camera.width) or blocks.size < 2:
        return np.empty((0, 3))
    return blocks.normals(depth)


def _best_up(normals: Floats, prior: Floats) -> Floats:
    """Return the unit direction (3,) that most normals are along or across."""
    near = normals[np.abs(normals @ prior) > np.cos(np.deg2rad(LEAN_DEG))]
    near = near * np.sign(near @ prior)[:, None]
    candidates = np.concatenate([[prior], near[:: max(1, len(near) // 400)]])
    cosines = np.abs(candidates @ normals.T)
    along = (cosines > np.cos(np.deg2rad(FLAT_DEG))).sum(axis=1)
    across = (cosines < np.sin(np.deg2rad(FLAT_DEG))).sum(axis=1)
    return np.asarray(candidates[int((along + 0.5 * across).argmax())])


def _refined(normals: Floats, up: Floats) -> tuple[Floats, Floats, Bools]:
    """Return up by least squares on the normals along and across it, their weights, and which lie along."""
    sigma = np.deg2rad(NOISE_DEG)
    level = np.abs(normals @ up) > np.sqrt(0.5)
    weight = np.ones(len(normals))
    for _ in range(ROUNDS):
        cosine = np.clip(np.abs(normals @ up), 0.0, 1.0)
        level = cosine > np.sqrt(0.5)
        error = np.where(level, np.arccos(cosine), np.arcsin(cosine))
        weight = np.where(level, 1.0, WALLS) / (1.0 + (error / sigma) ** 2) ** 2
        outer = np.einsum("n,ni,nj->ij", np.where(level, -weight, weight), normals, normals)
        vector = np.linalg.eigh(outer)[1][:, 0]
        up = vector * np.sign(vector @ up)
    return up, weight, level


def _faces_down(normals: Floats, weight: Floats, level: Bools, up: Floats) -> bool:
    """Return whether level surfaces are seen from below, by far most of them."""
    along, counted = normals @ up, np.where(level, weight, 0.0)
    below, above = counted[along < 0].sum(), counted[along > 0].sum()
    return bool(below > FACING * (above + 1.0))


def _sigma_deg(normals: Floats, weight: Floats, level: Bools, up: Floats, stretch: Ints) -> float:
    """Return the standard deviation of the tilt, by how the stretches of a recording disagree."""
    across = np.linalg.svd(up[None])[2][1:]
    along = normals @ up
    tangent = normals @ across.T
    # a level normal tells both tilts, a wall the one towards it
    H = np.zeros((2, 2))
    gradient = np.zeros((STRETCHES, 2))
    rows = np.where(level, np.sign(along), -along)
    for k in range(STRETCHES):
        mine = stretch == k
        gradient[k] = (weight * rows)[mine] @ tangent[mine]
        walls = mine & ~level
        H += weight[mine & level].sum() * np.eye(2)
        H += (weight[walls, None] * tangent[walls]).T @ tangent[walls]
    if np.linalg.eigvalsh(H)[0] < 1.0:
        return UNSURE_DEG
    steps = gradient @ np.linalg.inv(H)
    scatter = float(np.sqrt(np.linalg.eigvalsh(steps.T @ steps)[-1]))
    return float(np.clip(np.rad2deg(np.hypot(scatter, np.deg2rad(LEAST_DEG))), 0.0, UNSURE_DEG))


def _turn_to_z(up: Floats) -> Floats:
    """Return the smallest rotation that turns ``up`` into +z after the usual swap of camera axes."""
    from commonground.datasets.simulator.robots import R_BODY_OPTICAL
    from commonground.geometry import exp_so3

    v = R_BODY_OPTICAL @ up  # a camera held level already has its up along z here
    axis = np.cross(v, [0.0, 0.0, 1.0])
    sine = float(np.linalg.norm(axis))
    angle = float(np.arctan2(sine, v[2]))
    if sine < 1e-9:  # upside down: about any level axis
        axis, sine = np.array([1.0, 0.0, 0.0]), 1.0
    turn = exp_so3(axis / max(sine, 1e-12) * angle)
    return np.asarray(turn @ R_BODY_OPTICAL)
