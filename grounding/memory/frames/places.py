"""Where a clause leads to or from: places named, places of other things, places from before."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, Have, Place
from commonground.grounding.memory.frames.participants import GOALS, SOURCES
from commonground.grounding.memory.frames.situation import Roles, Situation
from commonground.grounding.memory.house import Setting
from commonground.grounding.memory.unclear import Unclear

_PLACED = frozenset(["thing", "place word", "person", "pronoun", "hand"])
"""Kinds of phrases that can name where something is."""


class PlaceFinder(Situation):
    """Finds the places of a clause, and who let go of what is put there."""

    def _goal(
        self, clause: Clause, roles: Roles, context: Setting, theme: Mention
    ) -> str | Fact | None:
        """Return the place a clause leads to, or the old one that ``back`` and ``where it was`` mean."""
        for inner in clause.where:
            return self._old_place(inner, clause, roles, theme)
        spots = [m for _, m in roles.goals if self.is_spot(m) and m is not theme]
        if spots:
            return self._place(spots[-1], context)
        company = self._beside(clause, theme)
        if company is not None:
            return company
        back = "back" in (*clause.particles, *(clause.verb.rest if clause.verb is not None else ()))
        back = back or clause.does("return replace restore")
        old = any(self._is_old_place(m) for _, m in roles.goals if m.kind == "unknown")
        if (back or old) and not any(self._is_room(m) for _, m in roles.goals):
            things = self.items(theme, clause, roles)
            return self._before(things[0]) if things else None
        return None

    def _beside(self, clause: Clause, theme: Mention) -> Fact | None:
        """``next to the mug``, ``joined the mug``: the place of another thing."""
        near = [
            m
            for p, m in clause.places
            if p in ("beside", "near", "with", "by", "alongside", "behind", "against")
        ]
        if self.joins(clause):
            near += clause.objects
        for mention in near:
            if (
                mention is theme
                or mention.kind not in ("thing", "pronoun")
                or self.can_act(mention)
            ):
                continue
            if self.linker.may_be(mention, self.names.is_item):
                other = self.item(mention, clause)
                return self.names.location(other, self.effects.draft)
        return None

    @staticmethod
    def joins(clause: Clause) -> bool:
        """``joined the plate``, ``keeps the plate company``: comes to be where it is."""
        keeps = clause.does("keep") and "company" in clause.unknown
        return keeps or clause.does("join accompany follow")

    def _old_place(self, inner: Clause, clause: Clause, roles: Roles, theme: Mention) -> Fact:
        """Return where something was: what ``where the mug was`` stands for."""
        subject = inner.subject
        if subject is not None and subject.kind == "thing" and self.is_items(subject):
            other = self.item(subject, inner)
            before = self.effects.moved.get(other)
            here = before or self.names.location(other, self.effects.draft)
            if here is not None:
                return here
        return self._before(self.item(theme, clause, roles))

    def _before(self, thing: str) -> Fact:
        """Return where a thing was before its last move."""
        before = self.discourse.previous.get(thing)
        if before is None:
            raise Unclear(f"where was '{self.names.things[thing].name}' before?", "unclear")
        return before

    def _at_old(self, things: tuple[str, ...], where: Fact, actor: str | None) -> list[Event]:
        if self.house.is_someone(where.object):
            return [Have(things, where.object)]
        return [Place(things, where.object, actor=actor)]

    def _source(self, roles: Roles, context: Setting) -> str | None:
        for _, mention in roles.sources:
            if mention.kind in ("thing", "place word") and self.linker.may_be(
                mention, self.house.is_fixed
            ):
                return self.linker.one(mention, self.house.is_fixed, context)
        return None

    def _room_meant(self, clause: Clause, roles: Roles) -> str | None:
        """Return the room a clause leads to: named, or that of a place or person named."""
        goals = [
            m
            for p, m in (*roles.goals, *roles.others)
            if p not in ("of", "through", "via", "past", "without", "about", "with")
        ]
        context = self._context(clause, roles)
        for mention in reversed(goals):
            if self._is_room(mention):
                return self.linker.one(mention, self.names.is_room)
        for mention in reversed(goals):
            if mention.kind == "place word":
                spot = self.linker.pronoun(mention, self.house.is_scenery)
                return self.names.room_of(spot, self.effects.draft) if spot is not None else None
            if mention.kind == "thing" and self.linker.may_be(mention, self.house.is_fixed):
                spot = self.linker.one(mention, self.house.is_fixed, context)
                return self.names.room_of(spot, self.effects.draft)
            if mention.kind in ("person",) or (
                mention.kind == "pronoun" and mention.pronoun in ("he", "she", "you", "i")
            ):
                who = self._agent(mention)
                return self.names.room_of(who, self.effects.draft) if who is not None else None
        for mention in reversed(goals):
            if mention.kind == "unknown" and not self._is_old_place(mention):
                raise Unclear(f"nowhere known here is called '{mention.words}'", "unknown")
        return None

    def _spots_named(self, clause: Clause, roles: Roles) -> list[str]:
        context = self._context(clause, roles)
        found = []
        for prep, mention in clause.places:
            if prep in GOALS | SOURCES | {"with"} and mention.kind in _PLACED:
                if mention.kind in ("hand",) or self._hand_or_agent(mention):
                    who = self._agent(mention)
                    found += [who] if who is not None else []
                elif mention.kind == "place word" or self.linker.may_be(
                    mention, self.house.is_fixed
                ):
                    found.append(self.linker.one(mention, self.house.is_scenery, context))
        theres = [
            m
            for m in (*clause.objects, *([clause.subject] if clause.subject else []))
            if m.kind == "place word"
        ]
        for mention in theres:
            found.append(self.linker.one(mention, self.house.is_scenery, context))
        return found

    # ---- who had it

    def _along(self, clause: Clause, roles: Roles) -> bool:
        """``took the mug along``, ``took it with her``."""
        if "along" in clause.particles:
            return True
        who = self.person_of(roles.actor)
        if who is None or not self.names.is_person(who):
            return False
        pronoun = self.names.things[who].traits.get("pronoun")
        return any(
            p in ("with", "on")
            and m.kind == "pronoun"
            and (m.pronoun == pronoun or (m.pronoun == "i" and who == self.linker.speaker))
            for p, m in clause.places
        )

    def _from_hands(self, clause: Clause, roles: Roles) -> str | None:
        """``left Ben's hands``, ``out of Ben's hands``: who had it."""
        hands = [m for _, m in roles.sources if m.kind == "hand"]
        if clause.does("leave slip exit escape"):
            hands += [m for m in clause.objects if m.kind == "hand"]
        for hand in hands:
            return self._agent(hand)
        return None

    def _released(self, clause: Clause, roles: Roles, theme: Mention) -> list[Event]:
        """Somebody let go of a thing; where it went is said next."""
        things = self.items(theme, clause, roles)
        for who in self.actors(roles.actor)[:1]:
            self.discourse.now.released |= dict.fromkeys(things, who)
        self.discourse.now.themes[:0] = things
        return []

    def _releaser(self, theme: Mention, things: tuple[str, ...]) -> str | None:
        """Return who had a thing that is put somewhere, where the report says so."""
        if theme.holder is not None:
            return self.person_of(theme.holder)
        found = (self.discourse.now.released.get(thing) for thing in things)
        return next((who for who in found if who is not None), None)
