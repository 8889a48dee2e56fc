"""Order of a plan's streams: what is cheap and likely to fail is called first."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.retrace import Need, Outline

_EXACT = 12
"""Up to this many needs the order is optimal."""


def reorder(outline: Outline, knowledge: Knowledge, *, optimize: bool = True) -> list[int]:
    """Return an order of the needs that respects their dependencies.

    Minimizes Σ overhead(i) · Π p(j before i), the expected time until one fails or all have succeeded.
    """
    if not optimize:
        return list(range(len(outline.needs)))
    rates = [_rates(need, knowledge) for need in outline.needs]
    if len(rates) <= _EXACT:
        return _exact(outline.after, rates)
    return _greedy(outline.after, rates)


def _rates(need: Need, knowledge: Knowledge) -> tuple[float, float]:
    statistics, stream = knowledge.statistics[need.stream.spec.name], need.stream
    p = statistics.p_success(stream)
    if stream.is_test and stream.info.p_success is None:
        p = min(p, 0.9)  # a test that always held may still fail
    return statistics.overhead(stream), p if need.positive else max(1e-3, 1 - p)


def _exact(after: Sequence[frozenset[int]], rates: Sequence[tuple[float, float]]) -> list[int]:
    """Dynamic programming over the sets of needs that can come first."""
    count = len(rates)
    before = [sum(1 << j for j in needed) for needed in after]
    best: dict[int, tuple[float, tuple[int, ...]]] = {0: (0.0, ())}
    chance = {0: 1.0}
    for _ in range(count):
        following: dict[int, tuple[float, tuple[int, ...]]] = {}
        for done, (cost, order) in best.items():
            for index in range(count):
                if done >> index & 1 or before[index] & ~done:
                    continue
                whole = done | 1 << index
                total = cost + chance[done] * rates[index][0]
                if whole not in following or total < following[whole][0] - 1e-15:
                    following[whole] = (total, (*order, index))
                    chance[whole] = chance[done] * rates[index][1]
        best = following
    return list(best[(1 << count) - 1][1])


def _greedy(after: Sequence[frozenset[int]], rates: Sequence[tuple[float, float]]) -> list[int]:
    """Repeatedly take the need, with all it depends on, that fails most per second."""
    order: list[int] = []
    done: set[int] = set()
    left = set(range(len(rates)))
    while left:
        chosen = min(left, key=lambda index: (_ratio(index, after, rates, done), index))
        for index in _chain(chosen, after, done):
            order.append(index)
            done.add(index)
            left.discard(index)
    return order


def _chain(index: int, after: Sequence[frozenset[int]], done: set[int]) -> list[int]:
    found: list[int] = []
    todo = [index]
    while todo:
        current = todo[-1]
        missing = [i for i in sorted(after[current]) if i not in done and i not in found]
        if missing:
            todo += missing[:1]
            continue
        todo.pop()
        if current not in found:
            found.append(current)
    return found


def _ratio(
    index: int,
    after: Sequence[frozenset[int]],
    rates: Sequence[tuple[float, float]],
    done: set[int],
) -> float:
    overhead, chance = 0.0, 1.0
    for i in _chain(index, after, done):
        overhead += chance * rates[i][0]
        chance *= rates[i][1]
    return overhead / max(1e-9, 1 - chance)
