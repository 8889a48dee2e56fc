"""Turns of phrase that ask for something, what is only forbidden or let be, and ordinals."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.bans import banned
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.turns import turned
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl

TURNS = [
    ("- fork: into the sink\n- egg: sliced", "fork into the sink. egg sliced"),
    ("Fork: sink.", "Fork goes on the sink."),
    ("Keep the pen from her, a drawer will do.", "Keep the pen from her. Put it in a drawer."),
    ("1. fork: wash it, 2. egg: in the sink", "fork: wash it. egg in the sink"),
    ("Whoever is nearest can shut the fridge.", "shut the fridge."),
    ("Whoever did that should be ashamed.", "Whoever did that should be ashamed."),
    ("The fork is going in the sink.", "The fork goes in the sink."),
    ("The milk is going off.", "The milk is going off."),
    ("We'll have the pen on the desk.", "have the pen on the desk."),
    ("We'll have the neighbours in on Sunday.", "We'll have the neighbours in on Sunday."),
    ("The pen would look lovely on the desk.", "The pen goes on the desk."),
    ("The pen looks lovely on the desk.", "The pen looks lovely on the desk."),
    ("The pen would leak on the sofa.", "The pen would leak on the sofa."),
    ("The pen, which is dear to me, and the book go there.", "The pen and the book go there."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "plain"), TURNS)
def test_turns_of_phrase_are_said_plainly(text: str, plain: str, home: Home) -> None:
    assert turned(text, home) == plain


def test_a_place_is_told_by_what_is_there(home: Home) -> None:
    there = next(home.around("Vase_2"))
    assert turned("Put the pen on the sofa where the vase is.", home) == f"Put the pen on {there}."


@pytest.mark.parametrize(
    ("text", "skills"),
    [
        ("don't slice the apple", {"SliceObject"}),
        ("never open the fridge", {"OpenObject"}),
        ("the book can stay", {"PickupObject", "PushObject", "PullObject"}),
    ],
)
def test_what_is_only_forbidden_or_let_be_is_spared(
    text: str, skills: set[str], home: Home
) -> None:
    wish = banned(Accounts(text, home))
    assert wish is not None and {fact.object for fact in wish.spared} == skills


@pytest.mark.parametrize(
    "text", ["slice the apple", "the fork needn't be washed", "don't put the pen on the desk"]
)
def test_whatever_else_is_said_spares_nothing(text: str, home: Home) -> None:
    assert banned(Accounts(text, home)) is None


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
    "Wash the tomato and put it with the apple in the bowl.":
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
