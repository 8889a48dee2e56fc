"""What stands after a noun and describes it: owners, exceptions, places, holders."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.tokens import Token
from commonground.grounding.memory.english.words import (
    BE,
    FUNCTION_WORDS,
    NUMBERS,
    ORDINALS,
    PLACE_WORDS,
)
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.spelling import common_words
from commonground.reading import whole_number

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


_BELONGING = frozenset(
    [
        ("belonging", "to"),
        ("belongs", "to"),
        ("owned", "by"),
        ("belonged", "to"),
        ("property", "of"),
    ]
)
_FIXTURE_LINKS = frozenset(
    ["there", "here", "in", "to", "at", "from", "inside", "into", "between", "on", "off"]
    + ["leading", "by", "within", "of", "for", "upstairs"]
)
_FILLERS = frozenset(["currently", "still", "now", "presently", "over", "up", "down", "around"])
_LOCATIVE = word_set("in on at inside within atop upon from into onto to off by up")


class Modifiers(Pieces):
    """Takes in what follows a noun."""

    def _modifiers(self, found: Mention) -> None:
        """Take in what stands after the noun and describes it."""
        while True:
            size = self._modifier(found, found.end)
            if not size:
                return
            found.end += size

    def _modifier(self, found: Mention, at: int) -> int:
        """Take in one modifier; return how many tokens it has, 0 for none."""
        return (
            self._ownership(found, at)
            or self._exception(found, at)
            or self._of(found, at)
            or self._room_of_fixture(found, at)
            or self._located(found, at)
        )

    def _ownership(self, found: Mention, at: int) -> int:
        """``belonging to Ben``, ``owned by Ben``, ``that belongs to Ben``, ``of Ben's``."""
        words = [self.word(at + i) for i in range(5)]
        skip = 1 if words[0] in ("that", "which") and words[1] else 0
        lead = words[skip:]
        mine = words[1] in ("mine", "yours", "hers", "his")
        size = 0
        if tuple(lead[:2]) in _BELONGING:
            size = 2
        elif lead[0] == "of" and not skip and (mine or self._person(at + 1)):
            size = 1
        return self._owner(found, at, skip + size) if size else 0

    def _owner(self, found: Mention, at: int, skip: int) -> int:
        """Take in who owns a thing; what is everyone's is shared."""
        inner = self.phrase(at + skip)
        if inner is None:
            return 0
        if inner.kind not in ("person", "pronoun"):
            found.shared = inner.words in ("everyone", "all")
            return inner.end - at if found.shared else 0
        found.owner = inner
        size = inner.end - at
        if self.word(inner.end) == "'s" and not self._is_possessive(inner.end):
            size += 1
        return size

    def _exception(self, found: Mention, at: int) -> int:
        """``except the mug``, ``but the mug``, ``apart from the mug``."""
        if not found.every:
            return 0
        skip = 1 if at < len(self.words) and self.words[at] == "," else 0
        lead = [self.word(at + skip + i) for i in range(4)]
        size = 0
        for phrase in (
            ("with", "the", "exception", "of"), ("except", "for"), ("apart", "from"), ("aside", "from"),
            ("other", "than"), ("save", "for"), ("but", "for"), ("but", "not"), ("though", "not"),
            ("except",), ("but",), ("save",),
            ("excluding",), ("bar",), ("barring",), ("minus",), ("besides",), ("not", "counting"),
            ("excepting",), ("not", "including"), ("leaving", "out"),
        ):  # fmt: skip
            if tuple(lead[: len(phrase)]) == phrase:
                size = len(phrase)
                break
        if not size:
            return 0
        inner = self.phrase(at + skip + size)
        if inner is None or inner.kind not in ("thing", "unknown", "pronoun"):
            return 0
        found.excluding.append(inner)
        return inner.end - at

    def _of(self, found: Mention, at: int) -> int:
        """``the contents of the fridge``, ``level two of the bookcase``, ``a cup of tea``."""
        if self.word(at) != "of":
            number = NUMBERS.get(self.word(at)) or whole_number(self.word(at))
            if number and found.kind == "thing" and self._is_level(found):
                found.ordinal = number
                return 1
            return 0
        inner = self.phrase(at + 1)
        if inner is None or (inner.kind == "group" and found.kind != "group"):
            return 0
        if inner.kind == "value":
            found.content = inner
        elif inner.kind in (
            "thing",
            "group",
            "place word",
            "pronoun",
            "unknown",
        ) and found.kind in ("thing", "group", "unknown"):
            found.where.append(("of", inner))
        else:
            return 0
        return inner.end - at

    def _room_of_fixture(self, found: Mention, at: int) -> int:
        """``the sink in the kitchen``, ``the door to the study``, ``the one next to the garage``."""
        word = self.word(at)
        if found.kind == "value" or word not in _FIXTURE_LINKS:
            return 0
        if found.kind == "group" or (found.every and self._all_items(found)):
            return self._group_place(found, at) if not found.where else 0
        leading = word == "leading"
        if word in PLACE_WORDS or (leading and self.word(at + 1) not in ("to", "into")):
            return 0
        if not self._may_have_room(found, word):
            return 0
        inner = self.phrase(at + 1 + leading)
        if inner is None or inner.kind not in ("thing", "place word"):
            return 0
        if not self._may_be_room_of(found, inner, word):
            return 0
        found.where.append(("in" if word != "between" else "to", inner))
        end = inner.end
        return end - at

    def _may_have_room(self, found: Mention, word: str) -> bool:
        """Return whether a thing is a fixture, which a room can tell from others; a door for ``to``."""
        names, known = self.names, self.names.called(found.head)
        door = any(names.names[t].rooms for t in known)
        if word in ("to", "into", "between", "leading", "for", "by") and not door:
            return False
        if word == "from" and not self._is_level(found):
            return False
        fixed = any(names.is_fixture(t) or names.is_place(t) for t in known)
        return fixed and not all(map(names.is_item, known))

    def _may_be_room_of(self, found: Mention, inner: Mention, word: str) -> bool:
        """Return whether a phrase is the room of a fixture, or the shelf of a level."""
        if inner.kind != "thing" or self._is_room(inner):
            return True
        whole = any(map(self.names.is_whole, self.names.called(inner.head)))
        within = word in ("on", "in", "of", "at", "inside")
        return self._is_level(found) and whole and inner.ordinal is None and within

    def _group_place(self, found: Mention, at: int, *, anything: bool = False) -> int:
        """``everything on the sofa``; but not the goal of ``everything into the box``."""
        word = self.word(at)
        if word in PLACE_WORDS:
            found.where.append(("in", Mention("place word", word, at, at + 1, pronoun="there")))
            return 1
        if word not in ("in", "on", "at", "inside", "within", "from", "off", "of", "atop", "upon"):
            return 0
        inner = self.phrase(at + 1)
        if inner is None or inner.kind not in ("thing", "place word"):
            return 0
        known = self.names.called(inner.head)
        if inner.kind == "thing" and not anything and all(map(self.names.is_item, known)):
            return 0
        found.where.append((word, inner))
        return inner.end - at

    def _located(self, found: Mention, at: int) -> int:
        """``kept on the shelf``, ``which is in the sink``, ``lying there``: a place that describes."""
        start, relative = at, self.word(at) in ("that", "which")
        if relative:
            if self.word(at + 1) not in BE:
                return 0
            at += 3 if self.word(at + 2) == "been" else 2
        at = self._skipped(at)
        if self._participle_of_place(self.word(at)):
            at += 1
        elif not relative:
            return 0
        at = self._skipped(at)
        prep, size = self._preposition(at)
        if prep not in _LOCATIVE:
            return 0
        inner = self.phrase(at + size)
        if inner is None or inner.kind not in ("thing", "place word"):
            return 0
        if inner.kind == "thing" and all(
            self.names.is_item(t) for t in self.names.called(inner.head)
        ):
            return 0
        found.where.append((prep, inner))
        return inner.end - start

    def _skipped(self, at: int) -> int:
        """Return the first place from here on that is no mere filler."""
        while self.word(at) in _FILLERS:
            at += 1
        return at
