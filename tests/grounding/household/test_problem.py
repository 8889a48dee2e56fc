"""The problem of a command: written in stages from three views of the graph, solved, and checked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from commonground.datasets.household import Hidden, House, RobotSpec
from commonground.datasets.household.tasks import SKILLS
from commonground.errors import ConfigError, GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import read_household_goal
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.offline import OfflineWriter
from commonground.grounding.problem_writer.stages import write_problem
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.bridge import believed, imagined
from commonground.household.team import HouseholdTeam
from tests.grounding.household.houses import HANDY, PATIENT, carry_out, graph_of, house, task

CARRY = frozenset(["GoToObject", "PickupObject", "PutObject", "DropHandObject"])


@pytest.fixture(scope="module")
def team() -> Iterator[HouseholdTeam]:
    with HouseholdTeam(PATIENT) as made:
        made.writers = [OfflineWriter(made.kinds, wider=wider) for wider in (False, True)]
        yield made


def test_a_graph_and_a_house_say_the_same() -> None:
    graph = graph_of(house())
    assert set(believed(imagined(graph)).facts) == set(graph.facts)


def test_each_stage_takes_from_its_view_what_matters() -> None:
    kinds = Kinds.load()
    written = write_problem(
        "Wash the fork and put it in the bowl", graph_of(house()), OfflineWriter(kinds), kinds
    )
    things = set(written.problem.things)
    assert {"Fork_1", "Bowl_1", "Faucet_1", "SinkBasin_1"} <= things
    assert not things & {"Laptop_1", "Television_1", "Bread_1"}
    relations = {fact.relation for fact in written.relations}
    assert {"in", "serves"} <= relations
    assert {"at", "reached-at"} >= {fact.relation for fact in written.reach} != set()
    assert any(fact.relation == "lifts-kg" for fact in written.properties)


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Put the apple in the fridge and switch off the light.",
         ("(contains Fridge Apple)", "(state LightSwitch OFF)")),
        ("Toast a slice of bread.", ("(state Bread TOASTED)",)),
        ("Put an egg and a tomato on the plate, then heat the plate in the microwave.",
         ("(contains Plate Egg)", "(contains Microwave Plate)", "(state Plate HOT)")),
        ("Clear the desk.", ("(state Desk EMPTY)",)),
        ("Cook the potato and smash the vase.", ("(state Potato COOKED)", "(state Vase BROKEN)")),
        ("Fill the mug.", ("(state Mug FILLED)",)),
        ("Take the remote control off the {place}.", ("(not (contains {place} RemoteControl))",)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seed", [2, 5])
def test_plans_reach_their_goals(
    text: str, goals: tuple[str, ...], seed: int, team: HouseholdTeam
) -> None:
    floor = house(seed)
    place = floor[floor["RemoteControl_1"].location].type
    told = task(text.format(place=place), [goal.format(place=place) for goal in goals])
    ran = carry_out(team, floor, told)
    assert ran.report.status == "done", ran.report.message
    assert ran.score.success and not ran.score.failures


def test_skills_and_strength_decide_who_does_what(team: HouseholdTeam) -> None:
    floor = house()
    weak = RobotSpec("weak", CARRY, 0.01)
    strong = RobotSpec("strong", CARRY, 5.0)
    opener = RobotSpec("opener", frozenset(["GoToObject", "OpenObject"]))
    told = task("Put the plate in the fridge.", ["(contains Fridge Plate)"], [weak, strong, opener])
    ran = carry_out(team, floor, told)
    assert ran.score.success
    who = {move.action: move.robot for move in ran.moves if move.action != "GoToObject"}
    assert who["PickupObject"] == "strong" and who["OpenObject"] == "opener"


def test_a_loaded_plate_can_be_too_heavy(team: HouseholdTeam) -> None:
    floor = house()
    plate, bread = floor["Plate_1"].mass_kg or 0, floor["Bread_1"].mass_kg or 0
    least = replace(HANDY, capacity_kg=max(plate, bread) + 0.01)
    goals = ["(contains Plate Bread)", "(contains DiningTable Plate)"]
    told = task("Put the bread on the plate and the plate on the dining table.", goals, [least])
    ran = carry_out(team, floor, told)
    assert ran.score.success and not ran.score.failures, "the bread has to be put on it there"


@pytest.mark.parametrize(
    ("text", "robots", "reason"),
    [
        ("Slice the apple.", [RobotSpec("a", CARRY)], "SliceObject"),
        ("Put the laptop on the sofa.", [RobotSpec("a", CARRY, 0.1)], "lifts 0.1 kg"),
        ("Turn off the light.", [RobotSpec("a", frozenset(["SwitchOff"]))], "cannot go anywhere"),
        ("Put the apple on the bed.", [RobotSpec("a", frozenset(["GoToObject"]))], "PickupObject"),
    ],
)
def test_impossible_goals_say_who_lacks_what(
    text: str, robots: list[RobotSpec], reason: str, team: HouseholdTeam
) -> None:
    ran = carry_out(team, house(), task(text, ["(state Apple SLICED)"], robots))
    assert ran.report.status == "impossible"
    assert reason in ran.report.message and not ran.moves


def test_hidden_things_are_looked_for_where_they_are_likely(team: HouseholdTeam) -> None:
    floor = house()
    hidden = [Hidden("Egg_1", "Fridge_1", True)]
    told = task("Put the egg in the bowl.", ["(contains Bowl Egg)"], [HANDY], hidden)
    ran = carry_out(team, floor, told, partial=True)
    assert ran.score.success and not ran.score.failures
    opened = [move.args[0] for move in ran.moves if move.action == "OpenObject"]
    assert opened[0] == "Fridge_1", "eggs are kept there"
    blind = HouseholdTeam(RepairSettings(), ["repair"])
    assert carry_out(blind, floor, told, partial=True).report.status == "impossible"


def test_slips_are_tried_again(team: HouseholdTeam) -> None:
    import numpy as np

    told = task("Put the apple in the fridge.", ["(contains Fridge Apple)"])
    ran = carry_out(team, house(), told, failure_rate=0.3, rng=np.random.default_rng(4))
    assert ran.report.status == "done" and ran.score.success
    assert ran.report.failures, "with this seed something slips"


def test_wrong_beliefs_are_corrected_by_looking(team: HouseholdTeam) -> None:
    floor = house()
    told = task(
        "Slice the apple, put it on the sofa.", ["(state Apple SLICED)", "(contains Sofa Apple)"]
    )
    for view in ("property", "relation", "reach"):
        with HouseholdTeam(PATIENT, [view]) as blind:
            ran = carry_out(blind, floor, told)
        assert ran.score.success, (view, ran.report.message)


def test_contradictory_and_unknown_things_are_refused() -> None:
    with pytest.raises(ConfigError, match="relation"):
        HouseholdTeam(RepairSettings(), ["relations"])
    kinds = Kinds.load()
    facts = [Fact("Apple_1", "is-a", "Apple"), Fact("Apple_1", "can", "sliceable")]
    empty = HouseGraph(facts)
    with pytest.raises(GroundingError, match="no robot"):
        write_problem("Slice the apple", empty, OfflineWriter(kinds), kinds)
    for text, message in (
        ("(contains Moon Apple)", "no object or type 'Moon'"),
        ("(state Apple PURPLE)", "no state"),
        ("(holding Apple)", "neither"),
        ("(exists (?x) (state ?x ON))", "formula|and, or and not"),
        ("(((", "not a formula"),
    ):
        with pytest.raises(GroundingError, match=message):
            read_household_goal(text, ["Apple"])


def test_every_skill_has_a_place_in_the_domain() -> None:
    from commonground.grounding.problem_writer.domain import ACTIONS, household_domain

    assert {action.name for action in household_domain().actions} == set(ACTIONS)
    assert set(ACTIONS.values()) == set(SKILLS)


def test_a_new_fact_replaces_what_it_contradicts() -> None:
    graph = graph_of(house())
    graph.tell(Fact("Apple_1", "in", "Sofa_1"))
    assert graph.values("Apple_1", "in") == ["Sofa_1"]
    supposed = Fact("Apple_1", "in", "Bed_1")
    graph.suppose(supposed)
    assert graph.values("Apple_1", "in") == ["Bed_1"] and supposed in graph.supposed
    graph.withdraw(supposed)
    assert graph.values("Apple_1", "in") == ["Sofa_1"] and not graph.supposed
    graph.suppose(supposed)
    graph.tell(supposed)
    assert not graph.supposed, "seen is known"
    assert House(house(), [HANDY]).bodies
