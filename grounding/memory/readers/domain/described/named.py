"""Which things of a world a noun may name: by their names, their types, or nouns above these."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cached_property, lru_cache

from commonground.grounding.knowledge.spots import kind_of
from commonground.grounding.memory.ontology.abbreviations import is_short, left_out, tells_deed
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.predicate_names import SOMEBODY
from commonground.grounding.memory.ontology.predicate_words import Sayings
from commonground.grounding.memory.ontology.words import (
    FILLING,
    GENERAL,
    TITLES,
    is_verb,
    number_in,
    ordinal,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.calling import Calling
from commonground.grounding.memory.readers.domain.described.nouns_above import (
    doers_of,
    halves_of,
    is_compound,
    senses_above,
    senses_of,
    synonyms,
)
from commonground.grounding.memory.readers.domain.lookalikes import Kin, OfFirst, is_numbered
from commonground.grounding.words.nouns import singulars, word_set

EXACT, NAME, TYPE, LIKE, RELATED = range(5)
"""How directly a word speaks of a thing: by its name, a part of it, its type, a like noun, or a fact."""
_PEOPLE = SOMEBODY | word_set("lady gentleman fellow guy chap bloke boy girl lad colleague")
_CREATURES = word_set("fellow guy chap boy girl lad lady gentleman creature animal")
"""What animals are called, too."""
_MACHINES = frozenset(["robot", "agent", "vehicle", "machine", "drone", "truck"])
_TITLES = {"dr": "doctor", "prof": "professor", "doctor": "doctor", "professor": "professor"}
_PIECES = re.compile(r"[a-z]+|\d+")


class Named:
    """Tells what nouns may name in one world."""

    def __init__(self, calling: Calling, sayings: Sayings) -> None:
        self.calling, self.sayings, self.roles = calling, sayings, calling.roles
        self._known: dict[str, dict[str, int]] = {}
        spots = self.roles.vocabulary.spots
        made = {kind_of(kinds) for kinds in spots.kinds} if spots is not None else set()
        self.spots = frozenset(calling.of_kinds(made.__contains__))
        """What is made of several things; it goes by these."""

    # ---- nouns ------------------------------------------------------------------------------------

    def noun(self, word: str) -> Mapping[str, int]:
        """Return what a word may name, and how directly it does."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._named(word)
        return known

    def _named(self, word: str) -> dict[str, int]:
        if word in GENERAL:
            return {}
        forms = {word, *singulars(word)}
        short = set() if tells_deed(word) or states_of(word) else self._short(forms)
        like = ({form for w in forms for form in synonyms(w)} | doers_of(word)) - forms
        found = self._ranked(forms, short, like, senses_of(word))
        if not found and not tells_deed(word):
            single = len(senses_of(word)) == 1
            found = self._ranked(set(), set(), self._short(like) if single else set(), frozenset())
        if forms & self.stated or says_nothing(word):  # a lid is a part, "afterwards" no ward
            found = {thing: rank for thing, rank in found.items() if rank <= TYPE}
        return found

    @cached_property
    def stated(self) -> frozenset[str]:
        """The words of states: ``lid`` and ``open`` of ``lid_open``, ``sea`` of ``at_sea``."""
        signatures = self.roles.signatures
        said = [s for r, s in self.sayings.all.items() if signatures[r].is_property]
        return frozenset(w for s in said for w in (s.word, *s.nouns) if w)

    def _short(self, words: set[str]) -> set[str]:
        """Return what words are shortened to in names: what leaves out the fewest of their sounds."""
        found: set[str] = set()
        for word in filter(str.isalpha, words):
            names, said = (
                {s: left for s in of if (left := left_out(s, word)) is not None}
                for of in (self._shorts, self._said_shortly)
            )
            if min(said.values(), default=len(word)) >= min(names.values(), default=0):
                found |= {s for s, left in names.items() if left == min(names.values())}
        return found

    def _ranked(
        self, forms: set[str], short: set[str], like: set[str], senses: frozenset[tuple[int, int]]
    ) -> dict[str, int]:
        """Return how directly words speak of things: looked at once for all that are called alike."""
        found: dict[str, int] = {}
        of = self._telling(forms, short, like, senses)
        for kin in of:
            rank = self._rank(kin.first, forms, short, like, senses)
            if rank is not None and kin.first not in self.spots:
                found |= dict.fromkeys(kin.things, rank)
        numbered = [t for w in forms for t in self._numbers.get(w, ()) if t not in self.spots]
        found |= dict.fromkeys(numbered, NAME)
        if len(of) < 2 and not numbered:
            return found
        return {thing: found[thing] for thing in self.calling.kindred.in_order(found)}

    def _telling(
        self, forms: set[str], short: set[str], like: set[str], senses: frozenset[tuple[int, int]]
    ) -> list[Kin]:
        """Return those who are called alike of whom words may speak, in the order of the world."""
        parts = set() if any(map(is_verb, forms)) else self._compounds(forms)
        of = [self._by_word.get(w, ()) for w in forms | short | like | parts]
        of += [self._by_sense.get(sense, ()) for sense in senses]
        if forms & (_PEOPLE | _CREATURES):
            of.append([*range(len(self.calling.kindred.all))])
        return [self.calling.kindred.all[n] for n in sorted({n for some in of for n in some})]

    def _compounds(self, forms: set[str]) -> set[str]:
        """Return the words of names and types with which words are run together, or the other way round."""
        return {
            other
            for one in forms
            for other in self._by_word
            if (one in other or other in one) and is_compound(one, other)
        }

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Which of those who are called alike have a word in their names or types."""
        found: dict[str, list[int]] = {}
        for n, kin in enumerate(self.calling.kindred.all):
            kind = self._kind_words[self.calling.kinds[kin.first]]
            for word in self._plain_pieces(kin.first) | kind:
                found.setdefault(word, []).append(n)
        return found

    @cached_property
    def _by_sense(self) -> dict[tuple[int, int], list[int]]:
        """Which of those who are called alike have a sense, of their nouns or of those above them."""
        found: dict[tuple[int, int], list[int]] = {}
        for n, kin in enumerate(self.calling.kindred.all):
            for sense in self._senses[kin.first]:
                found.setdefault(sense, []).append(n)
        return found

    @cached_property
    def _numbers(self) -> dict[str, list[str]]:
        """The things in whose names words with digits are, or the letters and numbers of these."""
        found: dict[str, list[str]] = {}
        for word, things in self.calling.kindred.numbered.items():
            plain = word.isdigit() and not word.startswith("0")
            for piece in (word,) if plain else filter(is_numbered, _pieces_of(word)):
                known = found.get(piece)
                found[piece] = things if known is None else [*known, *things]
        return found

    def _rank(
        self,
        thing: str,
        forms: set[str],
        short: set[str],
        like: set[str],
        senses: frozenset[tuple[int, int]],
    ) -> int | None:
        own, kind = self._plain_pieces(thing), self._kind_words[self.calling.kinds[thing]]
        if forms & own or short & own:
            return NAME
        person = self.calling.is_person(thing)
        acts = person or self.calling.kinds[thing] in self._actors
        called = frozenset() if forms & self._types else self._called_so(thing, acts=acts)
        if (forms | short) & kind or forms & called:
            return TYPE
        if person:
            return None
        if like & (own | kind) or senses & self._senses[thing]:
            return LIKE
        parts = () if any(map(is_verb, forms)) else own | kind
        if any(is_compound(one, other) for one in forms for other in parts):
            return LIKE
        return None

    def _called_so(self, thing: str, *, acts: bool) -> frozenset[str]:
        """Return the nouns that people call somebody, or an animal: ``the little fellow``."""
        animal = self.roles.is_animal(self.calling.kinds[thing])
        return _PEOPLE if acts else _CREATURES if animal else frozenset()

    @cached_property
    def _types(self) -> frozenset[str]:
        """The words of types, which name things of these types only: no person is a ``robot`` then."""
        return frozenset(w for kind in self.roles.vocabulary.types.parents for w in words_of(kind))

    @cached_property
    def _actors(self) -> frozenset[str]:
        """The types of who acts where none is called a robot and none people: they may be either."""
        robots = self.roles.robots
        machines = any(_MACHINES & {*words_of(k)} for k in robots)
        return frozenset() if self.roles.people or machines else robots

    def numbered(self, number: str) -> list[str]:
        """Return what has a number in its name."""
        of = (self.calling.kindred.all[n] for n in self._by_word.get(number, ()))
        plain = (t for kin in of if number in self._plain_pieces(kin.first) for t in kin.things)
        found = self.calling.kindred.in_order({*plain, *self._numbers.get(number, ())})
        return [t for t in found if t not in self.spots]

    def is_where(self, thing: str) -> bool:
        """Return whether a thing is where others are put, or where somebody goes."""
        kind = self.calling.kinds[thing]
        return self.roles.is_a(kind, self.roles.zones) or self.roles.is_place(kind)

    @cached_property
    def _plain(self) -> dict[str, frozenset[str]]:
        return {}

    def _plain_pieces(self, thing: str) -> frozenset[str]:
        """Return the pieces of a name that all have who are called alike: no numbers that tell them apart."""
        first = self.calling.kindred.of[thing].first
        known = self._plain.get(first)
        if known is None:
            words = self._words(first)
            known = frozenset(
                p for w in words for p in _pieces_of(w) if not (is_numbered(w) and is_numbered(p))
            )
            titles = {_TITLES[w] for w in words_of(first) if w in _TITLES}
            called = words_of(self.calling.comment(first).replace(" ", "_"))
            known = self._plain[first] = known.union(called) - TITLES | titles
        return known

    def _words(self, thing: str) -> tuple[str, ...]:
        return (*self.calling.own_words[thing], *self.calling.id_words(thing))

    @cached_property
    def _kind_words(self) -> dict[str, frozenset[str]]:
        """The words of types and those above them."""
        above = self.roles.vocabulary.types.ancestors
        return {
            kind: frozenset(w for k in (kind, *above(kind)) if k != "object" for w in words_of(k))
            for kind in {*self.calling.kinds.values()}
        }

    @cached_property
    def _shorts(self) -> frozenset[str]:
        of = self.calling.kindred.all
        words = {w for k in of for w in self._plain_pieces(k.first) if self._tells(w, k.first)}
        words |= {w for own in self._kind_words.values() for w in own}
        return frozenset(w for w in words if is_short(w))

    def _tells(self, word: str, thing: str) -> bool:
        """Return whether a word of a name is no small one between others: ``off`` may be the office."""
        return word not in FILLING or len(self.calling.own_words[thing]) == 1

    @cached_property
    def _said_shortly(self) -> frozenset[str]:
        """The words that predicates shorten, which name no things: ``smp`` of ``smp-taken``."""
        words = {w for relation in self.roles.signatures for w in words_of(relation)}
        return frozenset(w for w in words if is_short(w)) - self._shorts

    def is_headed(self, word: str, thing: str) -> bool:
        """Return whether a word is the noun of a thing's name, or of its type."""
        first = self.calling.kindred.of[thing].first
        known = self._heads.get((word, first))
        if known is None:
            nouns = {*self._headed[first][-1:], *words_of(self.calling.kinds[first])[-1:]}
            known = self._heads[word, first] = bool({word, *singulars(word)} & nouns)
        return known

    def only_modifies(self, word: str, thing: str) -> bool:
        """Return whether a word only stands before the noun of a name: ``press`` of ``press_hall``."""
        first = self.calling.kindred.of[thing].first
        known = self._modifies.get((word, first))
        if known is None:
            forms, head = {word, *singulars(word)}, self._headed[first][-1:]
            own = self.calling.own_words[first]
            rest = {w for w in own if w.isalpha() and len(w) > 1} - {*head}
            kind = self._kind_words[self.calling.kinds[first]]
            known = bool(forms & rest) and not forms & {*head, *kind}
            self._modifies[word, first] = known
        return known

    @cached_property
    def _heads(self) -> dict[tuple[str, str], bool]:
        return {}

    @cached_property
    def _modifies(self) -> dict[tuple[str, str], bool]:
        return {}

    @cached_property
    def _headed(self) -> OfFirst[list[str]]:
        """The words of names up to their noun: ``key`` of ``key of the red van``."""

        def headed(thing: str) -> list[str]:
            own = self.calling.own_words[thing]
            own = own[: own.index("of")] if "of" in own[1:] else own
            return [w for w in own if w.isalpha() and len(w) > 1]

        return OfFirst(headed)

    def pieces(self, thing: str) -> frozenset[str]:
        """Return the words of a thing's name, with the letters and the numbers in them apart."""
        numbered = (p for w in self._words(thing) if is_numbered(w) for p in _pieces_of(w))
        return self._plain_pieces(thing).union(numbered)

    def ranked(self, things: Collection[str], rank: int) -> set[str]:
        """Return the things that have a number in their name."""
        return {t for t in self.numbered(str(rank)) if t in things and self.number_of(t) == rank}

    def number_of(self, thing: str) -> int | None:
        """Return the one number in a thing's name."""
        numbers = {int(p) for p in self.pieces(thing) if p.isdigit()}
        return numbers.pop() if len(numbers) == 1 and thing not in self.spots else None

    @cached_property
    def _senses(self) -> OfFirst[frozenset[tuple[int, int]]]:
        """The senses of things' nouns and of those above them."""

        def senses(thing: str) -> frozenset[tuple[int, int]]:
            own = [w for w in self.calling.own_words[thing] if not w.isdigit()]
            kinds = words_of(self.calling.kinds[thing])
            called = [w for w in self.calling.comment(thing).split() if not w.isdigit()]
            nouns = {" ".join(words) for words in (own, kinds, called)}
            nouns = {*nouns, *own[-1:], *kinds[-1:], *called[-1:]} - {""}
            return frozenset(s for noun in nouns for s in senses_above(noun))

        return OfFirst(senses)


@lru_cache(maxsize=1 << 14)
def _pieces_of(word: str) -> frozenset[str]:
    """Return a word of a name with the letters and the numbers in it apart."""
    pieces = {*_PIECES.findall(word)}
    pieces |= {half for p in pieces for half in halves_of(p)}
    numbers = {number_in(w) for w in (word, *pieces)} - {""}
    if not word.isdigit() and (n := ordinal(word)) is not None:
        numbers.add(str(n))
    return frozenset({word, *pieces, *numbers})
