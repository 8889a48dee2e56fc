"""True motion: whatever the route, a robot goes and turns no faster than it can."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.arrays import Floats
from commonground.datasets import Simulation, SimulationSettings, make_world
from commonground.datasets.simulator.motion import GRACE, TICK_HZ, drive
from commonground.datasets.simulator.robots import BODIES, Body
from commonground.datasets.world.ground import Ground
from commonground.geometry import is_rigid, yaw_of

TEAM = ("husky", "spot", "robot2")
SWAYING_RAD = np.deg2rad(4.0)
"""Roll and pitch between two poses: the ground's and the gait's."""


def flat() -> Ground:
    cells = np.ones((2, 2))
    return Ground(
        origin=np.zeros(2),
        step_m=1.0,
        heights=np.zeros((2, 2)),
        cell_m=1.0,
        surface=cells.astype(np.uint8),
        paint=cells.astype(np.uint8),
        region=cells.astype(np.int32),
    )


def check_steps(seconds: Floats, T: Floats, body: Body) -> None:
    """Fail unless every pose follows from the one before at speeds and turns the robot can do."""
    assert is_rigid(T).all()
    dt = np.diff(seconds)
    assert np.allclose(dt, 1 / TICK_HZ)
    going = np.linalg.norm(np.diff(T[:, :2, 3], axis=0), axis=1) / dt
    assert going.max() < 1.001 * body.speed_mps
    turning = np.abs(np.diff(np.unwrap(yaw_of(T)))) / dt
    assert turning.max() < (GRACE + 0.05) * body.turn_radps  # projected from a little off the level
    R = T[:-1, :3, :3].transpose(0, 2, 1) @ T[1:, :3, :3]
    angle = np.arccos(np.clip((np.trace(R, axis1=1, axis2=2) - 1) / 2, -1, 1))
    assert angle.max() < GRACE * body.turn_radps / TICK_HZ + SWAYING_RAD


@settings(max_examples=60, deadline=None)
@given(
    turns_deg=st.lists(
        st.one_of(st.floats(-180, 180), st.sampled_from([179.9, -178.0, 165.0])), max_size=6
    ),
    meters=st.floats(0.4, 25),
    kind=st.sampled_from(sorted(BODIES)),
    doors=st.booleans(),
    seed=st.integers(0, 2**32),
)
def test_any_route_is_driven_without_a_jump(
    turns_deg: list[float], meters: float, kind: str, doors: bool, seed: int
) -> None:
    heading = np.deg2rad(np.cumsum([0.3, *turns_deg]))
    legs = meters * np.stack([np.cos(heading), np.sin(heading)], axis=1)
    route = np.concatenate([np.zeros((1, 2)), np.cumsum(legs, axis=0)])
    body, rng = BODIES[kind], np.random.default_rng(seed)
    seconds, T = drive(route, flat(), body, body.speed_mps, rng, doors=doors)
    check_steps(seconds, T, body)
    # the longest turn on the spot is a half one, so a drive takes no longer than its way and turns do
    turns = len(turns_deg) * (np.pi / body.turn_radps + 10)
    assert seconds[-1] < 10 + turns + len(legs) * meters / (0.25 * body.speed_mps)


def test_where_a_route_nearly_turns_back_the_robot_turns_on_the_spot() -> None:
    body = BODIES["husky"]
    spans = []
    for seed in range(20):
        route = np.array([[0.0, 0.0], [0.0, 30.0], [0.6, 0.0]])
        rng = np.random.default_rng(seed)
        seconds, T = drive(route, flat(), body, body.speed_mps, rng)
        check_steps(seconds, T, body)
        still = np.linalg.norm(np.diff(T[:, :2, 3], axis=0), axis=1) * TICK_HZ < 0.05
        turned = np.abs(np.diff(np.unwrap(yaw_of(T))))[still].sum()
        spans.append(np.rad2deg(turned))
    assert np.median(spans) > 60


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_no_robot_of_many_worlds_jumps(kind: str) -> None:
    for made in range(3):
        world = make_world(kind, made)
        for seed in range(4):
            length = (30.0, 100.0, 250.0, 500.0)[seed]
            wanted = {"seed": 10 * made + seed, "driving": {"length_m": length}}
            team = Simulation(TEAM, SimulationSettings.model_validate(wanted), world=world)
            for robot in team.robots():
                path = team.trajectory(robot)
                assert path.T_world_robot is not None
                seconds = (path.stamps_ns - path.stamps_ns[0]) / 1e9
                body = BODIES["spot" if robot == "spot" else "husky"]
                check_steps(seconds, path.T_world_robot, body)


@pytest.mark.parametrize(("seed", "length"), [(9, 500.0), (10, 100.0)])
def test_sharp_corners_of_a_campus_are_driven_without_a_jump(seed: int, length: float) -> None:
    wanted = {"seed": seed, "world": {"seed": seed}, "driving": {"length_m": length}}
    team = Simulation(("robot0", "robot1", "robot2"), SimulationSettings.model_validate(wanted))
    path = team.trajectory("robot2")
    assert path.T_world_robot is not None
    check_steps((path.stamps_ns - path.stamps_ns[0]) / 1e9, path.T_world_robot, BODIES["husky"])


@pytest.mark.parametrize("stamps", [[2, 1, 3], [1, 1, 2]])
def test_a_trajectory_whose_stamps_do_not_rise_is_refused(stamps: list[int]) -> None:
    from commonground.datasets import Trajectory
    from commonground.errors import DataError

    with pytest.raises(DataError, match="rise"):
        Trajectory(np.array(stamps), np.tile(np.eye(4), (3, 1, 1)))
