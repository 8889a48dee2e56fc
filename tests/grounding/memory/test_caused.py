"""What an order is to bring about is wanted, and what is complained of is to end."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl

GOALS = {
    "Get the lamp burning in the den.": "(lit den_lamp)",
    "The lamp is burning in the den, please see to that.": "(not (lit den_lamp))",
}


@pytest.mark.parametrize("said", GOALS)
def test_what_is_to_be_brought_about_is_no_complaint(memory: Memory, said: str) -> None:
    wanted = memory.grammar.wanted(said, None)
    assert wanted.goal is not None
    assert to_pddl(wanted.goal) == GOALS[said]
