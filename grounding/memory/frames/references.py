"""Frames that refer to other events: the same again, taken back, done by somebody, exchanged."""

from __future__ import annotations

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import (
    Become,
    Deed,
    Drain,
    Event,
    Fill,
    Give,
    Have,
    MoveRobot,
    Place,
    Swap,
    Take,
)
from commonground.grounding.memory.frames.places import PlaceFinder
from commonground.grounding.memory.frames.situation import Roles


class ReferenceFrames(PlaceFinder):
    """What is said of what was said before."""

    def _same(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``did the same with the mug``, ``the same goes for the mug``: the last event again."""
        if (
            "same" not in clause.text
            and "likewise" not in clause.text
            and "ditto" not in clause.text
        ):
            return None
        last = self._main_event()
        theme = next(
            (
                m
                for m in (*(m for _, m in clause.places), *clause.objects, clause.subject)
                if m is not None and m.kind == "thing" and self.is_items(m)
            ),
            None,
        )
        if last is None or theme is None:
            return None
        things = self.items(theme, clause)
        actor = self.person_of(clause.subject) if clause.subject is not theme else None
        if isinstance(last, Place):
            return [Place(things, last.place, actor=actor)]
        return None

    def _main_event(self) -> Event | None:
        """Return the latest event that is about a thing."""
        for topic in (self.discourse.now, self.discourse.before):
            for event in reversed(topic.events):
                if isinstance(event, Place | Take | Have | Give | Become | Fill | Drain):
                    return event
        return None

    def _taken_back(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``Maya undid that``: the thing last moved is where it was before."""
        if not clause.does("undo reverse revert reset") or self.is_negated(clause):
            return None
        last = self._main_event()
        if not isinstance(last, Place | Take | Have | Give):
            return None
        where = self.discourse.previous.get(last.things[0])
        return None if where is None else self._at_old(last.things, where, self._actor(roles.actor))

    def _left_behind(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``but left the pen behind``: one of the things just moved was not."""
        verb, theme = clause.verb, roles.theme
        if verb is None or theme is None or not self.is_items(theme):
            return None
        told = bool(self.discourse.now.group or self.discourse.now.events)
        stays = verb.lemma in ("leave", "keep", "let", "spare", "skip", "forget") and (
            {"behind", "there", "out", "alone", "untouched", "back", "only"}
            & {*clause.particles, *clause.unknown, *verb.rest}
            or (verb.passive and not roles.goals)
        )
        if not stays or verb.lemma == "let":
            return None
        kept = self.items(theme, clause, roles)
        if not told:
            return []
        things = [t for t in kept if t in self.effects.moved]
        return [e for t in things for e in self._at_old((t,), self.effects.moved[t], None)]

    def _attributed(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``Ben did that``, ``I took care of it``: who brought about what was just said."""
        verb = clause.verb
        if verb is None or self.is_negated(clause) or not self.discourse.now.events:
            return None
        last = self.discourse.now.events[-1]
        pointed = [
            m
            for m in clause.mentions
            if m.kind == "pronoun" and m.pronoun in ("it", "this", "they")
        ]
        doing = clause.does("do handle arrange manage organize accomplish") or (
            clause.does("take see")
            and {"care", "to"}
            & {
                *verb.rest,
                *(p for p, _ in clause.places),
                *clause.unknown,
                *(w for o in clause.objects for w in o.head),
            }
        )
        goals = [m for _, m in (*roles.goals, *roles.sources) if m.kind != "place word"]
        classes = self.classes(clause)
        there = any(m.kind == "place word" for m in clause.mentions)
        moved = (
            bool(classes & {"place", "transport"} and (there or "take" not in classes))
            and roles.theme in pointed
            and not goals
            and "back" not in clause.particles
        )
        if not (doing or moved) or not (pointed or "so" in clause.text or "work" in clause.text):
            return None
        who = self._actor(clause.agent if verb.passive else roles.actor)
        if who is None:
            return None
        if moved and not (isinstance(last, Place | MoveRobot) and last.actor is None):
            return None
        return [last.by(who)] if isinstance(last, Deed) else None

    def _left_hands(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``The mug left Ben's hands``: where it went is said next."""
        subject = clause.subject
        if not clause.does("leave slip exit escape") or subject is None or self.can_act(subject):
            return None
        who = self._from_hands(clause, roles)
        if who is None or not self.is_items(subject):
            return None
        self.discourse.now.released |= dict.fromkeys(self.items(subject, clause), who)
        return []

    def _swap(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Two things have each other's places."""
        changed = clause.does("change") and {"places", "positions", "spots", "locations"} & {
            *clause.unknown,
            *(w for m in clause.objects for w in m.head),
        }
        if not self.swapped and "swap" not in self.classes(clause) and not changed:
            return None
        mentions: list[Mention] = []
        for mention in clause.mentions:
            for part in mention.parts or [mention]:
                mentions += [part, *(w for _, w in part.where if part.kind == "unknown")]
        mentions += [m for inner in clause.where for m in inner.mentions]
        items = [
            m
            for m in mentions
            if m.kind in ("thing", "pronoun") and self.is_items(m) and not self.is_spot(m)
        ]
        if len(items) != 2:
            return None
        first, second = (self.item(m, clause) for m in items)
        actor = roles.actor if roles.actor not in items else None
        return [Swap(first, second, actor=self._actor(actor))]
