"""Which things of a world the words of a sentence name, with all that they may mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from commonground.grounding.knowledge.files import spoken
from commonground.grounding.memory.domain.roles import Roles, words_of
from commonground.grounding.memory.domain.shortened import is_short, meant, skipped, tells_deed
from commonground.grounding.memory.domain.words import (
    DETERMINERS,
    EVERY,
    FROM,
    OF_IT,
    PARTICLES,
    PERSONAL,
    TITLES,
    TO,
    Word,
    ordinal,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.names import Names, Words
from commonground.grounding.memory.names import words_of as name_words
from commonground.grounding.words.nouns import plural
from commonground.reading import whole_number

_SPELT = {"dr": "doctor", "prof": "professor", "mr": "mister"}
_HOLDING = frozenset(
    ["bag", "box", "bottle", "jar", "tin", "sack", "tube", "pack", "packet", "can"]
)
"""What a name ends with whose other words name what is in it."""
_NAMED = frozenset(["named", "called", ","])
_SMALL_WORDS = frozenset((word,) for word in PARTICLES | TO | FROM)
FULL, LAST, KIND, LIKE = range(4)
"""How directly words name a thing: by its name, by the end of it, by its type, or by a like noun."""


@dataclass(frozen=True, slots=True)
class Mention:
    """What some words of a sentence name."""

    words: Words
    things: tuple[str, ...]
    rank: int = FULL
    every: bool = False
    """All of the things are meant."""
    number: int | None = None
    """Of one of several in a row: ``third``."""
    pronoun: str = ""
    owner: bool = False
    """``'s`` follows, or it is ``its``."""

    @property
    def text(self) -> str:
        """Return the words as they were said."""
        return " ".join(self.words)


Element = Word | Mention


class Calling:
    """The names of a world's things, shortened in the ways people shorten them."""

    def __init__(self, names: Names, roles: Roles) -> None:
        self.names, self.roles = names, roles
        self.longest = 1
        self.kinds = {thing.id: thing.kind for thing in names.things.values()}
        self.own_words = _OwnWords(names)
        self._numbered: dict[Words, list[tuple[dict[str, list[str]], int, bool]]] = {}
        """Words before a number → things by it, how directly they name them, and whether many."""

    @cached_property
    def table(self) -> dict[Words, list[tuple[list[str], int, bool]]]:
        """Words → the things they name, how directly they do, and whether they are a plural.

        Things whose names differ by their last number only are one entry: a building has thousands.
        """
        table: dict[Words, list[tuple[list[str], int, bool]]] = {}
        for alike in self._alike().values():
            first = alike[0]
            number = _last_number(self.names.things[first].name)
            by_number: dict[str, list[str]] = {}
            for thing in alike if len(alike) > 1 else ():
                by_number.setdefault(_last_number(self.names.things[thing].name), []).append(thing)
            for words, rank, many in self._ways(first):
                self.longest = max(self.longest, len(words))
                if by_number and words[-1] == number:
                    self._numbered.setdefault(words[:-1], []).append((by_number, rank, many))
                elif not (by_number and words[-1].startswith(number)):  # no "drill 7s"
                    table.setdefault(words, []).append((alike, rank, many))
        return table

    def _alike(self) -> dict[tuple[str, str], list[str]]:
        """Return the things whose names differ by their last number only, those of one type together."""
        found: dict[tuple[str, str], list[str]] = {}
        for thing in self.names.things.values():
            if self.roles.is_a(thing.kind, self._inner):
                continue  # the level of a rack goes by its rack
            number = "" if self.is_person(thing.id) else _last_number(thing.name)
            stem = thing.name[: -len(number)] + " #" if number else thing.id
            found.setdefault((thing.kind, stem), []).append(thing.id)
        return found

    def _entry(self, said: Words) -> dict[str, tuple[int, bool]]:
        """Return what words name, how directly, and whether they are a plural."""
        found = [*self.table.get(said, ())]
        if said in self._ids:
            found.append(([self._ids[said]], FULL, False))
        numbered = self._numbered.get(said[:-1], ()) if len(said) > 1 else ()
        found += [(by.get(said[-1], []), rank, many) for by, rank, many in numbered]
        entry: dict[str, tuple[int, bool]] = {}
        for things, rank, many in found:
            for thing in things:
                if thing not in entry or (rank, many) < entry[thing]:
                    entry[thing] = (rank, many)
        return entry

    @cached_property
    def _ids(self) -> dict[Words, str]:
        """What things go by whose names say it in other words: ``n1`` for the first north house."""
        found = {_plain(spoken(thing)): thing for thing in self.kinds}
        return {words: t for words, t in found.items() if words and words != self.own_words[t]}

    def id_words(self, thing: str) -> Words:
        """Return the words of a thing's id where its name says it in others."""
        words = _plain(spoken(thing))
        return words if self._ids.get(words) == thing else ()

    def number_of(self, thing: str) -> int | None:
        """Return the number at the end of a thing's name."""
        return whole_number(self.own_words[thing][-1]) if self.own_words[thing] else None

    def _ways(self, thing: str) -> Iterator[tuple[Words, int, bool]]:
        """Yield the words that name a thing."""
        kind, words = self.kinds[thing], self.own_words[thing]
        yield words, FULL, False
        if self.is_person(thing):
            yield from self._of_person(words)
        else:
            yield from self._of_thing(words, kind)
        if self.roles.is_a(kind, self.roles.robots) and not self.is_person(thing):
            yield ("robot",), KIND, False
        for above in (kind, *self.roles.vocabulary.types.ancestors(kind)):
            if above != "object":
                yield from _numbers(tuple(words_of(above)), KIND)
        for noun in load_lexicon().nouns_like(words[-1]):
            if not self.is_person(thing):
                yield from _numbers(_plain(noun), LIKE)

    def _of_person(self, words: Words) -> Iterator[tuple[Words, int, bool]]:
        called = tuple(w for w in words if w not in TITLES and w not in self._type_words)
        for title, spelt in _SPELT.items():
            if title in words:
                yield (spelt,), LAST, False
                yield (spelt, *called), FULL, False
        if called and called != words:
            yield called, FULL, False
        for word in called:
            yield (word,), LAST, False

    def _of_thing(self, words: Words, kind: str) -> Iterator[tuple[Words, int, bool]]:
        if len(words) > 1 and words[-1] in words_of(kind):
            yield from _numbers(words[:-1], LAST)
        if len(words) > 1 and self.roles.is_a(kind, self.roles.zones):
            yield words[:-1], LIKE, False  # "customs" is the customs bay
        if len(words) > 1 and self.roles.is_animal(kind):
            yield from _numbers(words[:-1], KIND)
        if len(words) > 1 and words[-1] in _HOLDING:
            yield words[:-1], LIKE, False
        yield from ((spelt, FULL, False) for spelt in self._spelt_out(words))
        yield from self._of_kind_and_number(words, kind)
        for local in self._without_zone(words):
            yield from _numbers(local, LAST)
        yield from _ends(words)
        yield from _numbers(words, FULL)

    @staticmethod
    def _of_kind_and_number(words: Words, kind: str) -> Iterator[tuple[Words, int, bool]]:
        """Yield the type with the number that is part of a short name: ``line 3`` for ``l3``."""
        found = _CODE.fullmatch(words[-1])
        if found is not None and len(words) == 1:
            yield (*words_of(kind), found[1]), LAST, False

    def _spelt_out(self, words: Words) -> Iterator[Words]:
        """Yield a name with a word for one that is short for it: ``medicine`` for ``med``."""
        for at, word in enumerate(words):
            for whole in sorted(self._type_words) if len(word) > 2 else ():
                if whole.startswith(word) and whole != word:
                    yield (*words[:at], whole, *words[at + 1 :])

    def _without_zone(self, words: Words) -> Iterator[Words]:
        for size in range(1, len(words)):
            if words[:size] in self._zone_names:
                yield words[size:]

    @cached_property
    def _zone_names(self) -> frozenset[Words]:
        zones = (t for t, k in self.kinds.items() if self.roles.is_a(k, self.roles.zones))
        return frozenset(self.own_words[zone] for zone in zones)

    @cached_property
    def _inner(self) -> frozenset[str]:
        """Types of what names a spot together with what goes before it."""
        spots = self.roles.vocabulary.spots
        kinds = spots.kinds if spots is not None else ()
        return frozenset(kind for parts in kinds for types in parts[1:] for kind in types)

    @cached_property
    def _type_words(self) -> frozenset[str]:
        return frozenset(w for t in self.roles.vocabulary.domain.types for w in words_of(t.name))

    def is_person(self, thing: str) -> bool:
        """Return whether a thing is a person."""
        return self.roles.is_a(self.kinds[thing], self.roles.people)

    def is_named_for(self, thing: str, mention: Mention) -> bool:
        """Return whether the name of a thing has all the words of a mention: ``remote for Ann's TV``."""
        return thing in self.kinds and {*mention.words} - {"'s"} <= {*self.own_words[thing]}

    # ---- sentences ------------------------------------------------------------------------------

    def elements(self, words: Sequence[Word]) -> list[Element]:
        """Return a sentence with the longest names it has in place of their words."""
        found: list[Element] = []
        at = 0
        while at < len(words):
            mention, size = self._mention(words, at)
            if mention is None:
                found.append(words[at])
                at += 1
            else:
                person = len(mention.things) == 1 and self.is_person(mention.things[0])
                found = _without_kind(found, mention, person=person)
                found.append(mention)
                at += size
        return found

    def _mention(self, words: Sequence[Word], start: int) -> tuple[Mention | None, int]:
        """Return what is named at a place, with how many words."""
        at, every, number = _before_noun([w.text for w in words], start)
        size, entry = self._longest(words, at)
        if size == 0:
            return self._pronoun(words, start)
        said = tuple(w.text for w in words[at : at + size])
        best = min(rank for rank, _ in entry.values())
        things = tuple(t for t, (rank, _) in entry.items() if rank == best)
        many = all(entry[t][1] for t in things)
        if number is not None:
            things = tuple(t for t in things if self.number_of(t) == number)
        end = at + size
        owner = end < len(words) and words[end].text == "'s"
        mention = Mention(said, things, best, every or many, number, owner=owner)
        return mention, end - start + owner

    def _pronoun(self, words: Sequence[Word], at: int) -> tuple[Mention | None, int]:
        text = words[at].text
        if text not in PERSONAL:
            return None, 0
        named = self._longest(words, at + 1)[0]
        owner = text in OF_IT and (text != "her" or named > 0 or at + 1 < len(words))
        return Mention((text,), (), pronoun=text, owner=owner), 1

    def _longest(self, words: Sequence[Word], at: int) -> tuple[int, dict[str, tuple[int, bool]]]:
        most = 2 * self.longest if self.table else 0  # the table tells the longest
        texts = [w.text for w in words[at : at + most]]
        for size in range(len(texts), 0, -1):
            if texts[0] != "'s" and texts[size - 1] != "'s":
                entry = self._called(texts[:size])
                if entry:
                    return size, entry
        return 0, {}

    def _called(self, texts: Sequence[str]) -> dict[str, tuple[int, bool]]:
        """Return what some words name, together, apart or as the names of this world shorten them."""
        said = tuple(t for t in texts if t != "'s")
        if said in _SMALL_WORDS:
            return {}  # "the fan is off" does not speak of an office that is called so
        joined = tuple(" ".join(texts).replace(" 's", "s").split())
        apart = tuple(t.strip("'") for t in texts)
        ways = (said, joined, apart, self._in_short(said))
        return next((entry for way in ways if (entry := self._entry(way))), self._coded(said))

    def _coded(self, said: Words) -> dict[str, tuple[int, bool]]:
        """Return what a code names: ``sc 305`` a suitcase 305, where nothing else may be meant."""
        if len(said) != 2 or not is_short(said[0]) or whole_number(said[1]) is None:
            return {}
        found = [
            thing
            for thing in self.names.things
            if (own := self.own_words[thing])[-1:] == said[1:]
            and skipped(said[0], own[0]) is not None
        ]
        return {found[0]: (FULL, False)} if len(found) == 1 else {}

    def _in_short(self, said: Words) -> Words:
        """Return words as the names of this world shorten them."""
        return (
            tuple(w if tells_deed(w) else meant(w, self._shorts) for w in said)
            if self._shorts
            else ()
        )

    @cached_property
    def _shorts(self) -> frozenset[str]:
        """The words of names and types that are shortened."""
        names = (w for thing in self.names.things for w in self.own_words[thing])
        return frozenset(w for w in (*names, *self._type_words) if is_short(w))

    def owned(self, owner: Sequence[str], mention: Mention) -> Mention:
        """Return a mention that somebody owns: the things with one of his names in theirs, if any."""
        called = {w for o in owner for w in self.own_words[o]} - TITLES - self._type_words
        mine = tuple(t for t in mention.things if called & {*self.own_words[t]})
        return replace(mention, things=mine) if mine else mention


def _without_kind(found: list[Element], mention: Mention, *, person: bool) -> list[Element]:
    """Return elements without a kind before the name of one of it: ``a nurse named Ann``, ``the cat Tom``."""
    start = _unknown_kind(found)
    if start is not None:
        return found[:start]
    at = len(found)
    while at and isinstance(word := found[at - 1], Word) and word.text in _NAMED:
        at -= 1
    kind = found[at - 1] if at else None
    if not isinstance(kind, Mention) or kind.owner or len(mention.things) != 1:
        return found
    same = person and at < len(found) and kind.things == mention.things  # "the driver, Tom"
    one_of_it = mention.rank < KIND <= kind.rank and mention.things[0] in kind.things
    return found[: at - 1] if same or one_of_it else found


def _unknown_kind(found: Sequence[Element]) -> int | None:
    """Return where a kind that nothing is of begins before a name: ``a young man called Bo``."""
    said = [e.text if isinstance(e, Word) else "" for e in found]
    if said[-1:] not in (["named"], ["called"]):
        return None
    start = max((n for n, word in enumerate(said) if word in ("a", "an")), default=-1)
    return start if start >= 0 and all(said[start:]) else None


_CODE = re.compile(r"[a-z]{1,3}(\d+)")
_NUMBER = re.compile(r"(?<=\s)\d+$")


def _last_number(name: str) -> str:
    """Return the number a name ends with after other words, as it is written."""
    found = _NUMBER.search(name)
    return found[0] if found is not None else ""


class _OwnWords(dict[str, Words]):
    """The words of things' names, taken apart when they are asked for."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, thing: str) -> Words:
        self[thing] = found = _plain(self._names.things[thing].name)
        return found


def _plain(name: str) -> Words:
    words = tuple(w for w in name_words(name) if w != "'s")
    words = tuple(part for word in words for part in word.split("-"))
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words


def _ends(words: Words) -> Iterator[tuple[Words, int, bool]]:
    """Yield the ends of a name, with the number it may end with and without."""
    noun = words[:-1] if len(words) > 1 and whole_number(words[-1]) is not None else words
    for size in range(1, len(noun) + (noun != words)):
        yield from _numbers(noun[-size:], LAST)
        if noun != words:
            yield (*noun[-size:], words[-1]), LAST, False


def _numbers(words: Words, rank: int) -> Iterator[tuple[Words, int, bool]]:
    yield words, rank, False
    for many in {plural(" ".join(words)), " ".join(words) + "es"}:
        if many != " ".join(words):
            yield tuple(many.split()), rank, True


def _before_noun(texts: Sequence[str], start: int) -> tuple[int, bool, int | None]:
    """Return where a noun begins after its articles, whether all are meant, and an ordinal."""
    at, every, number = start, False, None
    while at < len(texts):
        text = texts[at]
        if text in EVERY:
            every = True
        elif number is None and ordinal(text) is not None:
            number = ordinal(text)
        elif text not in DETERMINERS and not (every and text in ("of", "two", "three")):
            break
        at += 1
    return at, every, number
