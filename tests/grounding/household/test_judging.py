"""What a command may come to is weighed by evidence; what is too improbable is asked about."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.judging import candidates, chances
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.senses import Way
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl


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


def test_what_only_asks_is_no_candidate(home: Home, graph: HouseGraph) -> None:
    accounts = Accounts("Put the apple in the bowl.", home)
    assert candidates([("whole", Way(Unclear("Which bowl?")))], accounts, graph) == []


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
