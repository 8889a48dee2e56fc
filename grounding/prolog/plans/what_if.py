"""What would change in a plan if a fact, or a time, were otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.prolog.actions.symmetry import alike
from commonground.grounding.prolog.assembly import Assembly, assemble
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.goals import called
from commonground.grounding.prolog.base.knowledge_base import (
    DURATION,
    SETUP,
    STATEMENTS,
    Base,
    Clause,
    Key,
    Located,
    asked,
    never,
)
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.terms import (
    Struct,
    Term,
    args_of,
    from_json,
    is_ground,
    key_of,
    text,
)
from commonground.grounding.prolog.base.writing import program_of
from commonground.grounding.prolog.plans.plan_file import PlanFile
from commonground.grounding.prolog.settings import PrologSettings

TIMES = frozenset({DURATION, SETUP})


@dataclass(frozen=True, slots=True)
class Difference:
    """What a changed fact does to a plan."""

    change: str
    consequence: str
    makespan_s: float | None
    lost: tuple[str, ...] = ()
    """High-level actions that are no longer part of the plan."""
    gained: tuple[str, ...] = ()


def what_if(
    plan: PlanFile,
    removed: Sequence[str] = (),
    added: Sequence[str] = (),
    settings: PrologSettings | None = None,
) -> Difference:
    """Plan again with facts of the initial state or general facts taken away or added, and compare."""
    with Engine(settings) as engine:
        base = load(engine, plan.program, plan.source).required().base
        gone, new = (_terms(engine, facts) for facts in (removed, added))
        for term in gone:
            if text(term) not in _stated(base):
                near = did_you_mean(text(term), _stated(base))
                raise GroundingError(f"the base does not state {text(term)}.{near}")
        refused = next((t for t in new if key_of(t) in STATEMENTS - TIMES), None)
        if refused is not None:
            raise GroundingError(
                f"{text(refused)} is no fact; 'plan' the base with it written there"
            )
        changed = load(engine, program_of(_changed(base, gone, new)), plan.source)
        change = ", ".join(
            [*(f"without {text(t)}" for t in gone), *(f"with {text(t)}" for t in new)]
        )
        if not changed.usable:
            return Difference(change, f"the base is wrong: {changed.findings[0].message}", None)
        unread = {key_of(term) for term in (*gone, *new)} - _read_keys(base)
        if unread:
            what = ", ".join(f"{name}/{arity}" for name, arity in sorted(unread))
            same = f"nothing would change: nothing in the base asks for {what}"
            return Difference(change, same, plan.schedule.makespan_s)
        return _difference(change, plan, assemble(engine, changed), alike(changed.base))


def _terms(engine: Engine, facts: Sequence[str]) -> list[Term]:
    terms = []
    for fact in facts:
        items = engine.read("question", f"{fact.strip().rstrip('.')}.")
        if len(items) != 1 or "syntax" in items[0]:
            raise GroundingError(f"'{fact}' is not a fact; write one as 'at(b1, 1, 1)'")
        term = from_json(items[0]["term"])
        if not is_ground(term) and key_of(term) not in TIMES:
            raise GroundingError(f"'{fact}' has a variable; a fact names everything it speaks of")
        terms.append(term)
    return terms


def _stated(base: Base) -> list[str]:
    return [*map(text, base.facts), *(text(f.term) for f in (*base.init, *base.times))]


def _read_keys(base: Base) -> set[Key]:
    """Return the predicates that something in a base asks for."""
    wanted = {key_of(f.term) for f in (*base.goal, *base.resources)}
    bodies = (c.body for c in base.general if c.body is not None)
    by_rules = {key_of(goal) for body in bodies for goal in called(body)}
    return _state_keys(base) | wanted | asked(base.schemas) | by_rules | TIMES


def _state_keys(base: Base) -> set[Key]:
    return base.state_keys("high") | base.state_keys("low")


def _about(time: Term) -> str:
    """Return a statement of times without its seconds."""
    return text(Struct("", args_of(time)[: 1 if key_of(time) == DURATION else 2]))


def _times(base: Base, lost: set[str], new: Sequence[Located]) -> tuple[Located, ...]:
    about = {_about(time.term) for time in new}
    kept = (t for t in base.times if text(t.term) not in lost and _about(t.term) not in about)
    return (*kept, *new)


def _changed(base: Base, gone: Sequence[Term], new: Sequence[Term]) -> Base:
    """Return the base with facts removed and added: to the initial state where actions speak of them.

    A time takes the place of the one that is stated for the same actions.
    """
    state, lost = _state_keys(base), {*map(text, gone)}
    general = [t for t in new if key_of(t) not in state | TIMES]
    empty = {key_of(t) for t in gone} - state - TIMES
    return replace(
        base,
        general=(
            *(c for c in base.general if c.body is not None or text(c.head) not in lost),
            *map(Clause, general),
            *map(never, sorted(empty)),
        ),
        init=(
            *(f for f in base.init if text(f.term) not in lost),
            *(Located(t) for t in new if key_of(t) in state),
        ),
        times=_times(base, lost, [Located(t) for t in new if key_of(t) in TIMES]),
    )


def _difference(
    change: str, plan: PlanFile, found: Assembly, groups: Iterable[Sequence[Term]]
) -> Difference:
    """Compare plans; agents of which the same is said are not told apart."""
    if found.schedule is None:
        return Difference(change, f"there would be no plan: {found.reason}", None)
    after = _names(found.total_order)
    order = plan.schedule.order.plan
    before = _names(
        plan.actions[s] for s in sorted(order.activities[b].start for b in order.blocks())
    )
    names = {text(agent): text(group[0]) for group in groups for agent in group}
    old, new = ([_plain(action, names) for action in some] for some in (before, after))
    lost = tuple(a for a, plain in zip(before, old, strict=True) if plain not in new)
    gained = tuple(a for a, plain in zip(after, new, strict=True) if plain not in old)
    makespan = found.schedule.makespan_s
    fewer = "fewer actions" if lost else "the same actions"
    what = f"{len(gained)} other actions" if gained else fewer
    longer = _longer(makespan - plan.schedule.makespan_s)
    return Difference(change, f"there would be a plan of {what}, {longer}", makespan, lost, gained)


def _longer(seconds: float) -> str:
    if abs(seconds) < 1e-9:
        return "as long"
    return f"{abs(seconds):g} s {'longer' if seconds > 0 else 'shorter'}"


def _plain(action: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[\w']+", lambda found: names.get(found[0], found[0]), action)


def _names(lines: Iterable[str]) -> list[str]:
    starts = (line for line in lines if "_start" in line)
    return [line.replace("_start", "", 1) for line in starts]
