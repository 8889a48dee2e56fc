"""Planning for a goal of the whole team: its ways of being shared out, while one may be done sooner."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from commonground.planning.pddl import Formula
from commonground.planning.result import Status
from commonground.planning.scene.plan import TeamPlan
from commonground.planning.team.portions import Portions, joined
from commonground.planning.team.watch import Watch

BRIEF_SHARE = 0.5
"""Share of the time for trying all ways of sharing out a goal, each for as long as the others."""
TRY_SHARE = 0.6
"""Share of the time left that one way may take where there are several."""
SOONER_S = 0.1
"""Another way is worth trying where its robots alone would be done so much sooner."""
MOST_SOONER = 4
"""So many ways are tried after a plan is found."""
MAY = "another share of the goal may be done sooner"

Plan = Callable[[Mapping[str, Formula], float], TeamPlan]
"""Plans for robots with a goal each, within a time limit."""


def plan_shared_out(
    own: Mapping[str, Formula], ways: Portions, plan_for: Plan, watch: Watch, until_s: float
) -> TeamPlan:
    """Try the ways of sharing out a goal: each for a little while, then the open ones for long."""
    brief_s = BRIEF_SHARE * max(until_s - watch.now_s(), 0.0) / max(len(ways.all), 1)
    left = [joined(own, way) for way in ways.all]
    first: TeamPlan | None = None
    for limit_s in (brief_s, math.inf):
        tried, left = left, []
        for k, goals in enumerate(tried):
            left_s = until_s - watch.now_s()
            if first is not None and left_s <= 0.0:
                left += tried[k:]
                break
            share = TRY_SHARE if k + 1 < len(tried) else 1.0
            plan = plan_for(goals, max(min(left_s * share, limit_s), 0.1))
            if plan.status is Status.SOLVED:
                return _soonest(plan, goals, own, ways, plan_for, watch, until_s)
            if plan.status is Status.ERROR:
                return plan
            if plan.status is not Status.UNSOLVABLE:
                left.append(goals)
            first = first or plan
    return _failed(first, ways, complete=not left)


def _failed(first: TeamPlan | None, ways: Portions, *, complete: bool) -> TeamPlan:
    """Return why there is no plan, from why the first way of sharing out has none."""
    if first is None:
        return TeamPlan(ways.fastest.status, {}, ways.fastest.reason)
    status = Status.UNSOLVABLE if ways.complete and complete else Status.NOT_FOUND
    return replace(first, status=status, reason=ways.fastest.reason or _of_all(ways, first.reason))


def _soonest(
    plan: TeamPlan,
    found: Mapping[str, Formula],
    own: Mapping[str, Formula],
    ways: Portions,
    plan_for: Plan,
    watch: Watch,
    until_s: float,
) -> TeamPlan:
    """Return the soonest plan of those ways whose robots alone would be done sooner than with this one."""
    begun_s = watch.now_s()
    for way, alone_s in itertools.islice(zip(ways.all, ways.alone_s, strict=True), 1 + MOST_SOONER):
        left_s = BRIEF_SHARE * (until_s - begun_s) - (watch.now_s() - begun_s)
        if alone_s > plan.makespan_s - SOONER_S or left_s <= 0.0:
            break
        goals = joined(own, way)
        if goals == found:
            continue
        other = plan_for(goals, left_s)
        if other.status is Status.SOLVED and other.makespan_s < plan.makespan_s:
            plan = other
    return plan


def _of_all(ways: Portions, reason: str) -> str:
    """Return why no way of sharing a goal out was found, from why the first of them was not."""
    return reason if len(ways.all) == 1 else f"however it is shared out, as far as tried: {reason}"
