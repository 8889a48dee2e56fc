"""``commonground map`` as a user calls it: on simulated and real data, and killed in the middle."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from commonground.crops import Crops
from commonground.datasets import Simulation, SimulationSettings
from commonground.datasets.folder import write_folder
from commonground.objects import load_objects
from commonground.scene import load_scene
from commonground.scores import ate
from commonground.symbols import symbol_of
from commonground.tum import read_tum, write_tum
from tests.conftest import Call

PROGRAM = [sys.executable, "-m", "commonground"]
SOON = "mapping.checkpoint_every_s=2"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A husky drives 10 m and sees little images."""
    driving = {"length_m": 10, "frame_rate_hz": 2.5}
    world, sensor = {"size_m": 60, "objects": 100}, {"width": 128, "height": 96}
    settings = {"world": world, "sensor": sensor, "driving": driving}
    simulation = Simulation(("husky",), SimulationSettings.model_validate(settings))
    return write_folder(simulation, tmp_path_factory.mktemp("data") / "campus")


def test_a_killed_run_goes_on_with_the_same_result(data: Path, tmp_path: Path, call: Call) -> None:
    """The process is killed outright, several times, as soon as there is a new checkpoint."""
    whole = call("map", data, "--out", tmp_path / "whole", "--set", SOON, "--json")
    assert whole.returncode == 0, whole.stderr
    arguments = ["map", str(data), "--out", str(tmp_path / "parts"), "--set", SOON, "--json"]
    checkpoint = tmp_path / "parts" / "robots" / "husky" / "checkpoint" / "checkpoint.npz"
    kills = 0
    for _ in range(2):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
        process = subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.DEVNULL)
        while process.poll() is None:
            if checkpoint.exists() and checkpoint.stat().st_mtime_ns != before:
                process.send_signal(signal.SIGKILL)
                process.wait()
                kills += 1
            time.sleep(0.02)
    assert kills >= 1
    last = call(*arguments)
    assert last.returncode == 0, last.stderr
    for name in ("scene.json", "objects.npz", "mesh.ply", "trajectory.tum", "posegraph.g2o"):
        a, b = (tmp_path / run / "robots" / "husky" / name for run in ("whole", "parts"))
        assert a.read_bytes() == b.read_bytes(), name
    assert not checkpoint.exists()


def test_a_jump_is_no_error_of_the_path_and_frames_without_a_pose_are_counted(
    data: Path, tmp_path: Path, call: Call
) -> None:
    jumping = Path(shutil.copytree(data, tmp_path / "data"))
    at, poses = read_tum(data / "husky" / "odometry.tum")
    since_s = (at - at[0]) / 1e9
    poses[since_s > 5.0, 0, 3] += 15.0
    kept = (since_s < 6.5) | (since_s > 7.5)
    write_tum(jumping / "husky" / "odometry.tum", at[kept], poses[kept])
    shown = call("map", jumping, "--out", tmp_path / "run", "--json")
    assert shown.returncode == 0, shown.stderr
    result = json.loads(shown.stdout)
    assert result["segments"] == len(result["segments_begin_ns"]) >= 2
    assert 0.0 < result["ate_m"] < 0.5
    (skipped,) = [line for line in result["warnings"] if line.startswith("skipped")]
    assert "no pose is known for this instant" in skipped
    written = json.loads((tmp_path / "run" / "robots" / "husky" / "metrics.json").read_text())
    assert skipped in written["warnings"]


def test_map_tells_what_it_made(data: Path, tmp_path: Path, call: Call) -> None:
    shown = call("map", data, "--out", tmp_path, "--json", "--stop", 5)
    assert shown.returncode == 0, shown.stderr
    result = json.loads(shown.stdout)
    assert result["robot"] == "husky" and result["perception"] == "ground-truth"
    assert result["nodes"]["surface_places"] > 3
    own = [tmp_path / "robots/husky" / f"{name}.tum" for name in ("trajectory", "ground_truth")]
    off = ate(*map(read_tum, own)).ate_m
    assert result["ate_m"] == pytest.approx(off, abs=1e-4) and 0.0 < off < 0.5
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert [phase["status"] for phase in manifest["phases"].values()] == ["done"]
    again = json.loads(call("map", data, "--out", tmp_path, "--json", "--stop", 5).stdout)
    assert again == result | {"kept": True}  # done before
    other = Path(shutil.copytree(data, tmp_path / "other"))
    yaml_file = other / "dataset.yaml"
    yaml_file.write_text(yaml_file.read_text().replace("tree", "pine"))
    refused = call("map", other, "--out", tmp_path, "--stop", 5)
    assert refused.returncode == 1 and "replace it (--fresh)" in refused.stderr
    folder = tmp_path / "robots" / "husky"
    page = (folder / "report.html").read_text()
    objects = load_objects(folder / "objects.npz")
    assert page.count("from above") and all(symbol_of(int(k)) in page for k in objects.ids)
    assert page.count("data:image/jpeg") == len(Crops(folder)) > 0


def test_mistakes_are_one_line(data: Path, tmp_path: Path, call: Call) -> None:
    wrong = call("map", data, "--out", tmp_path / "a", "--robot", "huskey")
    assert wrong.returncode == 1
    assert "did you mean 'husky'" in wrong.stderr.lower().replace("’", "'")
    assert "is the recording" in call("map", data, "--out", data).stderr
    assert not (data / "manifest.json").exists()
    (bare := tmp_path / "empty").mkdir()
    assert call("map", bare, "--out", tmp_path / "b").returncode == 1
    backend = call("map", data, "--out", tmp_path / "c", "--set", "mapping.perception.backend=sam")
    assert backend.returncode == 1
    assert "backend" in backend.stderr and "Traceback" not in backend.stderr


def test_a_real_kitchen_becomes_one_room_with_things(
    shared: Path, tmp_path: Path, call: Call
) -> None:
    """7-Scenes, a camera in a hand, no weights: geometry alone."""
    folder = shared / "data" / "seven_scenes_part"
    if not folder.is_dir():
        pytest.skip("no 7-Scenes here")
    fewer = tmp_path / "kitchen"
    fewer.mkdir()
    (fewer / "camera-intrinsics.txt").symlink_to(folder / "camera-intrinsics.txt")
    for file in folder.glob("frame-*"):
        if int(file.name[6:12]) % 8 == 0:  # every second one: nearly four a second
            (fewer / file.name).symlink_to(file)
    nine_seconds = ("--start", 6, "--stop", 15)  # of 20: once round the table
    shown = call("map", fewer, *nine_seconds, "--out", tmp_path / "run", "--json")
    assert shown.returncode == 0, shown.stderr
    result: dict[str, Any] = json.loads(shown.stdout)
    assert result["perception"] == "classical" and result["nodes"]["regions"] == 1
    robot = tmp_path / "run" / "robots" / result["robot"]
    graph, objects = load_scene(robot / "scene.json"), load_objects(robot / "objects.npz")
    assert tuple(graph.layers["regions"].names) == ("room",)
    assert 8 <= len(objects) <= 60
    # the table that the camera circles carries things and is none itself: two mugs stand on it
    sizes = objects.boxes.sizes
    assert not ((sizes[:, 0] > 1.5) & (sizes[:, 1] > 0.7) & (sizes[:, 2] < 0.4)).any()
    mugs = (objects.observations > 10) & (sizes.max(axis=1) < 0.2) & (sizes.min(axis=1) > 0.08)
    assert mugs.sum() >= 2
    assert np.isfinite(objects.covariances).all()


def test_instance_images_without_classes_are_not_used_and_that_is_said(
    data: Path, tmp_path: Path, call: Call
) -> None:
    bare = tmp_path / "bare"
    shutil.copytree(data, bare, ignore=shutil.ignore_patterns("labels"))
    about = yaml.safe_load((bare / "dataset.yaml").read_text())
    (bare / "dataset.yaml").write_text(yaml.safe_dump({**about, "labels": {}}))
    assert "instance images are not used without" in call("data", "info", bare).stdout
    told = call("map", bare, "--out", tmp_path / "run")
    assert "instance images are not used" in told.stderr and "by classical" in told.stdout
