"""Commands in pieces: what asks for something, without what is said beside and without pronouns."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.joining import joined
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.senses import sense_of
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.planning.pddl import parse_formula, to_pddl
from tests.grounding.household.houses import graph_of, several_of_a_kind


@pytest.fixture(scope="module")
def home() -> Home:
    return WishTable(Kinds.load()).home(graph_of(several_of_a_kind()))


PIECES: list[tuple[str, list[str]]] = [
    ("My aunt is coming. Telly off and fridge shut, I'm exhausted.", ["Telly off", "shut the fridge"]),
    ("Wash the fork, then put it in the fridge and shut the door.",
     ["Wash the fork", "put the fork in the fridge", "shut the fridge"]),
    ("Take the egg out of the fridge and lay it on the sofa.", ["lay the egg on the sofa"]),
    ("I'd like the apple washed, sliced and placed in the sink.",
     ["I'd like the apple washed", "slice the apple", "place the apple in the sink"]),
    ("The tomato's gone off. Bin it and don't leave the fridge open.",
     ["Bin the tomato", "make sure the fridge is closed"]),
    ("Put the fork and the egg in the sink, it's a mess.", ["Put the fork and the egg in the sink"]),
    ("I'm off out. The fork can go in the fridge. Get the egg out of the fridge and lay it on the sofa.",
     ["The fork can go in the fridge", "lay the egg on the sofa"]),
    ("The apple and the egg won't last. Put them both in the fridge and shut the door.",
     ["Put the apple and the egg in the fridge", "shut the fridge"]),
    ("I've a cold and no egg. Shut the fridge.", ["Shut the fridge"]),
    ("Egg cracked into the bowl and fridge shut.",
     ["crack the Egg into the bowl", "shut the fridge"]),
    ("Slice the apple and the tomato and put them both in the fridge.",
     ["Slice the apple and the tomato", "put the apple and the tomato in the fridge"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "pieces"), PIECES)
def test_what_asks_for_something_is_a_piece_and_remarks_are_none(
    text: str, pieces: list[str], home: Home
) -> None:
    assert [piece.text for piece in Pieces(text, Accounts(text, home)).all()] == pieces


WHOLE = [
    "Slice the apple.",
    "If the fridge is open, shut it.",
    "Open the fridge or the microwave.",
    "Slice the apple and zorb it twice.",
    "Take the egg out of the fridge.",
]


@pytest.mark.parametrize("text", WHOLE)
def test_what_holds_together_or_says_more_is_not_divided(text: str, home: Home) -> None:
    assert len(Pieces(text, Accounts(text, home)).all()) < 2


def test_what_goes_elsewhere_later_is_only_on_the_way(home: Home) -> None:
    goals = ["(contains Sink Egg)", "(and (contains Fridge Egg) (state Fridge CLOSED))"]
    wishes = [(Wish(parse_formula(goal, fold_case=False)), False) for goal in goals]
    wish = joined(wishes, home)
    goal = " ".join(to_pddl(wish.goal).split())
    assert goal == "(and (contains Fridge Egg) (state Fridge CLOSED))"
    assert [to_pddl(step) for step in wish.before] == ["(contains Sink Egg)"]


def test_what_is_not_to_be_on_is_to_be_off() -> None:
    graph = graph_of(several_of_a_kind())
    denied, said = (
        sense_of(Wish(parse_formula(goal, fold_case=False)), graph)
        for goal in ("(not (state Television ON))", "(state Television OFF)")
    )
    assert denied == said
