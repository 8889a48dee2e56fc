"""The lexicon: which words and phrases of a sentence can be what, for one map and its robots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import Trie, split_words, vocabulary
from commonground.grounding.words.concepts import ClassIndex
from commonground.grounding.words.nouns import (
    is_mass,
    is_plural_only,
    plural,
    singulars,
    spoken,
    word_set,
)
from commonground.grounding.words.numbers import NUMBER_WORDS

FILLER_COST = 0.1
NUMBERED_COST = -0.3
"""A name that ends in a number is that name rather than a thing and its number."""
ABSENT_COST = 2.0
"""A noun that nothing on the map is called."""

Match = tuple[int, Any, float]
"""End, value and cost of a phrase found in a sentence."""
Terminals = dict[str, list[Match]]
"""What starts at one position, by category; a literal word is the category ``=word``."""

_DETERMINERS = word_set("a an the any some that this each every one another same nearest closest")


class Noun(NamedTuple):
    """A noun of the lexicon."""

    words: str
    """In the singular."""
    singular: bool
    plural: bool
    """Both hold for mass nouns."""
    here: bool = True
    """Something on the map may be meant by it."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a map and a team add to the lexicon; all of it is data that only ever names things."""

    classes: tuple[str, ...] = ()
    """Class words of objects, regions and places."""
    things: tuple[str, ...] = ()
    """Proper names of regions and objects."""
    parts: tuple[str, ...] = ()
    """Their first words, where a class word follows: ``west`` of ``west meadow``."""
    robots: tuple[str, ...] = ()


class Lexicon:
    """The closed vocabulary, and on top of it the nouns and names of one map and team."""

    def __init__(self, names: Names, index: ClassIndex | None = None) -> None:
        self.names = names
        self.phrases, base_words = vocabulary()
        self.own = _own_phrases(names, index if index is not None else ClassIndex(names.classes))
        self.words = base_words | self.own.words()

    def terminals(self, tokens: Sequence[Token]) -> list[Terminals]:
        """Return what each position can be read as (one more for the end).

        Fillers (``please``, ``right away``) can be passed over wherever they stand.
        """
        words = [token.text for token in tokens]
        table: list[Terminals] = [{} for _ in range(len(tokens) + 1)]
        for at in range(len(tokens) - 1, -1, -1):
            here = table[at]
            _add_token(tokens[at], at, here)
            for trie in (self.phrases, self.own):
                for end, category, value, cost in trie.matches(words, at):
                    here.setdefault(category, []).append((end, value, cost))
            if "ROBOT" in here and "GENERIC" in here and words[max(at - 1, 0)] not in _DETERMINERS:
                del here["GENERIC"]  # Spot is a spot only where it has an article
            for end, _, _ in here.get("FILLER", ()):
                _pass_over(here, table[end])
        return table

    def unknown(self, tokens: Sequence[Token]) -> list[str]:
        """Return the words that are not in the lexicon."""
        return [
            t.text for t in tokens if t.kind == "word" and t.text not in self.words and not t.value
        ]


def _add_token(token: Token, at: int, here: Terminals) -> None:
    here[f"={token.text}"] = [(at + 1, token.text, 0.0)]
    if token.kind == "number":
        here["NUM"] = [(at + 1, token.value, 0.0)]
        if token.value == int(token.value):
            here["INT"] = [(at + 1, int(token.value), 0.0)]
    elif token.kind == "symbol":
        here["SYMBOL"] = [(at + 1, token.text, 0.0)]
    elif token.kind == "mark":
        here["COMMA"] = [(at + 1, ",", 0.0)]
    elif token.value:
        here["ORDINAL"] = [(at + 1, str(int(token.value)), 0.0)]


def _pass_over(here: Terminals, after: Mapping[str, list[Match]]) -> None:
    """Let everything that can follow a filler start at the filler."""
    for category, found in after.items():
        if category == "FILLER":
            continue
        mine = here.setdefault(category, [])
        seen = {end for end, _, _ in mine}
        mine += [(e, value, cost + FILLER_COST) for e, value, cost in found if e not in seen]


def _own_phrases(names: Names, index: ClassIndex) -> Trie:
    own = Trie()
    for robot in names.robots:
        own.add(split_words(spoken(robot)), "ROBOT", robot)
    for part in names.parts:
        own.add(split_words(part), "NAMEPART", part)
    for noun in (*names.classes, *names.things):
        _add_noun(own, noun, here=True)
    for noun in index.concepts.words():
        _add_noun(own, noun, here=bool(index.matches(noun)[0]))
    named = [spoken(name) for name in (*names.classes, *names.things)]
    for head in dict.fromkeys(name.rpartition(" ")[2] for name in named if " " in name):
        _add_noun(own, head, here=True)
    return own


def _add_noun(trie: Trie, noun: str, *, here: bool) -> None:
    cost = 0.0 if here else ABSENT_COST
    if here and noun.rpartition(" ")[2] in NUMBER_WORDS:
        cost = NUMBERED_COST
    for words, form in _forms(noun, here):
        trie.add(words, "NOUN", form, cost)


@lru_cache(8192)  # every map has the everyday nouns
def _forms(noun: str, here: bool) -> tuple[tuple[tuple[str, ...], Noun], ...]:
    """Return the words of a noun's singular and plural, as far as it has them, with what they are."""
    noun = spoken(noun)
    if not noun:
        return ()
    if is_plural_only(noun):
        return ((tuple(split_words(noun)), Noun(noun, False, True, here)),)
    single = singulars(noun)[-1] if _looks_plural(noun) else noun
    many = plural(single)
    both = is_mass(single) or many == single
    forms = [(tuple(split_words(single)), Noun(single, True, both, here))]
    if not both:
        forms.append((tuple(split_words(many)), Noun(single, False, True, here)))
    return tuple(forms)


def _looks_plural(noun: str) -> bool:
    last = noun.rpartition(" ")[2]
    return last.endswith("s") and not last.endswith(("ss", "us", "is")) and last != "gas"
