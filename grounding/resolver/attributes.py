"""Attributes of candidates, by what the map holds or by their looks, and what is clear of looks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from commonground.grounding.linking import SEEN, Pool
from commonground.grounding.lookup.witness import Witness
from commonground.grounding.meaning import Thing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.resolver.relations import Narrowing
from commonground.grounding.resolver.wording import describe, listing, noun_of
from commonground.grounding.words.colors import is_color
from commonground.grounding.words.nouns import spoken
from commonground.grounding.world import POSSIBLE, World

LIKELY = 0.5
"""From here on, looks alone say that a thing is what was asked for."""
DOUBTFUL = 0.2
"""What is less likely is not meant by a word for all of a kind."""
MOST = 5
"""Candidates that a question names."""
CLEAR = 2.0
"""So many times likelier than all others, one thing is meant for sure."""


def keep_attributes(world: World, narrowing: Narrowing, thing: Thing) -> Thing:
    """Keep the candidates of the color and the traits that were said; return what could not be judged.

    A map that holds colors is believed; what it does not hold is compared by looks.
    """
    if thing.color:
        _keep_color(world, narrowing, thing)
    traits = [trait for trait in thing.trait.split(", ") if trait]
    noun = _noun(narrowing.pool, thing)
    left = [
        trait
        for trait in traits
        if not (_keep_named(narrowing, trait) or _keep_seen(world, narrowing, trait, noun))
    ]
    return replace(thing, trait=", ".join(left))


def _keep_named(narrowing: Narrowing, trait: str) -> bool:
    """Keep what has a trait in its proper name: the old greenhouse, where there are an old and a new one."""
    pool = narrowing.pool
    words = frozenset(trait.casefold().split())
    named = [words <= {*pool.nodes.names[int(r)].casefold().split()} for r in pool.rows]
    if not any(named):
        return False
    narrowing.keep(np.array(named, bool), f"not called {trait}")
    return True


def _keep_color(world: World, narrowing: Narrowing, thing: Thing) -> None:
    pool = narrowing.pool
    colors = [pool.nodes.colors[int(r)] for r in pool.rows]
    if not any(colors):
        if _keep_seen(world, narrowing, thing.color, _noun(pool, thing)):
            return
        noun = noun_of(thing, many=True)
        raise Unclear(f"The map does not hold the color of {noun}.", pool.symbols())
    mask = np.array([is_color(c, thing.color) for c in colors], bool)
    if not mask.any():
        mask = np.array([is_color(c, thing.color, loosely=True) for c in colors], bool)
    narrowing.keep(mask, f"not {thing.color}")


def _noun(pool: Pool, thing: Thing) -> str:
    """Return the noun that attributes stand before: the class of all candidates, else what was said."""
    words = {pool.nodes.words[int(r)] for r in pool.rows} - {"", "unknown"}
    return spoken(words.pop()) if len(words) == 1 and pool.grade != SEEN else thing.noun


def _keep_seen(world: World, narrowing: Narrowing, attribute: str, noun: str) -> bool:
    """Keep what an attribute may be true of by its looks; return whether looks can tell."""
    pool = narrowing.pool
    share = world.share(pool.nodes, attribute, noun)
    if share is None or np.isnan(share[pool.rows]).any():
        return False
    likely = share if pool.likely is None else pool.likely * share
    narrowing.pool = replace(pool, likely=likely, note=pool.note or "compared by looks")
    narrowing.keep(likely[pool.rows] >= POSSIBLE, f"not {attribute} by the looks of it")
    return True


def keep_clear(
    narrowing: Narrowing, thing: Thing, witness: Witness | None, *, ordered: bool
) -> None:
    """Keep what is meant by its looks for sure, and say so; Unclear where that is in doubt.

    A witness is asked first where one thing is meant and in doubt.
    """
    pool = narrowing.pool
    if pool.likely is None or not len(pool.rows):
        return
    likely = pool.likely[pool.rows]
    one = thing.amount == "the" and not ordered
    clear = likely >= (likely.max() / CLEAR if one else LIKELY)
    every = thing.amount == "all" and not ordered
    if likely.max() < LIKELY or (every and not clear[likely >= DOUBTFUL].all()):
        what = describe(replace(thing, amount="any", count=1, total=None))
        best = pool.of(pool.rows[np.argsort(-likely, kind="stable")[:MOST]])
        if one and _witnessed(narrowing, what, best, witness):
            return
        raise Unclear(
            f"By their looks I am not sure which is {what}: {listing(shares(best))}. Which is meant?",
            best.symbols(),
        )
    best = pool.of(pool.rows[clear][np.argsort(-likely[clear], kind="stable")])
    if one and clear.sum() > 1 and _witnessed(narrowing, noun_of(thing), best, witness):
        return
    narrowing.keep(clear, "less likely by the looks of it")
    kept = narrowing.pool
    narrowing.pool = replace(kept, note=f"{kept.note}: {listing(shares(kept))}")


def _witnessed(narrowing: Narrowing, what: str, best: Pool, witness: Witness | None) -> bool:
    """Keep the one thing that a witness takes for what is meant; return whether it could tell."""
    seen = None if witness is None else witness.which(what, best.symbols())
    if seen is None or len(seen) != 1:
        return False
    mask = np.array([symbol == seen[0] for symbol in narrowing.pool.symbols()])
    narrowing.keep(mask, "not by the pictures of it")
    kept = narrowing.pool
    narrowing.pool = replace(kept, note=f"{kept.note}: {seen[0]}, by its picture".lstrip(": "))
    return True


def shares(pool: Pool) -> list[str]:
    """Return each candidate with its probability, the likeliest first."""
    if pool.likely is None:
        return pool.symbols()
    rows = pool.rows[np.argsort(-pool.likely[pool.rows], kind="stable")]
    return [f"{pool.nodes.symbols[r]} ({pool.likely[r]:.0%})" for r in rows.tolist()]
