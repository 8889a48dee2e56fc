"""What an operator approves is told in words: who shall do what, with what is meant by each name."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

from commonground.demo import sample_scene
from commonground.live import Desk, begin_mission
from commonground.planning.scene.wording import in_words, with_names
from commonground.scene import save_scene

ROBOTS = """
robots:
  spot: {pose: [6, 30, 0, 0], capabilities: [goto, inspect, pick, place]}
"""


def test_the_question_says_goals_and_names(tmp_path: Path) -> None:
    scene, robots = tmp_path / "map.json", tmp_path / "robots.yaml"
    save_scene(sample_scene(), scene)
    robots.write_text(ROBOTS)
    asked: list[str] = []

    def refuse(question: str) -> bool:
        asked.append(question)
        return False

    goals = {"spot": "(and (safe O38) (not (visited-object O39)))"}
    begin_mission(tmp_path / "run", scene, robots, goals, Desk("test", refuse, lambda line: None))
    assert "spot shall inspect the flag (O38), never go to the rock (O39)" in asked[0]
    assert "spot: inspect the flag (O38)" in asked[0]
    assert re.search(r"; \d+ m and about \d+ s in all\. Go ahead\?$", asked[0])


def test_every_symbol_has_its_name() -> None:
    graph = sample_scene()
    assert (
        with_names("inspect O38; end in R4", graph)
        == "inspect the flag (O38); end in the plaza (R4)"
    )
    assert with_names("the plaza (R4), O999", graph) == "the plaza (R4), O999"


@pytest.mark.parametrize("count", [2, 3])
def test_so_many_of_several_are_counted(count: int) -> None:
    ways = itertools.combinations(["O0", "O1", "O2", "O3"], count)
    goal = f"(or {' '.join(_all_of(way) for way in ways)})"
    assert in_words(goal, sample_scene()) == f"inspect {count} of O0, O1, O2, O3"


def test_some_choices_only_are_named_one_by_one() -> None:
    goal = f"(or {_all_of(('O0', 'O1'))} {_all_of(('O0', 'O2'))})"
    assert in_words(goal, sample_scene()) == "inspect O0, inspect O1 or inspect O0, inspect O2"


def _all_of(things: tuple[str, ...]) -> str:
    return f"(and {' '.join(f'(safe {thing})' for thing in things)})"
