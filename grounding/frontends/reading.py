"""The front end that reads: a trained reader of English, then the table of orders. No network needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.english.agreement import agreed
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.reader import MAX_CHARACTERS, Domain, Reading
from commonground.grounding.english.remarks import remarks
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Span, Utterance
from commonground.grounding.english.witness import Witness
from commonground.grounding.fidelity.counts import counts_of
from commonground.grounding.frontends.otherwise import otherwise, told_only
from commonground.grounding.frontends.placing import placed
from commonground.grounding.frontends.plain_text import one_line, readable
from commonground.grounding.linking import ALIKE
from commonground.grounding.orders.grounding import Orders
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.words.numbers import count_of
from commonground.grounding.world import World
from commonground.planning.pddl import And, Formula, Or, parse_formula

DOUBTS = 3
"""So many of the likeliest readings are read otherwise if they do not fit the text."""
UNANIMOUS, LIKELY = 0.98, 0.1
"""So much of what the network lists must come to the same, and be so likely, to be acted on though it lists
little: what it does not list then hardly differs."""
OTHERWISE = 0.5
"""How likely that is, beside the reading itself."""


class TextReader(Protocol):
    """Reads English."""

    def read(self, text: str, domain: Domain, names: Names) -> Reading:
        """Return what a text says about a world with these names."""
        ...


class ReadBackend:
    """Reads what is said, and grounds it on one map for one team."""

    def __init__(self, world: World, settings: GroundingSettings, reader: TextReader) -> None:
        self.reader, self.world = reader, world
        self.orders = Orders(world, settings)
        self.names = world.spoken_names
        self.robots = Names({"robot": list(world.team.robots)})
        self.witness = Witness()

    def ground(self, text: str, beside: Grounding | None = None) -> Grounding:
        """Return goals, or a question: what was not read for sure is never acted on.

        ``beside`` are the goals that another reader finds.
        """
        if len(text) > MAX_CHARACTERS:
            return _not_understood(
                f"That is too long ({len(text)} characters). Please say it in parts."
            )
        text = readable(text, MAX_CHARACTERS)
        reading = self.reader.read(text, "scene", self.names)
        if reading.utterance is None:
            problem = reading.problem or "I do not understand that."
            return _not_understood(f"{problem} What should the robots do?")
        found = agreed(
            self._listed(reading, text),
            lambda r: self.answer(r, text),
            _meaning,
            lambda a: bool(a.goals),
            lambda a: not a.understood,
            beside,
        )
        unanimous = found.among >= UNANIMOUS and found.share >= LIKELY
        if found.sure or unanimous or not found.answer.goals:
            return replace(found.answer, confidence=found.share)
        if beside is not None:
            return _two_ways(found.answer, beside)
        understood = one_line(said_back(found.reading.utterance or Utterance(())))
        return _not_understood(
            f"Is this meant: {understood}? I am not sure. Please say it in other words."
        )

    def _listed(self, reading: Reading, text: str) -> Reading:
        """Return all ways to read a text, the likeliest first; what is doubted is read otherwise, too."""
        read = [self._fitted(r, text) for r in (reading, *reading.others)]
        likeliest = self._judged(read, text)[:DOUBTS]
        doubted = [r for r in likeliest if not self.answer(r, text).understood]
        more = (
            replace(r, utterance=other, confidence=OTHERWISE * r.confidence)
            for r in doubted
            for other in otherwise(r.utterance or Utterance(()))
        )
        best, *others = self._judged((*read, *more), text)
        return replace(best, others=tuple(others))

    def _fitted(self, reading: Reading, text: str) -> Reading:
        """Return a reading with its things where the text has them, and no bans that it has no words for."""
        said = reading.utterance or Utterance(())
        utterance = placed(told_only(said, text), text, self.names)
        if utterance == said:
            return reading
        spans = [*parts_of(utterance, Span)]
        unsure = (
            one
            for one in reading.unsure
            if not any(one.start < s.end and s.start < one.end for s in spans)
        )
        return replace(reading, utterance=utterance, unsure=tuple(unsure))

    def _judged(self, read: Sequence[Reading], text: str) -> list[Reading]:
        """Return readings by how probable the words around each thing make them, too; the likeliest first."""
        judged = self.witness.judge(text, [r.utterance or Utterance(()) for r in read])
        shares = [r.confidence * found.share for r, found in zip(read, judged, strict=True)]
        whole = sum(r.confidence for r in read) / (sum(shares) or 1.0)
        weighed = (
            replace(r, confidence=whole * share, unsure=(*r.unsure, *found.unspoken))
            for r, share, found in zip(read, shares, judged, strict=True)
        )
        return sorted(weighed, key=lambda r: -r.confidence)

    def _is_thing(self, word: str) -> bool:
        """Return whether the map has things that a word may name."""
        found = (
            self.world.linker.pool(word, layer)
            for layer in (self.world.objects, self.world.regions)
        )
        return any(pool is not None and pool.grade <= ALIKE for pool in found)

    def answer(self, reading: Reading, text: str, names: Names | None = None) -> Grounding:
        """Return the answer to what a reading says, however sure it is; no name may be left out of it."""
        utterance = reading.utterance or Utterance(())
        found = self.orders.ground(utterance, text)
        counted = counts_of(map(parse_formula, (found.goals or {}).values())) - {1}
        left_out = unheard(text, utterance, reading.chatter, names or self.names, self._is_thing)
        told = remarks(text)
        unsure = (one for one in reading.unsure if not (one.text.isalpha() and told(one)))
        unclear = [
            span
            for span in _once((*unsure, *left_out))
            if count_of(span.text.casefold()) not in counted
        ]
        if not unclear:
            return found
        words = " and ".join(f"'{one_line(span.text, 80)}'" for span in unclear[:3])
        understood = one_line(said_back(utterance))
        return _not_understood(f"What is {words} in that? I understood: {understood}.")


def _meaning(found: Grounding) -> str:
    """Return what tells answers apart: goals, in whatever order they are written, or the question."""
    if not found.goals:
        return found.message
    return str(
        {robot: _ordered(parse_formula(goal)) for robot, goal in sorted(found.goals.items())}
    )


def _ordered(goal: Formula) -> str:
    """Return a goal in words, the parts of it in the order of the alphabet."""
    if not isinstance(goal, And | Or):
        return str(goal)
    parts = sorted({_ordered(part) for part in goal.parts})
    return f"({type(goal).__name__} {' '.join(parts)})"


def _two_ways(one: Grounding, other: Grounding) -> Grounding:
    """Return the question which of two ways to read a text was meant, or whether the only one was."""
    ways = " or ".join(dict.fromkeys(_in_words(found) for found in (one, other)))
    return _not_understood(
        f"I am not sure that I read that rightly: {ways}. Please say it in other words."
    )


def _in_words(found: Grounding) -> str:
    return ", ".join(
        f"{robot} {one_line(goal, 120)}" for robot, goal in (found.goals or {}).items()
    )


def _once(spans: tuple[Span, ...]) -> list[Span]:
    """Return spans in the order of the text, without those that lie in others."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return found


def _not_understood(question: str) -> Grounding:
    return clarification(Unclear(question), understood=False)
