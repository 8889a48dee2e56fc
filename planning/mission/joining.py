"""What is left of a mission's goals when somebody wants more of it.

What was true for good stays done. What was said of the end holds until new words send the same robot, or the
same thing, elsewhere. Bans and orders stay in force. What is new counts what is done from then on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from commonground.planning.mission.remaining import all_of, parts_of, remaining
from commonground.planning.pddl import TRUE, Atom, Formula
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.execution import Execution
from commonground.planning.scene.goal import literals
from commonground.planning.scene.precedence import TEAM
from commonground.planning.scene.vocabulary import FINALS
from commonground.planning.team.world import things_in

HANDLED = ("holding", "object-in-place")
EXPLORED = "explored-region"
_PASSED = {one: one.replace("at-", "visited-").replace("in-", "visited-") for one in FINALS}
"""What a robot that leaves again was told of its end → what it has done then."""
Holds = Callable[[str, Formula], bool]
"""Whether a robot's goal is true now."""


def passed(goal: Formula) -> Formula:
    """Return a goal in which robots do not stay where it has them end."""
    if isinstance(goal, Atom):
        return Atom(_PASSED.get(goal.predicate, goal.predicate), goal.args)
    return rebuilt(goal, passed)


def retold(robot: str, part: Formula, more: Mapping[str, Formula], *, true: bool) -> Formula:
    """Return what new goals leave of a part of an old one that is true by now or not; ``TRUE`` for nothing.

    A robot that is where it was told to end is free to go; on its way there, it goes there first where it is
    told another end. A thing that lies, or is held, as it was told may be taken elsewhere.
    """
    if not any(x.positive for x in literals(part)):
        return part
    if true and any(
        things_in(part, *HANDLED) & things_in(goal, *HANDLED) for goal in more.values()
    ):
        return TRUE
    told = (more[name] for name in (robot, TEAM) if name in more)
    mine = [x.predicate for goal in told for x in literals(goal) if x.positive]
    return passed(part) if mine and (true or not FINALS.isdisjoint(mine)) else part


def left_of(
    goals: Mapping[str, Formula],
    more: Mapping[str, Formula],
    done: Mapping[str, Execution],
    holds: Holds,
) -> dict[str, Formula]:
    """Return what is left of robots' goals, each of its parts as new goals leave it."""
    left = {}
    for name, goal in goals.items():
        if name not in done:  # of the team, and not shared out
            left[name] = goal
            continue
        to_do, avoided = parts_of(goal)
        kept = (retold(name, part, more, true=holds(name, part)) for part in to_do)
        left[name] = all_of(*(remaining(part, done[name]) for part in kept), *avoided)
    return {name: goal for name, goal in left.items() if goal != TRUE}


def begin_anew(done: Execution, left: Formula) -> None:
    """Let a robot's past be over: what is said from now on is not done by what it did before.

    Only what it has seen of a region that it still explores counts on.
    """
    regions = {x.args[0] for x in literals(left) if x.predicate == EXPLORED}
    here = done.places[-1]
    seen = [place for place in done.places if done.region_of(place) in regions] if regions else []
    done.places[:] = [*seen, here, here]
    done.objects.clear()
    done.driven.clear()
