"""What the team is asked, and what becomes of it: goals with reasons, a plan, or a question back."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from commonground.arrays import Floats
from commonground.atomic import write_text
from commonground.geometry import gravity_aligned
from commonground.run_folder import SCENE
from commonground.runs import Run
from commonground.story.spec import Story

if TYPE_CHECKING:
    from commonground.crops import Crops
    from commonground.grounding import Grounder, GroundingSettings
    from commonground.grounding.lookup import Witness
    from commonground.robots import Robot, Team
    from commonground.scene import SceneGraph
    from commonground.story.config import Config

MISSIONS = "missions"


def ask(story: Story, run: Run, seed: int) -> Mapping[str, Any]:
    """Ground and plan every instruction on the fused map, for the robots where they are now."""
    from commonground.crops import Crops
    from commonground.live.folders import ROBOTS
    from commonground.robots import save_team
    from commonground.scene import load_scene
    from commonground.story.composing import compose

    graph = load_scene(run.fused / SCENE)
    team = team_now(story, run)
    texts = list(story.instructions)
    if not len(team):
        why = (
            "no robot of the team knows where it is in the map"
            if story.team
            else "there is no team"
        )
        return {"asked": [_unheard(text, why) for text in texts], "team": {}}
    grounder = grounder_on(graph, team, story.settings, crops=Crops(run.fused))
    if story.ask_about_map:
        texts += compose(graph, team, grounder)
    asked = [answer(text, graph, team, grounder, seed) for text in texts]
    for number, values in enumerate(asked, 1):
        folder = run.folder / MISSIONS / str(number)
        write_text(folder / "instruction.txt", values["instruction"] + "\n")
        write_text(folder / "goals.json", json.dumps(values["goals"], indent=1) + "\n")
        if values["plan"] is not None:
            write_text(folder / "plan.json", json.dumps(values["plan"], indent=1) + "\n")
    save_team(team, run.folder / ROBOTS)
    poses = {r.name: np.round(r.T_map_robot, 4).tolist() for r in team}
    return {"asked": asked, "team": poses}


def grounder_on(
    graph: SceneGraph,
    team: Team,
    config: Config,
    settings: GroundingSettings | None = None,
    crops: Crops | None = None,
) -> Grounder:
    """Return what grounds instructions on a map, with the encoder of the looks that the map keeps.

    Where the settings say so, a vision model is shown the map's crops of what is in doubt.
    """
    from commonground.grounding import Grounder
    from commonground.mapping.perception import encoder_of
    from commonground.scene.strangers import tell_strangers

    tell_strangers(graph, (robot for robot in team if not robot.adapter))
    encoder = encoder_of(graph, config.mapping.perception.fastsam)
    settings = settings or config.grounding
    witness = witness_of(settings, crops)
    return Grounder(graph, team, settings, encoder=encoder, witness=witness)


def witness_of(settings: GroundingSettings, crops: Crops | None) -> Witness | None:
    """Return the vision model of the settings, to be shown crops; None without one."""
    if not settings.eyes or crops is None or not len(crops):
        return None
    from commonground.grounding.lookup import Witness
    from commonground.grounding.model.client import ChatModel

    return Witness(ChatModel(settings.model), crops)


def answer(
    text: str, graph: SceneGraph, team: Team, grounder: Grounder, seed: int
) -> dict[str, Any]:
    """Return what becomes of one instruction, as JSON values."""
    from commonground.planning.team import plan_scene

    start = time.perf_counter()
    found = grounder.ground(text)
    goals = dict(found.goals or {})
    plan = plan_scene(graph, team, goals, order=found.order, seed=seed) if goals else None
    return {
        "instruction": text,
        "status": found.status,
        "goals": goals,
        "order": [pair.as_json() for pair in found.order],
        "message": found.message,
        "reasons": [dict(r) for r in found.reasons],
        "plan": None if plan is None else plan.as_json(),
        "time_s": round(time.perf_counter() - start, 3),
    }


def _unheard(text: str, why: str) -> dict[str, Any]:
    """Return what becomes of an instruction where nobody can be told, as JSON values."""
    return {
        "instruction": text,
        "status": "clarify",
        "goals": {},
        "order": [],
        "message": f"nobody can be told: {why}",
        "reasons": [],
        "plan": None,
        "time_s": 0.0,
    }


def team_now(story: Story, run: Run) -> Team:
    """Return the robots of the story where they were localized last; one that is lost is left out."""
    from commonground.robots import Team, team_of

    robots = dict(team_of(story.team).robots)
    if story.again is None:
        return Team(robots)
    fixes = run.result("relocalize")
    here = {}
    for name, robot in robots.items():
        pose = fixes.get(name, {}).get("T_map_robot")
        if pose is not None:
            here[name] = _moved(robot, np.array(pose))
    return Team(here)


def _moved(robot: Robot, T_map_robot: Floats) -> Robot:
    return replace(robot, T_map_robot=gravity_aligned(T_map_robot))


def planned(asked: list[dict[str, Any]]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the instructions that have a plan, with their numbers from 1."""
    for number, values in enumerate(asked, 1):
        if values["plan"] is not None and values["plan"]["status"] == "solved":
            yield number, values
