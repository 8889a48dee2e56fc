"""No clause that may ask for something is lost, and nothing is switched that no clause asks for."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import pytest

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.heeding import unasked, unheeded
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import parse_formula, to_pddl


def _wish(goal: str) -> Wish:
    return Wish(parse_formula(goal, fold_case=False))


LOST = [
    ("I can't abide that fork lying about. Shut the fridge.", "(state Fridge CLOSED)"),
    ("We'd all be happier with the vases on the sofa. Shut the fridge.", "(state Fridge CLOSED)"),
    ("Shut the fridge, and somebody throw out the old calendar.", "(state Fridge CLOSED)"),
    ("Wash the bowl because I want the egg in it.", "(state Bowl CLEAN)"),
    ("The apple goes brown if you slice it, so don't. Shut the fridge.", "(state Fridge CLOSED)"),
    ("Shut the fridge so it keeps cold, and once nobody uses the fork it goes in the drawer.",
     "(state Fridge CLOSED)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal"), LOST)
def test_a_clause_that_may_ask_and_came_to_nothing_is_told(
    text: str, goal: str, home: Home
) -> None:
    assert [*unheeded(_wish(goal), Accounts(text, home))]


def test_what_is_still_so_may_tell_what_to_do(home: Home) -> None:
    vague = replace(_wish("(state Blinds CLOSED)"), vague=True)
    text = "The baby is asleep on the sofa, and the television still on, so do what you can."
    assert [*unheeded(vague, Accounts(text, home))]
    off = "The baby is asleep on the sofa, and the television already off, so do what you can."
    assert not [*unheeded(vague, Accounts(off, home))]


TOLD = [
    ("Shut the fridge, because the fork should stay dry.", "(state Fridge CLOSED)"),
    ("Put the fork away, for it belongs in the drawer.", "(contains Drawer Fork)"),
    ("The fork was filthy yesterday. Shut the fridge.", "(state Fridge CLOSED)"),
    ("The fork should have been washed long ago, but never mind. Shut the fridge.",
     "(state Fridge CLOSED)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "goal"), TOLD)
def test_what_is_only_told_is_not_asked_about(text: str, goal: str, home: Home) -> None:
    assert not [*unheeded(_wish(goal), Accounts(text, home))]


def test_nothing_is_switched_that_another_thing_is_asked_to_be(home: Home) -> None:
    text = "Pass over the blinds. Put the apple on the desk, and switch the television on."
    wish = _wish("(and (contains Desk Apple) (state Television ON))")
    assert not [*unasked(wish, Accounts(text, home))]
    text = "The television can be skipped. The phone is flat, so turn it on."
    assert [*unasked(_wish("(state Television ON)"), Accounts(text, home))] == ["on television"]


def test_what_shall_not_be_left_so_is_never_turned_round(home: Home) -> None:
    accounts = Accounts("No fridge in this house is ever to be left standing open.", home)
    assert "opened Fridge" in accounts.of(_wish("(state Fridge OPENED)")).invented


MEANT = [
    ("The fridge should be shut. Put the apple on the desk.",
     "(and (state Fridge CLOSED) (contains Desk Apple))"),
    ("The apple is to be put on the desk.", "(contains Desk Apple)"),
    ("As for the fork, please wash it.", "(state Fork CLEAN)"),
]  # fmt: skip


def test_what_needs_nothing_is_not_done(reader: WishReader, graph: HouseGraph) -> None:
    text = "Nothing needs doing about the egg. The apple is to be washed."
    with contextlib.suppress(Unclear):
        found = to_pddl(reader.wish(text, graph).goal)
        assert found.replace("_1", "") == "(state Apple CLEAN)"


@pytest.mark.parametrize(("text", "goal"), MEANT)
def test_wishes_in_the_passive_are_understood(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    found = to_pddl(reader.wish(text, graph).goal)
    assert found.replace("_1", "").split() == goal.split()


@pytest.mark.parametrize(
    "text",
    [
        "Wash the lettuce and the hamster.", "Put the apple and the parrot into the fridge.",
        "Put the tomato that lies by the passport into the bowl.",
        "A coffee would really save me right now.",  # and nothing is to be switched off
    ],
)  # fmt: skip
def test_what_nobody_knows_is_not_left_out(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)
