"""The clauses of a sentence: who does what in each, and what of the world it speaks of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from commonground.grounding.english.faithful import NUMBERS
from commonground.grounding.english.names import Names
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.fidelity.phrases import Said, phrases_in
from commonground.grounding.fidelity.verbs import DEEDS
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.words import tense
from commonground.grounding.words.closed import BE, HAVE, SPEAKERS
from commonground.grounding.words.nouns import word_set

PEOPLE = word_set("he she they somebody someone everybody everyone people")
NOBODY = word_set("nobody none nothing noone anyone anybody no anything neither")
POINTING = word_set("it this that these those there one ones")
OWNING = word_set("the a an my our his her their its some every each all both another")
LEADING = word_set(
    "when since as because with in on at by for from after before during last this every yesterday "
    "today tonight whoever whatever what how why such once earlier"
)
"""Besides a subject, a sentence that tells something begins with these."""
FILLING = word_set(
    "right well so now okay ok anyway and but then hey hello hi good morning evening yeah um er uh "
    "look oh ah honestly basically actually apparently still just never ever even also always not too"
)
IS = BE | {"'s"}
_BREAKS = frozenset(",:;–—()") | word_set("and but so or because n nor")
_ENDS = frozenset(".!;")
_TIES = word_set(
    "it them there one ones those these which former latter other others rest both each same"
)
"""Words that stand for what was named before."""
_VERBS = IS | HAVE | word_set(
    "'re 've 'm 'd 'll wo ca will would can could may might does do say says thinks reckons swears "
    "claims never"
)  # fmt: skip
_SYMBOL = re.compile(r"[A-Za-z]\d+")
_YEAR = 4
"""Digits of a number that counts nothing."""
_TIMES = IS | word_set("at by until till before after since past to from about around")
"""A number that ends a clause behind these is an hour or an age."""
_LONGEST = 6
"""So many words the subject of a clause may have."""

Who = Literal["speaker", "people", "nobody", "thing", ""]


class Known(NamedTuple):
    """What of a world may be spoken of."""

    robots: Sequence[str]
    names: Names
    is_thing: Callable[[str], bool]
    is_area: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Telling:
    """A clause without what joins it on."""

    words: tuple[str, ...]
    who: Who
    deeds: tuple[tuple[int, Said], ...]
    """What it says that robots could do, and at which word."""
    named: frozenset[int]
    """Which of its words name things of the world."""
    is_place: bool
    """Whether all of these are areas."""
    later: bool
    """Whether the sentence named something before."""

    @property
    def is_past(self) -> bool:
        """Whether it tells of what was."""
        return is_past(self.words)

    @property
    def about(self) -> bool:
        """Whether it names anything, or has a word that stands for what was named."""
        return bool(self.named) or _takes_up(self.words)

    @property
    def names(self) -> bool:
        """Whether it names anything, or takes up what its sentence named."""
        return bool(self.named) or (self.later and self.about)

    @property
    def counts(self) -> bool:
        """Whether it says how many of something: of what is named, of them, or ``time for two``."""
        return any(self._counts(at) for at in range(len(self.words)))

    @property
    def has_verb(self) -> bool:
        """Whether a verb that can be told stands in it, or a subject that has one."""
        subject = not (SPEAKERS | PEOPLE).isdisjoint(self.words[:-1])
        return subject or any(map(is_verb, self.words))

    def has(self, words: frozenset[str]) -> bool:
        """Return whether it has any of some words."""
        return not words.isdisjoint(self.words)

    def _counts(self, at: int) -> bool:
        word, behind = self.words[at], self.words[at + 1 : at + 3]
        number = word in NUMBERS or (word.isdigit() and len(word) < _YEAR)
        of_them = behind in (("of", "them"), ("of", "those"), ("of", "these"))
        alone = not behind and not self.is_past and self.words[max(at - 1, 0)] not in _TIMES
        return number and (of_them or alone or not self.named.isdisjoint(range(at + 1, at + 4)))


def is_past(words: Iterable[str]) -> bool:
    """Return whether words tell of what was."""
    return any(map(tense.is_past, words))


def is_verb(word: str) -> bool:
    return word in _VERBS or tense.is_past(word)


def opens(words: Sequence[str]) -> bool:
    """Return whether a sentence begins as what tells something does, with a subject of its own."""
    at = next((k for k, w in enumerate(words) if w not in FILLING and w.isalpha()), len(words))
    first, rest = [*words, ""][at], words[at + 1 :]
    if first in SPEAKERS | PEOPLE | NOBODY | POINTING | OWNING | LEADING | NUMBERS:
        return True
    near = [word for word in rest if word.isalpha() or word.startswith("'")][:2]
    verbal = (is_verb(word) or word.endswith("s") for word in near)
    return OWNING.isdisjoint(near) and any(verbal)  # not: respect the rules


def named_in(tokens: Sequence[Token], known: Known) -> set[int]:
    """Return which tokens name things of the world."""
    words = [token.text for token in tokens]
    hints = known.names.hints(words)
    found = {at for start, end, _ in hints for at in range(start, end)}
    for at, word in enumerate(words):
        noun = at > 0 and words[at - 1].casefold() in OWNING and word.isalpha()
        if (noun and known.is_thing(word.casefold())) or _SYMBOL.fullmatch(word):
            found.add(at)
    return found


def _areas_in(tokens: Sequence[Token], named: set[int], known: Known) -> set[int]:
    """Return which tokens name areas: those of a name, too."""
    spans = [(start, end) for start, end, _ in known.names.hints([t.text for t in tokens])]
    spans += [(at, at + 1) for at in named if not any(start <= at < end for start, end in spans)]
    names = ((span, " ".join(token.text for token in tokens[slice(*span)])) for span in spans)
    return {at for span, name in names if known.is_area(name) for at in range(*span)}


def tellings(text: str, known: Known) -> Iterator[Telling]:
    """Yield the clauses of a sentence; one without a subject has that of the clause before."""
    tokens = tokens_of(text)
    words = [token.text.casefold() for token in tokens]
    named, said = named_in(tokens, known), _deeds(text)
    areas = _areas_in(tokens, named, known)
    who: Who = ""
    for first, end in _spans(words):
        here = named.intersection(range(first, end))
        own = frozenset(k - first for k in here)
        who = _who(words[first:end], own) or who
        starts = ((k, tokens[k].start) for k in range(first, end))
        deeds = tuple((k - first, said[start]) for k, start in starts if start in said)
        place, later = bool(here) and here <= areas, any(k < first for k in named)
        yield Telling(tuple(words[first:end]), who, deeds, own, place, later)


def _deeds(text: str) -> dict[int, Said]:
    """Return what a text says that robots could do, by where it begins."""
    idle = BE - {"be"}
    return {
        said.start: said for said in phrases_in(tokenize(text), DEEDS) if said.words not in idle
    }


def _spans(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield from which word to which the clauses reach, without what joins them on."""
    first = 0
    for at in range(len(words) + 1):
        if at < len(words) and words[at] not in _BREAKS | _ENDS:
            continue
        while first < at and words[first] in FILLING - {"not", "never"}:
            first += 1
        if first < at:
            yield first, at
        first = at + 1


def _takes_up(words: Sequence[str]) -> bool:
    """Return whether words stand for what was named before; ``there's`` and ``it rained`` do not."""
    behind = (*words[1:], "")
    begins = words[0] in ("there", "it") and behind[0] != "to"
    ties = zip(words[begins:], behind[begins:], strict=True)
    return any(a in _TIES and not (a == "there" and b in IS) for a, b in ties)


def _who(words: Sequence[str], named: frozenset[int]) -> Who:
    """Return who does what a clause tells; empty where it does not say."""
    if words[0] in LEADING:
        at = next((k for k, w in enumerate(words) if w in SPEAKERS | PEOPLE), 0)
        return _who(words[at:], named) if at else "thing"
    kinds: tuple[tuple[Who, frozenset[str]], ...] = (
        ("speaker", SPEAKERS), ("nobody", NOBODY), ("people", PEOPLE), ("thing", POINTING | NUMBERS),
    )  # fmt: skip
    if words[:2] == ["not", "a"]:
        return "nobody"
    if words[0] == "there" and "who" in words:
        return "people"  # there's a lady who can't walk
    return next((who for who, said in kinds if words[0] in said), _called(words, named))


def _called(words: Sequence[str], named: frozenset[int]) -> Who:
    """Return whether people do something whom a clause calls by what they are."""
    begun = enumerate(words[:_LONGEST])
    verb = next((k for k, w in begun if is_verb(w)), 0)
    if words[0] not in OWNING and not verb:
        return ""
    return "people" if named.isdisjoint(range(verb or _LONGEST)) else "thing"
