"""The readers of files that anybody may have written, each as a function of a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

FRAMES = 3
"""Of a robot, so many are read."""


@dataclass(frozen=True, slots=True)
class Fuzzed:
    """A reader, the kind of honest files it is tried on, and which of them are spoiled."""

    name: str
    kind: str
    files: tuple[str, ...]
    read: Callable[[Path], object]
    needs: tuple[str, ...] = ("*",)
    """What of the honest files is copied."""


def _scenes(folder: Path) -> None:
    from commonground.scene import load_scene, save_scene

    for ending in ("json", "bson", "sparkdsg"):
        save_scene(load_scene(folder / f"scene.{ending}"), folder / "again.json")


def _team(folder: Path) -> None:
    from commonground.robots import load_team

    load_team(folder / "robots.yaml")


def _suite(folder: Path) -> None:
    from commonground.grounding.suites import load_suite

    load_suite(folder / "suite.yaml")


def _maps(folder: Path) -> None:
    from commonground.mapping.fusion.inputs import load_runs

    load_runs([folder / "runs/husky/robots/husky"])


def _pose_graph(folder: Path) -> None:
    from commonground.mapping.fusion.g2o import read_g2o

    read_g2o(folder / "graph.g2o")


def _dataset(name: str) -> Callable[[Path], None]:
    def read(folder: Path) -> None:
        from commonground.datasets.opening import open_dataset

        found = open_dataset(folder / name)
        for robot in found.robots():
            found.cameras(robot)
            found.trajectory(robot)
            for number, _ in enumerate(found.frames(robot)):
                if number == FRAMES:
                    break

    return read


def _pddl(folder: Path) -> None:
    from commonground.planning.pddl import load_task

    load_task(folder / "domain.pddl", folder / "problem.pddl")


@cache
def _engine() -> Any:
    from commonground.grounding.prolog.base.engine import Engine

    return Engine()


def _prolog(folder: Path) -> None:
    from commonground.grounding.prolog.base.load import read_text
    from commonground.grounding.prolog.checks.check import check

    check(_engine(), read_text(folder / "cell.pl"))


def _prolog_plan(folder: Path) -> None:
    from commonground.grounding.prolog.plans.plan_file import read_plan

    read_plan(folder / "plan.json")


def _settings(folder: Path) -> None:
    from commonground.config import load_config
    from commonground.story.config import Config

    load_config(Config, folder / "settings.yaml")


def _household(folder: Path) -> None:
    from commonground.datasets.household import load_tasks, load_worlds

    load_tasks(folder / "tasks.yaml", load_worlds(folder / "worlds.yaml"))


def _story(folder: Path) -> None:
    from commonground.story.spec import read_story

    read_story(folder / "story.yaml")


def _live_team(folder: Path) -> None:
    from commonground.live.team.settings import load_live_team

    load_live_team(folder / "team.yaml")


def _live_state(folder: Path) -> None:
    from commonground.live.team.state import read_team

    read_team(folder / "run")


def _memory(folder: Path) -> None:
    from commonground.grounding.memory.opening import open_memory

    with open_memory(folder / "memory.db") as memory:
        memory.tell("The mug is on the desk.")
        for thing in memory.store.things:
            memory.store.history(thing)
        memory.store.claims()
        memory.store.as_of(2**62)


def _world(folder: Path) -> None:
    from commonground.grounding.knowledge.files import load_world, read_text
    from commonground.grounding.knowledge.vocabulary import Vocabulary

    load_world(folder / "home.jsonl", Vocabulary.parse(read_text(folder / "home.pddl"), "home"))


READERS: tuple[Fuzzed, ...] = (
    Fuzzed("scene", "scene", ("scene.*",), _scenes),
    Fuzzed("robots", "scene", ("robots.yaml",), _team),
    Fuzzed("suite", "scene", ("suite.yaml",), _suite),
    Fuzzed("npz", "runs", ("runs/husky/robots/husky/*",), _maps, ("runs/husky",)),
    Fuzzed("g2o", "runs", ("graph.g2o",), _pose_graph, ("graph.g2o",)),
    Fuzzed("bags", "data", ("bags/*",), _dataset("bags"), ("bags",)),
    Fuzzed("folder", "data", ("seen/*.*", "seen/husky/*.*"), _dataset("seen"), ("seen",)),
    Fuzzed("tum", "data", ("tum/*.txt", "tum/*/*"), _dataset("tum"), ("tum",)),
    Fuzzed("seven", "data", ("seven/*/*",), _dataset("seven"), ("seven",)),
    Fuzzed("pddl", "pddl", ("*.pddl",), _pddl),
    Fuzzed("prolog", "assembly", ("cell.pl",), _prolog),
    Fuzzed("prolog plan", "assembly", ("plan.json",), _prolog_plan),
    Fuzzed("settings", "settings", ("settings.yaml",), _settings),
    Fuzzed("household", "house", ("worlds.yaml", "tasks.yaml"), _household),
    Fuzzed("story", "story", ("story.yaml",), _story),
    Fuzzed("live team", "live", ("team.yaml",), _live_team, ("team.yaml", "seen")),
    Fuzzed(
        "live state", "live", ("run/live/*.json", "run/live/robots/*.json"), _live_state, ("run",)
    ),
    Fuzzed("memory", "memory", ("memory.db",), _memory),
    Fuzzed("facts", "memory", ("home.*",), _world),
)
