"""One noun phrase read word by word: what its words may speak of together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    EVERY,
    FILLING,
    FROM,
    MODALS,
    NEGATIONS,
    PARTICLES,
    PERSONAL,
    TITLES,
    TO,
    Word,
    is_going_on,
    is_verb,
    number_in,
    ordinal,
    states_of,
)
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.named import EXACT, LIKE, NAME, RELATED
from commonground.grounding.memory.readers.domain.described.nouns_above import is_noun
from commonground.grounding.memory.readers.domain.described.phrase import Phrase
from commonground.grounding.memory.readers.domain.lookalikes import is_numbered
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import word_set

_ONE = frozenset(["one", "ones"])
SMALL = (
    PARTICLES
    | TO
    | FROM
    | AUXILIARIES
    | NEGATIONS
    | MODALS
    | PERSONAL
    | {"'s", ",", "and", "of", "by", "there", "here", "now"}
)
_CHOOSING = word_set(
    "other another different next previous last wrong right only spare extra former "
    "latter half double same main first more less own"
)
"""Words before a noun that tell which one is meant, or that it is none of those."""
_MERE = frozenset(["own", "same"])
"""What is said of a thing without telling which one it is."""


class _Narrowed:
    """What words may speak of together: what their nouns name, and what else is so of what they tell.

    That is found out when it is asked for: what stands in a relation to any of 8,000 trays are many things.
    """

    def __init__(
        self,
        nouns: dict[str, int],
        described: Callable[[], Iterable[str]],
        before: _Narrowed | None,
    ) -> None:
        self.nouns, self._described, self._before = nouns, described, before

    @cached_property
    def all(self) -> dict[str, int]:
        """All of them, each with how directly it is spoken of."""
        found = dict.fromkeys(self._described(), RELATED)
        return {**(found if self._before is None else self._before.both(found)), **self.nouns}

    def both(self, found: Mapping[str, int]) -> dict[str, int]:
        """Return what one more word may speak of together with these."""
        known = self.nouns if found.keys() <= self.nouns.keys() else self.all
        return {t: max(r, known[t]) for t, r in found.items() if t in known}


class NounReading:
    """One noun phrase being read, word by word."""

    def __init__(
        self, denoting: Denoting, changes: Changes, words: Sequence[Word], start: int
    ) -> None:
        self.denoting, self.changes = denoting, changes
        self.words, self.at = words, start
        self.said: list[str] = []
        self.nouns: dict[str, int] | None = None
        """What is meant where the phrase ends with the last word."""
        self._narrowed: _Narrowed | None = None
        self.every = self.definite = self.other = self.only = False
        self.rank: int | None = None
        self.like = True
        """The last noun, if any, names only something like what is meant."""
        self.ends = False
        """The last word is one that a phrase may end with."""
        self.named = False
        """It has had a noun."""

    @property
    def telling(self) -> dict[str, int] | None:
        """What may be meant where it goes on: the last word may only tell which noun."""
        return None if self._narrowed is None else self._narrowed.all

    def step(self) -> bool:
        """Read one word more; False where the phrase cannot go on."""
        if self.at >= len(self.words):
            return False
        text = self.words[self.at].text
        if text in DETERMINERS | EVERY and not self.said:
            self.every |= text in EVERY
            self.definite = True
            self.at += 1
            return True
        if text in ("other", "only") and self.definite and not self.said:
            self.other, self.only = self.other or text == "other", self.only or text == "only"
            self.at += 1
            return True
        if text == "of" and self.every and not self.said:  # "all of the cups"
            self.at += 1
            return True
        if not self._take(text):
            return False
        self.said.append(text)
        self.at += 1
        return True

    def _take(self, text: str) -> bool:
        ranked = None if self._begins_name(text) else _rank_of(text)
        if ranked is not None and not self.named:
            self.rank, self.ends = ranked, self.definite
        elif self._is_number(text):
            self.ends = self.named = True
        elif self._is_letter(text):
            self.ends = True
        elif text in _ONE and (self.definite or self.said) and not self._is_headed():
            self.nouns, self.ends, self.named = self._ones() or None, True, True
        elif self._leads(text):
            self.ends = False
        else:
            return not self._is_small(text) and not text.isdigit() and self._narrow(text)
        return True

    def _ones(self) -> dict[str, int]:
        """Return what ``one`` stands for after what tells which: nobody; the gate of ``the yard one``."""
        somebody = self.denoting.calling.is_person
        led = self._led() if self.named else self.telling or {}
        named = self.words[self.at + 1 : self.at + 2] == [Word(",")]  # "the other one, locker 1"
        if self.other and not (self.said or named):  # of what was spoken of last
            led = dict.fromkeys(self.denoting.calling.kinds, NAME)
        return {t: rank for t, rank in led.items() if not somebody(t)}

    def _led(self) -> dict[str, int]:
        """Return what the last word only stands before in names."""
        modifies, known = self.denoting.only_modifies, self.nouns or {}
        return {t: rank for t, rank in known.items() if modifies(self.said[-1], t)}

    def _is_headed(self) -> bool:
        """Return whether a noun of its own was said: not so where ``the blue`` tells which lead."""
        return self.named and not self._led()

    def _begins_name(self, text: str) -> bool:
        """Return whether the word and the next one stand together in a name: ``top hat``, ``right rack``."""
        after = self.words[self.at + 1].text if self.at + 1 < len(self.words) else ""
        kindred, own = self.denoting.calling.kindred, self.denoting.calling.own_words
        if after in _ONE:  # "the right one"
            known = kindred.numbered.get(text, ())
            return any(text in kin.own[:-1] for kin in kindred.words.get(text, ())) or any(
                text in own[t][:-1] for t in known
            )
        if is_numbered(text) or is_numbered(after):
            numbered = kindred.numbered.get(text if is_numbered(text) else after, ())
            return any((text, after) in pairwise(own[t]) for t in numbered)
        return any((text, after) in pairwise(kin.own) for kin in kindred.words.get(text, ()))

    def _is_named(self, text: str) -> bool:
        """Return whether a small word goes on with the name of what is meant: ``watering can``."""
        kindred, own = self.denoting.calling.kindred, self.denoting.calling.own_words
        if not (is_numbered(text) or text in kindred.words):
            return False
        telling, last = self.telling or {}, self.said[-1] if self.said else ""
        known = [kin.own for kin in kindred.among(telling)]
        if self.definite and known and all(words[-1] == text for words in known):
            return True
        if is_numbered(last):
            known = [own[t] for t in kindred.numbered.get(last, ()) if t in telling]
        return any((last, text) in pairwise(words) for words in known)

    def _is_verb(self, text: str) -> bool:
        """Return whether a word after a noun is a verb, and no noun of what is meant."""
        verbal = self.named and is_verb(text) and not (self.definite or self._is_named(text))
        return verbal

    def _is_small(self, text: str) -> bool:
        if text in SMALL:
            return not self._is_named(text)
        filling = text in FILLING | EVERY
        return filling and not (self._is_named(text) or self._begins_name(text))

    def _is_number(self, text: str) -> bool:
        """Return whether a number tells which of what was said is meant: ``line three``."""
        number = number_in(text)
        numbered = number and (self.ends or self.said[-1:] in (["number"], ["no"]))
        return bool(numbered) and self._meet(dict.fromkeys(self.denoting.noun(number), NAME))

    def _is_letter(self, text: str) -> bool:
        """Return whether a capital letter ends the name of what was said: ``rack A``."""
        if not (self.named and len(text) == 1 and self.words[self.at].capital):
            return False
        of = self.denoting.calling.kindred.of
        return self._meet({t: NAME for t in self.nouns or {} if of[t].own[-1:] == (text,)})

    def _leads(self, text: str) -> bool:
        """Return whether a word may stand before a noun and tells nothing of which one is meant."""
        after = self.words[self.at + 1].text if self.at + 1 < len(self.words) else ""
        titled = text in TITLES and bool(self.denoting.noun(after))
        numbered = bool(number_in(after)) or self.words[self.at + 1 : self.at + 2] == []
        begins = titled or text == "number" or (text == "no" and numbered)
        return (begins and not self.said) or (not self.ends and self._is_mere(text))

    def _is_mere(self, text: str) -> bool:
        """Return whether a word only says how a thing is, in a way that nothing here differs in."""
        if text in _MERE:
            return True
        known = text in SMALL | FILLING | _CHOOSING | _ONE or not text.isalpha()
        if known or text.endswith(("er", "est")) or names_color(text) or states_of(text):
            return False
        denoting = self.denoting
        told = denoting.noun(text) or denoting.described(text, self.changes)
        return self.definite and not (told or is_noun(text) or is_verb(text))

    def _narrow(self, text: str) -> bool:
        """Take a noun, or a word before one."""
        denoting = self.denoting
        known = {} if self._is_verb(text) else denoting.noun(text)
        before = self._narrowed
        nouns = dict(known) if before is None else before.both(known)
        self._narrowed = _Narrowed(nouns, partial(denoting.described, text, self.changes), before)
        if not (nouns or self.telling):
            return False
        self.like = all(known[t] == LIKE for t in nouns)
        self._go_on_with(nouns)
        return True

    def _go_on_with(self, nouns: dict[str, int]) -> None:
        """Take what a word may name; what it may tell apart is meant where nothing has a noun."""
        denoting = self.denoting
        bare = self.definite and not self.named and all(t in denoting.values for t in nouns)
        text = self.words[self.at].text
        stuff = (
            is_going_on(text) and text not in denoting.stated
        )  # "the wrapping" is nothing wrapped
        bare = bare and not (_is_only_verb(text) or stuff)
        self.nouns = self.telling if bare else nouns or None
        self.ends, self.named = bool(nouns) or bare, self.named or (bool(nouns) and not bare)

    def _meet(self, found: Mapping[str, int]) -> bool:
        if self.nouns is not None:
            found = {t: r for t, r in self.nouns.items() if t in found}
        if found:
            self.nouns = {**found}
            self._narrowed = _Narrowed(self.nouns, frozenset, None)
        return bool(found)

    def phrase(self) -> Phrase | None:
        """Return what was read so far, where a phrase may end there."""
        if not self.ends or (self.nouns is None and self.rank is None):
            return None
        things = self._headed(self._ranked(self.nouns or {}))
        exact = self._in_full(things)
        bare = not self.named
        if not exact and self._is_no_noun():
            return None
        if exact:
            things = dict.fromkeys(exact, EXACT)  # a full name describes nothing else
        return Phrase(
            tuple(self.said),
            things,
            self.every,
            self.rank,
            bare=bare,
            other=self.other,
            only=self.only,
            like=self.like and not exact,
        )

    def _headed(self, things: dict[str, int]) -> dict[str, int]:
        """Return the things whose noun a word is, where there are any: the press is no press hall."""
        head, denoting = self.said[-1] if self.said else "", self.denoting
        of = [kin.first for kin in denoting.calling.kindred.among(things)]
        leading = [*filter(partial(denoting.only_modifies, head), of)]
        if not (leading and any(denoting.is_headed(head, first) for first in of)):
            return things
        return {t: r for t, r in things.items() if not denoting.only_modifies(head, t)}

    def _is_no_noun(self) -> bool:
        """Return whether words that are no name tell a state, or name a part of what is named next."""
        after = self.words[self.at].text if self.at < len(self.words) else ""
        if not self.named and self.rank is None and after == "of":
            return True  # "the brake of the chair"
        return not self.definite and {*self.said} <= self.denoting.stated  # "to sea"

    def _in_full(self, things: Mapping[str, int]) -> set[str]:
        """Return the things whose whole names were said."""
        calling, said = self.denoting.calling, {*self.said}
        found = {t for t, rank in things.items() if rank == EXACT}
        for kin in calling.kindred.among(things):
            if {*kin.plain} <= said:
                numbers = (calling.kindred.numbered.get(w, ()) for w in said)
                of = kin.things if kin.own == kin.plain else {t for some in numbers for t in some}
                found |= {t for t in of if t in things and {*calling.own_words[t]} <= said}
        return found

    def _ranked(self, things: dict[str, int]) -> dict[str, int]:
        """Return the things that are the one of a row that was said."""
        if self.rank is None or not things:
            return things
        meant = self.denoting.ranked(things, self.rank)
        return {t: r for t, r in things.items() if t in meant}


def _is_only_verb(text: str) -> bool:
    """Return whether a word is a plain verb and no adjective: ``a break`` is nothing broken."""
    lexicon = load_lexicon()
    return text in lexicon.lemmas(text) and text not in lexicon.states


def _rank_of(text: str) -> int | None:
    """Return the place in a row that a word states."""
    return None if text.isdigit() else ordinal(text)
