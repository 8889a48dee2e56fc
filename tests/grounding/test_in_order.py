"""What a text puts in order: kept in the answer, within what a robot is told and between robots."""

from __future__ import annotations

from functools import cache

import pytest

from commonground.grounding import Grounder
from commonground.planning.scene import Before
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
        ("Anna, inspect O46 last and O36 first.", ["anna (safe O36) < anna (safe O46)"]),
        (
            "Anna, finally inspect O46, but first inspect O36.",
            ["anna (safe O36) < anna (safe O46)"],
        ),
        ("Anna, go to O46 via O36.", ["anna (visited-object O36) < anna (at-object O46)"]),
        ("Before you check O46, Anna, check O36.", ["anna (safe O36) < anna (safe O46)"]),
        (
            "Anna, inspect O36 and O46, then go to O84.",
            ["anna (and (safe O36) (safe O46)) < anna (at-object O84)"],
        ),
        (
            "Anna, inspect O36, then O46, and then O84.",
            ["anna (safe O36) < anna (safe O46)", "anna (safe O46) < anna (safe O84)"],
        ),
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


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("Anna, inspect O46 and O36, O36 first.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46, beforehand O36.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna, inspect O46 after inspecting O36.", ["anna (safe O36) < anna (safe O46)"]),
        ("Anna inspects O36 before Bert inspects O46.", ["anna (safe O36) < bert (safe O46)"]),
        ("Bert, inspect O46 once Anna has inspected O36.", ["anna (safe O36) < bert (safe O46)"]),
    ],
)
def test_an_order_told_otherwise_is_kept_or_asked_about(text: str, order: list[str]) -> None:
    found = grounder().ground(text)
    assert found.goals is None or turns(found.order) == order


def test_the_answer_is_explained_with_its_order() -> None:
    found = grounder().ground("Anna, first inspect O36, then O46.")
    assert "in this order: anna (safe O36) before anna (safe O46)" in found.explained()
