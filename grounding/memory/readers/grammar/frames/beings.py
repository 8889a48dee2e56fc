"""Frames of things and people that are, or were seen, somewhere."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Group, Phrase, Reference
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.readers.grammar.frames.goals import Goal, everybody, gone, put
from commonground.grounding.memory.readers.grammar.frames.moves import MoveFrames
from commonground.grounding.memory.readers.grammar.frames.situation import Roles

_GOING = frozenset(["go", "leave", "transport", "located", "place", "take"])


class BeingFrames(MoveFrames):
    """Something is, or was seen, somewhere or with somebody; somebody goes somewhere."""

    def _being(self, clause: Clause, roles: Roles) -> list[Said] | None:
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
        return self._items_at(clause, roles, theme) if self.is_items(theme) else None

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

    def _cleft(self, clause: Clause, place: Mention) -> list[Said] | None:
        """``The desk is where Ben put the mug.``"""
        inner = clause.where[0]
        things = (m for m in (*inner.objects, inner.subject) if m is not None and self.is_items(m))
        thing = next(things, None)
        if thing is None:
            return None
        agent = self.agent(self.roles_of(inner).actor)
        theme, goal = self.items(thing, inner), self.place(place)
        return [Said("put", "tell", agent=agent, theme=theme, goal=goal, follows=goal is None)]

    def _items_at(self, clause: Clause, roles: Roles, theme: Mention) -> list[Said] | None:
        """Things are with somebody, at a place, in a room, where something else is or was."""
        if self._was_before(clause, theme):
            return []
        held = [(p, m) for p, m in clause.places if self.is_hand_or_agent(m)]
        holder = next((m for p, m in held if p in ("with", "in", "on") or m.kind == "hand"), None)
        things = self.items(theme, clause, roles)
        if holder is not None:
            who = self.holder(holder)
            return [Said("have", "tell", agent=who, theme=things)] if who is not None else None
        spots = [m for _, m in roles.goals if self.is_spot(m)]
        if clause.where or spots:
            goal = self.goal(clause, roles, theme) if clause.where else Goal(self.place(spots[-1]))
            by = [m for p, m in clause.places if p == "by" and self.can_act(m)]
            agent = self.agent(by[0]) if by else self.releaser(theme)
            return [put(things, goal or Goal(), agent)]
        rooms = [self.mentions.one(m) for _, m in roles.goals if self.is_room(m)]
        return [Said("be in room", "tell", theme=things, location=rooms[-1])] if rooms else None

    def _was_before(self, clause: Clause, theme: Mention) -> bool:
        """``it had been on the desk``, of what has been moved already; ``that is where it is``."""
        verb = clause.verb
        if verb is None or not verb.past or not verb.is_copula or theme.kind != "pronoun":
            return False
        meant = self.mentions.taken_up(theme, self.names.is_item)
        return meant is not None and meant in self.mentions.themes

    def _people_at(self, clause: Clause, roles: Roles, theme: Mention) -> list[Said] | None:
        """People are in a room, or have something with them."""
        things = self._with_them(clause)
        room = self.room_meant(roles)
        if room is not None:
            return gone(room, [*map(self.agent, everybody(theme))], things)
        return (
            None
            if things is None
            else [Said("have", "tell", agent=self.agent(theme), theme=things)]
        )

    def _with_them(self, clause: Clause) -> Reference | None:
        """Return the things that people have with them."""
        held = (m for p, m in clause.places if p == "with" and self.is_items(m))
        mentions = [m for m in held if m.kind != "unknown" and not self.can_act(m)]
        found = [self.items(m, clause) for m in mentions]
        phrases = tuple(p for p in found if isinstance(p, Phrase))
        return found[0] if len(found) == 1 else Group("all of", phrases) if phrases else None

    def _going(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Somebody goes somewhere."""
        verb, classes = clause.verb, self.classes(clause)
        actor = roles.actor
        if verb is None or actor is None or not self.can_act(actor) or self.is_negated(clause):
            return None
        if classes and not classes & _GOING:
            return None
        companions = self._companions(clause, roles)
        if companions is None:
            return None
        room = self.room_meant(roles) or self._room_behind(clause)
        if room is None:
            strange = self.is_stranger(actor)
            return None if strange else self._left(roles, everybody(actor), classes)
        people = [*map(self.agent, (*everybody(actor), *companions))]
        return gone(room, people, self._with_them(clause))

    def _room_behind(self, clause: Clause) -> Goal | None:
        """``opened the study door and went in``: the room that the text named last."""
        verb = clause.verb
        inside = verb is not None and {"in", "inside"} & {*verb.rest, *clause.particles}
        if not inside or "go" not in self.classes(clause):
            return None
        rooms = (m for m in self.mentions.things if self.is_room(m))
        return next((Goal(self.mentions.one(room)) for room in rooms), None)

    def _companions(self, clause: Clause, roles: Roles) -> list[Mention] | None:
        """Return who goes along; None where the clause is about something else."""
        theme = roles.theme
        if theme is None or clause.object_preposition:
            return []
        if self.is_hand_or_agent(theme) and "transport" in self.classes(clause):
            return everybody(theme)
        if self._leads(clause, theme):
            roles.goals.append(("to", theme))
            return []
        return [] if self.is_room(theme) and "leave" in self.classes(clause) else None

    def _leads(self, clause: Clause, theme: Mention) -> bool:
        """``entered the study``, ``joined Ana``: what is gone to is the verb's object."""
        if theme.kind == "place word" or (self.is_room(theme) and "go" in self.classes(clause)):
            return True
        return self.is_hand_or_agent(theme) and clause.does("join visit meet follow")

    def _left(
        self, roles: Roles, people: Sequence[Mention], classes: frozenset[str]
    ) -> list[Said] | None:
        theme = roles.theme
        told = "leave" in classes or bool(roles.sources)
        if not told or (theme is not None and not self.is_room(theme)):
            return None
        rooms = [m for _, m in roles.sources if self.is_room(m)] if theme is None else [theme]
        if not rooms:
            return None
        left = self.mentions.one(rooms[0])
        return [Said("leave", "tell", agent=self.agent(who), source=left) for who in people]

    def _robot_moved(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """The robot was brought somewhere."""
        theme = roles.theme
        if theme is None and (clause.verb is None or not clause.objects):
            theme = roles.actor
        if theme is None or theme.kind == "several":
            return None
        if theme.kind == "pronoun" and theme.pronoun != "you":
            return None
        robot = self.mentions.may_be(theme, self.names.is_robot)
        room = self.room_meant(roles) if robot else None
        if room is None:
            return None
        agent = self.agent(roles.actor) if roles.actor is not theme else None
        there = room.where is None
        return [Said("robot is moved", "tell", agent=agent, goal=room.where, follows=there)]

    def _holding(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Somebody has a thing."""
        classes, theme = self.classes(clause), roles.theme
        loose = theme is not None and theme.kind == "group" and not theme.where
        if theme is None or not self.is_items(theme) or loose or self.is_negated(clause):
            return None
        if not classes & {"hold", "receive", "transport"}:
            return None
        holder, things = self.agent(roles.actor), self.items(theme, clause, roles)
        if holder is None:
            return None
        if "place" in classes and "hold" not in classes and not clause.places:
            self.releases(theme, holder)
            self.unplaced.append(theme)  # "Ben moved the mug": where to may follow
            return []
        governor = clause.governor
        if governor is not None and governor.does("let make have") and governor.subject is not None:
            giver = self.agent(governor.subject)
            return [Said("give", "tell", agent=giver, theme=things, goal=holder)]
        return [Said("have", "tell", agent=holder, theme=things)]
