"""Errands: what a wish means where it leaves out the place, the person or the things."""

from __future__ import annotations

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import (
    Deed,
    Event,
    Give,
    Go,
    Have,
)
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.names import Names


class Errands:
    """Reads wished clauses as events, with what every household takes for granted."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.lexicon = load_lexicon()

    def events(self, clause: Clause, frames: Frames) -> list[Event]:
        frames.begin(clause)
        for mention in clause.mentions:
            if mention.kind == "thing" and mention.plural and mention.owner is None:
                mention.every = True
        self._name_recipient(clause, frames)
        found = frames.events(clause)
        return [_for_robot(event) for event in found]

    def _name_recipient(self, clause: Clause, frames: Frames) -> None:
        """``fetch the camera for Theo``, ``please bring it``: to whom."""
        if not self._is_errand(clause, frames):
            return
        for at, (prep, mention) in enumerate(clause.places):
            if prep in ("for", "over to") and frames.can_act(mention):
                clause.places[at] = ("to", mention)
                return
        bringing = clause.does("bring fetch get hand give deliver pass return")
        alone = len(clause.objects) == 1 and not clause.places and "back" not in clause.particles
        if bringing and alone:
            latest = frames.discourse.latest(self.names.is_person, "subjects", "people")
            if latest is not None:
                clause.places.append(("to", Mention("person", latest, 0, 0, thing=latest)))

    @staticmethod
    def _is_errand(clause: Clause, frames: Frames) -> bool:
        """Return whether a robot is to hand or carry something."""
        if clause.verb is None or clause.subject is None or clause.subject.pronoun != "you":
            return False
        if not clause.objects or not frames.is_items(clause.objects[0]):
            return False
        return bool(frames.classes(clause) & {"give", "take", "transport", "receive"})


def _for_robot(event: Event) -> Event:
    """Return the event without who brings it about: that is the planner's business."""
    if isinstance(event, Give):
        return Have(event.things, event.taker)
    if isinstance(event, Go | Have):
        return event
    return event.by(None) if isinstance(event, Deed) else event
