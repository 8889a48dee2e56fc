"""What the demo asks for: sentences that robots can carry out on the map that they made."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from commonground.geometry import from_xyz_yaw
from commonground.grounding.meaning import Act, Instruction, Thing
from commonground.planning.result import Status
from commonground.robots import Robot, Team
from commonground.story import composing

TEAM = Team({name: Robot(name, from_xyz_yaw([0, 0, 0, 0])) for name in ("husky", "spot")})


class Reads:
    """Understands all but what somebody is to lose."""

    def ground(self, text: str) -> Any:
        names = [name for name in TEAM if name.name.capitalize() in text and "lose" not in text]
        return SimpleNamespace(goals={robot.name: "(safe O1)" for robot in names})

    def ground_meaning(self, meaning: Instruction) -> Any:
        """A thing called ``lost`` is nowhere."""
        told = {one.who.names[0]: one.task for one in meaning.assignments}
        found = {robot: "(safe O1)" for robot, task in told.items() if "lost" not in str(task)}
        return SimpleNamespace(goals=found if len(found) == len(told) else {})


def test_plans_are_only_tried_for_what_is_understood_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[list[str]] = []

    def plan(graph: Any, team: Any, goals: dict[str, str]) -> Any:
        tried.append(sorted(goals))
        busy = {name: SimpleNamespace(actions=("inspect",)) for name in goals}
        return SimpleNamespace(status=Status.SOLVED, robots=busy)

    monkeypatch.setattr(composing, "plan_scene", plan)
    monkeypatch.setattr(composing, "_worth", lambda *_: True)
    seen, bring = Act("inspect", Thing(noun="box")), Act("pick", Thing(noun="bag"))
    gone = composing.Clause("Spot, find it", "spot", Act("inspect", Thing(noun="lost")))
    lost = [(composing.Clause(f"Husky, check O{k}", "husky", seen), gone) for k in range(50)]
    unread = composing.Clause("Spot, lose O1", "spot", bring)
    whole = composing.Clause("Husky, check O1", "husky", seen)
    pairs = [*lost, (whole, unread), (whole, composing.Clause("Spot, bring O2", "spot", bring))]
    reads: Any = Reads()
    found = composing._first(iter(pairs), None, TEAM, reads)  # type: ignore[arg-type]
    assert found == "Husky, check O1, and Spot, bring O2."
    assert tried == [["husky"], ["spot"], ["husky", "spot"]]
