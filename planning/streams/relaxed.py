"""FF heuristic with additive supporters: how far the goal is if nothing were ever undone.

Facts that must be false and derived facts, true or false, are propositions of their own, so that moving
an obstacle out of the way counts (Hoffmann and Nebel 2001; Keyder and Geffner 2008).
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from commonground.planning.streams.language import INF
from commonground.planning.streams.task import Condition, Operator, SearchTask

# kinds of propositions
_ON, _OFF, _DERIVED, _UNDERIVED, _REFUTED = range(5)
Key = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A relaxed plan: its price and the operators in it that could be applied now."""

    price: float
    helpful: frozenset[int]
    """Indices of operators; empty where the price is infinite."""


@dataclass(slots=True)
class _Unary:
    """Propositions that follow from others, at the price of an operator (-1: by an axiom)."""

    needs: tuple[int, ...]
    gives: tuple[int, ...]
    price: float
    operator: int


class Relaxation:
    """The relaxed task; built once for a task and a price of each operator, evaluated for many states."""

    def __init__(self, task: SearchTask, prices: list[float], effort_price: float = 0.0) -> None:
        self.task, self.prices, self.effort_price = task, prices, effort_price
        self._numbers: dict[Key, int] = {}
        self._unary: list[_Unary] = []
        self._pending: list[int] = []
        for index, operator in enumerate(self.task.operators):
            self._add_operator(index, operator)
        self._goal = self._proposition(_REFUTED, -1, -1)
        for goal in self.task.goals:
            self._add(self._needs(goal.condition), (self._goal,), 0.0, -1)
        self._define_derived()
        self._users: list[list[int]] = [[] for _ in self._numbers]
        for index, unary in enumerate(self._unary):
            for need in unary.needs:
                self._users[need].append(index)
        self._prices = [unary.price for unary in self._unary]
        self._counts = [len(unary.needs) for unary in self._unary]
        self._offs = [
            (fact, number) for (kind, fact, _), number in self._numbers.items() if kind == _OFF
        ]
        self._ons = {
            fact: number for (kind, fact, _), number in self._numbers.items() if kind == _ON
        }
        self._free = [index for index, unary in enumerate(self._unary) if not unary.needs]

    # ---- building -----------------------------------------------------------------------------

    def _proposition(self, kind: int, fact: int, body: int = 0) -> int:
        key = (kind, fact, body)
        known = self._numbers.get(key)
        if known is None:
            known = self._numbers[key] = len(self._numbers)
            if kind in (_DERIVED, _UNDERIVED):
                self._pending.append(fact if kind == _DERIVED else -1 - fact)
        return known

    def _needs(self, condition: Condition) -> tuple[int, ...]:
        needs = [self._proposition(_ON, bit) for bit in bits(condition.on)]
        needs += [self._proposition(_OFF, bit) for bit in bits(condition.off)]
        needs += [self._proposition(_DERIVED, fact) for fact in condition.derived]
        needs += [self._proposition(_UNDERIVED, fact) for fact in condition.underived]
        return tuple(dict.fromkeys(needs))

    def _gives(self, sets: int, clears: int) -> tuple[int, ...]:
        gives = [self._proposition(_ON, bit) for bit in bits(sets)]
        return (*gives, *(self._proposition(_OFF, bit) for bit in bits(clears & ~sets)))

    def _add(
        self, needs: tuple[int, ...], gives: tuple[int, ...], price: float, operator: int
    ) -> None:
        self._unary.append(_Unary(needs, gives, price, operator))

    def _add_operator(self, index: int, operator: Operator) -> None:
        needs = self._needs(operator.condition)
        if operator.sets or operator.clears:
            gives = self._gives(operator.sets, operator.clears)
            self._add(needs, gives, self.prices[index], index)
        for effect in operator.conditional:
            whole = tuple(dict.fromkeys((*needs, *self._needs(effect.condition))))
            self._add(whole, self._gives(effect.sets, effect.clears), self.prices[index], index)

    def _define_derived(self) -> None:
        while self._pending:
            fact = self._pending.pop()
            if fact >= 0:
                for body in self.task.bodies.get(fact, ()):
                    gives = (self._proposition(_DERIVED, fact),)
                    price = self.effort_price * body.effort
                    self._add(self._needs(body.condition), gives, price, -1)
            else:
                self._define_underived(-1 - fact)

    def _define_underived(self, fact: int) -> None:
        """A derived fact is false where each way to derive it fails in one of its conditions."""
        gives = (self._proposition(_UNDERIVED, fact),)
        if fact in self.task.recursive:
            self._add((), gives, 0.0, -1)  # a circle can fail as a whole: optimistic
            return
        refuted = []
        for index, body in enumerate(self.task.bodies.get(fact, ())):
            this = self._proposition(_REFUTED, fact, index)
            refuted.append(this)
            if not body.certain:  # a test may decide against it
                self._add((), (this,), self.effort_price * body.against, -1)
            opposite = Condition(
                body.condition.off,
                body.condition.on,
                body.condition.underived,
                body.condition.derived,
            )
            for need in self._needs(opposite):
                self._add((need,), (this,), 0.0, -1)
        self._add(tuple(refuted), gives, 0.0, -1)

    # ---- evaluating ---------------------------------------------------------------------------

    def estimate(self, state: int) -> Estimate:
        """Return the relaxed plan from a state."""
        supporter = self._explore(state)
        if supporter is None:
            return Estimate(INF, frozenset())
        price = 0.0
        chosen: set[int] = set()
        todo, done = [self._goal], set[int]()
        while todo:
            proposition = todo.pop()
            index = supporter[proposition]
            if proposition in done or index < 0:
                continue
            done.add(proposition)
            unary = self._unary[index]
            todo += unary.needs
            if unary.operator >= 0:
                chosen.add(unary.operator)
            else:
                price += unary.price
        helpful = [i for i in chosen if self._at_once(self.task.operators[i].condition, state)]
        return Estimate(price + sum(self.prices[index] for index in chosen), frozenset(helpful))

    @staticmethod
    def _at_once(condition: Condition, state: int) -> bool:
        return state & condition.on == condition.on and not state & condition.off

    def _explore(self, state: int) -> list[int] | None:
        """Return the cheapest supporter of each proposition, by the additive heuristic, until the goal."""
        cost = [INF] * len(self._numbers)
        supporter = [-1] * len(self._numbers)
        counts, price = self._counts.copy(), self._prices.copy()
        queue: list[tuple[float, int]] = []
        for number in self._initial(state):
            cost[number] = 0.0
            queue.append((0.0, number))
        self._reach(self._free, cost, supporter, price, queue)
        heapq.heapify(queue)
        while queue:
            value, proposition = heapq.heappop(queue)
            if value > cost[proposition]:
                continue
            if proposition == self._goal:
                return supporter
            ready = []
            for index in self._users[proposition]:
                counts[index] -= 1
                price[index] += value
                if counts[index] == 0:
                    ready.append(index)
            if ready:
                self._reach(ready, cost, supporter, price, queue)
        return None

    def _reach(
        self,
        ready: list[int],
        cost: list[float],
        supporter: list[int],
        price: list[float],
        queue: list[tuple[float, int]],
    ) -> None:
        for index in ready:
            value = price[index]
            for given in self._unary[index].gives:
                if value < cost[given]:
                    cost[given], supporter[given] = value, index
                    heapq.heappush(queue, (value, given))

    def _initial(self, state: int) -> list[int]:
        """Return the propositions that hold in a state."""
        found = [number for bit in bits(state) if (number := self._ons.get(bit)) is not None]
        return found + [number for bit, number in self._offs if not state >> bit & 1]


def bits(mask: int) -> list[int]:
    """Return the positions of the bits that are set."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
