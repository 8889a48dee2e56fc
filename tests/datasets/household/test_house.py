"""The simulated household: what actions need and change, what is hidden, and how plans are scored."""

from __future__ import annotations

import importlib.util
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from commonground.datasets.household import (
    Hidden,
    House,
    HouseholdTask,
    Move,
    RobotSpec,
    Wish,
    load_tasks,
    load_worlds,
    make_tasks,
    make_worlds,
    parse_literal,
    score_plan,
    summarize,
)
from commonground.datasets.household.footprints import footprints, orderings
from commonground.datasets.household.goals import holds
from commonground.datasets.household.tasks import SKILLS
from commonground.datasets.household.worlds import Floor
from commonground.errors import DataError

ALL = RobotSpec("r", frozenset(SKILLS))


@pytest.fixture
def floor() -> Floor:
    return make_worlds(1, np.random.default_rng(0))["House1"]


def _do(house: House, *steps: tuple[str, ...]) -> str:
    """Make moves of robot r; return why the first impossible one is, or an empty string."""
    for action, *args in steps:
        outcome = house.do(Move("r", action, tuple(args)))
        if not outcome.done:
            return outcome.reason
    return ""


def _fetch(house: House, name: str) -> None:
    place = house.site(name)
    _do(house, ("GoToObject", place))
    if house.bodies[place].can("openable") and not house.bodies[place].is_("open"):
        assert not _do(house, ("OpenObject", place))
    assert not _do(house, ("PickupObject", name))


def _move(house: House, name: str, place: str) -> None:
    _fetch(house, name)
    stand = house.bodies[place].thing.basin or place
    assert not _do(house, ("GoToObject", stand), ("PutObject", name, place))


def test_running_water_cleans_and_fills_what_is_in_the_basin(floor: Floor) -> None:
    house = House(floor, [ALL])
    _move(house, "Mug_1", "Sink_1")
    assert house.bodies["Mug_1"].inside == "SinkBasin_1"
    assert not holds(parse_literal("(state Mug CLEAN)"), house)
    assert not _do(house, ("GoToObject", "Faucet_1"), ("SwitchOn", "Faucet_1"))
    assert holds(parse_literal("(state Mug CLEAN)"), house)
    assert holds(parse_literal("(state Mug FILLED)"), house)
    assert holds(parse_literal("(contains Sink Mug)"), house)
    _move(house, "Fork_1", "SinkBasin_1")
    assert holds(parse_literal("(state Fork CLEAN)"), house), "also what comes later"


def test_a_microwave_needs_its_door_shut_and_heats_what_is_inside(floor: Floor) -> None:
    house = House(floor, [ALL])
    _do(house, ("GoToObject", "Microwave_1"), ("OpenObject", "Microwave_1"))
    _move(house, "Potato_1", "Microwave_1")
    assert "is open" in _do(house, ("SwitchOn", "Microwave_1"))
    assert not _do(house, ("CloseObject", "Microwave_1"), ("SwitchOn", "Microwave_1"))
    assert "is running" in _do(house, ("OpenObject", "Microwave_1"))
    assert house.bodies["Potato_1"].state["temperature"] == "HOT"
    assert house.bodies["Potato_1"].is_("cooked")


def test_slices_come_with_the_cut_and_toast_only_as_slices(floor: Floor) -> None:
    house = House(floor, [ALL])
    _do(house, ("GoToObject", house.site("Bread_1")))
    if not house.is_accessible("Bread_1"):
        _do(house, ("OpenObject", house.site("Bread_1")))
    assert "no Knife" in _do(house, ("SliceObject", "Bread_1"))
    _fetch(house, "Knife_1")
    assert not _do(house, ("GoToObject", "Bread_1"), ("SliceObject", "Bread_1"))
    assert {"BreadSliced_1_1", "BreadSliced_1_2"} <= set(house.bodies)
    assert holds(parse_literal("(state Bread SLICED)"), house)
    _do(house, ("DropHandObject",))
    _move(house, "BreadSliced_1_1", "Toaster_1")
    _do(house, ("SwitchOn", "Toaster_1"))
    assert holds(parse_literal("(state Bread TOASTED)"), house)
    _fetch(house, "Apple_1")
    assert "does not take" in _do(
        house, ("GoToObject", "Toaster_1"), ("PutObject", "Apple_1", "Toaster_1")
    )


def test_a_robot_lifts_a_thing_with_all_that_is_on_it(floor: Floor) -> None:
    weak = replace(ALL, capacity_kg=floor["Plate_1"].mass_kg)
    house = House(floor, [ALL, replace(weak, name="weak")])
    _move(house, "Plate_1", "DiningTable_1")
    _move(house, "Apple_1", "Plate_1")
    house.do(Move("weak", "GoToObject", ("DiningTable_1",)))
    assert "can lift" in house.do(Move("weak", "PickupObject", ("Plate_1",))).reason
    _fetch(house, "Apple_1")
    assert house.do(Move("weak", "PickupObject", ("Plate_1",))).done


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        ([("PickupObject", "Egg_1")], "not at"),
        ([("GoToObject", "Egg_1"), ("PickupObject", "Egg_1")], "closed receptacle"),
        ([("GoToObject", "Sofa_1"), ("PickupObject", "Sofa_1")], "cannot be picked up"),
        ([("GoToObject", "Sofa_1"), ("OpenObject", "Sofa_1")], "cannot be opened"),
        ([("GoToObject", "Unicorn_1")], "no object"),
        ([("GoToObject", "Sofa_1", "Bed_1")], "wrong arguments"),
        ([("Juggle", "Egg_1")], "lacks the skill"),
        ([("PutObject", "Egg_1", "Sofa_1")], "does not hold"),
        ([("DropHandObject",)], "holds nothing"),
        ([("GoToObject", "LightSwitch_1"), ("SwitchOn", "LightSwitch_1")], "on already"),
        ([("GoToObject", "Laptop_1"), ("SwitchOn", "Laptop_1")], "is closed"),
    ],
)
def test_what_is_not_possible_changes_nothing_and_says_why(
    floor: Floor, moves: list[tuple[str, ...]], reason: str
) -> None:
    house = House(floor, [ALL])
    assert reason in _do(house, *moves)
    fresh = House(floor, [ALL])
    assert {n: (b.inside, b.state) for n, b in house.bodies.items()} == {
        n: (b.inside, b.state) for n, b in fresh.bodies.items()
    }


def test_hidden_things_are_found_by_opening_or_visiting(floor: Floor) -> None:
    hidden = [Hidden("Egg_1", "Fridge_1", True)]
    house = House(floor, [ALL], hidden=hidden)
    assert "Egg_1" not in set(house.visible())
    assert "not been discovered" in _do(house, ("GoToObject", "Egg_1"))
    _do(house, ("GoToObject", "Fridge_1"))
    assert "Egg_1" not in set(house.visible())
    _do(house, ("OpenObject", "Fridge_1"))
    assert "Egg_1" in set(house.visible())


def test_slips_change_nothing_and_come_as_often_as_told(floor: Floor) -> None:
    house = House(floor, [ALL], failure_rate=0.3, rng=np.random.default_rng(3))
    done = [house.do(Move("r", "GoToObject", ("Sofa_1",))).done for _ in range(300)]
    assert 0.6 < np.mean(done) < 0.8


def test_moves_of_several_robots_overlap_only_where_they_may(floor: Floor) -> None:
    two = [ALL, replace(ALL, name="s")]
    moves = [
        Move("r", "GoToObject", ("Fridge_1",)),
        Move("r", "OpenObject", ("Fridge_1",)),
        Move("s", "GoToObject", ("Fridge_1",)),
        Move("s", "PickupObject", ("Egg_1",)),
        Move("r", "GoToObject", ("LightSwitch_1",)),
    ]
    prints = footprints(House(floor, two), moves)
    assert prints is not None
    pairs = set(orderings(prints, moves))
    assert (1, 3) in pairs, "the egg can only be taken once the fridge is open"
    assert (1, 2) not in pairs and (3, 4) not in pairs


def test_scores_count_conditions_and_executed_actions(floor: Floor) -> None:
    goals = (tuple(map(parse_literal, ("(state LightSwitch OFF)", "(state Fridge OPENED)"))),)
    task = HouseholdTask("t", "House1", "", (ALL,), goals=goals)
    plan = [
        Move("r", "GoToObject", ("LightSwitch_1",), 0, 1),
        Move("r", "SwitchOff", ("LightSwitch_1",), 1, 2),
        Move("r", "OpenObject", ("Fridge_1",), 2, 3),
    ]
    score = score_plan(floor, task, plan)
    assert (score.reached, score.conditions, score.executed, score.actions) == (1, 2, 2, 3)
    assert not score.success and score.makespan_s == 3
    assert summarize([score])["gcr"] == 50.0
    assert summarize([])["tcr"] is None
    assert summarize([score_plan(floor, task, [])])["er"] is None, "nothing was to be carried out"
    both = summarize([score, score_plan(floor, task, [])])
    assert both["makespan_s"] == score.makespan_s, "what has no plan takes no time"


def test_what_is_ruined_without_being_asked_for_is_an_error(floor: Floor) -> None:
    vase = next(name for name, thing in floor.items() if thing.type == "Vase")
    things = {**floor, "Vase_9": replace(floor[vase], name="Vase_9", location="Desk_1")}
    goals = ((parse_literal("(state Vase BROKEN)"),),)
    task = HouseholdTask("t", "House1", "", (ALL,), goals=goals)
    plan = [
        move
        for name in (vase, "Vase_9")
        for move in (Move("r", "GoToObject", (name,)), Move("r", "BreakObject", (name,)))
    ]
    one = score_plan(things, task, plan[:2])
    assert one.success and not one.damaged
    both = score_plan(things, task, plan)
    assert both.reached == both.conditions and not both.success
    assert both.damaged == ("Vase_9 is broken, which nothing asks for",)
    elsewhere = replace(task, goals=((parse_literal("(contains Fridge Egg)"),),))
    assert len(score_plan(things, elsewhere, plan).damaged) == 2


WORLD = """
version: 1
floors:
  F:
    objects:
      Floor_1: {type: Floor, affordances: [receptacle]}
      Box_1: {type: Box, mass: 0.5, affordances: [pickupable, receptacle, openable], location: Floor_1}
      Cup_1: {type: Cup, mass: 0.2, affordances: [pickupable], location: Box_1, state: {open: false}}
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[pickupable], location: Box_1", "[edible], location: Box_1", "affordances"),
        ("location: Box_1", "location: Bx_1", "Did you mean 'Box_1'"),
        ("location: Floor_1", "location: Cup_1", "no receptacle"),
        ("state: {open: false}", "state: {open: true}", "not openable"),
        ("[pickupable], location: Box_1", "[pickupable, receptacle], location: Cup_1", "contain each"),
        ("version: 1", "version: 9", "version"),
        ("type: Cup", "kind: Cup", "kind"),
    ],
)  # fmt: skip
def test_damaged_worlds_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    file = tmp_path / "worlds.yaml"
    file.write_text(WORLD)
    assert set(load_worlds(file)["F"]) == {"Floor_1", "Box_1", "Cup_1"}
    file.write_text(WORLD.replace(old, new))
    with pytest.raises(Exception, match=message):
        load_worlds(file)


def test_things_in_a_circle_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "worlds.yaml"
    text = WORLD.replace("location: Floor_1", "location: Cup_1")
    file.write_text(
        text.replace("affordances: [pickupable],", "affordances: [pickupable, receptacle],")
    )
    with pytest.raises(DataError, match="Box_1 in Cup_1 in Box_1|Cup_1 in Box_1 in Cup_1"):
        load_worlds(file)


TASK = """
tasks:
  - id: a
    floor: F
    text: Close the box
    robots: [{id: r, skills: [GoToObject], mass_capacity: null}]
    goal: [(state Box CLOSED)]
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[{id: r, skills: [GoToObject], mass_capacity: null}]", "[]", "no robot"),
        ("floor: F", "floor: G", "no floor plan"),
        ("(state Box CLOSED)", "(is Box CLOSED)", "neither"),
        ("(state Box CLOSED)", "(state Box PURPLE)", "no state PURPLE"),
        ("(state Box CLOSED)", "(contains Box Unicorn)", "names Unicorn, and F has none"),
        ("skills: [GoToObject]", "skills: [Fly]", "skills"),
    ],
)
def test_damaged_tasks_are_refused(tmp_path: Path, old: str, new: str, message: str) -> None:
    worlds, file = tmp_path / "worlds.yaml", tmp_path / "tasks.yaml"
    worlds.write_text(WORLD)
    file.write_text(TASK)
    assert load_tasks(file, load_worlds(worlds))[0].name == "a"
    file.write_text(TASK.replace(old, new))
    with pytest.raises(Exception, match=message):
        load_tasks(file, load_worlds(worlds))


def test_made_up_tasks_are_the_same_for_the_same_seed() -> None:
    wish = Wish(
        "simple", ("Put the {x} on the {y}.",), ("(contains {y} {x})",), ("Pen",), ("Sofa",)
    )

    def made() -> list[Any]:
        rng = np.random.default_rng(7)
        return make_tasks(make_worlds(2, rng), 5, [wish], rng, hide=True)

    assert made() == made()
    assert made()[0].text == "Put the pen on the sofa." and made()[0].hidden


@pytest.fixture
def suite(shared: Path) -> Path:
    folder = shared / "suites" / "household"
    if not folder.is_dir():
        pytest.skip("no household suite beside this checkout")
    return folder


@pytest.fixture
def checker(suite: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("household_checker", suite / "checker.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_simulator_agrees_with_the_suite_on_random_actions(
    suite: Path, checker: ModuleType
) -> None:
    floors = load_worlds(suite / "worlds.yaml")
    raw = checker.load(str(suite / "worlds.yaml"))["floors"]
    rng = np.random.default_rng(11)
    for name, floor in floors.items():
        robots = [
            {"id": r, "skills": list(SKILLS), "mass_capacity": m}
            for r, m in (("a", None), ("b", 1.0))
        ]
        theirs = checker.World(raw[name], robots)
        specs = [RobotSpec(r["id"], frozenset(SKILLS), r["mass_capacity"]) for r in robots]
        ours = House(floor, specs)
        for _ in range(400):
            _same_step(theirs, ours, checker, rng)


def _same_step(theirs: Any, ours: House, checker: ModuleType, rng: np.random.Generator) -> None:
    robot = str(rng.choice(["a", "b"]))
    action = str(rng.choice([*SKILLS, "GoToObject", "GoToObject", "PickupObject", "PutObject"]))
    held, at = theirs.r[robot]["hold"], theirs.r[robot]["at"]
    near = [i for i in theirs.o if theirs.site(i) == at] or list(theirs.o)
    pool = list(theirs.o) if action == "GoToObject" else near
    args = [str(rng.choice(pool))]
    if action in ("PutObject", "DropHandObject", "ThrowObject"):
        args = [held or args[0], *(args if action == "PutObject" else [])]
    try:
        theirs.act(robot, action, args)
        possible = True
    except checker.Fail:
        possible = False
    assert ours.do(Move(robot, action, tuple(args))).done == possible, (robot, action, args)
    for name, thing in theirs.o.items():
        body = ours.bodies[name]
        assert body.inside == thing["inside"]
        assert all((body.state.get(k) or False) == (v or False) for k, v in thing["state"].items())
