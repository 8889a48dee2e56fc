"""Commands that say which robot does what."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonground.datasets.household import RobotSpec
from commonground.datasets.household.tasks import SKILLS
from commonground.grounding.problem_writer.wishes.crews import robot_called
from commonground.grounding.resolver.choice import Unclear
from commonground.household.team import HouseholdTeam
from tests.grounding.household.houses import PATIENT, house, task

ALL = frozenset(SKILLS)
TWO = (RobotSpec("robot1", ALL, 3.0), RobotSpec("robot2", ALL, 3.0))
NAMED = (
    RobotSpec("Alpha", ALL, 3.0),
    RobotSpec("Ben", frozenset({"GoToObject", "SwitchOn", "SwitchOff", "OpenObject"}), 0.1),
)


@pytest.fixture(scope="module")
def team() -> Iterator[HouseholdTeam]:
    """Return a team that takes the first plan."""
    with HouseholdTeam(PATIENT) as team:
        yield team


@pytest.mark.parametrize(
    ("text", "robots", "done"),
    [
        ("Robot 2, slice the apple.", TWO, {("robot2", "SliceObject", "Apple_1")}),
        ("Robot 1, slice the apple.", TWO, {("robot1", "SliceObject", "Apple_1")}),
        (
            "Robot 1 slices the apple and robot 2 slices the tomato.",
            TWO,
            {("robot1", "SliceObject", "Apple_1"), ("robot2", "SliceObject", "Tomato_1")},
        ),
        ("The fridge should be opened by robot 1.", TWO, {("robot1", "OpenObject", "Fridge_1")}),
        ("The fridge should be opened by robot 2.", TWO, {("robot2", "OpenObject", "Fridge_1")}),
        ("Ask robot two to open the fridge.", TWO, {("robot2", "OpenObject", "Fridge_1")}),
        (
            "Robot 2: put the apple in the fridge. Robot 1: turn off the light.",
            TWO,
            {("robot2", "PickupObject", "Apple_1"), ("robot1", "SwitchOff", "LightSwitch_1")},
        ),
        ("Let Ben open the fridge.", NAMED, {("Ben", "OpenObject", "Fridge_1")}),
        ("Let Alpha open the fridge.", NAMED, {("Alpha", "OpenObject", "Fridge_1")}),
    ],
)
def test_the_robot_that_is_named_does_it(
    team: HouseholdTeam,
    text: str,
    robots: tuple[RobotSpec, ...],
    done: set[tuple[str, str, str]],
) -> None:
    ran = team.carry_out(house(), task(text, [], robots)).as_json()
    assert ran["status"] == "done", ran["message"]
    assert done <= {(step["robot"], step["action"], step["args"][0]) for step in ran["plan"]}


def test_others_help_with_what_the_named_robot_cannot_do(team: HouseholdTeam) -> None:
    """The robot that carries does not open; the other one may."""
    carrier = RobotSpec("robot1", frozenset({"GoToObject", "PickupObject", "PutObject"}), 3.0)
    told = task("Robot 1 puts the apple in the fridge.", [], (carrier, TWO[1]))
    ran = team.carry_out(house(), told).as_json()
    assert ran["status"] == "done"
    assert {s["robot"] for s in ran["plan"] if s["action"] == "OpenObject"} == {"robot2"}
    assert {s["robot"] for s in ran["plan"] if s["action"] == "PickupObject"} == {"robot1"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ben, slice the apple.", "Ben"),
        ("Ben carries the apple to the fridge.", "Ben"),
        ("Robot 4, slice the apple.", "There is no 'Robot 4'; the robots are Alpha, Ben"),
    ],
)
def test_a_robot_that_cannot_do_it_is_asked_about(
    team: HouseholdTeam, text: str, said: str
) -> None:
    ran = team.carry_out(house(), task(text, [], NAMED)).as_json()
    assert ran["status"] == "ask"
    assert said in ran["message"]


def test_robots_are_called_by_name_number_and_place() -> None:
    assert robot_called("Robot #2", ["robot1", "robot2"]) == "robot2"
    assert robot_called("the first robot", ["robot1", "robot2"]) == "robot1"
    assert robot_called("the second robot", ["Alpha", "Ben"]) == "Ben"
    with pytest.raises(Unclear, match="no 'robot three'"):
        robot_called("robot three", ["robot1", "robot2"])
