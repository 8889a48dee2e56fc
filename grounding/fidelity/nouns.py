"""Nouns of a text that name what the map has: its meaning speaks of them too.

A model that drops a clause, or takes a thing for another, leaves something unmentioned that the map has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.names import GROUPS, Names, singular
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.english.tokens import stretch, tokens_of
from commonground.grounding.fidelity.clauses import is_state
from commonground.grounding.fidelity.held import Held
from commonground.grounding.meaning import Thing
from commonground.grounding.nodes import numbered
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.words.colors import names_color
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import count_of
from commonground.grounding.world import World

_POINTING = word_set(
    "the a an this that these those any every each all both either no my our your some"
)
_TURNS = frozenset([("case", "in")])
_MORE = frozenset(["more", "less", "worse"])
_REASONS = frozenset(["because"])
_NEAR = 2
"""So many words before its noun a determiner may stand."""


class Mention(NamedTuple):
    """Where the map's name or noun for something stands in a text."""

    start: int
    end: int
    describes: str
    """The noun behind it that it only describes, in the singular: ``buoy`` in ``the green buoy``."""


def lost_nouns(held: Held, words: Sequence[str], world: World) -> Iterator[str]:
    """Yield what the text speaks of, the map has and the meaning leaves out."""
    things = list(held.parts(Thing))
    nouns = {" ".join(singular(thing.noun.split())) for thing in things if thing.noun}
    meant = {symbol for thing in things for symbol in _meant(thing, world)}
    for start, end, describes in _spoken_of(words, world.spoken_names):
        said = " ".join(words[start:end])
        here = _symbols(said, world)
        one = " ".join(singular(words[start:end]))
        named = any(_is_part(one, noun) or _is_part(noun, one) for noun in nouns)
        told = _is_aside(words, start, end) or _is_where(things, words, start)
        kept = named or told or _is_described(things, one, describes)
        if here and meant.isdisjoint(here) and not kept:
            yield f"the text speaks of the {said}, which is left out"


def _is_described(things: Sequence[Thing], words: str, noun: str) -> bool:
    """Return whether words say in front of a noun which one is meant, and some of the things is so."""
    such = (thing for thing in things if noun and singular(thing.noun.split())[-1:] == (noun,))
    return any(_is_part(words, f"{thing.color} {thing.trait}".casefold()) for thing in such)


def _is_where(things: Sequence[Thing], words: Sequence[str], at: int) -> bool:
    """Return whether a noun only says where something is, which leaves open none that it could pick out."""
    return is_state(words, at) and all(thing.amount != "any" for thing in things)


def _is_aside(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a noun stands in a reason, or in a turn of speech: ``a lot``, ``in either case``."""
    begin = stretch(words, start, MARKS)[0]
    return is_turn(words, start, end) or not _REASONS.isdisjoint(words[begin:start])


def is_turn(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a noun is none: ``you would help me a lot``, ``a lot better``, ``in either case``."""
    before = words[max(start - 2, 0) : start]
    turn = (words[start], *before[-1:]) == ("lot", "a") or (
        (words[start].removesuffix("s"), *before[:1]) in _TURNS
    )
    ends = end == len(words) or words[end] in MARKS
    return turn and (ends or words[end].endswith("er") or words[end] in _MORE)


def nouns_said(text: str, world: World) -> set[str]:
    """Return the nouns and names of things that a text has."""
    words = [token.text.casefold() for token in tokens_of(text)]
    return {" ".join(words[start:end]) for start, end, _ in _spoken_of(words, world.spoken_names)}


def named_at(text: str, world: World) -> set[int]:
    """Return where the words begin that the names and nouns of the map consist of, where they name things."""
    tokens = tokens_of(text)
    words = [token.text.casefold() for token in tokens]
    hints = _mentions(words, world.spoken_names)
    named = (range(one.start, one.end) for one in hints if not one.describes)
    return {tokens[at].start for one in named for at in one}


def _is_part(words: str, noun: str) -> bool:
    """Return whether words are among those of a noun: the ``car`` in ``car park``."""
    return f" {words} " in f" {noun} " or noun.endswith(words)


def _spoken_of(words: Sequence[str], names: Names) -> Iterator[Mention]:
    """Yield where something is spoken of by names and nouns of a map, or by other nouns that are known."""
    taken: set[int] = set()
    for one in _mentions(words, names):
        taken.update(range(one.start, one.end))
        if _points(words, one.start, one.end):
            yield one
    for at in range(len(words)):
        if at not in taken and _pointed(words, at) and _points(words, at, at + 1):
            yield Mention(at, at + 1, "")


def _mentions(words: Sequence[str], names: Names) -> Iterator[Mention]:
    """Yield where the names and nouns of a map stand: the last of several in a row is what is named."""
    hints = [hint for hint in names.hints(words) if GROUPS[hint[2]] in ("noun", "area")]
    behind = {start: singular(words[start:end])[-1] for start, end, _ in hints}
    for start, end, _ in hints:
        yield Mention(start, end, behind.get(end, ""))


def _points(words: Sequence[str], start: int, end: int) -> bool:
    """Return whether a noun is about something there is, and no number says which (``box 281``)."""
    numbered = end < len(words) and any(c.isdigit() for c in words[end])
    before = words[max(0, start - _NEAR) : start]
    return not numbered and any(w in _POINTING or count_of(w) is not None for w in before)


def _pointed(words: Sequence[str], at: int) -> bool:
    """Return whether a word is a known noun, and stands right behind a determiner as nouns do."""
    before = words[at - 1] if at else ""
    pointed = before in _POINTING or (count_of(before) is not None and before != "one")
    colored = names_color(words[at]) and at + 1 < len(words) and words[at + 1].isalpha()
    return pointed and not colored and bool(everyday().senses(words[at]))


def _meant(thing: Thing, world: World) -> set[str]:
    """Return the symbols that a thing may mean: a number is that of an index or of a name."""
    named = {
        nodes.symbols[one.row] for nodes in map(world.layer, ANY) for one in numbered(nodes)
        if str(one.number) in thing.ids
    }  # fmt: skip
    return {*thing.ids} | named | (_symbols(thing.noun, world) if thing.noun else set())


def _symbols(noun: str, world: World) -> set[str]:
    """Return what a noun most surely means."""
    pools = world.pools(noun, ANY)
    return {s for pool in pools if pool.grade == pools[0].grade for s in pool.symbols()}
