"""Commands in plain English as wishes: the learned reader, then the table of meanings."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, Protocol

from commonground.grounding.english.agreement import Agreed, agreed
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.reader import THOROUGH, USUAL, Domain, Effort, Reading
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Mood, Utterance
from commonground.grounding.english.weighing import (
    MOST,
    RULES,
    WORTH,
    Evidence,
    Weighed,
    is_senseless,
    weigh,
)
from commonground.grounding.english.weighing import heard as evidence_of
from commonground.grounding.problem_writer.commands.reader import UnknownWord
from commonground.grounding.problem_writer.goals import Wish, WishSource
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.contrast import contrasted
from commonground.grounding.problem_writer.wishes.omissions import (
    named_with,
    passed_over,
    unmanned,
    unwanted,
)
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And, Atom, Formula, Not, to_pddl
from commonground.planning.pddl.strata import literals

SURE = 0.6
"""What is less probable than this is asked about; reports, which nobody is shown first, must be surer."""


class Way(NamedTuple):
    """One way to read a command: what it asks for or what to ask, and what it passes over."""

    found: Wish | Unclear
    left_out: tuple[str, ...] = ()
    probability: float = 1.0


class TextReader(Protocol):
    """Reads English."""

    def read(
        self,
        text: str,
        domain: Domain,
        names: Names,
        mood: Mood | None = None,
        effort: Effort = USUAL,
    ) -> Reading:
        """Return what a text says."""
        ...


class Unsure(Unclear):
    """The reader is not sure what was said."""


class WishReader:
    """Turns commands into wishes; what was not read for sure is never acted on."""

    def __init__(self, reader: TextReader, table: WishTable) -> None:
        self.reader = reader
        self.table = table

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

    def ways(self, text: str, graph: HouseGraph) -> list[Way]:
        """Return all that a command may ask for, or what to ask, with what is passed over."""
        names = self.table.names(graph)
        first = self.reader.read(text, "household", names, None, THOROUGH)
        return [
            Way(*self._heard(reading, text, graph, names), reading.confidence)
            for reading in (first, *first.others)
            if reading.utterance is not None
        ]

    def _wish(self, reading: Reading, text: str, graph: HouseGraph, names: Names) -> Wish | Unclear:
        """Return what a reading asks for, however sure it is, or a question."""
        try:
            _whole(reading)
        except Unclear as unclear:
            return unclear
        found, left = self._heard(reading, text, graph, names)
        if isinstance(found, Unclear) or not left:
            return found
        return _about(left, reading)

    def _heard(
        self, reading: Reading, text: str, graph: HouseGraph, names: Names
    ) -> tuple[Wish | Unclear, tuple[str, ...]]:
        """Return what a reading asks for or a question, and the words that it passes over."""
        utterance = reading.utterance or Utterance(())
        robots = Names({"robot": graph.robots()})
        spans = (*reading.unsure, *unheard(text, utterance, reading.chatter, robots))
        passed = unmanned(text, utterance, robots)
        left = tuple(dict.fromkeys([*(span.text for span in spans), *passed]))
        try:
            wish = self.table.wish(utterance, text, graph)
        except Unclear as unclear:
            return (_about(left, reading) if left else unclear), left
        return wish, left or tuple(passed_over(text, reading, names, wish, self.table.home(graph)))


class WishReaders:
    """Reads with two readers: all ways to read a command are weighed, and the likeliest is taken."""

    def __init__(self, patterns: WishSource, learned: WishReader) -> None:
        self.patterns, self.learned = patterns, learned

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises the likelier question, or which one is meant."""
        said = contrasted(text)
        wish, table = self._likeliest(said.text, graph), self.learned.table
        for words in said.excluded:
            if named_with(words, table.names(graph), wish, table.home(graph)):
                raise Unsure(f"What is meant by 'not {words}'?")
        return wish

    def _likeliest(self, text: str, graph: HouseGraph) -> Wish:
        """Return the likeliest of all that a command may ask for, if that is likely enough."""
        parsed, heard = self._parsed(text, graph), self.learned.ways(text, graph)
        if isinstance(parsed, Unclear) and self._is_asked(parsed, heard, text, graph):
            raise _question(parsed, heard)
        senses = weigh(self._weighed(parsed, heard, text, graph))
        likely = [s for s in senses if s.share >= WORTH and isinstance(s.ways[0].found, Wish)]
        if not likely:
            raise _question(parsed, [s.ways[0] for s in senses if s.share >= WORTH])
        if likely[0] is not senses[0] or likely[0].share < SURE:
            raise _which(likely)
        return max((w.found for w in likely[0].ways if isinstance(w.found, Wish)), key=_strictness)

    def _is_asked(
        self, parsed: Unclear, heard: Sequence[Way], text: str, graph: HouseGraph
    ) -> bool:
        """Return whether to ask, whatever else a command may mean: what is surely heard makes no sense.

        Who does what is asked as well where the patterns know the words and a robot is named.
        """
        robots = Names({"robot": graph.robots()}).hints([token.text for token in tokens_of(text)])
        if robots and not isinstance(parsed, UnknownWord):
            return True
        return is_senseless(
            (way.probability, isinstance(way.found, Unclear) and not way.left_out) for way in heard
        )

    def _weighed(
        self, parsed: Wish | Unclear, heard: Sequence[Way], text: str, graph: HouseGraph
    ) -> Iterator[tuple[Way, Hashable, Evidence]]:
        """Yield all ways to read a command with what each comes to and what speaks for it."""
        rules = _sense(parsed) if isinstance(parsed, Wish) else None
        chances = [way.probability for way in heard]
        for at, way in enumerate(heard):
            sense = _sense(way.found)
            alike = isinstance(way.found, Wish) and sense == rules
            found = evidence_of(chances, at, way.left_out, alike=alike)
            yield way, sense, found._replace(unclear=isinstance(way.found, Unclear))
        if isinstance(parsed, Wish):
            table = self.learned.table
            left = tuple(unwanted(text, table.names(graph), parsed, table.home(graph)))
            yield Way(parsed, left), rules, RULES._replace(untouched=min(len(left), MOST))

    def _parsed(self, text: str, graph: HouseGraph) -> Wish | Unclear:
        try:
            return self.patterns.wish(text, graph)
        except Unclear as unclear:
            return unclear


def _is_wish(found: Wish | Unclear) -> bool:
    return not isinstance(found, Unclear)


def _sense(found: Wish | Unclear) -> Hashable:
    """Return what a wish comes to, the same for goals in any order; one for all questions."""
    if isinstance(found, Unclear):
        return None
    return frozenset(literals(found.goal)) if _is_plain(found.goal) else to_pddl(found.goal)


def _question(parsed: Wish | Unclear, asked: Sequence[Way]) -> Unclear:
    """Return what to ask where nothing that a command may ask for is likely."""
    heard = [way.found for way in asked if isinstance(way.found, Unclear)]
    if isinstance(parsed, Unclear) and not (isinstance(parsed, UnknownWord) and heard):
        return parsed
    return heard[0] if heard else Unsure("What should be done?")


def _which(likely: Sequence[Weighed[Way]]) -> Unsure:
    """Return the question which of two goals is meant, or whether the only one is."""
    found = [(sense.ways[0].found, sense.ways[0].left_out) for sense in likely]
    goals = [" ".join(to_pddl(w.goal).split()) for w, _ in found if isinstance(w, Wish)]
    if len(goals) > 1:
        return Unsure(f"I can read that in two ways: {' or '.join(goals[:2])}. Which is meant?")
    left = found[0][1]
    about = f"What about '{left[0]}'? " if left else ""
    return Unsure(f"{about}Is this what should be done: {goals[0]}?")


def _about(left: Sequence[str], reading: Reading) -> Unsure:
    words, understood = "', '".join(left), said_back(reading.utterance or Utterance(()))
    return Unsure(f"What about '{words}'? I understand: {understood}.")


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
