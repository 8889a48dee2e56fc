"""Who does what: a robot that is named does its part of the work, and the others leave it alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from commonground.grounding.english.parts import in_words
from commonground.grounding.english.utterance import Crew
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.goals import EMPTY, is_reached, literals, meant_by
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.problem import capacity_of, mass_of
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import count_of, rank_of
from commonground.grounding.words.spelling import Speller
from commonground.planning.pddl import Atom, Formula

_WORK: dict[str, tuple[str, tuple[str, ...]]] = {
    "OPENED": ("open", ("OpenObject",)), "CLOSED": ("close", ("CloseObject",)),
    "ON": ("on", ("SwitchOn",)), "OFF": ("off", ("SwitchOff",)), "SLICED": ("slice", ("SliceObject",)),
    "BROKEN": ("break", ("BreakObject", "ThrowObject")),
}  # fmt: skip
"""State → the work that brings it about, and the skills of which it takes one."""
_CARRY: tuple[str, tuple[str, ...]] = ("carry", ("PickupObject",))
_ANYBODY = ("all", "any one", "able", "unnamed")
"""Crews that leave it to the team who does what."""


def robots_of(
    crew: Crew | None, team: Sequence[str], before: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return the robots that shall do something; none: whichever.

    ``before`` are the robots that were told to do what came before.
    """
    if crew is None or crew.choose in _ANYBODY:
        return ()
    named = tuple(_robot(span.text, team) for span in crew.names)
    if crew.choose in ("all but", "other"):
        out = named or tuple(before)
        left = tuple(robot for robot in team if robot not in out)
        if out and left and (crew.choose == "all but" or len(left) == 1):
            return left
        raise Unclear(
            f"Which robot is meant by '{in_words(crew) or 'the other'}': {', '.join(team)}?"
        )
    if not named:
        raise Unclear(
            f"I cannot tell which robot is the {crew.choose} '{in_words(crew)}'. Which one?"
        )
    return named


def _robot(words: str, team: Sequence[str]) -> str:
    """Return the robot of a name: as it is, by its number, or as the first, the second."""
    name = words.strip().removesuffix("'s")
    plain = {_plain(robot): robot for robot in team}
    for reading in (
        _plain(name),
        _plain(re.sub(r"^(?:robot|number)\s+", "", name, flags=re.I)),
    ):
        if reading in plain:
            return plain[reading]
        near = Speller(plain).correct(reading)
        if near is not None:
            return plain[near]
    number = _number(name)
    ends = {int(m[1]): robot for robot in team if (m := re.search(r"(\d+)$", robot))}
    if not ends:
        ends = dict(enumerate(team, 1))
    if number in ends:
        return ends[number]
    raise Unclear(f"There is no '{words}'; the robots are {', '.join(team)}. Who is meant?")


def _plain(name: str) -> str:
    return re.sub(r"^the\s+|[^a-z0-9]", "", name.lower())


def _number(name: str) -> int | None:
    """Return the number in ``robot number two``, ``the second robot``, ``unit 3``."""
    words = (word for word in re.findall(r"[a-z]+|\d+", name.lower()) if word not in ("a", "the"))
    return next((n for word in words if (n := count_of(word) or rank_of(word))), None)


def barred(deeds: Sequence[tuple[Sequence[str], Formula]], graph: HouseGraph) -> tuple[Fact, ...]:
    """Return what robots leave to others: ``(robot, "barred-…", thing)``; asks if one told lacks a skill."""
    doing: dict[tuple[str, str], set[str]] = {}
    for robots, goal in deeds:
        for work, thing in _work(robots, goal, graph) if robots else ():
            doing.setdefault((work, thing), set()).update(robots)
    return tuple(
        Fact(robot, f"barred-{work}", thing)
        for (work, thing), doers in doing.items()
        for robot in graph.robots()
        if robot not in doers
    )


def _work(robots: Sequence[str], goal: Formula, graph: HouseGraph) -> Iterator[tuple[str, str]]:
    types = graph.types()
    for atom, wanted in literals(goal):
        if not wanted:
            continue
        if atom.predicate == "contains":
            (work, skills), things = _CARRY, meant_by(atom.args[1], types)
        else:
            things = meant_by(atom.args[0], types)
            work, skills = _WORK.get(atom.args[1], _CARRY)
            if atom.args[1] == EMPTY:
                things = [item for thing in things for item in graph.contents(thing)]
        problem = _lacking(robots, work, skills, things, graph)
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
