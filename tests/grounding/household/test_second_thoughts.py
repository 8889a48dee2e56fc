"""What is thought better of goes, with its reason, and what is asked for instead stays."""

from __future__ import annotations

import pytest

from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Slice the apple. No, the tomato.", "(state Tomato SLICED)"),
    ],
)  # fmt: skip
def test_what_is_meant_instead_is_done(
    text: str, goal: str, reader: WishReader, graph: HouseGraph
) -> None:
    assert " ".join(to_pddl(reader.wish(text, graph).goal).split()) == goal


@pytest.mark.parametrize(
    "text",
    [
        "Wash the fork, no, wait, leave it.",
        "Slice the apple. On second thoughts, don't.",
        "Slice the apple, no, hang on, leave it whole. Put it in the bowl.",
    ],
)
def test_who_takes_all_back_wants_nothing(text: str, reader: WishReader, graph: HouseGraph) -> None:
    with pytest.raises(Unclear):
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
