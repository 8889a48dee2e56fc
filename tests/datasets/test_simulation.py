"""Simulated drives: the same bytes each time, geometry that fits the world, lifelike motion and drift."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from commonground.datasets import LABELS, Reader, Simulation, SimulationSettings, World, simulate
from commonground.datasets.simulator.robots import BODIES, body_of
from commonground.datasets.simulator.routes import routes
from commonground.datasets.world.site import footprint_discs
from commonground.errors import DataError
from commonground.frame import Frame
from commonground.geometry import apply, inverse, is_rigid, tilt_of, yaw_of
from tools.scoring.drift import relative_drift_percent


def settings(**sections: object) -> SimulationSettings:
    return SimulationSettings.model_validate(sections)


QUIET = {
    "depth_noise": 0,
    "edge_dropout": 0,
    "flying_pixels": 0,
    "color_noise": 0,
    "exposure_change": 0,
}


def same(a: Frame, b: Frame) -> bool:
    for f in fields(Frame):
        x, y = getattr(a, f.name), getattr(b, f.name)
        if isinstance(x, np.ndarray):
            if not np.array_equal(x, y, equal_nan=x.dtype.kind == "f"):
                return False
        elif f.name != "camera" and x != y:
            return False
    return True


# ---- determinism ----


def test_the_same_settings_give_the_same_bytes(
    drive: Simulation, small_settings: SimulationSettings
) -> None:
    again = Simulation(("husky", "spot"), small_settings)
    pairs = list(zip(drive.frames("spot", stride=3), again.frames("spot", stride=3), strict=True))
    assert len(pairs) >= 9
    assert all(same(a, b) for a, b in pairs)


def test_a_frame_does_not_depend_on_those_before(
    drive: Simulation, small_settings: SimulationSettings
) -> None:
    late = next(drive.frames("husky", start_s=4))
    fresh = Simulation(("husky", "spot"), small_settings)
    assert same(late, next(fresh.frames("husky", start_s=4)))


def test_another_seed_drives_and_sees_something_else(
    drive: Simulation, small_settings: SimulationSettings
) -> None:
    other = Simulation(
        ("husky", "spot"), small_settings.model_copy(update={"seed": 9}), world=drive.world
    )
    assert not np.allclose(
        other.trajectory("husky").T_odom_robot[50], drive.trajectory("husky").T_odom_robot[50]
    )


def test_frames_can_be_made_without_writing_anything(
    drive: Simulation, small_settings: SimulationSettings
) -> None:
    frame = next(simulate(drive.world, "husky", small_settings))
    assert frame.rgb.shape == (120, 160, 3)
    assert frame.rgb.dtype == np.uint8
    assert frame.depth_m.dtype == np.float32
    assert frame.T_world_cam is not None


# ---- geometry ----


@pytest.fixture(scope="module")
def clean(campus: World) -> Simulation:
    values = settings(
        sensor={"width": 320, "height": 240, **QUIET}, driving={"length_m": 60, "frame_rate_hz": 1}
    )
    return Simulation(("husky", "spot"), values, world=campus)


def mesh_distance(world: World, points: np.ndarray) -> np.ndarray:
    import open3d as o3d

    soup = world.soup()
    scene = o3d.t.geometry.RaycastingScene()
    scene.add_triangles(soup.vertices, soup.faces.astype(np.uint32))
    return scene.compute_distance(o3d.core.Tensor(points.astype(np.float32))).numpy()


def world_points(frame: Frame, stride: int = 4) -> tuple[np.ndarray, np.ndarray]:
    points = frame.points_cam(stride).reshape(-1, 3).astype(float)
    good = np.isfinite(points).all(axis=1)
    assert frame.T_world_cam is not None
    return apply(frame.T_world_cam, points[good]), good


def test_reprojected_depth_lands_on_the_surface(clean: Simulation) -> None:
    for frame in clean.frames("spot", stride=20):
        points, _ = world_points(frame)
        assert len(points) > 300
        assert mesh_distance(clean.world, points).max() < 2e-3


def test_depth_noise_grows_with_the_square_of_distance(campus: World) -> None:
    noisy = settings(
        sensor={
            "width": 320,
            "height": 240,
            "depth_noise": 0.004,
            "edge_dropout": 0,
            "flying_pixels": 0,
        }
    )
    exact = settings(sensor={"width": 320, "height": 240, **QUIET})
    a, b = (next(Simulation(("husky",), s, world=campus).frames("husky")) for s in (noisy, exact))
    error, z = a.depth_m - b.depth_m, b.depth_m
    for low, high in ((1.5, 2.5), (4, 5), (6, 9)):
        chosen = (z > low) & (z < high) & np.isfinite(error)
        ratio = np.std(error[chosen] / z[chosen] ** 2)
        assert chosen.sum() > 200
        assert ratio == pytest.approx(0.004, rel=0.12)


def test_depth_is_lost_at_edges_and_beyond_the_range(campus: World) -> None:
    lossy = settings(
        sensor={
            "width": 320,
            "height": 240,
            "edge_dropout": 1.0,
            "flying_pixels": 0,
            "depth_noise": 0,
        }
    )
    exact = settings(sensor={"width": 320, "height": 240, **QUIET, "max_depth_m": 60})
    a, b = (next(Simulation(("husky",), s, world=campus).frames("husky")) for s in (lossy, exact))
    assert np.nanmax(a.depth_m) <= 10
    assert np.nanmin(a.depth_m) >= 0.3
    reachable = (b.depth_m >= 0.3) & (b.depth_m <= 10)
    lost = reachable & ~np.isfinite(a.depth_m)
    assert 0 < lost.sum() < 0.2 * reachable.sum()


def test_classes_and_objects_fit_the_truth(clean: Simulation) -> None:
    things = {t.index: t for t in clean.world.things}
    seen = set()
    for frame in clean.frames("spot", stride=6):
        points, good = world_points(frame)
        ids = frame.instances[::4, ::4].ravel()[good]
        words = frame.labels[::4, ::4].ravel()[good]
        for index in set(ids.tolist()) - {0}:
            thing = things[index]
            assert (words[ids == index] == thing.label).all()
            local = apply(inverse(thing.T_world_thing), points[ids == index])
            low, high = thing.shape.bounds()
            assert (local > low - 0.01).all()
            assert (local < high + 0.01).all()
            seen.add(index)
        ground = np.isin(
            words,
            [n for n, w in LABELS.items() if w in ("road", "sidewalk", "grass", "path", "parking")],
        )
        assert (clean.world.ground.surface_at(points[ground, :2]) == words[ground]).mean() > 0.98
        assert (
            np.abs(clean.world.ground.height(points[ground, :2]) - points[ground, 2]).max() < 0.01
        )
    assert len(seen) >= 5


def test_cameras_project_what_they_see(clean: Simulation) -> None:
    frame = next(clean.frames("husky"))
    points = frame.points_cam().reshape(-1, 3)
    good = np.isfinite(points).all(axis=1)
    v, u = np.indices((240, 320))
    expected = np.stack([u.ravel(), v.ravel()], axis=1)[good]
    assert np.abs(frame.camera.project(points[good].astype(float)) - expected).max() < 1e-3


def test_brightness_changes_and_blur_touches_color_only(campus: World) -> None:
    base = {"width": 160, "height": 120}
    driving = {"length_m": 30, "frame_rate_hz": 1}
    sharp = Simulation(("spot",), settings(sensor=base, driving=driving), world=campus)
    means = [f.rgb.mean() for f in sharp.frames("spot", cameras=["front"])]
    assert np.std(means) > 3
    blurry = Simulation(
        ("spot",), settings(sensor={**base, "motion_blur_ms": 80}, driving=driving), world=campus
    )
    pairs = list(zip(sharp.frames("spot"), blurry.frames("spot"), strict=True))
    assert any(not np.array_equal(a.rgb, b.rgb) for a, b in pairs)
    assert all(np.array_equal(a.depth_m, b.depth_m, equal_nan=True) for a, b in pairs)
    turning = [np.abs(a.rgb.astype(int) - b.rgb).mean() for a, b in pairs]
    assert max(turning) > 2 * (np.median(turning) + 0.1)


# ---- robots ----


def test_robots_have_their_cameras(drive: Simulation) -> None:
    assert [c.name for c in drive.cameras("husky")] == ["forward"]
    assert [c.name for c in drive.cameras("spot")] == ["front", "left", "right"]
    left = drive.T_robot_cam("spot", "left")
    assert left[:3, 2] @ [0, 1, 0] > 0.9  # the optical axis looks to the left
    assert left[:3, 1] @ [0, 0, -1] > 0.9  # image rows go down
    assert drive.length("spot") == 3 * len(drive.stamps_ns("spot"))
    assert isinstance(drive, Reader)


def test_any_number_of_robots_and_names(small_settings: SimulationSettings) -> None:
    team = Simulation(("spot", "spot2", "husky_b", "walker"), small_settings)
    assert [len(team.cameras(r)) for r in team.robots()] == [3, 3, 1, 1]
    assert body_of("walker") is BODIES["husky"]
    assert not np.allclose(
        team.trajectory("spot").T_world_robot[30], team.trajectory("spot2").T_world_robot[30]
    )


@pytest.mark.parametrize("name", ["", "a/b", "two words", "../up"])
def test_names_must_be_names(name: str, small_settings: SimulationSettings) -> None:
    with pytest.raises(DataError, match="name"):
        Simulation((name,), small_settings)


def test_an_unknown_robot_or_camera_is_told_with_the_nearest(drive: Simulation) -> None:
    with pytest.raises(DataError, match="Did you mean 'husky'"):
        drive.trajectory("huski")
    with pytest.raises(DataError, match="front, left, right"):
        drive.T_robot_cam("spot", "rear")
    with pytest.raises(DataError, match="stride"):
        next(drive.frames("spot", stride=0))


@pytest.mark.parametrize("kind", ["campus", "office", "hybrid"])
def test_robots_drive_where_they_can_at_speeds_they_have(
    kind: str, request: pytest.FixtureRequest
) -> None:
    world = request.getfixturevalue(kind)
    team = Simulation(("husky", "spot"), settings(driving={"length_m": 120}), world=world)
    discs = np.concatenate(
        [
            footprint_discs(t.shape, t.T_world_thing[:2, 3], float(yaw_of(t.T_world_thing)))
            for t in world.things
            if t.kind not in ("picture", "door")
        ]
    )
    for robot in team.robots():
        path = team.trajectory(robot)
        T = path.T_world_robot
        assert T is not None
        assert is_rigid(T).all()
        xy = T[:, :2, 3]
        assert (world.ground.surface_at(xy) > 0).all()
        gap = np.linalg.norm(xy[:, None] - discs[None, :, :2], axis=-1) - discs[None, :, 2]
        assert gap.min() > 0.28  # half a robot
        dt = np.diff(path.stamps_ns) / 1e9
        speed = np.linalg.norm(np.diff(T[:, :3, 3], axis=0), axis=1) / dt
        assert speed.max() < 1.25 * body_of(robot).speed_mps
        turn = np.abs(np.diff(np.unwrap(yaw_of(T)))) / dt
        assert turn.max() < 2.0 * body_of(robot).turn_radps
        assert np.rad2deg(tilt_of(T)).max() < 20
        assert np.abs(T[:, 2, 3] - world.ground.height(xy)).max() < 0.05
        assert path.distance_m == pytest.approx(120, rel=0.08)
        assert speed[:10].max() < 0.05  # it stands at first


def test_routes_overlap_in_part_and_partly_in_opposite_directions(campus: World) -> None:
    team = Simulation(
        ("husky", "spot", "husky2"), settings(driving={"length_m": 500}), world=campus
    )
    T = {r: team.trajectory(r).T_world_robot[::40] for r in team.robots()}
    first = T["husky"]
    for robot, facing in (("spot", -1), ("husky2", 1)):
        gap = np.linalg.norm(T[robot][:, None, :2, 3] - first[None, :, :2, 3], axis=-1)
        near = gap.min(axis=1) < 1.0
        assert 0.25 < near.mean() < 0.95
        heading = np.cos(yaw_of(T[robot])[near] - yaw_of(first)[gap[near].argmin(axis=1)])
        assert (facing * heading > 0.8).mean() > 0.35


@pytest.mark.parametrize("length", [60, 200])
@pytest.mark.parametrize("seed", [0, 5])
def test_every_robot_of_a_hybrid_world_drives_outdoors_and_through_doors(
    hybrid: World, seed: int, length: float
) -> None:
    team = Simulation(
        ("husky", "spot", "husky2"),
        settings(seed=seed, driving={"length_m": length}),
        world=hybrid,
    )
    for robot in team.robots():
        T = team.trajectory(robot).T_world_robot
        assert T is not None
        inside = hybrid.is_inside(T[:, :2, 3])
        assert 0.03 < inside.mean() < 0.97
        assert np.diff(inside).any()


@pytest.mark.parametrize("length", [1.0, 20.0, 900.0])
@pytest.mark.parametrize("overlap", [0.0, 1.0])
def test_routes_through_doors_are_as_long_as_asked_for(
    hybrid: World, overlap: float, length: float
) -> None:
    for seed in range(4):
        for route in routes(hybrid.lanes, 3, length, overlap, np.random.default_rng(seed)):
            driven = np.linalg.norm(np.diff(route, axis=0), axis=1).sum()
            assert driven == pytest.approx(length, rel=0.02)


def test_odometry_drifts_as_much_as_asked_for(campus: World) -> None:
    def drift(seed: int, percent: float) -> float:
        s = settings(seed=seed, driving={"length_m": 400, "drift_percent": percent})
        path = Simulation(("husky",), s, world=campus).trajectory("husky")
        assert path.T_world_robot is not None
        return relative_drift_percent(path.T_world_robot, path.T_odom_robot)

    default = [drift(seed, 1.5) for seed in range(8)]
    assert 1.0 < np.mean(default) < 2.0
    assert max(default) < 3.5
    assert np.mean([drift(seed, 4.0) for seed in range(4)]) > 1.8 * np.mean(default)
    assert drift(0, 0.0) < 1e-9


def test_odometry_keeps_gravity_and_starts_at_the_origin(drive: Simulation) -> None:
    path = drive.trajectory("husky")
    assert path.T_world_robot is not None
    assert np.allclose(path.T_odom_robot[0, :3, 3], 0)
    assert yaw_of(path.T_odom_robot[0]) == pytest.approx(0, abs=0.02)
    gap = tilt_of(path.T_odom_robot) - tilt_of(path.T_world_robot)
    assert np.rad2deg(np.abs(gap)).max() < 1.0


def test_a_later_session_is_another_day_on_another_route(
    small_settings: SimulationSettings,
) -> None:
    later = small_settings.model_copy(
        update={"world": small_settings.world.model_copy(update={"session": 1})}
    )
    a, b = Simulation(("husky",), small_settings), Simulation(("husky",), later)
    assert b.stamps_ns("husky")[0] > a.stamps_ns("husky")[-1]
    assert not np.allclose(
        a.trajectory("husky").T_world_robot[40], b.trajectory("husky").T_world_robot[40]
    )
    assert b.world.changes
