"""What a text puts in order: kept in the answer, within what a robot is told and between robots."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from commonground.grounding import Grounder
from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import Crew, Utterance
from commonground.grounding.frontends.apart import told_apart
from commonground.planning.scene import Before
from tests.grounding.said import by, do, node, said, then, words
from tests.grounding.sites import STYLES, make_site

SITE = make_site(STYLES["harbour"], 1)
grounder = cache(lambda: Grounder(SITE.graph, SITE.team))


def turns(order: tuple[Before, ...]) -> list[str]:
    return [f"{a.robot} {a.goal} < {b.robot} {b.goal}" for a, b in order]


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Anna, first inspect O36, then O46.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46, but first O36.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46 and O36, O36 first.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46 last and O36 first.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46, beforehand O36.", ["anna (safe O36) < anna (safe O46)"]),
        (
            "Anna, finally inspect O46, but first inspect O36.",
            ["anna (safe O36) < anna (safe O46)"],
        ),
        ("Anna, go to O46 via O36.", ["anna (visited-object O36) < anna (at-object O46)"]),
        ("Anna, inspect O46 after inspecting O36.", ["anna (safe O36) < anna (safe O46)"]),
        ("Before you check O46, Anna, check O36.", ["anna (safe O36) < anna (safe O46)"]),
        (
            "Anna, inspect O36 and O46, then go to O84.",
            ["anna (and (safe O36) (safe O46)) < anna (at-object O84)"],
        ),
        (
            "Anna, inspect O36, then O46, and then O84.",
            ["anna (safe O36) < anna (safe O46)", "anna (safe O46) < anna (safe O84)"],
        ),
        ("Anna inspects O36 before Bert inspects O46.", ["anna (safe O36) < bert (safe O46)"]),
        ("Bert, inspect O46 once Anna has inspected O36.", ["anna (safe O36) < bert (safe O46)"]),
        (
            "Anna, inspect O36. After that, Bert, inspect O46.",
            ["anna (safe O36) < bert (safe O46)"],
        ),
        ("Anna, inspect O36 and O46.", []),
        ("Anna, inspect O36. Bert, inspect O46.", []),
        ("Anna, inspect O36 and O46 in any order.", []),
    ],
)
def test_what_is_said_in_order_is_in_the_answer(text: str, order: list[str]) -> None:
    found = grounder().ground(text)
    assert found.status == "ok", found.message
    assert turns(found.order) == order
    assert found.as_json()["order"] == [pair.as_json() for pair in found.order]
    assert [Before.of_json(pair) for pair in found.as_json()["order"]] == [*found.order]


def test_the_answer_is_explained_with_its_order() -> None:
    found = grounder().ground("Anna, first inspect O36, then O46.")
    assert "in this order: anna (safe O36) before anna (safe O46)" in found.explained()


BOTH = Crew("named", (words("Anna"), words("Bert")))


def apart(text: str, *things: str, in_order: bool = True) -> Utterance:
    """Return what becomes of both robots' inspecting all the things."""
    steps = then(*(do("inspect", node(thing)) for thing in things))
    steps = steps if in_order else replace(steps, join="any order")
    return told_apart(said(text, replace(by("Anna", steps), crew=BOTH)), text, Names())


def crews(utterance: Utterance) -> list[tuple[str, ...]]:
    return [tuple(n.text for n in part.crew.names) for part in utterance.parts if part.crew]


@pytest.mark.parametrize(
    "text",
    [
        "First Anna checks O36, then Bert checks O46.",
        "Let Anna look at O36 first and Bert at O46 afterwards.",
        "Anna checks O36; Bert, O46.",
    ],
)
def test_each_does_what_stands_behind_its_own_name(text: str) -> None:
    found = apart(text, "O36", "O46")
    assert crews(found) == [("Anna",), ("Bert",)]
    assert [part.then for part in found.parts] == [False, True]
    assert [part.then for part in apart(text, "O36", "O46", in_order=False).parts] == [False, False]


@pytest.mark.parametrize(
    "text",
    [
        "Anna and Bert, check O36, then O46.",
        "Anna checks O36, Bert too, then they check O46.",
        "Anna checks O36 with Bert, then O46.",
        "Anna checks O36 and so does Bert, then O46.",
        "Check O36, then O46, Anna and Bert.",
    ],
)
def test_what_both_do_is_for_both(text: str) -> None:
    assert crews(apart(text, "O36", "O46")) == [("Anna", "Bert")]
