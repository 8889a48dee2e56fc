"""What a command may come to is weighed by evidence; what is too improbable is asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.judging import candidates, chances
from commonground.grounding.problem_writer.wishes.questions import which_is_meant
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.senses import Way, sense_of
from commonground.grounding.problem_writer.wishes.told import told
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import parse_formula, to_pddl


def test_readings_that_come_to_the_same_are_one_candidate(
    reader: WishReader, graph: HouseGraph
) -> None:
    found = reader.candidates("Put the apple in the bowl.", graph)
    shares = chances(found)
    assert len({one.sense for one in found}) == len(found)
    assert 0.0 < sum(shares) < 1.0
    best = max(zip(shares, found, strict=True), key=lambda one: one[0])
    assert best[0] > 0.7 and to_pddl(best[1].wish.goal) == "(contains Bowl Apple)"


def test_what_the_words_object_to_is_less_probable(reader: WishReader, graph: HouseGraph) -> None:
    found = reader.candidates("Put the apple and the egg in the bowl.", graph)
    (whole,) = (
        one for one in found if "Egg" in to_pddl(one.wish.goal) and not one.evidence["lost"]
    )
    lesser = [whole._replace(evidence={**whole.evidence, "unheeded": 2.0, "lost": 1.0}), whole]
    less, more = chances(lesser)
    assert less < more


def test_what_only_asks_is_no_candidate(home: Home) -> None:
    command = told("Put the apple in the bowl.", home)
    assert candidates([("whole", Way(Unclear("Which bowl?")))], command) == []


@pytest.mark.parametrize(
    "text", ["Apple. in the bowl. now. pleeease", "Put the egg in the bowl. No, hang on. I mean"]
)
def test_sentences_of_which_nothing_is_left_stop_nobody(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    try:
        goal = to_pddl(reader.wish(text, graph).goal)
    except Unclear:
        return
    assert "Bowl" in goal


def test_what_is_not_to_be_on_is_to_be_off(graph: HouseGraph) -> None:
    denied, said = (
        sense_of(Wish(parse_formula(goal, fold_case=False)), graph)
        for goal in ("(not (state Television ON))", "(state Television OFF)")
    )
    assert denied == said


def test_two_goals_that_may_both_be_meant_are_told_in_two_ways(home: Home) -> None:
    goals = ("(contains Bowl Apple)", "(contains Desk Apple)")
    wishes = [Wish(parse_formula(goal, fold_case=False)) for goal in goals]
    asked = str(which_is_meant(wishes, Accounts("Put the apple there.", home)))
    assert "two ways" in asked and "in the bowl" in asked and "on the desk" in asked


@pytest.mark.parametrize(
    "text",
    [
        'Our cook shouts "Put the apple in the bowl!" at everybody, all day long.',
        "Put the apple in the bowl without opening the fridge door.",
        "Should it get cold tonight, put the apple in the bowl.",
        "Leave the apple where it is and put it in the bowl, will you?",
    ],
)
def test_what_is_quoted_or_cannot_be_promised_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)
