"""What constructions an utterance has: deeds, bans, choices, exceptions, orders, superlatives, crews."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.purposes import OF_SENSE, purposes_of
from commonground.grounding.english.utterance import (
    Clause,
    Crew,
    Group,
    Phrase,
    Relation,
    Steps,
    Utterance,
)

Construction: TypeAlias = Literal[
    "go", "end", "look", "explore", "hold", "put", "ban", "but", "back", "tell", "ask", "order", "one of",
    "any", "all", "count", "total", "best", "rank", "in", "near", "between", "within", "holds", "not in",
    "side", "other crew", "any crew", "many crew", "crews", "shared", "then",
]  # fmt: skip
CONSTRUCTIONS: tuple[Construction, ...] = get_args(Construction)
_SIDES = frozenset(["on the left", "on the right", "left of", "right of", "in front of", "behind"])
ALL = frozenset(["all", "each", "both", "the two"])


def constructions_of(utterance: Utterance) -> frozenset[Construction]:
    """Return the constructions of an utterance."""
    found = {*_deeds(utterance), *_joins(utterance), *_crews(utterance)}
    for phrase in parts_of(utterance, Phrase):
        found.update(_of_phrase(phrase))
    return frozenset(name for name in CONSTRUCTIONS if name in found)


def _deeds(utterance: Utterance) -> Iterator[str]:
    yield from (purpose for _, purpose in purposes_of(utterance))
    for clause in parts_of(utterance, Clause):
        if clause.mood == "never" or clause.negated:
            yield "ban"
        elif clause.mood == "do":
            yield OF_SENSE.get(clause.sense, "")


def _joins(utterance: Utterance) -> Iterator[str]:
    for steps in parts_of(utterance, Steps):
        yield "order" if steps.join in ("in order", "in reverse") else steps.join
    yield from (group.join for group in parts_of(utterance, Group))
    for part in utterance.parts:
        yield from (
            name
            for name, has in (("shared", part.shared), ("then", part.then), ("back", part.stands))
            if has
        )


def _of_phrase(phrase: Phrase) -> Iterator[str]:
    rank = phrase.best is not None and phrase.best.rank is not None
    has = {
        "any": phrase.det.startswith("any"), "all": phrase.det in ALL, "count": phrase.count,
        "total": phrase.total, "but": phrase.but, "best": phrase.best, "rank": rank,
    }  # fmt: skip
    yield from (name for name, value in has.items() if value)
    yield from (_of_relation(relation) for relation in phrase.where)


def _of_relation(relation: Relation) -> str:
    return "side" if relation.how in _SIDES else relation.how


def _crews(utterance: Utterance) -> Iterator[str]:
    crews = [*parts_of(utterance, Crew)]
    for crew in crews:
        if crew.choose == "other":
            yield "other crew"
        if crew.choose in ("any one", "either", "able", "nearest"):
            yield "any crew"
        if crew.choose in ("all", "each", "all but") or len(crew.names) > 1:
            yield "many crew"
    if len({crew.names for crew in crews if crew.choose == "named"}) > 1:
        yield "crews"
