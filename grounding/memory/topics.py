"""What has been spoken of, remembered for the pronouns that follow."""

from __future__ import annotations

from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import (
    Become,
    Drain,
    Event,
    Fill,
    Give,
    Go,
    Gone,
    Have,
    Leave,
    MoveRobot,
    Place,
    Somewhere,
    Swap,
    Take,
    Tune,
)
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.linking import Context, Linker
from commonground.grounding.memory.names import Names

_DEEDS = frozenset(["fault", "doing", "work", "idea", "merit", "deed", "handiwork"])


class Topics:
    """Notes the things, places and people of clauses."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def note(
        self,
        clause: Clause,
        events: list[Event],
        frames: Frames,
        discourse: Discourse,
        linker: Linker,
    ) -> None:
        """Remember what a clause spoke of, for the pronouns that follow."""
        topic = discourse.now
        for mention in reversed(clause.mentions):
            for part in mention.parts or [mention]:
                self._note_mention(part, frames, discourse, linker)
        for event in events:
            for theme in themes_of(event):
                topic.note("themes", theme)
            if len(themes_of(event)) > 1:
                topic.group = list(themes_of(event))
            place = place_of(event)
            if place is not None:
                topic.note("places", place)

    def note_subject(self, clause: Clause, frames: Frames, discourse: Discourse) -> None:
        """Remember who acts before reading what he does: ``Ben took his mug``."""
        for subject in (clause.agent, clause.subject):
            if subject is not None and subject.kind in ("person", "pronoun", "several"):
                for part in subject.parts or [subject]:
                    who = frames.person_of(part)
                    if who is not None and self.names.is_person(who):
                        discourse.now.note("subjects", who)

    def note_agent(
        self,
        clause: Clause,
        found: list[Event],
        frames: Frames,
        discourse: Discourse,
        *,
        real: bool,
    ) -> None:
        """``Ben hit the switch and the lamp went on``: who is behind what follows."""
        subject, verb = clause.subject, clause.verb
        blamed = next(
            (m.owner for m in clause.objects if m.owner is not None and set(m.head) & _DEEDS), None
        )
        if verb is not None and verb.is_copula and blamed is not None and blamed.thing is not None:
            discourse.now.agent = blamed.thing
        plain_gerund = verb is not None and verb.form == "gerund" and not verb.progressive
        if (
            found
            or verb is None
            or (not real and not clause.complemented)
            or plain_gerund
            or verb.is_copula
        ):
            return
        if verb.lemma == "watch" and subject is not None and subject.kind == "person":
            discourse.now.agent = subject.thing
        passing = {"observe", "speech", "belief", "desire", "neutral", "certain", "hold"}
        if (
            subject is not None
            and subject.kind == "person"
            and not frames.classes(clause) & passing
            and not clause.negated
            and not verb.negated
        ):
            discourse.now.agent = subject.thing

    def _note_mention(
        self, mention: Mention, frames: Frames, discourse: Discourse, linker: Linker
    ) -> None:
        topic, owner = discourse.now, mention.owner
        if mention.kind in ("thing", "group"):
            for _, where in mention.where:
                self._note_mention(where, frames, discourse, linker)
        if mention.kind == "person" and mention.thing is not None:
            topic.note("people", mention.thing)
        elif mention.kind == "thing":
            found = linker.some(mention, lambda t: True, Context())
            if len(found) == 1:
                self._note_thing(found[0], discourse)
            if owner is not None and owner.kind == "person" and owner.thing is not None:
                topic.note("owners", owner.thing)
        elif mention.kind == "hand" and owner is not None:
            self._note_mention(owner, frames, discourse, linker)
        elif mention.kind == "pronoun":
            who = frames.person_of(mention)
            if who is not None and self.names.is_person(who):
                topic.note("people", who)

    def _note_thing(self, thing: str, discourse: Discourse) -> None:
        discourse.now.note("things", thing)
        place = self.names.is_place(thing) or self.names.is_room(thing)
        if place and not self.names.is_item(thing):
            discourse.now.note("places", thing)


def themes_of(event: Event) -> tuple[str, ...]:
    """Return the things an event is about."""
    if isinstance(event, Place | Take | Have | Give | Gone | Somewhere):
        return event.things
    if isinstance(event, Become):
        return (event.thing,)
    if isinstance(event, Tune):
        return (event.screen,)
    if isinstance(event, Fill | Drain):
        return (event.vessel,)
    if isinstance(event, Swap):
        return (event.first, event.second)
    return event.things if isinstance(event, Go) else ()


def place_of(event: Event) -> str | None:
    """Return the place or room an event is about."""
    if isinstance(event, Place):
        return event.place
    if isinstance(event, Go | MoveRobot | Somewhere | Leave):
        return event.room
    return None
