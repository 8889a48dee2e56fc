"""A console that logs for Rerun: what is in the file, and what is said where Rerun or the name is wrong."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from commonground.console.rerun_log import recorded
from commonground.console.station import Station
from commonground.errors import MissingDependencyError, RunError
from commonground.grounding import Grounder
from commonground.scene import load_scene

SCENE = Path(__file__).resolve().parents[3] / "commonground/data/courtyard.json"


def test_without_rerun_one_line_tells_what_to_install(tmp_path: Path) -> None:
    if importlib.util.find_spec("rerun") is not None:
        pytest.skip("Rerun is installed")
    station = Station(load_scene(SCENE), None, Grounder, tmp_path)
    with pytest.raises(MissingDependencyError, match=r"commonground\[rerun\]"):
        recorded(station, tmp_path / "a.rrd").__enter__()
    assert not (tmp_path / "a.rrd").exists()


def test_a_file_holds_the_map_and_what_was_told(tmp_path: Path) -> None:
    pytest.importorskip("rerun")
    station = Station(load_scene(SCENE), None, Grounder, tmp_path)
    with recorded(station, tmp_path / "log" / "a.rrd"), station._board.lock:
        station._board.tell("a word from the base")
    data = (tmp_path / "log" / "a.rrd").read_bytes()
    assert data[:3] == b"RRF" and len(data) > 10_000
    with pytest.raises(RunError, match="rrd"):
        recorded(station, tmp_path / "a.txt").__enter__()
