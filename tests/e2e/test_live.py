"""A team's recordings replayed: mapped, fused and told of while they come."""

from __future__ import annotations

import json
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
from commonground.mapping.fusion.run import fuse_runs
from commonground.objects import load_objects


@pytest.fixture(scope="module")
def drives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two short drives that overlap."""
    settings = SimulationSettings(
        world=WorldSettings(size_m=60, objects=80),
        sensor=SensorSettings(width=160, height=120),
        driving=DrivingSettings(length_m=30, frame_rate_hz=2, overlap=1),
    )
    folder = tmp_path_factory.mktemp("drives") / "campus"
    for _ in write_dataset(settings, "husky,bear", "folder", folder, 1).steps:
        pass
    return folder


def team(drives: Path, **robots: dict[str, str]) -> Path:
    """The file that names robots and their recordings."""
    file = drives.parent / "team.yaml"
    sources = {name: {"recording": drives.name, **source} for name, source in robots.items()}
    file.write_text(json.dumps({"robots": sources, "hand_over_s": 4}), encoding="utf-8")
    return file


def answer(capsys: pytest.CaptureFixture[str], *args: object) -> dict[str, Any]:
    assert run([*map(str, args), "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_what_was_mapped_live_is_what_is_fused_afterwards_and_names_clash_with_nothing(
    drives: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = team(drives, husky={}, team={"robot": "bear"})
    first = answer(capsys, "live", "--robots", file, "--out", tmp_path / "first", "--rate", 0)
    assert {name: r["state"] for name, r in first["robots"].items()} == {
        "husky": "done",
        "team": "done",
    }
    assert first["fusions"] >= 2
    live = load_objects(tmp_path / "first" / "fused" / "objects.npz")
    afterwards = fuse_runs([tmp_path / "first"], tmp_path / "offline").fused
    np.testing.assert_allclose(live.centroids, afterwards.objects.centroids, atol=1e-6)
    state = read_team(tmp_path / "first")
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
        tmp_path / "first",
    )
    assert not read_team(second).robots[0].lost
