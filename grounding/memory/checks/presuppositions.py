"""What a report takes from belief instead of saying it: where swapped things were, what all was somewhere.

``they changed places`` and ``everything on the desk went into the chest`` tell nothing by themselves. If a
report that was not understood may have ended what they rest on, they are asked about.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.checks.coverage import collects
from commonground.grounding.memory.interpretation.events import Event, Place, Swap, themes_of
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.planning.assumptions import Doubts

_WHERE = ("place", "holding")


class Premises:
    """Tells what events rest on in what was believed before them."""

    def __init__(self, view: View, names: Names, doubts: Doubts) -> None:
        self.view, self.names, self.doubts = view, names, doubts

    def doubtful(self, events: Collection[Event], named: Collection[str], text: str) -> str:
        """Return the report that leaves in doubt what events rest on; empty where there is none.

        ``named`` are the things that the text names, or that were spoken of before. Who says the same
        again has answered.
        """
        for event in events:
            for thing in self._rests_on(event, named, text):
                why = self.doubts.unsettled(thing, text, self._is_where)
                if why:
                    return why
        return ""

    def elsewhere(
        self, events: Collection[Event], named: Collection[str], spoken: Collection[str], text: str
    ) -> str:
        """Return the report that leaves in doubt where ``there`` or ``back`` is, for events that say no more.

        That follows from where the things are, or were, that were ``spoken`` of before.
        """
        for event in events:
            if not isinstance(event, Place) or self._is_named(event.place, named):
                continue
            there = (t for t in spoken if any(f.object == event.place for f in self.view.about(t)))
            for thing in (*event.things, *there):
                why = self.doubts.unsettled(thing, text, self._is_where)
                if why:
                    return why
        return ""

    def _is_named(self, place: str, named: Collection[str]) -> bool:
        """Return whether a place is named, or what it is a level of."""
        levels = self.names.levels
        return place in named or any(place in levels.get(thing, ()) for thing in named)

    def _rests_on(self, event: Event, named: Collection[str], text: str) -> Iterator[str]:
        """Yield what was swapped, or the places of which an event moves all that is believed to be there."""
        things = themes_of(event)
        if isinstance(event, Swap):
            yield from things
        elif (len(things) > 1 or collects(text)) and {*things}.isdisjoint(named):
            facts = (fact for thing in things for fact in self.view.about(thing))
            yield from dict.fromkeys(f.object for f in facts if self._is_where(f))

    def _is_where(self, fact: Fact) -> bool:
        return self.names.meanings.relations[fact.relation].means in _WHERE
