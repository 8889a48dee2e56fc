"""Turns of phrase that ask for something, what is only forbidden or let be, and ordinals."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl

GOALS = {
    "Put the apple in the bowl, but don't slice it.": "(contains Bowl Apple)",
    "Put the second vase on the bed.": "(contains Bed Vase_2)",
    "Dinner's at the dining table tonight, so the plate and the fork go there.":
        "(and (contains DiningTable Plate) (contains DiningTable Fork))",
    "Get the bowl out and onto the desk, and put the egg in it.":
        "(and (contains Desk Bowl) (contains Bowl Egg))",
    "Slice the apple and the tomato, both go in the bowl. The egg goes in as well.":
        "(and (state Apple SLICED) (state Tomato SLICED) (contains Bowl Apple) (contains Bowl Tomato)"
        " (contains Bowl Egg))",
    "Put the pen on the desk where the dog can't reach it, same for the book.":
        "(and (contains Desk Pen) (contains Desk Book))",
    "There lay the egg, grey as a boot. Into the bin with it.": "(contains GarbageCan Egg)",
    "Wash the tomato and put it in the bowl with the apple.":
        "(and (state Tomato CLEAN) (contains Bowl Tomato) (contains Bowl Apple))",
}  # fmt: skip


@pytest.mark.parametrize("text", GOALS)
def test_what_people_say_around_their_wishes_takes_nothing_from_them(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert " ".join(to_pddl(reader.wish(text, graph).goal).split()) == GOALS[text]


def test_what_is_left_alone_goes_nowhere(reader: WishReader, graph: HouseGraph) -> None:
    text = "Leave the apple alone. Put the tomato and the egg in the bowl."
    goal = to_pddl(reader.wish(text, graph).goal)
    assert "Bowl Tomato" in goal and "Bowl Egg" in goal and "Apple" not in goal


def test_a_ban_beside_an_order_is_kept(reader: WishReader, graph: HouseGraph) -> None:
    wish = reader.wish("Put the apple in the bowl, but don't slice it.", graph)
    assert wish.spared == (Fact("Apple_1", "spared", "SliceObject"),)


@pytest.mark.parametrize(
    "text",
    [
        "Put the ninth vase on the bed.",
        "Put the fork on the second desk.",
    ],
)
def test_what_tells_nothing_apart_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)
