"""Why an action is in a plan, what makes it possible, and what would change if a fact were otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

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
    Term,
    args_of,
    from_json,
    is_ground,
    key_of,
    text,
)
from commonground.grounding.prolog.base.writing import program_of
from commonground.grounding.prolog.plans.plan_file import PlanFile, read_plan
from commonground.grounding.prolog.settings import PrologSettings
from commonground.planning.temporal.ordering import Ordering, Why
from commonground.planning.temporal.steps import ANY, Fact, matches
from commonground.planning.temporal.steps import text as fact_text
from commonground.reading import whole_number

TIMES = frozenset({DURATION, SETUP})
_UNNAMED = re.compile(r"(?:left by|who does) (\d+)")
"""How `timed` calls whoever makes a step or begins an action, so that another agent may be assigned."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is known about one step of a plan."""

    step: int
    action: str
    start_s: float
    within: str
    """The action it is part of, if it is part of one."""
    purpose: tuple[str, ...]
    """What its effects are for: the goal, or later actions."""
    enabled_by: tuple[str, ...]
    """Earlier actions and initial facts that make it possible."""
    blocks: tuple[str, ...] = ()
    """Why it could not come earlier or later for the sake of others."""
    needed: tuple[Fact, ...] = ()
    """Facts of the initial state that it rests on."""


def explain(plan: PlanFile, step: str) -> Explanation:
    """Return what is known about a step, given by its number or its action."""
    number = find_step(plan, step)
    order = plan.schedule.order
    inner = _steps_inside(plan, number)
    purposes = [line for s in inner for line in _purposes(plan, s, inner)]
    enabled = [_enabler(plan, o) for s in inner for o in order.enablers(s) if o.before not in inner]
    facts = tuple(dict.fromkeys(_initial_needs(plan, inner)))
    initial = [f"{fact_text(fact)} holds from the beginning" for fact in facts]
    return Explanation(
        number,
        plan.actions[number],
        float(plan.schedule.time_s[number]),
        _around(plan, number),
        tuple(dict.fromkeys(purposes)) or ("it prepares nothing that the goal needs",),
        tuple(dict.fromkeys([*enabled, *_freed(plan, inner), *initial])),
        _protected(plan, number, inner),
        facts,
    )


def _initial_needs(plan: PlanFile, steps: Iterable[int]) -> Iterator[Fact]:
    """Yield what steps need that held in the beginning and that no step before them makes true."""
    order = plan.schedule.order
    for step in steps:
        for need in order.plan.steps[step].needs:
            fact = _shown(plan, step, need)
            if fact in order.plan.init and _maker(plan, step, fact) is None:
                yield fact


def _freed(plan: PlanFile, steps: frozenset[int]) -> Iterator[str]:
    """Yield what steps need of their agents that the actions before on the same agents make true again."""
    order = plan.schedule.order
    for step in sorted(steps):
        for need in order.plan.steps[step].needs:
            fact = _shown(plan, step, need)
            maker = _maker(plan, step, fact)
            about = not order.plan.resource_names().isdisjoint(fact[1:])
            if about and maker is not None and maker not in steps:
                yield f"{_name(plan, maker)} makes {fact_text(fact)} true"


def _shown(plan: PlanFile, step: int, fact: Fact) -> Fact:
    """Return a fact of a step with the agents that were assigned, those that it leaves unnamed too."""
    order = plan.schedule.order.plan
    roots = order.roots_of_steps()
    unnamed = [found for arg in fact[1:] if (found := _UNNAMED.fullmatch(arg))]
    if unnamed:
        step = int(unnamed[0][1])
        pattern = tuple(ANY if _UNNAMED.fullmatch(arg) else arg for arg in fact)
        added = (
            f for s, root in enumerate(roots) if root == roots[step] for f in order.steps[s].adds
        )
        fact = next((f for f in added if f != fact and matches(pattern, f)), fact)
    root = roots[step]
    names = {} if root is None else plan.schedule.names(root)
    return tuple(names.get(arg, arg) for arg in fact)


def _around(plan: PlanFile, number: int) -> str:
    """Return the start of the action that a step is part of or that it ends; '' for none."""
    activities = plan.schedule.order.plan.activities
    for activity in activities:
        if number in (activity.start, activity.end):
            outer = activity if activity.parent is None else activities[activity.parent]
            return "" if outer.start == number else _name(plan, outer.start)
    return ""


def _protected(plan: PlanFile, number: int, inner: frozenset[int]) -> tuple[str, ...]:
    """Return after which steps a step has to wait: as stated, or so that it does not undo what they need."""
    order = plan.schedule.order
    names = [_name(plan, s) for s in range(len(plan.actions))]
    reasons = (
        order.explain(replace(o, fact=o.fact and _shown(plan, o.after, o.fact)), names)
        for o in order.orderings
        if o.why in (Why.PROTECTS, Why.FOLLOWS) and o.after == number and o.before not in inner
    )
    return tuple(dict.fromkeys(reasons))


def find_step(plan: PlanFile, step: str) -> int:
    """Return the number of a step: a number, an action with its arguments, or a name that is unique."""
    if step.isdecimal():
        number = whole_number(step)
        if number is not None and number < len(plan.actions):
            return number
        raise GroundingError(
            f"{plan.source}: step {step[:20]} of {len(plan.actions)}; they count from 0"
        )
    wanted = _plain(step)
    tests: tuple[Callable[[str], bool], ...] = (
        lambda action: _plain(action) == wanted,
        lambda action: _plain(action.replace("_start", "", 1)) == wanted,
        # whole words: what arm r1 does is nothing of r10
        lambda action: (
            re.search(rf"(?<![^\W_]){re.escape(wanted)}(?![^\W_])", _plain(action)) is not None
        ),
    )
    for test in tests:
        found = [i for i, action in enumerate(plan.actions) if test(action)]
        if found:
            return _only(plan, found, step)
    raise GroundingError(
        f"{plan.source} has no step '{step}'.{did_you_mean(step, plan.actions)} "
        "'assemble plan' numbers them in its output"
    )


def _only(plan: PlanFile, found: Sequence[int], step: str) -> int:
    """Return the one step found, or the one of them that is no end."""
    begun = [i for i in found if "_end(" not in plan.actions[i]]
    for steps in (found, begun):
        if len(steps) == 1:
            return steps[0]
    listed = "; ".join(f"{i} {plan.actions[i]}" for i in found[:6])
    raise GroundingError(f"'{step}' may be one of {listed}; give the number")


def _plain(action: str) -> str:
    """Return an action without blanks and quotes, which tables do not show either."""
    return re.sub(r"[\s'\"\\]", "", action)


def _steps_inside(plan: PlanFile, number: int) -> frozenset[int]:
    """Return a high-level start with everything it starts; any other step alone."""
    for index, activity in enumerate(plan.schedule.order.plan.activities):
        if activity.start == number and activity.parent is None:
            parts = [a for a in plan.schedule.order.plan.activities if a.parent == index]
            inner = {step for a in parts for step in (a.start, a.end)}
            return frozenset({activity.start, activity.end, *inner})
    return frozenset({number})


def _purposes(plan: PlanFile, step: int, inner: Iterable[int]) -> list[str]:
    order = plan.schedule.order
    own = set(inner)
    made = order.plan.steps[step]
    lines = []
    for goal in order.plan.goal:
        fact = next((f for f in made.adds if matches(goal, f)), None)
        if fact is not None and not _changed_later(plan, step, fact):
            shown = fact_text(_shown(plan, step, fact))
            lines.append(f"it makes {shown} true, which is part of the goal")
    for o in order.orderings:
        causal = o.why in (Why.ADDS, Why.DELETES)
        if o.before == step and o.after not in own and causal and o.fact is not None:
            verb = "true" if o.why is Why.ADDS else "false"
            shown = fact_text(_shown(plan, step, o.fact))
            lines.append(f"it makes {shown} {verb}, which {_name(plan, o.after)} needs")
    return lines


def _changed_later(plan: PlanFile, step: int, fact: Fact) -> bool:
    return any(fact in s.deletes for s in plan.schedule.order.plan.steps[step + 1 :])


def _enabler(plan: PlanFile, ordering: Ordering) -> str:
    verb = "true" if ordering.why is Why.ADDS else "false"
    fact = ordering.fact and fact_text(_shown(plan, ordering.after, ordering.fact))
    return f"{_name(plan, ordering.before)} makes {fact} {verb}"


def _maker(plan: PlanFile, step: int, fact: Fact) -> int | None:
    """Return the last step before another one, in time, that makes a fact true."""
    order, sequence = plan.schedule.order.plan, plan.schedule.sequence()
    before = sequence[: sequence.index(step)]
    added = (
        s for s in reversed(before) if fact in {_shown(plan, s, f) for f in order.steps[s].adds}
    )
    return next(added, None)


def _name(plan: PlanFile, step: int) -> str:
    return f"step {step} {plan.actions[step]}"


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
            if text(term) not in map(text, _stated(base)):
                known = [*map(text, _stated(base))]
                near = did_you_mean(text(term), known)
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


@dataclass(frozen=True, slots=True)
class Explained:
    """Why a step is in a plan, and what changed facts would do."""

    why: Explanation
    changes: tuple[Difference, ...]

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return {**asdict(self.why), "changes": [asdict(change) for change in self.changes]}


def explain_plan(
    path: str | Path,
    step: str,
    *,
    without: Sequence[str] = (),
    added: Sequence[str] = (),
    settings: PrologSettings | None = None,
) -> Explained:
    """Explain a step of the plan in a file; each fact ``without`` or ``added`` is tried by itself."""
    plan = read_plan(path)
    why = explain(plan, step)
    changes = [what_if(plan, [fact], (), settings) for fact in without]
    changes += [what_if(plan, (), [fact], settings) for fact in added]
    return Explained(why, tuple(changes))


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


def _stated(base: Base) -> list[Term]:
    return [*base.facts, *(f.term for f in (*base.init, *base.times))]


def _read_keys(base: Base) -> set[Key]:
    """Return the predicates that something in a base asks for."""
    state = base.state_keys("high") | base.state_keys("low")
    wanted = {key_of(f.term) for f in (*base.goal, *base.resources)}
    bodies = (c.body for c in base.general if c.body is not None)
    by_rules = {key_of(goal) for body in bodies for goal in called(body)}
    return state | wanted | asked(base.schemas) | by_rules | TIMES


def _replaces(new: Term, old: Term) -> bool:
    """Return whether a statement of times is about the same actions as another one."""
    key = key_of(new)
    about = 1 if key == DURATION else 2
    return key == key_of(old) and [*map(text, args_of(new)[:about])] == [
        *map(text, args_of(old)[:about])
    ]


def _changed(base: Base, gone: Sequence[Term], new: Sequence[Term]) -> Base:
    """Return the base with facts removed and added: to the initial state where actions speak of them.

    A time takes the place of the one that is stated for the same actions.
    """
    keys = base.state_keys("high") | base.state_keys("low")
    return replace(
        base,
        general=(
            *(c for c in base.general if c.body is not None or c.head not in gone),
            *(Clause(t) for t in new if key_of(t) not in keys and key_of(t) not in TIMES),
            *(never(key_of(t)) for t in gone if key_of(t) not in keys and key_of(t) not in TIMES),
        ),
        init=(
            *(f for f in base.init if f.term not in gone),
            *(Located(t) for t in new if key_of(t) in keys),
        ),
        times=(
            *(
                t
                for t in base.times
                if text(t.term) not in map(text, gone)
                and not any(_replaces(other, t.term) for other in new)
            ),
            *(Located(t) for t in new if key_of(t) in TIMES),
        ),
    )


def _difference(
    change: str, plan: PlanFile, found: Assembly, groups: Iterable[Sequence[Term]]
) -> Difference:
    """Compare plans; agents of which the same is said are not told apart."""
    if found.schedule is None:
        return Difference(change, f"there would be no plan: {found.reason}", None)
    after = _names(found.total_order)
    tops = {a.start for a in plan.schedule.order.plan.activities if a.parent is None}
    before = _names(plan.actions[s] for s in sorted(tops))
    names = {text(agent): text(group[0]) for group in groups for agent in group}
    old, new = (
        [re.sub(r"[\w']+", lambda m: names.get(m[0], m[0]), a) for a in some]
        for some in (before, after)
    )
    lost = tuple(a for a, plain in zip(before, old, strict=True) if plain not in new)
    gained = tuple(a for a, plain in zip(after, new, strict=True) if plain not in old)
    makespan = found.schedule.makespan_s
    longer_s = makespan - plan.schedule.makespan_s
    if not lost and not gained:
        what = "the same actions"
    else:
        what = f"{len(gained)} other actions" if gained else "fewer actions"
    longer = (
        "as long"
        if abs(longer_s) < 1e-9
        else f"{abs(longer_s):g} s {'longer' if longer_s > 0 else 'shorter'}"
    )
    return Difference(change, f"there would be a plan of {what}, {longer}", makespan, lost, gained)


def _names(lines: Iterable[str]) -> list[str]:
    starts = (line for line in lines if "_start" in line)
    return [line.replace("_start", "", 1) for line in starts]
