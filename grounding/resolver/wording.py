"""References and results in words, for questions and reasons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.meaning import Reference, Relation, Several, Thing
from commonground.grounding.words.nouns import plural, singular

_PHRASES = {
    "nearest": "nearest to {}", "farthest": "farthest from {}", "near": "near {}", "between": "between {}",
    "left": "to the left of {}", "right": "to the right of {}", "front": "in front of {}",
    "behind": "behind {}", "in": "in {}", "on": "on {}", "under": "under {}", "above": "above {}",
    "contains": "with {}", "same_region": "in the same area as {}",
    "most": "with the most {}", "fewest": "with the fewest {}",
}  # fmt: skip
_RANKS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
)  # fmt: skip
_KINDS = {"object": "thing", "region": "area"}
"""What people call the nodes of layers."""
_BACK = {
    "it": "it", "them": "them", "former": "the former", "latter": "the latter", "other": "the other one",
    "there": "there", "here": "where the robot stands",
}  # fmt: skip


def describe(reference: Reference) -> str:
    """Return a reference in words: ``the box nearest to the bicycle``."""
    if isinstance(reference, Several):
        word = " and " if reference.join == "all" else " or "
        return word.join(map(describe, reference.things))
    if reference.kind == "robot":
        return reference.noun or "you"
    if reference.of is not None and not reference.noun and not reference.where:
        return _BACK[reference.of]
    words = [_determiner(reference), reference.trait, reference.color, noun_of(reference)]
    words += map(_relation, reference.where)
    if reference.among is not None:
        words.append(f"of {describe(reference.among)}")
    if reference.but:
        words.append(f"except {' and '.join(map(describe, reference.but))}")
    return " ".join(filter(None, words))


def noun_of(thing: Thing, *, many: bool | None = None) -> str:
    """Return the noun of a reference in the right number, with its numbers if it has any."""
    noun = thing.noun or {"thing": "thing"}.get(thing.kind, thing.kind)
    several = thing.amount == "all" or (thing.count or 1) > 1 if many is None else many
    noun = plural(singular(noun)) if several else singular(noun)
    return f"{noun} {', '.join(thing.ids)}" if thing.ids else noun


def amount_is(n: int, *, number: bool = True) -> str:
    """Return ``is 1`` or ``are 7``."""
    verb = "is" if n == 1 else "are"
    return f"{verb} {n}" if number else verb


def kind_of(kind: str, *, many: bool = False) -> str:
    """Return ``an area`` or ``areas`` for a region, and so on."""
    name = _KINDS.get(kind, kind)
    return plural(name) if many else f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def which_of(thing: Thing) -> str:
    """Return what is asked about, with all that is said of it: ``red car``."""
    single = replace(thing, amount="the", total=None, count=None, of=None)
    return describe(single).removeprefix("the ")


def _determiner(thing: Thing) -> str:
    if thing.ids:
        return ""
    if thing.of in ("it", "them") and thing.noun:
        return "those" if thing.amount == "all" else "that"
    if thing.amount == "any":
        return str(thing.count) if thing.count and thing.count > 1 else "a"
    return f"the {thing.total}" if thing.total and thing.total > 1 else "the"


_SUPERLATIVES = {
    "north": "northernmost", "south": "southernmost", "east": "easternmost", "west": "westernmost",
    "left": "leftmost", "right": "rightmost", "leftmost": "leftmost", "rightmost": "rightmost",
}  # fmt: skip


def _relation(relation: Relation) -> str:
    not_ = "not " if relation.negated else ""
    to = " and ".join(describe(t) for t in relation.to)
    if relation.how in ("within", "beyond"):
        word, tail = ("within", "of") if relation.how == "within" else ("more than", "from")
        return f"{not_}{word} {relation.meters:g} m {tail} {to or 'you'}"
    if relation.how in _PHRASES and (to or relation.how in ("nearest", "farthest")):
        return not_ + _rank(relation) + _PHRASES[relation.how].format(to or "you")
    if to:
        return f"{not_}{relation.how} of {to}"
    return f"{not_}{_rank(relation)}{_SUPERLATIVES.get(relation.how, relation.how)}"


def _rank(relation: Relation) -> str:
    """Return ``second `` for what is second nearest."""
    if relation.rank is None:
        return ""
    return (
        f"{_RANKS[relation.rank - 1]} "
        if relation.rank <= len(_RANKS)
        else f"number {relation.rank} "
    )


def listing(symbols: Sequence[str], *, limit: int = 8) -> str:
    """Return ``O3, O7 and O9``; long lists are cut."""
    shown = [*symbols[:limit], *([f"{len(symbols) - limit} more"] if len(symbols) > limit else [])]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
