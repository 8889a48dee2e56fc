"""Number agreement: which of the candidates ``the``, ``all``, ``both`` or ``any two`` select."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from commonground.grounding.linking import Pool
from commonground.grounding.meaning import Thing
from commonground.grounding.resolver.choice import Pick, Unclear, is_settled, only
from commonground.grounding.resolver.relations import Narrowing
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import amount_is, describe, listing, noun_of, which_of


def choose(thing: Thing, narrowing: Narrowing, scope: Scope, *, ordered: bool, limit: int) -> Pick:
    """Return the choice that a reference leaves among its candidates; Unclear if their number is wrong.

    ``ordered`` candidates were picked by a superlative: they are as many as were asked for.
    """
    pool = narrowing.pool
    kind, symbols = pool.nodes.kind, pool.symbols()
    if narrowing.loose and len({pool.nodes.region[int(r)] for r in pool.rows}) > 1:
        raise Unclear(f"Which area is meant in '{describe(thing)}'?", symbols)
    _check_trait(thing, symbols)
    if ordered:
        return only(kind, symbols)
    if thing.amount == "the":
        return only(kind, _the_one(thing, pool, scope))
    if thing.amount == "all":
        return only(kind, _all(thing, pool, scope))
    return _any(thing, pool, scope, limit)


def _check_trait(thing: Thing, symbols: Sequence[str]) -> None:
    """What no map holds can be said of a thing, but cannot be what picks it out."""
    certain = thing.amount == "the" and len(symbols) == 1 and not thing.trait.startswith("number ")
    if thing.trait and not certain:
        raise Unclear(
            f"The map does not tell which {noun_of(thing)} is '{thing.trait}'. "
            f"There {amount_is(len(symbols))}: {listing(symbols)}.",
            symbols,
        )


def _the_one(thing: Thing, pool: Pool, scope: Scope) -> list[str]:
    """Return the only candidate: on the map, in what was said before, or by its proper name."""
    symbols = pool.symbols()
    if len(symbols) == 1 or len(thing.ids) > 1:  # several by their symbols: those
        return symbols
    spoken_of = scope.memory.single((pool.nodes.kind,), set(symbols))
    if spoken_of is not None and is_settled(spoken_of.choice):
        return spoken_of.symbols
    if len(pool.favorites) == 1:
        return pool.symbols(pool.favorites)
    raise Unclear(
        f"Which {which_of(thing)} is meant? There are {len(symbols)}: {listing(symbols)}.", symbols
    )


def _all(thing: Thing, pool: Pool, scope: Scope) -> list[str]:
    """Return all candidates; ``the boxes`` are those that were spoken of, if any were."""
    symbols = pool.symbols()
    mention = scope.memory.several((pool.nodes.kind,), set(symbols))
    bare = not thing.where and not thing.of
    if bare and mention is not None and mention.stated and not mention.vague:
        symbols = mention.symbols
    if thing.total is not None and len(symbols) != thing.total:
        raise Unclear(
            f"There {amount_is(len(symbols))} {noun_of(thing, many=len(symbols) != 1)}, not "
            f"{thing.total}: {listing(symbols)}. Which are meant?",
            symbols,
        )
    return symbols


def _any(thing: Thing, pool: Pool, scope: Scope, limit: int) -> Pick:
    """Return the choice of any n candidates; in what is only told, ``some`` are all of them."""
    symbols, n = pool.symbols(), thing.count
    if thing.total is not None and len(symbols) != thing.total:
        raise Unclear(
            f"There {amount_is(len(symbols))}, not {thing.total}: {listing(symbols)}.", symbols
        )
    if n is None:
        if scope.telling:
            return only(pool.nodes.kind, symbols)
        raise Unclear(
            f"How many {noun_of(thing, many=True)} are meant? There {amount_is(len(symbols))}.",
            symbols,
        )
    if len(symbols) < n:
        raise Unclear(f"There {amount_is(len(symbols))} only: {listing(symbols)}.", symbols)
    if math.comb(len(symbols), n) > limit:
        raise Unclear(
            f"{n} of {len(symbols)} {noun_of(thing, many=True)} can be chosen in too many ways. "
            "Which are meant?",
            symbols,
        )
    return Pick(pool.nodes.kind, tuple(itertools.combinations(symbols, n)))
