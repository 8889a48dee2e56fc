"""Numbers that no sensor writes: each ends in a line that names it, or counts as no frame."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from commonground.atomic import writing_alone
from commonground.cli.main import run
from commonground.datasets.readers.poses import read_pose_csv
from commonground.demo import sample_scene
from commonground.errors import CommongroundError, DataError, MappingError, RunError
from commonground.mapping.fusion.workers import exposure, workers
from commonground.scene import save_scene
from commonground.scene.graph import SceneGraph
from commonground.tum import read_tum, stamp_ns

ONE = " ".join("1" if i == j else "0" for i in range(6) for j in range(i, 6))
GRAPHS = {
    "zero quaternion": "VERTEX_SE3:QUAT 0 0 0 0 0 0 0 0",
    "zero edge": f"VERTEX_SE3:QUAT 0 0 0 0 0 0 0 1\nEDGE_SE3:QUAT 0 0 1 0 0 0 0 0 0 {ONE}",
    "huge id": f"VERTEX_SE3:QUAT {'9' * 40} 0 0 0 0 0 0 1",
    "negative id": "VERTEX_SE2 -5 0 0 0",
}


@pytest.mark.parametrize("text", GRAPHS.values(), ids=GRAPHS)
def test_pose_graphs(text: str, tmp_path: Path) -> None:
    from commonground.mapping.fusion.g2o import read_g2o

    file = tmp_path / "graph.g2o"
    file.write_text(text)
    with pytest.raises(MappingError, match=r"graph\.g2o:\d"):
        read_g2o(file)


@pytest.mark.parametrize("stamp", ["1e400", "9" * 40, "9" * 5000, "-" + "9" * 40, "²", "nan"])
def test_stamps(stamp: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        stamp_ns(stamp)
    file = tmp_path / "poses.tum"
    file.write_text(f"{stamp} 0 0 0 0 0 0 1\n")
    with pytest.raises(DataError, match=r"poses\.tum:1"):
        read_tum(file)
    file.write_text(f"{stamp},0,0,0,1,0,0,0\n")
    with pytest.raises(DataError):
        read_pose_csv(file)


@pytest.mark.parametrize(("zeros", "unit"), [(3, "milli"), (6, "micro"), (9, "nano")])
def test_a_stamp_in_another_unit_is_told_from_a_damaged_line(
    zeros: int, unit: str, tmp_path: Path
) -> None:
    file, ticks = tmp_path / "poses.tum", "5" * zeros
    file.write_text(f"# t\n1700000000{ticks} 0 0 0 0 0 0 1\n1700000001{ticks} 1 0 0 0 0 0 1\n")
    with pytest.raises(DataError, match=rf"tum:2: .* in seconds; .* {unit}seconds.*00\.{ticks}"):
        read_tum(file)


def test_honest_stamps_are_exact() -> None:
    assert stamp_ns("1700000000.123456789") == 1_700_000_000_123_456_789
    assert stamp_ns("-1.5") == -1_500_000_000
    assert stamp_ns("1e3") == 10**12


def test_color_images_are_no_numbers(tmp_path: Path) -> None:
    from commonground.datasets.images import encode
    from commonground.datasets.readers.files import _ids

    file = tmp_path / "1.png"
    file.write_bytes(encode(np.zeros((4, 6, 3), np.uint8), "png"))
    with pytest.raises(DataError, match="color image"):
        _ids(file, (6, 4))


@pytest.mark.parametrize("traits", ["{", "[1]", '{"color": 3}', "null", "[" * 100_000])
def test_broken_traits_in_a_memory(traits: str, tmp_path: Path) -> None:
    from commonground.grounding.memory import create_memory, open_memory

    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:requirements :typing) (:types item place - object)"
        " (:predicates (at ?i - item ?p - place)))"
    )
    facts = {"objects": {"cup": "item", "hall": "place"}, "facts": [["cup", "at", "hall"]]}
    (tmp_path / "f.jsonl").write_text(json.dumps(facts))
    file = tmp_path / "m.db"
    with create_memory(file, tmp_path / "d.pddl", tmp_path / "f.jsonl"):
        pass
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE thing SET traits = ?", (traits,))
    with pytest.raises(CommongroundError, match="traits"), open_memory(file) as memory:
        memory.store.things.get("cup")


def test_graphml_of_names_that_xml_cannot_write(tmp_path: Path) -> None:
    import networkx as nx

    from commonground.demo import sample_scene
    from commonground.scene import save_scene
    from commonground.scene.export import export_scene

    save_scene(sample_scene(), tmp_path / "scene.json")
    values = json.loads((tmp_path / "scene.json").read_text())
    for node in values["nodes"]:
        if "name" in node["attributes"]:
            node["attributes"]["name"] = "a\x00\x1bb"
    (tmp_path / "scene.json").write_text(json.dumps(values))
    from commonground.scene import load_scene

    graph: SceneGraph = load_scene(tmp_path / "scene.json")
    export_scene(graph, tmp_path / "out.graphml")
    assert "ab" in {
        found["name"] for _, found in nx.read_graphml(tmp_path / "out.graphml").nodes.data()
    }


def test_two_do_not_write_into_one_folder(tmp_path: Path) -> None:
    again = pytest.raises(RunError, match="another process")
    with writing_alone(tmp_path / "out"), again, writing_alone(tmp_path / "out"):
        pass
    with writing_alone(tmp_path / "out"):
        pass


@pytest.mark.parametrize(
    ("address", "safe"),
    [
        ("tls://10.0.0.1:8786", True), ("tcp://127.0.0.1:8786", True), ("tcp://localhost:8786", True),
        ("tcp://[::1]:8786", True), ("tcp://10.0.0.1:8786", False), ("10.0.0.1:8786", False),
        ("ws://scheduler:80", False), ("tcp://127.0.0.1.example.org:1", False),
    ],
)  # fmt: skip
def test_schedulers_that_anybody_reaches_are_told(address: str, safe: bool) -> None:
    assert (exposure(address) == "") is safe


@pytest.mark.parametrize(
    "address", ["http://a:1", "tcp://a", "tcp://u:secret@a:1", "a:99999", "a:\x1b1", ""]
)
def test_what_is_no_address_of_a_scheduler_is_told_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(MappingError, match="no address") as told, workers(address, 1):
        pass
    assert "secret" not in str(told.value)


def test_a_robot_in_another_frame_than_the_map_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    save_scene(sample_scene(), "scene.json")
    Path("robots.yaml").write_text(
        "robots:\n  husky: {pose: [1e7, 0, 0, 0], capabilities: [inspect]}\n"
        "  spot: {pose: [6, 30, 0, 0], capabilities: [inspect]}\n"
    )
    given = ("scene.json", "--robots", "robots.yaml", "--goal")
    assert run(["plan", *given, "team=(visited-object O1)"]) == 0
    assert "it takes no part" in capfd.readouterr().out
    assert run(["mission", *given, "husky=(visited-object O1)", "--yes", "--id", "one"]) == 1
    told = capfd.readouterr().err
    assert told.startswith("commonground: husky is") and told.count("\n") == 1
    assert run(["mission", *given, "spot=(visited-object O1)", "--yes", "--id", "one"]) == 0
