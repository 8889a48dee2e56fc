"""Planning task of one moment: what is known and what is hoped for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum

from commonground.planning.streams.grounder import FactKey, GroundAction, GroundLiterals
from commonground.planning.streams.instances import StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.model import GOAL
from commonground.planning.streams.optimistic import Hope
from commonground.planning.streams.task import (
    Body,
    Condition,
    ConditionalEffect,
    Operator,
    SearchTask,
)


class Truth(Enum):
    """What is known of a fact that no action changes."""

    REAL = 1
    HOPED = 2
    """A stream with outputs is expected to certify it."""
    UNDECIDED = 3
    """A test stream has yet to decide it."""
    FALSE = 4


@dataclass(slots=True)
class Call:
    """A stream whose inputs include facts that have to come true during the plan."""

    instance: StreamInstance
    needs: tuple[int, ...]
    certifies: tuple[int, ...]


@dataclass(slots=True)
class Snapshot:
    """Builds one planning task."""

    knowledge: Knowledge
    hope: Hope
    unit_costs: bool = False
    evaluate: bool = False
    """Call functions of known objects rather than estimate them."""
    failed: Iterable[StreamInstance] = ()
    """Fluent stream instances that yielded nothing in their state."""
    _bits: dict[int, int] = field(default_factory=dict)
    _later: frozenset[int] = frozenset()
    """Static facts that only become available during the plan."""

    def truth(self, fact: int) -> Truth:
        """Return what is known of a static fact."""
        if self.knowledge.is_visible(fact):
            return Truth.REAL
        producer = self.hope.producer.get(fact)
        if producer is None:
            return Truth.FALSE
        stream = producer.instance.stream
        return Truth.UNDECIDED if stream.is_test and not stream.spec.rule else Truth.HOPED

    def task(self) -> SearchTask:
        calls = list(self._calls())
        self._later = frozenset(fact for call in calls for fact in call.certifies)
        possible = [a for a in self.knowledge.grounder.actions if self._static_holds(a.condition)]
        operators = [*map(self._call_operator, calls), *map(self._operator, possible)]
        bodies = self._bodies(operators)
        self._see_streams()
        task = SearchTask(
            list(self._bits),
            self._start(),
            [operator for operator in operators if not operator.is_goal],
            [operator for operator in operators if operator.is_goal],
            bodies,
            self._recursive(bodies),
        )
        for fact, bit in self._bits.items():
            predicate = self.knowledge.facts.keys[fact][0]
            task.mask_of[predicate] = task.mask_of.get(predicate, 0) | 1 << bit
        for instance in self.failed:
            self._remember_failure(task, instance)
        return task

    def _start(self) -> int:
        """Return the facts that hold before the plan, as a mask."""
        visible = (f for f in self._bits if self.knowledge.is_visible(f) and f not in self._later)
        return self._mask(visible)

    # ---- literals -----------------------------------------------------------------------------

    def _bit(self, fact: int) -> int:
        return 1 << self._bits.setdefault(fact, len(self._bits))

    def _static_holds(self, literals: GroundLiterals) -> bool:
        """Return whether the static part of a condition can hold, at some time."""
        visible, hoped, later = self.knowledge.is_visible, self.hope.producer, self._later
        for fact in literals.static:
            if fact not in hoped and fact not in later and not visible(fact):
                return False
        real = self.knowledge.real
        return not any(fact in real and fact not in later for fact in literals.not_static)

    def _condition(self, literals: GroundLiterals) -> Condition:
        on, off = literals.fluent, literals.not_fluent
        if self._later:
            on += tuple(fact for fact in literals.static if fact in self._later)
            off += tuple(fact for fact in literals.not_static if fact in self._later)
        return Condition(self._mask(on), self._mask(off), literals.derived, literals.not_derived)

    def _mask(self, facts: Iterable[int]) -> int:
        mask = 0
        for fact in facts:
            mask |= self._bit(fact)
        return mask

    # ---- operators ----------------------------------------------------------------------------

    def _operator(self, action: GroundAction) -> Operator:
        sets = clears = 0
        conditional: list[ConditionalEffect] = []
        unfired: list[ConditionalEffect] = []
        for effect in action.effects:
            literals = effect.condition
            if not self._static_holds(literals):
                continue
            bit, condition = self._bit(effect.fact), self._condition(literals)
            on, off = (bit, 0) if effect.adds else (0, bit)
            if condition == Condition() and not literals.static and not literals.not_static:
                sets, clears = sets | on, clears | off
            else:
                whole = ConditionalEffect(condition, on, off, literals)
                (conditional if self._expected(literals) else unfired).append(whole)
        return Operator(
            action,
            self._condition(action.condition),
            sets,
            clears,
            tuple(conditional),
            tuple(unfired),
            self._cost(action),
            self._effort(action.condition.static),
            self._fluent_calls(action.condition.static),
            action.schema.name == GOAL,
        )

    def _expected(self, literals: GroundLiterals) -> bool:
        """Return whether undecided facts are expected to be as literals want them."""
        return all(self._expected_true(fact) for fact in literals.static) and not any(
            self.truth(fact) is Truth.UNDECIDED and self._expected_true(fact)
            for fact in literals.not_static
        )

    def _expected_true(self, fact: int) -> bool:
        producer = self.hope.producer.get(fact)
        return producer is None or not producer.instance.stream.is_predicate

    def _cost(self, action: GroundAction) -> float:
        if self.unit_costs:
            return 0.0 if action.schema.name == GOAL else 1.0
        value = self._evaluated if self.evaluate else self.knowledge.estimate
        return max(
            0.0,
            action.cost_constant + sum(factor * value(key) for factor, key in action.cost_terms),
        )

    def _evaluated(self, key: FactKey) -> float:
        known = self.knowledge.objects.known(key[1])
        return self.knowledge.evaluate(key) if known else self.knowledge.estimate(key)

    def _effort(self, facts: Iterable[int]) -> float:
        return sum(self.hope.effort.get(fact, 0.0) for fact in facts)

    def _fluent_calls(self, facts: Iterable[int]) -> tuple[StreamInstance, ...]:
        """Return the fluent streams with known inputs behind some facts."""
        found: dict[StreamInstance, None] = {}
        known = self.knowledge.objects.known
        for fact in facts:
            producer = self.hope.producer.get(fact)
            instance = producer.instance if producer is not None else None
            if instance is not None and instance.stream.spec.fluents and known(instance.inputs):
                found[instance] = None
        return tuple(found)

    def _call_operator(self, call: Call) -> Operator:
        certified = self._mask(call.certifies)
        return Operator(None, Condition(on=self._mask(call.needs)), certified, 0, (), (), 0.0, 0.0)

    def _see_streams(self) -> None:
        """Make a bit for every real fact that a fluent stream wants to see."""
        seen = {name for stream in self.knowledge.model.streams for name in stream.spec.fluents}
        for fact in self.knowledge.real if seen else ():
            if self.knowledge.facts.keys[fact][0] in seen:
                self._bit(fact)

    def _remember_failure(self, task: SearchTask, instance: StreamInstance) -> None:
        seen = 0
        for predicate in instance.stream.spec.fluents:
            seen |= task.mask_of.get(predicate, 0)
        held = 0
        for key in instance.state:
            number = self.knowledge.facts.known(key)
            if number is None or number not in self._bits:
                return  # the state cannot come about in this task
            held |= 1 << self._bits[number]
        task.failed.setdefault((instance.name, instance.inputs), []).append((seen, held))

    # ---- derived facts ------------------------------------------------------------------------

    def _bodies(self, operators: Iterable[Operator]) -> dict[int, list[Body]]:
        found: dict[int, list[Body]] = {}
        todo = [
            fact
            for operator in operators
            for condition in _conditions(operator)
            for fact in condition
        ]
        while todo:
            fact = todo.pop()
            if fact in found:
                continue
            found[fact] = []
            for literals in self.knowledge.grounder.bodies.get(fact, ()):
                if self._static_holds(literals):
                    certain, effort = self._is_certain(literals), self._effort(literals.static)
                    against = self._against(literals)
                    body = Body(self._condition(literals), literals, certain, effort, against)
                    found[fact].append(body)
                    todo += [*body.condition.derived, *body.condition.underived]
        return found

    def _against(self, literals: GroundLiterals) -> float:
        """Return the least seconds of a test that can decide against some literals."""
        facts = (*literals.not_static, *literals.static)
        undecided = (fact for fact in facts if self.truth(fact) is Truth.UNDECIDED)
        return min((self.hope.effort.get(fact, 0.0) for fact in undecided), default=0.0)

    def _is_certain(self, literals: GroundLiterals) -> bool:
        facts = (*literals.static, *literals.not_static)
        return not any(self.truth(fact) is Truth.UNDECIDED for fact in facts)

    def _recursive(self, bodies: dict[int, list[Body]]) -> dict[int, frozenset[int]]:
        """Return, for each derived fact of a recursive predicate, those it may depend on in a circle."""
        circles = self.knowledge.grounder.circles
        members: dict[frozenset[str], set[int]] = {}
        for fact in bodies:
            circle = circles.get(self.knowledge.facts.keys[fact][0])
            if circle is not None:
                members.setdefault(circle, set()).add(fact)
        return {fact: frozenset(facts) for facts in members.values() for fact in facts}

    # ---- streams whose inputs come true during the plan ----------------------------------------

    def _calls(self) -> Iterable[Call]:
        """Yield the calls of streams whose domain has facts that actions must bring about first."""
        knowledge, fluents = self.knowledge, self.knowledge.model.fluents
        if not any(a.predicate in fluents for s in knowledge.model.streams for a in s.spec.domain):
            return
        results = self._results()
        at_once = {fact for fact, origin in knowledge.real.items() if origin.instance is None}
        _close(at_once, results, self._is_static)
        for instance, certified in results:
            later = tuple(fact for fact in certified if fact not in at_once)
            if later:
                needs = (f for f in instance.domain if f not in at_once or not self._is_static(f))
                yield Call(instance, tuple(needs), later)

    def _results(self) -> list[tuple[StreamInstance, tuple[int, ...]]]:
        """Return what streams have certified, and what they are hoped to certify."""
        knowledge = self.knowledge
        known = [
            (instance, knowledge.certified(instance, outputs))
            for instance in knowledge.instances
            for outputs, _ in instance.outputs
        ]
        hoped = dict.fromkeys(self.hope.producer.values())
        return [*known, *((result.instance, result.certified) for result in hoped)]

    def _is_static(self, fact: int) -> bool:
        """Return whether no action changes a fact."""
        return self.knowledge.facts.keys[fact][0] not in self.knowledge.model.fluents


def _close(
    at_once: set[int],
    results: list[tuple[StreamInstance, tuple[int, ...]]],
    is_static: Callable[[int], bool],
) -> None:
    """Add what streams certify from facts that hold at once."""
    changed = True
    while changed:
        changed = False
        for instance, certified in results:
            if all(fact in at_once and is_static(fact) for fact in instance.domain):
                fresh = set(certified) - at_once
                at_once |= fresh
                changed |= bool(fresh)


def _conditions(operator: Operator) -> Iterable[tuple[int, ...]]:
    effects = (*operator.conditional, *operator.unfired)
    for condition in (operator.condition, *(effect.condition for effect in effects)):
        yield condition.derived
        yield condition.underived
