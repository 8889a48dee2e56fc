"""Ground actions as a PDDL task, for any planner."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from commonground.grounding.prolog.actions.instances import Op
from commonground.grounding.prolog.base.knowledge_base import START, stem_of
from commonground.grounding.prolog.base.relations import Bound, Fact, Facts, fact_of, join
from commonground.grounding.prolog.base.terms import Term, substitute, variables
from commonground.planning.pddl import (
    Action,
    And,
    Atom,
    Domain,
    Effect,
    Formula,
    Not,
    Or,
    Predicate,
    Problem,
    Task,
)
from commonground.planning.pddl import Step as PddlStep

MOST_GOALS = 5_000
"""Most ways in which a goal with variables may be written out."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """A PDDL task, and the actions behind its names."""

    task: Task
    ops: dict[str, Op]

    def plan(self, steps: Iterable[PddlStep]) -> list[Op]:
        """Return the actions of a plan of the task."""
        return [self.ops[step.action] for step in steps]


def compile_task(ops: Sequence[Op], init: frozenset[Fact], goal: Sequence[Term]) -> Compiled | None:
    """Return the task of some ground actions; None: its goal can be seen to be out of reach.

    Facts that no action changes are evaluated here. A step that starts something runs until the step that
    ends it, and nothing runs at the end.
    """
    compiler = _Compiler(ops, init)
    wanted = compiler.goal(goal)
    if wanted is None:
        return None
    actions, known = [], {}
    for number, op in enumerate(ops):
        condition = compiler.condition(op)
        if condition is not None:
            action = compiler.action(number, op, condition)
            actions.append(action)
            known[action.name] = op
    atoms = compiler.atoms
    domain = Domain(
        "assembly",
        (":strips", ":negative-preconditions", ":disjunctive-preconditions"),
        predicates=tuple(Predicate(atom.predicate) for atom in atoms.values()),
        actions=tuple(actions),
    )
    start = tuple(atom for fact, atom in atoms.items() if fact in init)
    ended = [Not(atoms[fact]) for fact in atoms if fact[0] == RUNNING]
    problem = Problem("base", "assembly", init=start, goal=And((*wanted, *ended)))
    return Compiled(Task(domain, problem), known)


RUNNING = "running"


def running(op: Op) -> Fact | None:
    """Return the fact that a step's action runs, None for an action as a whole."""
    if len(op.heads) > 1:
        return None
    name, *args = op.heads[0]
    return (RUNNING, stem_of(str(name)), *args)


class _Compiler:
    def __init__(self, ops: Sequence[Op], init: frozenset[Fact]) -> None:
        self.init = init
        self.changing = dict.fromkeys(
            f for op in ops for f in (*sorted_facts(op.adds), *sorted_facts(op.deletes))
        )
        self.changing |= dict.fromkeys(f for op in ops for f in [running(op)] if f is not None)
        self.atoms = {
            fact: Atom(f"{_word(fact)}-{number}") for number, fact in enumerate(self.changing)
        }
        self.facts = Facts()
        for fact in itertools.chain(self.changing, init):
            self.facts.add(fact)

    def action(self, number: int, op: Op, condition: list[Formula]) -> Action:
        """Return an action with its effects."""
        effects = [Effect(Not(self.atoms[f])) for f in sorted_facts(op.deletes)]
        effects += [Effect(self.atoms[f]) for f in sorted_facts(op.adds)]
        runs = running(op)
        if runs is not None:
            starts = str(op.heads[0][0]).endswith(START)
            atom = self.atoms[runs]
            condition.append(Not(atom) if starts else atom)
            effects.append(Effect(atom if starts else Not(atom)))
        name = f"{_word(op.heads[0])}-{number}"
        return Action(name, (), And(tuple(condition)), tuple(effects))

    def condition(self, op: Op) -> list[Formula] | None:
        """Return what an action needs; None: it is never possible."""
        parts: dict[Formula, None] = {}
        for fact in sorted_facts(op.needs):
            if fact in self.atoms:
                parts[self.atoms[fact]] = None
            elif fact not in self.init:
                return None
        for forbidden in op.forbids:
            for fact in self.facts.matching(forbidden.pattern):
                if fact in forbidden.but:
                    continue
                if fact in op.needs or (fact not in self.atoms):
                    return None
                parts[Not(self.atoms[fact])] = None
        return list(parts)

    def goal(self, goal: Sequence[Term]) -> list[Formula] | None:
        """Return the goal; conditions with a variable in common are written out together."""
        parts: list[Formula] = []
        for group in linked(goal):
            options: list[Formula] = []
            bindings = itertools.islice(self._bindings(group), MOST_GOALS)
            for binding in bindings:
                facts = [fact_of(substitute(pattern, binding)) for pattern in group]
                options.append(And(tuple(self.atoms[f] for f in facts if f in self.atoms)))
            if not options:
                return None
            if not any(option == And(()) for option in options):
                parts.append(options[0] if len(options) == 1 else Or(tuple(options)))
        return parts

    def _bindings(self, group: Sequence[Term]) -> Iterable[Bound]:
        return join([self.facts.atom(pattern) for pattern in group], {})


def linked(goal: Sequence[Term]) -> list[list[Term]]:
    """Return the goals in groups that have variables in common."""
    groups: list[tuple[set[str], list[Term]]] = []
    for term in goal:
        names = set(variables(term))
        joined = [g for g in groups if g[0] & names]
        groups = [g for g in groups if not g[0] & names]
        groups.append(
            (names.union(*(g[0] for g in joined)), [*(t for g in joined for t in g[1]), term])
        )
    return [terms for _, terms in groups]


def sorted_facts(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts in an order that does not depend on hashing."""
    return sorted(facts, key=lambda fact: tuple(map(repr, fact)))


def _word(fact: Fact) -> str:
    """Return a fact as a word that PDDL takes; numbers after it keep such words apart."""
    name = "-".join(map(str, fact)).lower()
    return "a-" + re.sub(r"[^a-z0-9-]+", "-", name)
