"""A live run at the console: its robots in words, its map as it is fused anew, while no mission is open."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.console import Station, open_console
from commonground.console.following import Follower, progress_of
from commonground.console.live_tab import fusions, robots
from commonground.console.record import MissionRecord
from commonground.grounding import Grounder
from commonground.grounding.answers import Grounding
from commonground.live.team.folder import LiveFolder
from commonground.planning.mission.task import Task
from commonground.robots import load_team
from commonground.scene import SceneGraph, load_scene, save_scene

SCENE = Path(__file__).resolve().parents[3] / "commonground/data/courtyard.json"
EVIL = "<b onclick=hack()>"


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of two robots, of which one is joined."""
    folder = LiveFolder(tmp_path)
    at = np.eye(4)
    at[0, 3] = 2.0
    common = {"state": "mapping", "frames": 40, "rate_hz": 2.0, "delay_s": 0.4}
    folder.tell("husky", {"robot": "husky", **common, "T_odom_robot": at.tolist()})
    folder.tell("bear", {"robot": "bear", **common, "dropped": 3, "error": EVIL})
    folder.tell_team({"fusions": 2, "T_map_odom": {"husky": {"1": at.tolist()}}})
    for number, closures in ((1, 2), (2, 5)):
        folder.note_fusion({"fusions": number, "closures": closures, "joined": ["husky"]})
    return tmp_path


def test_robots_and_closures_in_words(run: Path) -> None:
    follower = Follower(run)
    state = follower.team()
    assert state is not None
    said = robots(state)
    assert said.count("lost: nothing joins it") == 1 and "3 left out" in said
    assert "0.4 s later" in said and EVIL not in said and "&lt;b" in said
    assert "husky joined, 5 closures (+3)" in fusions(state, follower.fusions())
    shown = progress_of(state)
    assert shown["husky"].status.position == (4.0, 0.0, 0.0)
    assert shown["bear"].status.position is None and not shown["bear"].status.localized


def test_an_empty_folder_is_waited_for(tmp_path: Path) -> None:
    follower = Follower(tmp_path / "soon")
    assert follower.team() is None and follower.newer_map() is None
    assert "No robot" in robots(follower.team())


def test_a_map_is_read_once_and_a_damaged_one_later(tmp_path: Path) -> None:
    follower, file = Follower(tmp_path), tmp_path / "fused" / "scene.json"
    file.parent.mkdir()
    file.write_text('{"nodes": [')
    assert follower.newer_map() is None
    save_scene(load_scene(SCENE), file)
    found = follower.newer_map()
    assert found is not None and len(found.objects)
    assert follower.newer_map() is None


def until(what: Any) -> None:
    """Wait for something; a page looks once a second."""
    end_s = time.monotonic() + 60
    while not what() and time.monotonic() < end_s:
        time.sleep(0.05)
    assert what()


def test_the_page_shows_the_map_as_it_comes(run: Path) -> None:
    pytest.importorskip("viser")
    station = Station(SceneGraph(), None, Grounder, run / "missions")
    graph = load_scene(SCENE)
    with open_console(station, port=0, live=run) as console:
        scene = console.server.scene
        until(lambda: "/robots/husky" in scene._handle_from_node_name)
        assert "/robots/bear" not in scene._handle_from_node_name
        gui = console.server.gui

        def offered() -> set[str]:
            """The layers that can be shown."""
            return {h.label for h in list(gui._gui_input_handle_from_uuid.values())}

        assert "objects" not in offered()
        save_scene(graph, run / "fused" / "scene.json")
        until(lambda: len(station.graph.objects) == len(graph.objects))
        until(lambda: "objects" in offered())
        kept = {name: layer for name, layer in graph.layers.items() if name != "objects"}
        bare = replace(graph, layers=kept, links={})
        save_scene(bare, run / "fused" / "scene.json")
        until(lambda: "objects" not in offered())


def test_a_map_that_was_there_before_the_page_is_shown(run: Path) -> None:
    pytest.importorskip("viser")
    save_scene(load_scene(SCENE), run / "fused" / "scene.json")
    station = Station(SceneGraph(), None, Grounder, run / "missions")
    with open_console(station, port=0, live=run):
        until(lambda: station.graph.has("objects"))


def test_a_discarded_plan_is_not_drawn_any_more(tmp_path: Path) -> None:
    pytest.importorskip("viser")
    (tmp_path / "robots.yaml").write_text("robots: {husky: {pose: [60, 20, 0, 0]}}")
    team = load_team(tmp_path / "robots.yaml")
    station = Station(load_scene(SCENE), team, Grounder, tmp_path / "missions")
    way = ((60.0, 20.0, 0.0), (50.0, 30.0, 0.0))
    plan = (Task("k", "husky", "goto", "O7", way, end_s=9.0),)
    answer = Grounding("ok", {"husky": "(safe O7)"}, "", ({"phrase": "it", "chosen": ["O7"]},))
    with open_console(station, port=0) as console:
        drawn = console.server.scene._handle_from_node_name
        record = MissionRecord(1, "x", "planned", answer=answer, tasks=plan, plans=1)
        with station._board.lock:
            station._board.change(record)
        until(lambda: {"/plan/husky", "/chosen"} <= set(drawn))
        with station._board.lock:
            station._board.change(record.moved("discarded"))
        until(lambda: not {"/plan/husky", "/chosen"} & set(drawn))
