"""What a goal of the whole team keeps every robot from, whoever does the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.planning.pddl import TRUE, And, Atom, Formula, Not
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.certificate import Execution, holds
from commonground.planning.scene.footing import host_row
from commonground.planning.scene.goal import literals
from commonground.planning.scene.precedence import TEAM
from commonground.planning.team.check import SharedState


def bound_by_team(goals: Mapping[str, Formula], state: SharedState) -> dict[str, Formula]:
    """Return goals in which what the team's avoids is avoided by each robot, and the team's is to be done.

    A robot that stands where nobody may go cannot have kept out: it goes no farther in, and may leave.
    """
    tasks, avoided = tasks_of(goals.get(TEAM, TRUE))
    if not avoided:
        return dict(goals)
    found = {name: goal for name, goal in goals.items() if name != TEAM}
    for name, now in state.robots.items():
        ban = And(tuple(_from_here(part, now) for part in avoided))
        found[name] = And((*(_parts(found[name]) if name in found else ()), *_parts(ban)))
    return found | ({TEAM: And(tuple(tasks))} if tasks else {})


def standing_inside(goals: Mapping[str, Formula], state: SharedState) -> Iterator[str]:
    """Yield which robots stand where the team's goal keeps everybody out, in words."""
    for ban in tasks_of(goals.get(TEAM, TRUE))[1]:
        where = " or ".join(dict.fromkeys(x.args[0] for x in literals(ban)))
        for name, now in state.robots.items():
            if not holds(ban, now):
                yield f"{name} stands in {where}, which the team keeps out of: it goes no farther in"


def _parts(goal: Formula) -> tuple[Formula, ...]:
    return goal.parts if isinstance(goal, And) else (goal,)


def _from_here(ban: Formula, now: Execution) -> Formula:
    """Return what a ban in negation normal form asks of a robot from where it stands."""
    if not isinstance(ban, Not):
        return rebuilt(ban, lambda part: _from_here(part, now))
    if holds(ban, now) or not isinstance(ban.body, Atom):
        return ban
    if ban.body.predicate != "visited-region":
        return TRUE
    graph, here = now.graph, now.places[-1]
    inside = graph.in_region(now.layer, ban.body.args[0])
    places = (graph.layers[now.layer].symbols[row] for row in inside.nonzero()[0].tolist())
    things = graph.objects.symbols if graph.has("objects") else ()
    within = (thing for thing in things if inside[host_row(graph, now.layer, thing)])
    shut = [Atom("visited-place", (place,)) for place in places if place != here]
    shut += [Atom("visited-object", (thing,)) for thing in within]
    return And(tuple(map(Not, shut)))
