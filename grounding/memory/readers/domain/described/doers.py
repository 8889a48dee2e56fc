"""Who does what a segment of a text tells."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.ontology.words import AUXILIARIES
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.described.text import Text, may_order

SOMEBODY = frozenset(["i", "we", "somebody", "someone"])
"""Who does something and may be anybody."""


class Doers(Text):
    """Finds who acts in the segments of a text."""

    def _agents(self, made: Segment) -> list[str]:
        """Return who acts: the subject, or that of the segment before where there is none."""
        subjects = made.subjects()
        if self._is_active(made, subjects):
            made.passive = False  # "she's set it down", "Ann opened the box"
        if not subjects and made.verbs and not self.task:
            return self._going_on(made)
        acting = [r for r in made.roles if r.preposition == "by"] if made.passive else subjects
        named = [person for role in acting for person in self._named(role)]
        return named or (self.labelled if made.passive or not made.verbs else [])

    def _going_on(self, made: Segment) -> list[str]:
        """Return who does what a segment without a subject tells, unless it may be anybody."""
        anybody = not SOMEBODY.isdisjoint(made.words)
        return [] if anybody else self.agents or self._last_doer(made)

    def _named(self, role: Role) -> list[str]:
        """Return who a phrase surely means: one, several of whom a pronoun speaks, or in a task all."""
        people = self.referents.candidates(role.phrase, self.telling.is_somebody)
        if role.phrase.is_group:
            return people if len(people) > 1 else []
        return people if len(people) == 1 or (self.task and role.phrase.every) else []

    def _last_doer(self, made: Segment) -> list[str]:
        """Return who did the last thing that was told, for a line that leaves out who does the next one."""
        if may_order(made.verb):
            return []
        last = next(iter(self.meant.discourse.recent("people")), None)
        objects = [self.referents.candidates(r.phrase) for r in made.objects()]
        here = None if last is None else self.changes.zone_of(last)
        near = all(any(self.changes.zone_of(t) == here for t in things) for things in objects)
        return [last] if last is not None and here is not None and near else []

    def _is_active(self, made: Segment, subjects: Sequence[Role]) -> bool:
        """Return whether what looks passive is what a subject does."""
        bare = not {*made.words} & AUXILIARIES
        acts = made.passive and (bool(made.objects()) or bare)
        return acts and any(map(self._may_act, subjects))

    def _may_act(self, role: Role) -> bool:
        """Return whether a phrase speaks of somebody."""
        phrase = role.phrase
        return phrase.pronoun in ("he", "she", "they") or any(
            map(self.telling.is_somebody, phrase.things)
        )

    def _label(self, parts: Sequence[Part]) -> list[str]:
        """Return who is named before a colon at the beginning of a sentence."""
        if len(parts) < 3 or text_of(parts[1]) != ":" or not self._calls(parts[:1]):
            return []
        name, theme = parts[0], next((p for p in parts[2:] if isinstance(p, Phrase)), None)
        zones = self.reader.denoting.roles.zones
        moves = theme is None or any(
            self.meant.roles.is_a(self.meant.kinds[t], zones) for t in theme.things
        )
        return [*name.things] if isinstance(name, Phrase) and not moves else []
