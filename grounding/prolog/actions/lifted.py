"""High-level actions as planning sees them: with the solutions of their grounding goals as tables.

An action is planned as a whole, its end right after its start, or as two steps where actions have to overlap.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from commonground.errors import GroundingError
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.knowledge_base import END, START, Base, Schema, stem_of
from commonground.grounding.prolog.base.load import Loaded
from commonground.grounding.prolog.base.relations import Relation
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    Var,
    args_of,
    from_json,
    key_of,
    resolved,
    substitute,
    text,
    unify,
    variables,
)
from commonground.grounding.prolog.base.unanswered import fault_of, unanswered


@dataclass(frozen=True, slots=True)
class Table:
    """The solutions of a grounding goal, for its arguments: variables, or what stands for them."""

    args: tuple[Term, ...]
    relation: Relation
    goal: Term


@dataclass(frozen=True, slots=True)
class Stage:
    """A start or an end."""

    head: Term
    needs: tuple[Term, ...]
    forbids: tuple[Term, ...]
    effects: tuple[tuple[bool, Term], ...]


@dataclass(frozen=True, slots=True)
class Lifted:
    """One action or step with variables."""

    stages: tuple[Stage, ...]
    tables: tuple[Table, ...]
    residual: tuple[Term, ...] = ()
    """Grounding goals that can only be evaluated once their variables are known, in this order."""

    @property
    def found(self) -> tuple[str, ...]:
        """The variables that these goals have in common with the rest of the action, and may bind."""
        rest = {
            v
            for t in (*self.spoken, *(a for t in self.tables for a in t.args))
            for v in variables(t)
        }
        return tuple(dict.fromkeys(v for g in self.residual for v in variables(g) if v in rest))

    @property
    def spoken(self) -> tuple[Term, ...]:
        """The terms of all stages."""
        stages = self.stages
        terms = [t for s in stages for t in (s.head, *s.needs, *s.forbids)]
        return (*terms, *(fact for s in stages for _, fact in s.effects))

    @property
    def head(self) -> Term:
        """The head of the first stage."""
        return self.stages[0].head

    @property
    def needs(self) -> tuple[Term, ...]:
        """What has to hold before the first stage: later stages may need what earlier ones add."""
        made: list[Term] = []
        needs: dict[Term, None] = {}
        for stage in self.stages:
            needs |= dict.fromkeys(n for n in stage.needs if n not in made)
            made += [fact for added, fact in stage.effects if added]
        return tuple(needs)

    @property
    def adds(self) -> tuple[Term, ...]:
        """What may hold afterwards that did not before."""
        return tuple(dict.fromkeys(f for s in self.stages for added, f in s.effects if added))

    @property
    def deletes(self) -> tuple[Term, ...]:
        """What may not hold afterwards that did before."""
        return tuple(dict.fromkeys(f for s in self.stages for added, f in s.effects if not added))


def lift(
    engine: Engine, loaded: Loaded, schemas: Sequence[Schema] | None = None
) -> tuple[Lifted, ...]:
    """Return every start and end by itself, those of the high level if none are given.

    Each comes with the solutions of its grounding goals.
    """
    base = loaded.base
    chosen = base.high if schemas is None else schemas
    questions: dict[str, None] = {}
    parsed = [_parted(base, schema) for schema in chosen]
    for parts in parsed:
        for part in parts:
            if part.asked:
                questions.setdefault(question(part.asked, part.names))
    answers = engine.tables(loaded.module, questions)
    known = dict(zip(questions, answers, strict=True))
    relations: dict[str, Relation] = {}
    steps = tuple(
        _lifted(base, schema, parts, known, relations, engine.settings.goal_limit_s)
        for schema, parts in zip(chosen, parsed, strict=True)
    )
    return tuple(_told_by_starts(base, steps)) if schemas is None else steps


@dataclass(frozen=True, slots=True)
class _Part:
    """A grounding goal, and how its solutions become known."""

    goal: Term
    asked: tuple[Term, ...]
    """What Prolog is asked for a table: earlier goals that bind what it asks about, and the goal; empty:
    conditions have to bind that."""
    names: tuple[str, ...]
    """Its variables that something else in the action speaks of; others are nobody else's concern."""


def _parted(base: Base, schema: Schema) -> list[_Part]:
    """Return each grounding goal with what binds its variables.

    Facts list their own solutions. Anything else may mean something different before its variables are
    known (``X \\= Y`` fails), so it is evaluated for what the goals before it say, or else later.
    """
    goals = base.modes.goals(schema)
    counts = Counter(v for term in (*schema.spoken, *goals) for v in set(variables(term)))
    known = {v for t in (schema.head, *(n.term for n in schema.needs)) for v in variables(t)}
    used: list[frozenset[int] | None] = []
    for number, goal in enumerate(goals):
        inputs = known.intersection(variables(goal))
        used.append(_helpers(base, goals, number, inputs, used))
        known |= base.modes.of(goal).bound
    return [
        _Part(
            goal,
            tuple(goals[n] for n in sorted(of)) if of else (),
            tuple(dict.fromkeys(v for v in variables(goal) if counts[v] > 1)),
        )
        for goal, of in zip(goals, used, strict=True)
    ]


def _helpers(
    base: Base,
    goals: Sequence[Term],
    number: int,
    inputs: set[str],
    used: Sequence[frozenset[int] | None],
) -> frozenset[int] | None:
    """Return which goals list the solutions of one together; None: goals do not say what it asks about."""
    goal = goals[number]
    if key_of(goal) in base.fact_keys:
        return frozenset({number})
    modes = base.modes
    wanted = inputs & modes.of(goal).needed if modes.finds(goal) else inputs
    found = {number}
    for facts in (True, False):  # other goals only where facts do not say it
        for other in range(number) if wanted else ():
            mode, own = modes.of(goals[other]), used[other]
            if own and (key_of(goals[other]) in base.fact_keys) is facts and wanted & mode.bound:
                found |= own
        if wanted <= {v for n in found - {number} for v in modes.of(goals[n]).bound}:
            return frozenset(found)
    return None


def question(goals: Sequence[Term], names: Sequence[str]) -> str:
    """Return what Prolog is asked; variables are renamed by place, so that equal questions are one."""
    renamed: dict[str, Term] = {}
    for term in goals:
        for name in variables(term):
            renamed.setdefault(name, Var(f"V{len(renamed)}"))
    asked = ", ".join(f"({text(substitute(g, renamed))})" for g in goals)
    values = ", ".join(text(renamed[n]) for n in names)
    return f"[{asked}]-[{values}]"


def _lifted(
    base: Base,
    schema: Schema,
    parts: list[_Part],
    known: dict[str, object],
    relations: dict[str, Relation],
    limit_s: float,
) -> Lifted:
    tables, residual = [], []
    for part in parts:
        asked = question(part.asked, part.names) if part.asked else ""
        answer = known.get(asked, {"error": "open"})
        if isinstance(answer, dict) and "rows" in answer:
            if asked not in relations:
                rows = (tuple(map(from_json, row)) for row in answer["rows"])
                relations[asked] = Relation(rows)
            tables.append(Table(tuple(map(Var, part.names)), relations[asked], part.goal))
        elif unanswered(answer) in ("open", "many"):
            residual.append(part.goal)
        else:
            what = f"{schema.name}: the grounding goal '{text(part.goal)}'"
            fault = fault_of(answer, what, limit_s, base, part.asked)
            raise GroundingError(f"{base.source}: {fault}")
    stage = _stage(schema)
    listed = (arg for table in tables for arg in table.args)
    bound = {v for term in (*stage.needs, *listed) for v in variables(term)}
    return Lifted((stage,), tuple(tables), tuple(base.modes.ordered(residual, bound)))


def _stage(schema: Schema) -> Stage:
    return Stage(
        schema.head,
        tuple(n.term for n in schema.needs),
        tuple(f.term for f in schema.forbids),
        tuple((added, fact.term) for added, fact in schema.effects),
    )


def whole_actions(steps: Sequence[Lifted]) -> tuple[Lifted, ...]:
    """Return each start together with each of its ends, as one action."""
    ends: dict[tuple[str, int], list[Lifted]] = {}
    for step in steps:
        ends.setdefault(key_of(step.head), []).append(step)
    joined = (
        _joined(start, end)
        for start in steps
        if key_of(start.head)[0].endswith(START)
        for end in ends.get(end_key(start.head), ())
    )
    return tuple(action for action in joined if action is not None)


def end_key(start: Term) -> tuple[str, int]:
    """Return name and arity of the end of a start."""
    name, arity = key_of(start)
    return stem_of(name) + END, arity


def _joined(start: Lifted, end: Lifted) -> Lifted | None:
    """Return a start with its end, whose variables get the names that they have in the start."""
    end = renamed(end, "at the end")
    binding: dict[str, Term] = {}
    pairs = zip(args_of(end.head), args_of(start.head), strict=True)
    if not all(unify(theirs, ours, binding) for theirs, ours in pairs):
        return None
    start, end = (substituted(step, resolved(binding)) for step in (start, end))
    return Lifted(
        (*start.stages, *end.stages),
        tuple(dict.fromkeys((*start.tables, *end.tables))),
        (*start.residual, *end.residual),
    )


def renamed(step: Lifted, suffix: str) -> Lifted:
    """Return a step with variables of its own."""
    return substituted(step, {name: Var(f"{name} {suffix}") for name in own_names(step)})


def open_names(base: Base, step: Lifted) -> set[str]:
    """Return the variables of a step that none of its conditions binds."""
    stage = step.stages[0]
    bound = {v for need in stage.needs for v in variables(need)}
    bound |= {v for table in step.tables for arg in table.args for v in variables(arg)}
    bound |= base.modes.listed(stage.head, step.residual)
    named = [stage.head, *(fact for _, fact in stage.effects)]
    return {v for term in named for v in variables(term)} - bound


def _told_by_starts(base: Base, steps: Sequence[Lifted]) -> Iterator[Lifted]:
    """Yield steps such that an end knows all that its start knew: by a fact that holds in between.

    It is only there where conditions of the end leave arguments open.
    """
    told = {key_of(s.head) for s in steps if _is_end(s) and open_names(base, s)}
    for step in steps:
        key = key_of(step.head) if _is_end(step) else end_key(step.head)
        if key not in told:
            yield step
            continue
        stage, (name, _) = step.stages[0], key
        begun = Struct(f"$begun {stem_of(name)}", args_of(stage.head))
        effects = (*stage.effects, (not _is_end(step), begun))
        needs = (*stage.needs, begun) if _is_end(step) else stage.needs
        yield replace(step, stages=(replace(stage, needs=needs, effects=effects),))


def _is_end(step: Lifted) -> bool:
    return key_of(step.head)[0].endswith(END)


def substituted(action: Lifted, binding: Mapping[str, Term]) -> Lifted:
    """Return an action with some of its variables replaced."""
    stages = tuple(
        Stage(
            substitute(s.head, binding),
            tuple(substitute(n, binding) for n in s.needs),
            tuple(substitute(f, binding) for f in s.forbids),
            tuple((added, substitute(f, binding)) for added, f in s.effects),
        )
        for s in action.stages
    )
    tables = tuple(
        Table(
            tuple(substitute(a, binding) for a in t.args), t.relation, substitute(t.goal, binding)
        )
        for t in action.tables
    )
    return Lifted(stages, tables, tuple(substitute(g, binding) for g in action.residual))


def own_names(step: Lifted) -> list[str]:
    """Return the variables of a step; those of what it forbids may stand for anything and are its own too."""
    terms = [*step.spoken, *(arg for table in step.tables for arg in table.args), *step.residual]
    return list(dict.fromkeys(name for term in terms for name in variables(term)))
