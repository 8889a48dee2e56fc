"""Noun phrases: actions of the grammar that build references.

Each function is called with the labelled parts of one alternative; ``None`` rejects the reading
(``a boxes``, ``closest`` without anything to be close to).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from commonground.grounding.language.lists import several
from commonground.grounding.language.nominals import (
    Det,
    Join,
    Mod,
    Nominal,
    agrees,
    amount_of,
)
from commonground.grounding.meaning import ELIDED, Reference, Relation, Several, Thing

Post = tuple[str, Any]
"""What stands behind a noun: its kind and value."""
_SAME = frozenset(
    ["same", "very same", "said", "mentioned", "aforementioned", "above mentioned", "respective"]
)


def thing(body: Nominal, posts: Sequence[Post], det: Det | None = None) -> Reference | None:
    """``the red barrels in the shelter``."""
    if det is not None and not agrees(det, body):
        return None
    apart = next((m for m in body.mods if m.kind in ("colors", "sides", "parts")), None)
    if apart is not None:
        return _apart(body, apart, posts, det)
    if det is not None and det.amount == "your" and not _about_robot(body):
        return None
    found = Thing(noun=body.noun, kind=body.kind, where=body.where, **amount_of(det, body))
    if det is not None and det.amount == "its":
        found = replace(found, where=(*found.where, Relation("in", (Thing(of="it"),))))
    modified = _with_mods(found, body.mods, posts)
    return None if modified is None else with_posts(modified, posts)


def _about_robot(body: Nominal) -> bool:
    """``your nearest sign`` but not ``your box``: robots own nothing."""
    return any(m.kind in ("super", "hand") for m in body.mods)


def _apart(body: Nominal, apart: Mod, posts: Sequence[Post], det: Det | None) -> Reference | None:
    """``the red and blue barrels``: one reference for each colour, side or name."""
    single = det
    if apart.kind != "colors" and det is not None and det.amount in ("the", "both"):
        single = Det("the")  # the north and south lots: one of each
        body = replace(body, singular=True, plural=True)
    elif det is not None and det.amount == "both":
        single = Det("all" if body.plural else "the")
    parts = [
        thing(replace(body, mods=tuple(one if m is apart else m for m in body.mods)), posts, single)
        for one in apart.value
    ]
    return several(apart.join, parts)


def _with_mods(found: Thing, mods: Sequence[Mod], posts: Sequence[Post]) -> Thing | None:
    """Apply what stands before the noun; ``the closest box to the flag`` has its anchor behind it."""
    anchor = next((value for kind, value in posts if kind == "anchor"), None)
    measured = [m.value[0] for m in mods if m.kind == "super"]
    if anchor is not None and not any(_open_distance(r) for r in measured):
        return None
    for m in mods:
        if m.kind == "super":
            relation, k = m.value
            if anchor is not None and _open_distance(relation):
                relation = replace(relation, to=(anchor,))
            found = replace(found, where=(*found.where, relation))
            found = found if k is None else replace(found, amount="all", count=None, total=k)
        else:
            found = _with_mod(found, m)
    return found


def _open_distance(relation: Relation) -> bool:
    return relation.how in ("nearest", "farthest") and not relation.to


def _with_mod(found: Thing, m: Mod) -> Thing:
    if m.kind == "color":
        return replace(found, color=m.value)
    if m.kind in ("side", "hand"):
        return replace(found, where=(*found.where, Relation(m.value)))
    if m.kind == "part":
        return replace(found, noun=f"{m.value} {found.noun}".strip())
    if m.kind == "alone":
        return replace(found, total=found.total or 1)
    if m.kind == "other":
        return replace(found, of="other")
    if m.value in _SAME:
        return replace(found, of="them" if found.amount == "all" else "it")
    word = f"number {m.value}" if m.kind == "ordinal" else str(m.value)
    return replace(found, trait=f"{found.trait}, {word}".strip(", "))


def with_posts(found: Thing, posts: Sequence[Post]) -> Thing | None:
    """Return a thing with what stands behind its noun."""
    for kind, value in posts:
        if kind == "where":
            found = replace(found, where=(*found.where, value))
        elif kind == "wheres":
            found = replace(found, where=(*found.where, *value))
        elif kind == "color":
            if found.color:
                return None
            found = replace(found, color=value)
        elif kind == "but" and found.amount == "the" and not found.among:
            return None  # of one thing nothing is left out
        elif kind in ("but", "not"):
            found = replace(found, but=(*found.but, _borrowed(value, found)))
        elif kind == "them":
            found = replace(found, among=Thing(amount="all", of="them"))
    return found


def _borrowed(exception: Reference, lender: Thing) -> Reference:
    """Give ``the ones`` in an exception the noun of what it is an exception from."""
    if isinstance(exception, Several):
        return replace(exception, things=tuple(_borrowed(t, lender) for t in exception.things))
    if exception.noun == ELIDED or (not exception.noun and exception.of == "them"):
        return replace(exception, noun=lender.noun, kind=lender.kind, of=None)
    return exception


# ---- a part of something ----------------------------------------------------------------------------


def part(det: Det, among: Reference, posts: Sequence[Post] = ()) -> Reference | None:
    """``one of the doors``, ``two of them in the shelter``."""
    if isinstance(among, Thing) and among.amount != "all":
        return None
    if any(kind not in ("where", "wheres", "nothing") for kind, _ in posts):
        return None
    return with_posts(Thing(among=among, **amount_of(det, Nominal("", True, True))), posts)


def everything(amount: str, posts: Sequence[Post], color: str = "") -> Thing | None:
    """``everything in the shelter``, ``something red``; not of the whole world."""
    if not (posts or color) or any(kind == "anchor" for kind, _ in posts):
        return None
    every = Thing(kind="object", amount="all", color=color)
    one = Thing(kind="object", amount="any", count=1, color=color)
    return with_posts(one if amount == "any" else every, posts)


def best_of(
    choice: Relation | tuple[Relation, int | None],
    things: Reference | None = None,
    first: Reference | None = None,
    last: Reference | None = None,
) -> Thing | None:
    """``the nearest of the boxes``, ``the door or the window, whichever is closer``."""
    among = things if things is not None else several("all", (first, last))
    relation, k = choice if isinstance(choice, tuple) else (choice, None)
    if among is None or (isinstance(among, Thing) and among.amount == "the" and not among.noun):
        return None
    if isinstance(among, Several):
        among = replace(among, join="all")
    return Thing(among=among, where=(relation,), amount="all" if k else "the", total=k)


def whichever(
    body: Nominal, where: Relation | None = None, what: Reference | None = None
) -> Reference | None:
    """``whichever box is closest``, ``whichever lot has the bicycle``."""
    built = thing(body, (), Det("the"))
    relation = where if where is not None else Relation("contains", (what,) if what else ())
    return replace(built, where=(*built.where, relation)) if isinstance(built, Thing) else None


def whatever(body: Nominal, where: Relation) -> Reference | None:
    """``whatever boxes there are in the shelter``: all of them."""
    return thing(body, [("where", where)], Det("all")) if body.plural else None


def ranked_ones(n: int, where: Relation) -> Thing | None:
    """``the two nearest the flag``: so many of the kind spoken of."""
    return Thing(noun=ELIDED, amount="all", total=n, where=(where,)) if n > 1 else None


def those(posts: Sequence[Post]) -> Reference | None:
    """``those in the shelter``: of the kind spoken of."""
    return thing(Nominal(ELIDED, True, True), posts, Det("all"))


def with_exception(every: Reference, but: Post) -> Reference | None:
    """``every box, except the one in the shelter``."""
    if isinstance(every, Several):
        last = with_exception(every.things[-1], but)
        return None if last is None else replace(every, things=(*every.things[:-1], last))
    return with_posts(every, (but,))


def shared(
    first: Nominal,
    more: Sequence[Nominal],
    last: Nominal,
    posts: Sequence[Post],
    join: Join,
    det: Det | None = None,
) -> Reference | None:
    """``the boxes and bags in the shelter``: one determiner and one tail for several nouns."""
    bodies = [first, *more, last]
    if det is not None and det.amount not in ("the", "a", "all", "each", "both", "your", "its"):
        return None
    if det is not None and det.n is not None:
        return None
    if det is None and not all(b.plural for b in bodies):
        return None
    if det is not None and det.amount == "both":
        det = Det("the")  # both the box and bag
    return several(join, [thing(body, posts, det) for body in bodies])


def owner_thing(body: Nominal) -> Reference | None:
    """``the shelter`` of ``the shelter's benches``."""
    return thing(body, (), Det("the"))
