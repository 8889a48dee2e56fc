"""What is left out of all is not what is asked for: it stays where it is, or is asked about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonground.datasets.household import House
from commonground.datasets.household.worlds import Thing, check_floor
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.household.bridge import believed
from commonground.planning.pddl import to_pddl
from tests.grounding.household.houses import HANDY, house

MUG = frozenset(["pickupable", "receptacle", "fillable", "dirtyable"])


@pytest.fixture(scope="module")
def graph() -> HouseGraph:
    things = dict(house())
    places = {"Fork_1": "DiningTable_1", "Knife_1": "DiningTable_1", "Pot_1": "DiningTable_1"}
    for name, place in places.items():
        kind = name.partition("_")[0]
        thing = things.get(name, Thing(name, kind, 0.3, frozenset(["pickupable"])))
        things[name] = replace(thing, location=place)
    things["Mug_1"] = Thing("Mug_1", "Mug", 0.3, MUG, "DiningTable_1", {"clean": False})
    things["Mug_2"] = Thing("Mug_2", "Mug", 0.3, MUG, "CounterTop_1", {"clean": True})
    return believed(House(check_floor(things, "House1"), (HANDY,)))


@pytest.fixture(scope="module")
def reader() -> WishReader:
    return WishReader.load(Kinds.load())


@pytest.mark.parametrize(
    "text",
    [
        "Open every cabinet but the first.",
        "Move everything from the dining table to the sink except the pot and the knife.",
        "Put everything on the dining table into the sink but the pot and the knife.",
        "Everything on the dining table goes into the sink, apart from the knife and the pot.",
        "Put all mugs but the dirty one in the fridge.",
        "Put the knife anywhere but on the dining table.",
    ],
)
def test_what_is_left_out_is_not_done_all_the_same(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Put everything on the dining table in the sink except the knife.", "Knife"),
        ("Everything on the dining table goes into the sink, apart from the pot.", "Pot"),
        ("Clean all mugs except the clean one.", "Mug_2"),
        ("Open the first cabinet, not the second.", "Cabinet_2"),
        ("Open all cabinets, but not the second one.", "Cabinet_2"),
        ("Put everything on the dining table, bar the knife, in the sink.", "Knife"),
    ],
)
def test_all_the_others_are_asked_for(
    text: str, left_out: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert left_out not in to_pddl(reader.wish(text, graph).goal)


def test_what_is_left_out_may_go_elsewhere(reader: WishReader, graph: HouseGraph) -> None:
    most = "Move everything from the dining table to the sink except the knife"
    text = f"{most}, and put the knife in the fridge."
    goal = to_pddl(reader.wish(text, graph).goal)
    assert "Fridge Knife" in goal and "Sink Knife" not in goal


@pytest.mark.parametrize(
    "tail", ["not the blue ones", "as soon as the guests leave", "only halfway", "for an hour"]
)
def test_what_changes_an_order_is_asked_about(
    graph: HouseGraph, reader: WishReader, tail: str
) -> None:
    with pytest.raises(Unclear, match=tail):
        reader.wish(f"Put the mugs in the sink, {tail}.", graph)


def test_why_something_is_wanted_is_no_part_of_it(graph: HouseGraph, reader: WishReader) -> None:
    wish = reader.wish("My aunt is coming, so put the mugs in the sink.", graph)
    assert "Mug" in to_pddl(wish.goal)


def test_a_light_that_is_not_to_go_off_makes_no_other_go_on(reader: WishReader) -> None:
    can = frozenset(["toggleable"])
    things = dict(house())
    things["LightSwitch_1"] = Thing("LightSwitch_1", "LightSwitch", None, can, None, {"on": True})
    things["FloorLamp_1"] = Thing("FloorLamp_1", "FloorLamp", None, can, None, {"on": False})
    lit = believed(House(check_floor(things, "House1"), (HANDY,)))
    with pytest.raises(Unclear):
        reader.wish("Don't turn the light off.", lit)
