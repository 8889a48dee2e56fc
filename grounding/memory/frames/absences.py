"""Frames of things and people that are not, or no longer, where they were."""

from __future__ import annotations

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Event, Gone, Leave
from commonground.grounding.memory.frames.places import PlaceFinder
from commonground.grounding.memory.frames.situation import Roles

_MISSING = frozenset(["missing", "gone", "absent", "nowhere"])


class AbsenceFrames(PlaceFinder):
    """Something is not, or no longer, where it was."""

    def _absence(self, clause: Clause, roles: Roles) -> list[Event] | None:
        """Something is not, or no longer, where it was."""
        if "back" in clause.particles:
            return None
        theme = roles.theme or roles.actor
        if theme is None:
            return None
        vanished = self._is_vanished(clause, roles, theme)
        lost = vanished or bool(_MISSING & {*(w for w, _ in clause.words), *clause.unknown})
        none, denied = theme.determiner == "no", self.is_negated(clause)
        if (none and denied) or not (none or denied or lost):
            return None
        spots = self._spots_named(clause, roles)
        if theme.kind == "group" and none:
            return self._nothing_at(spots)
        if not self._may_be_away(clause, lost=lost):
            return None
        if self._is_person(theme, clause):
            return self._person_gone(theme, clause, spots, vanished=vanished)
        if not self.is_items(theme):
            return None
        return self._things_gone(theme, clause, roles, spots, lost=lost)

    @staticmethod
    def _is_vanished(clause: Clause, roles: Roles, theme: Mention) -> bool:
        """``vanished from the desk``; ``the desk lacks it``."""
        verb = clause.verb
        gone = ["vanish", "disappear"]
        if theme is not roles.actor:
            gone += ["go", "lack", "miss"]
        return verb is not None and verb.lemma in gone and not roles.goals

    def _may_be_away(self, clause: Clause, *, lost: bool) -> bool:
        """Return whether a verb, denied, says that something is not there."""
        verb = clause.verb
        stative = bool(self.classes(clause) & {"observe", "located", "hold"})
        return verb is None or verb.is_copula or stative or lost or verb.lemma == "stay"

    def _is_person(self, theme: Mention, clause: Clause) -> bool:
        verb = clause.verb
        observing = "observe" in self.classes(clause) and verb is not None and not verb.passive
        acted = verb is not None and bool(clause.objects)
        acted = (
            acted or observing
        )  # "I never heard of it": whoever hears nothing is there all the same
        return self.can_act(theme) and theme.kind != "several" and not acted

    def _nothing_at(self, spots: list[str]) -> list[Event]:
        """``there is nothing on the desk any more``."""
        things = tuple(self.house.items_at(spots))
        topic = self.discourse.now
        topic.group, topic.source = list(things), spots[0] if spots else topic.source
        return [Gone(things, tuple(spots))] if things else []

    def _person_gone(
        self, theme: Mention, clause: Clause, spots: list[str], *, vanished: bool
    ) -> list[Event] | None:
        """``Ana is not in the study``."""
        if not spots and not clause.places and not vanished:
            return None
        who = self._actor(theme)
        room = self.names.room_of(spots[0], self.effects.draft) if spots else None
        return [Leave(who, room)] if who is not None else None

    def _things_gone(
        self, theme: Mention, clause: Clause, roles: Roles, spots: list[str], *, lost: bool
    ) -> list[Event] | None:
        """``the mug is not on the desk``, ``Ana does not have it``."""
        verb, actor = clause.verb, roles.actor
        holding = verb is not None and (verb.lemma == "have" or "hold" in self.classes(clause))
        if holding and actor is not None and self._hand_or_agent(actor):
            who = self._agent(actor)
            if who is None:
                return None
            things = self.items(theme, clause, roles)
            self.discourse.now.released |= dict.fromkeys(things, who)
            return [Gone(things, (who,))]
        if not spots and not lost:
            return None
        things = self.items(theme, clause, roles)
        holders = filter(self.names.is_person, spots)
        self.discourse.now.released |= {t: who for who in holders for t in things}
        return [Gone(things, tuple(spots))]
