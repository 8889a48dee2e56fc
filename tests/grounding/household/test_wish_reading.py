"""From text to wish: what the reader is not sure of, and what it left out, is asked about."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from commonground.datasets.household import RobotSpec
from commonground.datasets.household.tasks import SKILLS
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import Domain, Reading
from commonground.grounding.english.utterance import Part, Span
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.judging import chances
from commonground.grounding.problem_writer.wishes.reading import WishReader
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl
from tests.grounding.household.houses import graph_of, several_of_a_kind
from tests.grounding.household.said import also, both, by, do, it, said


@dataclass
class Heard:
    """A reader that gives one reading whatever is said."""

    reading: Reading
    names: list[Names] = field(default_factory=list)

    def read(self, text: str, domain: Domain, names: Names, *_: Any) -> Reading:
        """Return the reading."""
        assert domain == "household"
        self.names.append(names)
        return self.reading


@pytest.fixture(scope="module")
def graph() -> HouseGraph:
    team = [RobotSpec(name, frozenset(SKILLS), 3.0) for name in ("Otto", "robot2")]
    return graph_of(several_of_a_kind(), team)


def _span(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words), words)


TABLE = WishTable(Kinds.load())


def _reader(text: str, *parts: Any, **how: Any) -> WishReader:
    reading = replace(Reading(said(text, *parts), 0.9), **how)
    return WishReader(Heard(reading), TABLE)


SLICE = "Slice the apple before my aunt comes"


def test_a_sure_reading_becomes_a_wish(graph: HouseGraph) -> None:
    reader = _reader(SLICE, do("cut up", "apple"))
    assert to_pddl(reader.wish(SLICE, graph).goal) == "(state Apple SLICED)"


def test_the_reader_is_told_what_the_house_and_its_robots_are_called(graph: HouseGraph) -> None:
    reader = _reader(SLICE, do("cut up", "apple"))
    reader.wish(SLICE, graph)
    assert isinstance(reader.reader, Heard)
    (names, *_) = reader.reader.names
    assert names.hints(["let", "Otto", "put", "the", "gumball", "machine", "on"]) == [
        (1, 2, 0),
        (4, 6, 2),
    ]
    assert names.hints(["the", "zorblax", "is", "here"]) == []


def test_what_is_passed_over_is_less_probable(graph: HouseGraph) -> None:
    readers = (
        _reader(SLICE, do("cut up", "apple"), unsure=unsure)
        for unsure in ((), (_span(SLICE, "my aunt"),))
    )
    more, less = (chances(reader.candidates(SLICE, graph))[0] for reader in readers)
    assert less < more
    with pytest.raises(Unclear, match="What should be done"):
        _reader(SLICE, do("cut up", "apple"), utterance=None).wish(SLICE, graph)


LEFT_OUT: list[tuple[str, Any, str]] = [
    ("Slice the apple and the tomato", do("cut up", "apple"), "tomato"),
    ("Slice the apple, gumball machine on", do("cut up", "apple"), "gumball machine"),
    ("Otto, slice the apple", do("cut up", "apple"), "Otto"),
    ("Slice the apple, not the tomato", do("cut up", both("apple", "tomato")), "not"),
    ("Slice two apples", do("cut up", "apples"), "two"),
    ("Slice the apple and zorb it", do("cut up", "apple"), "zorb"),
    ("Slice the apple, then zorb it and clean it",
     also(do("cut up", "apple"), do("clean", it("apple"))), "zorb"),
    ("robot 2 opens the fridge and Otto the drawer",
     also(do("open", "fridge"), do("open", "drawer")), "2"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "step", "asked"), LEFT_OUT)
def test_names_of_the_house_that_the_reader_left_out_are_asked_about(
    text: str, step: Any, asked: str, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear, match=f"['“]{asked}"):
        _reader(text, step).wish(text, graph)


TAKEN_UP: list[tuple[str, Any]] = [
    ("Let it be dark, all lights out", do("darken the room")),
    ("Pick the apple up and lay it on the bed", do("put", "apple", "bed")),
    ("Make the apple nice and cold", do("chill", "apple")),
    ("Slice the apple and in the end the tomato", do("cut up", both("apple", "tomato"))),
    ("Trash the apple in the trash", do("throw away", "apple")),
    ("Box up the apple: put it into the hat box", do("put", "apple", "hat box")),
    ("Otto slices the apple", Part(do("cut up", "apple"), by("Otto"))),
]


@pytest.mark.parametrize(("text", "step"), TAKEN_UP)
def test_what_the_wish_takes_up_and_verbs_are_not_asked_about(
    text: str, step: Any, graph: HouseGraph
) -> None:
    _reader(text, step).wish(text, graph)


def test_chatter_is_not_asked_about(graph: HouseGraph) -> None:
    text = "Slice the apple, mind the fork"
    step = do("cut up", "apple")
    _reader(text, step, chatter=(_span(text, "mind the fork"),)).wish(text, graph)


def test_what_alone_makes_sense_is_done_however_unsure_it_was_heard(graph: HouseGraph) -> None:
    likely = Reading(said(SLICE, do("cut up", "apple")), 0.1)
    reader = _reader(SLICE, do("open", "apple"), confidence=0.3, others=(likely,))
    assert to_pddl(reader.wish(SLICE, graph).goal) == "(state Apple SLICED)"


def test_what_is_surely_heard_and_cannot_be_done_is_not_bent_into_what_can(
    graph: HouseGraph,
) -> None:
    likely = Reading(said(SLICE, do("cut up", "apple")), 0.01)
    reader = _reader(SLICE, do("open", "apple"), confidence=0.98, others=(likely,))
    with pytest.raises(Unclear, match="cannot be opened"):
        reader.wish(SLICE, graph)


def test_of_two_ways_the_one_is_believed_that_the_words_bear_out(graph: HouseGraph) -> None:
    for text, state in (("Wash the apple", "CLEAN"), ("Slice the apple", "SLICED")):
        deeds = do("clean", "apple"), do("cut up", "apple")
        for first, second in (deeds, deeds[::-1]):
            other = Reading(said(text, second), 0.4)
            reader = _reader(text, first, confidence=0.5, others=(other,))
            assert to_pddl(reader.wish(text, graph).goal) == f"(state Apple {state})"


def test_a_way_that_passes_over_a_thing_yields_to_one_that_does_not(graph: HouseGraph) -> None:
    text = "Slice the apple and the lettuce"
    deeds = do("cut up", "apple"), do("cut up", "lettuce")
    both = _reader(text, *deeds).wish(text, graph)
    fuller = Reading(said(text, *deeds), 0.4)
    part = _reader(text, do("cut up", "apple"), confidence=0.5, others=(fuller,))
    assert part.wish(text, graph) == both
