"""What words that were asked for mean: a noun, attributes of it, and other words for the same."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, lru_cache
from itertools import takewhile

from commonground.grounding.words.attributes import attribute_of
from commonground.grounding.words.concepts import Concepts, artifacts, everyday, household
from commonground.grounding.words.nouns import singular, word_set
from commonground.grounding.words.purposes import kinds_doing

_BEFORE = re.compile(
    r"^(?:(?:where(?:'s| is| are)|please|an?|the|this|that|these|those|my|our|your|his|her|their|every|"
    r"(?:all|any|both|each|most|several|some|one|two|three|four|five)(?: of)?)\s+)+",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?:\s*,)?\s+(?:please|thanks|thank you)$", re.IGNORECASE)
_AFTER = re.compile(
    r"\s+(?:(?:(?:that|which) (?:is|are) )?made (?:out )?of|of|with|in"
    r"|(?:(?:that|which) )?(?:is|are|has|have))\s+"
    r"(?:an?\s+)?(\S+)(?:\s+(?:finish|paint|pattern|colou?r))?(?:\s+on (?:it|them))?$",
    re.IGNORECASE,
)
_ANYTHING = word_set(
    "thing something anything everything whatever object item one stuff goods good"
)
STEPS = 2
"""How far above a noun a word for it may be: a brolly is an umbrella."""


def plain(words: str) -> str:
    """Return words without what stands before a noun in questions, and without marks and thanks behind."""
    return _BEFORE.sub("", _BEHIND.sub("", " ".join(words.split()).rstrip(" ?!.")))


def parts(asked: str) -> tuple[list[str], str]:
    """Return the attributes of which a thing has one each, and the noun, '' for anything.

    They stand before the noun or behind it (a bench made of wood).
    """
    attributes = []
    while (after := _AFTER.search(asked)) and attribute_of(after[1]):
        attributes.append(attribute_of(after[1]))
        asked = asked[: after.start()]
    words = singular(asked).split()
    if words[0].lower() in _ANYTHING:  # something red
        words = [*words[1:], words[0]]
    before = list(takewhile(attribute_of, words))
    noun = " ".join(words[len(before) :])
    attributes = [*map(attribute_of, before), *attributes]
    return attributes, "" if noun.lower() in _ANYTHING and attributes else noun


@lru_cache(maxsize=10_000)
def known_as(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    """Return the words that a model of a small world was taught for a noun, else the noun itself.

    They are the very word, words for the same and for kinds of it (a rucksack is a backpack, a clock a
    timepiece), else what it is a kind of, else the word for its head (a construction crane is a crane). What
    it is for may stand behind it (a table for meetings).
    """
    thing, _, purpose = noun.partition(" for ")
    if thing.strip() and purpose.strip():
        own = known_as(f"{singular(purpose).split()[-1]} {thing}", taught)
        return own if set(own) <= taught else known_as(thing, taught)
    whole = " ".join(noun.lower().replace("-", " ").split())
    ways = (_spelled, _by_kind, _by_rewording, _by_doing, _by_head)
    return next((found for way in ways if (found := way(whole, taught))), (noun,))


def _spelled(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    joined = _joined(taught)
    known = joined.get(noun.replace(" ", "")) or joined.get(singular(noun).replace(" ", ""))
    return (known,) if known else ()


def _by_kind(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    lists = (everyday(), household(), artifacts())
    found = (_below(noun, c, taught) or _above(noun, c, taught) for c in lists)
    return next(filter(None, found), ())


def _by_rewording(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    ways = _reworded(noun)
    found = ((said,) if said in taught else _below(said, artifacts(), taught) for said in ways)
    return next(filter(None, found), ())


def _by_doing(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    return tuple(kind for kind in kinds_doing(singular(noun)) if kind in taught)


def _by_head(noun: str, taught: frozenset[str]) -> tuple[str, ...]:
    """Return the taught words for the last of several words, or its only kind: machine means too many."""
    words = noun.split()
    heads = [" ".join(words[start:]) for start in range(1, len(words))]
    same = (_same(head, taught) for head in heads)
    kinds = (_below(head, artifacts(), taught) for head in heads)
    return next(filter(None, same), ()) or next((own for own in kinds if len(own) == 1), ())


def _reworded(noun: str) -> Iterator[str]:
    """Yield other ways to say it: written apart (a lifebelt), with another word in front (a phone box)."""
    apart = _written_as_one().get(singular(noun).replace(" ", ""))
    if apart is not None and apart != noun:
        yield apart
    first, _, rest = noun.partition(" ")
    for concepts in (everyday(), household(), artifacts()) if rest else ():
        for sense in concepts.senses(first):
            yield from (
                f"{word} {rest}" for word in concepts.concepts[sense].words if word != first
            )


@cache
def _written_as_one() -> Mapping[str, str]:
    """Return words of several parts by the same without spaces."""
    return {word.replace(" ", ""): word for word in artifacts().words() if " " in word}


@lru_cache(maxsize=10)
def _joined(taught: frozenset[str]) -> Mapping[str, str]:
    """Return words by themselves without spaces: a lawnmower is a lawn mower."""
    return {word.replace(" ", ""): word for word in taught}


def _below(noun: str, concepts: Concepts, taught: Collection[str]) -> tuple[str, ...]:
    wanted = set(concepts.senses(noun)) | set(concepts.senses(noun.replace(" ", "-")))
    return tuple(
        word
        for word in sorted(taught)
        if any(wanted & set(concepts.line(sense)) for sense in concepts.senses(word))
    )


def _above(noun: str, concepts: Concepts, taught: Collection[str]) -> tuple[str, ...]:
    for step in range(1, STEPS + 1):
        above = [
            concepts.concepts[line[step]].words
            for sense in concepts.senses(noun)
            if step < len(line := concepts.line(sense))
        ]
        found = sorted({word for words in above for word in words} & set(taught))
        if found:
            return tuple(found)
    return ()


def _same(noun: str, taught: Collection[str]) -> tuple[str, ...]:
    """Return the taught words for the very same."""
    if noun in taught:
        return (noun,)
    for concepts in (everyday(), artifacts()):
        rows = concepts.senses(noun)
        found = sorted(
            {word for row in rows for word in concepts.concepts[row].words} & set(taught)
        )
        if found:
            return tuple(found)
    return ()


@lru_cache(maxsize=100_000)
def relation(asked: str, word: str) -> int:
    """Return 1 for a word that what was asked for may be called as well, 0 for one it implies, −1 for others.

    A chair is a seat; a red car is a car and a vehicle, but not each car is a red one.
    """
    if set(word.split()) <= set(asked.split()):
        return 0
    concepts = everyday()
    said = asked.split()
    head = next((h for at in range(len(said)) if concepts.senses(h := " ".join(said[at:]))), "")
    wanted, other = concepts.senses(head), concepts.senses(word)
    if any(set(concepts.line(sense)) & set(wanted) for sense in other):
        return 1 if head == asked else 0
    return 0 if any(set(concepts.line(sense)) & set(other) for sense in wanted) else -1


@cache
def bank() -> tuple[str, ...]:
    """Return a word for each kind of thing that nothing else is a kind of: the leaves of the taxonomy."""
    concepts = everyday().concepts
    above = {c.parent for c in concepts}
    return tuple(sorted({c.words[0] for c in concepts if c.row not in above}))
