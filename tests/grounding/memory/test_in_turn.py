"""Tasks that say what comes first are planned in that order, or asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.tasks import TaskAnswerer
from commonground.planning.downward import shared_planner

LIGHT, PUT = "light", "lower"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Switch on the lamp in the den, but first put Una's phone on the counter.", PUT),
        ("Put Una's phone on the counter, then switch on the lamp in the den.", PUT),
        ("Switch on the lamp in the den. After that, put Una's phone on the counter.", LIGHT),
        ("Before you switch on the lamp in the den, put Una's phone on the counter.", PUT),
        (
            "Switch on the lamp in the den before Una comes, then put Una's phone on the counter.",
            LIGHT,
        ),
    ],
)
def test_what_is_said_to_come_first_is_done_first(
    text: str, first: str, quiet_memory: Memory
) -> None:
    plan = TaskAnswerer(quiet_memory, shared_planner()).answer(text).plan
    assert plan is not None and plan.status == "ok"
    acts = [step.action for step in plan.steps if step.action in (LIGHT, PUT)]
    assert acts[0] == first and {*acts} == {LIGHT, PUT}


def test_an_order_that_cannot_be_kept_is_asked_about(quiet_memory: Memory) -> None:
    text = "Put Una's phone and the stone on the counter in that order."
    found = TaskAnswerer(quiet_memory, shared_planner()).answer(text)
    assert found.plan is None and "what comes before what" in found.wanted.question
