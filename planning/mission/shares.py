"""Who does which part of the goals: what robots cannot do themselves falls to others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Ask
from commonground.planning.mission.remaining import all_of, parts_of, remaining, with_what_is_there
from commonground.planning.mission.scene_now import Scene
from commonground.planning.mission.views import View
from commonground.planning.pddl import FALSE, TRUE, Formula, nnf, to_pddl
from commonground.planning.result import Status
from commonground.planning.scene.allocation import allocate
from commonground.planning.scene.wording import in_words
from commonground.planning.team.planner import TEAM, plan_scene
from commonground.planning.team.watch import WorkWatch
from commonground.planning.team.world import things_in
from commonground.robots import Robot, Team

GRIPPING = ("holding", "object-in-place")
"""Goals for which a thing has to be picked up."""


def shares(
    belief: SceneBelief, ask: Ask, scene: Scene, views: Mapping[str, View]
) -> tuple[dict[str, Formula], str]:
    """Return what each robot has to do, and why that cannot be shared out where it cannot.

    A goal of the team is shared out first. At the rung of reallocation, robots give up to others what they
    cannot do themselves: all of it where they take no part, else what they cannot grip or get to.
    """
    goals = {n: g for n, g in belief.goals.items() if n != TEAM}
    pooled: list[tuple[Formula, frozenset[str]]] = []
    if TEAM in belief.goals:
        pooled.append((belief.goals[TEAM], frozenset()))
    if ask.rung in ("reallocate", "less"):
        for name in list(goals):
            keeps, gives = _given_away(scene, belief, name, views[name])
            goals[name] = keeps
            pooled += [(part, frozenset({name})) for part in gives]
    for part, without in pooled:
        reason = _share_out(part, without, scene, goals, ask)
        if reason and ask.rung != "less":
            return {}, reason
    return {name: goal for name, goal in goals.items() if goal != TRUE}, ""


def _share_out(
    part: Formula, without: frozenset[str], scene: Scene, goals: dict[str, Formula], ask: Ask
) -> str:
    """Add a part to the goals of those who can do it; return why nobody can, and leave it to its owner."""
    present = with_what_is_there(part, scene.graph)
    able = [r for r in scene.team if r.name not in without]
    if present != FALSE:
        able = [
            r
            for r in able
            if not parts_of(goals.get(r.name, TRUE))[1] or _may(scene, r, present, goals[r.name])
        ]
    team = Team({r.name: r for r in able})
    owner = next(iter([*without, *team.robots, TEAM]))
    reason = f"no other robot can do “{in_words(part, scene.graph)}”"
    if len(team) and present != FALSE:
        shared = allocate(scene.graph, team, present, np.random.default_rng(ask.request))
        if shared.status is Status.SOLVED:
            for name, more in shared.goals.items():
                goals[name] = all_of(goals.get(name, TRUE), nnf(more))
            return ""
        reason = shared.reason
    # what is not there at all is looked for, or given up with its own reason
    goals[owner] = all_of(goals.get(owner, TRUE), part)
    return "" if present == FALSE else reason


def _may(scene: Scene, robot: Robot, part: Formula, own: Formula) -> bool:
    """Return whether a robot could do a part of a goal with what it has to avoid itself."""
    avoided = parts_of(own)[1]
    goal = to_pddl(all_of(part, *(with_what_is_there(a, scene.graph) for a in avoided)))
    alone = Team({robot.name: robot})
    found = plan_scene(scene.graph, alone, {robot.name: goal}, watch=WorkWatch())
    return found.status is Status.SOLVED


def _given_away(
    scene: Scene, belief: SceneBelief, name: str, view: View
) -> tuple[Formula, list[Formula]]:
    """Return what a robot keeps of its goal, and the parts that another one has to do.

    What the robot had to avoid stays its own; whoever takes over a part avoids what it has to avoid itself.
    """
    to_do, avoided = parts_of(belief.goals[name])
    if not view.fit:
        return TRUE, to_do

    def gives_up(part: Formula) -> bool:
        if view.barred & things_in(part, *GRIPPING):
            return True
        left = with_what_is_there(remaining(part, belief.execution(name)), scene.graph)
        if left in (TRUE, FALSE) or belief.holds(name, part):
            return False
        return not _may(scene, scene.team[name], left, belief.goals[name])

    gives = [part for part in to_do if gives_up(part)]
    kept = [part for part in to_do if part not in gives]
    return all_of(*kept, *avoided), gives
