"""Noun phrases: the words before and in a noun, and which things satisfy all of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TypeAlias

from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.described.denoting import (
    EXACT,
    HIGHEST,
    LIKE,
    LOWEST,
    NAME,
    RELATED,
    TYPE,
    Denoting,
    number_in,
)
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    EVERY,
    FILLING,
    FROM,
    MODALS,
    NEGATIONS,
    OF_IT,
    PARTICLES,
    PERSONAL,
    TITLES,
    TO,
    Word,
    alike,
    classes_of,
    is_participle,
    is_verb,
    ordinal,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.nouns import singulars

_LOWEST, _HIGHEST = frozenset(["bottom", "lowest"]), frozenset(["top", "highest", "uppermost"])
_ONE = frozenset(["one", "ones"])
_BEFORE_VERB = frozenset(["and", ",", "then", "just", "also", "already"])
HANDS = frozenset(["hand", "hands", "arm", "arms", "possession"])
_COUNTED = frozenset(["two", "three", "four", "pair", "lot", "both", "all", "bunch"])
_SMALL = (
    PARTICLES
    | TO
    | FROM
    | AUXILIARIES
    | NEGATIONS
    | MODALS
    | PERSONAL
    | {"'s", ",", "and", "of", "by", "there", "here", "now"}
)
_CHOOSING = frozenset(
    ["other", "another", "different", "next", "previous", "last", "wrong", "right", "only", "spare"]
    + [
        "extra",
        "former",
        "latter",
        "half",
        "double",
        "same",
        "main",
        "first",
        "more",
        "less",
        "own",
    ]
)
"""Words before a noun that tell which one is meant, or that it is none of those."""
_BELONGINGS = frozenset(["things", "stuff", "belongings", "possessions", "gear", "kit", "items"])
_MERE = frozenset(["own", "same"])
"""What is said of a thing without telling which one it is."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase with the things that all of its words may speak of."""

    words: tuple[str, ...]
    things: Mapping[str, int] = field(default_factory=dict)
    """What may be meant, and how directly."""
    every: bool = False
    rank: int | None = None
    """One of several in a row."""
    pronoun: str = ""
    owner: bool = False
    """``'s`` follows, or it is ``its``."""
    owners: tuple[Phrase, ...] = ()
    """Whose it is."""
    other: bool = False
    """It is none of those spoken of last: ``the other tray``."""
    bare: bool = False
    """It has no noun of its own: ``the green one``."""
    like: bool = False
    """Its noun only names something like what is meant, so that not all of these may be found."""
    source: tuple[str, ...] = ()
    """The words of the sentence it was read from, articles included."""

    @property
    def text(self) -> str:
        """Return the words as they were said."""
        return " ".join((*(w for o in self.owners for w in o.words), *self.words))

    @property
    def is_plural(self) -> bool:
        """Return whether its noun stands for several."""
        return bool(self.things) and any(f != self.words[-1] for f in singulars(self.words[-1]))

    @property
    def is_group(self) -> bool:
        """Return whether it is a pronoun for several."""
        return self.pronoun in ("they", "them")


Part: TypeAlias = Word | Phrase


class Phrases:
    """Finds the noun phrases of sentences."""

    def __init__(self, denoting: Denoting, changes: Changes) -> None:
        self.denoting, self.changes = denoting, changes

    def parts(self, words: Sequence[Word]) -> list[Part]:
        """Return a sentence with its noun phrases in place of their words."""
        words = self._codes([self._those(words, n) for n in range(len(words))])
        found: list[Part] = []
        at = 0
        while at < len(words):
            before = found[-1] if found else None
            phrase, size = self._phrase_after(before, words, at)
            if (
                phrase is None
                or (at == 0 and self._is_order(words, phrase, size))
                or self._is_main_verb(words, at, found, phrase)
            ):
                found.append(words[at])
                at += 1
                continue
            phrase = replace(phrase, source=tuple(w.text for w in words[at : at + size]))
            if isinstance(before, Phrase) and before.owner and not phrase.pronoun:
                found.pop()
                owner = replace(before, owner=False, every=False)
                every, source = phrase.every or before.every, (*before.source, *phrase.source)
                phrase = replace(phrase, owners=(owner,), source=source, every=every)
            phrase = self._among(found, phrase)
            found.append(phrase)
            at += size
        return [*self._shortened(found)]

    def _phrase_after(
        self, before: Part | None, words: Sequence[Word], at: int
    ) -> tuple[Phrase | None, int]:
        """Return the phrase at a word, which after an owner may be for all that is his."""
        phrase, size = self._phrase(words, at)
        if phrase is None and isinstance(before, Phrase) and before.owner:
            return self._belongings(words[at].text), 1
        return phrase, size

    def _belongings(self, noun: str) -> Phrase | None:
        """Return a phrase for all that is somebody's: ``Ann's things``."""
        things = dict.fromkeys(self.denoting.movable, NAME)
        return Phrase((noun,), things, every=True) if noun in _BELONGINGS else None

    def _is_main_verb(
        self, words: Sequence[Word], at: int, before: Sequence[Part], phrase: Phrase
    ) -> bool:
        """Return whether a word before a noun is what somebody did: ``Ann opened cage 3``."""
        text, own = words[at].text, self.denoting.calling.own_words
        named = any(text in own[t] for t, rank in phrase.things.items() if rank == EXACT)
        after = words[at + 1].text if at + 1 < len(words) else ""
        if before and not named and text.endswith("ed") and after in TO | FROM | {"by"}:
            return is_participle(text)  # ", labelled with ..."
        if not before or named or not is_verb(text):
            return False
        if before[-1] == Word("to"):  # "to wear it"
            return text in load_lexicon().lemmas(text) and after.isalnum() and after not in _SMALL
        return _leads_to_verb(before, after)

    def _those(self, words: Sequence[Word], at: int) -> Word:
        """Return ``those`` for ``them`` before a noun, as many people say it."""
        word, after = words[at], words[at + 1].text if at + 1 < len(words) else ""
        gives = at > 0 and "give" in classes_of(words[at - 1].text, frozenset())
        named = word.text == "them" and not gives and after not in _SMALL and not ordinal(after)
        return Word("those") if named and self.denoting.noun(after) else word

    def _among(self, before: list[Part], phrase: Phrase) -> Phrase:
        """Return the one of a row that words before a phrase count in it, or the phrase of those counted.

        ``the second of the trays``, ``the two of them``.
        """
        if _names(before, phrase):
            del before[-2:]
        one = before[-2] if len(before) > 1 and before[-1] == Word("of") else None
        if isinstance(one, Word):
            return _without_count(before, one, phrase)
        if one is None or one.rank is None or one.things or not phrase.is_plural:
            return phrase
        del before[-2:]
        meant = self.denoting.ranked(phrase.things, one.rank, self.changes)
        things = {t: r for t, r in phrase.things.items() if t in meant}
        source = (*one.source, "of", *phrase.source)
        return replace(phrase, things=things or phrase.things, rank=one.rank, source=source)

    def _is_order(self, words: Sequence[Word], phrase: Phrase, size: int) -> bool:
        """Return whether words begin with what is to be done: ``feed the horses``, ``wash cage 2``."""
        first, denoting = words[0].text, self.denoting
        after = words[1].text if len(words) > 1 else ""
        if size == 1:
            known = denoting.sayings.is_deed(first) or any(alike(first, w) for w in denoting.stated)
            return after in DETERMINERS | EVERY and known
        if first not in load_lexicon().lemmas(first):
            return False
        named, length = self._phrase(words, 1)
        ranks = [min(p.things.values(), default=RELATED) for p in (named, phrase) if p is not None]
        return len(ranks) == 2 and length + 1 >= size and ranks[0] < ranks[1]

    @staticmethod
    def _shortened(parts: Sequence[Part]) -> Iterator[Part]:
        """Yield parts with ``is`` where ``'s`` after a name owns nothing: ``the door's open``."""
        for at, part in enumerate(parts):
            after = [p.text if isinstance(p, Word) else "" for p in parts[at + 1 : at + 3]]
            if isinstance(part, Phrase) and part.owner and not part.pronoun and _goes_on(after):
                yield replace(part, owner=False)
                yield Word("is")
            else:
                yield part

    def _codes(self, words: Sequence[Word]) -> list[Word]:
        """Return words with the letters and the number of a code as one: ``sc 305``."""
        found: list[Word] = []
        for word in words:
            before = found[-1].text if found else ""
            joined = before + word.text
            if (
                before.isalpha()
                and before not in _SMALL | {"number", "no"}
                and not self.denoting.noun(before)
                and (
                    self.denoting.coded(joined)
                    if word.text.isdigit()
                    else self.denoting.is_name(joined)
                )
            ):
                found[-1] = replace(found[-1], text=joined)
            else:
                found.append(word)
        return found

    def _phrase(self, words: Sequence[Word], start: int) -> tuple[Phrase | None, int]:
        text = words[start].text
        if text in PERSONAL:
            after = words[start + 1].text if start + 1 < len(words) else ""
            nominal = self._phrase(words, start + 1)[0] if text in OF_IT and after else None
            owner = nominal is not None and nominal.pronoun == ""
            return Phrase((text,), pronoun=text, owner=owner), 1
        best: tuple[Phrase | None, int] = (None, 0)
        reading = _Reading(self, words, start)
        while reading.step():
            phrase = reading.phrase()
            if phrase is not None:
                best = phrase, reading.at - start
        if best[0] is not None:
            end = start + best[1]
            if end < len(words) and words[end].text == "'s":
                return replace(best[0], owner=True), best[1] + 1
        return best


def _leads_to_verb(before: Sequence[Part], after: str) -> bool:
    """Return whether a form of a verb between some parts and a word is a verb."""
    last = next((p for p in reversed(before) if not _is_adverb(p)), before[-1])
    if isinstance(last, Phrase):
        return not last.owner
    if last.text in ("has", "have", "had"):
        return True
    done = any(isinstance(p, Word) and is_verb(p.text) and p.text not in _SMALL for p in before)
    return last.text in _BEFORE_VERB and (done or after in DETERMINERS | PERSONAL)


def _is_adverb(part: Part) -> bool:
    return isinstance(part, Word) and (part.text == "just" or says_nothing(part.text))


def _names(before: Sequence[Part], phrase: Phrase) -> bool:
    """Return whether words before a phrase say that it is what one before them is called."""
    last, head = (before[-1], before[-2]) if len(before) > 1 else (None, None)
    called = isinstance(last, Word) and last.text in ("named", "called")
    return called and isinstance(head, Phrase) and not phrase.things.keys().isdisjoint(head.things)


def _without_count(before: list[Part], count: Word, phrase: Phrase) -> Phrase:
    """Return a phrase, and take off what only counts it: ``the two of them``."""
    if count.text in _COUNTED and phrase.pronoun == "them":
        first = before[-3:-2]
        counts = first and isinstance(first[0], Word) and first[0].text in DETERMINERS
        del before[-3 if counts else -2 :]
    return phrase


def _goes_on(after: Sequence[str]) -> bool:
    """Return whether words after ``'s`` tell something and are no noun that is owned: ``Ann's hands are``."""
    if not after or not after[0] or (len(after) > 1 and after[1] in COPULAS):
        return False
    text = after[0]
    if text in HANDS:
        return False
    known = text in _SMALL | DETERMINERS or bool(states_of(text)) or says_nothing(text)
    return known or is_verb(text) or is_participle(text)


def _rank_of(text: str) -> int | None:
    """Return the place in a row that a word states."""
    if text.isdigit():
        return None
    return HIGHEST if text in _HIGHEST else LOWEST if text in _LOWEST else ordinal(text)


class _Reading:
    """One noun phrase being read, word by word."""

    def __init__(self, phrases: Phrases, words: Sequence[Word], start: int) -> None:
        self.phrases, self.words, self.at = phrases, words, start
        self.said: list[str] = []
        self.nouns: dict[str, int] | None = None
        """What is meant where the phrase ends with the last word."""
        self.telling: dict[str, int] | None = None
        """What may be meant where it goes on: the last word may only tell which noun."""
        self.every = self.definite = self.other = False
        self.rank: int | None = None
        self.like = True
        """The last noun, if any, names only something like what is meant."""
        self.ends = False
        """The last word is one that a phrase may end with."""
        self.named = False
        """It has had a noun."""

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
        if text == "other" and self.definite and not self.said:
            self.other = True
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
        elif text in _ONE and (self.definite or self.said) and not self.named:
            self.nouns, self.ends, self.named = self.telling, True, True
        elif self._leads(text):
            self.ends = False
        else:
            small = text in _SMALL | FILLING and not self._is_named(text)
            return not small and not text.isdigit() and self._narrow(text)
        return True

    def _begins_name(self, text: str) -> bool:
        """Return whether the word and the next one stand together in a name: ``top hat``."""
        after = self.words[self.at + 1].text if self.at + 1 < len(self.words) else ""
        own = self.phrases.denoting.calling.own_words
        ends = text in _HIGHEST | _LOWEST
        return ends and any((text, after) in pairwise(words) for words in own.values())

    def _is_named(self, text: str) -> bool:
        """Return whether a small word goes on with the name of what is meant: ``watering can``."""
        own = self.phrases.denoting.calling.own_words
        return any((self.said[-1], text) in pairwise(own[t]) for t in self.telling or {})

    def _is_number(self, text: str) -> bool:
        """Return whether a number tells which of what was said is meant: ``line three``."""
        number = number_in(text)
        numbered = number and (self.ends or self.said[-1:] in (["number"], ["no"]))
        return bool(numbered) and self._meet(
            dict.fromkeys(self.phrases.denoting.noun(number), NAME)
        )

    def _is_letter(self, text: str) -> bool:
        """Return whether a capital letter ends the name of what was said: ``rack A``."""
        if not (self.named and len(text) == 1 and self.words[self.at].capital):
            return False
        own = self.phrases.denoting.calling.own_words
        return self._meet({t: NAME for t in self.nouns or {} if own[t][-1:] == (text,)})

    def _leads(self, text: str) -> bool:
        """Return whether a word may stand before a noun and tells nothing of which one is meant."""
        after = self.words[self.at + 1].text if self.at + 1 < len(self.words) else ""
        titled = text in TITLES and bool(self.phrases.denoting.noun(after))
        numbered = bool(number_in(after)) or self.words[self.at + 1 : self.at + 2] == []
        begins = titled or text == "number" or (text == "no" and numbered)
        return (begins and not self.said) or (not self.ends and self._is_mere(text))

    def _is_mere(self, text: str) -> bool:
        """Return whether a word only says how a thing is, in a way that nothing here differs in."""
        if text in _MERE:
            return True
        known = text in _SMALL | FILLING | _CHOOSING | _ONE or not text.isalpha()
        if known or text.endswith(("er", "est")) or names_color(text) or states_of(text):
            return False
        denoting = self.phrases.denoting
        told = denoting.noun(text) or denoting.described(text, self.phrases.changes)
        return self.definite and not (told or denoting.is_noun(text) or is_verb(text))

    def _narrow(self, text: str) -> bool:
        """Take a noun, or a word before one."""
        denoting = self.phrases.denoting
        verbal = self.named and is_verb(text) and not (self.definite or self._is_named(text))
        known = {} if verbal else denoting.noun(text)
        named = self._both(known)
        nouns = {t: rank for t, rank in named.items() if not denoting.only_leads(text, t)}
        described = self._both(
            dict.fromkeys(denoting.described(text, self.phrases.changes), RELATED)
        )
        leading = {t: rank for t, rank in named.items() if t not in nouns}
        if leading and not nouns:
            self.nouns, self.telling, self.ends = None, {**described, **leading}, False
            return True
        if not (nouns or described):
            return self._ends_with(text)
        self.like = all(known[t] == LIKE for t in nouns)
        return self._go_on_with(nouns, described)

    def _ends_with(self, text: str) -> bool:
        """Take a noun for things of any kind after what tells which are meant: ``every broken item``."""
        denoting = self.phrases.denoting
        known = denoting.noun(text) or states_of(text) or (is_verb(text) and not self.every)
        if self.named or not self.definite or known or not denoting.is_noun(text):
            return False
        if self.every and not self.said and denoting.is_wide(text):  # "every fixture"
            self.telling = dict.fromkeys(denoting.movable, TYPE)
        if not self.telling:
            return False
        self.nouns, self.ends, self.named, self.like = self.telling, True, True, False
        return True

    def _go_on_with(self, nouns: dict[str, int], described: dict[str, int]) -> bool:
        """Take what a word may name, and what it may tell apart."""
        denoting = self.phrases.denoting
        bare = self.definite and not self.named and all(t in denoting.values for t in nouns)
        self.nouns = {**described, **nouns} if bare else nouns or None
        self.telling = {**described, **nouns}
        self.ends, self.named = bool(nouns) or bare, self.named or (bool(nouns) and not bare)
        return True

    def _both(self, found: Mapping[str, int]) -> dict[str, int]:
        """Return what a word may speak of together with those before it."""
        if self.telling is None:
            return dict(found)
        return {t: max(r, self.telling[t]) for t, r in found.items() if t in self.telling}

    def _meet(self, found: Mapping[str, int]) -> bool:
        if self.nouns is not None:
            found = {t: r for t, r in self.nouns.items() if t in found}
        if found:
            self.nouns = self.telling = {**found}
        return bool(found)

    def phrase(self) -> Phrase | None:
        """Return what was read so far, where a phrase may end there."""
        if not self.ends or (self.nouns is None and self.rank is None):
            return None
        denoting = self.phrases.denoting
        things = self._ranked(self.nouns or {})
        exact = self._in_full(things)
        bare = not self.named
        if not exact and self._is_no_noun():
            return None
        if exact and not (bare and all(map(denoting.is_trait, exact))):
            things = dict.fromkeys(exact, EXACT)  # a full name describes nothing else
        return Phrase(
            tuple(self.said),
            things,
            self.every,
            self.rank,
            bare=bare,
            other=self.other,
            like=self.like and not exact,
        )

    def _is_no_noun(self) -> bool:
        """Return whether words that are no name tell a state, or name a part of what is named next."""
        after = self.words[self.at].text if self.at < len(self.words) else ""
        if not self.named and self.rank is None and after == "of":
            return True  # "the brake of the chair"
        return not self.definite and {*self.said} <= self.phrases.denoting.stated  # "to sea"

    def _in_full(self, things: Mapping[str, int]) -> set[str]:
        """Return the things whose whole names were said."""
        own, said = self.phrases.denoting.calling.own_words, {*self.said}
        return {t for t, rank in things.items() if rank == EXACT or {*own[t]} <= said}

    def _ranked(self, things: dict[str, int]) -> dict[str, int]:
        """Return the things that are the one of a row that was said."""
        if self.rank is None or not things:
            return things
        meant = self.phrases.denoting.ranked(things, self.rank, self.phrases.changes)
        return {t: r for t, r in things.items() if t in meant}
