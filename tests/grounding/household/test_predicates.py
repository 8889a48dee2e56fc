"""What is wanted of a thing is read whatever else is told of it."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.planning.pddl import equivalent, parse_formula, to_pddl

READ = {
    "Put the fork and the apple in the bowl, and put the bowl on the sofa.": "(and (contains Bowl Fork) "
    "(contains Bowl Apple) (contains Sofa Bowl))",
    "Shut the fridge, because I'm tired.": "(state Fridge CLOSED)",
    "The fork is clean, it should go in the drawer.": "(contains Drawer Fork)",
    "I'm looking at a black screen.": "(state Television ON)",
    "Wash the fork and don't bother washing the bowl.": "(and (state Fork CLEAN) (not (state Bowl "
    "CLEAN)))",
    "The fork goes in the drawer, I don't mind which way round, and the apple goes in the fridge.": "(and "
    "(contains Drawer Fork) (contains Fridge Apple))",
    "The egg goes in the fridge, and so does the apple.": "(and (contains "
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
