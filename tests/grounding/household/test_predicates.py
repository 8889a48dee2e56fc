"""What is wanted of a thing is read whatever else is told of it."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.predicates import spelled_out
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.planning.pddl import equivalent, parse_formula, to_pddl


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            "The book is torn and belongs in the bin.",
            "The book is torn. The book belongs in the bin.",
        ),
        (
            "The mug must come off the shelf and go on the desk.",
            "The mug must come off the shelf. The mug must go on the desk.",
        ),
        (
            "Put the egg into the bowl, which goes on the desk.",
            "Put the egg into the bowl. The bowl goes on the desk.",
        ),
        (
            "The mug, which needs washing, and the plate go on the desk.",
            "The mug and the plate go on the desk. The mug needs washing.",
        ),
        (
            "The egg has gone off, goes in the bin.",
            "The egg has gone off. The egg goes in the bin.",
        ),
        ("The mug is dirty. Needs washing.", "The mug is dirty. The mug needs washing."),
        (
            "The mug needs washing and then putting back.",
            "The mug needs washing. The mug needs putting back.",
        ),
        (
            "The mug has to be washed, and so does the plate.",
            "The mug has to be washed. the plate has to be washed.",
        ),
    ],
)
def test_what_is_wanted_of_a_thing_becomes_a_sentence(text: str, plain: str, home: Home) -> None:
    assert " ".join(spelled_out(text, home).split()).replace("desk. .", "desk.") == plain


@pytest.mark.parametrize(
    "text",
    [
        "The mug must go and close the blinds.",
        "When we are done the mug should be washed and may go on the desk.",
        "We met and should go.",
        "The book, which is old, lies on the desk.",
    ],
)
def test_nothing_else_is_divided(text: str, home: Home) -> None:
    assert spelled_out(text, home) == text


READ = {
    "Put the fork and the apple in the bowl, and put it on the sofa.": "(and (contains Bowl Fork) "
    "(contains Bowl Apple) (contains Sofa Bowl))",
    "Shut the fridge before they come home.": "(state Fridge CLOSED)",
    "Shut the fridge, because I'm tired and I don't want to be looking at the apple.": "(state "
    "Fridge CLOSED)",
    "You needn't bother with the television. Shut the fridge.": "(state Fridge CLOSED)",
    "The fork is clean, it should go in the drawer.": "(contains Drawer Fork)",
    "I'm looking at a black screen.": "(state Television ON)",
    "Wash the fork and don't bother washing the bowl.": "(and (state Fork CLEAN) (not (state Bowl "
    "CLEAN)))",
    "The fork goes in the drawer, I don't mind which way round, and the apple goes in the fridge.": "(and "
    "(contains Drawer Fork) (contains Fridge Apple))",
    "The egg must not be broken, it goes in the fridge, and so does the apple.": "(and (contains "
    "Fridge Egg) (contains Fridge Apple))",
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_all_that_is_wanted_is_read_and_nothing_else(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    goal = reader.wish(text, graph).goal
    assert equivalent(goal, parse_formula(READ[text], fold_case=False)), to_pddl(goal)


def test_what_has_something_go_somewhere_counts_though_a_thing_is_spared(home: Home) -> None:
    accounts = Accounts(
        "Don't slice the apple; it goes on the desk. The egg goes on the desk.", home
    )
    goal = parse_formula("(contains Desk Egg)", fold_case=False)
    wish = Wish(goal, spared=(Fact("Apple_1", "spared", "SliceObject"),))
    assert "goes" in accounts.of(wish).lost
