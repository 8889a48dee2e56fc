"""What is said of a robot is done by that robot; what only says which or where is not done."""

from __future__ import annotations

import json
from typing import Any

import pytest

from commonground.demo import sample_scene, sample_team
from commonground.grounding.answers import Grounding
from commonground.grounding.fidelity import Fidelity
from commonground.grounding.frontends.reading import meaning_of
from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import meaning_from_json


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    return Grounder(sample_scene(), sample_team())


def _act(do: str, noun: str, **more: Any) -> dict[str, Any]:
    return {"do": do, "what": {"noun": noun, **more}}


def _told(**tasks: Any) -> str:
    each = [{"who": {"names": [who]}, "task": task} for who, task in tasks.items()]
    return json.dumps({"assignments": each})


def _both(*tasks: Any) -> dict[str, Any]:
    return {"order": "all", "tasks": list(tasks)}


ROCK = _act("inspect", "rock")
LOST = [
    ("Spot, inspect the rock. Should it be wet, leave it.", _told(spot=ROCK), "nothing can wait"),
    (
        "Spot, inspect at most three bins.",
        _told(spot=_act("inspect", "bin", amount="any", count=3)), "'at most three'",
    ),
    (
        "I am happy once the rock counts as safe, and Spot does it.",
        _told(spot=_act("go", "rock")), "nothing",
    ),
    ("Spot, no carrying please, pick up the bag.", _told(spot=_act("pick", "bag")), "'no carrying'"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning", "doubt"), LOST)
def test_what_is_said_of_a_robot_is_not_lost(
    grounder: Grounder, text: str, meaning: str, doubt: str
) -> None:
    doubts = Fidelity(grounder.world).doubts(meaning_from_json(meaning), text)
    assert any(doubt in one for one in doubts), doubts


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (
            "I want the rock inspected, and Spot parked up beside it.",
            _told(spot=_both(ROCK, _act("be", "rock"))),
        ),
        (
            "Spot inspects the rock and Husky the flag.",
            _told(spot=ROCK, husky=_act("inspect", "flag")),
        ),
        ("Spot's resting place is the plaza.", _told(spot=_act("be", "plaza"))),
        ("Spot, have a look round in the plaza.", _told(spot=_act("explore", "plaza"))),
        ("Spot, you should inspect the rock.", _told(spot=ROCK)),
        (
            "Spot, inspect the bins that the cleaners moaned about and then wait at the rock.",
            _told(spot=_both(_act("inspect", "bin", amount="all"), _act("be", "rock"))),
        ),
        ("Spot, carry on to the rock and inspect it.", _told(spot=ROCK)),
        ("Spot, inspect the rock, any time will suit the boss.", _told(spot=ROCK)),
    ],
)
def test_what_is_done_is_not_doubted(grounder: Grounder, text: str, meaning: str) -> None:
    doubts = Fidelity(grounder.world).doubts(meaning_from_json(meaning), text)
    lost = ("nobody does", "of husky", "only says", "can wait", "at most", "carry", "suit", "'that")
    assert not [one for one in doubts if any(word in one for word in lost)], doubts


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Not you, Husky, stay put; I'm talking to Spot: inspect the rock.", "(safe O39)"),
        ("Not Husky this time, it's Spot who inspects the rock.", "(safe O39)"),
        ("The north lawn, Spot, that's where I want you to wait.", "(in-region R1)"),
    ],
)
def test_who_is_pointed_at_is_told(grounder: Grounder, text: str, goal: str) -> None:
    assert grounder.ground(text).goals == {"spot": goal}


def test_what_another_part_says_makes_no_other_meaning() -> None:
    """One of all trees beside one of those on the lawn is one on the lawn; what is held was gone to."""
    lawn, all_trees = "(or (safe O5) (safe O6))", "(or (safe O4) (safe O5) (safe O6))"
    same = [
        (f"(and {all_trees} {lawn})", lawn),
        ("(and (visited-object O1) (holding O1))", "(holding O1)"),
    ]
    for said_twice, once in same:
        assert meaning_of(_answer(said_twice)) == meaning_of(_answer(once))
    assert meaning_of(_answer(f"(and {lawn} (safe O7))")) != meaning_of(_answer(lawn))
    assert meaning_of(_answer(all_trees)) != meaning_of(_answer(lawn))


def _answer(goal: str) -> Grounding:
    return Grounding("ok", {"spot": goal}, "")


def test_each_robot_does_its_own_of_what_was_said_once(grounder: Grounder) -> None:
    found = grounder.ground("Spot inspects the rock and Husky the flag.")
    assert found.goals == {"spot": "(safe O39)", "husky": "(safe O38)"}
