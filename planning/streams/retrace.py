"""Retracing of a plan: which streams it relies on that were not called, and what they must answer.

Each condition of each step is followed back through derived facts to facts that streams would certify,
and through the domains of those streams to what is real (Garrett et al. 2020, section 7).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonground.planning.streams.grounder import FactKey, GroundLiterals
from commonground.planning.streams.instances import Numbers, StreamInstance
from commonground.planning.streams.knowledge import Knowledge
from commonground.planning.streams.model import StreamModel
from commonground.planning.streams.optimistic import Hope, Signature
from commonground.planning.streams.snapshot import Snapshot, Truth
from commonground.planning.streams.task import Body, Operator, SearchTask, View


@dataclass(frozen=True, slots=True)
class Need:
    """A stream to call, and whether it must succeed; its inputs may be placeholders."""

    stream: StreamModel
    inputs: Numbers
    outputs: Numbers
    positive: bool = True
    state: frozenset[FactKey] = frozenset()
    """What a fluent stream is told of the state."""

    @property
    def objects(self) -> frozenset[int]:
        """All objects that must be known before the call."""
        return frozenset(self.inputs).union(*(args for _, args in self.state))

    def renamed(self, names: Mapping[int, int]) -> Need:
        """Return the need with objects replaced."""
        return replace(
            self,
            inputs=_renamed(self.inputs, names),
            outputs=_renamed(self.outputs, names),
            state=frozenset((predicate, _renamed(args, names)) for predicate, args in self.state),
        )


@dataclass(slots=True)
class Outline:
    """An action plan with what it needs from streams, in an order in which it can be asked."""

    steps: list[tuple[str, Numbers]]
    needs: list[Need]
    after: list[frozenset[int]]
    """For each need, the needs that come before it."""
    first_step: list[int]
    """For each need, the first step that relies on it."""
    costs: list[tuple[float, list[tuple[float, FactKey]]]]
    """For each step, its constant cost and the functions it adds."""
    facts: list[int]
    """Static facts the plan relies on, hoped for or real."""

    def signatures(self, knowledge: Knowledge) -> frozenset[Signature]:
        """Return the calls of streams with outputs, in terms of shared placeholders."""
        objects = knowledge.objects
        return frozenset(
            (need.stream.spec.name, objects.representatives(need.inputs))
            for need in self.needs
            if need.outputs
        )

    def is_consistent(self, knowledge: Knowledge) -> bool:
        """Return whether each placeholder is the output of one call only."""
        made: set[int] = set()
        unknown = knowledge.objects.placeholder
        for need in self.needs:
            outputs = {number for number in need.outputs if unknown[number] is not None}
            if made & outputs:
                return False
            made |= outputs
        used = {number for _, args in self.steps for number in args}
        used |= {number for need in self.needs for number in need.objects}
        return all(
            number in made for number in used if knowledge.objects.placeholder[number] is not None
        )


class Retracer:
    """Follows one plan back to what it relies on."""

    def __init__(
        self, knowledge: Knowledge, hope: Hope, snapshot: Snapshot, task: SearchTask
    ) -> None:
        self.knowledge, self.hope, self.snapshot, self.task = knowledge, hope, snapshot, task
        self.outline = Outline([], [], [], [], [], [])
        self._numbers: dict[Need, int] = {}
        self._facts: dict[int, None] = {}

    def retrace(self, plan: Sequence[Operator]) -> Outline:
        """Return the outline of a plan whose last operator is the goal."""
        view = self.task.view(self.task.start)
        for index, operator in enumerate(plan):
            self._step(index, operator, view)
            view = self.task.view(self.task.apply(operator, view))
        outline = self.outline
        outline.facts = list(self._facts)
        unknown = self.knowledge.objects.placeholder
        maker = {
            n: index for index, need in enumerate(outline.needs) for n in need.outputs if unknown[n]
        }
        for index, need in enumerate(outline.needs):
            outline.after[index] |= {maker[n] for n in need.objects if n in maker} - {index}
        return outline

    def _step(self, index: int, operator: Operator, view: View) -> None:
        action = operator.action
        if action is None:
            return
        step = _Step(self, index, view)
        step.support(action.condition)
        for effect in operator.conditional:
            if view.holds(effect.condition):
                step.support(effect.literals)
        for effect in operator.unfired:
            if view.holds(effect.condition):
                step.refute_static(effect.literals)
        names = step.own_outputs(operator)
        self._add_all(index, step, names)
        if not operator.is_goal:
            self.outline.steps.append((action.schema.name, _renamed(action.args, names)))
            terms = [
                (factor, (name, _renamed(args, names)))
                for factor, (name, args) in action.cost_terms
            ]
            self.outline.costs.append((action.cost_constant, terms))

    def _add_all(self, index: int, step: _Step, names: Mapping[int, int]) -> None:
        """Add the needs of a step, each after those it depends on."""
        self._facts.update(dict.fromkeys(step.facts))
        numbers: dict[Need, int] = {}
        for need, before in step.needs.items():
            renamed = need.renamed(names) if names else need
            number = self._numbers.get(renamed)
            if number is None:
                number = self._numbers[renamed] = len(self.outline.needs)
                self.outline.needs.append(renamed)
                self.outline.after.append(frozenset())
                self.outline.first_step.append(index)
            numbers[need] = number
            self.outline.after[number] |= {numbers[earlier] for earlier in before}


@dataclass(slots=True)
class _Step:
    """What one step of a plan relies on in its state."""

    tracer: Retracer
    index: int
    view: View
    needs: dict[Need, list[Need]] = field(default_factory=dict)
    """Each need with those it depends on, which come before it."""
    facts: dict[int, None] = field(default_factory=dict)

    def support(self, literals: GroundLiterals) -> None:
        """Rely on literals that hold, as far as is known."""
        for fact in literals.static:
            self.need(fact)
        for fact in literals.not_static:
            self.decide(fact, positive=False)
        for fact in literals.derived:
            body = self.view.supporting(fact, False)
            if body is not None:
                self.support(body.literals)
        for fact in literals.not_derived:
            self.refute(fact)

    def refute(self, fact: int) -> None:
        """Rely on a derived fact being false."""
        for body in self.tracer.task.bodies.get(fact, ()):
            self.refute_body(body)

    def refute_body(self, body: Body) -> None:
        """Rely on one way to derive a fact failing."""
        condition, view = body.condition, self.view
        if view.state & condition.on != condition.on or view.state & condition.off:
            return
        if not all(view.is_derived(d, False) for d in condition.derived):
            return
        if any(view.is_derived(d, True) for d in condition.underived):
            return
        if self.refute_static(body.literals):
            return
        for fact in condition.derived:
            if not view.is_derived(fact, True):
                self.refute(fact)
                return
        for fact in condition.underived:
            holding = view.supporting(fact, False)
            if holding is not None:
                self.support(holding.literals)
                return

    def refute_static(self, literals: GroundLiterals) -> bool:
        """Rely on an undecided fact turning out against some literals; tell whether there is one."""
        for fact in literals.not_static:
            if self.tracer.snapshot.truth(fact) is Truth.UNDECIDED:
                self.decide(fact, positive=True)
                return True
        for fact in literals.static:
            if self.tracer.snapshot.truth(fact) is Truth.UNDECIDED:
                self.decide(fact, positive=False)
                return True
        return False

    def decide(self, fact: int, *, positive: bool) -> None:
        """Rely on what a test stream will say of a fact."""
        if positive:
            self.need(fact)
            return
        if self.tracer.snapshot.truth(fact) is not Truth.UNDECIDED:
            return
        for instance in self.tracer.knowledge.testing.get(fact, ()):
            if not instance.failed:
                before = [need for f in instance.domain if (need := self.need(f)) is not None]
                self.needs.setdefault(
                    Need(instance.stream, instance.inputs, (), positive=False), before
                )

    def need(self, fact: int) -> Need | None:
        """Rely on a static fact; return the call that would certify it unless it is real."""
        self.facts[fact] = None
        if self.tracer.knowledge.is_visible(fact):
            return None
        result = self.tracer.hope.producer.get(fact)
        if result is None:
            return None
        before = [need for f in result.instance.domain if (need := self.need(f)) is not None]
        state = self.seen(result.instance)
        need = Need(result.instance.stream, result.instance.inputs, result.outputs, True, state)
        self.needs.setdefault(need, before)
        return need

    def seen(self, instance: StreamInstance) -> frozenset[FactKey]:
        """Return what a fluent stream is told of the state."""
        predicates = instance.stream.spec.fluents
        keys = self.tracer.knowledge.facts.keys
        mask = 0
        for predicate in predicates:
            mask |= self.tracer.task.mask_of.get(predicate, 0) & self.view.state
        return frozenset(
            keys[fact] for bit, fact in enumerate(self.tracer.task.facts) if mask >> bit & 1
        )

    def own_outputs(self, operator: Operator) -> dict[int, int]:
        """Return placeholders of this step's own for outputs of fluent streams.

        The same action in another state needs another value, unless the value becomes part of the state.
        """
        action, objects, facts = (
            operator.action,
            self.tracer.knowledge.objects,
            self.tracer.knowledge.facts,
        )
        kept = (
            {n for effect in action.effects for n in facts.keys[effect.fact][1]}
            if action
            else set()
        )
        names: dict[int, int] = {}
        for need in self.needs:
            if need.stream.spec.fluents:
                for output, number in zip(need.stream.spec.outputs, need.outputs, strict=True):
                    held = objects.placeholder[number]
                    if number not in kept and number not in names and held is not None:
                        name = need.stream.spec.name
                        names[number] = objects.invent(
                            name, output, held.representative, held.depth
                        )
        return names


def _renamed(numbers: Iterable[int], names: Mapping[int, int]) -> Numbers:
    return tuple(names.get(number, number) for number in numbers)
