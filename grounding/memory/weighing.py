"""The ways to read what is said to a memory, and what speaks for and against each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from commonground.grounding.english.weighing import (
    MOST,
    RULES,
    Evidence,
    Weighed,
    heard,
    weigh,
)
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.goals import Wanted
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.speech import Speech
from commonground.planning.pddl import And, Atom, Exists, Forall, Formula, Not, Or, to_pddl

if TYPE_CHECKING:
    from commonground.grounding.english.utterance import Utterance
    from commonground.grounding.memory.memory import Memory
    from commonground.grounding.memory.senses.listening import Heard


class Way(NamedTuple):
    """One way to read a report."""

    reading: Reading
    utterance: Utterance | None
    """None for the grammar's."""
    probability: float = 1.0
    left_out: tuple[str, ...] = ()
    wanted: Wanted | None = None
    """What it asks for, where it is a task."""


Sense: TypeAlias = Weighed[Way]


class Weigher:
    """Weighs what readers make of what is said to one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def wishes(self, heard: Iterable[Heard], speaker: str | None, parsed: Wanted) -> list[Way]:
        """Return what a task may ask for; the grammar's way is the last."""
        wished = [(h, self.memory.wished(h.utterance, speaker)) for h in heard]
        ways = [
            Way(self._aimed(wanted), h.utterance, h.probability, h.left_out, wanted)
            for h, wanted in wished
        ]
        rules = [Way(self._aimed(parsed), None, wanted=parsed)] if parsed.goal is not None else []
        return [*ways, *rules]

    def _aimed(self, wanted: Wanted) -> Reading:
        """Return what a goal is about, as a report of it would be."""
        if wanted.goal is None:
            return Reading("ask", question=wanted.question)
        return Reading("ok", tuple(facts_of(wanted.goal, self.memory.names)))

    def ways(self, heard: Iterable[Heard], speaker: str | None, parsed: Reading) -> list[Way]:
        """Return what a report may make so; the grammar's way is the last."""
        ways = [
            Way(self.memory.read(h.utterance, speaker), h.utterance, h.probability, h.left_out)
            for h in heard
        ]
        return [*ways, *([Way(parsed, None)] if parsed.status == "ok" else [])]

    def senses(self, text: str, ways: Sequence[Way], *, unreal: bool = False) -> list[Sense]:
        """Return what a text may mean, the likeliest first; less if the grammar takes it for unreal."""
        evidence = self.evidence(text, ways)
        return weigh(zip(ways, map(self._key, ways), evidence, strict=True), unreal=unreal)

    def evidence(self, text: str, ways: Sequence[Way]) -> list[Evidence]:
        """Return what speaks for and against each way to read a text."""
        speech = Speech(text, self.memory)
        listed = [way for way in ways if way.utterance is not None]
        rules = {self._key(way) for way in ways if way.utterance is None}
        chances = [way.probability for way in listed]
        found = [
            heard(chances, at, way.left_out, alike=self._key(way) in rules)
            for at, way in enumerate(listed)
        ]
        found += [RULES] * (len(ways) - len(listed))
        return [self._fit(way, speech, one) for way, one in zip(ways, found, strict=True)]

    def _key(self, way: Way) -> Hashable:
        """Return what a way comes to: the same for all that change or want the same."""
        if way.wanted is not None:
            return "ask" if way.wanted.goal is None else to_pddl(way.wanted.goal)
        reading = way.reading
        return self.memory.judge.change(reading) if reading.status == "ok" else reading.status

    def _fit(self, way: Way, speech: Speech, found: Evidence) -> Evidence:
        """Return evidence with that of how a reading fits the text and what is believed."""
        reading = way.reading
        if reading.status != "ok":
            asked = reading.status == "ask"
            return found._replace(unclear=asked, no_report=not asked)
        changed = (*reading.facts, *reading.retracted)
        things, people = speech.untouched(changed)
        found = found._replace(untouched=min(things, MOST), unmoved=min(people, MOST))
        if way.wanted is not None:
            return found
        _, added, removed = self.memory.judge.change(reading)
        return found._replace(
            unnamed=min(speech.unnamed(changed), MOST),
            nothing=not (added or removed),
            open=bool(reading.question),
        )


def facts_of(goal: Formula, names: Names) -> Iterator[Fact]:
    """Yield what a goal is about, as facts: each of its atoms, for all that its variables may stand for."""
    if isinstance(goal, Atom):
        yield Fact(
            goal.args[0] if goal.args else "", goal.predicate, goal.args[-1] if goal.args else ""
        )
    elif isinstance(goal, Not):
        yield from facts_of(goal.body, names)
    elif isinstance(goal, And | Or):
        for part in goal.parts:
            yield from facts_of(part, names)
    elif isinstance(goal, Forall | Exists):
        yield from facts_of(goal.body, names)
        for variable in goal.parameters:
            for thing in names.things:
                if names.meanings.is_a(names.kind(thing), variable.types):
                    yield Fact(thing, "", thing)
