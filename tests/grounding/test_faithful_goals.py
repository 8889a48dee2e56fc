"""The check of goals that a model wrote itself: what a text shows to be wrong is seen, honest goals pass."""

from __future__ import annotations

import json

import pytest

from commonground.grounding.fidelity import unfaithful_goals
from commonground.grounding.grounder import Grounder
from commonground.grounding.settings import GroundingSettings, ModelSettings
from commonground.planning.pddl import parse_formula
from tests.grounding.model_server import model_server
from tests.grounding.sites import STYLES, make_site

ROBOTS = ["anna", "bert"]


def _wrong(text: str, **goals: str) -> str:
    parsed = {robot: parse_formula(goal) for robot, goal in goals.items()}
    return "; ".join(unfaithful_goals(parsed, text, ROBOTS))


@pytest.mark.parametrize(
    ("text", "goals", "why"),
    [
        ("Anna, examine O481.", {"anna": "(safe O515)"}, "O481, which is left out"),
        ("Anna, examine O481.", {"bert": "(safe O481)"}, "does not name the robot bert"),
        ("Anna, examine O481.", {"bert": "(safe O481)"}, "anna, which has no goal"),
        ("Anna, go to O1, but never enter R4.", {"anna": "(visited-object O1)"}, "R4"),
        ("Anna, go to the flag and avoid the pier.", {"anna": "(visited-object O1)"}, "'avoid'"),
        ("Anna, inspect three boxes.", {"anna": "(and (safe O1) (safe O2))"}, "speaks of 3"),
        ("Anna, inspect 3 boxes.", {"anna": "(and (safe O1) (safe O2))"}, "speaks of 3"),
        ("Anna, inspect O1. Bert, inspect O2.", {"anna": "(and (safe O1) (safe O2))"}, "bert"),
    ],
)
def test_what_the_text_shows_to_be_wrong_is_seen(
    text: str, goals: dict[str, str], why: str
) -> None:
    assert why in _wrong(text, **goals)


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Anna, examine O481.", {"anna": "(safe O481)"}),
        ("Anna, inspect the box nearest to O15.", {"anna": "(safe O194)"}),
        ("Somebody examine O481.", {"bert": "(safe O481)"}),
        ("Anna and the other one, go to O3.", {"anna": "(at-object O3)", "bert": "(at-object O3)"}),
        ("Anna, go to O1, never enter R4.",
         {"anna": "(and (visited-object O1) (not (visited-region R4)))"}),
        ("Anna, inspect two boxes.", {"anna": "(or (and (safe O1) (safe O2)) (and (safe O1) (safe O3)))"}),
        ("Anna, go within 30 meters of the flag.", {"anna": "(at-place P3)"}),
        ("Not bert: anna, inspect O2.", {"anna": "(safe O2)"}),
    ],
)  # fmt: skip
def test_honest_goals_pass(text: str, goals: dict[str, str]) -> None:
    assert _wrong(text, **goals) == ""


def test_the_model_is_told_and_then_the_speaker_is_asked() -> None:
    site = make_site(STYLES["harbour"], 1)
    one, other = [symbol for symbol in site.symbols if symbol.startswith("O")][:2]
    wrong, right = (json.dumps({"goals": {"anna": f"(safe {s})"}}) for s in (other, one))
    for moves, status in (([wrong, right], "ok"), ([wrong], "clarify")):
        with model_server(*moves) as (address, script):
            model = ModelSettings(base_url=address, max_attempts=2)
            settings = GroundingSettings(backend="openai-direct", model=model)
            answer = Grounder(site.graph, site.team, settings).ground(f"Anna, examine {one}.")
        assert answer.status == status and len(script.requests) == 2
        assert answer.goals == ({"anna": f"(safe {one})"} if status == "ok" else None)
        assert f"names {one}" in script.requests[1]["messages"][-1]["content"]
