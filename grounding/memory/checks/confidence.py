"""How sure a report's reading is: how much of what its text may say changes the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.reading import Reading, Status
from commonground.grounding.memory.interpretation.unclear import NOTHING
from commonground.grounding.memory.retrieval.query import named_in

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

Change: TypeAlias = tuple[Status, frozenset[Fact], frozenset[Fact]]
"""Whether a reading is a report, what it adds to what is believed and what it takes away."""


class Judge:
    """Judges what any reader made of a report by what the trained reader makes of the same text."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory

    def how_sure(self, text: str, speaker: str | None, reading: Reading) -> float | None:
        """Return how probable it is that a report says what was made of it; None where nobody can say."""
        try:
            heard = self.memory.weigh(text, self.memory.hints, "tell")
        except GroundingError:  # no network is installed
            return None
        wanted = self.change(reading)
        same = (
            way.probability
            for way in heard
            if self.change(self.memory.read(way.utterance, speaker)) == wanted
        )
        return min(1.0, sum(same))

    def doubt(self, text: str, speaker: str | None, reading: Reading) -> str:
        """Return why an offline reading is better left to a model; empty where there is no reason."""
        if reading.unreal:
            return ""
        if reading.status == "ask":
            return "the words were not understood offline"
        if reading.status == "none" and not reading.question and self._names_something(text):
            return NOTHING
        if reading.status != "ok":
            return ""
        sure, least = self.how_sure(text, speaker, reading), self.memory.settings.ask_below
        if sure is None or sure >= least:
            return ""
        return f"the offline reading is doubtful (confidence {sure:.2f}), below {least:g}"

    def change(self, reading: Reading) -> Change:
        """Return what a reading changes of what is believed, said or as a consequence."""
        believed, rivals = self.memory.store.facts, self.memory.store.groups.rivals
        added = frozenset(fact for fact in reading.facts if fact not in believed)
        ousted = {rival for fact in added for rival in rivals(believed, fact)}
        removed = frozenset(f for f in {*reading.retracted, *ousted} if f in believed)
        return reading.status, added, removed

    def _names_something(self, text: str) -> bool:
        return bool(named_in(text, self.memory.retriever.calling))
