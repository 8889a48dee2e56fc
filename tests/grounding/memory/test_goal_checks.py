"""Goals held against what is believed and against each other."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.checks.goal_checks import entails, is_so, on_the_way, opposed
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.slicing import Slicer
from commonground.planning.pddl import parse_formula

SERVED = "(exists (?v - cup) (and (held_by ?v una) (filled_with ?v tea)))"
IN_HER_MUG = "(and (held_by una_red_mug una) (filled_with una_red_mug tea))"


@pytest.mark.parametrize(
    ("goal", "so"),
    [
        ("(lit kitchen_lamp)", True),
        ("(and (lit kitchen_lamp) (lit den_lamp))", False),
        ("(or (lit kitchen_lamp) (lit den_lamp))", True),
        ("(not (lid_open chest))", True),
        ("(forall (?l - lamp) (lit ?l))", False),
        ("(exists (?l - lamp) (lit ?l))", True),
        (SERVED, False),
    ],
)
def test_a_goal_is_so_or_not(quiet_memory: Memory, goal: str, so: bool) -> None:
    assert is_so(parse_formula(goal), quiet_memory.names, quiet_memory.store.facts) == so


@pytest.mark.parametrize(
    ("more", "less", "found"),
    [
        ("(and (lit a) (lit b))", "(lit b)", True),
        ("(lit b)", "(and (lit a) (lit b))", False),
        ("(and (lit a) (lit b))", "(or (lit a) (lit b))", True),
        ("(lit a)", "(or (lit a) (lit b))", False),
        (IN_HER_MUG, SERVED, True),
    ],
    ids=["a part", "more than that", "all of those", "a choice nobody made", "one that will do"],
)
def test_what_reaches_one_goal_reaches_another(more: str, less: str, found: bool) -> None:
    assert entails(parse_formula(more), parse_formula(less)) == found


def test_goals_may_want_the_contrary() -> None:
    on, off = parse_formula("(and (lit a) (lit b))"), parse_formula("(not (lit b))")
    assert opposed(on, off) and opposed(off, on) and not opposed(on, on)


@pytest.mark.parametrize(
    ("less", "more", "found"),
    [
        ("(gripped_by una_phone robo)", "(held_by una_phone una)", True),
        ("(held_by una_phone una)", "(gripped_by una_phone robo)", False),
        ("(gripped_by stone robo)", "(held_by una_phone una)", False),
        ("(and (lit den_lamp) (gripped_by stone robo))", "(held_by stone una)", False),
        ("(lid_open chest)", "(stowed_in stone chest)", True),
        ("(empty una_red_mug)", "(not (empty una_red_mug))", False),
    ],
)
def test_what_is_done_on_the_way_to_something_else(
    quiet_memory: Memory, less: str, more: str, found: bool
) -> None:
    names, slicer = quiet_memory.names, Slicer(quiet_memory.store.vocabulary)
    assert on_the_way(parse_formula(less), parse_formula(more), names, slicer) == found
