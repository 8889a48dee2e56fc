"""Clauses that only say how what is told came about: ``it's shut, the drain is blocked``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import dropwhile

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.phrases import Phrases
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.described.segment import Segment, segment
from commonground.grounding.memory.domain.described.talk import casts_doubt
from commonground.grounding.memory.domain.described.wording import Wording
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.words import (
    COPULAS,
    NEGATIONS,
    PERSONAL,
    TITLES,
    Word,
    classes_of,
    near,
    tells_same,
)

_MARKS = frozenset([",", "-", "–", "—"])
_JOINING = frozenset(["and", "but", "or", "then"])
_WHY = frozenset(["so", "because", "as", "since"])
_MOVING = frozenset(["take", "place", "give", "release", "go", "leave", "transport", "hold"])
_CLOSE = 0.6
"""Words that are more alike, or opposite, than this may tell the same state, or its contrary."""


class Besides:
    """Finds clauses that tell nothing of their own beside another one in the same sentence."""

    def __init__(self, wording: Wording) -> None:
        self.wording, self.roles = wording, wording.roles

    def ways(
        self, sentences: Sequence[Sequence[Word]]
    ) -> Iterator[tuple[list[list[Word]], list[Word]]]:
        """Yield texts without one clause, with that: the last one, or what a result follows."""
        for at, sentence in enumerate(sentences):
            clauses = [*_clauses(sentence)]
            for kept, clause in _apart(clauses) if len(clauses) > 1 else ():
                words = [*dropwhile(_is_mark, (w for one in kept for w in one))]
                yield [*map(list, sentences[:at]), words, *map(list, sentences[at + 1 :])], clause

    def is_beside(self, clause: Sequence[Word], meant: Meant) -> bool:
        """Return whether a clause tells nothing that was not told beside it."""
        words = [w for w in clause if not _is_mark(w)]
        texts = [w.text for w in words]
        if casts_doubt(texts) or not {*texts}.isdisjoint(NEGATIONS | _JOINING):
            return False
        parts = Phrases(self.wording.denoting, meant.changes).parts(words)
        told = [*meant.changes.asserted, *meant.changes.retracted]
        about = {t for f in told for t in (f.subject, f.object)} & meant.kinds.keys()
        named = self._named(parts, meant)
        if named is None or not named <= about:
            return False
        made = segment([*parts], self.wording.sayings.is_deed)
        known = {f.relation for f in told}
        return self._touched(made, named or about) <= known and not _moves(made, told, named)

    def _named(self, parts: Sequence[Part], meant: Meant) -> set[str] | None:
        """Return what parts name besides who speaks; None where they have words that name nothing."""
        referents = Referents(meant, self.wording.denoting)
        phrases = [p for p in parts if isinstance(p, Phrase) and not p.pronoun]
        named = {t for p in phrases for t in (referents.candidates(p) or p.things)}
        own_words = self.wording.denoting.calling.own_words
        own = {w for t in {*named, meant.speaker or ""} for w in own_words.get(t, ())}
        said = {w for p in phrases for w in p.source} - own - TITLES
        return named - {meant.speaker or ""} if all(map(self.wording.says_little, said)) else None

    def _touched(self, made: Segment, about: Collection[str]) -> set[str]:
        """Return the relations of some things that words may tell of, but for where these are."""
        said = {*map(text_of, made.parts)} - {""}
        words = [t for t in said if not self.wording.says_little(t)]
        moving = {v for v in made.verbs if classes_of(v, made.particles) & _MOVING}
        kinds = {self.wording.denoting.calling.kinds[t] for t in about}
        placing = {s.relation for s in (*self.roles.positions, *self.roles.whereabouts)}
        return {
            relation
            for relation in self.roles.signatures.keys() - placing
            if any(self._fits(k, relation) for k in kinds)
            and any(self._tells(w, relation, moving=w in moving) for w in words)
        }

    def _fits(self, kind: str, relation: str) -> bool:
        ends = range(len(self.roles.signatures[relation].arguments))
        return any(self.roles.fits(kind, relation, at) for at in ends)

    def _tells(self, word: str, relation: str, *, moving: bool) -> bool:
        """Return whether a word is one for a relation or its contrary, or means about that."""
        saying = self.wording.sayings.all[relation]
        if moving:  # "put a new tube in"
            return tells_same(word, saying.word) is not None
        done = {name[0] for name in (*saying.begins, *saying.ends) if name}
        own = {saying.word, *saying.also, *saying.nouns, *done} - {""}
        bare = word.removeprefix("un")
        return self.wording.is_word_of(bare, relation) or any(
            tells_same(word, w) is not None or abs(near(word, w)) > _CLOSE for w in own
        )


def _moves(made: Segment, told: Sequence[Fact], named: Collection[str]) -> bool:
    """Return whether a clause moves what it speaks of, where it was not told where that is."""
    moving = any(classes_of(v, made.particles) & _MOVING for v in made.verbs)
    spoken = any(r.phrase.pronoun in PERSONAL for r in made.roles) or bool(named)
    return moving and spoken and all(f.is_property for f in told)


def _apart(clauses: Sequence[list[Word]]) -> Iterator[tuple[Sequence[list[Word]], list[Word]]]:
    """Yield clauses without the last one, and without the first one where a result follows that."""
    for kept, clause, after in (
        (clauses[:-1], clauses[-1], clauses[-1]),
        (clauses[1:], clauses[0], clauses[1]),
    ):
        texts = [w.text for w in after]
        if (clause is after or _is_result(texts)) and _JOINING.isdisjoint(texts[:2]):
            yield kept, clause


def _is_mark(word: Word) -> bool:
    return word.text in _MARKS | _WHY


def _is_result(texts: Sequence[str]) -> bool:
    """Return whether a clause tells how something is then: ``it is in the hall``, ``so it is dirty``."""
    said = [t for t in texts if t not in _MARKS | _WHY]
    so = not _WHY.isdisjoint(texts[:2])
    return so or (said[:1] != [] and said[0] in PERSONAL and not COPULAS.isdisjoint(said[:3]))


def _clauses(sentence: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the clauses of a sentence, each with the mark or the joining word before it."""
    clause: list[Word] = []
    for at, word in enumerate(sentence):
        after = sentence[at + 1].text if at + 1 < len(sentence) else ""
        begins = word.text in _MARKS or (word.text in _WHY - {"as"} and after in _BEGINNING)
        if begins and clause and not all(w.text in _MARKS for w in clause):
            yield clause
            clause = []
        clause.append(word)
    if clause:
        yield clause


_BEGINNING = PERSONAL | frozenset(["i", "we", "you", "the", "that", "this"])
"""What a clause begins with behind ``so`` or ``because``."""
