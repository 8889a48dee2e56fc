"""A question's own advice answers it, however the report worded what was asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.interpretation.ambiguity import with_name
from commonground.grounding.memory.interpretation.unclear import Candidates
from commonground.grounding.memory.memory import Memory


@pytest.mark.parametrize("text", ["My room's lamp is on", "The room lamp is on"])
def test_a_choice_is_put_where_the_phrase_was(text: str, quiet_memory: Memory) -> None:
    asked = Candidates("room lamp", ("kitchen_lamp", "den_lamp"), "lamp in the den")
    whole = with_name(text, asked, "den_lamp", quiet_memory.names)
    assert whole == "the lamp in the den is on"
