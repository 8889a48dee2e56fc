"""What is thought better of goes, with its reason, and what is asked for instead stays."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.second_thoughts import thought_better
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl

BETTER = [
    ("Slice the tomato, then the potato, no, they hate that, so the potato stays in the sink.",
     "Slice the tomato. the potato stays in the sink."),
    ("Wash the fork. Oh wait, no, he needs it dirty, leave the fork alone.",
     "leave the fork alone."),
    ("Put the pen, the book and the fork on the desk. No, wait, the fork goes in the sink.",
     "Put the pen and the book on the desk. the fork goes in the sink."),
    ("Put the egg and the apple in the bowl. No, sorry, the egg goes in the fridge.",
     "Put the apple in the bowl. the egg goes in the fridge."),
    ("Telly off and the floor lamp on, or no, that one glares, make it the light.",
     "Telly off and the light on."),
    ("Turn the telly on. Actually, don't.", "leave the telly alone."),
    ("I want the apple washed. No, the tomato.", "I want the tomato washed."),
    ("Slice the tomato. No, wait. My phone's in the sink, put it on the bed.",
     "Slice the tomato. No, wait. My phone's in the sink, put it on the bed."),
    ("Put the pen in the drawer. No forks in there, please.",
     "Put the pen in the drawer. No forks in there, please."),
    ("Wash the fork. No, wash the apple first.", "Wash the fork. No, wash the apple first."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "left"), BETTER)
def test_what_is_taken_back_goes(text: str, left: str, home: Home) -> None:
    assert thought_better(text, home).strip() == left


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Slice the apple, no, hang on, leave it whole. Put it in the bowl.", "(contains Bowl Apple)"),
    ],
)  # fmt: skip
def test_what_is_meant_instead_is_done(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert " ".join(to_pddl(reader.wish(text, graph).goal).split()) == goal


def test_where_things_go_is_not_taken_back_by_what_is_asked_of_it_later(home: Home) -> None:
    asked = "Slice the tomato, then put it in the bowl."
    better = thought_better(
        f"{asked} I wanted another, but no, he keeps his. The bowl goes on the desk.", home
    )
    assert better.startswith(asked)


@pytest.mark.parametrize(
    "text", ["Wash the fork, no, wait, leave it.", "Slice the apple. On second thoughts, don't."]
)
def test_who_takes_all_back_wants_nothing(text: str, reader: WishReader, graph: HouseGraph) -> None:
    with pytest.raises(Unclear, match="nothing is to be done"):
        reader.wish(text, graph)


@pytest.mark.parametrize(
    "text",
    ["Put it in the sink with the fork.", "They go on the desk, and the pen goes in the bowl.",
     "Both of them belong in the fridge, please."],
)  # fmt: skip
def test_what_was_never_named_is_asked_about(
    text: str, reader: WishReader, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear, match="What does '.*' mean here"):
        reader.wish(text, graph)
