"""Honest inputs of every kind that the program reads: made by the program itself and from the guides."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
_TITLED = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.M | re.S)
ROBOTS = """robots:
  husky: {pose: [60, 20, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
  spot: {pose: [6, 30, 0, 0.5], capabilities: [goto, inspect, pick, place]}
"""
TINY = (
    "simulation.sensor.width=96",
    "simulation.sensor.height=72",
    "simulation.world.size_m=60",
    "simulation.world.objects=120",
    "simulation.driving.frame_rate_hz=1",
    "simulation.driving.overlap=0.95",
)


def write_corpus(folder: Path, kinds: Iterable[str]) -> None:
    """Write the honest files of some kinds below a folder, each kind in a folder of its own name."""
    for kind in kinds:
        place, done = folder / kind, folder / f"{kind}.done"
        if not done.is_file():  # files name others by their places, so that nothing can be moved
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir(parents=True)
            MAKERS[kind](place)
            done.touch()


def guide(*pages: str) -> Callable[[Path], None]:
    """Return what writes the files that guides show."""

    def write(folder: Path) -> None:
        for page in pages:
            text = (ROOT / "docs/guides" / f"{page}.md").read_text(encoding="utf-8")
            for title, body in _TITLED.findall(text):
                (folder / title).write_text(body, encoding="utf-8")

    return write


def called(*words: object) -> None:
    """Run a command that has to end well."""
    from commonground.cli.main import run

    code = run([*map(str, words), "--quiet"])
    if code:
        sys.exit(f"the honest files cannot be made: {' '.join(map(str, words))} ended with {code}")


def _scene(folder: Path) -> None:
    from commonground.scene import load_scene, save_scene

    shutil.copy(ROOT / "commonground/data/courtyard.json", folder / "scene.json")
    graph = load_scene(folder / "scene.json")
    for ending in ("bson", "sparkdsg"):
        save_scene(graph, folder / f"scene.{ending}")
    (folder / "robots.yaml").write_text(ROBOTS, encoding="utf-8")
    (folder / "suite.yaml").write_text(
        f"name: two\nscene: scene.json\n{ROBOTS}"
        "instructions:\n"
        "  - {id: a, category: one, text: 'husky, inspect O1', accept: [{husky: (safe O1)}]}\n"
        "refuse:\n  - {id: b, text: go there, why: nowhere is said}\n",
        encoding="utf-8",
    )


def _memory(folder: Path) -> None:
    guide("memory")(folder)
    files = ("--domain", folder / "home.pddl", "--facts", folder / "home.jsonl")
    called("memory", "init", *files, "--memory", folder / "memory.db")
    shutil.copy(ROOT / "grounding/memory/ontology/household.yaml", folder / "meanings.yaml")
    called("memory", "tell", "Ann put her mug on the desk.", "--memory", folder / "memory.db")
    told = {"kind": "update", "id": "u1", "text": "Ann put her mug on the desk.", "speaker": "ann",
            "add": [["mug", "resting_on", "desk"]], "remove": [["mug", "resting_on", "counter"]]}  # fmt: skip
    asked = {"kind": "task", "id": "t1", "text": "Put the mug into the chest.",
             "goal": "(stowed_in mug chest)"}  # fmt: skip
    facts = (folder / "home.jsonl").read_text(encoding="utf-8").splitlines()
    head = json.loads(facts[0]) | {"domain": "home.pddl"}
    lines = [json.dumps(each) for each in (head, told, asked)]
    (folder / "episode.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _assembly(folder: Path) -> None:
    guide("assembly")(folder)
    called("assemble", "plan", folder / "cell.pl", "--out", folder / "plan.json")
    case = folder / "case"
    case.mkdir()
    shutil.copy(folder / "cell.pl", case / "kb_ll.pl")
    (case / "expected.yaml").write_text("minimum_makespan: {agents_1: 30}\n", encoding="utf-8")


def _mission(folder: Path) -> None:
    _scene(folder)
    before = Path.cwd()
    os.chdir(folder)
    try:
        words = ("scene.json", "--robots", "robots.yaml", "--goal", "husky=(visited-object O1)")
        called("mission", *words, "--yes", "--id", "one")
    finally:
        os.chdir(before)


def _data(folder: Path) -> None:
    values = [word for value in TINY for word in ("--set", value)]
    for form, name in (("folder", "seen"), ("ros1bag", "bags")):
        words = ("--out", folder / name, "--robots", "husky,spot", "--length", "12", "--seed", "1")
        called("simulate", *words, "--format", form, *values)
    _others(folder / "seen", folder)


def _others(seen: Path, folder: Path) -> None:
    """Write the frames of a dataset as the formats of others: TUM RGB-D and 7-Scenes."""
    color = sorted((seen / "husky").rglob("rgb/*"))[:4]
    depth = sorted((seen / "husky").rglob("depth/*"))[:4]
    tum, seven = folder / "tum", folder / "seven/seq-01"
    (tum / "rgb").mkdir(parents=True)
    (tum / "depth").mkdir()
    seven.mkdir(parents=True)
    lists: dict[str, list[str]] = {"rgb": [], "depth": [], "groundtruth": []}
    for k, (one, two) in enumerate(zip(color, depth, strict=True)):
        for kind, file in (("rgb", one), ("depth", two)):
            shutil.copy(file, tum / kind / f"{k}.000000{file.suffix}")
            lists[kind].append(f"{k}.000000 {kind}/{k}.000000{file.suffix}")
        lists["groundtruth"].append(f"{k}.000000 {k} 0 0 0 0 0 1")
        shutil.copy(one, seven / f"frame-{k:06d}.color.png")
        shutil.copy(two, seven / f"frame-{k:06d}.depth.png")
        rows = np.eye(4)
        rows[0, 3] = k
        np.savetxt(seven / f"frame-{k:06d}.pose.txt", rows)
    for kind, lines in lists.items():
        (tum / f"{kind}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _runs(folder: Path) -> None:
    _data(folder)
    for robot in ("husky", "spot"):
        called("map", folder / "seen", "--out", folder / "runs" / robot, "--robot", robot)
    runs = (folder / "runs/husky", folder / "runs/spot")
    called("fuse", *runs, "--out", folder / "fused")
    (folder / "graph.g2o").write_text(_pose_graph(), encoding="utf-8")


def _pose_graph() -> str:
    """Return a g2o graph of a short walk and one closure."""
    information = " ".join("1" if i == j else "0" for i in range(6) for j in range(i, 6))
    lines = [f"VERTEX_SE3:QUAT {k} {k} 0 0 0 0 0 1" for k in range(5)]
    lines += [f"EDGE_SE3:QUAT {k} {k + 1} 1 0 0 0 0 0 1 {information}" for k in range(4)]
    return "\n".join([*lines, f"EDGE_SE3:QUAT 0 4 4 0 0 0 0 0 1 {information}"]) + "\n"


def _drive(folder: Path) -> None:
    """Write a short drive of two robots of one camera each, past so many things that both see some."""
    many = (*TINY, "simulation.world.objects=300")
    values = [word for value in many for word in ("--set", value)]
    words = ("--out", folder / "seen", "--robots", "husky,bear", "--length", "12", "--seed", "1")
    called("simulate", *words, *values)


def _story(folder: Path) -> None:
    _drive(folder)
    (folder / "story.yaml").write_text(
        "title: Two robots\nsee:\n  data: ./seen\n  robots: [husky, bear]\nteam:\n"
        "  husky: {pose: [0, 0, 0, 0], capabilities: [goto, inspect]}\n"
        "instructions:\n  - Husky, inspect the nearest tree.\n",
        encoding="utf-8",
    )


def _live(folder: Path) -> None:
    _drive(folder)
    team = {"robots": {name: {"recording": "seen"} for name in ("husky", "bear")}}
    (folder / "team.yaml").write_text(json.dumps(team), encoding="utf-8")
    run = ("--robots", folder / "team.yaml", "--out", folder / "run", "--rate", "0")
    called("live", *run)


def _settings(folder: Path) -> None:
    import yaml

    from commonground.story.config import Config

    values = Config().model_dump(mode="json", exclude_none=True)
    (folder / "settings.yaml").write_text(yaml.safe_dump(values), encoding="utf-8")


MAKERS: Mapping[str, Callable[[Path], None]] = {
    "scene": _scene,
    "memory": _memory,
    "assembly": _assembly,
    "house": guide("household"),
    "pddl": guide("planning"),
    "streams": guide("streams"),
    "story": _story,
    "mission": _mission,
    "data": _data,
    "runs": _runs,
    "live": _live,
    "settings": _settings,
}
"""Kinds of honest inputs, and what makes them."""
