"""Duties: robots that are told to do something do it, and the others leave it alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import EMPTY, is_reached, meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.problem import capacity_of, mass_of
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Atom, Formula
from commonground.planning.pddl.strata import literals

_WORK: dict[str, tuple[str, tuple[str, ...]]] = {
    "OPENED": ("open", ("OpenObject",)), "CLOSED": ("close", ("CloseObject",)),
    "ON": ("on", ("SwitchOn",)), "OFF": ("off", ("SwitchOff",)), "SLICED": ("slice", ("SliceObject",)),
    "BROKEN": ("break", ("BreakObject", "ThrowObject")),
}  # fmt: skip
"""State → the work that brings it about, and the skills of which it takes one."""
_CARRY: tuple[str, tuple[str, ...]] = ("carry", ("PickupObject",))


class Duty(NamedTuple):
    """Something to be done by some robots of the team."""

    robots: Sequence[str]
    """None where it does not matter who does it."""
    goal: Formula


def barred(duties: Sequence[Duty], graph: HouseGraph) -> tuple[Fact, ...]:
    """Return what robots leave to others: ``(robot, "barred-…", thing)``; asks if one told lacks a skill."""
    doing: dict[tuple[str, str], set[str]] = {}
    for duty in duties:
        for work, thing in _work(duty, graph) if duty.robots else ():
            doing.setdefault((work, thing), set()).update(duty.robots)
    return tuple(
        Fact(robot, f"barred-{work}", thing)
        for (work, thing), doers in doing.items()
        for robot in graph.robots()
        if robot not in doers
    )


def _work(duty: Duty, graph: HouseGraph) -> Iterator[tuple[str, str]]:
    types = graph.types()
    for atom, wanted in literals(duty.goal):
        if not wanted:
            continue
        if atom.predicate == "contains":
            (work, skills), things = _CARRY, meant_by(atom.args[1], types)
        else:
            things = meant_by(atom.args[0], types)
            work, skills = _WORK.get(atom.args[1], _CARRY)
            if atom.args[1] == EMPTY:
                things = [item for thing in things for item in graph.contents(thing)]
        problem = _lacking(duty.robots, work, skills, things, graph)
        direct = atom.predicate == "contains" or atom.args[1] in _WORK
        if problem and direct and not is_reached(atom, graph):
            raise Unclear(f"{problem}, which {_said(atom)} needs. Who else should do it?")
        if not problem:
            yield from ((work, thing) for thing in things)


def _lacking(
    robots: Sequence[str],
    work: str,
    skills: Sequence[str],
    things: Sequence[str],
    graph: HouseGraph,
) -> str:
    """Say what all of these robots lack, if they do."""
    able = [robot for robot in robots if set(skills) & set(graph.values(robot, "skill"))]
    who = " and ".join(robots)
    if not able:
        return f"{who} cannot {' or '.join(skills)}"
    lightest = min((mass_of(graph, thing) for thing in things), default=0.0)
    most = max(capacity_of(graph, robot) for robot in able)
    if work == "carry" and lightest > most:
        return f"{who} lifts {most:g} kg, not {lightest:g} kg"
    return ""


def _said(atom: Atom) -> str:
    return f"({atom.predicate} {' '.join(atom.args)})"
