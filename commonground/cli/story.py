"""What ``commonground demo`` tells: a courtyard, two robots, three instructions and what became of them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonground.demo import sample_scene
from commonground.runs import Run
from commonground.scene.summary import summarize

if TYPE_CHECKING:
    from commonground.planning.scene import TeamPlan
    from commonground.robots import Team
    from commonground.scene import SceneGraph

INSTRUCTIONS = (
    "Spot, inspect the red vehicle in the east parking lot that is closest to the bus shelter.",
    "Spot, bring the box closest to the flag to the garden path, and Husky, check every vehicle "
    "in the east parking lot without crossing the plaza.",
    "Husky, pick up the red bag.",
)


@dataclass(frozen=True, slots=True)
class Told:
    """One instruction, its goals or the question back, and the plan."""

    text: str
    status: str
    goals: Mapping[str, str]
    message: str
    reasons: tuple[Mapping[str, Any], ...]
    time_s: float
    plan: TeamPlan | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the instruction's outcome as JSON values."""
        plan = None if self.plan is None else self.plan.as_json()
        return {
            "instruction": self.text,
            "status": self.status,
            "goals": dict(self.goals),
            "message": self.message,
            "reasons": [dict(r) for r in self.reasons],
            "time_s": round(self.time_s, 4),
            "plan": plan,
        }


def sample_team() -> Team:
    """Return the two robots of the story: a Spot on the plaza, a Husky on the main street."""
    from commonground.geometry import from_xyz_yaw
    from commonground.robots import Robot, Team

    hands = frozenset({"goto", "inspect", "pick", "place"})
    eyes = frozenset({"goto", "inspect"})
    return Team(
        {
            "spot": Robot("spot", from_xyz_yaw([6, 30, 0, 0]), hands),
            "husky": Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), eyes, speed_mps=1.5),
        }
    )


def tell(out: Path, seed: int, config_yaml: str) -> dict[str, Any]:
    """Ground and plan the instructions on the bundled scene, draw the result, return what to print."""
    with Run.open(out, "demo", seed=seed, config_yaml=config_yaml, fresh=True) as run:
        graph, team = sample_scene(), sample_team()
        told = run_instructions(graph, team, seed)
        picture = run.folder / "courtyard.png"

        def draw() -> dict[str, Any]:
            from commonground.cli.story_picture import draw_story
            from commonground.scene.draw import save_figure

            save_figure(draw_story(graph, team, told), picture)
            return {"picture": str(picture)}

        run.phase("instruct", lambda: {"instructions": [t.as_json() for t in told]})
        run.phase("draw", draw)
        return {"status": "done", **summarize(graph), "told": told, "picture": picture}


def run_instructions(graph: SceneGraph, team: Team, seed: int) -> list[Told]:
    """Return what becomes of each instruction."""
    from commonground.grounding import Grounder
    from commonground.planning.scene import plan_scene

    grounder = Grounder(graph, team)
    told = []
    for text in INSTRUCTIONS:
        start = time.perf_counter()
        found = grounder.ground(text)
        goals = dict(found.goals or {})
        plan = plan_scene(graph, team, goals, seed=seed) if goals else None
        seconds = time.perf_counter() - start
        told.append(Told(text, found.status, goals, found.message, found.reasons, seconds, plan))
    return told
