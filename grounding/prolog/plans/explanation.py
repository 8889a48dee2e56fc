"""Why an action is in a plan, what makes it possible, and what would change if a fact were otherwise."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.prolog.plans.plan_file import PlanFile, read_plan
from commonground.grounding.prolog.plans.what_if import Difference, what_if
from commonground.grounding.prolog.settings import PrologSettings
from commonground.planning.temporal.ordering import Ordering, Why
from commonground.planning.temporal.steps import ANY, Fact, matches
from commonground.planning.temporal.steps import text as fact_text
from commonground.reading import whole_number

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
