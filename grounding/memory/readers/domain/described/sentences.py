"""Sentences of a text in segments that each tell one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.memory.ontology.words import Word, lemmas
from commonground.grounding.memory.readers.domain.described.asking import Asking
from commonground.grounding.memory.readers.domain.described.doers import Doers
from commonground.grounding.memory.readers.domain.described.excepting import (
    without_excepted,
)
from commonground.grounding.memory.readers.domain.described.named import NAME
from commonground.grounding.memory.readers.domain.described.phrase import (
    Part,
    Phrase,
    text_at,
    text_of,
)
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.readers.domain.described.quantified import (
    Quantifiers,
    without_counts,
)
from commonground.grounding.memory.readers.domain.described.segment import PREPOSITIONS
from commonground.grounding.memory.readers.domain.described.segments import segments_of


class Sentences(Doers, Asking):
    """Splits the sentences of a text into segments."""

    def segments(self, sentence: Sequence[Word]) -> list[list[Part]]:
        """Return a sentence in segments of noun phrases and words; a task without when and what for."""
        parts = self.relatives.resolved(self._phrases(sentence))
        if self._calls(parts[:1]) and text_at(parts, 1) == "," and not self._calls(parts[2:3]):
            parts[1] = Word(";")  # whom a sentence calls is in no list
        if self.task and text_at(parts, len(parts) - 2) == "," and self._calls(parts[-1:]):
            named = len(parts) > 2 and isinstance(parts[-3], Phrase) and not parts[-3].pronoun
            parts = parts if named else [parts[-1], Word(";"), *parts[:-2]]  # "..., Ann?"
        parts = without_excepted(parts, self.referents)
        parts = self._unlabelled(parts)
        return segments_of(parts, self.reader.sayings.is_deed, self._kin)

    def _phrases(self, sentence: Sequence[Word]) -> list[Part]:
        """Return a sentence in noun phrases and words."""
        phrases, words = (
            Phrases(self.reader.denoting, self.changes),
            plain_words(sentence),
        )
        said = phrases.parts(without_counts(words))
        parts = plain_parts(said, self._kin)
        gone = [p for p in said if isinstance(p, Phrase) and p not in parts and len(p.things) == 1]
        self.changes.denied.update(t for p in gone for t in p.things)
        parts = self._joined(Quantifiers(self.reader.denoting).resolved(parts))
        return [self._whose(parts, at) for at in range(len(parts))]

    def _whose(self, parts: Sequence[Part], at: int) -> Part:
        """Return a part, or what somebody has where only he is named: ``it goes on Ann's``."""
        part, before = parts[at], text_of(parts[at - 1]) if at else ""
        led = before in PREPOSITIONS and before != "of"
        if not (led and isinstance(part, Phrase) and part.owner and not part.pronoun):
            return part
        owners = self.referents.candidates(part, self.telling.is_somebody)
        own = [t for t in self.meant.kinds if any(self.referents.held(t, o) for o in owners)]
        whose = own and self._ends(parts[at + 1 : at + 2])
        return replace(part, things=dict.fromkeys(own, NAME), owner=False) if whose else part

    def _joined(self, parts: list[Part]) -> list[Part]:
        """Return parts with where somebody is by now who has joined another: where that one is."""
        for at in range(1, len(parts) - 1):
            other = parts[at + 1]
            if "join" not in lemmas(text_of(parts[at])) or not isinstance(other, Phrase):
                continue
            people = self.referents.candidates(other, self.telling.is_somebody)
            zone = self.changes.zone_of(people[0]) if len(people) == 1 else None
            if zone is not None:
                there = Phrase(other.words, {zone: NAME}, source=other.source)
                goes = text_of(parts[at - 1]) == "to"
                led = [] if goes else [Word("is"), Word("in")]
                return [*parts[:at], *led, there, *parts[at + 2 :]]
        return parts

    def _unlabelled(self, parts: list[Part]) -> list[Part]:
        """Return parts without the name of whose doings they list."""
        self.labelled = self._label(parts)
        if self.labelled:
            self.subject = parts[0] if isinstance(parts[0], Phrase) else None
            parts, self.agents = parts[2:], self.labelled
        return parts

    def _kin(self, one: Phrase, other: Phrase) -> bool:
        """Return whether two phrases may mean things of one type."""
        above = self.meant.roles.vocabulary.types.ancestors
        kinds = [{self.meant.kinds[t] for t in p.things} for p in (one, other)]
        lines = [{k for kind in of for k in (kind, *above(kind))} - {"object"} for of in kinds]
        return not (kinds[0] and kinds[1]) or bool(lines[0] & lines[1])
