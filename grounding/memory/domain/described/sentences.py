"""Sentences of a text in segments that each tell one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.memory.domain.described.asking import Asking
from commonground.grounding.memory.domain.described.circumstances import without_circumstances
from commonground.grounding.memory.domain.described.doers import Doers
from commonground.grounding.memory.domain.described.excepting import (
    without_excepted,
    without_staying,
)
from commonground.grounding.memory.domain.described.named import NAME
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.phrases import Phrases
from commonground.grounding.memory.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.domain.described.quantified import Quantifiers, without_counts
from commonground.grounding.memory.domain.described.segment import PREPOSITIONS
from commonground.grounding.memory.domain.described.segments import segments_of
from commonground.grounding.memory.domain.words import Word, lemmas


class Sentences(Doers, Asking):
    """Splits the sentences of a text into segments."""

    def segments(self, sentence: Sequence[Word]) -> list[list[Part]]:
        """Return a sentence in segments of noun phrases and words; a task without when and what for."""
        parts = self.relatives.resolved(self._phrases(sentence))
        if self.task:
            parts, beside = without_circumstances(parts)
            if beside:
                self._speak_of(beside)
        parts = without_excepted(parts, self.referents)
        parts = self._unlabelled(self._of_whole(parts))
        return segments_of(parts, self.reader.sayings.is_deed, self._kin)

    def _phrases(self, sentence: Sequence[Word]) -> list[Part]:
        """Return a sentence in noun phrases and words."""
        phrases, words = (
            Phrases(self.reader.denoting, self.changes),
            plain_words(without_staying(sentence)),
        )
        words = self.reader.denoting.uncovered(words)
        parts = plain_parts(phrases.parts(without_counts(words)), self._kin)
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
            other, beyond = parts[at + 1], text_of(parts[at + 2] if at + 2 < len(parts) else None)
            if "join" not in lemmas(text_of(parts[at])) or not isinstance(other, Phrase):
                continue
            people = self.referents.candidates(other, self.telling.is_somebody)
            zone = self.changes.zone_of(people[0]) if len(people) == 1 else None
            if people and beyond in PREPOSITIONS:
                return [*parts[:at], Word("is"), *parts[at + 2 :]]
            if zone is not None:
                there = Phrase(other.words, {zone: NAME}, source=other.source)
                goes = text_of(parts[at - 1]) == "to"
                led = [] if goes else [Word("is"), Word("in")]
                return [*parts[:at], *led, there, *parts[at + 2 :]]
        return self._beside(parts)

    def _beside(self, parts: list[Part]) -> list[Part]:
        """Return parts with where something is that others are put in with: ``in with the cat``."""
        for at in range(len(parts) - 2):
            other = parts[at + 2]
            if [*map(text_of, parts[at : at + 2])] == ["in", "with"] and isinstance(other, Phrase):
                found = self.referents.candidates(other)
                where = self.changes.places_of(found[0]) if found else []
                if len(found) == 1 and len(where) == 1:
                    there = Phrase(other.words, {where[0]: NAME}, source=other.source)
                    return [*parts[: at + 1], there, *parts[at + 3 :]]
        return parts

    def _of_whole(self, parts: list[Part]) -> list[Part]:
        """Return parts with those of what is named first in its place: ``lock 1, upper gate closed``."""
        begins = next((n for n, p in enumerate(parts[:2]) if isinstance(p, Phrase)), 0)
        whole, mark, first = ([*parts, None, None, None])[begins : begins + 3]
        if not (isinstance(whole, Phrase) and isinstance(first, Phrase) and mark == Word(",")):
            return parts
        if len(whole.things) != 1 or self._calls([whole]) or not self._narrowed_to(first, whole):
            return parts
        rest = [
            replace(part, things=self._narrowed_to(part, whole) or part.things)
            if isinstance(part, Phrase) and _is_mark(parts[n - 1])
            else part
            for n, part in enumerate(parts)
        ]
        return [*rest[:begins], *rest[begins + 2 :]]

    def _narrowed_to(self, part: Phrase, whole: Phrase) -> dict[str, int]:
        """Return what is meant of the parts of a whole; nothing where it tells none apart."""
        found = {} if part.pronoun else self.referents.narrowed(part, whole, [])
        return found if len(found) < len(part.things) else {}

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


def _is_mark(part: Part) -> bool:
    return text_of(part) in (",", "and")
