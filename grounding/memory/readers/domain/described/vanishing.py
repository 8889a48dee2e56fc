"""What is not where it was, and nobody says where it is: ``the key is gone``, ``it isn't there any more``."""

from __future__ import annotations

from collections.abc import Iterable

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    FILLING,
    FROM,
    NEGATIONS,
    alike,
    is_participle,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.said import Said, Understanding
from commonground.grounding.memory.readers.domain.described.segment import THERE, Role
from commonground.grounding.words.nouns import word_set

_ABSENT = word_set("gone missing vanished disappeared lost absent nowhere")
_FOUND = word_set("found seen be anywhere around")
"""What may be said with ``nowhere``, and of what is not there."""
_LITTLE = FILLING | NEGATIONS | _FOUND | THERE


class Vanishing(Understanding):
    """Finds what is nowhere any more that is known."""

    def _vanish(self, said: Said) -> bool:
        """Find the place that ends where all that is told of a thing is that it is not there."""
        segment = said.segment
        subjects = [
            r for r in segment.subjects() if not r.phrase.pronoun or r.phrase.pronoun == "it"
        ]
        if self.task or not subjects or not all(map(self._is_left, segment.roles)):
            return False
        left = self._has_left(said)
        if not (left or self._is_away(said) or self._is_taken(said)):
            return False
        placing = frozenset((*self.roles.positions, *self.roles.whereabouts))
        ended = self._held_by(subjects, self.roles.departing if left else placing)
        if left and len(ended) != 1:
            return False
        for role in segment.roles:
            role.used = True
        said.found.ended += ended
        said.found.words |= {*segment.words, *segment.verbs}
        return bool(said.found.ended)

    def _held_by(self, subjects: Iterable[Role], seats: Iterable[Seat]) -> list[Fact]:
        """Return the facts in which those stand at some arguments whom phrases mean."""
        things = (self.referents.pick(role.phrase, lambda _: True) for role in subjects)
        return [fact for of in things for thing in of for fact in self.changes.where(thing, seats)]

    def _has_left(self, said: Said) -> bool:
        """Return whether all that is told is that something departed, and no somebody."""
        segment = said.segment
        subjects = segment.subjects()
        off = "leave" in said.verbs or ("go" in said.verbs and "off" in segment.words)
        alone = len(segment.roles) == len(subjects) == 1 and not segment.negated
        if not (off and alone) or self.is_named_somebody(subjects[0]):
            return False
        rest = [
            w for w in segment.words if w not in FILLING | AUXILIARIES | {*segment.verbs, "off"}
        ]
        return all(map(says_nothing, rest))

    def _is_away(self, said: Said) -> bool:
        """Return whether words say no more than that something is not there."""
        segment = said.segment
        absent = {w for w in segment.words if w in _ABSENT}
        rest = {*segment.words} - _LITTLE - absent
        if segment.particles or not all(map(says_nothing, rest)) or self._is_state(absent):
            return False  # "gone out" is what lights are
        there = any(r.phrase.pronoun == "there" for r in segment.roles)
        return bool(absent) if not segment.negated else there and not absent

    def _is_state(self, words: Iterable[str]) -> bool:
        """Return whether a word is one of a state that is known here: ``gone`` of what is going."""
        own = [w for s in self.wording.sayings.all.values() for w in (s.word, *s.also)]
        return any(alike(word, state) for word in words for state in own)

    def _is_taken(self, said: Said) -> bool:
        """Return whether something was taken from where it was by nobody who is named."""
        segment = said.segment
        sources = [r for r in segment.roles if r.preposition in FROM]
        done = is_participle(segment.verb) and not AUXILIARIES.isdisjoint(segment.words)
        taken = segment.passive and said.verbs & {"take"} and done
        little = FILLING | {*segment.verbs}
        rest = [w for w in segment.words if w not in little]
        return bool(taken and sources and not segment.negated) and all(map(says_nothing, rest))

    def _is_left(self, role: Role) -> bool:
        """Return whether a phrase says what is gone, or where that was."""
        was = role.preposition in FROM or role.phrase.pronoun == "there"
        return was or (role.before_verb and not role.preposition)
