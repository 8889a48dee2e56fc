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
from commonground.grounding.problem_writer.commands.reader import UnknownWord
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.wishes.reading import WishReader, WishReaders
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


def _reader(text: str, *parts: Any, **how: Any) -> WishReader:
    reading = replace(Reading(said(text, *parts), 0.9), **how)
    return WishReader(Heard(reading), WishTable(Kinds.load()))


SLICE = "Slice the apple before my aunt comes"


def test_a_sure_reading_becomes_a_wish(graph: HouseGraph) -> None:
    reader = _reader(SLICE, do("cut up", "apple"))
    assert to_pddl(reader.wish(SLICE, graph).goal) == "(state Apple SLICED)"


class Stumped:
    """Knows no word."""

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        raise UnknownWord("I do not know that.")


def test_the_reader_is_told_what_the_house_and_its_robots_are_called(graph: HouseGraph) -> None:
    reader = _reader(SLICE, do("cut up", "apple"))
    reader.wish(SLICE, graph)
    assert isinstance(reader.reader, Heard)
    (names,) = reader.reader.names
    assert names.hints(["let", "Otto", "put", "the", "gumball", "machine", "on"]) == [
        (1, 2, 0),
        (4, 6, 2),
    ]
    assert names.hints(["the", "zorblax", "is", "here"]) == []


def test_what_the_reader_is_not_sure_of_is_asked_about(graph: HouseGraph) -> None:
    unsure = {"unsure": (_span(SLICE, "my aunt"),)}
    for how, asked in (
        (unsure, "What does 'my aunt' mean"),
        ({"confidence": 0.3}, "Is this what should be done: cut up the apple"),
        ({"utterance": None, "problem": "That is too long."}, "That is too long"),
    ):
        with pytest.raises(Unclear, match=asked):
            _reader(SLICE, do("cut up", "apple"), **how).wish(SLICE, graph)


LEFT_OUT: list[tuple[str, Any, str]] = [
    ("Slice the apple and the tomato", do("cut up", "apple"), "tomato"),
    ("Slice the apple, gumball machine on", do("cut up", "apple"), "gumball machine"),
    ("Otto, slice the apple", do("cut up", "apple"), "Otto"),
    ("Slice the apple, not the tomato", do("cut up", both("apple", "tomato")), "not"),
    ("Slice two apples", do("cut up", "apples"), "two"),
    ("Slice the apple and zorb it", do("cut up", "apple"), "zorb"),
    ("Slice the apple, then zorb it and clean it",
     also(do("cut up", "apple"), do("clean", it("apple"))), "zorb', 'clean"),
    ("robot 2 opens the fridge and Otto the drawer",
     also(do("open", "fridge"), do("open", "drawer")), "2', 'Otto"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "step", "asked"), LEFT_OUT)
def test_names_of_the_house_that_the_reader_left_out_are_asked_about(
    text: str, step: Any, asked: str, graph: HouseGraph
) -> None:
    with pytest.raises(Unclear, match=f"What about '{asked}'"):
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
    text = "I lost the fork. Slice the apple"
    step = do("cut up", "apple")
    with pytest.raises(Unclear, match="fork"):
        _reader(text, step).wish(text, graph)
    _reader(text, step, chatter=(_span(text, "I lost the fork."),)).wish(text, graph)


def test_a_second_reader_reads_what_the_first_does_not_understand(graph: HouseGraph) -> None:
    second = _reader(SLICE, do("cut up", "apple"))
    unsure = _reader(SLICE, do("cut up", "apple"), confidence=0.1)
    odd = _reader(SLICE, do("open", "apple"))
    for first in (unsure, odd, Stumped()):
        assert to_pddl(WishReaders(first, second).wish(SLICE, graph).goal) == "(state Apple SLICED)"
    for first, asked in ((odd, "cannot be opened"), (unsure, "Is this what")):
        with pytest.raises(Unclear, match=asked):
            WishReaders(first, odd).wish(SLICE, graph)


def test_what_alone_makes_sense_is_done_however_unsure_it_was_heard(graph: HouseGraph) -> None:
    likely = Reading(said(SLICE, do("cut up", "apple")), 0.1)
    odd = Reading(said(SLICE, do("open", "apple")), 0.3, others=(likely,))
    learned = WishReader(Heard(odd), WishTable(Kinds.load()))
    assert (
        to_pddl(WishReaders(Stumped(), learned).wish(SLICE, graph).goal) == "(state Apple SLICED)"
    )


def test_what_is_surely_heard_and_cannot_be_done_is_not_bent_into_what_can(
    graph: HouseGraph,
) -> None:
    likely = Reading(said(SLICE, do("cut up", "apple")), 0.01)
    odd = Reading(said(SLICE, do("open", "apple")), 0.98, others=(likely,))
    learned = WishReader(Heard(odd), WishTable(Kinds.load()))
    with pytest.raises(Unclear, match="cannot be opened"):
        WishReaders(Stumped(), learned).wish(SLICE, graph)


def test_what_two_readers_read_differently_is_asked(graph: HouseGraph) -> None:
    text = "Slice the apple and the lettuce"
    both = _reader(text, do("cut up", "apple"), do("cut up", "lettuce"))
    turned = _reader(text, do("cut up", "lettuce"), do("cut up", "apple"))
    assert WishReaders(turned, both).wish(text, graph) == both.wish(text, graph)
    open_it, close_it = (
        _reader("Shut the fridge", do(sense, "fridge")) for sense in ("open", "close")
    )
    with pytest.raises(Unclear, match="two ways"):
        WishReaders(open_it, close_it).wish("Shut the fridge", graph)


def test_a_reader_that_passes_over_a_thing_yields_to_one_that_does_not(graph: HouseGraph) -> None:
    text = "Slice the apple and the lettuce"
    both = _reader(text, do("cut up", "apple"), do("cut up", "lettuce"))
    part = _reader(text, do("cut up", "apple"), chatter=(_span(text, "the lettuce"),))
    assert WishReaders(part, both).wish(text, graph) == both.wish(text, graph)
