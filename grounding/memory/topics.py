"""What has been spoken of, remembered for the pronouns that follow."""

from __future__ import annotations

from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, place_of, themes_of
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.names import Names


class Topics:
    """Notes the things, places and people of clauses."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def note(self, clause: Clause, events: list[Event], frames: Frames) -> None:
        """Remember what a clause spoke of, for the pronouns that follow."""
        topic = frames.discourse.now
        for mention in reversed(clause.mentions):
            for part in mention.parts or [mention]:
                self._note_mention(part, frames)
        for event in events:
            for theme in themes_of(event):
                topic.note("themes", theme)
            if len(themes_of(event)) > 1:
                topic.group = list(themes_of(event))
            place = place_of(event)
            if place is not None:
                topic.note("places", place)

    def note_subject(self, clause: Clause, frames: Frames) -> None:
        """Remember who acts before reading what he does: ``Ben took his mug``."""
        for subject in (clause.agent, clause.subject):
            if subject is not None and subject.kind in ("person", "pronoun", "several"):
                for part in subject.parts or [subject]:
                    who = frames.person_of(part)
                    if who is not None and self.names.is_person(who):
                        frames.discourse.now.note("subjects", who)

    def _note_mention(self, mention: Mention, frames: Frames) -> None:
        if mention.kind in ("thing", "group"):
            for _, where in mention.where:
                self._note_mention(where, frames)
        if mention.kind == "thing":
            self._note_description(mention, frames)
        elif mention.kind == "hand" and mention.owner is not None:
            self._note_mention(mention.owner, frames)
        elif mention.kind in ("person", "pronoun"):
            who = mention.thing if mention.kind == "person" else frames.person_of(mention)
            if who is not None and (mention.kind == "person" or self.names.is_person(who)):
                frames.discourse.now.note("people", who)

    def _note_description(self, mention: Mention, frames: Frames) -> None:
        """Remember the one thing that a noun phrase means, and whose it is."""
        found = frames.linker.some(mention, lambda t: True)
        if len(found) == 1:
            self._note_thing(found[0], frames.discourse)
        owner = mention.owner
        if owner is not None and owner.kind == "person" and owner.thing is not None:
            frames.discourse.now.note("owners", owner.thing)

    def _note_thing(self, thing: str, discourse: Discourse) -> None:
        discourse.now.note("things", thing)
        place = self.names.is_place(thing) or self.names.is_room(thing)
        if place and not self.names.is_item(thing):
            discourse.now.note("places", thing)
