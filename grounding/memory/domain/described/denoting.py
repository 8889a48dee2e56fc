"""Which things of a world a single word may speak of: by name, type, a noun above it, or what is so of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache

from commonground.grounding.english.lexicon import is_english
from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.spots import kind_of
from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.roles import SOMEBODY, words_of
from commonground.grounding.memory.domain.shortened import is_short, left_out, skipped, tells_deed
from commonground.grounding.memory.domain.states import BY_DEED, Sayings
from commonground.grounding.memory.domain.words import (
    FILLING,
    TITLES,
    alike,
    is_verb,
    ordinal,
    says_nothing,
    states_of,
    word_set,
)
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.concepts import Concepts, artifacts, everyday, household
from commonground.grounding.words.nouns import singulars
from commonground.grounding.words.numbers import count_of

EXACT, NAME, TYPE, LIKE, RELATED = range(5)
"""How directly a word speaks of a thing: by its name, a part of it, its type, a like noun, or a fact."""
HIGHEST, LOWEST = -1, -2
"""The ends of a row, besides the numbers from 1 on."""
_PEOPLE = SOMEBODY | word_set("lady gentleman fellow guy chap bloke boy girl lad colleague")
_MACHINES = frozenset(["robot", "agent", "vehicle", "machine", "drone", "truck"])
_STEPS = 4
"""So many nouns above its own may a thing be called by: ``instrument`` for a cello is the second."""
_TITLES = {"dr": "doctor", "prof": "professor", "doctor": "doctor", "professor": "professor"}
_PIECES = re.compile(r"[a-z]+|\d+")
_LETTERED = re.compile(r"\d+([a-z])|([a-z])\d+")
_CODE = re.compile(r"([a-z]{1,4})(\d+)")


def number_in(word: str) -> str:
    """Return the number a word states, in digits; '' for none."""
    if word.isdigit():
        return str(int(word))
    other = word in FILLING and word != "one"  # "there" is no misspelled "three"
    count = count_of(word) if len(word) > 2 and word.isalpha() and not other else None
    return str(count) if count is not None and count < 100 and word != "both" else ""


class Denoting:
    """Tells what words may speak of in one world."""

    def __init__(self, calling: Calling, sayings: Sayings) -> None:
        self.calling, self.sayings, self.roles = calling, sayings, calling.roles
        self._known: dict[str, dict[str, int]] = {}
        spots = self.roles.vocabulary.spots
        made = {kind_of(kinds) for kinds in spots.kinds} if spots is not None else set()
        self.spots = frozenset(t for t, kind in calling.kinds.items() if kind in made)
        """What is made of several things; it goes by these."""

    # ---- nouns ------------------------------------------------------------------------------------

    def noun(self, word: str) -> Mapping[str, int]:
        """Return what a word may name, and how directly it does."""
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._named(word)
        return known

    def _named(self, word: str) -> dict[str, int]:
        forms = {word, *singulars(word)}
        short = set() if tells_deed(word) or states_of(word) else self._short(forms)
        like = ({form for w in forms for form in self.same(w)} | _doing(word)) - forms
        found = self._ranked(forms, short, like, self._above(word))
        if not found and not tells_deed(word):
            single = len(self._above(word)) == 1
            found = self._ranked(set(), set(), self._short(like) if single else set(), frozenset())
            found = found or self._by_start(word)
        if forms & self.stated or says_nothing(word):  # a lid is a part, "afterwards" no ward
            found = {thing: rank for thing, rank in found.items() if rank <= TYPE}
        return found or self.coded(word)

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
            ways = {s: left for s in self._shorts if (left := left_out(s, word)) is not None}
            found |= {s for s, left in ways.items() if left == min(ways.values())}
        return found

    def _ranked(
        self, forms: set[str], short: set[str], like: set[str], senses: frozenset[tuple[int, int]]
    ) -> dict[str, int]:
        ranks = {
            thing: self._rank(thing, forms, short, like, senses)
            for thing in self.calling.kinds
            if thing not in self.spots
        }
        return {thing: rank for thing, rank in ranks.items() if rank is not None}

    def _rank(
        self,
        thing: str,
        forms: set[str],
        short: set[str],
        like: set[str],
        senses: frozenset[tuple[int, int]],
    ) -> int | None:
        own, kind = self._pieces[thing], self._kind_words[self.calling.kinds[thing]]
        if forms & own or short & own:
            return NAME
        person = self.calling.is_person(thing)
        acts = person or self.calling.kinds[thing] in self._actors
        if (forms | short) & kind or (acts and forms & _PEOPLE):
            return TYPE
        if person:
            return None
        if like & (own | kind) or senses & self._senses[thing]:
            return LIKE
        parts = () if any(map(is_verb, forms)) else own | kind
        if any(_is_compound(one, other) for one in forms for other in parts):
            return LIKE
        return None

    @cached_property
    def _actors(self) -> frozenset[str]:
        """The types of who acts where none is called a robot and none people: they may be either."""
        robots = self.roles.robots
        machines = any(_MACHINES & {*words_of(k)} for k in robots)
        return frozenset() if self.roles.people or machines else robots

    def numbered(self, number: str) -> list[str]:
        """Return what has a number in its name."""
        return [t for t, pieces in self._pieces.items() if number in pieces and t not in self.spots]

    def coded(self, word: str) -> dict[str, int]:
        """Return what a code such as ``fv1`` or ``sc305`` names, where nothing else may be meant."""
        code = _CODE.fullmatch(word)
        if code is None:
            return {}
        letters, number = code[1], str(int(code[2]))
        found = [
            thing
            for thing, pieces in self._pieces.items()
            if number in pieces and thing not in self.spots and self._abbreviates(letters, thing)
        ]
        return {found[0]: NAME} if len(found) == 1 else {}

    def _abbreviates(self, letters: str, thing: str) -> bool:
        own = self._pieces[thing]
        words = [w for w in (*own, *self._kind_words[self.calling.kinds[thing]]) if w.isalpha()]
        return any(
            w == letters
            or skipped(letters, w) is not None
            or (len(w) < len(letters) and letters.startswith(w))
            for w in words
        )

    def _by_start(self, word: str) -> dict[str, int]:
        """Return the zone whose name begins a word and is no noun itself: ``off`` for the office."""
        found = {
            thing: NAME
            for thing, kind in self.calling.kinds.items()
            if self.roles.is_a(kind, self.roles.zones)
            and len(own := self.calling.own_words[thing]) == 1
            and 2 < len(own[0]) < len(word)
            and word.startswith(own[0])
            and not self._above(own[0])
        }
        return found if len(found) == 1 else {}

    @cached_property
    def _pieces(self) -> dict[str, frozenset[str]]:
        """The words of names, with the letters and the numbers in them apart."""
        found = {}
        for thing in self.calling.kinds:
            words = (*self.calling.own_words[thing], *self.calling.id_words(thing))
            pieces = {p for w in words for p in _PIECES.findall(w)}
            pieces |= {half for p in pieces for half in _halves(p)}
            numbers = {number_in(w) for w in (*words, *pieces)} - {""}
            numbers |= {str(n) for w in words if not w.isdigit() and (n := ordinal(w)) is not None}
            titles = {_TITLES[w] for w in words_of(thing) if w in _TITLES}
            called = words_of(self._called(thing).replace(" ", "_"))
            found[thing] = frozenset({*words, *pieces, *numbers, *called} - TITLES | titles)
        return found

    def _called(self, thing: str) -> str:
        """Return what comments call a thing besides its name."""
        return self.calling.names.things[thing].traits.get("called", "")

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
        words = {w for own in self._pieces.values() for w in own}
        words |= {w for own in self._kind_words.values() for w in own}
        return frozenset(w for w in words if is_short(w))

    def only_leads(self, word: str, thing: str) -> bool:
        """Return whether a word stands only before the noun that comments call a thing by."""
        leading = [w for w in self._called(thing).split() if not w.isdigit()][:-1]
        return word in leading and word not in words_of(self.calling.names.things[thing].name)

    def is_headed(self, word: str, thing: str) -> bool:
        """Return whether a word is the noun of a thing's name, or of its type."""
        forms = {word, *singulars(word)}
        own = [w for w in self.calling.own_words[thing] if w.isalpha() and len(w) > 1]
        return bool(forms & {*own[-1:], *words_of(self.calling.kinds[thing])[-1:]})

    def only_modifies(self, word: str, thing: str) -> bool:
        """Return whether a word only stands before the noun of a name: ``press`` of ``press_hall``."""
        forms = {word, *singulars(word)}
        own = [w for w in self.calling.own_words[thing] if w.isalpha() and len(w) > 1]
        kind = self._kind_words[self.calling.kinds[thing]]
        return bool(forms & {*own[:-1]}) and not forms & {*own[-1:], *kind}

    def pieces(self, thing: str) -> frozenset[str]:
        """Return the words of a thing's name, with the letters and the numbers in them apart."""
        return self._pieces[thing]

    def is_name(self, word: str) -> bool:
        """Return whether a word is one of a name."""
        return any(word in pieces for pieces in self._pieces.values())

    def ranked(self, things: Iterable[str], rank: int, changes: Changes) -> set[str]:
        """Return the things at a place in a row: by number, or by what is said to be above what."""
        pool = {*things}
        if rank > 0:
            return {t for t in pool if self.number_of(t) == rank}
        ends: set[str] = set()
        for relation, downward in self._rows:
            pairs = [
                (f.subject, f.object)
                for t in pool
                for f in changes.base.about(t)
                if f.relation == relation
            ]
            upper = {a if downward else b for a, b in pairs}
            lower = {b if downward else a for a, b in pairs}
            ends |= upper - lower if rank == HIGHEST else lower - upper
        return ends & pool

    @cached_property
    def _rows(self) -> list[tuple[str, bool]]:
        """The relations by which things are above each other, and whether the upper one comes first."""
        found = []
        for relation in self.roles.binary:
            words = {*words_of(relation)}
            if words & (_ABOVE | _BELOW) and relation not in self.roles.vocabulary.changing:
                found.append((relation, not words & _BELOW))
        return found

    def number_of(self, thing: str) -> int | None:
        """Return the one number in a thing's name."""
        numbers = {int(p) for p in self._pieces[thing] if p.isdigit()}
        return numbers.pop() if len(numbers) == 1 and thing not in self.spots else None

    # ---- nouns above and beside -------------------------------------------------------------------

    def same(self, word: str) -> Iterator[str]:
        """Yield the nouns that name the same as a word."""
        for concepts in _taxonomies():
            for sense in concepts.senses(word):
                yield from (w for w in concepts.concepts[sense].words if " " not in w)

    def is_noun(self, word: str) -> bool:
        """Return whether a word is a noun for things, of this world or not."""
        return any(self._above(form) for form in {word, *singulars(word)})

    def _above(self, word: str) -> frozenset[tuple[int, int]]:
        """Return what a word means, but for what is too wide."""
        return frozenset(
            (n, sense)
            for n, concepts in enumerate(_taxonomies())
            for sense in concepts.senses(word)
        )

    @cached_property
    def _senses(self) -> dict[str, frozenset[tuple[int, int]]]:
        """The senses of things' nouns and of those above them."""
        found = {}
        for thing, kind in self.calling.kinds.items():
            own = [w for w in self.calling.own_words[thing] if not w.isdigit()]
            kinds = words_of(kind)
            called = [w for w in self._called(thing).split() if not w.isdigit()]
            nouns = {" ".join(words) for words in (own, kinds, called)}
            nouns = {*nouns, *own[-1:], *kinds[-1:], *called[-1:]} - {""}
            found[thing] = frozenset(s for noun in nouns for s in _line(noun))
        return found

    # ---- what is so of things -----------------------------------------------------------------------

    def described(self, word: str, changes: Changes) -> set[str]:
        """Return the things that a word before a noun may tell apart: by what is so of them."""
        found = {t for t in self.calling.kinds if self._is_for(word, t)} if _going(word) else set()
        values = {
            t
            for t, rank in self.noun(word).items()
            if rank == NAME and not self.calling.is_person(t) and not any(c.isdigit() for c in word)
            if not self.only_leads(word, t)
        }
        values |= self._colors(word)
        for thing in self.calling.kinds:
            facts = changes.draft.about(thing)
            if any(f.object in values and f.object not in (TRUE, FALSE) for f in facts):
                found.add(thing)
        return found | self._in_state(word, changes) | self.lettered(word)

    def lettered(self, word: str) -> frozenset[str]:
        """Return the things that a word tells by a letter beside a number: ``upper`` of ``1u``."""
        found: set[str] = set()
        for letters in self._letters.values() if len(word) > 3 else ():
            if len({*letters.values()}) > 1:
                found |= {t for t, letter in letters.items() if word.startswith(letter)}
        return frozenset(found)

    @cached_property
    def _letters(self) -> dict[str, dict[str, str]]:
        """The letters beside numbers in the names of things, by type, of types where all have one."""
        found: dict[str, dict[str, str]] = {}
        for thing, kind in self.calling.kinds.items():
            own = self.calling.own_words[thing]
            words = own if len(own) > 1 else ()  # a code such as "l106" tells none
            letters = [m[1] or m[2] for w in words if (m := _LETTERED.fullmatch(w)) is not None]
            found.setdefault(kind, {})[thing] = letters[0] if len(letters) == 1 else ""
        return {kind: of for kind, of in found.items() if all(of.values())}

    def is_numbered_for(self, thing: str, whole: str) -> bool:
        """Return whether a number that several of a kind share is that of what they are parts of."""
        number, kinds = self.number_of(thing), self.calling.kinds
        if number is None or number != self.number_of(whole) or kinds[thing] == kinds[whole]:
            return False
        own = {p for p in self._pieces[thing] if p.isalpha() and len(p) > 1}
        same = (t for t in kinds if kinds[t] == kinds[thing] and self.number_of(t) == number)
        return any(t != thing and own & self._pieces[t] for t in same)

    def is_trait(self, thing: str) -> bool:
        """Return whether facts give a thing to others for good, as a color is given."""
        kind, fits = self.calling.kinds[thing], self.roles.fits
        changing = (r for r in self.roles.binary if r in self.roles.vocabulary.changing)
        return thing in self.values and not any(
            fits(kind, r, at) for r in changing for at in (0, 1)
        )

    def _colors(self, word: str) -> set[str]:
        """Return the values that a word for a color means, also where names shorten them."""
        return {
            thing
            for thing in self.calling.kinds
            if thing in self.values
            and any(
                is_color(own, word, loosely=True) or skipped(own, word) is not None
                for own in self.calling.own_words[thing]
            )
        }

    @cached_property
    def values(self) -> frozenset[str]:
        """Things that facts only give to others, as a color is given."""
        signatures = self.roles.signatures.values()
        first = {k for s in signatures for k in s.arguments[0]} - {"object"} | self.roles.zones
        return frozenset(t for t, k in self.calling.kinds.items() if not self.roles.is_a(k, first))

    @cached_property
    def movable(self) -> list[str]:
        """What is neither a zone nor who acts, nor only given to others as a color is."""
        beyond = self.roles.robots | self.roles.people | self.roles.zones
        return [
            thing
            for thing, kind in self.calling.kinds.items()
            if not self.roles.is_a(kind, beyond) and thing not in self.values | self.spots
        ]

    def _in_state(self, word: str, changes: Changes) -> set[str]:
        """Return the things that are as a word for a state says."""
        found: set[str] = set()
        for relation, signature in self.roles.signatures.items():
            if not signature.is_property:
                continue
            told = self.sayings.told(relation, [word], ())
            if told is None or told.how == BY_DEED:
                continue
            for thing, kind in self.calling.kinds.items():
                so = Fact(thing, relation, TRUE) in changes.draft
                if self.roles.fits(kind, relation, 0) and so == told.holds:
                    found.add(thing)
        return found

    def _is_for(self, word: str, thing: str) -> bool:
        """Return whether a word names what an action does that needs such a thing: ``scrubbing brush``."""
        kind = self.calling.kinds[thing]
        own, states = self._pieces[thing], {s.concept for s in states_of(word)}
        if any(len(w) > 2 and alike(word, w) for w in own | self._kind_words[kind]):
            return True
        for deed in self.roles.deeds:
            narrow = [k for k in deed.kinds.values() if self.roles.is_a(kind, k)]
            name = words_of(deed.name)[0]
            same = alike(word, name) or bool(states & {s.concept for s in states_of(name)})
            if same and any(len(self._of(k)) <= _FEW for k in narrow):
                return True
        return False

    def _of(self, kinds: tuple[str, ...]) -> list[str]:
        return [t for t, k in self.calling.kinds.items() if self.roles.is_a(k, kinds)]


_ABOVE = frozenset(["above", "over", "higher", "atop"])
_BELOW = frozenset(["below", "under", "beneath", "lower", "underneath"])
_PART = 3
"""Letters of a part of a compound, at least; of the one that is said alone more."""
_FEW = 3
"""An action tells what is for it by a type of which there are so few things."""


def _is_compound(one: str, other: str) -> bool:
    """Return whether one word is another with a word before or after it: ``glassware``, ``hotplate``."""
    short, long = sorted((one, other), key=len)
    joined = long.startswith(short) or long.endswith(short)
    return len(short) > _PART and len(long) - len(short) >= _PART and joined


def _doing(word: str) -> set[str]:
    """Return what does what a word names: heater for ``heating``."""
    return {word[:-3] + end for end in ("er", "or")} if _going(word) else set()


def _going(word: str) -> bool:
    return word.endswith("ing") and len(word) > 4


def _taxonomies() -> tuple[Concepts, ...]:
    return household(), everyday(), artifacts()


def _line(noun: str) -> Iterator[tuple[int, int]]:
    """Yield the senses of a noun with the nearest above it that are narrow enough."""
    for n, concepts in enumerate(_taxonomies()):
        for sense in concepts.senses(noun):
            line = concepts.line(sense)
            yield from ((n, s) for s in line[:_STEPS][: max(1, len(line) - (n > 1))])


@lru_cache(maxsize=1 << 12)
def _halves(word: str) -> tuple[str, ...]:
    """Return the two words that one of a name runs together: ``southbay``; nothing for a word of English."""
    if is_english(word) or len(word) < _LONG:
        return ()
    ways = [(word[:n], word[n:]) for n in range(3, len(word) - 2)]
    found = [way for way in ways if all(map(is_english, way))]
    return found[0] if len(found) == 1 else ()


_LONG = 7
"""So many letters has a word at least that two are run together in."""
