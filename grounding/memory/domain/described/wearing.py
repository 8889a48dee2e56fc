"""What somebody, or an animal, has on: clothes, a harness, a saddle."""

from __future__ import annotations

from itertools import product

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.deeds import Seat, words_of
from commonground.grounding.memory.domain.described.said import (
    GETTING,
    OBTAINING,
    TAKING,
    Said,
    Understanding,
)
from commonground.grounding.memory.domain.described.segment import Segment
from commonground.grounding.memory.domain.finding import fact
from commonground.grounding.memory.domain.words import alike, lemmas


class Wearing(Understanding):
    """Finds who has a thing on, and what was taken off."""

    def _wear(self, said: Said) -> bool:
        """Find who has a thing on now: it is no longer where it was."""
        seats = self._put_on(said)
        for theme, agent, seat in product(
            self.themes(said.segment), self._wearers(said) if seats else (), seats
        ):
            fits = self.roles.fits(self.kinds[agent], seat.relation, seat.other)
            if fits and not (theme.used or theme.preposition) and self._may(theme, seat, said):
                things = self._pick(theme, seat, said)
                said.found.made += [fact(seat, t, agent) for t in things]
                said.found.ended += [f for t in things for f in self._before(t)]
                theme.used = True
        if said.found.made:
            self._heard(said)
        return bool(said.found.made)

    def _put_on(self, said: Said) -> list[Seat]:
        """Return the relations in which things are worn, where somebody put one on, or has one on."""
        segment = said.segment
        goes = any(r.preposition for r in segment.roles)
        puts = bool(said.verbs & (TAKING | {"place"})) and not goes and not is_taken_on(segment)
        on = "on" in segment.words and (puts or self._is_having(segment))
        return self._worn() if on else []

    def _is_having(self, segment: Segment) -> bool:
        """Return whether a segment tells that somebody has something, without another verb."""
        words = GETTING if self.task else OBTAINING
        has = not segment.verbs and not segment.has_had
        return has and not words.isdisjoint(segment.words)

    def _wearers(self, said: Said) -> list[str]:
        """Return who has a thing on: who acts, or the animal that a segment is about."""
        if said.agents:
            return said.agents
        return [t for r in said.segment.subjects()[:1] for t in self.referents.candidates(r.phrase)]

    def _worn(self) -> list[Seat]:
        """Return the relations in which somebody, or an animal, has a thing on."""
        worn = (r for r in self.roles.binary if any(alike(w, "wear") for w in words_of(r)))
        return [Seat(r, at) for r in worn for at in (0, 1)]

    def _before(self, thing: str) -> list[Fact]:
        """Return where a thing was, or in whose hands, that somebody puts on."""
        placing = sorted(self.roles.positions | self.roles.holding, key=str)
        return [] if self.task else [*self.changes.where(thing, placing)]

    def _taken_off(self, said: Said) -> None:
        """Find that nobody has on any longer what he took off."""
        if self.task or "off" not in said.segment.particles or "take" not in said.verbs:
            return
        worn = {s.relation for s in self._worn()}
        pairs = {(f.subject, f.object) for f in said.found.made}
        joined = (f for a, b in sorted(pairs) for f in self.changes.between(a, b))
        said.found.ended += dict.fromkeys(f for f in joined if f.relation in worn)


def is_taken_on(segment: Segment) -> bool:
    """Return whether somebody takes a thing on: then he has it not in his hands."""
    return "on" in segment.words and "take" in lemmas(segment.verb)
