"""Orders of right of way that are tried."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import NamedTuple

from commonground.planning.scene.plan import RobotPlan
from commonground.planning.team.parking import Stands, parked
from commonground.planning.team.settling import Attempt, Mover
from commonground.planning.team.world import MOVES, thing_of
from commonground.robots import Team

MOST_ORDERS = 24
MOST_PERMUTED = 4


class Try(NamedTuple):
    """Who is settled after whom."""

    order: list[Mover]
    attempt: Attempt


def tries(
    team: Team, movers: Mapping[str, Mover], plans: Mapping[str, RobotPlan], failures: Counter[str]
) -> Iterator[Try]:
    """Yield orders: idle robots left alone, then moved last, then ends aside."""
    acting, idle = _besides((), movers, plans)
    for aside, moved in itertools.product((False, True), (False, True) if idle else (False,)):
        still = frozenset(() if moved else idle)
        for order in _orders(acting, plans, failures):
            names = [*order, *(idle if moved else ())]
            yield Try([movers[n] for n in names], Attempt(team, still, aside))


def parked_tries(
    team: Team, wide: Mapping[str, Mover], packed: Sequence[Stands], plans: Mapping[str, RobotPlan]
) -> Iterator[Try]:
    """Yield orders for ways in which robots stand together in the end: the deepest first, or others first."""
    for stands in packed:
        movers = parked(wide, stands)
        others, idle = _besides(stands, wide, plans)
        for names in ([*stands, *others], [*others, *stands])[: 2 if others else 1]:
            order = [movers[n] for n in in_turns(names, plans)]
            yield Try(order, Attempt(team, frozenset(idle)))
            if idle:
                yield Try([*order, *(movers[n] for n in idle)], Attempt(team, frozenset()))


def _besides(
    some: Container[str], movers: Mapping[str, Mover], plans: Mapping[str, RobotPlan]
) -> tuple[list[str], list[str]]:
    """Return the robots besides some that do anything, and those that do nothing."""
    others = [name for name in movers if name not in some]
    acting = [name for name in others if name in plans and plans[name].actions]
    return acting, [name for name in others if name not in acting]


def _orders(
    acting: Sequence[str], plans: Mapping[str, RobotPlan], failures: Counter[str]
) -> Iterator[Sequence[str]]:
    """Yield all orders of a few robots; of many, orders with those first that failed most often."""
    if len(acting) <= MOST_PERMUTED:
        yield from (o for o in itertools.permutations(acting) if _respects(o, plans))
        return
    seen = set()
    longest = {n: -plans[n].actions[-1].end_s for n in acting}
    for _ in range(MOST_ORDERS):
        order = tuple(in_turns(sorted(acting, key=lambda n: (-failures[n], longest[n])), plans))
        if order in seen:
            return
        seen.add(order)
        yield order


def _respects(order: Sequence[str], plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether an order keeps the turns of robots that handle the same things."""
    return list(order) == in_turns(order, plans)


def in_turns(order: Sequence[str], plans: Mapping[str, RobotPlan]) -> list[str]:
    """Return an order in which robots go behind those whose turn with a thing comes first."""
    turn = {name: k for k, name in enumerate(plans)}
    about = {n: {thing_of(a) for a in plans[n].actions} for n in order}
    moved = {n: {thing_of(a) for a in plans[n].actions if a.action in MOVES} for n in order}
    left, out = list(order), []
    while left:
        ready = (
            n
            for n in left
            if not any(
                turn[m] < turn[n] and (moved[m] & about[n] or moved[n] & about[m]) for m in left
            )
        )
        name = next(ready)
        left.remove(name)
        out.append(name)
    return out
