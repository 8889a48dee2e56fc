"""Commands in plain English as wishes: the learned reader, then the table of meanings."""

from __future__ import annotations

from typing import Protocol

from commonground.grounding.english.agreement import agreed
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import Domain, Reading
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Mood, Utterance
from commonground.grounding.problem_writer.goals import Wish, literals
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.omissions import passed_over
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Atom, Formula, Not, to_pddl


class TextReader(Protocol):
    """Reads English."""

    def read(self, text: str, domain: Domain, names: Names, mood: Mood | None = None) -> Reading:
        """Return what a text says."""
        ...


class WishSource(Protocol):
    """Reads commands."""

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises `Unclear` with a question."""
        ...


class Unsure(Unclear):
    """The reader is not sure what was said."""


class WishReader:
    """Turns commands into wishes; what was not read for sure is never acted on."""

    def __init__(self, reader: TextReader, table: WishTable) -> None:
        self.reader = reader
        self.table = table

    def read(self, text: str, graph: HouseGraph) -> Formula:
        """Return what shall hold at the end of a command, or raise `Unclear` with a question."""
        return self.wish(text, graph).goal

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for, or raise `Unclear` with a question."""
        names = self.table.names(graph)
        reading = self.reader.read(text, "household", names)
        found, sure = agreed(reading, lambda r: self._wish(r, text, graph, names), str)
        if isinstance(found, Unclear):
            raise found
        if not sure:
            understood = said_back(reading.utterance or Utterance(()))
            raise Unsure(f"Is this what should be done: {understood}?")
        return found

    def _wish(self, reading: Reading, text: str, graph: HouseGraph, names: Names) -> Wish | Unclear:
        """Return what a reading asks for, however sure it is, or a question."""
        try:
            utterance = _whole(reading)
            robots = Names({"robot": graph.robots()})
            left = [span.text for span in unheard(text, utterance, reading.chatter, robots)]
            if not left:
                wish = self.table.wish(utterance, text, graph)
                left = passed_over(text, reading, names, wish, self.table.home(graph))
        except Unclear as unclear:
            return unclear
        words = "', '".join(left)
        asked = f"What about '{words}'? I understand: {said_back(utterance)}."
        return Unsure(asked) if left else wish


class WishReaders:
    """Reads with two readers: what either understands, unless the other understands something else."""

    def __init__(self, first: WishSource, second: WishSource) -> None:
        self.first, self.second = first, second

    def read(self, text: str, graph: HouseGraph) -> Formula:
        """Return what shall hold at the end of a command, or raise `Unclear` with a question."""
        return self.wish(text, graph).goal

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises the first reader's question, or which one is meant."""
        first, second = _tried(self.first, text, graph), _tried(self.second, text, graph)
        if isinstance(second, Unclear):
            if isinstance(first, Unclear):
                raise first
            return first
        if isinstance(first, Unclear):
            return second
        if _alike(first.goal, second.goal):
            return max(second, first, key=_strictness)
        ways = " or ".join(" ".join(to_pddl(wish.goal).split()) for wish in (first, second))
        raise Unsure(f"I can read that in two ways: {ways}. Which is meant?")


def _tried(source: WishSource, text: str, graph: HouseGraph) -> Wish | Unclear:
    try:
        return source.wish(text, graph)
    except Unclear as unclear:
        return unclear


def _alike(one: Formula, other: Formula) -> bool:
    """Return whether two goals want the same, in any order."""
    if to_pddl(one) == to_pddl(other):
        return True
    return all(map(_is_plain, (one, other))) and {*literals(one)} == {*literals(other)}


def _strictness(wish: Wish) -> int:
    """Return how much a wish says beside its goal: a reader may pass over an order or a ban."""
    return len(wish.before) + len(wish.spared) + len(wish.barred)


def _is_plain(goal: Formula) -> bool:
    parts = goal.parts if isinstance(goal, And) else (goal,)
    return all(isinstance(part, Atom | Not) for part in parts)


def _whole(reading: Reading) -> Utterance:
    """Return what was said, or ask about words that it does not hold."""
    if reading.utterance is None:
        raise Unsure(f"{reading.problem} What should be done?".lstrip())
    if reading.unsure:
        words = "', '".join(span.text for span in reading.unsure)
        raise Unsure(f"What does '{words}' mean here: {said_back(reading.utterance)}?")
    return reading.utterance
