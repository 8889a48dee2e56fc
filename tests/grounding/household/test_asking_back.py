"""What is asked back about a command: goals in words, and the sentence that was not understood."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.in_words import HouseWords
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import parse_formula

GOALS = [
    ("(and (state Apple CLEAN) (contains Fridge Apple))", "the apple is clean and in the fridge"),
    ("(not (state Fridge OPENED))", "the fridge is not open"),
    ("(or (contains Fridge Apple) (contains Bed Apple))", "the apple is in the fridge or on the bed"),
    ("(and (contains Fridge Apple) (contains Fridge Tomato))", "the apple and the tomato are in the fridge"),
]  # fmt: skip


@pytest.mark.parametrize(("goal", "words"), GOALS)
def test_a_goal_is_said_in_words(goal: str, words: str, home: Home) -> None:
    assert HouseWords(home).goal(parse_formula(goal, fold_case=False)) == words


def test_types_are_named_as_people_name_them(home: Home) -> None:
    said = HouseWords(home).said("GarbageCan cannot hold Apple. Where should it go?")
    assert said == "garbage can cannot hold apple. Where should it go?"


def test_one_sentence_of_several_is_asked_about(reader: WishReader, graph: HouseGraph) -> None:
    with pytest.raises(Unclear) as caught:
        reader.wish("Slice the apple. Open the tomato with all your might.", graph)
    asked = str(caught.value)
    assert "I understood: the apple is sliced" in asked
    assert "“Open the tomato with all your might”" in asked and "(" not in asked
