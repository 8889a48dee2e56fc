"""Frames of things and people that are not, or no longer, where they were."""

from __future__ import annotations

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Phrase
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.readers.grammar.frames.situation import (
    GOALS,
    SOURCES,
    Roles,
    Situation,
)

_MISSING = frozenset(["missing", "gone", "absent", "nowhere"])
_PLACED = frozenset(["thing", "place word", "person", "pronoun", "hand"])
"""Kinds of phrases that can name where something is."""


class AbsenceFrames(Situation):
    """Something is not, or no longer, where it was."""

    def _absence(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """Something is not, or no longer, where it was."""
        theme = roles.theme or roles.actor
        if theme is None or "back" in clause.particles:
            return None
        vanished = self._is_vanished(clause, roles, theme)
        lost = vanished or bool(_MISSING & {*(w for w, _ in clause.words), *clause.unknown})
        none, denied = theme.determiner == "no", self.is_negated(clause)
        if (none and denied) or not (none or denied or lost):
            return None
        spots = self._spots_named(clause)
        if theme.kind == "group" and none:
            return self._nothing_at(spots)
        if not self._may_be_away(clause, lost=lost):
            return None
        if self._is_person(theme, clause):
            told = bool(spots or clause.places or vanished)
            return [self._not_at(self.agent(theme), spots)] if told else None
        return self._things_gone(theme, clause, roles, spots, lost=lost)

    @staticmethod
    def _is_vanished(clause: Clause, roles: Roles, theme: Mention) -> bool:
        """``vanished from the desk``; ``the desk lacks it``."""
        gone = ["vanish", "disappear"]
        if theme is not roles.actor:
            gone += ["go", "lack", "miss"]
        return clause.lemma in gone and not roles.goals

    def _may_be_away(self, clause: Clause, *, lost: bool) -> bool:
        """Return whether a verb, denied, says that something is not there."""
        verb = clause.verb
        stative = bool(self.classes(clause) & {"observe", "located", "hold"})
        return verb is None or verb.is_copula or stative or lost or verb.lemma == "stay"

    def _is_person(self, theme: Mention, clause: Clause) -> bool:
        """Return whether somebody is away; whoever hears nothing is there all the same."""
        verb = clause.verb
        observing = "observe" in self.classes(clause) and verb is not None and not verb.passive
        acted = observing or (verb is not None and bool(clause.objects))
        return self.can_act(theme) and theme.kind != "several" and not acted

    def _spots_named(self, clause: Clause) -> list[Mention]:
        """Return the phrases for where something is or is not, or who has it."""
        near = [m for p, m in clause.places if p in GOALS | SOURCES | {"with"}]
        near = [m for m in near if m.kind in _PLACED]
        theres = (*clause.objects, *([clause.subject] if clause.subject else []))
        return [
            *(m for m in near if self.is_hand_or_agent(m) or self._may_be_spot(m)),
            *(m for m in theres if m.kind == "place word"),
        ]

    def _may_be_spot(self, mention: Mention) -> bool:
        return mention.kind == "place word" or self.mentions.may_be(mention, self.house.is_fixed)

    def _nothing_at(self, spots: list[Mention]) -> list[Said]:
        """``there is nothing on the desk any more``."""
        where = self.place(spots[0]) if spots else None
        if not isinstance(where, Phrase):
            return []
        self.source = where
        return [Said("take", "tell", theme=Phrase(everything=True, located=where), source=where)]

    def _not_at(self, theme: Phrase | None, spots: list[Mention]) -> Said:
        where = self.place(spots[0]) if spots else None
        return Said("be at", "tell", theme=theme, location=where, negated=True)

    def _things_gone(
        self, theme: Mention, clause: Clause, roles: Roles, spots: list[Mention], *, lost: bool
    ) -> list[Said] | None:
        """``the mug is not on the desk``, ``Ana does not have it``."""
        if not self.is_items(theme):
            return None
        things = self.items(theme, clause, roles)
        holding = clause.lemma == "have" or "hold" in self.classes(clause)
        held = [m for m in spots if self.is_hand_or_agent(m)]
        if holding and roles.actor is not None and self.is_hand_or_agent(roles.actor):
            held = [roles.actor]
        who = self.holder(held[0]) if held else None
        if who is not None:
            self.releases(theme, who)
            return [Said("have", "tell", agent=who, theme=things, negated=True)]
        if not spots and not lost:
            return None
        where = self.place(spots[0]) if spots else None
        return [Said("take", "tell", theme=things, source=where)]
