"""Noun phrases: the words before and in a noun, and which things satisfy all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
    EVERY,
    FROM,
    GENERAL,
    MODALS,
    OF_IT,
    PARTICLES,
    PERSONAL,
    TO,
    Word,
    alike,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    number_in,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.named import EXACT, NAME, RELATED
from commonground.grounding.memory.readers.domain.described.nouns import SMALL, NounReading
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.words.attributes import attribute_of
from commonground.grounding.words.nouns import singulars, words_of

_INSIDE = frozenset(["in", "inside", "into", "on", "onto"])
_BEYOND = (TO | FROM | {",", ".", ";", "!", "and", "but", "so", "now", "any", "again", "too"}) - {
    "for"
}
"""What follows a word that points at something, and is no noun of it."""


def pointing(words: Sequence[Word], start: int) -> tuple[Phrase | None, int]:
    """Return the phrase of words that point at what was spoken of: ``that one``, ``those``, ``you``."""
    text, before = words[start].text, words[start - 1].text if start else ""
    after = [w.text for w in words[start + 1 : start + 3]] or [","]
    if text in ("that", "this") and after[0] == "one" and after[1:] != ["that"]:
        return Phrase((text, "one"), pronoun="it"), 2
    pronoun = _pointed(text, before, after[0])
    if text in ("both", "all") and before in ("", ",", "and") and _tells_of_them(after):
        return Phrase((text,), pronoun="they"), 1
    led = pronoun == "there" and before in {*_INSIDE, "out"}
    said = (before if before == "out" else "in", text) if led else (text,)
    return (Phrase(said, pronoun=pronoun), 1) if pronoun else (None, 0)


def _pointed(text: str, before: str, after: str) -> str:
    """Return the pronoun for a word that points at what was spoken of between two others; '' for none."""
    if text in ("those", "these"):
        return "them" if after in _BEYOND | COPULAS else ""
    if text in ("that", "this"):
        return "it" if after in _BEYOND and is_verb(before) else ""  # "left that on the bench"
    if text == "there":
        return "there" if before in TO | FROM | {"of"} and after not in COPULAS else ""
    given = before in FROM | {"to"} or "give" in classes_of(before, frozenset())
    return "you" if text == "you" and given else ""


def _tells_of_them(after: Sequence[str]) -> bool:
    """Return whether what follows ``both`` or ``all`` tells of those spoken of: ``both standing here``."""
    first, beyond = (*after, "")[:2]
    ends = not beyond.isalpha() or beyond in TO | FROM | {"here", "there"}
    return first in COPULAS or (ends and (is_going_on(first) or is_participle(first)))


_BEFORE_VERB = frozenset(["and", ",", "then", "just", "also", "already"])
_JOINING = frozenset([",", "and", "or"])
HANDS = frozenset(["hand", "hands", "arm", "arms", "possession", "pocket", "pockets", "bag"])
_NUMERALS = frozenset(
    words_of(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty"
    )
)
"""Numbers in words that may name a thing; ``one`` stands for any noun."""
_BELONGINGS = frozenset(["things", "stuff", "belongings", "possessions", "gear", "kit", "items"])


class Phrases:
    """Finds the noun phrases of sentences."""

    def __init__(self, denoting: Denoting, changes: Changes) -> None:
        self.denoting, self.changes = denoting, changes

    def parts(self, words: Sequence[Word]) -> list[Part]:
        """Return a sentence with its noun phrases in place of their words."""
        words = self._counted_off(words)
        found: list[Part] = []
        at = 0
        while at < len(words):
            before = found[-1] if found else None
            phrase, size = self._phrase_after(before, words, at)
            begins = at == 0 or words[at - 1].text in ("please", "you", "kindly")
            order = begins and phrase is not None and self._is_order(words[at:], phrase, size)
            if phrase is None or order or self._is_no_name(words, at, size, found, phrase):
                found.append(words[at])
                at += 1
                continue
            phrase = replace(phrase, source=tuple(w.text for w in words[at : at + size]))
            if isinstance(before, Phrase) and before.owner and not phrase.pronoun:
                found.pop()
                owner = replace(before, owner=False, every=False)
                every, source = phrase.every or before.every, (*before.source, *phrase.source)
                phrase = replace(phrase, owners=(owner,), source=source, every=every)
            found.append(phrase)
            at += size
        return [*self._shortened(found)]

    def _is_no_name(
        self, words: Sequence[Word], at: int, size: int, before: Sequence[Part], phrase: Phrase
    ) -> bool:
        """Return whether what could be a phrase is a verb, or has the noun of something else behind it."""
        cut = self._lacks_noun(phrase, words[at + size :])
        return cut or self._is_main_verb(words, at, before, phrase)

    def _lacks_noun(self, phrase: Phrase, rest: Sequence[Word]) -> bool:
        """Return whether a phrase ends in an attribute of what is named behind it: ``the black umbrella``."""
        after = rest[0].text if rest else ""
        if not phrase.words or phrase.owner or not attribute_of(phrase.words[-1]):
            return False
        known = any(alike(after, word) for word in self.denoting.stated)
        said = after in SMALL | DETERMINERS | PERSONAL or says_nothing(after)
        return after.isalpha() and not (known or said or is_verb(after) or states_of(after))

    def _phrase_after(
        self, before: Part | None, words: Sequence[Word], at: int
    ) -> tuple[Phrase | None, int]:
        """Return the phrase at a word, which after an owner may be for all that is his."""
        phrase, size = self._phrase(words, at)
        if phrase is None and isinstance(before, Phrase) and before.owner:
            return self._belongings(words[at].text), 1
        owns = words[at + 1 : at + 2] == [Word("'s")] and words[at].text.isdigit()
        if phrase is None and (owns or not isinstance(before, Phrase)):
            return self._all_that_is_there(words, at) or self._of_number(words, at)
        return phrase, size

    def _all_that_is_there(self, words: Sequence[Word], at: int) -> tuple[Phrase, int] | None:
        """Return a phrase for all things that what follows tells: ``all the stuff from the shelf``."""
        texts = [w.text for w in words[at : at + 3]]
        size = 2 + (texts[1:2] == ["the"])
        general = self._belongings(texts[size - 1]) if len(texts) >= size else None
        return (general, size) if general is not None and texts[0] == "all" else None

    def _of_number(self, words: Sequence[Word], at: int) -> tuple[Phrase | None, int]:
        """Return a phrase for what goes by a number alone, or for whose something is: ``14's key``."""
        leads = int(words[at].text == "the" and at + 1 < len(words))  # "the 35"
        numbered = self._numbered(words, at + leads)
        own = words[at + leads + 1 : at + leads + 2] == [Word("'s")]
        if numbered is not None and own:
            return replace(numbered, owner=True), leads + 2
        return numbered, leads + 1

    def _numbered(self, words: Sequence[Word], at: int) -> Phrase | None:
        """Return a phrase for what goes by a number alone: ``coupled to 312``, ``off two and off three``."""
        text = words[at].text
        number = number_in(text) if text.isdigit() or text in _NUMERALS else ""
        things = self.denoting.numbered(number) if number else []
        if text.isdigit() and len(text) > 1:
            return self._place_numbered(text, things)
        after = words[at + 1].text if at + 1 < len(words) else ","
        ends = (
            not after.isalnum()
            or after == "'s"
            or (after in SMALL and after not in ("of", "there"))
        )
        return Phrase((text,), dict.fromkeys(things, NAME)) if things and ends else None

    def _place_numbered(self, number: str, things: Sequence[str]) -> Phrase | None:
        """Return a phrase for the one thing of a number, or the one place: ``in 12``."""
        places = filter(self.denoting.is_where, things)
        found = [*things] if len(things) < 2 else [*places]
        return Phrase((number,), {found[0]: NAME}) if len(found) == 1 else None

    def _belongings(self, noun: str) -> Phrase | None:
        """Return a phrase for all that is somebody's: ``Ann's things``."""
        things = dict.fromkeys(self.denoting.movable, NAME)
        return Phrase((noun,), things, every=True) if noun in _BELONGINGS else None

    def _is_named_by(self, text: str, phrase: Phrase) -> bool:
        """Return whether a word is of the full name of what a phrase means."""
        own = self.denoting.calling.own_words
        exact = (t for t, rank in phrase.things.items() if rank == EXACT)
        return any(text in own[t] for t in exact)

    def _is_main_verb(
        self, words: Sequence[Word], at: int, before: Sequence[Part], phrase: Phrase
    ) -> bool:
        """Return whether a word before a noun is what somebody did: ``Ann opened cage 3``."""
        text = words[at].text
        after = words[at + 1].text if at + 1 < len(words) else ""
        if not before or self._is_named_by(text, phrase):
            return False
        if is_going_on(text) and text_of(before[-1]) in COPULAS:
            return True  # "she is keeping it"
        deed = self.denoting.sayings.is_deed(text)
        if before[-1] == Word("to"):
            return _is_infinitive(text, after)
        if deed and text_of(before[-1]) in _BEFORE_VERB and self._phrase(words, at + 1)[0]:
            return True  # ", strap cage 3"
        return (is_verb(text) or deed) and _leads_to_verb(before, text, after)

    def _is_order(self, words: Sequence[Word], phrase: Phrase, size: int) -> bool:
        """Return whether words begin with what is to be done: ``feed the horses``, ``wash cage 2``."""
        first = words[0].text
        if size == 1:
            return self._is_order_word(words, phrase)
        deed = (
            self.denoting.sayings.is_deed(first)
            and not phrase.things.keys() & self.denoting.noun(first).keys()
        )
        if deed and self._phrase(words, 1)[0] is not None:
            return True
        if first not in load_lexicon().lemmas(first):
            return False
        named, length = self._phrase(words, 1)
        ranks = [min(p.things.values(), default=RELATED) for p in (named, phrase) if p is not None]
        return len(ranks) == 2 and length + 1 >= size and ranks[0] < ranks[1]

    def _is_order_word(self, words: Sequence[Word], phrase: Phrase) -> bool:
        """Return whether a noun at the beginning is a verb, as what it is done to follows it at once."""
        first, denoting = words[0].text, self.denoting
        rest = [w.text for w in words[1:3]]
        at = 1 + (rest[:1] != [] and rest[0] in PARTICLES - TO - FROM)
        deed = denoting.sayings.is_deed(first)
        if (
            rest[at - 1 : at] and rest[at - 1] in DETERMINERS | EVERY | GENERAL
        ):  # "mic up the cello"
            known = deed or any(alike(first, w) for w in denoting.stated)
            direct = min(phrase.things.values(), default=EXACT) == EXACT
            return known or is_verb(first) or (first.isalpha() and not direct)
        numbered = rest and number_in(rest[0])
        follows = deed and not numbered and at < len(words)
        return follows and self._phrase(words, at)[0] is not None  # "feed Ann's horse"

    @staticmethod
    def _shortened(parts: Sequence[Part]) -> Iterator[Part]:
        """Yield parts with ``is`` where ``'s`` after a name owns nothing: ``the door's open``."""
        for at, part in enumerate(parts):
            after = [p.text if isinstance(p, Word) else "" for p in parts[at + 1 : at + 3]]
            if isinstance(part, Phrase) and part.owner and not part.pronoun and _goes_on(after):
                yield replace(part, owner=False, source=part.source[:-1])
                yield Word("is")
            elif part == Word("'s") and _goes_on(after) and _is_subject(parts[:at]):
                yield Word("is")  # "the heating's off"
            else:
                yield part

    def _counted_off(self, words: Sequence[Word]) -> list[Word]:
        """Return words with the noun before each of several numbers: pen 1 and pen 2 for ``pens 1 and 2``."""
        found: list[Word] = []
        noun = ""
        for word, after in pairwise([*words, Word(",")]):
            before = found[-1].text if found else ""
            if word.text.isdigit() and before.isalpha() and before not in SMALL:
                noun = self._counted(before)
                found[-1] = Word(noun) if noun else found[-1]
            elif word.text.isdigit() and noun and before in _JOINING:
                found += [Word(noun)] if after.text in SMALL or not after.text.isalpha() else []
            elif word.text not in _JOINING or not after.text.isdigit():
                noun = ""
            found.append(word)
        return found

    def _counted(self, noun: str) -> str:
        """Return the noun for one thing where it is one for several that are known here; '' else."""
        one = min(singulars(noun), key=len, default=noun)
        return one if one != noun and self.denoting.noun(one) else ""

    def _called(self, words: Sequence[Word], at: int) -> list[str]:
        """Return what is called by a small word there: ``Will is ill``, not ``will Ann come``."""
        text, after = words[at].text, words[at + 1].text if at + 1 < len(words) else ","
        calling = self.denoting.calling
        named = (
            [t for t in calling.kinds if calling.own_words[t] == (text,)] if text in SMALL else []
        )
        if not named or (at == 0 and (text not in MODALS or _asks(after))):
            return []
        return named if at == 0 or words[at].capital else []

    def _in_full(
        self, words: Sequence[Word], start: int, best: tuple[Phrase | None, int]
    ) -> tuple[Phrase | None, int]:
        """Return the phrase of a whole name where that is longer: ``Bear Goes Fishing``."""
        leads = int(words[start].text in DETERMINERS)
        said = [w.text for w in words[start + leads :]]
        things, size = self.denoting.calling.in_full(said)
        if not things or leads + size <= best[1]:
            return best
        return Phrase((*said[:size],), dict.fromkeys(things, EXACT)), leads + size

    def _phrase(self, words: Sequence[Word], start: int) -> tuple[Phrase | None, int]:
        text = words[start].text
        called = self._called(words, start)
        if called:
            owns = words[start + 1 : start + 2] == [Word("'s")]
            return Phrase((text,), dict.fromkeys(called, EXACT), owner=owns), 1 + owns
        pointed = pointing(words, start)
        if pointed[0] is not None:
            return pointed
        if text in PERSONAL:
            after = words[start + 1].text if start + 1 < len(words) else ""
            owning = text in OF_IT and after and after not in DETERMINERS  # "gave her the cup"
            nominal = self._phrase(words, start + 1)[0] if owning else None
            owner = nominal is not None and not nominal.pronoun
            return Phrase((text,), pronoun=text, owner=owner), 1
        best: tuple[Phrase | None, int] = (None, 0)
        reading = NounReading(self.denoting, self.changes, words, start)
        while reading.step():
            phrase = reading.phrase()
            if phrase is not None:
                best = phrase, reading.at - start
        best = self._in_full(words, start, best)
        if best[0] is not None:
            end = start + best[1]
            if end < len(words) and words[end].text == "'s":
                return replace(best[0], owner=True), best[1] + 1
        return best


def _asks(after: str) -> bool:
    """Return whether a word after ``will`` or ``may`` shows that this asks: a plain form, or who acts."""
    known = after in COPULAS - {"be"} or after == "'s" or not after.isalpha()
    told = known or (after in AUXILIARIES | MODALS) or is_participle(after)
    return not told


def _is_infinitive(text: str, after: str) -> bool:
    """Return whether a word after ``to`` is a verb with an object: ``to wear it``."""
    object_ = after.isalnum() and (after not in SMALL or after in DETERMINERS | OF_IT)
    return text in load_lexicon().lemmas(text) and object_


def _leads_to_verb(before: Sequence[Part], text: str, after: str) -> bool:
    """Return whether a form of a verb between some parts and a word is a verb."""
    last = next((p for p in reversed(before) if not _is_adverb(p)), before[-1])
    if isinstance(last, Phrase):
        return not last.owner
    if last.text in ("has", "have", "had"):
        return is_participle(text)  # "have skip 5 emptied"
    done = any(isinstance(p, Word) and is_verb(p.text) and p.text not in SMALL for p in before)
    return last.text in _BEFORE_VERB and (done or after in DETERMINERS | PERSONAL)


def _is_adverb(part: Part) -> bool:
    return isinstance(part, Word) and (part.text == "just" or says_nothing(part.text))


def _is_subject(before: Sequence[Part]) -> bool:
    """Return whether a sentence begins with a noun that names nothing here: ``the heating 's off``."""
    texts = [*map(text_of, before)]
    return len(texts) == 2 and texts[0] in DETERMINERS and texts[1].isalpha() and texts[1] != "one"


def _goes_on(after: Sequence[str]) -> bool:
    """Return whether words after ``'s`` tell something and are no noun that is owned: ``Ann's hands are``."""
    if not after or not after[0] or (len(after) > 1 and after[1] in COPULAS):
        return False
    text = after[0]
    if text in HANDS:
        return False
    known = text in SMALL | DETERMINERS or bool(states_of(text)) or says_nothing(text)
    return known or is_verb(text) or is_participle(text)
