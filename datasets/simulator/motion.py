"""How a robot drives a route: rounded corners, limits of speed and turning, the ground, shaking."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Bools, Floats, Ints
from commonground.datasets.simulator.robots import Body
from commonground.datasets.world.ground import Ground
from commonground.geometry import transform

TICK_HZ = 20.0
"""Poses a second; frames in between are interpolated."""
STEP_M = 0.05
CORNER_M, WANDER_M = 0.6, 0.1
"""Scale over which corners are rounded, and how far a robot strays from its lane, out of doors.

A right angle is cut by 0.35 m; the lanes are wide enough for both. Where there are doors both are halved.
"""
ACCEL_MPS2 = 0.6
GRACE = 1.5
"""Where a rounded corner is tightest, a robot may turn so many times faster than its limit for a moment."""
STANDSTILL_S = 1.0


def drive(
    route: Floats,
    ground: Ground,
    body: Body,
    speed_mps: float,
    rng: np.random.Generator,
    *,
    doors: bool = False,
) -> tuple[Floats, Floats]:
    """Return seconds (n,) and T_world_robot (n, 4, 4) of a traverse along points (k, 2)."""
    path = _rounded(route, 0.5 if doors else 1.0, rng)
    heading = np.unwrap(np.arctan2(*np.gradient(path, axis=0).T[::-1]))
    s, t = _timed(path, heading, body, speed_mps)
    ticks = np.arange(0, t[-1] + 2 * STANDSTILL_S, 1 / TICK_HZ)
    where = np.interp(ticks - STANDSTILL_S, t, s)
    xy = np.stack([np.interp(where, s, path[:, k]) for k in (0, 1)], axis=1)
    yaw = np.interp(where, s, heading)
    moving = np.gradient(where, ticks) > 0.05
    return ticks, _on_ground(xy, yaw, ground, _shaking(ticks, moving, body, rng))


def _rounded(route: Floats, scale: float, rng: np.random.Generator) -> Floats:
    """Return the route resampled evenly, corners rounded, wandering a little from side to side."""
    from scipy.ndimage import gaussian_filter1d

    at = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(route, axis=0), axis=1))])
    s = np.arange(0, at[-1], STEP_M)
    even = np.stack([np.interp(s, at, route[:, k]) for k in (0, 1)], axis=1)
    even = gaussian_filter1d(even, scale * CORNER_M / STEP_M, axis=0, mode="nearest")
    tangent = np.gradient(even, axis=0)
    tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-9)
    wander = gaussian_filter1d(rng.standard_normal(len(s)), 4.0 / STEP_M, mode="nearest")
    wander *= scale * WANDER_M / max(float(wander.std()), 1e-9)
    out = even + np.clip(wander, -2 * WANDER_M, 2 * WANDER_M)[:, None] * np.stack(
        [-tangent[:, 1], tangent[:, 0]], 1
    )
    return np.asarray(gaussian_filter1d(out, 0.2 / STEP_M, axis=0, mode="nearest"))


def _timed(path: Floats, heading: Floats, body: Body, speed_mps: float) -> tuple[Floats, Floats]:
    """Return arc lengths and times (n,) along a path under limits of speed, turn rate and acceleration."""
    step = np.linalg.norm(np.diff(path, axis=0), axis=1)
    s = np.concatenate([[0], np.cumsum(step)])
    curvature = np.abs(np.gradient(heading, np.maximum.accumulate(s + 1e-9 * np.arange(len(s)))))
    v = np.minimum(speed_mps, body.turn_radps / np.maximum(curvature, 1e-6))
    v[0] = v[-1] = 0.05
    v2 = v * v
    for k in range(1, len(v2)):
        v2[k] = min(v2[k], v2[k - 1] + 2 * ACCEL_MPS2 * step[k - 1])
    for k in range(len(v2) - 2, -1, -1):
        v2[k] = min(v2[k], v2[k + 1] + 2 * ACCEL_MPS2 * step[k])
    v = np.sqrt(v2)
    lasts = step / np.maximum((v[1:] + v[:-1]) / 2, 0.02)
    # Where a route nearly turns back, the rounded corner is a cusp: all of the turn is in a step of
    # millimeters, over which no speed is slow enough, so the robot stops and turns on the spot.
    turning = np.abs(np.diff(heading)) / body.turn_radps
    lasts = np.where(turning > GRACE * lasts, turning, lasts)
    return s, np.concatenate([[0], np.cumsum(lasts)])


def _shaking(ticks: Floats, moving: Bools, body: Body, rng: np.random.Generator) -> Floats:
    """Return roll, pitch and height (n, 3) added to the motion while the robot moves."""
    phase = 2 * np.pi * body.shake_hz * ticks[:, None] * [1.0, 1.37, 2.0] + rng.uniform(0, 6.28, 3)
    gait = np.sin(phase) + 0.4 * np.sin(0.61 * phase + 1.0)
    size = np.array([np.deg2rad(body.shake_deg), np.deg2rad(body.shake_deg), body.bounce_m])
    return np.asarray(gait * size * moving[:, None])


def _on_ground(xy: Floats, yaw: Floats, ground: Ground, shake: Floats) -> Floats:
    up = ground.normal(xy, span_m=0.7)
    forward = np.stack([np.cos(yaw), np.sin(yaw), np.zeros_like(yaw)], axis=1)
    y = np.cross(up, forward)
    y /= np.linalg.norm(y, axis=1, keepdims=True)
    R = np.stack([np.cross(y, up), y, up], axis=2)
    from commonground.geometry import exp_so3

    R = R @ exp_so3(np.c_[shake[:, :2], np.zeros(len(xy))])
    return transform(R, np.c_[xy, ground.height(xy) + shake[:, 2]])


def ticks_to_ns(seconds: Floats, start_ns: int) -> Ints:
    """Return integer stamps of seconds since the start."""
    return np.asarray(start_ns + np.rint(seconds * 1e9).astype(np.int64))
