"""What a goal of the whole team keeps every robot from, whoever does the work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.arrays import Bools
from commonground.planning.pddl import TRUE, And, Atom, Formula, Not
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.footing import host_row
from commonground.planning.scene.goal import literals
from commonground.planning.scene.precedence import TEAM
from commonground.planning.team.check import SharedState
from commonground.scene import SceneGraph


def bound_by_team(goals: Mapping[str, Formula], state: SharedState) -> dict[str, Formula]:
    """Return goals in which what the team's avoids is avoided by each robot, and the team's is to be done.

    A robot that stands where nobody may go cannot have kept out: it may leave by the way with the fewest
    places, and goes nowhere else in there.
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
                yield f"{name} stands in {where}, which the team keeps out of: it may only leave"


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
    graph = now.graph
    inside = graph.in_region(now.layer, ban.body.args[0])
    symbols = graph.layers[now.layer].symbols
    out = _way_out(graph, now, inside)
    things = graph.objects.symbols if graph.has("objects") else ()
    within = (thing for thing in things if inside[host_row(graph, now.layer, thing)])
    rows = (row for row in inside.nonzero()[0].tolist() if row not in out)
    shut = [Atom("visited-place", (symbols[row],)) for row in rows]
    shut += [Atom("visited-object", (thing,)) for thing in within]
    return And(tuple(map(Not, shut)))


def _way_out(graph: SceneGraph, now: Execution, inside: Bools) -> set[int]:
    """Return the places from where a robot stands to the nearest outside; its own without one."""
    from scipy.sparse.csgraph import breadth_first_order

    here = graph.layers[now.layer].row(now.places[-1])
    order, before = breadth_first_order(graph.adjacency(now.layer), here, directed=False)
    at = next((int(row) for row in order if not inside[row]), here)
    found = {here}
    while at != here:
        found.add(at)
        at = int(before[at])
    return found
