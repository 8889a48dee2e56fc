"""The order that commands ask for, things called by their numbers, and what ``it`` takes up."""

from __future__ import annotations

import contextlib

import pytest

from commonground.datasets.household.worlds import Thing, check_floor
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl
from tests.grounding.household.houses import graph_of


@pytest.fixture(scope="module")
def graph() -> HouseGraph:
    """Return a flat with two desk lamps, cabinets, desks and mugs, and one of everything else."""
    things: dict[str, Thing] = {}

    def add(name: str, place: str | None, *can: str, mass_kg: float | None = None) -> None:
        kind = name.rsplit("_", 1)[0]
        state = {"on": True} if "toggleable" in can else {}
        affordances = frozenset((*can, *(["pickupable"] if mass_kg else [])))
        things[name] = Thing(name, kind, mass_kg, affordances, place, state)

    add("Floor_1", None, "receptacle")
    for place in ("Desk_1", "Desk_2"):
        add(place, "Floor_1", "receptacle")
    for place in ("Cabinet_1", "Cabinet_2", "Fridge_1"):
        add(place, "Floor_1", "receptacle", "openable")
    add("DeskLamp_1", "Desk_2", "toggleable")
    add("DeskLamp_2", "Desk_1", "toggleable")
    for item in ("Mug_1", "Mug_2", "Book_1", "Knife_1", "Potato_1"):
        add(item, "Desk_1", mass_kg=0.3)
    add("Laptop_1", "Desk_1", "toggleable", mass_kg=1.0)
    add("Box_1", "Floor_1", "receptacle", mass_kg=2.0)
    return graph_of(check_floor(things, "House1"))


def _steps(text: str, reader: WishReader, graph: HouseGraph) -> list[str]:
    wish = reader.wish(text, graph)
    return [to_pddl(step) for step in (*wish.before, wish.goal)]


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Turn off desk lamp 2", "(state DeskLamp_2 OFF)"),
        ("Turn off lamp 2", "(state DeskLamp_2 OFF)"),
        ("Turn off desk lamp two.", "(state DeskLamp_2 OFF)"),
        (
            "Turn off desk lamp 2 and desk lamp 1",
            "(and (state DeskLamp_2 OFF) (state DeskLamp_1 OFF))",
        ),
        (
            "Put the book in the box, then turn off desk lamp 2",
            "(and (contains Box Book) (state DeskLamp_2 OFF))",
        ),
        ("Open cabinet 1, then close it", "(state Cabinet_1 CLOSED)"),
        ("Turn off the lamp on desk 1, then turn it on again", "(state DeskLamp_2 ON)"),
    ],
)
def test_a_number_behind_a_noun_and_it_mean_the_very_thing(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert _steps(text, reader, graph)[-1] == goal


def test_a_number_that_nothing_has_is_asked_about(reader: WishReader, graph: HouseGraph) -> None:
    with pytest.raises(Unclear, match="desk lamp 7"):
        reader.wish("Put the book in the box, then turn off desk lamp 7", graph)


LAPTOP, BOOK, LAMP = "(state Laptop OFF)", "(contains Box Book)", "(state DeskLamp_1 OFF)"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Turn off the laptop, but first put the book in the box", BOOK),
        ("Turn off the laptop. Before that, put the book in the box", BOOK),
        ("Turn off the laptop, beforehand put the book in the box", BOOK),
        ("Put the book in the box after turning off the laptop", LAPTOP),
        ("Turn off desk lamp 1 only after the book is in the box", BOOK),
        ("Turn off the laptop once the book is in the box", BOOK),
        ("Before you turn off the laptop, put the book in the box", BOOK),
        ("Turn off the laptop before you put the book in the box", LAPTOP),
        ("After putting the book in the box, turn off the laptop", BOOK),
        ("Turn off desk lamp 1. After that put the book in the box", LAMP),
        ("Put the book in the box. Turn off the laptop first", LAPTOP),
        ("Put the book in the box and turn off the laptop, in that order", BOOK),
        ("Put the book in the box and turn off the laptop, in reverse order", LAPTOP),
    ],
)
def test_what_is_said_to_come_first_is_a_step_before(
    text: str, first: str, reader: WishReader, graph: HouseGraph
) -> None:
    before, *_, goal = _steps(text, reader, graph)
    assert before == first
    assert first in goal and goal.startswith("(and ")


KNIFE, MUG = "(contains Box Knife)", "(contains Box Mug_1)"


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        (
            "Put the book, the knife and mug 1 in the box in that order",
            [BOOK, f"(and {BOOK} {KNIFE})", f"(and {BOOK} {KNIFE} {MUG})"],
        ),
        (
            "Put the book and the knife in the box, the knife first",
            [KNIFE, f"(and {KNIFE} {BOOK})"],
        ),
        (
            "Put the book and the knife in the box, starting with the knife",
            [KNIFE, f"(and {KNIFE} {BOOK})"],
        ),
        (
            "Turn off desk lamp 2, then put the book in the box, then turn off desk lamp 1",
            [
                "(state DeskLamp_2 OFF)",
                f"(and (state DeskLamp_2 OFF) {BOOK})",
                f"(and (state DeskLamp_2 OFF) {BOOK} {LAMP})",
            ],
        ),
    ],
)
def test_lists_are_done_in_the_order_that_is_told(
    text: str, steps: list[str], reader: WishReader, graph: HouseGraph
) -> None:
    assert _steps(text, reader, graph) == steps


@pytest.mark.parametrize(
    "text", ["Put the mug that is first in line in the box", "Put the book in the box first thing"]
)
def test_a_first_that_orders_nothing_is_no_step(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with contextlib.suppress(Unclear):  # asking is all right
        assert len({*_steps(text, reader, graph)}) == 1


def test_an_order_that_runs_in_a_circle_is_asked_about(
    reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear, match="before"):
        reader.wish(
            "Turn off the laptop, then put the book in the box, starting with the book", graph
        )
