"""A team's recordings replayed: mapped, fused and told of while they come."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.cli.main import run
from commonground.datasets.making import write_dataset
from commonground.datasets.settings import (
    DrivingSettings,
    SensorSettings,
    SimulationSettings,
    WorldSettings,
)
from commonground.live.team import read_team
from commonground.live.team.acknowledged import TOKEN
from commonground.live.team.folder import LiveFolder
from commonground.mapping.fusion.run import fuse_runs
from commonground.objects import load_objects
from tests.ports import free_port

TWO: dict[str, dict[str, str]] = {"husky": {}, "team": {"robot": "bear"}}
"""Robots and their recordings; one has a name that stands for other things elsewhere."""


@pytest.fixture(scope="module")
def drives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short drives that overlap."""
    settings = SimulationSettings(
        world=WorldSettings(size_m=60, objects=200),
        sensor=SensorSettings(width=96, height=72),
        driving=DrivingSettings(length_m=10, frame_rate_hz=2, overlap=1),
    )
    folder = tmp_path_factory.mktemp("drives") / "campus"
    for _ in write_dataset(settings, "husky,bear", "folder", folder, 1).steps:
        pass
    return folder


def team(drives: Path, **robots: dict[str, str]) -> Path:
    """The file that names robots and their recordings."""
    file = drives.parent / "team.yaml"
    sources = {name: {"recording": drives.name, **source} for name, source in robots.items()}
    file.write_text(json.dumps({"robots": sources, "hand_over_s": 2}), encoding="utf-8")
    return file


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    assert run([*map(str, args), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.fixture(scope="module")
def whole(drives: Path) -> tuple[Path, dict[str, Any]]:
    """The map of a run that nobody disturbed, and what it answered."""
    out = drives.parent / "whole"
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        command = ["live", "--robots", str(team(drives, **TWO)), "--out", str(out), "--rate", "0"]
        assert run([*command, "--json"]) == 0
    return out, json.loads(said.getvalue())


def test_what_was_mapped_live_is_what_is_fused_afterwards_and_names_clash_with_nothing(
    drives: Path,
    whole: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, first = whole
    assert {name: r["state"] for name, r in first["robots"].items()} == {
        "husky": "done",
        "team": "done",
    }
    for name, robot in first["robots"].items():
        x, y, z = np.loadtxt(out / "robots" / name / "trajectory.tum")[:, 1:4].T
        driven_m = np.hypot(np.hypot(np.diff(x), np.diff(y)), np.diff(z)).sum()
        assert robot["travel_m"] == pytest.approx(driven_m, abs=0.1), "to the end of the stream"
    assert first["fusions"] >= 1, "how many depends on how fast robots are"
    assert first["robots"]["team"]["delay_s"].keys() == {"median", "p95"}
    assert [pair[:2] for pair in first["joined"]] in ([], [["husky", "team"]])
    assert Path(first["fused"]) == out / "fused"
    live = load_objects(out / "fused" / "objects.npz")
    afterwards = fuse_runs([out], tmp_path / "offline").fused
    np.testing.assert_allclose(live.centroids, afterwards.objects.centroids, atol=1e-6)
    state = read_team(out)
    assert [r.name for r in state.robots] == ["husky", "team"] and state.ended
    # the same robot the next day, placed in the map it made
    again = team(drives, husky={})
    second = tmp_path / "second"
    answer(
        capsys,
        "live",
        "--robots",
        again,
        "--out",
        second,
        "--rate",
        0,
        "--onto",
        out,
    )
    assert not read_team(second).robots[0].lost


def test_what_was_mapped_live_is_what_is_mapped_at_once(
    drives: Path, whole: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    assert run(["map", str(drives), "--robot", "husky", "--out", str(tmp_path), "-q"]) == 0
    live, once = (load_objects(out / "robots/husky/objects.npz") for out in (whole[0], tmp_path))
    np.testing.assert_allclose(live.centroids, once.centroids, atol=0.1)


def test_killed_processes_go_on_and_the_map_is_the_same(
    drives: Path,
    whole: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file, out = team(drives, **TWO), tmp_path / "killed"
    command = ["live", "--robots", str(file), "--out", str(out), "--rate", "0"]
    base = subprocess.Popen([sys.executable, "-m", "commonground", *command])
    folder = LiveFolder(out)
    try:
        first = seen(lambda: folder.told("husky").get("handed") and folder.told("husky")["pid"])
        os.kill(first, signal.SIGKILL)
        seen(lambda: folder.told("husky").get("pid") not in (None, first))
        seen(lambda: folder.told_team().get("fusions", 0) > 0)
    finally:
        base.kill()
        base.wait()
    answer(capsys, *command)
    plain, live = (load_objects(place / "fused" / "objects.npz") for place in (whole[0], out))
    np.testing.assert_allclose(np.sort(live.centroids, 0), np.sort(plain.centroids, 0), atol=0.1)


def test_a_robot_mapped_elsewhere_sends_its_maps_to_the_base(
    drives: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TOKEN, "a-token-of-this-test")
    place = f"127.0.0.1:{free_port()}"
    base_file = tmp_path / "base.yaml"
    base_file.write_text("robots: {husky: {remote: true}}")
    out = tmp_path / "base"
    command = ["live", "--robots", str(base_file), "--out", str(out), "--listen", place]
    base = subprocess.Popen([sys.executable, "-m", "commonground", *command])
    try:
        away = team(drives, husky={})
        answer(
            capsys,
            "live",
            "--robots",
            away,
            "--out",
            tmp_path / "away",
            "--rate",
            0,
            "--base",
            place,
        )
        assert base.wait(300) == 0
    finally:
        base.kill()
    sent, fused = tmp_path / "away/robots/husky/objects.npz", out / "fused" / "objects.npz"
    assert len(load_objects(fused)) > 0
    there, here = load_objects(out / "robots/husky/objects.npz"), load_objects(sent)
    np.testing.assert_array_equal(there.ids, here.ids)
    np.testing.assert_allclose(there.centroids, here.centroids, atol=0.01)
    assert not (tmp_path / "away/fused").exists()


def seen(what: Callable[[], Any]) -> Any:
    """Wait until something is there, and return it."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come")
