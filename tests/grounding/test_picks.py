"""One that is picked out of several is not done with all of them."""

import pytest

from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.picks import lost_everybody, lost_picks
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
    assert bool([*lost_picks(Held(meaning, text))]) == lost


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("One of the trucks has a flat tyre, so check all of them, Anna.", False),
        ("Anna, check the trucks; one of them is probably what it hit.", False),
        ("Anna, inspect one of the trucks.", True),
        ("Anna, one of the trucks is to be inspected.", True),
    ],
)
def test_one_that_is_only_told_of_picks_nothing_out(text: str, lost: bool) -> None:
    trucks = Thing(noun="truck", amount="all")
    meaning = Instruction((Assignment(Who(("Anna",)), Act("inspect", trucks)),))
    assert bool([*lost_picks(Held(meaning, text))]) == lost


def test_the_latter_is_not_both_one_by_one() -> None:
    spoken = "There are a truck and a van. The latter leaks. Anna, inspect it."
    looks = [Assignment(Who(("Anna",)), Act("inspect", what)) for what in (TRUCK, VAN)]
    assert [*lost_picks(Held(Instruction(tuple(looks)), spoken))]
    assert not [*lost_picks(Held(Instruction(tuple(looks[1:])), spoken))]


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("Anna and Bert, each of you inspects one of the trucks.", True),
        ("Anna and Bert, one of you inspects a truck.", False),
    ],
)
def test_each_is_not_any_one(text: str, lost: bool) -> None:
    some = Thing(noun="trucks", amount="any", count=1)
    meaning = Instruction((Assignment(Who(("Anna", "Bert"), choose="one"), Act("inspect", some)),))
    assert bool([*lost_everybody(Held(meaning, text))]) == lost


def test_what_all_do_after_one_is_not_left_to_one() -> None:
    """The first clause is no reason to give the second to one."""
    act = Act("inspect", Thing(noun="truck"))
    text = "One of you inspects the truck, then both of you inspect the truck."
    for rest, lost in ((Who(choose="one"), True), (Who(), False), (Who(choose="other"), False)):
        meaning = Instruction((Assignment(Who(choose="one"), act), Assignment(rest, act)))
        assert bool([*lost_everybody(Held(meaning, text))]) == lost
