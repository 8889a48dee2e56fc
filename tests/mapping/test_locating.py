"""A robot set down on a stage that was mapped before finds where it is, or says that it does not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.arrays import Bools, Bytes, Floats32, Ints
from commonground.cli.job import Job
from commonground.cli.localize_report import Report
from commonground.crops import Crops
from commonground.errors import DataError, LocalizationError
from commonground.geometry import angle_between, from_xyz_yaw, inverse
from commonground.localization import State
from commonground.mapping import exchanged_since
from commonground.mapping.locating import Locator, find_objects, locate, locate_mapped
from commonground.mapping.objects import ObjectMapper
from commonground.mapping.perception import GroundTruthPerception
from commonground.mapping.perception.vectors import ImageVectors
from commonground.mapping.source import check_span
from commonground.objects import ObjectMap, save_objects
from commonground.symbols import symbol_of

T_ODOM_WORLD = from_xyz_yaw(np.array([3.0, -1.0, 0.0, 0.7]))
"""The lost robot counts from somewhere else."""


@pytest.fixture(scope="module")
def seen_by() -> Any:
    from .conftest import LABELS

    return GroundTruthPerception(LABELS, ("floor", "wall"))


@pytest.fixture(scope="module")
def stage_frames() -> Any:
    """Frames of a robot that drives a straight line among thirty things, with any odometry frame."""
    from .conftest import Block, Stage, look_from

    rng = np.random.default_rng(11)
    things = [
        Block(
            k + 1,
            (float(x), float(y), 0.4),
            (float(w), float(d), 0.8),
            label=2 + k % 2,
            color=tuple(int(c) for c in rng.integers(30, 220, 3)),
        )
        for k, (x, y, w, d) in enumerate(
            zip(
                np.linspace(-11, 13, 30),
                rng.choice([-1, 1], 30) * rng.uniform(1.5, 4.5, 30),
                rng.uniform(0.3, 1.2, 30),
                rng.uniform(0.3, 1.2, 30),
                strict=True,
            )
        )
    ]

    def frames(shift: float = 0.0, T_odom_world: Any = None, **painted: Any) -> list[Any]:
        stage = Stage()
        shown = [replace(t, color=painted.get(f"thing_{t.number}", t.color)) for t in things]
        out = []
        for k, x in enumerate(np.arange(-13.0, 13.0, 0.5)):
            pose = look_from((x, shift, 0.9), (x + 4.0, 0.3 * np.sin(x), 0.4))
            out.append(stage.frame(shown, pose, (k + 1) * 250_000_000, T_odom_world=T_odom_world))
        return out

    return frames


@pytest.fixture(scope="module")
def mapped(stage_frames: Any, seen_by: Any) -> ObjectMap:
    mapper = ObjectMapper(robot="mapper")
    for frame in stage_frames():
        mapper.integrate(frame, seen_by.segment(frame))
    return mapper.snapshot()


def test_a_lost_robot_finds_where_it_is(stage_frames: Any, seen_by: Any, mapped: ObjectMap) -> None:
    locator = Locator(seen_by, mapped)
    fixes = list(locate(stage_frames(0.4, T_ODOM_WORLD), locator))
    assert [round(fix.travel_m, -1) for fix in fixes] == [0, 10, 20]
    last = fixes[-1].estimate
    assert last.state is State.LOCALIZED
    assert last.T_map_odom is not None
    gap = inverse(inverse(T_ODOM_WORLD)) @ last.T_map_odom
    assert np.linalg.norm(gap[:3, 3]) < 0.3
    assert np.degrees(angle_between(gap, np.eye(4))) < 3.0


def test_a_recording_tells_what_was_exchanged(stage_frames: Any, tmp_path: Path) -> None:
    """One thing is another color than when the map was made: where it stands, with its picture."""
    from .conftest import LABELS

    red, blue = (200, 40, 40), (40, 40, 200)
    see = GroundTruthPerception(LABELS, ("floor", "wall"), encoder=Hue())
    mapper = ObjectMapper(robot="mapper")
    for frame in stage_frames(thing_12=red, thing_20=blue):
        mapper.integrate(frame, see.segment(frame))
    before = mapper.snapshot()
    locator = Locator(see, before)
    *_, last = locate(stage_frames(0.4, T_ODOM_WORLD, thing_12=blue, thing_20=blue), locator)
    assert last.seen is not None and last.estimate.T_map_odom is not None
    (found,) = exchanged_since(before, last.seen.objects, last.estimate.T_map_odom, "spot")
    at = dict(zip(map(symbol_of, before.ids.tolist()), before.centroids.tolist(), strict=True))
    assert at[found.symbols[0]][0] == pytest.approx(np.linspace(-11, 13, 30)[11], abs=0.3)
    report = Report(Job(), tmp_path / "fixes.jsonl")
    report.last = last
    report.compare(before, tmp_path / "objects.npz", None)
    assert [e.symbols for e in report.exchanged] == [found.symbols]
    assert Crops(tmp_path / "fixes").of(found.symbols[1])


class Hue(ImageVectors):
    """Tells what color a thing is."""

    name, dimension = "open_clip/hue", 3

    def _looks(self, crops: list[Floats32]) -> Floats32:
        raise NotImplementedError

    def images(self, rgb: Bytes, masks: Bools, boxes: Ints) -> Floats32:
        colors = np.array([rgb[m].mean(axis=0) for m in masks]) - 128
        return np.asarray(colors / np.linalg.norm(colors, axis=1, keepdims=True), np.float32)


def test_a_robot_elsewhere_stays_lost(seen_by: Any, mapped: ObjectMap) -> None:
    from .conftest import Block, Stage, look_from

    rng = np.random.default_rng(5)
    other = [
        Block(k + 1, (*map(float, rng.uniform((-9, -5), (12, 5))), 0.2), (0.4, 0.4, 0.4), label=3)
        for k in range(20)
    ]
    stage = Stage()
    frames = [
        stage.frame(other, look_from((x, 0.0, 0.9), (x + 4.0, 0.0, 0.4)), (k + 1) * 250_000_000)
        for k, x in enumerate(np.arange(-10.0, 11.0, 0.5))
    ]
    states = {fix.estimate.state for fix in locate(frames, Locator(seen_by, mapped))}
    assert State.LOCALIZED not in states


def test_a_jump_of_the_odometry_starts_anew(
    stage_frames: Any, seen_by: Any, mapped: ObjectMap
) -> None:
    locator = Locator(seen_by, mapped)
    there = stage_frames(0.4)
    fixes = list(locate(there, locator))
    assert fixes[-1].estimate.state is State.LOCALIZED
    from dataclasses import replace

    away = replace(
        there[10],
        stamp_ns=there[-1].stamp_ns + 250_000_000,
        T_odom_cam=from_xyz_yaw(np.array([300.0, 0, 0, 0])) @ there[10].T_odom_cam,
    )
    fix = locator.integrate(away)
    assert fix is None or fix.estimate.state is State.LOST
    assert "jumps" in locator.observer.intake.warnings[0]


def test_maps_are_found_in_files_runs_and_folders(tmp_path: Any, mapped: ObjectMap) -> None:
    for name in (
        "alone.npz",
        "robot/objects.npz",
        "map/fused/objects.npz",
        "run/robots/a/objects.npz",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        save_objects(mapped, tmp_path / name)
    for name in ("alone.npz", "robot", "map", "run"):
        assert len(find_objects(tmp_path / name)) == len(mapped)
    (tmp_path / "run/robots/b").mkdir()
    save_objects(mapped, tmp_path / "run/robots/b/objects.npz")
    with pytest.raises(LocalizationError, match="2 robots that are not fused"):
        find_objects(tmp_path / "run")
    (tmp_path / "scene.json").write_text("{}")
    with pytest.raises(LocalizationError, match=r"is a scene graph, .*; give the folder of a map"):
        find_objects(tmp_path / "scene.json")
    with pytest.raises(LocalizationError, match="holds no map"):
        find_objects(tmp_path)


def test_a_drive_mapped_before_is_located_too(mapped: ObjectMap) -> None:
    fixes = list(locate_mapped(mapped, mapped))
    assert [fix.travel_m for fix in fixes] == sorted(fix.travel_m for fix in fixes)
    assert fixes[-1].estimate.state is State.LOCALIZED


def test_seconds_without_a_frame_are_told(stage_frames: Any) -> None:
    class Short:
        """A recording of three seconds."""

        def frames(self, robot: str, *, start_s: float, **_: object) -> Iterator[object]:
            return iter([stage_frames] if start_s < 3.0 else [])

    short: Any = Short()
    check_span(short, "bear", (2.0, None))
    with pytest.raises(DataError, match="ends before 10 s"):
        check_span(short, "bear", (10.0, None))
    with pytest.raises(DataError, match="no time in between"):
        check_span(short, "bear", (2.0, 1.0))
