"""Stations that are closed behind each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonground.console.station import Station
from commonground.grounding import Grounder
from commonground.robots import Team, load_team
from commonground.scene import SceneGraph, load_scene
from tests.core.console.stations import FAST, ROBOTS, SCENE


@pytest.fixture(scope="module")
def graph() -> SceneGraph:
    return load_scene(SCENE)


@pytest.fixture
def team(tmp_path: Path) -> Team:
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    return load_team(tmp_path / "robots.yaml")


@pytest.fixture
def make(
    graph: SceneGraph, team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[float], Station]]:
    monkeypatch.setattr(
        "commonground.console.launching.WIND_DOWN_S", 60.0
    )  # a plan is finished first
    made: list[Station] = []

    def one(pace: float = FAST) -> Station:
        made.append(Station(graph, team, Grounder, tmp_path / "missions", pace=pace))
        return made[-1]

    yield one
    for station in made:
        station.close()
