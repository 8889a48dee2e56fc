"""Plans of actions that last, as steps at their starts and ends."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from commonground.planning.temporal import Activity, Step, TotalOrder
from commonground.planning.temporal.steps import Fact, matches


def durative(
    actions: Iterable[tuple[Step, float, float, tuple[str, ...]]],
    pools: Mapping[str, tuple[str, ...]] | None = None,
    init: Iterable[Fact] = (),
    goal: Iterable[Fact] = (),
) -> TotalOrder:
    """Return a plan of actions, each with its shortest and longest duration and its resources.

    What an action needs has to hold until it ends, unless it deletes it; it deletes at its start and
    adds at its end.
    """
    steps: list[Step] = []
    activities = []
    for action, shortest, longest, resources in actions:
        lasting = tuple(fact for fact in action.needs if fact not in action.deletes)
        forbidden = tuple(f for f in action.forbids if not any(matches(f, a) for a in action.adds))
        steps.append(
            Step(f"{action.name} starts", action.needs, action.forbids, (), action.deletes)
        )
        steps.append(Step(f"{action.name} ends", lasting, forbidden, action.adds, ()))
        activities.append(
            Activity(action.name, len(steps) - 2, len(steps) - 1, shortest, longest, resources)
        )
    return TotalOrder(
        tuple(steps), tuple(activities), dict(pools or {}), frozenset(init), tuple(goal)
    )
