"""A finite planning task with states as bit masks, and the truth of derived facts in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from commonground.planning.streams.grounder import GroundAction, GroundLiterals
from commonground.planning.streams.instances import StreamInstance


@dataclass(frozen=True, slots=True)
class Condition:
    """What a state must have: bits set, bits clear, derived facts true and false."""

    on: int = 0
    off: int = 0
    derived: tuple[int, ...] = ()
    underived: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionalEffect:
    """Bits set and cleared where a condition holds."""

    condition: Condition
    sets: int
    clears: int
    literals: GroundLiterals


@dataclass(slots=True, eq=False)
class Operator:
    """An action, or the pseudo call of a stream whose inputs have to come true first."""

    action: GroundAction | None
    condition: Condition
    sets: int
    clears: int
    conditional: tuple[ConditionalEffect, ...]
    unfired: tuple[ConditionalEffect, ...]
    """Effects assumed not to happen, by what test streams are expected to decide."""
    cost: float
    """What the action costs, as far as it is known."""
    effort: float
    """The seconds of streams it is expected to take."""
    calls: tuple[StreamInstance, ...] = ()
    """Fluent streams it relies on whose inputs are known."""
    is_goal: bool = False


@dataclass(frozen=True, slots=True)
class Body:
    """One way in which a derived fact can hold."""

    condition: Condition
    literals: GroundLiterals
    certain: bool
    """It relies on no fact that a test stream has yet to decide."""
    effort: float
    """The seconds of streams it is expected to take."""
    against: float
    """The seconds of streams it takes to decide against it; 0 where it is certain."""


@dataclass(slots=True)
class SearchTask:
    """Operators over bits; bit i stands for the fact ``facts[i]``."""

    facts: list[int]
    start: int
    operators: list[Operator]
    goals: list[Operator]
    bodies: dict[int, list[Body]]
    recursive: dict[int, frozenset[int]]
    """Derived facts that depend on each other, by each of them."""
    mask_of: dict[str, int] = field(default_factory=dict)
    """The bits of each predicate."""
    failed: dict[tuple[str, tuple[int, ...]], list[tuple[int, int]]] = field(default_factory=dict)
    """Calls of fluent streams known to fail: (bits the stream sees, bits that were set)."""

    def view(self, state: int) -> View:
        """Return a state with the derived facts that hold in it."""
        return View(self, state)

    def apply(self, operator: Operator, view: View) -> int:
        """Return the state after an operator; what is both set and cleared is set."""
        sets, clears = operator.sets, operator.clears
        for effect in operator.conditional:
            if view.holds(effect.condition):
                sets |= effect.sets
                clears |= effect.clears
        return view.state & ~clears | sets

    def blocked(self, operator: Operator, state: int) -> bool:
        """Return whether a fluent stream the operator relies on is known to fail in a state."""
        return any(
            state & seen == held
            for call in operator.calls
            for seen, held in self.failed.get((call.name, call.inputs), ())
        )

    def applicable(self, view: View) -> Iterator[Operator]:
        """Yield the operators that can be applied in a state."""
        state = view.state
        for operator in self.operators:
            condition = operator.condition
            if state & condition.on == condition.on and not state & condition.off:
                derived = condition.derived or condition.underived
                if (not derived or view.derived_hold(condition)) and not (
                    operator.calls and self.blocked(operator, state)
                ):
                    yield operator

    def reached(self, view: View) -> Operator | None:
        """Return a goal that holds in a state."""
        return next((goal for goal in self.goals if view.holds(goal.condition)), None)


class View:
    """A state in which derived facts are computed when asked for.

    A derived fact may be *possible* without being *certain* while test streams are undecided: what must
    hold needs to be possible, what must not hold must not be certain.
    """

    __slots__ = ("_known", "state", "task")

    def __init__(self, task: SearchTask, state: int) -> None:
        self.task, self.state = task, state
        self._known: dict[tuple[int, bool], bool] = {}

    def holds(self, condition: Condition) -> bool:
        """Return whether a condition can hold."""
        if self.state & condition.on != condition.on or self.state & condition.off:
            return False
        return self.derived_hold(condition)

    def derived_hold(self, condition: Condition) -> bool:
        """Return whether the derived part of a condition can hold."""
        return all(self.is_derived(d, False) for d in condition.derived) and not any(
            self.is_derived(d, True) for d in condition.underived
        )

    def is_derived(self, fact: int, certain: bool) -> bool:
        """Return whether a derived fact is certain, or possible."""
        known = self._known.get((fact, certain))
        if known is None:
            together = self.task.recursive.get(fact)
            if together is not None:
                self._fixpoint(together, certain)
                return self._known[fact, certain]
            known = self._known[fact, certain] = self.supporting(fact, certain) is not None
        return known

    def supporting(self, fact: int, certain: bool) -> Body | None:
        """Return the way in which a derived fact holds that takes the least effort."""
        best: Body | None = None
        for body in self.task.bodies.get(fact, ()):
            usable = body.certain if certain else True
            better = best is None or (not body.certain, body.effort) < (
                not best.certain,
                best.effort,
            )
            if usable and better and self.body_holds(body.condition, certain):
                best = body
        return best

    def body_holds(self, condition: Condition, certain: bool) -> bool:
        """Return whether the condition of a derived fact holds, certainly or possibly."""
        if self.state & condition.on != condition.on or self.state & condition.off:
            return False
        return all(self.is_derived(d, certain) for d in condition.derived) and not any(
            self.is_derived(d, not certain) for d in condition.underived
        )

    def risk(self, condition: Condition) -> float:
        """Return the seconds of tests that have to go well for derived facts to be false."""
        return sum(
            body.against
            for fact in condition.underived
            for body in self.task.bodies.get(fact, ())
            if not body.certain and self.body_holds(body.condition, False)
        )

    def _fixpoint(self, together: frozenset[int], certain: bool) -> None:
        for fact in together:
            self._known[fact, certain] = False
        left = sorted(together)
        while True:
            fresh = [fact for fact in left if self.supporting(fact, certain) is not None]
            if not fresh:
                return
            for fact in fresh:
                self._known[fact, certain] = True
            left = [fact for fact in left if fact not in set(fresh)]
