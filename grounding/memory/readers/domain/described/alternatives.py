"""Choices that a task leaves: ``either the lamp or the heater``, ``any crate``, ``one of the two``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from commonground.grounding.memory.ontology.words import NEGATIONS, PERSONAL, Word, number_in
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.words.nouns import word_set

MOST = 12
"""Of more things nobody is given the choice: the phrase is no such one."""
_EITHER = frozenset(["either"])
_ANY = frozenset(["either", "any", "some"])
_ONE = frozenset(["a", "an", "one"])
_COUNTING = frozenset(
    ["at", "least", "one", "of", "the", "these", "those", "our", "either", "just", "only"]
)
_LEAVING = frozenset(["which", "whichever", "any", "either"])
_DENYING = NEGATIONS | word_set("none neither nobody nothing without nor if unless")
_LITTLE = word_set(
    "i we you do does not n't don't doesn't 't care mind matter to me us is are 's it that of them these "
    "those the two both one ones like want please will would be fine okay handy nearest free best up"
)
"""Words of an aside that leaves a choice, besides those that say so: ``I don't care which``."""


class Alternatives:
    """Finds in one world what the sentences of a task leave to choose."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting = denoting

    def of(self, sentence: Sequence[Word], changes: Changes) -> tuple[list[list[Word]], bool]:
        """Return a sentence with each in turn of what it leaves the choice from, and whether it names these.

        No sentence where it leaves none.
        """
        words, left = _without_asides(sentence)
        if not _DENYING.isdisjoint(w.text for w in words):
            return [], False  # "neither the lamp or the heater": both
        parts = Phrases(self.denoting, changes).parts(words)
        for at in range(1, len(parts) - 1):
            one, other = parts[at - 1], parts[at + 1]
            if text_at(parts, at) == "or" and _may_be_either(one, other):
                begin = at - 1 - (text_at(parts, at - 2) in _EITHER)
                ends = [*parts[:begin]], [*parts[at + 2 :]]
                return [_said([*ends[0], p, *ends[1]]) for p in (one, other)], True
        for at, part in enumerate(parts):
            start = _chosen_from(parts, at, left=left)
            if isinstance(part, Phrase) and start is not None and 1 < len(part.things) <= MOST:
                own = self.denoting.calling.own_words
                named = ([Word("the"), *map(Word, own[t])] for t in sorted(part.things))
                return [_said([*parts[:start], *n, *parts[at + 1 :]]) for n in named], False
        return [], False


def _may_be_either(one: Part, other: Part) -> bool:
    """Return whether two phrases name one thing or the other, and not all of two kinds."""
    both = (one, other)
    return all(isinstance(p, Phrase) and bool(p.things) and not p.every for p in both)


def _chosen_from(parts: Sequence[Part], at: int, *, left: bool) -> int | None:
    """Return where what says that any of some things will do begins; None where nothing says so."""
    part = parts[at]
    if not isinstance(part, Phrase) or part.every or part.pronoun:
        return None
    before = [*takewhile(bool, (text_at(parts, n) for n in range(at - 1, -1, -1)))]
    led = [*takewhile(lambda t: t in _COUNTING or number_in(t), before)][::-1]
    chosen = "of" in led and not {"one", "either", "any"}.isdisjoint(led)
    if chosen or {"at", "least", "one"} <= {*led}:
        return at - len(led)
    first = {*before[:1], *part.source[:1]}
    if part.is_plural:
        return None  # "some crates" are more than one
    if first & _ANY or (left and first & _ONE):
        return at - bool({*before[:1]} & (_ANY | _ONE))
    return None


def _without_asides(sentence: Sequence[Word]) -> tuple[list[Word], bool]:
    """Return a sentence without asides that leave a choice, or threaten, and whether any leaves one."""
    pieces: list[list[Word]] = [[]]
    for word in sentence:
        pieces += [[]] if word.text == "," else []
        pieces[-1].append(word)
    leaving = [n > 0 and _leaves_choice(_texts(p)) for n, p in enumerate(pieces)]
    kept = [
        word
        for n, piece in enumerate(pieces)
        if not (leaving[n] or (n > 0 and _threatens(_texts(piece))))
        for word in (piece[1:] if n > 0 and leaving[n - 1] else piece)
    ]
    return kept, any(leaving)


def _texts(piece: Sequence[Word]) -> list[str]:
    return [w.text for w in piece if w.text not in (",", ".", "!")]


def _threatens(texts: Sequence[str]) -> bool:
    """Return whether words only tell what happens otherwise: ``or they will complain``."""
    return texts[:1] == ["or"] and len(texts) > 1 and texts[1] in PERSONAL


def _leaves_choice(texts: Sequence[str]) -> bool:
    """Return whether words only say that it does not matter which: ``I don't care which``."""
    said = {t for t in texts if t.isalpha() or "'" in t}
    who = {*texts[:1]} if texts[1:2] in (["do"], ["does"], ["don't"], ["doesn't"]) else set()
    return bool(said & _LEAVING) and said <= _LEAVING | _LITTLE | who


def _said(parts: Sequence[Part]) -> list[Word]:
    return [*_words(parts)]


def _words(parts: Sequence[Part]) -> Iterator[Word]:
    for part in parts:
        yield from map(Word, part.source) if isinstance(part, Phrase) else (part,)
