"""Knowledge of a stream problem so far: real facts, stream instances, values of functions."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from commonground.errors import PlanningError
from commonground.planning.pddl.formula import OBJECT, Atom, is_variable
from commonground.planning.streams.database import Database, Rule
from commonground.planning.streams.expressions import Reader
from commonground.planning.streams.grounder import FactKey, Facts, Grounder
from commonground.planning.streams.instances import Numbers, Statistics, StreamInstance, of_user
from commonground.planning.streams.language import Expression
from commonground.planning.streams.model import FunctionModel, Model, StreamModel
from commonground.planning.streams.normal_form import Literal, pattern


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a real fact comes from."""

    complexity: int
    """How many calls it took along its longest chain of streams, repeated ones included."""
    repeats: int
    """How many of them were calls of a stream after its first."""
    instance: StreamInstance | None
    """None for initial facts."""


class Knowledge:
    """The growing facts of one problem, ground into actions as they arrive."""

    def __init__(self, model: Model) -> None:
        self.model, self.objects = model, model.objects
        self.database, self.facts = Database(), Facts()
        self.real: dict[int, Origin] = {}
        self.level: float = 0
        """Real facts that took more repeated calls are known but not planned with yet."""
        self._hidden: dict[int, list[int]] = {}
        self.instances: list[StreamInstance] = []
        self.waiting: dict[int, list[StreamInstance]] = {}
        """The instances that have a fact in their domain."""
        self.testing: dict[int, list[StreamInstance]] = {}
        """The test instances that can decide a fact."""
        self.function_values: dict[FactKey, float] = dict(model.values)
        self.statistics = {stream.spec.name: Statistics() for stream in model.streams}
        self.calls = 0
        self._by_inputs: dict[tuple[str, Numbers, frozenset[FactKey]], StreamInstance] = {}
        self._eager: deque[StreamInstance] = deque()
        self._reader = Reader(model.objects, model.constants)
        self._objects_known = 0
        for stream in model.streams:
            self._watch(stream)
        self.grounder = Grounder(model, self.database, self.facts)
        for predicate, args in model.initial:
            self.learn(predicate, args, Origin(0, 0, None))
        self.settle()

    # ---- facts --------------------------------------------------------------------------------

    def learn(self, predicate: str, args: Numbers, origin: Origin) -> None:
        """Add a real fact, or a simpler origin of it."""
        number = self.facts.number(predicate, args)
        known = self.real.get(number)
        better = known is None or (origin.repeats, origin.complexity) < (
            known.repeats,
            known.complexity,
        )
        if better:
            self.real[number] = origin
        if origin.repeats <= self.level:
            self.database.add(predicate, args)
        elif better:
            self._hidden.setdefault(origin.repeats, []).append(number)

    def reveal(self, level: float) -> None:
        """Plan with all facts that took up to so many repeated calls from now on."""
        self.level = max(self.level, level)
        for repeats in [r for r in self._hidden if r <= self.level]:
            for number in self._hidden.pop(repeats):
                self.database.add(*self.facts.keys[number])
        self.settle()

    def expose(self, facts: Iterable[int]) -> None:
        """Plan with some real facts from now on, however many repeated calls they took."""
        todo = [fact for fact in facts if fact in self.real and not self.is_visible(fact)]
        while todo:
            for fact in todo:
                origin = self.real[fact]
                self.real[fact] = Origin(origin.complexity, 0, origin.instance)
                self.database.add(*self.facts.keys[fact])
            hidden = (fact for facts in self._hidden.values() for fact in facts)
            todo = [fact for fact in hidden if not self.is_visible(fact) and self._is_decided(fact)]
        self.settle()

    def _is_decided(self, fact: int) -> bool:
        """Return whether a test decided a fact about what is planned with."""
        instance = self.real[fact].instance
        return (
            instance is not None
            and instance.stream.is_test
            and all(map(self.is_visible, instance.domain))
        )

    def is_visible(self, fact: int) -> bool:
        """Return whether a fact is real and planned with."""
        origin = self.real.get(fact)
        return origin is not None and origin.repeats <= self.level

    def next_hidden(self) -> int | None:
        """Return the fewest repeated calls of a real fact that is not planned with yet."""
        return min(self._hidden, default=None)

    def settle(self) -> None:
        """Ground what the facts added allow, and call the eager streams that became possible."""
        while True:
            self.ground_new()
            ready = next((i for i in self._eager if not i.enumerated and self.is_ready(i)), None)
            if ready is None:
                return
            self._eager.remove(ready)
            self.call(ready)

    def ground_new(self) -> None:
        """Ground what the facts and objects added allow, without calling any stream."""
        while True:
            for number in range(self._objects_known, len(self.objects)):
                self.database.add(OBJECT, (number,))
            self._objects_known = len(self.objects)
            self.database.propagate()
            if len(self.objects) == self._objects_known:
                return

    # ---- streams ------------------------------------------------------------------------------

    def _watch(self, stream: StreamModel) -> None:
        spec = stream.spec
        row = tuple(Literal(atom, True) for atom in spec.domain)
        made = pattern(row, spec.inputs, self.model.constants)
        if made is None:
            raise PlanningError(f"the domain of stream '{spec.name}' cannot be met")

        def fire(objects: Numbers) -> None:
            inputs = tuple(objects[made.terms[name]] for name in spec.inputs)
            self.instance(stream, inputs)

        self.database.watch(Rule(len(made.variables), made.positive, made.distinct, fire))

    def instance(
        self, stream: StreamModel, inputs: Numbers, state: frozenset[FactKey] = frozenset()
    ) -> StreamInstance:
        key = (stream.spec.name, inputs, state)
        known = self._by_inputs.get(key)
        if known is not None:
            return known
        domain = tuple(
            dict.fromkeys(
                self.number_of(atom, stream.spec.inputs, inputs) for atom in stream.spec.domain
            )
        )
        made = StreamInstance(stream, inputs, domain, self.statistics[stream.spec.name], state)
        self._by_inputs[key] = made
        if not state:
            self._register(made)
        return made

    def is_enumerated(self, stream: StreamModel, inputs: Numbers) -> bool:
        """Return whether a stream has yielded all that it ever will for some inputs."""
        known = self._by_inputs.get((stream.spec.name, inputs, frozenset()))
        return known is not None and known.enumerated and not stream.spec.fluents

    def _register(self, made: StreamInstance) -> None:
        self.instances.append(made)
        for fact in made.domain:
            self.waiting.setdefault(fact, []).append(made)
        if made.stream.is_test and not made.stream.spec.fluents:
            for fact in self.certified(made, ()):
                self.testing.setdefault(fact, []).append(made)
        if made.stream.info.eager and not made.stream.spec.fluents:
            self._eager.append(made)

    def number_of(self, atom: Atom, names: Sequence[str], numbers: Sequence[int]) -> int:
        """Return the number of an atom whose variables have the given objects."""
        binding = dict(zip(names, numbers, strict=True))
        constants = self.model.constants
        args = tuple(binding[t] if is_variable(t) else constants[t] for t in atom.args)
        return self.facts.number(atom.predicate, args)

    def certified(self, instance: StreamInstance, outputs: Numbers) -> Numbers:
        """Return the facts that an output tuple of an instance satisfies."""
        spec = instance.stream.spec
        names, numbers = (*spec.inputs, *spec.outputs), (*instance.inputs, *outputs)
        return tuple(self.number_of(atom, names, numbers) for atom in spec.certified)

    def is_ready(self, instance: StreamInstance) -> bool:
        """Return whether an instance can be called: its inputs are values that satisfy its domain."""
        return self.objects.known(instance.inputs) and all(
            fact in self.real or self.facts.keys[fact][0] in self.model.fluents
            for fact in instance.domain
        )

    def complexity(self, instance: StreamInstance) -> int:
        """Return the complexity of what the next call of an instance certifies."""
        domain = (self.real[f].complexity for f in instance.domain if f in self.real)
        if instance.stream.spec.rule:
            return max(domain, default=0)
        return max(domain, default=0) + instance.calls + (not instance.stream.is_test)

    def _origin(self, instance: StreamInstance) -> Origin:
        repeats = max((self.real[f].repeats for f in instance.domain if f in self.real), default=0)
        return Origin(self.complexity(instance), repeats + instance.calls, instance)

    def call(self, instance: StreamInstance) -> list[Numbers]:
        """Call an instance once and learn what it certifies; returns its new output tuples."""
        origin = self._origin(instance)
        self.calls += 1
        fresh, facts = instance.call(self.objects)
        if not instance.state and not instance.stream.spec.fluents:
            for outputs in fresh:
                for fact in self.certified(instance, outputs):
                    self.learn(*self.facts.keys[fact], origin)
        self._learn_all(facts, origin)
        self.settle()
        return fresh

    def _learn_all(self, facts: Iterable[Expression], origin: Origin) -> None:
        begin = self._reader.begin(facts)
        for predicate, args in begin.facts:
            self.learn(predicate, args, origin)
        self.function_values |= {**begin.values, **self.function_values}

    # ---- numbers ------------------------------------------------------------------------------

    def function(self, key: FactKey) -> FunctionModel:
        """Return the function that a numeric term applies."""
        model = self.model.functions.get(key[0])
        if model is None:
            values = ", ".join(map(repr, self.objects.values_of(key[1])))
            raise PlanningError(
                f"no value is known for the function ({key[0]} {values}), which is the cost of an action; "
                f"give (= ({key[0]} {values}) NUMBER) initially, or declare a function '{key[0]}'"
            )
        return model

    def evaluate(self, key: FactKey) -> float:
        """Return the value of a function of known objects, calling it the first time."""
        known = self.function_values.get(key)
        if known is None:
            procedure = self.function(key).procedure
            known = 1.0 if procedure is None else self._asked(procedure, key)
            self.function_values[key] = known
        return known

    def estimate(self, key: FactKey) -> float:
        """Return the value of a function where it is known, else a lower bound."""
        known = self.function_values.get(key)
        if known is not None:
            return known
        opt_fn = self.function(key).info.opt_fn
        if opt_fn is None:
            return 0.0
        return self._asked(opt_fn, key)

    def _asked(self, procedure: Callable[..., Any], key: FactKey) -> float:
        args = self.objects.values_of(key[1])
        value = of_user(f"function '{key[0]}'", args, lambda: procedure(*args))
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):  # it is code that was given
            number = math.nan
        if not number >= 0:
            raise PlanningError(
                f"function '{key[0]}' returned {value!r:.60}; costs are numbers of at least 0"
            )
        return number
