"""What robots keep out of: each what its own goal tells it to, and every one what the team's does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from commonground.arrays import Bools
from commonground.planning.pddl import TRUE, And, Atom, Formula, Not, satisfiable
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.scene.allocation import tasks_of
from commonground.planning.scene.execution import Execution, holds
from commonground.planning.scene.footing import host_row
from commonground.planning.scene.goal import literals
from commonground.planning.scene.precedence import TEAM
from commonground.planning.scene.vocabulary import VISITS
from commonground.planning.team.check import SharedState
from commonground.scene import SceneGraph


def bound_from_here(goals: Mapping[str, Formula], state: SharedState) -> dict[str, Formula]:
    """Return goals that each robot can still keep from where it stands: its own bans, and the team's.

    A robot that stands where it may not go cannot have kept out: it may leave by the way with the fewest
    places, and goes nowhere else in there.
    """
    tasks, avoided = tasks_of(goals.get(TEAM, TRUE))
    found = {
        name: _kept_by(goal, state.robots[name]) if name in state.robots else goal
        for name, goal in goals.items()
        if name != TEAM
    }
    if not avoided:
        return found | ({TEAM: goals[TEAM]} if TEAM in goals else {})
    for name, now in state.robots.items():
        ban = And(tuple(from_here(part, now) for part in avoided))
        found[name] = And((*(_parts(found[name]) if name in found else ()), *_parts(ban)))
    return found | ({TEAM: And(tuple(tasks))} if tasks else {})


def standing_inside(goals: Mapping[str, Formula], state: SharedState) -> Iterator[str]:
    """Yield which robots stand where they are kept out by their own goal or the team's, in words."""
    for owner, goal in goals.items():
        names = state.robots if owner == TEAM else {owner} & {*state.robots}
        who = "the team keeps" if owner == TEAM else "it keeps"
        for ban in tasks_of(goal)[1]:
            where = " or ".join(dict.fromkeys(x.args[0] for x in literals(ban)))
            for name in names:
                if from_here(ban, state.robots[name]) != ban:
                    yield f"{name} stands in {where}, which {who} out of: it may only leave"


def _kept_by(goal: Formula, now: Execution) -> Formula:
    """Return a robot's goal with the bans that it cannot have kept as it can keep them from now on."""
    tasks, avoided = tasks_of(goal)
    kept = [from_here(ban, now) for ban in avoided]
    if kept == avoided or not satisfiable(goal):
        return goal
    return And((*tasks, *(one for ban in kept for one in _parts(ban))))


def _parts(goal: Formula) -> tuple[Formula, ...]:
    return goal.parts if isinstance(goal, And) else (goal,)


def from_here(ban: Formula, now: Execution) -> Formula:
    """Return what a ban in negation normal form asks of a robot from where it stands.

    What says where it may not be in the end is not too late.
    """
    if not isinstance(ban, Not):
        return rebuilt(ban, lambda part: from_here(part, now))
    if not isinstance(ban.body, Atom) or ban.body.predicate not in VISITS or holds(ban, now):
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
