"""A ban holds for what it is said of, and for nothing before it."""

from __future__ import annotations

import pytest

from commonground.grounding.fidelity.bans import banned_before
from commonground.grounding.fidelity.held import Held
from commonground.grounding.meaning import Act, Assignment, Instruction, Plan, Thing, Who

ENTERED = "Spot shall end on the deck with the hose in its gripper, and at no time shall it enter the yard."
BOTH = "The hose and the yard are off limits."
NEITHER = "The hose stays, and neither it nor the yard may be touched."


def _keeping_from(*nouns: str) -> Instruction:
    bans = tuple(Act("avoid", Thing(noun=noun)) for noun in nouns)
    return Instruction((Assignment(Who(("spot",)), Plan("all", bans)),))


@pytest.mark.parametrize(
    ("text", "banned", "doubted"),
    [
        (ENTERED, ("hose", "yard"), True),
        (ENTERED, ("yard",), False),
        (BOTH, ("hose", "yard"), False),
        (NEITHER, ("hose", "yard"), False),
        ("Never enter the yard or the hall.", ("yard", "hall"), False),
    ],
)
def test_what_stands_before_a_ban_is_not_banned(
    text: str, banned: tuple[str, ...], doubted: bool
) -> None:
    assert bool([*banned_before(Held(_keeping_from(*banned), text, ("spot",)))]) is doubted
