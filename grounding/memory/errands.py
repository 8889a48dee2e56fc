"""Errands: what a wish means where it leaves out the place, the person or the things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import State, load_lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import (
    Become,
    Deed,
    Event,
    Give,
    Go,
    Have,
    Place,
)
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.meanings import Meanings
from commonground.grounding.memory.names import Names

_HOUSE = frozenset(["house", "home", "flat", "apartment", "place", "everywhere", "building"])
_BRINGING = frozenset(["bring", "fetch", "get", "hand", "give", "deliver", "pass", "return"])


class Errands:
    """Reads wished clauses as events, with what every household takes for granted."""

    def __init__(self, meanings: Meanings, names: Names) -> None:
        self.meanings = meanings
        self.names = names
        self.lexicon = load_lexicon()

    def events(self, clause: Clause, frames: Frames) -> list[Event]:
        frames.begin(clause)
        for event in (self._house(clause, frames), self._thrown_away(clause, frames)):
            if event is not None:
                return event
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
        bringing = clause.verb is not None and clause.verb.lemma in _BRINGING
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

    def _house(self, clause: Clause, frames: Frames) -> list[Event] | None:
        """``the whole house dark``, ``no water running anywhere``: every lamp, every tap."""
        words = {w for m in clause.mentions for w in m.head} | {*clause.unknown, *clause.text}
        if not words & (_HOUSE | {"anywhere"}):
            return None
        water = next(
            (m for m in clause.mentions if m.kind == "value" and m.words.split()[-1] == "water"),
            None,
        )
        if water is not None and clause.verb is not None:
            return self._all_water(clause, water, frames)
        return self._all_lamps(clause, frames)

    def _all_lamps(self, clause: Clause, frames: Frames) -> list[Event] | None:
        """``the whole house dark``: every lamp, where none is named."""
        power = next((s for s in self._states(clause) if s.concept == "power"), None)
        if power is None or any(frames.linker.may_be(m, self._is_lamp) for m in clause.mentions):
            return None
        lamps = [t for t in self.names.things if self._is_lamp(t)]
        kind = self.names.kind(lamps[0]) if lamps else None
        relation = self.meanings.state_relation("power", kind) if kind is not None else None
        if relation is None:
            return None
        return [Become(t, relation, power.positive) for t in lamps]

    def _states(self, clause: Clause) -> Iterator[State]:
        """Yield the states that the adjectives and particles of a clause stand for."""
        for _, states in clause.words:
            yield from states
        for particle in clause.particles:
            yield from self.lexicon.states.get(particle, ())

    def _all_water(self, clause: Clause, water: Mention, frames: Frames) -> list[Event] | None:
        """``no water running anywhere``: every tap."""
        flows = [s for s, _ in frames.cues(clause, frames.roles_of(clause)) if s.concept == "flow"]
        if not flows:
            return None
        positive = flows[0].positive and not (frames.is_negated(clause) or water.determiner == "no")
        found: list[Event] = []
        for thing in sorted(self.names.things):
            relation = self.meanings.state_relation("flow", self.names.kind(thing))
            if relation is not None:
                found.append(Become(thing, relation, positive))
        return found

    def _is_lamp(self, thing: str) -> bool:
        """Return whether a thing is a light: it has power and shows no channel."""
        kind = self.names.kind(thing)
        screens = any(self.meanings.takes(r, 0, [kind]) for r in self.meanings.having("channel"))
        return self.meanings.state_relation("power", kind) is not None and not screens

    def _thrown_away(self, clause: Clause, frames: Frames) -> list[Event] | None:
        """``throw it away``: into the bin, where no other place is named."""
        verb = clause.verb
        if verb is None:
            return None
        roles = frames.roles_of(clause)
        if (
            any(frames.is_spot(m) for _, m in roles.goals)
            or roles.theme is None
            or not frames.is_items(roles.theme)
        ):
            return None
        phrases = {
            " ".join((verb.lemma, *rest))
            for rest in (verb.rest, *((p,) for p in clause.particles), ())
        }
        for purpose in self.meanings.file.purposes.values():
            if phrases & set(purpose.verbs):
                places = [
                    t
                    for t, r in self.names.nouns.get(tuple(purpose.nouns[0].split()), {}).items()
                    if r <= 2
                ]
                things = frames.items(roles.theme, clause, roles)
                place = self._nearest(places, things, frames)
                return [Place(things, place)] if place is not None else None
        return None

    def _nearest(self, places: Sequence[str], things: Sequence[str], frames: Frames) -> str | None:
        """Return the place in the thing's room, else the first."""
        room = self.names.room_of(things[0], frames.effects.draft) if things else None
        same = [p for p in sorted(places) if self.names.names[p].room == room]
        return next(iter([*same, *sorted(places)]), None)


def _for_robot(event: Event) -> Event:
    """Return the event without who brings it about: that is the planner's business."""
    if isinstance(event, Give):
        return Have(event.things, event.taker)
    if isinstance(event, Go | Have):
        return event
    return event.by(None) if isinstance(event, Deed) else event
