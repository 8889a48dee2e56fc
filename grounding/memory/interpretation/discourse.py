"""What a conversation is about: whom and what pronouns mean, and where things were before."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.interpretation.events import Event, agent_of, place_of, themes_of


@dataclass(slots=True)
class Topic:
    """What one report spoke of, the last first."""

    themes: list[str] = field(default_factory=list)
    """What was moved, changed or seen: what ``it`` most likely means."""
    people: list[str] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    group: list[str] = field(default_factory=list)
    """The things a group phrase last meant: ``it all``."""
    unread: list[str] = field(default_factory=list)
    """What a report named that was not understood: ``it`` may be any of these."""
    events: list[Event] = field(default_factory=list)

    def note(self, kind: str, thing: str) -> None:
        """Remember that something was mentioned just now."""
        known: list[str] = getattr(self, kind)
        if thing in known:
            known.remove(thing)
        known.insert(0, thing)


@dataclass(slots=True)
class Discourse:
    """The report being read, the one before, and the last move of everything."""

    now: Topic = field(default_factory=Topic)
    before: Topic = field(default_factory=Topic)
    previous: dict[str, Fact] = field(default_factory=dict)
    """Where each thing or person was before its last move."""

    def next_report(self) -> None:
        """Begin a new report: what was said just now is what was said before."""
        if any((self.now.themes, self.now.people, self.now.places)):
            self.before = self.now
        self.now = Topic()

    def forget(self) -> None:
        """Pronouns no longer reach back beyond this point."""
        self.now, self.before = Topic(), Topic()

    def recent(self, *kinds: str) -> Iterable[str]:
        """Yield what was mentioned, latest first, this report's before the last one's."""
        for topic in (self.now, self.before):
            for kind in kinds:
                yield from getattr(topic, kind)


def topic_of(spoken: Iterable[Event]) -> Topic:
    """Return what the next report may refer to after some events."""
    topic = Topic(events=[*spoken])
    for event in topic.events:
        for theme in themes_of(event):
            topic.note("themes", theme)
        place, agent = place_of(event), agent_of(event)
        if place is not None:
            topic.note("places", place)
        if agent is not None:
            topic.note("subjects", agent)
            topic.note("people", agent)
    return topic
