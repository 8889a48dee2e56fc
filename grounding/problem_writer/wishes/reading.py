"""Commands in plain English as wishes: the learned reader, then the table of meanings."""

from __future__ import annotations

from typing import Protocol

from commonground.grounding.english.agreement import SETTLED, Agreed, agreed
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import Domain, Reading
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Mood, Utterance
from commonground.grounding.problem_writer.commands.reader import UnknownWord
from commonground.grounding.problem_writer.goals import Wish, literals
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.omissions import passed_over
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Atom, Formula, Not, to_pddl

LIKELY = 0.5
"""How sure of a meaning the learned reader must be to ask about it where the patterns do not know a word."""


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
        found = self.weigh(text, graph).answer
        if isinstance(found, Unclear):
            raise found
        return found

    def weigh(self, text: str, graph: HouseGraph) -> Agreed[Wish | Unclear]:
        """Return what a command asks for, or a question, and how sure that is."""
        names = self.table.names(graph)
        reading = self.reader.read(text, "household", names)
        found = agreed(reading, lambda r: self._wish(r, text, graph, names), str, _is_wish)
        if found.sure or isinstance(found.answer, Unclear):
            return found
        understood = said_back(found.reading.utterance or Utterance(()))
        return found._replace(answer=Unsure(f"Is this what should be done: {understood}?"))

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
    """Reads with two readers: what either understands, unless the other understands something else.

    What the learned reader is quite sure of stands against the patterns.
    """

    def __init__(self, patterns: WishSource, learned: WishReader) -> None:
        self.patterns, self.learned = patterns, learned

    def read(self, text: str, graph: HouseGraph) -> Formula:
        """Return what shall hold at the end of a command, or raise `Unclear` with a question."""
        return self.wish(text, graph).goal

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises the likelier question, or which one is meant."""
        parsed, weighed = self._parsed(text, graph), self.learned.weigh(text, graph)
        read = weighed.answer
        if isinstance(read, Unclear):
            if isinstance(parsed, Unclear):
                unknown = isinstance(parsed, UnknownWord)
                raise read if unknown and weighed.share >= LIKELY else parsed
            return parsed
        if isinstance(parsed, Unclear):
            return read
        if _alike(parsed.goal, read.goal):
            return max(read, parsed, key=_strictness)
        if weighed.share >= SETTLED:
            return read
        ways = " or ".join(" ".join(to_pddl(wish.goal).split()) for wish in (parsed, read))
        raise Unsure(f"I can read that in two ways: {ways}. Which is meant?")

    def _parsed(self, text: str, graph: HouseGraph) -> Wish | Unclear:
        try:
            return self.patterns.wish(text, graph)
        except Unclear as unclear:
            return unclear


def _is_wish(found: Wish | Unclear) -> bool:
    return not isinstance(found, Unclear)


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
