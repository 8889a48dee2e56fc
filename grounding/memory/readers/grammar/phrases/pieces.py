"""The words of a sentence, looked up in the names of a world."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import FUNCTION_WORDS, ORDINALS
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.spelling import common_words

_NEVER_OWNED = word_set("got been a the not in on at with just gone now")
"""What is said behind ``'s`` where it means ``is`` or ``has``."""


class Pieces(ABC):
    """The names, nouns and attributes that begin at a place in a sentence."""

    def __init__(self, names: Names, lexicon: Lexicon, tokens: Sequence[Token]) -> None:
        self.names = names
        self.meanings = names.meanings
        self.lexicon = lexicon
        self.tokens = tokens
        self.words = [token.text for token in tokens]

    def word(self, at: int) -> str:
        """Return a word, or an empty one beyond the end or at a mark."""
        return self.words[at] if 0 <= at < len(self.words) and not self.tokens[at].is_mark else ""

    def _is_possessive(self, at: int) -> bool:
        """Return whether ``'s`` here makes a possessive rather than ``is`` or ``has``."""
        if self.word(at) != "'s":
            return False
        after = self.word(at + 1)
        if not after or after in _NEVER_OWNED:
            return False
        if self._noun(at + 1) or after in ORDINALS or self._attribute(at + 1):
            return True
        forms = self.lexicon.forms_of(after)
        return (
            not forms & {"gerund", "participle", "past"} and after not in FUNCTION_WORDS
        ) or after == "own"

    def _noun(self, at: int) -> int:
        """Return how many words the longest known noun at a place has."""
        limit = min(self.names.longest + 1, len(self.words) - at)
        for size in range(limit, 0, -1):
            if self.names.called(tuple(self.words[at : at + size])):
                return size
        return 0

    def _attribute(self, at: int) -> int:
        for size in (3, 2, 1):
            if tuple(self.words[at : at + size]) in self.names.attributes:
                return size
        return 0

    def _person(self, at: int) -> tuple[str, int] | None:
        return self._longest(at, self.names.people)

    def _value(self, at: int) -> tuple[str, int] | None:
        return self._longest(at, self.names.values)

    def _longest(self, at: int, known: Mapping[tuple[str, ...], str]) -> tuple[str, int] | None:
        """Return what the longest row of known words at a place means, and its size."""
        rows = ((tuple(self.words[at : at + size]), size) for size in (3, 2, 1))
        return next(((known[row], size) for row, size in rows if row in known), None)

    def _text(self, start: int, end: int) -> str:
        return " ".join(self.words[start:end])

    @abstractmethod
    def phrase(self, at: int) -> Mention | None:
        """Return the phrase that begins at a place, or None."""

    def _begins_noun(self, at: int) -> bool:
        word = self.word(at)
        if not word or word in FUNCTION_WORDS - {"own", "other", "second"}:
            return False
        if self._noun(at) or self._attribute(at) or word in ORDINALS or word in self.meanings.hands:
            return True
        return word in self.lexicon.state_phrases._by_first or word not in self.lexicon.words()

    def _is_verb(self, word: str) -> bool:
        kinds = self.lexicon.forms_of(word)
        return bool(kinds & {"past", "third"})

    def _is_strange(self, at: int) -> bool:
        """Return whether a word is no everyday one."""
        word = self.word(at)
        return word.isalpha() and word not in self.lexicon.words() and word not in common_words()

    def _is_level(self, found: Mention) -> bool:
        known = self.names.called(found.head)
        return any(self.names.names[thing].whole is not None for thing in known)

    def _is_room(self, mention: Mention) -> bool:
        known = self.names.called(mention.head)
        return any(self.names.is_room(thing) for thing in known)

    def _is_room_noun(self, known: Mapping[str, int]) -> bool:
        return any(self.names.is_room(thing) for thing in known)

    def _all_items(self, found: Mention) -> bool:
        known = self.names.called(found.head)
        return bool(known) and all(map(self.names.is_item, known))

    def _participle_of_place(self, word: str) -> bool:
        if word in ("found", "seen", "located"):
            return True
        for lemma, forms in self.lexicon.lemmas(word).items():
            verb = self.lexicon.verb(lemma)
            if verb is None:
                continue
            if "gerund" in forms and verb.classes & {"located"}:
                return True
            if (
                "participle" in forms
                and verb.classes & {"place", "hold"}
                and lemma not in ("take", "return", "move", "have", "carry")
            ):
                return True
        return False

    def _preposition(self, at: int) -> tuple[str, int]:
        if [self.word(at + i) for i in range(3)] == ["on", "top", "of"]:
            return "on", 3
        return self.word(at), 1

    def _noun_is_thing(self, at: int) -> bool:
        """Return whether a noun such as ``lot`` is what something in this world is called."""
        return any(rank == 0 for rank in self.names.nouns.get((self.word(at),), {}).values())

    def _noun_longer(self, at: int, size: int) -> bool:
        return self._noun(at) > size
