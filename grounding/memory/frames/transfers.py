"""Frames of things that pass between people, or between a person and the robot."""

from __future__ import annotations

from dataclasses import dataclass

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, Give, Have
from commonground.grounding.memory.frames.participants import SOURCES
from commonground.grounding.memory.frames.places import PlaceFinder
from commonground.grounding.memory.frames.situation import Roles


@dataclass(slots=True)
class _Exchange:
    """Who gives what to whom."""

    theme: Mention | None
    taker: Mention | None = None
    giver: Mention | None = None


class TransferFrames(PlaceFinder):
    """A thing changes hands, or somebody has it."""

    def _transfer(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """A thing passes between people, or between a person and the robot."""
        if self.is_negated(clause) or not self._may_transfer(clause, roles):
            return None
        exchange = self._exchange(clause, roles)
        theme = exchange.theme
        loose = theme is not None and theme.kind == "group" and not theme.where
        if not self.is_items(theme) or (loose and not self.discourse.now.group):
            return None
        self._ends(clause, roles, exchange)
        taker, giver = exchange.taker, exchange.giver
        if theme is None or taker is None:
            return None
        things = self.items(theme, clause, roles)
        who = self._agent(taker)
        from_whom = self._agent(giver) if giver is not None else None
        if who is None:
            return None
        return [Have(things, who)] if who == from_whom else [Give(things, from_whom, who)]

    def _may_transfer(self, clause: Clause, roles: Roles) -> bool:
        """Return whether a clause can be about a hand-over; ``went to the study mug in hand`` is not."""
        if clause.verb is None:
            return any(self._hand_or_agent(m) for _, m in clause.places)
        to_room = any(self._is_room(m) for _, m in roles.goals)
        in_hand = any(m.kind == "hand" for _, m in roles.goals)
        return not ("go" in self.classes(clause) and to_room and in_hand)

    def _exchange(self, clause: Clause, roles: Roles) -> _Exchange:
        """``gave Ana the mug``, ``relieved Ana of the mug``, ``provided Ana with the mug``."""
        theme = roles.theme
        if theme is None or not self._can_receive(theme):
            return _Exchange(theme)
        if roles.extra is not None and self.is_items(roles.extra):
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
            if not self._hand_or_agent(mention):
                continue
            if prep in SOURCES:
                exchange.giver = mention
            elif self._is_receiving(prep, mention, clause, roles):
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
        actor = self.person_of(roles.actor)
        other = self.discourse.latest(lambda t: t != actor and self.names.is_person(t), "people")
        return Mention("person", other, 0, 0, thing=other) if other is not None else None

    def _holding(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Somebody has a thing."""
        classes = self.classes(clause)
        theme = roles.theme
        if theme is None or not self.is_items(theme) or (theme.kind == "group" and not theme.where):
            return None
        if self.is_negated(clause):
            return None
        if not classes & {"hold", "receive", "transport"}:
            return None
        holders = self.actors(roles.actor)
        if not holders:
            return None
        things = self.items(theme, clause, roles)
        if "place" in classes and "hold" not in classes and not clause.places:
            self.discourse.now.released |= dict.fromkeys(things, holders[0])
            self.discourse.now.unplaced += things  # "Ben moved the mug": where to may follow
            return []
        governor = clause.governor
        if governor is not None and governor.does("let make have") and governor.subject is not None:
            return [Give(things, self._actor(governor.subject), holders[0])]
        return [Have(things, holders[0])]
