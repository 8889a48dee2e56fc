"""Small worlds and drives that several tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.datasets import Simulation, SimulationSettings, World, make_world
from commonground.datasets.folder import write_folder
from commonground.datasets.ros1bag import writing

SMALL = {
    "seed": 3,
    "world": {"seed": 3, "size_m": 100, "objects": 150},
    "sensor": {"width": 160, "height": 120},
    "driving": {"length_m": 6, "frame_rate_hz": 2},
}


@pytest.fixture(scope="session")
def campus() -> World:
    return make_world("campus", 0)


@pytest.fixture(scope="session")
def office() -> World:
    return make_world("office", 0)


@pytest.fixture(scope="session")
def hybrid() -> World:
    return make_world("hybrid", 0)


@pytest.fixture(scope="session")
def small_settings() -> SimulationSettings:
    return SimulationSettings.model_validate(SMALL)


@pytest.fixture(scope="session")
def drive(small_settings: SimulationSettings) -> Simulation:
    return Simulation(("husky", "spot"), small_settings)


@pytest.fixture(scope="session")
def kimera(drive: Simulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same drive as bags; copy them before damaging anything."""
    out = tmp_path_factory.mktemp("kimera") / "bags"
    assert sum(1 for _ in writing(drive, out)) == sum(drive.length(r) for r in drive.robots())
    return out


@pytest.fixture(scope="session")
def folder(drive: Simulation, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A written dataset folder; copy it before damaging anything."""
    return write_folder(drive, tmp_path_factory.mktemp("data") / "folder")
