"""Facts that may ever hold, deletions ignored, and goals that are not among them.

Every fact found reachable here may still be out of reach, but what is not found is certainly so: conditions
of an action are only looked at where they share variables with the fact that it adds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from commonground.grounding.prolog.actions.lifted import Lifted, whole_actions
from commonground.grounding.prolog.base.findings import Finding, Weight
from commonground.grounding.prolog.base.knowledge_base import Base, stem_of
from commonground.grounding.prolog.base.relations import (
    Atom,
    Bound,
    Fact,
    Facts,
    Key,
    Relation,
    fact_of,
    join,
)
from commonground.grounding.prolog.base.terms import (
    Term,
    Var,
    is_ground,
    key_of,
    match,
    may_unify,
    substitute,
    text,
    variables,
)

MOST = 20_000
"""Facts of one predicate that one action adds; beyond it, everything counts as reachable."""


class Reach:
    """The facts that may ever hold."""

    def __init__(self, init: Sequence[Fact], actions: Sequence[Lifted]) -> None:
        self.facts = Facts()
        self.open: set[Key] = set()
        """Predicates of which everything counts as reachable."""
        self.actions = actions
        self._looked: dict[tuple[int, Term], tuple[int, ...]] = {}
        """How many facts an action was given when it was asked last what it adds by an effect."""
        for fact in init:
            self.facts.add(fact)
        while self._grow_all():
            pass

    def _grow_all(self) -> bool:
        """Let every action add what it may; tell whether that is anything new."""
        grown = False
        for number, action in enumerate(self.actions):
            for effect in action.adds:
                grown |= self._grow(number, action, effect)
        return grown

    def has(self, pattern: Term) -> bool:
        """Return whether a fact of a pattern may ever hold."""
        return key_of(pattern) in self.open or any(True for _ in self.facts.matching(pattern))

    def _conditions(self, action: Lifted) -> list[Atom]:
        atoms = [self.facts.atom(need) for need in action.needs if key_of(need) not in self.open]
        return atoms + [Atom(table.relation, table.args) for table in action.tables]

    def _grow(self, number: int, action: Lifted, effect: Term) -> bool:
        """Add what an action may add by one effect; tell whether that is anything new."""
        key = key_of(effect)
        if key in self.open:
            return False
        conditions = self._conditions(action)
        if not self._knows_more(number, effect, conditions):
            return False
        names = set(variables(effect))
        shared = [(atom, [v for v in _variables(atom) if v in names]) for atom in conditions]
        if not names.issubset(v for _, own in shared for v in own):
            self.open.add(key)
            return True
        atoms = [_projected(atom, own) for atom, own in shared if own]
        new = False
        for count, binding in enumerate(join(atoms, {})):
            new |= self.facts.add(fact_of(substitute(effect, binding)))
            if count >= MOST:
                self.open.add(key)
                return True
        return new

    def _knows_more(self, number: int, effect: Term, conditions: Sequence[Atom]) -> bool:
        """Return whether conditions may hold by more facts than when the action was asked last."""
        sizes = tuple(len(atom.relation) for atom in conditions)
        if not all(sizes) or self._looked.get((number, effect)) == sizes:
            return False
        self._looked[number, effect] = sizes
        return True

    def why_not(self, goal: Term) -> str:
        """Return why a goal is out of reach, in words."""
        adding = [(a, e) for a in self.actions for e in a.adds if may_unify(e, goal)]
        if not adding:
            return "no action adds it"
        reasons = (self._obstacle(action, effect, goal) for action, effect in adding)
        return "; ".join(dict.fromkeys(reason for reason in reasons if reason))

    def _obstacle(self, action: Lifted, effect: Term, goal: Term) -> str:
        name = stem_of(key_of(action.head)[0])
        bound: Bound = {}
        if is_ground(goal) and not match(effect, goal, bound):
            return ""
        for table in action.tables:
            if _none(Atom(table.relation, table.args), bound):
                return (
                    f"{name} would add it, but {text(substitute(table.goal, bound))} is never true"
                )
        for need in action.needs:
            if key_of(need) not in self.open and _none(self.facts.atom(need), bound):
                return f"{name} would add it, but {text(substitute(need, bound))} never holds"
        return f"{name} would add it, but its conditions never hold together"


def _variables(atom: Atom) -> list[str]:
    return list(dict.fromkeys(v for arg in atom.args for v in variables(arg)))


def _none(atom: Atom, bound: Bound) -> bool:
    return next(join([atom], bound), None) is None


def _projected(atom: Atom, names: Sequence[str]) -> Atom:
    """Return a condition on some of its variables alone."""
    args = [arg.name if isinstance(arg, Var) else "" for arg in atom.args]
    if all(args) and len(set(args)) == len(args):
        columns = [args.index(name) for name in names]
        rows = (tuple([row[c] for c in columns]) for row in atom.relation.rows)
    else:
        rows = (tuple([binding[n] for n in names]) for binding in join([atom], {}))
    return Atom(Relation(rows), tuple(map(Var, names)))


def reach_of(base: Base, lifted: Sequence[Lifted]) -> Reach:
    """Return what the high level may ever reach; starts without an end count by themselves.

    So do starts whose end needs what only comes while their action runs, maybe by what the start adds.
    """
    whole = whole_actions(lifted)
    joined = {key_of(stage.head) for action in whole for stage in action.stages}
    alone = [step for step in lifted if key_of(step.head) not in joined]
    keys = base.state_keys("high")
    init = [fact_of(f.term) for f in base.init if key_of(f.term) in keys]
    begun = [replace(a, stages=a.stages[:1]) for a in whole if set(a.needs) - {*a.stages[0].needs}]
    return Reach(init, [*whole, *begun, *alone])


def unreachable(base: Base, reach: Reach) -> Iterator[tuple[Term, tuple[int, int], str]]:
    """Yield goals of the high level that are certainly out of reach, with their place and why."""
    low_only = base.state_keys("low") - base.state_keys("high")
    for goal in base.goal:
        if key_of(goal.term) not in low_only and not reach.has(goal.term):
            yield goal.term, goal.place, reach.why_not(goal.term)


def reach_findings(base: Base, lifted: Sequence[Lifted]) -> Iterator[Finding]:
    """Yield unreachable goals, and actions that can never start."""
    reach = reach_of(base, lifted)
    for goal, place, why in unreachable(base, reach):
        yield Finding(*place, "unreachable-goal", f"the goal {text(goal)} cannot be reached: {why}")
    for schema, action in zip(base.high, lifted, strict=True):
        obstacle = next((t.goal for t in action.tables if not len(t.relation)), None)
        if obstacle is not None:
            message = (
                f"{schema.name} can never be made: the grounding goal {text(obstacle)} is never true; "
                "correct the facts or the goal"
            )
            yield Finding(*schema.place, "never-satisfied", message, Weight.WARNING)
