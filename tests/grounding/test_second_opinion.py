"""A model's answer that a sure offline reading contradicts goes back to the model, then to the speaker."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.modeled import TypedBackend
from commonground.grounding.frontends.second import SecondOpinion
from commonground.grounding.grounder import Grounder
from commonground.grounding.model.client import ChatModel
from commonground.grounding.settings import GroundingSettings, ModelSettings
from commonground.grounding.world import World
from tests.grounding.model_server import model_server
from tests.grounding.sites import STYLES, make_site

TEXT = "Anna, inspect the statue."
RIGHT, OTHER = "inspect", "pick"


class Reads:
    """An offline reader that understands one thing, whatever it is told."""

    def __init__(self, found: Grounding) -> None:
        self.found = found

    def ground(self, text: str) -> Grounding:
        return self.found


def said(do: str) -> str:
    task = {"do": do, "what": {"noun": "statue"}}
    return json.dumps({"assignments": [{"who": {"names": ["anna"]}, "task": task}]})


GOALS = Grounding("ok", {"anna": "(safe O1552)"}, "")


def ask(
    answers: Sequence[str], sure: float, offline: Grounding = GOALS
) -> tuple[Grounding, list[str]]:
    """Return the answer of a model that says these in turn, and what it was told."""
    site = make_site(STYLES["harbour"], 1)
    world = World(site.graph, site.team)
    second = SecondOpinion(Reads(replace(offline, confidence=sure)), 0.7)
    with model_server(*answers) as (address, script):
        model = ChatModel(ModelSettings(base_url=address, budget_s=20.0, max_attempts=2))
        found = TypedBackend(world, GroundingSettings(), model, second).ground(TEXT)
        told = [request["messages"][-1]["content"] for request in script.requests]
    return found, told


def test_what_it_contradicts_is_put_right() -> None:
    found, told = ask([said(OTHER), said(RIGHT)], 0.9)
    assert found.goals == {"anna": "(safe O1552)"}
    assert "the text by itself to anna (safe O1552)" in told[1]


def test_what_stays_contradicted_is_asked_about() -> None:
    found, _ = ask([said(OTHER), said(OTHER)], 0.9)
    assert (found.status, found.goals) == ("clarify", None)
    assert "(safe O1552)" in found.message


@pytest.mark.parametrize(("goal", "sure"), [("(safe O1552)", 0.9), ("(safe O1553)", 0.6)])
def test_agreement_and_unsure_readings_cost_nothing(goal: str, sure: float) -> None:
    found, told = ask([said(RIGHT)], sure, Grounding("ok", {"anna": goal}, ""))
    assert len(told) == 1
    assert found.goals == {"anna": "(safe O1552)"}


@pytest.mark.parametrize("ruled_out", [True, False])
def test_a_question_counts_where_the_map_or_the_robots_rule_it_out(ruled_out: bool) -> None:
    missing = Grounding("clarify", None, "There is no statue on this map.", ruled_out=ruled_out)
    found, _ = ask([said(RIGHT), said(RIGHT)], 0.9, missing)
    assert (found.status == "clarify") == ruled_out


def test_words_that_no_list_has_rule_nothing_out() -> None:
    site = make_site(STYLES["harbour"], 1)
    grounder = Grounder(site.graph, site.team)
    here = {noun: grounder.ground(f"Anna, inspect the {noun}.") for noun in ("fountain", "glorb")}
    assert {noun: found.ruled_out for noun, found in here.items()} == {
        "fountain": True,
        "glorb": False,
    }


def test_a_verb_that_means_no_deed_of_robots_is_ruled_out() -> None:
    site = make_site(STYLES["harbour"], 1)
    grounder = Grounder(site.graph, site.team)
    verbs = ("weld", "salute", "tow", "fold up", "peruse")
    assert {verb: grounder.ground(f"Anna, {verb} the statue.").ruled_out for verb in verbs} == {
        "weld": True, "salute": True, "tow": True, "fold up": True, "peruse": False,
    }  # fmt: skip
