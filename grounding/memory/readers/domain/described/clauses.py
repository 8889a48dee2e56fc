"""A text read clause by clause, as it stands: each by itself, and none in other words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, takewhile

from commonground.grounding.memory.interpretation.unclear import NOTHING, Unclear
from commonground.grounding.memory.ontology.words import AUXILIARIES, Word, lemmas, states_of
from commonground.grounding.memory.readers.domain.described.account import Account
from commonground.grounding.memory.readers.domain.described.named import EXACT
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.readers.domain.described.said import Said
from commonground.grounding.memory.readers.domain.described.segment import (
    PREPOSITIONS,
    Segment,
    is_main_verb,
)

_JOINING = frozenset([",", "and"])
_MARKS = _JOINING | {";", ":", ".", "-", "–", "—", "!", "but", "then", "so", "while"}
_RELATIVE = frozenset(["that", "which", "who", "whom", "whose", "where", "when"])
_MOST = 3
"""So many phrases of one clause are tried as words that name nothing."""


class ByClauses(Account):
    """Takes in one text clause by clause."""

    bare: frozenset[str] = frozenset()
    """The words of the clause being read that are in no phrase."""

    def segments(self, sentence: Sequence[Word]) -> list[list[Part]]:
        """Return a sentence in clauses: a list is one, and so is what begins with a preposition."""
        phrases = Phrases(self.reader.denoting, self.changes)
        parts = plain_parts(phrases.parts(plain_words(sentence)), self._kin)
        if not _RELATIVE.isdisjoint(map(text_of, parts)):
            raise Unclear(NOTHING)  # it narrows a phrase
        found: list[list[Part]] = [[]]
        for at, part in enumerate(parts):
            if text_of(part) not in _MARKS:
                found[-1].append(part)
            elif self._begins(found[-1], parts, at):
                found.append([])
            elif found[-1] and text_of(part) in _JOINING:
                found[-1].append(Word("and"))
        return [clause for clause in found if clause]

    def _begins(self, before: Sequence[Part], parts: Sequence[Part], at: int) -> bool:
        """Return whether a clause begins behind a mark or a joining word."""
        if not self._tells(before):
            return False
        rest = [*takewhile(lambda p: text_of(p) not in _MARKS, parts[at + 1 :])]
        first, last = [*rest[:1], None][0], before[-1]
        listed = isinstance(first, Phrase) and isinstance(last, Phrase) and self._kin(last, first)
        return self._tells(rest) or not (
            (listed and len(rest) == 1) or text_of(first) in PREPOSITIONS
        )

    def _tells(self, parts: Sequence[Part]) -> bool:
        """Return whether there is a verb among parts."""
        is_deed = self.reader.sayings.is_deed
        return any(
            text_of(p) in AUXILIARIES or is_main_verb(parts, n, is_deed)
            for n, p in enumerate(parts)
        )

    def _variants(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a clause as it is, and with the words of phrases in their place that may name nothing."""
        self.bare = frozenset(map(text_of, parts))
        weak = [n for n in range(len(parts)) if self._may_be_words(parts, n)][:_MOST]
        for chosen in (c for size in range(len(weak) + 1) for c in combinations(weak, size)):
            yield [
                word
                for n, p in enumerate(parts)
                for word in (map(Word, p.source) if n in chosen and isinstance(p, Phrase) else [p])
            ]

    def _take(self, said: Said) -> None:
        """Take in what a clause tells; Unclear where words that may name nothing tell no state."""
        known = self.reader.wording.says_little
        left = {w for w in said.segment.words if not known(w)} - self.bare
        states = any(f.is_property for f in said.found.made)
        if left and not (states and left <= said.found.words):
            raise Unclear(f"what does '{min(left)}' mean in that?")
        super()._take(said)

    def _may_be_words(self, parts: Sequence[Part], at: int) -> bool:
        """Return whether a phrase is no whole name, and has a word for a state: ``stone cold``."""
        phrase = parts[at]
        if not isinstance(phrase, Phrase) or phrase.pronoun or phrase.owner:
            return False
        if phrase.source[:1] == ("the",) and self.reader.sayings.nouns.isdisjoint(phrase.words):
            return False  # "the book" is not booked
        if min(phrase.things.values(), default=EXACT + 1) == EXACT:
            return False
        return any(map(self._tells_state, phrase.source))

    def _tells_state(self, word: str) -> bool:
        own = self.reader.wording.own_words
        return bool(states_of(word)) or any(lemmas(word) & of for of in own.values())

    def _reworded(self, _parts: Sequence[Part]) -> Iterator[list[Part]]:
        yield from ()

    def _to_tell(self, pending: list[Part], last: Sequence[Part], made: Segment) -> list[Part]:
        return [] if self._leaves(made) else pending

    def _check_begun(
        self, pending: Sequence[Part], made: Segment, question: Unclear | None
    ) -> None:
        if question is not None and pending:
            raise question
