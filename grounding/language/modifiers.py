"""What stands behind a noun: actions of the grammar that build relations and the other modifiers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

from commonground.grounding.language.things import Post
from commonground.grounding.meaning import ELIDED, How, Reference, Relation, Thing

_POINTS = frozenset(
    ["north", "south", "east", "west", "northeast", "northwest", "southeast", "southwest"]
)
_RANKED = _POINTS | {
    "nearest", "farthest", "leftmost", "rightmost", "largest", "smallest", "tallest", "most", "fewest",
}  # fmt: skip
"""Relations that the most in one way has."""


def post(kind: str, value: Any = None) -> Post:
    """A relation, a colour, an anchor for ``the closest box … to the flag``, or nothing of meaning."""
    return kind, value


def where_not(value: Relation) -> Post | None:
    """``that is not in the shelter``."""
    if value.how in ("nearest", "farthest"):
        return None
    return "where", replace(value, negated=not value.negated)


def where_neither(first: Relation, last: Relation) -> Post | None:
    """``that are neither in the shelter nor on the path``."""
    both = [where_not(first), where_not(last)]
    return None if None in both else ("wheres", tuple(p[1] for p in both if p is not None))


def exception(what: Reference) -> Post:
    """``except the one in the shelter``."""
    return "but", what


def exception_where(posts: Post) -> Post | None:
    """``except in the shelter``, ``except the northernmost``: of those most in the north there is one."""
    kind, value = posts
    if kind != "where":
        return None
    ranked = value.how in _RANKED and not (value.to and value.how in _POINTS)
    return "but", Thing(noun=ELIDED, amount="the" if ranked else "all", where=(value,))


def not_colored(value: str) -> Post:
    """``that are not red``."""
    return "not", Thing(noun=ELIDED, amount="all", color=value)


# ---- relations --------------------------------------------------------------------------------------


def relation(how: str, to: Reference | None = None, negated: str = "") -> Relation:
    """``near the flag``, ``in front of you``, ``outside the shelter``."""
    return Relation(cast(How, how), () if to is None else (to,), negated=bool(negated))


def ranked(how: str, rank: str | None = None, to: Reference | None = None) -> Relation:
    """``second closest to the flag``, ``furthest north``."""
    return Relation(cast(How, how), () if to is None else (to,), rank=int(rank) if rank else None)


def distance(how: str, n: float, unit: str, to: Reference | None = None) -> Relation:
    """``within ten meters of the window``."""
    meters = round(n * float(unit), 6)
    return Relation(cast(How, how), () if to is None else (to,), meters=meters)


def side(how: str, to: Reference | None = None) -> Relation:
    """``on your left``, ``to the right of the door``, ``ahead``."""
    return Relation(cast(How, how), (Thing(kind="robot") if to is None else to,))


def between(to: Reference | None = None, first: Any = None, last: Any = None) -> Relation | None:
    """``between the two boats``; a single thing has no between."""
    if to is None:
        return Relation("between", (first, last))
    if isinstance(to, Thing) and to.amount != "all":
        return None
    return Relation("between", (to,))


def in_it() -> Relation:
    """``the boxes there``."""
    return Relation("in", (Thing(of="there"),))


def contains(what: Reference, negated: str = "") -> Relation | None:
    """``with the bicycle in it``; of pronouns (``that is``) it would be nonsense."""
    if isinstance(what, Thing) and what.of is not None and not what.noun:
        return None
    return Relation("contains", (what,), negated=bool(negated))
