"""Reads the noun phrases of a sentence with the nouns of a world."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention, MentionKind
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import (
    BE,
    HAVE,
    PLACE_WORDS,
    POSSESSIVES,
    PREPOSITIONS,
    PRONOUNS,
)
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.readers.grammar.phrases.described import Described
from commonground.grounding.words.nouns import word_set

_HOLDING = word_set("holding carrying held carried had has have got with")
_BEHIND_ALL = word_set("over around about through along right day morning night alone")
"""``all over``, ``all day``: no amount of things."""
_STANDING = word_set("left lying still kept there stored currently sitting")


class PhraseReader(Described):
    """Reads phrases of one sentence: names, pronouns, quantities, descriptions."""

    def phrase(self, at: int) -> Mention | None:
        """Return the phrase that begins at a place, or None."""
        word = self.word(at)
        if not word:
            return None
        if (
            word in ("hand", "hands")
            and self.word(at - 1) == "in"
            and self.word(at + 1) not in self.meanings.hands
        ):
            return Mention("hand", word, at, at + 1)
        found = (
            self._free_relative(at)
            or self._named(at)
            or self._pronoun(at)
            or self._quantified(at)
            or self._described(at)
        )
        if found is not None:
            found.capital = found.capital or any(t.capital for t in self.tokens[at : found.end])
            self._followed(found)
            found.words = self._text(found.start, found.end)
        return found

    def _followed(self, found: Mention) -> None:
        """Take in what follows a phrase and belongs to it."""
        if found.kind in ("thing", "group", "unknown", "value"):
            self._modifiers(found)

    def _free_relative(self, at: int) -> Mention | None:
        """``what was in the mug``, ``everything that lay on the desk``, ``what Ana was carrying``."""
        start = at
        if self.word(at) in ("everything", "anything", "all", "things", "stuff") and (
            self.word(at + 1) in ("that", "which")
        ):
            at += 2
        elif self.word(at) in ("what", "whatever", "whichever"):
            at += 1
        else:
            return None
        person = self._person(at)
        if person is not None or self.word(at) in ("you", "he", "she", "i"):
            return self._carried(start, at, person)
        end = at
        while self.word(end) in BE | HAVE | _STANDING or (
            end == at and self._participle_of_place(self.word(end))
        ):
            end += 1
        if end == at:
            return None
        found = Mention("group", "", start, end, every=True, determiner="every")
        size = self._group_place(found, end, anything=True)
        if not size:
            return None
        found.end = end + size
        return found

    def _carried(self, start: int, at: int, person: tuple[str, int] | None) -> Mention | None:
        key, size = person if person is not None else ("", 1)
        kind: MentionKind = "pronoun" if person is None else "person"
        holder = Mention(kind, self._text(at, at + size), at, at + size, thing=key or None)
        holder.pronoun = PRONOUNS.get(self.word(at)) if person is None else None
        at += size
        while self.word(at) in BE | HAVE:
            at += 1
        if self.word(at) not in _HOLDING:
            if self.word(at - 1) not in ("had", "has", "have"):
                return None
            at -= 1
        at += 1
        return Mention("thing", "", start, at, head=("thing",), holder=holder, determiner="the")

    def _named(self, at: int) -> Mention | None:
        """A person by name; not where the name begins a possessive."""
        person = self._person(at)
        if person is None:
            return None
        key, size = person
        if self._is_possessive(at + size):
            owner = Mention("person", self._text(at, at + size), at, at + size, thing=key)
            return self._after_owner(owner, at + size + 1) or owner
        return Mention("person", self._text(at, at + size), at, at + size, thing=key)

    def _after_owner(self, owner: Mention, at: int) -> Mention | None:
        """What somebody's thing is."""
        found = self._described(at, owner=owner)
        if found is not None:
            found.start = owner.start
        return found

    def _pronoun(self, at: int) -> Mention | None:
        word = self.word(at)
        if word in PLACE_WORDS:
            return Mention("place word", word, at, at + 1, pronoun="there")
        if word in POSSESSIVES and (word != "her" or self._begins_noun(at + 1)):
            if word == "our":
                found = self._described(at + 1)
                if found is not None:
                    found.start, found.shared, found.determiner = at, True, "our"
                return found
            owner = Mention("pronoun", word, at, at + 1, pronoun=POSSESSIVES[word], possessive=True)
            hand = self.word(at + 1)
            if word in ("my", "his", "her", "their", "your") and hand in self.meanings.hands:
                return Mention("hand", self._text(at, at + 2), at, at + 2, owner=owner)
            return self._after_owner(owner, at + 1)
        if (
            word in ("this", "that", "these", "those", "one")
            and self._begins_noun(at + 1)
            and word != "one"
        ):
            return None
        if (
            word in PRONOUNS
            and word not in ("none", "nothing")
            and not (word == "one" and self._noun(at) > 1)
        ):
            found = Mention("pronoun", word, at, at + 1, pronoun=PRONOUNS[word])
            if self.word(at + 1) in ("all", "both") and PRONOUNS[word] in ("it", "they"):
                found.kind, found.every, found.end = "group", True, at + 2
            return found
        return None

    def _quantified(self, at: int) -> Mention | None:
        """``everything``, ``all of it``, ``the rest``, ``all the mugs``, ``nothing``."""
        word = self.word(at)
        if word in ("everything", "anything", "whatever", "nothing", "none"):
            kind: MentionKind = "group"
            found = Mention(
                kind, word, at, at + 1, every=True, determiner="no" if word[0] == "n" else "every"
            )
            while (
                self.word(found.end) in self.lexicon.states
                and self.word(found.end) not in PREPOSITIONS
            ):
                found.states += self.lexicon.states[self.word(found.end)]
                found.end += 1
            if word == "whatever":
                self._whatever(found)
            return found
        if word == "all" and self.word(at + 1) in _BEHIND_ALL:
            return None
        if word in ("all", "both", "each", "every", "no", "any"):
            return self._all_of(
                Mention(
                    "group",
                    word,
                    at,
                    at + 1,
                    every=True,
                    determiner="no" if word == "no" else "every",
                ),
                at + 1,
            )
        return None

    def _all_of(self, found: Mention, at: int) -> Mention | None:
        if self.word(at) == "of":
            at += 1
        if self.word(at) in ("it", "them", "this", "that", "these", "those") and not (
            self.word(at) not in ("it", "them") and self._begins_noun(at + 1)
        ):
            found.end = at + 1
            return found
        if self.word(at) == "but":
            return found
        inner = self._described(at, counted=True)
        if inner is None or inner.kind not in ("thing", "group", "unknown", "value"):
            return found if found.determiner == "every" and found.words in ("all", "both") else None
        inner.start, inner.every, inner.determiner = found.start, True, found.determiner
        return inner

    def _whatever(self, found: Mention) -> None:
        """``whatever was in the fridge``: read its place as that of the group."""
        at = found.end
        while self.word(at) in BE | HAVE | {"left", "lying", "still", "kept", "there"}:
            at += 1
        found.end = at


class NounPhrases:
    """Reads noun phrases with the nouns of a world."""

    def __init__(self, names: Names, lexicon: Lexicon) -> None:
        self.names = names
        self.lexicon = lexicon

    def parse(self, tokens: Sequence[Token], at: int) -> Mention | None:
        """Return the noun phrase that begins at a token, or None."""
        return PhraseReader(self.names, self.lexicon, tokens).phrase(at)
