"""Phrases with a noun: owners, colours, numbers and states before it."""

from __future__ import annotations

from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.words import (
    BE,
    DETERMINERS,
    FUNCTION_WORDS,
    GROUP_NOUNS,
    HAVE,
    NUMBERS,
    ORDINALS,
    PREPOSITIONS,
)
from commonground.grounding.memory.readers.grammar.phrases.modifiers import Modifiers
from commonground.grounding.words.nouns import word_set

_AFTER_NOUN = (
    BE
    | HAVE
    | frozenset(("in", "on", "at", "to", "into", "onto", "from", "off", "with", "under", "by"))
)
_SMALL_ADJECTIVES = word_set("very same own whole entire old little big small only single")


class Described(Modifiers):
    """Reads phrases that have a noun."""

    def _described(
        self, at: int, *, owner: Mention | None = None, counted: bool = False
    ) -> Mention | None:
        """A phrase with a noun, perhaps after a determiner and adjectives."""
        start, word = at, self.word(at)
        determiner = "every" if counted else ""
        shared = False
        if owner is None and word in DETERMINERS:
            determiner, at = word, at + 1
            shared = self.word(at) in self.meanings.file.shared_words
            at += shared
        group = self._whole_group(start, at, determiner, owner)
        if group is not None:
            return group
        found = self._described_noun(start, at, determiner, owner)
        if found is not None:
            found.shared = found.shared or shared
        return found

    def _whole_group(
        self, start: int, at: int, determiner: str, owner: Mention | None
    ) -> Mention | None:
        """``the other mugs``, ``the lot``, ``the contents``."""
        if self.word(at) in ("other", "remaining") and determiner == "the":
            group = self.word(at + 1) in GROUP_NOUNS or self._noun(at + 1)
            found = self._described_noun(start, at + 1, determiner, owner) if group else None
            if found is not None:
                found.other = found.every = True
                return found
        if not determiner or self.word(at) not in GROUP_NOUNS or self._noun_is_thing(at):
            return None
        found = Mention("group", "", start, at + 1, every=True, determiner="every", owner=owner)
        found.other = self.word(at) in ("rest", "remainder", "others")
        if self.word(at) in ("contents", "content"):
            found.head = ("contents",)
        return found

    def _described_noun(
        self, start: int, at: int, determiner: str, owner: Mention | None
    ) -> Mention | None:
        found = Mention("thing", "", start, at, determiner=determiner, owner=owner)
        found.indefinite = determiner in ("a", "an", "another", "some", "any")
        began = at
        at = self._adjectives(found, at)
        marked = bool(determiner) or owner is not None or at > began
        room = self._room_compound(at)
        if room is not None:
            found.where.append(("in", room))
            at = room.end
        size = self._noun(at)
        value = self._value(at)
        if value is not None and value[1] >= size and self._value_fits(value[0], at, size):
            found.kind, found.thing, found.end = "value", value[0], at + value[1]
            return found
        bare = not marked and room is None
        if size and bare and not self._may_stand_bare(at, size):
            return None
        if size:
            found.kind, found.thing = "thing", None
            found.head = tuple(self.words[at : at + size])
            found.plural = found.head in self.names.plurals
            found.end = at + size
            return found
        if self.word(at) in self.meanings.hands and marked:
            found.kind, found.end = "hand", at + 1
            return found
        if found.ordinal is not None and determiner:
            found.head, found.end = ("",), at
            return found
        return self._unknown(found, at)

    def _value_fits(self, key: str, at: int, size: int) -> bool:
        """A colour is no noun, unless nothing but it is said."""
        return not (key in self.names.attributes.values() and (size or self._noun(at + 1)))

    def _adjectives(self, found: Mention, at: int) -> int:
        """Take in colours, ordinals and states before the noun."""
        while self.word(at):
            word = self.word(at)
            size = self._attribute(at)
            longer = self._noun(at)
            if size and longer <= size:
                key = self.names.attributes[tuple(self.words[at : at + size])]
                found.attributes |= {key}
                at += size
            elif longer > 1:
                break
            elif word in ORDINALS and (found.determiner or found.owner or self._noun(at + 1)):
                found.ordinal = ORDINALS[word]
                at += 1
            elif (
                NUMBERS.get(word, 0) > 1
                and tuple(self.words[at + 1 : at + 2]) in self.names.plurals
            ):
                found.count = NUMBERS[word]
                at += 1
            elif word in _SMALL_ADJECTIVES:
                at += 1
            elif not longer and self._state_adjective(found, at):
                found.states += self.lexicon.states[word]
                at += 1
            else:
                break
        return at

    def _state_adjective(self, found: Mention, at: int) -> bool:
        """A state word stands before a noun.

        ``on crate 7`` begins with a preposition, ``the on switch`` does not.
        """
        word, after = self.word(at), at + 1
        marked = bool(found.determiner) or found.owner is not None
        if word not in self.lexicon.states or (word in PREPOSITIONS and not marked):
            return False
        return bool(self._noun(after))

    def _room_compound(self, at: int) -> Mention | None:
        """A room's name right before a noun: ``kitchen table``, ``Maya's bedroom door``."""
        for size in range(min(4, len(self.words) - at), 0, -1):
            things = self.names.called(tuple(self.words[at : at + size]))
            if any(self.names.is_room(t) for t in things) and not self._noun_longer(at, size):
                after = at + size
                if self._noun(after):
                    return Mention("thing", "", at, after, head=tuple(self.words[at : at + size]))
        return None

    def _may_stand_bare(self, at: int, size: int) -> bool:
        """Return whether a noun without determiner can be a phrase here."""
        word = self.word(at)
        known = self.names.called(tuple(self.words[at : at + size]))
        if size > 1 or (self.word(at + size) and self._is_room_noun(known)):
            return True
        plural = tuple(self.words[at : at + size]) in self.names.plurals
        return plural or not self.lexicon.lemmas(word) or min(known.values()) <= 1

    def _unknown(self, found: Mention, at: int) -> Mention | None:
        """A phrase whose noun nothing in this world is called."""
        end = at
        while end < at + 3 and self._unknown_noun(end, begun=end > at):
            end += 1
        named = end > at and (
            any(token.capital for token in self.tokens[at:end])
            or self.word(at) in self.lexicon.data["strangers"]
        )
        if end > at and at == 0 and self._is_strange(at) and self._is_verb(self.word(end)):
            named = found.capital = True
        if end == at:
            return None
        if not (found.determiner or found.owner or named):
            return None
        found.kind, found.end = "unknown", end
        found.head = tuple(self.words[at:end])
        return found

    def _unknown_noun(self, at: int, *, begun: bool) -> bool:
        word = self.word(at)
        if not word or word in FUNCTION_WORDS or word in NUMBERS or self.tokens[at].is_time:
            return False
        if self._person(at) is not None:
            return False
        forms = self.lexicon.forms_of(word)
        if begun and word in ("place", "spot", "position", "location", "home"):
            return True
        if begun and "base" in forms and "third" not in forms and self._article_before(at):
            return self.word(at + 1) in FUNCTION_WORDS or not self.word(at + 1)
        ends = not self.word(at + 1) or self.word(at + 1) in _AFTER_NOUN
        if begun and "base" in forms and ends:
            return True
        if begun and (forms or word.endswith("ed") or word in self.lexicon.states):
            return False
        return not forms & {"past"} or not begun

    def _article_before(self, at: int) -> bool:
        """Return whether ``a`` stands one or two words before."""
        return bool({"a", "an"} & {self.word(at - 1), self.word(at - 2), self.word(at - 3)})
