"""Frames of things and people that are, or were seen, somewhere."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, Go, Have, Leave, MoveRobot, Place, Somewhere
from commonground.grounding.memory.frames.places import PlaceFinder
from commonground.grounding.memory.frames.situation import Roles

_GOING = frozenset(["go", "leave", "transport", "located", "place", "take"])


class BeingFrames(PlaceFinder):
    """Something is, or was seen, somewhere or with somebody; somebody goes somewhere."""

    def _being(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Something is, or was seen, somewhere or with somebody."""
        verb, classes = clause.verb, self.classes(clause)
        if self.is_negated(clause):
            return None
        seen = verb is not None and "observe" in classes
        theme = self._seen_theme(clause, roles)
        if theme is None:
            pointed = bool(clause.where and clause.places)
            return self._cleft(clause, clause.places[-1][1]) if pointed else None
        if verb is not None and not (seen or self._is_stative(verb, classes)):
            return None
        if self._is_somebody(theme):
            return None if seen and roles.theme is None else self._people_at(clause, roles, theme)
        return self._items_found(clause, roles, theme, seen=seen)

    def _items_found(
        self, clause: Clause, roles: Roles, theme: Mention, *, seen: bool
    ) -> list[Event] | None:
        """Things are, or were seen, somewhere."""
        if not self.is_items(theme):
            return None
        if seen:
            roles = Roles(None, theme, None, roles.goals, roles.sources, roles.others)
        return self._items_at(clause, roles, theme)

    def _is_somebody(self, theme: Mention) -> bool:
        several = theme.kind == "several" and not self.is_items(theme)
        return self.can_act(theme) or theme.kind == "person" or several

    @staticmethod
    def _seen_theme(clause: Clause, roles: Roles) -> Mention | None:
        theme = roles.theme if roles.theme is not None else roles.actor
        order = clause.subject is None and clause.verb is not None and clause.verb.form == "base"
        if theme is None and order:  # "look for it on the shelf"
            return next((m for p, m in clause.places if p == "for"), None)
        return theme

    @staticmethod
    def _is_stative(verb: VerbGroup, classes: frozenset[str]) -> bool:
        """Return whether a verb says where something is; one that nobody knows may."""
        held = "hold" in classes and verb.passive
        return verb.is_copula or "located" in classes or held or not verb.known

    def _cleft(self, clause: Clause, theme: Mention) -> list[Event] | None:
        """``The desk is where Ben put the mug.``"""
        inner = clause.where[0]
        thing = next(
            (m for m in (*inner.objects, inner.subject) if m is not None and self.is_items(m)), None
        )
        if thing is None:
            return None
        roles = self.roles_of(inner)
        place = self._place(theme, self._context(clause, roles))
        return [Place(self.items(thing, inner), place, actor=self.person_of(roles.actor))]

    def _items_at(self, clause: Clause, roles: Roles, theme: Mention) -> list[Event] | None:
        """Things are with somebody, at a place, in a room, where something else is or was."""
        if self._was_before(clause, roles, theme):
            return []
        held = [(p, m) for p, m in clause.places if self._hand_or_agent(m)]
        holder = next((m for p, m in held if p in ("with", "in", "on") or m.kind == "hand"), None)
        if holder is not None:
            who = self._agent(holder)
            return [Have(self.items(theme, clause, roles), who)] if who is not None else None
        old = self._place_by_reference(clause, roles, theme)
        if old is not None:
            return self._at_old(self.items(theme, clause, roles), old, None)
        spots = [m for _, m in roles.goals if self.is_spot(m)]
        if spots:
            things = self.items(theme, clause, roles)
            by = [m for p, m in clause.places if p == "by" and self.can_act(m)]
            actor = self._actor(by[0]) if by else self._releaser(theme, things)
            return [
                Place(things, self._place(spots[-1], self._context(clause, roles)), actor=actor)
            ]
        rooms = [m for _, m in roles.goals if self._is_room(m)]
        if rooms:
            things = self.items(theme, clause, roles)
            return [Somewhere(things, self.linker.one(rooms[-1], self.names.is_room))]
        return None

    def _was_before(self, clause: Clause, roles: Roles, theme: Mention) -> bool:
        """``it had been on the desk``, of what has been moved already; ``that is where it is``."""
        verb = clause.verb
        if verb is None or not verb.past or not verb.is_copula or theme.kind != "pronoun":
            return False
        return any(t in self.effects.moved for t in self.items(theme, clause, roles))

    def _place_by_reference(self, clause: Clause, roles: Roles, theme: Mention) -> Fact | None:
        """``where the cup was``: a place named by something else."""
        if clause.where:
            return self._old_place(clause.where[0], clause, roles, theme)
        return None

    def _people_at(self, clause: Clause, roles: Roles, theme: Mention) -> list[Event] | None:
        """People are in a room, or have something with them."""
        held = [
            m
            for p, m in clause.places
            if p == "with" and self.is_items(m) and m.kind == "thing" and not self.can_act(m)
        ]
        room = self._room_meant(clause, roles)
        if room is None and held:
            return [
                Have(self.items(m, clause, roles), who)
                for m in held
                for who in self.actors(theme)[:1]
            ]
        if room is None:
            return None
        things = tuple(
            t
            for p, m in clause.places
            if p == "with" and self.is_items(m) and m.kind != "unknown"
            for t in self.items(m, clause, roles)
        )
        return [Go(who, room, things) for who in self.actors(theme)]

    def _going(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Somebody goes somewhere."""
        verb, classes = clause.verb, self.classes(clause)
        actor = roles.actor
        if verb is None or actor is None or not self.can_act(actor) or self.is_negated(clause):
            return None
        if classes and not classes & _GOING:
            return None
        party = self._party(clause, roles)
        if party is None:
            return None
        companions, things = party
        room = self._room_meant(clause, roles)
        if room is None and self._is_stranger(actor):
            return None
        who = self.actors(actor)
        if room is not None:
            return [*(Go(w, room, things) for w in who), *(Go(w, room) for w in companions)]
        return self._left(roles, who, classes)

    def _party(self, clause: Clause, roles: Roles) -> tuple[list[str], tuple[str, ...]] | None:
        """Return who goes along and what is carried; None where the clause is about something else."""
        companions: list[str] = []
        things: tuple[str, ...] = ()
        theme = roles.theme
        if theme is not None and not clause.object_preposition:
            if self._hand_or_agent(theme) and "transport" in self.classes(clause):
                companions = self.actors(theme)
            elif self._leads(clause, theme):
                roles.goals.append(("to", theme))
            elif not (self._is_room(theme) and "leave" in self.classes(clause)):
                return None
        for _, mention in (place for place in clause.places if place[0] == "with"):
            if self.is_items(mention) and mention.kind != "unknown":
                things = self.items(mention, clause, roles)
        return companions, things

    def _leads(self, clause: Clause, theme: Mention) -> bool:
        """``entered the study``, ``joined Ana``: what is gone to is the verb's object."""
        if theme.kind == "place word" or (self._is_room(theme) and "go" in self.classes(clause)):
            return True
        return self._hand_or_agent(theme) and clause.does("join visit meet follow")

    def _left(self, roles: Roles, who: list[str], classes: frozenset[str]) -> list[Event] | None:
        if "leave" not in classes and not roles.sources:
            return None
        theme = roles.theme
        if theme is not None and not self._is_room(theme):
            return None
        mentions = (
            [theme] if theme is not None else [m for _, m in roles.sources if self._is_room(m)]
        )
        rooms = self._rooms(m for m in mentions if m is not None)
        return [Leave(w, rooms[0]) for w in who] if rooms else None

    def _robot_moved(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """The robot was brought somewhere."""
        theme = roles.theme
        if (
            theme is None
            and roles.actor is not None
            and (clause.verb is None or not clause.objects)
        ):
            theme = roles.actor
        if (
            theme is None
            or theme.kind == "several"
            or not self.linker.may_be(theme, self.names.is_robot)
        ):
            return None
        if theme.kind == "pronoun" and theme.pronoun != "you":
            return None
        room = self._room_meant(clause, roles)
        if room is None:
            return None
        robot = self.linker.one(theme, self.names.is_robot)
        actor = self._actor(roles.actor) if roles.actor is not theme else None
        return [MoveRobot(robot, room, actor=actor)]
