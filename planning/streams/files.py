"""Stream problems in files: PDDL for actions, streams and objects, a Python module for what streams do."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from commonground.errors import PlanningError, did_you_mean
from commonground.planning.pddl.check import Checker, check_agreement
from commonground.planning.pddl.domain import Domain, Metric, Problem
from commonground.planning.pddl.domain_syntax import DomainSyntax
from commonground.planning.pddl.formula import (
    EQUALS,
    OBJECT,
    TOTAL_COST,
    TRUE,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Imply,
    Not,
    Or,
    is_variable,
)
from commonground.planning.pddl.logic import free_variables, subformulas
from commonground.planning.pddl.parser import read_text
from commonground.planning.pddl.printer import to_pddl
from commonground.planning.pddl.source import PddlError, Source, plural, read
from commonground.planning.streams.expressions import Reader
from commonground.planning.streams.info import FunctionInfo, StreamInfo
from commonground.planning.streams.language import Equal, Expression, PDDLProblem, Type
from commonground.planning.streams.objects import Objects
from commonground.planning.streams.stream_syntax import read_streams
from commonground.planning.streams.user_module import UserModule, load_user_module
from commonground.planning.streams.vocabulary import signatures

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class StreamFiles:
    """What was read: a problem, and what the module says about its streams."""

    problem: PDDLProblem
    stream_info: Mapping[str, StreamInfo | FunctionInfo]
    values: Mapping[str, Any]
    """What constants and the objects of the problem file stand for."""
    names: Mapping[str, str]
    """The files behind the texts ``domain`` and ``streams``."""

    @contextmanager
    def places(self) -> Iterator[None]:
        """Name the files in errors about their texts raised in this block."""
        try:
            yield
        except PddlError as error:
            if error.source not in self.names:
                raise
            name = self.names[error.source]
            raise PddlError(error.message, name, error.line, error.column) from error


def load_stream_problem(
    domain: str | Path,
    problem: str | Path | None,
    streams: str | Path,
    stream_map: str,
    rng: np.random.Generator,
) -> StreamFiles:
    """Read a stream problem; raises PddlError with the place of what is wrong.

    An object of the problem file is the value that the module's ``constant_map`` gives its name, else its
    name. The module's ``init`` adds to the file's; its ``goal`` stands where the file has an empty one.
    """
    problem = None if problem is None else Path(problem)
    origin = Source(str(domain), read_text(domain))
    actions = DomainSyntax(origin).domain(read(origin))
    text = read_text(streams)
    specs, sources = read_streams(text, str(streams))
    module = load_user_module(stream_map, rng)
    given = {str(n).lower(): v for n, v in _mapping(module, "constant_map").items()}
    values = {typed.name: given.get(typed.name, typed.name) for typed in actions.constants} | given
    more = _listed(module, "init")
    takes = signatures(actions, specs, (origin, *sources), Reader(Objects(), {}).begin(more))
    init: list[Expression] = []
    goal: Expression | None = None
    objects: frozenset[str] = frozenset()
    if problem is not None:
        file = _ProblemFile(problem, actions, takes, values)
        init, goal = file.init(), file.goal()
        objects = frozenset(typed.name for typed in file.problem.objects)
    written = set(re.findall(r"[^\s()]+", origin.text.lower()))
    for name in sorted(given.keys() - written - objects):
        hint = did_you_mean(name, objects | _names(actions))
        _log.warning("%s: constant_map has '%s', and nothing names it.%s", module.name, name, hint)
    return StreamFiles(
        PDDLProblem(
            origin.text,
            {name: value for name, value in values.items() if name in _names(actions)} | given,
            text,
            module.require("stream_map"),
            [*init, *more],
            _the_goal(goal, module, problem),
        ),
        _mapping(module, "stream_info"),
        values,
        {"domain": str(domain), "streams": str(streams)},
    )


def _mapping(module: UserModule, name: str) -> Mapping[str, Any]:
    value = module.get(name, {})
    if not isinstance(value, Mapping):
        raise PlanningError(
            f"{module.name}: '{name}' must be a mapping, not {type(value).__name__}"
        )
    return value


def _names(domain: Domain) -> frozenset[str]:
    return frozenset(typed.name for typed in domain.constants)


def _the_goal(goal: Expression | None, module: UserModule, problem: Path | None) -> Expression:
    value = module.get("goal")
    if goal is not None and value is not None:
        raise PlanningError(
            f"{problem} and {module.name} both give a goal; leave (:goal (and)) in the problem file"
        )
    if goal is None and value is None:
        raise PlanningError(
            f"no goal is given: neither by a problem file nor by 'goal' in {module.name}"
        )
    return _listed(module, "goal") if goal is None else goal


def _listed(module: UserModule, name: str) -> tuple[Any, ...]:
    value = module.get(name) or ()
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise PlanningError(f"{module.name}: '{name}' must be a list, not {type(value).__name__}")
    return tuple(value)


class _ProblemFile:
    """A problem file whose objects stand for values."""

    def __init__(
        self, path: Path, domain: Domain, takes: Mapping[str, int], values: dict[str, Any]
    ) -> None:
        self.source = Source(str(path), read_text(path))
        self.problem: Problem = DomainSyntax(self.source).problem(read(self.source))
        known = {atom.predicate: len(atom.args) for atom in self.problem.init}
        self.takes, self.values = {**known, **takes}, values
        if self.problem.domain != domain.name:
            told = f"the problem is of domain '{self.problem.domain}', not '{domain.name}'"
            self.source.blame(self.problem.domain, told)
        self.checker = Checker(domain, self.problem.objects, self.source)
        self.checker.objects_declared(self.problem.objects, domain.constants)
        for atom in (*self.problem.init, *self.problem.denied):
            self._takes(atom)
            self.checker.given(atom)
        check_agreement(self.problem, self.source)
        metric = self.problem.metric
        if metric is not None and metric != Metric("minimize", TOTAL_COST):
            told = "with streams (total-cost) is minimized, nothing else"
            self.source.blame(metric, f"{told}: {to_pddl(metric)}")
        for typed in self.problem.objects:
            values.setdefault(typed.name, typed.name)

    def _takes(self, atom: Atom) -> None:
        """Refuse an atom with more or fewer arguments than elsewhere, where it stands."""
        count, takes = len(atom.args), self.takes.get(atom.predicate, len(atom.args))
        if count != takes:
            had = f"{atom} has {plural(count, 'argument')}"
            self.source.blame(atom, f"{had}, but '{atom.predicate}' takes {takes}")

    def init(self) -> list[Expression]:
        """Return the types of objects, the facts and the numbers given initially."""
        found: list[Expression] = []
        for typed in self.problem.objects:
            kinds = (kind for kind in typed.types if kind != OBJECT)
            found += [Type(self.values[typed.name], kind) for kind in kinds]
        found += [self._fact(atom) for atom in self.problem.init]
        found += [("not", self._fact(atom)) for atom in self.problem.denied]
        for fluent, number in self.problem.values:
            term = (fluent.function, *(self._value(a, fluent) for a in fluent.args))
            found.append(Equal(term, number))
        return found

    def goal(self) -> Expression | None:
        goal = self.problem.goal
        for part in subformulas(goal):  # so that what is wrong is found where it stands
            if isinstance(part, Exists | Forall):
                self.checker.parameters(part.parameters)
            if isinstance(part, Atom) and part.predicate != EQUALS:
                if part.predicate not in self.takes:
                    hint = did_you_mean(part.predicate, self.takes)
                    self.source.blame(
                        part, f"unknown predicate '{part.predicate}' in {part}.{hint}"
                    )
                self._takes(part)
                self._fact(part)
        for name in sorted(free_variables(goal)):
            self.source.blame(goal, f"variable '{name}' of the goal is not bound")
        return None if goal == TRUE else self._formula(goal)

    def _fact(self, atom: Atom) -> Expression:
        return (atom.predicate, *(self._value(term, atom) for term in atom.args))

    def _value(self, term: str, where: object) -> Any:
        if is_variable(term):
            return term
        if term not in self.values:
            hint = did_you_mean(term, self.values)
            self.source.blame(where, f"unknown object '{term}' in {where}.{hint}")
        return self.values[term]

    def _formula(self, formula: Formula) -> Expression:
        if isinstance(formula, Atom):
            return self._fact(formula)
        if isinstance(formula, Not):
            return ("not", self._formula(formula.body))
        if isinstance(formula, And | Or):
            return ("and" if isinstance(formula, And) else "or", *self._all(formula.parts))
        if isinstance(formula, Imply):
            return ("imply", *self._all((formula.left, formula.right)))
        if isinstance(formula, Exists | Forall):
            variables = tuple(
                (p.name, "-", p.types) if p.types != (OBJECT,) else p.name
                for p in formula.parameters
            )
            kind = "exists" if isinstance(formula, Exists) else "forall"
            return (kind, variables, self._formula(formula.body))
        self.source.blame(formula, "streams plan without conditions on numbers")

    def _all(self, parts: Iterable[Formula]) -> Iterable[Expression]:
        return map(self._formula, parts)
