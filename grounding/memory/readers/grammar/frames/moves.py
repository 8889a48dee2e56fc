"""Frames of things that are put, taken, handed over and exchanged, and of places that are emptied."""

from __future__ import annotations

from dataclasses import dataclass, replace

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Phrase, Reference
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import HAVING, INERT
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.readers.grammar.frames.goals import Goal, everybody, gone, put
from commonground.grounding.memory.readers.grammar.frames.situation import (
    GOALS,
    SOURCES,
    Roles,
    Situation,
)

_PASSING = HAVING | {"place", "release", "located"}


@dataclass(slots=True)
class _Exchange:
    """Who gives what to whom."""

    theme: Mention | None
    taker: Mention | None = None
    giver: Mention | None = None


class MoveFrames(Situation):
    """Somebody makes things be somewhere, or they come to be there; a thing changes hands."""

    # ---- where to

    def goal(self, clause: Clause, roles: Roles, theme: Mention) -> Goal | None:
        """Return where a clause leads to: a place, that of another thing, the old one."""
        if clause.where:
            return self._place_of(clause.where[0])
        spots = [m for _, m in roles.goals if self.is_spot(m) and m is not theme]
        if spots:
            named = [m for m in spots if m.kind != "place word"]
            return Goal(self.place((named or spots)[-1]))
        beside = self._beside(clause, theme)
        if beside is not None:
            return Goal(Phrase(beside=beside))
        inside = self.inside(clause)
        if inside is not None:
            return Goal(inside)
        back = "back" in (*clause.particles, *(clause.verb.rest if clause.verb is not None else ()))
        back = back or clause.does("return replace restore")
        old = any(self.is_old_place(m) for _, m in roles.goals if m.kind == "unknown")
        to_room = any(self.is_room(m) for _, m in roles.goals)
        return Goal(back=True) if (back or old) and not to_room else None

    def _place_of(self, inner: Clause) -> Goal:
        """Return the place that ``where the mug was`` stands for."""
        subject = inner.subject
        named = subject is not None and subject.kind == "thing" and self.is_items(subject)
        other = self.mentions.one(subject) if named and subject is not None else None
        return Goal(back=True) if other is None else Goal(Phrase(beside=other))

    def _beside(self, clause: Clause, theme: Mention) -> Phrase | None:
        """``next to the mug``, ``joined the mug``: the place of another thing."""
        near = [
            m
            for p, m in clause.places
            if p in ("beside", "near", "with", "by", "alongside", "behind", "against")
        ]
        near += clause.objects if self._joins(clause) else []
        for mention in near:
            other = mention is not theme and mention.kind in ("thing", "pronoun")
            if other and not self.can_act(mention) and self.is_items(mention):
                return self.mentions.one(mention, self.names.is_item)
        return None

    @staticmethod
    def _joins(clause: Clause) -> bool:
        """``joined the plate``, ``keeps the plate company``: comes to be where it is."""
        keeps = clause.does("keep") and "company" in clause.unknown
        return keeps or clause.does("join accompany follow")

    def room_meant(self, roles: Roles) -> Goal | None:
        """Return the room a clause leads to: named, or that of a place or person named."""
        passed = ("of", "through", "via", "past", "without", "about", "with")
        goals = [m for p, m in (*roles.goals, *roles.others) if p not in passed][::-1]
        rooms = [*filter(self.is_room, goals)]
        for mention in (*rooms, *goals):
            fixed = mention.kind == "thing" and self.mentions.may_be(mention, self.house.is_fixed)
            pronoun = mention.kind == "pronoun" and mention.pronoun in ("he", "she", "you", "i")
            if fixed or pronoun or mention.kind in ("place word", "person"):
                return Goal(self.place(mention))
        strange = (m for m in goals if m.kind == "unknown" and not self.is_old_place(m))
        return next((Goal(self.mentions.one(m)) for m in strange), None)

    # ---- put and taken

    def _move(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Somebody makes things be somewhere, or they come to be there."""
        room_found = self._found_room(clause, roles)
        theme = self._moved_theme(clause, roles)
        if theme is None or not self._may_move(clause, room_found=room_found):
            return None
        self._take_goals(theme, roles, self.classes(clause))
        goal = self.goal(clause, roles, theme)
        if goal is None:
            return self._moved_without_place(clause, roles, theme)
        agent = self.agent(roles.actor) or self.releaser(theme) or self.from_hands(clause, roles)
        things = self.items(theme, clause, roles)
        if self._is_swapped(things, goal) or (goal.back and self.said and self.said[-1].back):
            return []  # "undid that and put it back" is said twice
        rooms = [m for _, m in clause.places if self.is_room(m)] if goal.where is not None else []
        room = self.mentions.one(rooms[0]) if rooms else None
        return [replace(put(things, goal, agent), location=room)]

    def _is_swapped(self, things: Reference, goal: Goal) -> bool:
        """``the mug where the cup was and the cup where the mug was``: make one exchange of both."""
        last = self.said[-1] if self.said else None
        if last is None or not (isinstance(last.goal, Phrase) and isinstance(goal.where, Phrase)):
            return False
        one, other, partner = last.goal.beside, goal.where.beside, things
        if one is None or other is None or not isinstance(partner, Phrase):
            return False
        swapped = in_words(one) == in_words(partner) and in_words(other) == in_words(last.theme)
        if swapped:
            self.said[-1] = Said(
                "swap", "tell", agent=last.agent, theme=last.theme, partner=partner
            )
        return swapped

    def _moved_theme(self, clause: Clause, roles: Roles) -> Mention | None:
        """Return the phrase for what moves; the subject of ``the mug joined the plate``."""
        theme, subject = roles.theme, clause.subject
        if self._joins(clause) and self.is_items(subject) and not self.can_act(subject):
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
        known = theme.other or self.source is not None
        grouped = (theme.kind == "group" or theme.every) and "place" in classes
        if grouped and theme.where and not roles.goals and known:
            roles.goals = [w for w in theme.where if w[0] in GOALS]
            theme.where = [w for w in theme.where if w[0] not in GOALS]

    def _moved_without_place(
        self, clause: Clause, roles: Roles, theme: Mention
    ) -> list[Said] | None:
        """A thing is put down, carried to a room, taken, or gone; no place is named."""
        classes, agent = self.classes(clause), self.agent(roles.actor)
        free = not roles.goals and not roles.sources
        if "release" in classes and "hold" not in classes and roles.actor is not None and free:
            self.releases(theme, agent)
            return []
        rooms = [m for p, m in roles.goals if self.is_room(m) or m.kind == "place word"]
        sources = [m for _, m in roles.sources if self._may_be_source(m)]
        source = self.mentions.one(sources[0]) if sources else None
        carried = roles.actor is not None or bool(classes & {"transport", "place"})
        if rooms and carried and (sources or classes != {"located"}):
            return self._to_room(clause, roles, theme)
        things = self.items(theme, clause, roles)
        if self._along(clause, roles) and not rooms:
            return [Said("have", "tell", agent=agent, theme=things)]
        if classes & {"take"} or (sources and roles.actor is not None):
            robot = self.mentions.may_be(roles.actor, self.names.is_robot)
            sense, place = ("have", None) if robot else ("take", source)
            return [Said(sense, "tell", agent=agent, theme=things, source=place)]  # type: ignore[arg-type]
        if sources and roles.actor is None:
            return [Said("take", "tell", theme=things, source=source)]
        return None

    def _may_be_source(self, mention: Mention) -> bool:
        return mention.kind in ("thing", "place word") and self.mentions.may_be(
            mention, self.house.is_fixed
        )

    def _to_room(self, clause: Clause, roles: Roles, theme: Mention) -> list[Said]:
        """Things are taken along to a room, or left somewhere in it."""
        room = self.room_meant(roles)
        if room is None:
            return []
        things, agent = self.items(theme, clause, roles), self.agent(roles.actor)
        if agent is None or not self.classes(clause) & {"transport", "take", "hold"}:
            return [put(things, room, agent)]
        return gone(room, [*map(self.agent, everybody(roles.actor))], things)

    def _along(self, clause: Clause, roles: Roles) -> bool:
        """``took the mug along``, ``took it with her``."""
        if "along" in clause.particles:
            return True
        who = self.mentions.person(roles.actor)
        if who is None or not self.names.is_person(who):
            return False
        pronoun = self.names.things[who].traits.get("pronoun")
        return any(
            p in ("with", "on")
            and m.kind == "pronoun"
            and (m.pronoun == pronoun or (m.pronoun == "i" and who == self.mentions.speaker))
            for p, m in clause.places
        )

    def from_hands(self, clause: Clause, roles: Roles) -> Phrase | None:
        """``left Ben's hands``, ``out of Ben's hands``: who had it."""
        hands = [m for _, m in roles.sources if m.kind == "hand"]
        if clause.does("leave slip exit escape"):
            hands += [m for m in clause.objects if m.kind == "hand"]
        return next((self.holder(hand) for hand in hands), None)

    def _left_hands(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``The mug left Ben's hands``: where it went is said next."""
        subject = clause.subject
        if not clause.does("leave slip exit escape") or subject is None or self.can_act(subject):
            return None
        who = self.from_hands(clause, roles)
        if who is None or not self.is_items(subject):
            return None
        self.releases(subject, who)
        return []

    def _found_room(self, clause: Clause, roles: Roles) -> bool:
        """``found room for the mug on the shelf``: the mug is what is put there."""
        theme, rooms = roles.theme, ("room", "space", "place", "spot", "home", "corner", "nook")
        made = clause.does("find make clear get choose pick give create")
        if not made or theme is None or not {*theme.head[-1:]} & {*rooms}:
            return False
        put = next((m for p, m in roles.others if p == "for" and self.is_items(m)), None)
        roles.theme = put or theme
        return put is not None

    # ---- emptying places

    def _evacuation(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``emptied the fridge onto the desk``: all that was there moves."""
        spot = roles.theme
        if "evacuate" not in self.classes(clause) or spot is None or not self.is_spot(spot):
            return None
        self.source = self.mentions.one(spot)
        excluded = [*clause.excluding, *(m for p, m in clause.places if p == "except")]
        excluded += [x for p, m in clause.places if p == "of" for x in m.excluding]
        all_there = Phrase(everything=True, located=self.source)
        things = self.mentions.without(all_there, excluded)
        goals = [m for p, m in roles.goals if self.is_spot(m) and m is not spot]
        if goals:
            return [put(things, Goal(self.place(goals[-1])), self.agent(roles.actor))]
        self.cleared_by = self.agent(roles.actor)
        return [Said("take", "tell", theme=things, source=self.source)]

    # ---- exchanged

    def _swap(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Two things have each other's places."""
        changed = clause.does("change") and {"places", "positions", "spots", "locations"} & {
            *clause.unknown,
            *(w for m in clause.objects for w in m.head),
        }
        if not self.swapped and "swap" not in self.classes(clause) and not changed:
            return None
        mentions = [p for m in clause.mentions for p in everybody(m)]
        mentions += [w for m in mentions if m.kind == "unknown" for _, w in m.where]
        mentions += [m for inner in clause.where for m in inner.mentions]
        items = [
            m
            for m in mentions
            if m.kind in ("thing", "pronoun") and self.is_items(m) and not self.is_spot(m)
        ]
        if len(items) != 2:
            return None
        agent = self.agent(roles.actor) if roles.actor not in items else None
        theme, partner = (self.mentions.one(m, self.names.is_item) for m in items)
        return [Said("swap", "tell", agent=agent, theme=theme, partner=partner)]

    # ---- handed over

    def _transfer(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """A thing passes between people, or between a person and the robot."""
        if self.is_negated(clause) or not self._may_transfer(clause, roles):
            return None
        exchange = self._exchange(clause, roles)
        theme = exchange.theme
        if not self.is_items(theme):
            return None
        self._ends(clause, roles, exchange)
        if theme is None or exchange.taker is None:
            return None
        taker = self.holder(exchange.taker)
        giver = self.holder(exchange.giver) if exchange.giver is not None else None
        if taker is None:
            return None
        things = self.items(theme, clause, roles)
        if giver is None or giver == taker:
            return [Said("have", "tell", agent=taker, theme=things)]
        given = Said("give", "tell", agent=giver, theme=things, goal=taker)
        rooms = [m for _, m in roles.goals if self.is_room(m)]
        carries = "transport" in self.classes(clause) and not clause.does("send throw toss")
        if not rooms or exchange.giver is not roles.actor or not carries:
            return [given]
        # "brought Ann the mug in the study"
        return [given, *gone(Goal(self.mentions.one(rooms[-1])), [giver], None)]

    def _may_transfer(self, clause: Clause, roles: Roles) -> bool:
        """Return whether a clause can be about a hand-over; ``went to the study mug in hand`` is not."""
        if clause.verb is None:
            return any(self.is_hand_or_agent(m) for _, m in clause.places)
        to_room = any(self.is_room(m) for _, m in roles.goals)
        in_hand = any(m.kind == "hand" for _, m in roles.goals)
        return not ("go" in self.classes(clause) and to_room and in_hand)

    def _may_pass(self, clause: Clause) -> bool:
        """Return whether a verb may pass something to somebody: ``washed Ann her mug`` does not."""
        verb = clause.verb
        return verb is None or verb.is_copula or not _PASSING.isdisjoint(self.classes(clause))

    def _can_receive(self, mention: Mention) -> bool:
        return mention.kind != "hand" and self.is_hand_or_agent(mention)

    def _exchange(self, clause: Clause, roles: Roles) -> _Exchange:
        """``gave Ana the mug``, ``relieved Ana of the mug``, ``provided Ana with the mug``."""
        theme = roles.theme
        if theme is None or not self._can_receive(theme):
            return _Exchange(theme)
        if roles.extra is not None and self.is_items(roles.extra) and self._may_pass(clause):
            return _Exchange(roles.extra, taker=theme, giver=roles.actor)
        inner = {p: m for p, m in reversed(roles.others) if self.is_items(m)}
        if "of" in inner:
            return _Exchange(inner["of"], taker=roles.actor, giver=theme)
        if "give" in self.classes(clause) and "with" in inner:
            return _Exchange(inner["with"], taker=theme, giver=roles.actor)
        return _Exchange(theme)

    def _ends(self, clause: Clause, roles: Roles, exchange: _Exchange) -> None:
        """Find out who gives and who takes from the prepositions, the verb and its subject."""
        for prep, mention in clause.places:
            if not self.is_hand_or_agent(mention):
                continue
            if prep in SOURCES:
                exchange.giver = mention
            elif (mention.kind == "hand" or self._may_pass(clause)) and self._is_receiving(
                prep, mention, clause, roles
            ):
                exchange.taker = mention
        if exchange.taker is None and exchange.giver is not None:
            passive = clause.verb is not None and clause.verb.passive
            exchange.taker = clause.agent if passive else roles.actor
        elif exchange.taker is not None and exchange.giver is None:
            exchange.giver = roles.actor if roles.actor is not exchange.taker else None
        elif exchange.taker is None and exchange.theme is not None:
            over = "give" in self.classes(clause) and self._over(clause)
            if over and "back" not in clause.particles and not roles.goals:
                exchange.taker = self._asker(roles)
                exchange.giver = roles.actor

    @staticmethod
    def _is_receiving(prep: str, mention: Mention, clause: Clause, roles: Roles) -> bool:
        """Return whether a preposition makes somebody the one who gets a thing."""
        if prep in ("in", "on", "for"):
            return mention.kind == "hand"
        leaves = clause.does("leave deposit place lodge stay") and roles.actor is not None
        return prep in ("to", "into", "onto") or (prep == "with" and leaves)

    def _over(self, clause: Clause) -> bool:
        return clause.verb is not None and (
            bool(clause.particles) or bool(clause.verb.rest) or clause.does("give hand pass")
        )

    def _asker(self, roles: Roles) -> Mention | None:
        """Return who was spoken of before, as the one a thing is handed to."""
        actor = self.mentions.person(roles.actor)
        other = next((who for who in self.mentions.people if who != actor), None)
        return Mention("person", other, 0, 0, thing=other) if other is not None else None
