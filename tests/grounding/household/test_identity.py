"""What a goal says of a type is said of one thing, where only that makes sense."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonground.datasets.household.worlds import Floor
from commonground.grounding.problem_writer.goals import read_household_goal
from commonground.grounding.problem_writer.identity import of_one_thing
from commonground.household.team import HouseholdTeam
from tests.grounding.household.houses import PATIENT, graph_of, house, task


def _with_two_plates() -> Floor:
    """Return a house with one plate on the dining table already."""
    floor = dict(house())
    floor["Plate_2"] = replace(floor["Plate_1"], name="Plate_2", location="DiningTable_1")
    return floor


def test_the_plate_that_is_washed_goes_on_the_table() -> None:
    with HouseholdTeam(PATIENT) as team:
        told = task("Wash a plate and put it on the dining table.", [])
        plan = team.carry_out(_with_two_plates(), told).as_json()["plan"]
    put = [step["args"] for step in plan if step["action"] == "PutObject"]
    assert put[-1][1] == "DiningTable_1"
    assert [put[-1][0], "SinkBasin_1"] in put


@pytest.mark.parametrize(
    ("goal", "bound"),
    [
        ("(and (state Plate CLEAN) (contains DiningTable Plate))", True),
        ("(and (contains Plate Egg) (contains DiningTable Plate))", True),
        ("(and (contains Sink Plate) (contains DiningTable Plate))", False),
        ("(and (state Plate BROKEN) (contains DiningTable Plate))", False),
        ("(and (state Fork CLEAN) (contains DiningTable Fork))", False),
        ("(and (state Drawer OPENED) (state Drawer CLOSED))", False),
        ("(and (state Plate CLEAN) (not (contains DiningTable Plate)))", False),
    ],
)
def test_only_what_is_said_of_one_thing_is_bound(goal: str, bound: bool) -> None:
    graph = graph_of(_with_two_plates())
    types = graph.types()
    formula = read_household_goal(goal, [*types, *types.values()])
    assert (of_one_thing(formula, graph) != formula) == bound
