"""Commands in plainer words: complaints and their cure, machines and what they do, moot conditions."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.joining import restored
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import parse_formula, to_pddl

WISHES = [
    ("Put the fork in the sink and the egg on the desk, and wash the apple in the sink.",
     ["(state Apple CLEAN)"], ["(contains Sink Apple)"]),
    ("The fork and the apple are filthy. Rinse them both.",
     ["(state Fork CLEAN)", "(state Apple CLEAN)"], ["Desk"]),
    ("Open the fridge, get the egg out and lay it on the desk, then shut the fridge.",
     ["(contains Desk Egg)", "(state Fridge CLOSED)"], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "holds", "lacks"), WISHES)
def test_several_goals_are_all_kept_and_what_is_told_is_none(
    text: str, holds: list[str], lacks: list[str], reader: WishReader, graph: HouseGraph
) -> None:
    goal = to_pddl(reader.wish(text, graph).goal)
    assert all(part in goal for part in holds)
    assert not any(part in goal for part in lacks)


@pytest.mark.parametrize(
    "text",
    [
        "Only the telly should be on.",
        "Turn the telly on if the fridge is open.",
        "Turn on neither the telly nor the lamp.",
        "Less light, please.",
        "Don't make me a coffee.",
        "We don't need any coffee.",
        "We can't miss the news, so don't turn on the television.",
        "The fork on the sofa is from yesterday, take it away.",
        "The apple and the egg, both washed, on separate trays and hatboxes.",
    ],
)
def test_what_would_be_dropped_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)


@pytest.mark.parametrize(
    "text",
    [
        "After all that washing up we never had a meal, and the egg is on the desk.",
        "I did the dirty dishes and cooked a meal, so the egg is on the desk.",
    ],
)
def test_what_is_only_told_is_not_what_things_are_wanted_for(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("I had a long day, please clean the bowl.", "(state Bowl CLEAN)"),
        ("Crack the egg into the bowl.", "(and (state Egg BROKEN) (contains Bowl Egg))"),
        ("Egg cracked into the bowl, telly off.",
         "(and (state Egg BROKEN) (contains Bowl Egg) (state Television OFF))"),
        ("Something hot to drink would be heaven.", "(and (state Mug FILLED) (state Mug HOT))"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_all_and_no_more(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert " ".join(to_pddl(reader.wish(text, graph).goal).split()) == goal


def test_what_is_put_on_a_plate_goes_along_with_it(reader: WishReader, graph: HouseGraph) -> None:
    wish = reader.wish("Put the egg in the bowl and put that on the desk.", graph)
    goal = to_pddl(wish.goal)
    assert "(contains Bowl Egg)" in goal
    assert "(contains Desk" in goal


def test_what_is_shut_again_is_whichever_was_opened(home: Home) -> None:
    goal = parse_formula("(state Cabinet CLOSED)", fold_case=False)
    cabinets = home.things(["Cabinet"])
    found = restored(Wish(goal), home)
    literal = {f"(state {name} CLOSED)" for name in cabinets} if len(cabinets) > 1 else set()
    assert all(part in to_pddl(found.goal) for part in literal)
    assert restored(Wish(parse_formula("(state Fridge OPENED)", fold_case=False)), home).goal == (
        parse_formula("(state Fridge OPENED)", fold_case=False)
    )


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("We are watching a film and the sun is shining right in.", "(state Blinds_1 CLOSED)"),
        ("I'm awake now, let some daylight in.", "(state Blinds OPENED)"),
        ("What a racket, and I was asleep.", "(state Television_1 OFF)"),
    ],
)
def test_what_is_missing_is_wanted_and_the_rest_tells_why(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert to_pddl(reader.wish(text, graph).goal) == goal


@pytest.mark.parametrize(
    "text",
    [
        "It's freezing in here!",
        "The light is not needed, nobody is there.",
        "You put in fridge the water.",
    ],
)
def test_what_a_house_has_nothing_for_or_nobody_needs_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear):
        reader.wish(text, graph)
