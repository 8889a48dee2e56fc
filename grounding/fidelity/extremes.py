"""Superlatives and colors that pick a thing out: those of the text are in its meaning, and no others."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from itertools import pairwise

from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.phrases import Said
from commonground.grounding.meaning import Relation, Thing, Who
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.nouns import singulars, word_set

_EXTREMES = frozenset(["NEAREST", "FARTHEST", "COMPASS_MOST", "COMPASS_MORE", "SIZE"])
_COMPASS = frozenset(["COMPASS", "COMPASS_MOST", "COMPASS_MORE"])
_POINTS = frozenset(
    ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"]
)
_IN = frozenset(["in", "on", "at", "inside"])
"""Behind ``furthest east`` these say where the most easterly one is, not of what it is east."""
_TO_IT = re.compile(r"\b(?:nearest|closest)(?: one)? to (?:it|them|that|this|there|those|these)\b")
_CLOSE = frozenset(["NEAREST", "NEAR", "WITHIN", "AT"])
_FAR = word_set("farthest furthest farther further far away distant remote remotest off")
_WAYS = word_set("way distance drive route walk trip haul journey")
_UTMOST = frozenset(["longest", "greatest"])
_SHORT = ("short", "hand")
"""Words that begin like this may mean the nearest one: ``the shortest way``, ``the handiest``."""


def wrong_extremes(held: Held) -> Iterator[str]:
    """Yield superlatives that only a text has, or only its meaning."""
    meant = {relation.how for relation in held.parts(Relation)}
    ranked = any(who.near is not None or who.farthest for who in held.parts(Who))
    for said in held.phrases(_EXTREMES):
        limit = said.next == "than"  # no farther than 30 m
        if not ranked and not limit and meant.isdisjoint(_hows(said) | _to_side(held, said)):
            yield f"the text says '{said.words}', and the answer does not"
    yield from _most_in(held)
    yield from _near_it(held)
    for how in sorted(meant & _made_up(held)):
        yield f"the answer says '{how}', and the text does not"


def _near_it(held: Held) -> Iterator[str]:
    """Yield a ``nearest to it`` that an answer takes for the nearest to a robot; robots may be ``it`` too."""
    near = [r for r in held.parts(Relation) if r.how == "nearest"]
    named = all(len(one.who.names) == 1 for one in held.meaning.assignments)
    to_it = _TO_IT.search(held.line)
    if to_it and named and near and not any(r.to for r in near):
        yield f"the text says '{to_it[0]}', and the answer does not"


def _most_in(held: Held) -> Iterator[str]:
    """Yield a ``furthest east in`` that an answer takes for ``east of``."""
    beside = {r.how for r in held.parts(Relation) if r.to and r.how in _POINTS}
    for said in held.phrases(frozenset(["COMPASS_MOST"])):
        if said.next in _IN and not beside.isdisjoint(_hows(said)):
            yield f"the text says '{said.words} {said.next}', and the answer says it of something else"


def _hows(said: Said) -> set[str]:
    """Return the relations that a superlative may be."""
    named = {"NEAREST": "nearest", "FARTHEST": "farthest"}
    return {named.get(kind, value) for kind, value in said.senses}


def _to_side(held: Held, said: Said) -> set[str]:
    """Return which points of the compass a ``furthest`` may lead to: ``the furthest one to the east``."""
    at = held.at(said)
    points = {*held.words[at : held.clause(at)[1]]} & _POINTS
    return points if said.words in _FAR else set()


def _made_up(held: Held) -> set[str]:
    """Return the relations for which a text has no word."""
    compass = {value for said in held.phrases(_COMPASS) for _, value in said.senses}
    near = any(word.startswith(_SHORT) for word in held.words) or held.phrases(_CLOSE)
    way = any(a in _UTMOST and b in _WAYS for a, b in pairwise(held.words))
    far = way or not _FAR.isdisjoint(held.words)
    unsaid = set(_POINTS - compass) if compass else set()
    unsaid |= {f"{side}most" for side in ("left", "right") if f" {side}" not in f" {held.line}"}
    return unsaid | (set() if near else {"nearest"}) | (set() if far else {"farthest"})


def wrong_colors(held: Held, named: Collection[int]) -> Iterator[str]:
    """Yield colors that only a text has, or only its meaning; ``named`` is where names of the map stand."""
    things, said = [*held.parts(Thing)], held.phrases(frozenset(["COLOR"]))
    for color in said:
        alike = [thing for thing in things if _is_of(color, thing)]
        if color.start not in named and not any(_is_kept(color, t) for t in alike or things):
            yield f"the text says '{color.words}', and the answer does not"
    for given in {thing.color for thing in things if thing.color.lower() not in held.line}:
        if not any(is_color(value, given, loosely=True) for one in said for value in _shades(one)):
            yield f"the answer says '{given}', and the text does not"


def _is_of(color: Said, thing: Thing) -> bool:
    """Return whether a color stands before what a thing is called."""
    said = {*singulars(color.next)} - {""}
    return (
        not said.isdisjoint(singulars(thing.noun.casefold().split()[-1])) if thing.noun else False
    )


def _is_kept(color: Said, thing: Thing) -> bool:
    described = f"{thing.color} {thing.trait} {thing.noun}"
    return any(is_color(described, shade, loosely=True) for shade in _shades(color))


def _shades(color: Said) -> set[str]:
    return {color.words, *color.values("COLOR")}
