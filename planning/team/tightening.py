"""Plans of a team made sooner: one or two robots at a time are planned anew among what the others do."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

from commonground.planning.scene.plan import Action, RobotPlan
from commonground.planning.team.settling import Attempt, Mover, settle, settling_s
from commonground.planning.team.watch import Watch
from commonground.planning.team.world import release_s
from commonground.robots import Team

IMPROVE_S = 0.5
"""So long sooner plans are looked for."""
NEAR_BEST = 1.02
"""Plans that take so many times what the slowest robot takes alone are not improved any more."""
SAME_S = 1e-6
Plans = Mapping[str, tuple[Action, ...]]


def tightened(
    actions: dict[str, tuple[Action, ...]],
    team: Team,
    movers: Mapping[str, Mover],
    plans: Mapping[str, RobotPlan],
    until: float,
    watch: Watch,
) -> dict[str, tuple[Action, ...]]:
    """Return actions with which the team is done no later, at best about as soon as its slowest robot alone.

    Whom to plan anew is tried one by one and in pairs. The rest of the team does what it did, and what is
    sooner is kept (large neighborhood search: Li et al., IJCAI 2021).
    """
    until = min(until, watch.now_s() + IMPROVE_S)
    alone_s, _ = _spent({name: plan.actions for name, plan in plans.items()})
    moving = _moving(actions, idle_robots(movers, plans))
    better = True
    while better and _spent(actions)[0] > NEAR_BEST * alone_s:
        better = False
        for some in itertools.chain(*(itertools.permutations(moving, k) for k in (1, 2))):
            if watch.now_s() > until:
                return actions
            order = [movers[name] for name in some]
            watch.did(settling_s(order))
            found = _anew(order, actions, team, plans)
            if found and _spent(found) < _spent(actions):
                actions, better = found, True
    return actions


def _anew(
    order: Sequence[Mover], actions: Plans, team: Team, plans: Mapping[str, RobotPlan]
) -> dict[str, tuple[Action, ...]]:
    """Return what a team does with some robots planned anew, nothing where they find no way."""
    some = [mover.robot.name for mover in order]
    attempt = Attempt(team, frozenset())
    for name in [name for name in actions if name not in some]:
        attempt.keep(name, actions[name])
    if settle(order, attempt, plans):
        return {}
    found = {name: attempt.actions[name] for name in actions}
    return found if _turns_kept(found, plans) else {}


def idle_robots(movers: Iterable[str], plans: Mapping[str, RobotPlan]) -> list[str]:
    """Return the robots that do nothing of their own; they are moved only where nobody gets past them."""
    return [name for name in movers if name not in plans or not plans[name].actions]


def _moving(actions: Plans, idle: Sequence[str]) -> list[str]:
    """Return whom to plan anew: not the idle robots that are left where they are."""
    return [name for name, own in actions.items() if own or name not in idle]


def _spent(actions: Plans) -> tuple[float, float]:
    """Return when the last robot is done, and the sum of when each of them is, to the millisecond."""
    ends = [own[-1].end_s for own in actions.values() if own]
    return round(max(ends, default=0.0), 3), round(sum(ends), 3)


def _turns_kept(actions: Plans, plans: Mapping[str, RobotPlan]) -> bool:
    """Return whether nobody handles a thing before those whose turn with it comes before."""
    done: list[Sequence[Action]] = []
    for name in plans:
        own = actions.get(name, ())
        if any(a.action != "goto" and a.start_s < release_s(a, done) - SAME_S for a in own):
            return False
        done.append(own)
    return True
