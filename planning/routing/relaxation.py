"""A sharp lower bound for routes, by state-space relaxation (Christofides, Mingozzi, Toth 1981).

Dynamic programming over sets of stops is exact but needs every set. Here only some stops are tracked: those
that things are carried between or that precedence ties, and then those that relaxed routes make too often
(Righini and Salani 2008). Of the others only the number made is known, and a route does not return to one
at once. A price for making each stop, refunded once, makes no difference to a true route and teaches the
relaxed one to make each stop once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from commonground.arrays import Floats, Ints
from commonground.planning.routing._relaxation_kernels import Rest, Steps, complete, visits
from commonground.planning.routing.bound import possible_arcs
from commonground.planning.routing.exact import Layer, layers_within
from commonground.planning.routing.problem import RouteProblem, before_matrix, restricted

LARGEST = 40_000_000
"""Most additions for one evaluation; fewer stops are tracked where it would take more."""
MOST_TRACKED = 24
ITERATIONS = 15
"""Changes of prices in one round."""
WORK = 4e8
"""Additions to spend by default, a fraction of a second."""
AT_ONCE = 3
"""At most so many stops are tracked in addition after a round."""
PATIENCE = 4
"""Iterations without progress after which the step is halved."""
SMALLEST_STEP = 1e-3


@dataclass(frozen=True, slots=True)
class Completion:
    """What the rest of a route costs at least, in priced costs, at the best prices found."""

    tracked: tuple[int, ...]
    sets: Ints
    """Tracked sets as bits over ``tracked``, ascending by size."""
    best: Floats
    """(n + 1, sets, nodes) least priced cost from (stops made, set, node) to the end."""
    price: Floats
    """(n,) refunded for making each stop."""
    lower_bound: float


@dataclass(frozen=True, slots=True)
class _States:
    """The arrays that do not change with the prices."""

    tracked: tuple[int, ...]
    sets: Ints
    after: Ints
    size: Ints
    nodes: Ints
    owner: Ints
    first: Ints
    arcs: Floats
    opening: Floats
    closing: Floats

    @property
    def additions(self) -> int:
        """How many additions one evaluation takes."""
        return _additions(len(self.sets), len(self.first) - 1 - len(self.tracked), len(self.nodes))


def completions(problem: RouteProblem, upper: float, *, work: float = WORK) -> Iterator[Completion]:
    """Yield ever sharper bounds on the rest of a route; none where an evaluation would take too long.

    ``upper`` is the cost of a known route, ``work`` the number of additions to spend. After each round of
    price changes the stops that relaxed routes make most often are tracked too. It ends when the bound
    meets ``upper`` or the work is done.
    """
    tracked = _tied(problem)
    price = np.zeros(len(problem.stops))
    first = True
    while tracked is not None:
        states = _states(problem, tracked)
        iterations = 0 if states is None else min(ITERATIONS, int(work / states.additions))
        if states is None or (iterations == 0 and not first):
            return
        first = False
        work -= iterations * states.additions
        result, often = _ascend(states, price, upper, max(1, iterations))
        yield result
        price = result.price
        if result.lower_bound >= upper * (1 - 1e-9):
            return
        repeated = [int(s) for s in np.argsort(-often, kind="stable") if often[s] > 1]
        tracked = _grown(problem, tracked, [s for s in repeated if s not in tracked])


def _ascend(
    states: _States, price: Floats, upper: float, iterations: int
) -> tuple[Completion, Floats]:
    """Raise the bound by changing prices; return it, and how often each stop was made on average."""
    n = len(price)
    shape = (n + 1, len(states.sets), len(states.nodes))
    rest = Rest(np.empty(shape), np.empty(shape), np.empty(shape, np.int64))
    kept, best = price, -np.inf
    count, often = np.zeros(n, np.int64), np.zeros(n)
    step, stale, made = 1.0, 0, 0
    while made < iterations and step > SMALLEST_STEP:
        steps, value, start = _evaluate(states, price, rest)
        made += 1
        if value > best + 1e-9 * abs(upper):
            best, kept, stale = value, price, 0
        else:
            stale += 1
        if best >= upper * (1 - 1e-9):
            break
        begin = int(states.after[0, states.owner[start]])
        visits(steps, rest, start, begin, count)
        often += count
        slope = 1.0 - count
        norm = float(slope @ slope)
        if norm == 0:  # the relaxed route is a true one
            break
        if stale > PATIENCE:
            step, stale, price = step / 2, 0, kept
        price = price + step * max(upper - value, 1e-3 * upper) / norm * slope
    _evaluate(states, kept, rest)
    return Completion(states.tracked, states.sets, rest.best, kept, best), often / made


def _evaluate(states: _States, price: Floats, rest: Rest) -> tuple[Steps, float, int]:
    """Fill the rest at the given prices; return the priced steps, the bound, the first node."""
    refund = price[states.owner]
    arcs = np.ascontiguousarray((states.arcs - refund).T)
    owner, first, after = states.owner, states.first, states.after
    steps = Steps(arcs, states.closing, owner, first, after, states.size)
    complete(steps, rest)
    begin = after[0, owner]
    onward = rest.best[1, begin, np.arange(len(begin))]
    total = np.where(begin >= 0, states.opening - refund + onward, np.inf)
    start = int(total.argmin())
    return steps, float(total[start] + price.sum()), start


def _states(problem: RouteProblem, tracked: tuple[int, ...]) -> _States | None:
    """Return the states over the tracked stops, None where there are too many."""
    layers = _affordable(problem, tracked)
    if layers is None:
        return None
    n = len(problem.stops)
    sets = np.concatenate([layer.sets for layer in layers])
    size = np.concatenate([np.full(len(layer.sets), k) for k, layer in enumerate(layers)])
    place = {int(s): i for i, s in enumerate(sets)}
    after = np.tile(np.arange(len(sets))[:, None], (1, n))
    for bit, stop in enumerate(tracked):
        for i, s in enumerate(sets):
            grown = int(s) | (1 << bit)
            after[i, stop] = place.get(grown, -1) if grown != s else -1
    owner = np.array([s for s, stop in enumerate(problem.stops) for _ in stop])
    nodes = np.array([v for stop in problem.stops for v in stop])
    possible = possible_arcs(problem)
    arcs = problem.cost[np.ix_(nodes, nodes)].copy()
    arcs[~possible[np.ix_(owner + 1, owner + 1)]] = np.inf
    opening = np.where(possible[0, owner + 1], problem.cost[0, nodes], np.inf)
    closing = np.where(possible[owner + 1, -1], 0.0, np.inf)
    first = np.cumsum([0, *map(len, problem.stops)])
    return _States(tracked, sets, after, size, nodes, owner, first, arcs, opening, closing)


def _affordable(problem: RouteProblem, tracked: tuple[int, ...]) -> list[Layer] | None:
    """Return the feasible sets of tracked stops, None where an evaluation over them takes too long."""
    if len(tracked) > MOST_TRACKED:
        return None
    layers = layers_within(restricted(problem, tracked))
    if layers is None or len(layers) <= len(tracked):
        return None
    sets, nodes = sum(len(layer.sets) for layer in layers), sum(map(len, problem.stops))
    additions = _additions(sets, len(problem.stops) - len(tracked), nodes)
    return layers if additions <= LARGEST else None


def _additions(sets: int, untracked: int, nodes: int) -> int:
    """Return how many additions one evaluation takes."""
    return sets * (untracked + 1) * nodes * nodes


def _tied(problem: RouteProblem) -> tuple[int, ...] | None:
    """Return the stops of deliveries and precedences, whole deliveries first, as many as are affordable."""
    before = before_matrix(problem)
    groups = [[s for s in pair if s is not None] for pair in problem.deliveries]
    carried = {s for group in groups for s in group}
    tied = np.flatnonzero(before.any(axis=0) | before.any(axis=1))
    groups += [[int(s)] for s in tied if s not in carried]
    tracked: tuple[int, ...] | None = () if _affordable(problem, ()) else None
    for group in groups if tracked is not None else ():
        tracked = _grown(problem, tracked or (), group, whole=True) or tracked
    return tracked


def _grown(
    problem: RouteProblem, tracked: tuple[int, ...], stops: list[int], *, whole: bool = False
) -> tuple[int, ...] | None:
    """Return the tracked stops with more of them, as many as are affordable; None for none."""
    most = len(stops) if whole else min(AT_ONCE, len(stops))
    for count in range(most, 0 if not whole else most - 1, -1):
        if count and _affordable(problem, (*tracked, *stops[:count])):
            return (*tracked, *stops[:count])
    return None
