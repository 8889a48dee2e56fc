"""Frames of things that are put, taken and left, and of places that are emptied."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import INERT
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, Go, Gone, Have, Place, Somewhere, Take
from commonground.grounding.memory.frames.participants import GOALS
from commonground.grounding.memory.frames.places import PlaceFinder
from commonground.grounding.memory.frames.situation import Roles


class MoveFrames(PlaceFinder):
    """Somebody makes things be somewhere, or they come to be there."""

    def _move(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Somebody makes things be somewhere, or they come to be there."""
        room_found = self._found_room(clause, roles)
        theme = self._moved_theme(clause, roles)
        if theme is None or not self._may_move(clause, room_found=room_found):
            return None
        self._take_goals(theme, roles, self.classes(clause))
        where = self._goal(clause, roles, self._context(clause, roles), theme)
        if where is not None:
            things = self.items(theme, clause, roles)
            actor = (
                self._actor(roles.actor)
                or self._releaser(theme, things)
                or self._from_hands(clause, roles)
            )
            if isinstance(where, Fact):
                return self._at_old(things, where, actor)
            return [Place(things, where, actor=actor)]
        return self._moved_without_place(clause, roles, theme)

    def _moved_theme(self, clause: Clause, roles: Roles) -> Mention | None:
        """Return the phrase for what moves; the subject of ``the mug joined the plate``."""
        theme, subject = roles.theme, clause.subject
        if self.joins(clause) and self.is_items(subject) and not self.can_act(subject):
            theme, roles.actor = subject, None
        if theme is None or not self.is_items(theme) or theme.determiner == "no":
            return None
        return None if self.is_negated(clause) else theme

    def _may_move(self, clause: Clause, *, room_found: bool) -> bool:
        """Return whether a verb lets its object move: seeing, wanting and being do not."""
        verb, classes = clause.verb, self.classes(clause)
        if verb is not None and (verb.is_copula or (verb.known and classes and classes <= INERT)):
            return False
        return room_found or "observe" not in classes or bool(classes & {"place", "take"})

    def _take_goals(self, theme: Mention, roles: Roles, classes: frozenset[str]) -> None:
        """``put the rest in the box``: the box is where it goes, not which rest."""
        known = theme.other or self.discourse.now.source is not None
        grouped = (theme.kind == "group" or theme.every) and "place" in classes
        if grouped and theme.where and not roles.goals and known:
            roles.goals = [w for w in theme.where if w[0] in GOALS]
            theme.where = [w for w in theme.where if w[0] not in GOALS]

    def _moved_without_place(
        self, clause: Clause, roles: Roles, theme: Mention
    ) -> list[Event] | None:
        """A thing is put down, added, carried to a room, taken, or gone; no place is named."""
        classes = self.classes(clause)
        free = not roles.goals and not roles.sources
        if "release" in classes and "hold" not in classes and roles.actor is not None and free:
            return self._released(clause, roles, theme)
        rooms = [m for p, m in roles.goals if self._is_room(m) or m.kind == "place word"]
        source = self._source(roles, self._context(clause, roles))
        carried = roles.actor is not None or bool(classes & {"transport", "place"})
        if rooms and carried and not (source is None and classes == {"located"}):
            return self._to_room(clause, roles, theme, classes)
        if self._along(clause, roles) and not rooms:
            things = self.items(theme, clause, roles)
            return [Have(things, who) for who in self.actors(roles.actor)[:1]]
        if classes & {"take"} or (source is not None and roles.actor is not None):
            return self._taken(clause, roles, theme, source)
        if source is not None and roles.actor is None:
            return [Gone(self.items(theme, clause, roles), (source,))]
        return None

    def _to_room(
        self, clause: Clause, roles: Roles, theme: Mention, classes: frozenset[str]
    ) -> list[Event]:
        """Things are taken along to a room, or left somewhere in it."""
        things = self.items(theme, clause, roles)
        room = self._room_meant(clause, roles)
        if room is None:
            return []
        actors = self.actors(roles.actor)
        if actors and classes & {"transport", "take", "hold"}:
            return [Go(actors[0], room, things), *(Go(who, room) for who in actors[1:])]
        return [Somewhere(things, room), *(Go(who, room) for who in actors)]

    def _taken(
        self, clause: Clause, roles: Roles, theme: Mention, source: str | None
    ) -> list[Event] | None:
        holders = self.actors(roles.actor)
        things = self.items(theme, clause, roles)
        if not holders:
            return [Gone(things, (source,) if source is not None else ())]
        if self.names.is_robot(holders[0]):
            return [Have(things, holders[0])]
        return [Take(things, holders[0], source)]

    def _found_room(self, clause: Clause, roles: Roles) -> bool:
        """``found room for the mug on the shelf``: the mug is what is put there."""
        made = clause.does("find make clear get choose pick give create")
        theme = roles.theme
        if (
            not made
            or theme is None
            or theme.head[-1:]
            not in (("room",), ("space",), ("place",), ("spot",), ("home",), ("corner",), ("nook",))
        ):
            return False
        for prep, mention in roles.others:
            if prep == "for" and self.is_items(mention):
                roles.theme = mention
                return True
        return False

    # ---- emptying places

    def _evacuation(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """``emptied the fridge onto the desk``: all that was there moves."""
        if (
            "evacuate" not in self.classes(clause)
            or roles.theme is None
            or not self.is_spot(roles.theme)
        ):
            return None
        spots = self._resolved_spot(roles.theme, clause, roles)
        excluded = [*clause.excluding, *(m for p, m in clause.places if p == "except")]
        excluded += [x for p, m in clause.places if p == "of" for x in m.excluding]
        without = {t for m in excluded for t in self.items(m, clause)}
        things = tuple(t for t in self.house.items_at(spots) if t not in without)
        self.discourse.now.source, self.discourse.now.group = spots[0], list(things)
        for who in self.actors(roles.actor)[:1]:
            self.discourse.now.released |= dict.fromkeys(things, who)
        goals = [m for p, m in roles.goals if self.is_spot(m) and m is not roles.theme]
        if not goals:
            return [Gone(things, tuple(spots))] if things else []
        return [
            Place(
                things,
                self._place(goals[-1], self._context(clause, roles)),
                actor=self._actor(roles.actor),
            )
        ]
