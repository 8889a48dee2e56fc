"""Honest files of every kind that the program reads, made by code and small."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

DOMAIN = """(define (domain rooms) (:requirements :strips :typing)
 (:types item place - object robot - item)
 (:predicates (at ?r - item ?p - place) (open ?p - place))
 (:action go :parameters (?r - robot ?a ?b - place)
  :precondition (and (at ?r ?a) (open ?b)) :effect (and (not (at ?r ?a)) (at ?r ?b))))
"""
PROBLEM = """(define (problem one) (:domain rooms)
 (:objects rob - robot hall yard - place)
 (:init (at rob hall) (open yard)) (:goal (at rob yard)))
"""
FACTS = """{"objects": {"rob": "robot", "hall": "place", "yard": "place"}, "facts": [["rob", "at", "hall"]]}
{"id": "cup", "type": "item", "name": "red cup", "traits": {"color": "red"}}
{"subject": "cup", "relation": "at", "object": "yard"}
"""
BASE = """% a small base
part(wheel). part(axle).
agent(arm, assembler).
fits(X, Y) :- part(X), part(Y), X \\= Y.
"""
ROBOTS = """robots:
  husky: {pose: [0, 0, 0, 0], capabilities: [inspect], speed_mps: 1.0}
"""
SETTINGS = """mapping:
  objects: {}
localization: {}
"""
STORY = """title: a drive
see: {simulate: {}, robots: [husky]}
team:
  husky: {pose: [0, 0, 0, 0]}
instructions: [go to the tree]
"""
TASKS = """tasks:
  - id: one
    floor: first
    text: open the box
    robots: [{id: robot1, skills: [GoToObject, OpenObject]}]
"""
WORLDS = "worlds: {}\n"
LAYOUT = """bags: [run.bag]
robots:
  spot:
    cameras: {front: {color: /rgb, depth: /depth}}
    odometry: {file: poses.tum}
"""


def pose_graph() -> str:
    """Return a g2o graph of a short walk and one closure."""
    information = " ".join("1" if i == j else "0" for i in range(6) for j in range(i, 6))
    lines = [f"VERTEX_SE3:QUAT {k} {k} 0 0 0 0 0 1" for k in range(5)]
    lines += [f"EDGE_SE3:QUAT {k} {k + 1} 1 0 0 0 0 0 1 {information}" for k in range(4)]
    return "\n".join([*lines, f"EDGE_SE3:QUAT 0 4 4 0 0 0 0 0 1 {information}"]) + "\n"


def write_dataset(folder: Path) -> None:
    """Write the smallest dataset folder there is: one camera, two frames."""
    from commonground.datasets.folder import MARKER
    from commonground.datasets.images import encode

    camera = folder / "husky" / "front"
    for kind, image in (
        ("rgb", np.full((48, 64, 3), 90, np.uint8)),
        ("depth", np.full((48, 64), 2000, np.uint16)),
        ("instances", np.ones((48, 64), np.uint16)),
    ):
        for stamp in (10**9, 2 * 10**9):
            file = camera / kind / f"{stamp}.png"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(encode(image, "png"))
    T = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    (folder / "husky" / "cameras.yaml").write_text(
        f"front: {{width: 64, height: 48, K: [50, 50, 32, 24], T_robot_cam: {T}}}\n"
    )
    poses = "".join(f"{k}.0 0 0 0 0 0 0 1\n" for k in range(1, 4))
    (folder / "husky" / "odometry.tum").write_text(poses)
    (folder / MARKER).write_text("schema_version: 1\nrobots: {husky: 2}\n")


def write_corpus(folder: Path) -> None:
    """Write one honest file of each kind."""
    from commonground.demo import sample_scene
    from commonground.grounding.memory import create_memory
    from commonground.scene import save_scene

    texts: Mapping[str, str] = {
        "domain.pddl": DOMAIN, "problem.pddl": PROBLEM, "facts.jsonl": FACTS, "base.pl": BASE,
        "robots.yaml": ROBOTS, "settings.yaml": SETTINGS, "story.yaml": STORY, "tasks.yaml": TASKS,
        "worlds.yaml": WORLDS, "layout.yaml": LAYOUT, "graph.g2o": pose_graph(),
    }  # fmt: skip
    for name, text in texts.items():
        (folder / name).write_text(text)
    graph = sample_scene()
    for ending in ("json", "bson", "sparkdsg"):
        save_scene(graph, folder / f"scene.{ending}")
    write_dataset(folder / "data")
    with create_memory(folder / "memory.db", folder / "domain.pddl", folder / "facts.jsonl"):
        pass
    write_bag(folder / "run.bag")


def write_bag(file: Path) -> None:
    """Write a ROS 1 bag with a few messages."""
    from rosbags.rosbag1 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS1_NOETIC)
    text = store.types["std_msgs/msg/String"]
    with Writer(file) as bag:
        connection = bag.add_connection("/words", text.__msgtype__, typestore=store)
        for k in range(3):
            raw = store.serialize_ros1(text(data=f"word {k}"), text.__msgtype__)
            bag.write(connection, k, raw)


INIT = ("memory", "init", "--domain", "domain.pddl", "--facts", "facts.jsonl", "--memory", "new.db")
COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("scene.json", ("export", "scene.json", "--to", "graphml", "--out", "out.graphml")),
    ("scene.json", ("ground", "scene.json", "husky, go to O1", "--robots", "robots.yaml")),
    ("scene.bson", ("export", "scene.bson", "--to", "json", "--out", "out.json")),
    ("scene.sparkdsg", ("export", "scene.sparkdsg", "--to", "geojson", "--out", "out.geojson")),
    ("robots.yaml", ("ground", "scene.json", "husky, go to O1", "--robots", "robots.yaml")),
    ("settings.yaml", ("config", "show", "--config", "settings.yaml")),
    ("story.yaml", ("run", "story.yaml", "--out", "out")),
    ("tasks.yaml", ("household", "worlds.yaml", "tasks.yaml", "--out", "plans.jsonl", "--keep", "kept")),
    ("worlds.yaml", ("household", "worlds.yaml", "tasks.yaml", "--out", "plans.jsonl")),
    ("layout.yaml", ("data", "info", "layout.yaml")),
    ("run.bag", ("data", "info", "run.bag")),
    ("graph.g2o", ("fuse", "graph.g2o", "--out", "out")),
    ("domain.pddl", ("solve", "domain.pddl", "problem.pddl")),
    ("problem.pddl", ("solve", "domain.pddl", "problem.pddl")),
    ("domain.pddl", INIT),
    ("facts.jsonl", INIT),
    ("memory.db", ("memory", "ask", "where is the red cup?", "--memory", "memory.db")),
    ("memory.db", ("memory", "tell", "the red cup is in the hall", "--memory", "memory.db")),
    ("base.pl", ("assemble", "kb", "check", "base.pl")),
    ("data/commonground.yaml", ("data", "info", "data")),
    ("data/husky/cameras.yaml", ("data", "info", "data")),
    ("data/husky/odometry.tum", ("data", "info", "data")),
    ("data/husky/front/rgb/1000000000.png", ("data", "info", "data")),
    ("data/husky/front/instances/1000000000.png", ("map", "data", "--out", "out", "--robot", "husky")),
)  # fmt: skip
"""The file that is spoiled, and the command that reads it."""

WORDS: Mapping[str, Callable[[str], tuple[str, ...]]] = {
    "ground": lambda text: ("ground", "scene.json", text, "--robots", "robots.yaml"),
    "memory tell": lambda text: ("memory", "tell", text, "--memory", "memory.db"),
    "memory ask": lambda text: ("memory", "ask", text, "--memory", "memory.db"),
    "set": lambda text: ("config", "show", "--set", f"mapping={text}"),
}
"""Commands that are given hostile words."""
