"""What a model makes of a text, held against what its words say: the contrary, a wish or a guess is none."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.memory.checks.goal_checks import facts_of, opposed
from commonground.grounding.memory.checks.polarity import Polarity
from commonground.grounding.memory.checks.untouched import Confirmation
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import CERTAIN
from commonground.planning.pddl import Formula, symbols, to_pddl

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


class HeldReport:
    """A report, as it is read without a model."""

    def __init__(self, memory: Memory, text: str, speaker: str | None, now: int) -> None:
        self.memory, self.said = memory, (text, speaker, now)
        self.refused: Reading | None = None
        """What the model last made of it and the words do not say, as the question whether it is so."""

    @cached_property
    def offline(self) -> Reading:
        """What is read without a model."""
        return self.memory.both.offline(*self.said)

    def problem(self, added: Sequence[Fact], removed: Sequence[Fact]) -> str:
        """Return why the words do not say what a model makes of them; empty where they may."""
        new = [fact for fact in added if fact not in self.memory.store.facts]
        why = self._unsure() if new or removed else ""
        why = why or self._contrary(added, removed)
        told = "; ".join([*map(str, added), *(f"no longer {fact}" for fact in removed)])
        question = f"is this so: {told}? {why}"
        offers = ((tuple(added), tuple(removed)),)
        self.refused = Reading("ask", question=question, offers=offers) if why else None
        return why

    def _unsure(self) -> str:
        if self.offline.question == CERTAIN:
            return "the report is not certain of it"
        try:
            self.memory.believing.check_at_once(self.offline, self.said[0])
        except GroundingError as clash:
            return str(clash)
        unreal = "the report asks, wishes, supposes or only nearly tells it"
        return unreal if self.offline.unreal else ""

    def _contrary(self, added: Sequence[Fact], removed: Sequence[Fact]) -> str:
        denied = Polarity(self.said[0], self.memory, wish=False).denied(added)
        if denied:
            return f"the report says the contrary of {denied[0]}"
        offline = self.offline
        if offline.status != "ok":
            return ""
        told, groups = FactIndex(offline.facts), self.memory.store.groups
        for fact in added:
            other = fact.opposite if fact.is_property else None
            rivals = [f for f in groups.rivals(told, fact) if f.subject == fact.subject]
            against = [other] if other in offline.facts else rivals
            if against or fact in offline.retracted:
                said = against[0] if against else f"no longer {fact}"
                return f"{fact} is not what the report says, which may be {said}"
        gone = next((fact for fact in removed if fact in offline.facts), None)
        return "" if gone is None else f"the report says that {gone} is so, which is removed"

    @property
    def unread(self) -> str:
        """What to ask where a model finds nothing in a report; empty where there may be nothing."""
        offline = self.offline
        if offline.unreal or offline.question == CERTAIN or offline.status == "none":
            return ""
        _, added, ended = self.memory.judge.change(offline)
        if offline.status == "ok" and not (added or ended):
            return ""
        return (
            offline.question or "the language model finds nothing new in that: how is it to be put?"
        )


class HeldTask:
    """A task, as it is read without a model."""

    def __init__(self, memory: Memory, text: str, speaker: str | None) -> None:
        self.memory, self.text, self.speaker = memory, text, speaker
        self.refused = ""
        """What the model last wanted and the words do not ask for, as a question."""
        retriever, talk = memory.retriever, memory.discourse
        spoken = {*retriever.spoken_of(text, talk, speaker), *memory.names.robots}
        back = {f.object for thing in spoken if (f := talk.previous.get(thing)) is not None}
        self.spoken = spoken | back
        self.confirmation = Confirmation(text, retriever, "wanted of", "the request asks for")

    @cached_property
    def offline(self) -> Wanted:
        """What is wanted as it is read without a model."""
        return self.memory.both.wanted(self.text, self.speaker)

    def problem(self, goal: Formula) -> str:
        """Return why the words do not ask for a goal; empty where they may."""
        why = self._problem(goal)
        self.refused = f"is {to_pddl(goal)} wanted? {why}; say it in other words" if why else ""
        return why

    def _problem(self, goal: Formula) -> str:
        names = self.memory.names
        strange = sorted((symbols(goal) & names.things.keys()) - self.spoken)
        if strange:
            return f"the request does not speak of {strange[0]}"
        facts = [*facts_of(goal, names)]
        if self.spoken.isdisjoint(end for fact in facts for end in fact):
            return "the request speaks of nothing of the kind"
        denied = Polarity(self.text, self.memory, wish=True).denied_in(goal)
        if denied:
            return f"the request asks for the contrary of {denied[0]}"
        read = self.offline.goal
        return "" if read is None or not opposed(read, goal) else f"it may ask for {to_pddl(read)}"

    def check_whole(self, goal: Formula) -> None:
        """Raise GroundingError once for a goal that leaves out what the request names."""
        ends = facts_of(goal, self.memory.names)
        self.confirmation.check(f for f in ends if f.object not in BOOLEANS)
