"""Who does which part of the goals: what robots cannot do themselves falls to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask, Moved
from commonground.planning.mission.remaining import all_of, parts_of, remaining
from commonground.planning.mission.scene_now import Scene
from commonground.planning.mission.spoken import asked_in
from commonground.planning.mission.views import View
from commonground.planning.pddl import FALSE, TRUE, Formula, nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.allocation import allocate
from commonground.planning.scene.goal import literals, with_what_is_there
from commonground.planning.scene.plan import Action, TeamPlan
from commonground.planning.scene.precedence import TEAM, regions_of, serves
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.planning.scene.wording import in_words
from commonground.planning.team.planner import plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.robots import Robot, Team


class Pooled(NamedTuple):
    """A part of a goal that somebody has to take over."""

    part: Formula
    of: str = ""
    """Who gives it away; empty for what is the team's."""
    why: str = ""


@dataclass(slots=True)
class Shares:
    """Who has to do what."""

    goals: dict[str, Formula]
    why: dict[Formula, str] = field(default_factory=dict)
    """Part that falls to another robot → why it was given away."""
    reason: str = ""
    """Why it cannot be shared out; empty where it can."""

    def take_over(self, one: Pooled, now: Mapping[str, Formula]) -> None:
        """Add a part to the goals of those who have it now."""
        self.why[one.part] = one.why
        for name, more in now.items():
            self.goals[name] = all_of(self.goals.get(name, TRUE), nnf(more))

    def hand_over(self, part: Formula, of: str, to: str, why: str) -> None:
        """Let a part of a robot's goal be another one's."""
        if of == to:
            return
        to_do, avoided = parts_of(self.goals[of])
        self.goals[of] = all_of(*(one for one in to_do if one != part), *avoided)
        self.goals[to] = all_of(self.goals.get(to, TRUE), part)
        self.why.setdefault(part, why)


def shares(belief: SceneBelief, ask: Ask, scene: Scene, views: Mapping[str, View]) -> Shares:
    """Return what each robot has to do, or why that cannot be shared out.

    A goal of the team is shared out first. At the rung of reallocation, robots give up to others what they
    cannot do themselves: all of it where they take no part, else what they cannot grip or get to. Where a
    robot was told to be is its own: nobody else can be there for it.
    """
    found = Shares({n: g for n, g in belief.goals.items() if n != TEAM})
    goals, some = found.goals, ask.rung in ("less", "own")
    pooled = list(_of_the_team(belief.goals.get(TEAM, TRUE), one_by_one=some))
    if ask.rung in ("reallocate", "less", "own"):
        for name in list(goals):
            keeps, gives = _given_away(scene, belief, name, views[name], ask.rung == "own")
            goals[name] = keeps
            pooled += gives
    for one in pooled:
        reason = _share_out(one, scene, found, ask)
        if reason and not some:
            return Shares({}, reason=reason)
    found.goals = {name: goal for name, goal in goals.items() if goal != TRUE}
    return found


def _of_the_team(goal: Formula, *, one_by_one: bool) -> Iterator[Pooled]:
    """Yield a goal of the team to be shared out; one by one where not all of it may be possible."""
    if not one_by_one:
        yield from [Pooled(goal)] if goal != TRUE else []
    else:
        yield from map(Pooled, parts_of(goal)[0])


def _share_out(one: Pooled, scene: Scene, found: Shares, ask: Ask) -> str:
    """Add a part to the goals of those who can do it; return why nobody can, and leave it to its owner."""
    part, goals = one.part, found.goals
    present = with_what_is_there(part, scene.graph)
    able = [r for r in scene.team if r.name != one.of]
    team = Team({r.name: r for r in able})
    bans = {
        name: [with_what_is_there(a, scene.graph) for a in parts_of(goal)[1]]
        for name, goal in goals.items()
    }
    owner = one.of or next(iter([*team.robots, TEAM]))
    reason = f"no other robot can do “{in_words(part, scene.graph)}”"
    if len(team) and present != FALSE:
        rng = np.random.default_rng(ask.request)
        shared = allocate(scene.graph, team, present, rng, bans=bans)
        if shared.status is Status.SOLVED:
            found.take_over(one, shared.goals)
            return ""
        reason = shared.reason
    # what is not there at all is looked for, or given up with its own reason
    goals[owner] = all_of(goals.get(owner, TRUE), part)
    return "" if present == FALSE else reason


def _why_not(scene: Scene, robot: Robot, part: Formula, own: Formula) -> str:
    """Return why a robot could not do a part of a goal with what it has to avoid itself, else ''."""
    avoided = parts_of(own)[1]
    goal = to_pddl(all_of(part, *(with_what_is_there(a, scene.graph) for a in avoided)))
    alone = Team({robot.name: robot})
    found = plan_scene(scene.graph, alone, {robot.name: goal}, watch=WorkWatch())
    return "" if found.status is Status.SOLVED else found.reason or f"{robot.name} finds no plan"


def not_managed(name: str, view: View, part: Formula) -> str:
    """Return what a robot did not manage that it would have to do for a part of a goal, else ''."""
    needed = {
        (deed, x.args[0]) for x in literals(nnf(part)) for deed in VOCABULARY[x.predicate].needs
    }
    vain = [f"{deed} {thing}" for deed, thing in sorted(view.barred & needed)]
    return f"{name} did not manage to {' and '.join(vain)}" if vain else ""


def _given_away(
    scene: Scene, belief: SceneBelief, name: str, view: View, only_own: bool
) -> tuple[Formula, list[Pooled]]:
    """Return what a robot keeps of its goal, and the parts that another one has to do.

    What the robot had to avoid stays its own; whoever takes over a part avoids what it has to avoid itself.
    """
    to_do, avoided = parts_of(belief.goals[name])

    def why_not(part: Formula) -> str:
        if belief.score.stays(name, part) or (only_own and belief.score.said_to(part)):
            return ""
        if belief.holds(name, part):
            return ""
        if not view.fit:
            return f"{name} {view.why}"
        if vain := not_managed(name, view, part):
            return vain
        left = with_what_is_there(remaining(part, belief.execution(name)), scene.graph)
        if left in (TRUE, FALSE):
            return ""
        return _why_not(scene, scene.team[name], left, belief.goals[name])

    gives = [Pooled(part, name, why) for part in to_do if (why := why_not(part))]
    given = [one.part for one in gives]
    return all_of(*(part for part in to_do if part not in given), *avoided), gives


def takers(
    belief: SceneBelief, ask: Ask, found: Shares, team: Team, name: str, part: Formula
) -> list[str]:
    """Return the other robots that may do a part of a robot's goal where it cannot itself."""
    asked = ask.rung == "less" or (ask.rung == "own" and not belief.score.said_to(part))
    if not asked or belief.score.stays(name, part) or part not in parts_of(found.goals[name])[0]:
        return []
    return [robot.name for robot in team if robot.name != name]


def moved_by(
    belief: SceneBelief, plan: TeamPlan, goals: Mapping[str, Formula], why: Mapping[Formula, str]
) -> Iterator[Moved]:
    """Yield what is done by others than it was said to: in the plan itself, else by whose goal has it now.

    Planning lets robots help each other, so whose goal it is does not tell who does it. ``why`` has the parts
    that fall to others now.
    """
    region_of = regions_of(belief.graph)

    def does(actions: Sequence[Action], part: Formula) -> bool:
        facts = asked_in(part)
        return any(serves(action, fact, region_of) for action in actions for fact in facts)

    for one in belief.score.passed_on():
        told = belief.score.said_to(one.part)
        by = [name for name, own in plan.robots.items() if does(own.actions, one.part)]
        if not by and one.part in why:
            by = [n for n, goal in goals.items() if one.part in parts_of(goal)[0]]
        if by and set(told).isdisjoint(by):
            said, reason = in_words(one.part, belief.graph), why.get(one.part, "")
            yield Moved(said, " and ".join(told), " and ".join(by), reason)
