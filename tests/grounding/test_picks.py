"""One that is picked out of several is not done with all of them."""

import pytest

from commonground.grounding.fidelity.picks import lost_picks
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import (
    Act,
    Assignment,
    Instruction,
    Reference,
    Several,
    Thing,
    Who,
)

TRUCK, VAN = Thing(noun="truck"), Thing(noun="van")
BOTH = Several("all", (TRUCK, VAN))


@pytest.mark.parametrize(
    ("text", "what", "lost"),
    [
        ("There are a truck and a van. Anna, inspect the first one.", BOTH, True),
        ("There are a truck and a van. Anna, inspect the latter.", BOTH, True),
        ("There are a truck and a van. Anna, inspect the latter.", VAN, False),
        ("Anna, inspect the former and the latter: a truck and a van.", BOTH, False),
        ("First, Anna, inspect the truck and the van.", BOTH, False),
    ],
)  # fmt: skip
def test_one_that_is_picked_out_is_not_several(text: str, what: Reference, lost: bool) -> None:
    meaning = Instruction((Assignment(Who(("Anna",)), Act("inspect", what)),))
    assert bool([*lost_picks(meaning, tokenize(text))]) == lost
