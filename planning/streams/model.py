"""A PDDLStream problem read and checked: actions, derived predicates, streams, objects and facts."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from commonground.errors import PlanningError, did_you_mean
from commonground.planning.pddl.domain import Action, Domain, TypeTree
from commonground.planning.pddl.domain_syntax import DomainSyntax
from commonground.planning.pddl.formula import OBJECT, Atom, Effect, Formula, Not, Update
from commonground.planning.pddl.logic import symbols
from commonground.planning.pddl.source import Source, read
from commonground.planning.streams.constraints import constrained, named_values
from commonground.planning.streams.costs import LinearCost, action_cost
from commonground.planning.streams.expressions import Reader
from commonground.planning.streams.generators import empty_test, from_test
from commonground.planning.streams.info import FunctionInfo, PlanConstraints, StreamInfo
from commonground.planning.streams.language import DEBUG, PDDLProblem, Procedure
from commonground.planning.streams.normal_form import DerivedRows, Normalizer, Row, type_predicate
from commonground.planning.streams.objects import Objects
from commonground.planning.streams.stream_syntax import FunctionSpec, Spec, StreamSpec, read_streams
from commonground.planning.streams.vocabulary import check_vocabulary, unheard_of

_log = logging.getLogger(__name__)
_MOST_NAMED = 30
"""Objects of the initial state that streams are expected to yield again."""
GOAL = "(goal)"
"""The pseudo action whose precondition is the goal."""
Fact = tuple[str, tuple[int, ...]]
"""A predicate and the numbers of objects."""


@dataclass(frozen=True, slots=True)
class EffectSchema:
    """A change for each way its condition can be met."""

    atom: Atom
    adds: bool
    rows: tuple[Row, ...]
    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ActionSchema:
    """An action whose precondition is a disjunction of rows."""

    name: str
    parameters: tuple[str, ...]
    rows: tuple[Row, ...]
    effects: tuple[EffectSchema, ...]
    cost: LinearCost


@dataclass(frozen=True, slots=True)
class StreamModel:
    """A stream with its procedure and what the user said about it."""

    spec: StreamSpec
    procedure: Callable[..., Any] | None
    """None where made-up values are wanted."""
    info: StreamInfo
    is_predicate: bool = False
    """A lazily evaluated predicate: expected to be false, where a test is expected to succeed."""

    @property
    def is_test(self) -> bool:
        """Return whether it has no outputs, so that calling it decides its facts."""
        return not self.spec.outputs


@dataclass(frozen=True, slots=True)
class FunctionModel:
    """A numeric function with its procedure."""

    spec: FunctionSpec
    procedure: Callable[..., Any] | None
    info: FunctionInfo


@dataclass(slots=True)
class Model:
    """A problem, ready to be planned."""

    domain: Domain
    goal: Formula
    objects: Objects
    constants: dict[str, int]
    actions: list[ActionSchema]
    derived: list[DerivedRows]
    streams: list[StreamModel]
    functions: dict[str, FunctionModel]
    """Numeric functions; lazily evaluated predicates are tests among the streams."""
    initial: list[Fact]
    values: dict[Fact, float]
    """Numbers given for functions."""
    fluents: frozenset[str] = field(default_factory=frozenset)
    """Predicates that some action changes."""
    max_cost: float = float("inf")
    named: tuple[int, ...] = ()
    """The objects that streams may happen to yield: those that the goal, the domain, plan constraints and
    the initial values of fluents name."""
    unheard_of: tuple[str, ...] = ()
    """What was given and has no effect, a sentence each: it may be misspelled."""

    @property
    def sees_states(self) -> bool:
        """Whether some stream is told the state it is called in."""
        return any(stream.spec.fluents for stream in self.streams)


def build_model(
    problem: PDDLProblem | Sequence[Any],
    stream_info: Mapping[str, StreamInfo | FunctionInfo] | None = None,
    constraints: PlanConstraints | None = None,
) -> Model:
    """Read a problem; raises PlanningError with the place of what is wrong."""
    problem, constraints = PDDLProblem(*problem), constraints or PlanConstraints()
    origin = Source("domain", problem.domain_pddl)
    domain = DomainSyntax(origin).domain(read(origin))
    specs, sources = read_streams(problem.stream_pddl)
    objects = Objects()
    constants = _constants(problem, domain, objects)
    reader = Reader(objects, constants)
    begin = reader.begin(problem.init)
    initial = list(begin.facts)
    goal = reader.formula(problem.goal)
    check_vocabulary(domain, specs, begin, goal, reader, (origin, *sources))
    named = {constants[name] for name in (*symbols(goal), *(t.name for t in domain.constants))}
    named |= {objects.number(value) for value in named_values(constraints)}
    if constraints.skeletons is not None:
        domain, goal, extra = constrained(domain, goal, constraints, reader)
        initial += extra
    model = _compiled(domain, goal, objects, constants, initial, begin.values)
    _add_streams(model, specs, problem.stream_map, dict(stream_info or {}))
    moving = {
        number for predicate, args in initial if predicate in model.fluents for number in args
    }
    model.named = (*sorted(named), *sorted(moving - named)[:_MOST_NAMED])
    model.max_cost = constraints.max_cost
    unused = _of_no_stream(problem, stream_info or {}, specs)
    model.unheard_of = (*unheard_of(domain, specs, initial, goal), *unused)
    for told in model.unheard_of:
        _log.warning("%s", told)
    return model


def _constants(problem: PDDLProblem, domain: Domain, objects: Objects) -> dict[str, int]:
    """Return the objects that constants stand for; those of the domain all need one."""
    constants = {
        name.lower(): objects.number(value) for name, value in problem.constant_map.items()
    }
    for typed in domain.constants:
        if typed.name not in constants:
            raise PlanningError(
                f"constant '{typed.name}' of the domain has no value in the constant map."
                f"{did_you_mean(typed.name, constants)}"
            )
    return constants


def _compiled(
    domain: Domain,
    goal: Formula,
    objects: Objects,
    constants: dict[str, int],
    initial: list[Fact],
    values: dict[Fact, float],
) -> Model:
    normal = Normalizer()
    for axiom in domain.axioms:
        normal.derive(axiom.head.name, axiom.head.parameters, axiom.body)
    actions = []
    for action in domain.actions:
        actions.append(_schema(action, normal))
    actions.append(ActionSchema(GOAL, (), normal.rows(goal), (), LinearCost()))
    changed = frozenset(e.atom.predicate for a in actions for e in a.effects)
    typed = _type_facts(domain, constants, initial)
    return Model(
        domain, goal, objects, constants, actions, normal.derived, [], {}, typed, values, changed
    )


def _schema(action: Action, normal: Normalizer) -> ActionSchema:
    effects = []
    for effect in action.effects:
        if not isinstance(effect.change, Update):
            effects.append(_effect(effect, normal))
    return ActionSchema(
        action.name,
        tuple(typed.name for typed in action.parameters),
        normal.rows(action.precondition, action.parameters),
        tuple(effects),
        action_cost(action.name, action.effects),
    )


def _effect(effect: Effect, normal: Normalizer) -> EffectSchema:
    change = effect.change
    atom = change.body if isinstance(change, Not) else change
    if not isinstance(atom, Atom):
        raise PlanningError(f"{change} cannot be an effect")
    variables = tuple(typed.name for typed in effect.parameters)
    rows = normal.rows(effect.condition, effect.parameters)
    return EffectSchema(atom, isinstance(change, Atom), rows, variables)


def _type_facts(domain: Domain, constants: dict[str, int], initial: list[Fact]) -> list[Fact]:
    """Return the initial facts with each object's supertypes added."""
    tree = TypeTree(domain.types)
    names = {type_predicate(name): name for name in tree.parents}
    given = [(constants[t.name], kind) for t in domain.constants for kind in t.types]
    given += [(args[0], names[p]) for p, args in initial if p in names]
    found = dict.fromkeys(fact for fact in initial if fact[0] not in names)
    for number, kind in given:
        for above in tree.ancestors(kind):
            if above != OBJECT:
                found[type_predicate(above), (number,)] = None
    return list(found)


def _add_streams(
    model: Model,
    specs: Sequence[Spec],
    stream_map: Mapping[str, Procedure] | str,
    infos: dict[str, StreamInfo | FunctionInfo],
) -> None:
    procedures = (
        None if isinstance(stream_map, str) else {n.lower(): p for n, p in stream_map.items()}
    )
    if isinstance(stream_map, str) and stream_map != DEBUG:
        raise PlanningError(f"the stream map '{stream_map}' is neither a mapping nor '{DEBUG}'")
    infos = {name.lower(): info for name, info in infos.items()}
    for spec in specs:
        info = infos.get(spec.name)
        if isinstance(spec, StreamSpec) and spec.rule:
            model.streams.append(
                StreamModel(spec, lambda *_: iter([[()]]), StreamInfo(eager=True, p_success=1))
            )
            continue
        procedure = _procedure(spec.name, procedures)
        if isinstance(spec, StreamSpec):
            chosen = info if isinstance(info, StreamInfo) else StreamInfo()
            model.streams.append(StreamModel(spec, procedure, chosen))
        elif spec.boolean:
            model.streams.append(_predicate(spec, procedure, _function_info(info)))
        else:
            model.functions[spec.name] = FunctionModel(spec, procedure, _function_info(info))


def _of_no_stream(
    problem: PDDLProblem, infos: Mapping[str, object], specs: Sequence[Spec]
) -> Iterator[str]:
    """Yield what is given for streams that are not there, as where a problem is one of several variants."""
    names = [spec.name for spec in specs]
    procedures = () if isinstance(problem.stream_map, str) else problem.stream_map
    for where, given in (("map", procedures), ("info", infos)):
        for name in given:
            if name.lower() not in names:
                hint = did_you_mean(name.lower(), names)
                yield f"the stream {where} has '{name}', and there is no such stream.{hint}"


def _predicate(
    spec: FunctionSpec, test: Callable[..., Any] | None, info: FunctionInfo
) -> StreamModel:
    """Return a lazily evaluated predicate as the test stream that decides it."""
    as_stream = StreamSpec(spec.name, spec.inputs, spec.domain, (), (Atom(spec.name, spec.inputs),))
    held = StreamInfo(
        eager=info.eager,
        p_success=info.p_success,
        overhead=info.overhead,
        negate=True,
        effort=info.effort,
        defer_fn=info.defer_fn,
    )
    procedure = from_test(empty_test if test is None else test)
    return StreamModel(as_stream, procedure, held, is_predicate=True)


def _function_info(info: StreamInfo | FunctionInfo | None) -> FunctionInfo:
    if isinstance(info, StreamInfo):
        return FunctionInfo(
            None, info.eager, info.p_success, info.overhead, info.effort, info.defer_fn
        )
    return info or FunctionInfo()


def _procedure(name: str, procedures: dict[str, Procedure] | None) -> Callable[..., Any] | None:
    if procedures is None:
        return None
    if name not in procedures:
        hint = did_you_mean(name, procedures)
        raise PlanningError(f"stream '{name}' has no procedure in the stream map.{hint}")
    procedure = procedures[name]
    if isinstance(procedure, str):
        return None
    if not callable(procedure):
        raise PlanningError(f"the procedure of stream '{name}' cannot be called: {procedure!r}")
    return procedure
