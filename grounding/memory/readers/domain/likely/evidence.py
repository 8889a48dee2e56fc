"""How well the words of a segment fit a change: by the names of what it does, and by what is near these."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from commonground.grounding.knowledge.facts import FALSE, Fact
from commonground.grounding.memory.ontology.abbreviations import is_short, spelt
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.predicate_words import Sayings
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.ontology.words import (
    ENDED,
    FILLING,
    PARTICLES,
    alike,
    classes_of,
    lemmas,
    near,
    states_of,
    tells_same,
)
from commonground.grounding.memory.readers.domain.described.state_words import TURNING
from commonground.grounding.memory.readers.domain.likely.candidates import Candidate
from commonground.grounding.words.colors import names_color

SURE, STATED, CLASSED, DONE, NEAR, GLOSSED, ABOUT = 3.0, 2.5, 2.4, 2.3, 2.0, 1.5, 0.5
"""What a word counts that is one of a change, tells the same state, or means about the same."""
_CLOSE = 0.7
"""Words that are more alike, or opposite, than this may mean the same, or the contrary."""
_PHRASAL = 0.6
"""So much is enough for a verb with its particle, which means less by itself: ``burnt out``."""
_TAKING = frozenset(["take", "receive", "hold"])
_LETTING = frozenset(["place", "release", "leave", "transport"])
_GOING = frozenset(["go", "transport", "leave"])
_GIVING = frozenset(["give"])
_KNOWN = _TAKING | _LETTING | _GOING | _GIVING
"""The classes of verbs for moving things and oneself."""


@dataclass(frozen=True, slots=True)
class Label:
    """A word of the domain for a change, or for its contrary."""

    word: str
    holds: bool
    noun: bool = False
    """Whether it only says what has the state: the lamp that is green."""
    gloss: bool = False
    """Whether the comment on a predicate has it."""
    verb: bool = False
    """Whether it is what is done: nouns are not like it."""


class Evidence:
    """Weighs words of one domain."""

    def __init__(self, roles: Roles, sayings: Sayings) -> None:
        self.roles, self.sayings = roles, sayings
        self._glosses: dict[str, frozenset[str]] = {}

    def weight(self, word: str, candidate: Candidate, said: frozenset[str], *, verb: bool) -> float:
        """Return how much a word tells for a change, or against it; 0 where it tells nothing of that.

        ``said`` are all words beside it.
        """
        if word in PARTICLES:
            return 0.0
        particles = said & PARTICLES
        if word in ENDED:
            return DONE if candidate.deed is not None and candidate.news else 0.0
        found = [self._of(word, label, particles, verb=verb) for label in self.labels(candidate)]
        best, worst = max(found, default=0.0), min(found, default=0.0)
        best = self._of_verb(word, candidate, said, best) if verb else best
        return best if best > 0 else worst

    def _of_verb(self, word: str, candidate: Candidate, said: frozenset[str], best: float) -> float:
        """Return how much a verb tells for a change, given how much its words do."""
        classes = classes_of(word, said & PARTICLES)
        if best == STATED and lemmas(word) & TURNING:
            return 0.0  # what is made in Japan is not made anything
        if best == SURE:  # what is taken over is no sample taken
            lacking = candidate.deed is None and classes & _KNOWN
            return 0.0 if lacking and self._lacks_noun(candidate, said) else best
        if classes & self._doing(candidate):
            return CLASSED
        known = classes & _KNOWN and not lemmas(word) & TURNING
        return 0.0 if known else best

    def _lacks_noun(self, candidate: Candidate, said: frozenset[str]) -> bool:
        """Return whether what a change names besides its state is not said: ``taken`` without a sample."""
        nouns = (self.sayings.all[f.relation].nouns for f in (*candidate.made, *candidate.ended))
        return any(of and not any(alike(n, w) for n in of for w in said) for of in nouns)

    def labels(self, candidate: Candidate) -> Iterator[Label]:
        """Yield the words for what a change does, and for its contrary."""
        if candidate.deed is not None:
            yield from (
                Label(w, True, verb=n == 0) for n, w in enumerate(_telling(candidate.deed.name))
            )
        for made in candidate.made:
            yield from self._of_fact(made, holds=made.object != FALSE)
        for ended in candidate.ended:
            yield from self._of_fact(ended, holds=False)

    def _of_fact(self, fact: Fact, *, holds: bool) -> Iterator[Label]:
        saying = self.sayings.all[fact.relation]
        yield from (Label(w, holds) for w in {saying.word, *saying.also} - {""})
        yield from (Label(w, True, noun=True) for w in saying.nouns)
        yield from (Label(w, holds, gloss=True) for w in self._glossed(fact.relation))
        for names, begun in ((saying.begins, True), (saying.ends, False)):
            for name in names:
                same = begun == holds
                yield from (Label(w, same, verb=True) for w in name[:1] if w not in PARTICLES)

    def _glossed(self, relation: str) -> frozenset[str]:
        """Return the telling words of the comment on a predicate, without those for types."""
        known = self._glosses.get(relation)
        if known is None:
            kinds = {w for t in self.roles.vocabulary.domain.types for w in words_of(t.name)}
            text = self.roles.vocabulary.glosses.get(relation, "").lower()
            words = {w for w in re.findall(r"[a-z]+", text) if w not in FILLING | PARTICLES}
            known = frozenset(w for w in words if not any(alike(w, k) for k in kinds))
            self._glosses[relation] = known
        return known

    def _of(self, word: str, label: Label, particles: frozenset[str], *, verb: bool) -> float:
        """Return what a word tells of a label."""
        same = tells_same(word, label.word)
        if label.noun:
            return ABOUT if same else 0.0
        other = same is False or (names_color(word) and names_color(label.word))
        told = 1.0 if same else -1.0 if other else 0.0  # what is red is not green
        if told:
            told *= GLOSSED if label.gloss else SURE
        elif not label.gloss:
            told = self._about(word, label, particles, verb=verb)
        return told if label.holds else -told

    @staticmethod
    def _about(word: str, label: Label, particles: frozenset[str], *, verb: bool) -> float:
        """Return how far a word tells what a label does, or the contrary, by what it means."""
        own, told = states_of(label.word), states_of(word, particles)
        if {s.concept for s in own} & {s.concept for s in told}:
            return STATED if own & told else -STATED
        close = (
            near(word, label.word, particles if verb else frozenset())
            if verb or not label.verb
            else 0.0
        )
        least = _PHRASAL if verb and particles else _CLOSE
        return close * NEAR if abs(close) > least else 0.0

    def _doing(self, candidate: Candidate) -> frozenset[str]:
        """Return the classes of verbs that tell of a change."""
        held = {s.relation for s in self.roles.holding}
        ending = frozenset(["ending"]) if candidate.deed is not None else frozenset[str]()
        gets = any(f.relation in held for f in candidate.made)
        lets = any(f.relation in held for f in candidate.ended)
        if gets and lets:
            return ending | _GIVING | _TAKING
        if gets or lets:
            return ending | (_TAKING if gets else _LETTING)
        return ending | self._moving(candidate)

    def _moving(self, candidate: Candidate) -> frozenset[str]:
        """Return the classes of verbs that tell that something, or who acts, is somewhere else."""
        made, found = {f.relation for f in candidate.made}, frozenset[str]()
        if candidate.deed is None and made & {s.relation for s in self.roles.positions}:
            found |= _LETTING | _GOING | {"located"}
        if made & {s.relation for s in self.roles.whereabouts}:
            found |= _GOING if candidate.doer else _GOING | {"place"}
        return found


def _telling(name: str) -> list[str]:
    return [spelt(w) if is_short(w) else w for w in words_of(name) if w not in PARTICLES]
