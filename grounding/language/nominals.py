"""Nouns with what stands before them: actions of the grammar for determiners and modifiers.

Each function is called with the labelled parts of one alternative; ``None`` rejects the reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from commonground.grounding.language.lexicon import Noun
from commonground.grounding.meaning import ELIDED, How, Kind, Relation, Thing

Join: TypeAlias = Literal["all", "any"]


class Det(NamedTuple):
    """A determiner: a kind of amount (the values of DET in the vocabulary) and a number."""

    amount: str
    n: int | None = None


class Mod(NamedTuple):
    """What stands between determiner and noun; ``value`` may be several Mods to be read apart."""

    kind: str
    value: Any = None
    join: Join = "all"


@dataclass(frozen=True, slots=True)
class Nominal:
    """A noun with what stands before it."""

    noun: str
    singular: bool
    plural: bool
    kind: Kind = "thing"
    mods: tuple[Mod, ...] = ()
    where: tuple[Relation, ...] = ()


# ---- determiners ------------------------------------------------------------------------------------


def det(amount: str, n: int | None = None) -> Det | None:
    """``the``, ``any two``, ``all three``."""
    return Det(amount, n) if n is None or n > 0 else None


def det_group(amount: str, n: str) -> Det:
    """``the trio of``."""
    return Det(amount, int(n))


def agrees(d: Det, body: Nominal) -> bool:
    """Return whether a determiner goes with the number of a noun: not ``a boxes``."""
    if d.amount in ("a", "each", "that"):
        return body.singular
    if d.amount in ("both", "two", "those", "half", "some"):
        return body.plural
    if d.n is not None:
        return body.plural if d.n > 1 else body.singular
    return True


def amount_of(d: Det | None, body: Nominal) -> dict[str, Any]:
    """Return the amount, count and total that a determiner and the noun's number say."""
    plural_only = body.plural and not body.singular
    if d is None:
        return {"amount": "all" if plural_only else "the"}
    if d.amount in ("the", "its", "your"):
        return {"amount": "all" if plural_only else "the"}
    if d.amount in ("that", "those"):
        many = plural_only or d.amount == "those"
        return {"amount": "all" if many else "the", "of": "them" if d.amount == "those" else "it"}
    fixed: dict[str, dict[str, Any]] = {
        "a": {"amount": "any", "count": 1},
        "two": {"amount": "any", "count": 2},
        "both": {"amount": "all", "total": 2},
        "each": {"amount": "all", "count": 1},
        "some": {"amount": "any"},  # how many is not said
        "half": {"amount": "all", "trait": "a part"},
        "any": {"amount": "any", "count": d.n},
    }
    return fixed.get(d.amount, {"amount": "all", "total": d.n})


# ---- nouns ------------------------------------------------------------------------------------------


def nominal(noun: Noun, mods: Sequence[Mod]) -> Nominal:
    """``red barrels``."""
    return Nominal(noun.words, noun.singular, noun.plural, mods=tuple(mods))


def piece_of(noun: Noun, number: str, mods: Sequence[Mod]) -> Nominal:
    """``pieces of clothing``."""
    return replace(nominal(noun, mods), singular=number == "one", plural=number == "many")


def generic(kind: str, mods: Sequence[Mod]) -> Nominal:
    """``nearest object``: a word for a layer of the map."""
    return Nominal("", True, True, cast(Kind, kind), tuple(mods))


def elided(mods: Sequence[Mod], number: str) -> Nominal | None:
    """``red one``, ``nearest ones``; without ``one``, ``the nearest``."""
    strong = {"color", "colors", "super", "side", "sides", "hand", "part", "parts"}
    if number == "none" and not any(m.kind in strong for m in mods):
        return None
    return Nominal(ELIDED, number != "many", number != "one", mods=tuple(mods))


def compound(owner: Noun, noun: Noun, mods: Sequence[Mod]) -> Nominal | None:
    """``shelter benches``: an area's word before the noun."""
    if not owner.singular:
        return None
    area = Thing(owner.words, kind="region", amount="any", count=1)
    return replace(nominal(noun, mods), where=(Relation("in", (area,)),))


def owned(owner: Thing, noun: Noun, mods: Sequence[Mod]) -> Nominal:
    """``the shelter's benches``."""
    return replace(nominal(noun, mods), where=(Relation("in", (owner,)),))


# ---- modifiers --------------------------------------------------------------------------------------


def mod(kind: str, value: Any = None) -> Mod:
    """``red``, ``northern``, ``only``, ``damaged``."""
    return Mod(kind, value)


def mods(kind: str, first: Any, second: Any, join: Join) -> Mod:
    """``red and blue``, ``north or south``."""
    return Mod(f"{kind}s", (Mod(kind, first), Mod(kind, second)), join)


def superlative(
    how: str, rank: str | None = None, k: int | None = None
) -> tuple[Relation, int | None]:
    """``second nearest``, ``three largest``: the relation and how many are taken."""
    return Relation(cast(How, how), rank=int(rank) if rank else None), k
