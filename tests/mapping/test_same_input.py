"""A map, or the half of one, is kept only if it is of the very same input."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest

from commonground.datasets import Simulation, SimulationSettings, open_dataset
from commonground.datasets.folder import write_folder
from commonground.errors import DataError, MappingError, RunError
from commonground.frame import Frame
from commonground.mapping import MappingSettings, make_perception, map_recording, map_robot
from commonground.mapping.checkpoint import Progress
from commonground.tum import read_tum
from tests.conftest import Call

OFTEN = MappingSettings(checkpoint_every_s=1.0)


def drive(seed: int) -> Simulation:
    """A short drive through a small campus, with tiny images."""
    settings = {
        "seed": seed,
        "world": {"size_m": 60, "objects": 60, "seed": seed},
        "sensor": {"width": 64, "height": 48},
        "driving": {"length_m": 6, "frame_rate_hz": 2, "speed_mps": 2.0},
    }
    return Simulation(("husky",), SimulationSettings.model_validate(settings))


def test_another_recording_is_mapped_anew_when_asked_for(tmp_path: Path) -> None:
    first, second = drive(1), drive(2)
    one = map_recording(first, tmp_path)
    assert not one.kept and map_recording(first, tmp_path).kept
    with pytest.raises(RunError, match="another recording"):
        map_recording(second, tmp_path)
    other = map_recording(second, tmp_path, fresh=True)
    assert not other.kept and other.metrics != one.metrics
    # what lies there now is of the second, so the first is no longer done
    back = map_recording(first, tmp_path, fresh=True)
    assert not back.kept and back.metrics["nodes"] == one.metrics["nodes"]


def test_a_map_of_data_that_was_corrected_is_made_again(tmp_path: Path, call: Call) -> None:
    data = write_folder(drive(1), tmp_path / "data")
    asked = ("map", data, "--out", tmp_path / "run")
    assert "--fresh" not in call(*asked).stdout
    assert "--fresh maps again" in call(*asked).stdout
    cameras = data / "husky" / "cameras.yaml"
    cameras.write_text(re.sub(r"K: *\[[\d.]+", "K: [60.0", cameras.read_text(), count=1))
    assert open_dataset(data).cameras("husky")[0].K[0, 0] == 60.0
    assert "--fresh" not in call(*asked).stdout


@pytest.mark.parametrize("what", ["color", "odometry", "moved"])
def test_a_folder_is_told_from_what_it_was(what: str, tmp_path: Path) -> None:
    data = write_folder(drive(1), tmp_path / "data")
    before = open_dataset(data).fingerprint("husky")
    if what == "moved":  # where it lies is no part of what it is
        data = data.rename(tmp_path / "elsewhere")
    elif what == "odometry":
        file = data / "husky" / "odometry.tum"
        stamp, x, *rest = (lines := file.read_text().splitlines())[-1].split()
        lines[-1] = " ".join([stamp, str(float(x) + 0.01), *rest])
        file.write_text("\n".join(lines) + "\n")
    else:
        image = sorted(data.glob("husky/*/rgb/*"))[3]
        image.write_bytes(image.read_bytes())
    assert (open_dataset(data).fingerprint("husky") == before) == (what == "moved")


def test_what_is_no_recording_is_told(tmp_path: Path) -> None:
    for wrong in ("data/campus", tmp_path, None):
        with pytest.raises(DataError, match="open_dataset"):
            map_recording(wrong, tmp_path / "run")  # type: ignore[arg-type]


class Stopped(Exception):
    """Somebody pressed Ctrl-C."""


@pytest.fixture(scope="module")
def frames_of(stage: Any, looking: Any, block: Any) -> Callable[..., list[Frame]]:
    """Makes frames of a camera that drives along a wall of boxes."""

    def made(shift_m: float = 0.0, count: int = 12) -> list[Frame]:
        boxes = [block(2 + k, (1.5 * k, 2.0 + shift_m, 0.5), (0.6, 0.6, 1.0)) for k in range(6)]
        poses = [looking((0.25 * k, 0.0, 0.8), (0.25 * k + 1.0, 2.0, 0.5)) for k in range(count)]
        return [stage.frame(boxes, T, k * 500_000_000) for k, T in enumerate(poses)]

    return made


def mapped(frames: Sequence[Frame], folder: Path, stop: int = 99, **more: Any) -> Any:
    """Map frames, given from the start whatever was done before, up to a stop."""

    def noted(taken: int, _: object) -> None:
        if taken >= stop:
            raise Stopped

    def all_of(_: Progress | None) -> Iterator[Frame]:
        return iter(frames)

    perception = make_perception(labels={0: "unknown", 1: "floor", 2: "box"})
    more = {"settings": OFTEN, "robot": "ann"} | more
    return map_robot(all_of, perception, folder, on_frame=noted, **more)


@pytest.fixture(scope="module")
def interrupted(
    frames_of: Callable[..., list[Frame]], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Path], Path]:
    """Writes the half of a map: of nine frames, with a checkpoint on the way."""
    half = tmp_path_factory.mktemp("half") / "map"
    with pytest.raises(Stopped):
        mapped(frames_of(), half, 9)
    assert (half / "checkpoint" / "checkpoint.npz").is_file()
    return lambda folder: copytree(half, folder)


def same(one: Path, two: Path) -> bool:
    """Tell whether two maps are the same to the byte."""
    names = ("scene.json", "objects.npz", "trajectory.tum")
    return all((one / n).read_bytes() == (two / n).read_bytes() for n in names)


def test_a_stopped_map_goes_on_with_the_same_frames(
    frames_of: Any, interrupted: Callable[[Path], Path], tmp_path: Path
) -> None:
    frames = frames_of()
    whole = mapped(frames, tmp_path / "whole")
    interrupted(tmp_path / "parts")
    taken: list[int] = []
    parts = map_robot(
        lambda _: iter(frames),
        make_perception(labels={0: "unknown", 1: "floor", 2: "box"}),
        tmp_path / "parts",
        OFTEN,
        robot="ann",
        on_frame=lambda count, _: taken.append(count),
    )
    assert taken[0] > 3 and whole["frames"] == parts["frames"] == len(frames)
    assert same(tmp_path / "whole", tmp_path / "parts")


@pytest.mark.parametrize("other", ["things", "odometry", "settings", "robot"])
def test_nothing_of_another_recording_gets_into_a_map(
    other: str, frames_of: Any, interrupted: Callable[[Path], Path], tmp_path: Path
) -> None:
    frames, more = frames_of(), dict[str, Any]()
    interrupted(tmp_path / "parts")
    if other == "things":
        frames = frames_of(shift_m=1.0)
    elif other == "odometry":  # the first frame is what it was
        bent = [np.array(f.T_odom_cam) for f in frames]
        for k, T in enumerate(bent):
            T[1, 3] += 0.01 * k
        frames = [replace(f, T_odom_cam=T) for f, T in zip(frames, bent, strict=True)]
    elif other == "settings":
        more = {"settings": OFTEN.model_copy(update={"give_up_after": 77})}
    else:
        more = {"robot": "ben"}
    mapped(frames, tmp_path / "whole", **more)
    assert mapped(frames, tmp_path / "parts", **more)["frames"] == len(frames)
    assert same(tmp_path / "whole", tmp_path / "parts")
    assert len(read_tum(tmp_path / "parts" / "trajectory.tum")[0]) == len(frames)


def test_frames_of_two_robots_make_no_map(frames_of: Any, tmp_path: Path) -> None:
    frames = frames_of()
    frames[6:] = [replace(frame, robot="other") for frame in frames[6:]]
    with pytest.raises(MappingError, match="of one robot"):
        mapped(frames, tmp_path)
