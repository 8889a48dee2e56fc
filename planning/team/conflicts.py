"""Goals of several robots that exclude each other: who conflicts with whom over what, as a proof."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from commonground.arrays import Floats
from commonground.planning.pddl import (
    And,
    Atom,
    Formula,
    Not,
    conflict,
    conjuncts,
    nnf,
    satisfiable,
)
from commonground.planning.pddl.formula import rebuilt
from commonground.planning.pddl.satisfy import at_most_one, satisfying
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.plan import Action
from commonground.planning.scene.precedence import is_of_the_world
from commonground.planning.team.standing import apart_m, points_of
from commonground.planning.team.track import MARGIN_M
from commonground.planning.team.world import moved_things
from commonground.robots import Robot, Team
from commonground.scene import SceneGraph

MOST_LOOKED_AT = 60
"""Of so many pairs of places it is looked at whether two robots have room there."""
ENDS = frozenset({"holding", "object-in-place", "at-place"})
"""What they say of the end can exclude one another."""
AT = "at"
"""What ends about places of robots are about; symbols of things begin with a capital."""


class End(NamedTuple):
    """Something that one robot's goal says of the end."""

    robot: str
    literal: Literal

    @property
    def atom(self) -> Atom:
        """The fact as a proposition of the whole team; what is true of a thing is nobody's own."""
        owner = () if is_of_the_world(self.literal) else (self.robot,)
        return Atom(self.literal.predicate, (*owner, *self.literal.args))


def conflict_of(graph: SceneGraph, team: Team, goals: Mapping[str, Formula]) -> str:
    """Return why goals exclude each other, whatever each robot chooses; '' where nothing says so."""
    parts = {_tagged(goal, name): name for name, goal in goals.items()}
    core = conflict(list(parts), _exclusions(graph, team, goals, sure=True))
    names = [parts[part] for part in core]
    return _told(graph, team, goals, names) if len(names) > 1 else ""


def contradicts_itself(graph: SceneGraph, team: Team, robot: Robot, goal: Formula) -> bool:
    """Return whether what a robot's own goal says of the end cannot all be true."""
    needed = set(_needed(goal))
    held = [x.args[0] for x in needed if x.predicate == "holding"]
    lies = [x.args[0] for x in needed if x.predicate == "object-in-place"]
    if len(held) > 1 or len(set(lies)) < len(lies):
        return True
    own = {robot.name: goal}
    return bool(conflict([_tagged(goal, robot.name)], _exclusions(graph, team, own, sure=True)))


def agreed_choices(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula]
) -> list[dict[str, Formula]]:
    """Return the goals narrowed to choices that can all be true at the end; none where none is left."""
    parts = [_tagged(goal, name) for name, goal in goals.items()]
    either = (
        satisfying(And((*parts, *_exclusions(graph, team, goals, sure=sure))))
        for sure in (False, True)
    )
    true = next(filter(None, either), frozenset())
    refused = {
        name: [Not(_plain(x)) for x in _ends(goal) if End(name, x).atom not in true]
        for name, goal in goals.items()
    }
    if not any(refused.values()):
        return []
    return [{name: And((goal, *refused[name])) for name, goal in goals.items()}]


def excluded_by(
    graph: SceneGraph, team: Team, settled: Mapping[str, list[End]], name: str, goal: Formula
) -> Formula:
    """Return a goal that chooses nothing that would undo what is settled for other robots."""
    done = [end for other, ends in settled.items() if other != name for end in ends]
    # rather at a place of its own than beside another robot at one place
    alone = _without(graph, team, done, name, goal, sure=False)
    return alone if satisfiable(alone) else _without(graph, team, done, name, goal, sure=True)


def _without(
    graph: SceneGraph, team: Team, done: Sequence[End], name: str, goal: Formula, *, sure: bool
) -> Formula:
    """Return a robot's goal without the choices that undo what is done."""
    held = {end.literal.args[0] for end in done if end.literal.predicate == "holding"}

    def undoes(literal: Literal) -> bool:
        mine = End(name, literal)
        return literal.args[0] in held or (
            literal.predicate in ENDS
            and any(_exclude(graph, team, end, mine, sure=sure) for end in done)
        )

    positive = dict.fromkeys(x for x in literals(nnf(goal)) if x.positive)
    refused = [Not(_plain(x)) for x in positive if undoes(x)]
    return And((goal, *refused)) if refused else goal


def ends_of(name: str, goal: Formula, actions: Sequence[Action], start: str) -> list[End]:
    """Return what a plan from a place makes true at the end as its goal wants it."""
    true = {x for x in _needed(goal) if x.predicate == "object-in-place"}
    for thing, place in moved_things(actions).items():
        true.add(
            Literal("object-in-place", (thing, place)) if place else Literal("holding", (thing,))
        )
    true.add(Literal("at-place", ([start, *(p for a in actions for p in a.places)][-1],)))
    return [End(name, x) for x in _ends(goal) if x in true]


def _ends(goal: Formula) -> list[Literal]:
    """Return the positive literals of a goal that speak of the end."""
    found = (x for x in literals(nnf(goal)) if x.positive and x.predicate in ENDS)
    return list(dict.fromkeys(found))


def _plain(literal: Literal) -> Atom:
    return Atom(literal.predicate, literal.args)


def _tagged(goal: Formula, name: str) -> Formula:
    """Return a goal over propositions of the whole team."""

    def tagged(formula: Formula) -> Formula:
        if isinstance(formula, Atom):
            return End(name, Literal(formula.predicate, formula.args)).atom
        return rebuilt(formula, tagged)

    return tagged(nnf(goal))


def _exclusions(
    graph: SceneGraph, team: Team, goals: Mapping[str, Formula], *, sure: bool
) -> list[Formula]:
    """Return that no two ends that exclude each other are true, where ends of several robots could.

    Unless it has to be sure, two robots at one place stand on one point.
    What one robot's goal says alone is left to the planner of that robot.
    """
    ends = [End(name, x) for name, goal in goals.items() for x in _ends(goal)]
    out: list[Formula] = []
    for about, clashing in _shared(ends).items():
        if about != AT:
            out += at_most_one([end.atom for end in clashing], about)
            continue
        for name, own in _by_robot(clashing).items():
            out += at_most_one([end.atom for end in own], f"{AT} {name}")
        out += _too_near(graph, team, _by_robot(clashing), sure=sure)
    return out


def _shared(ends: Sequence[End]) -> dict[str, list[End]]:
    """Return the ends about each thing, and those about places of robots, that several robots have."""
    about: dict[str, list[End]] = {}
    for end in ends:
        at = end.literal.predicate == "at-place"
        about.setdefault(AT if at else end.literal.args[0], []).append(end)
    return {key: some for key, some in about.items() if len({end.robot for end in some}) > 1}


def _by_robot(ends: Sequence[End]) -> dict[str, list[End]]:
    out: dict[str, list[End]] = {}
    for end in ends:
        out.setdefault(end.robot, []).append(end)
    return out


def _too_near(
    graph: SceneGraph, team: Team, ends: Mapping[str, list[End]], *, sure: bool
) -> Iterator[Formula]:
    """Yield that no two robots end at places too near to each other."""
    spots = {
        name: np.array([_two_spots(graph, team, end) for end in own]) for name, own in ends.items()
    }
    for a, b in itertools.combinations(ends, 2):
        apart = spots[a][:, None, :, None] - spots[b][None, :, None, :]
        gaps = np.linalg.norm(apart, axis=-1).max(axis=(2, 3))
        near = gaps < _needed_m(team, ends[a][0], ends[b][0])
        pairs = np.argwhere(near).tolist()
        if sure and len(pairs) > MOST_LOOKED_AT:
            continue
        for i, j in pairs:
            if not sure or _exclude(graph, team, ends[a][i], ends[b][j], sure=True):
                yield Not(And((ends[a][i].atom, ends[b][j].atom)))


def _two_spots(graph: SceneGraph, team: Team, end: End) -> Floats:
    """Return where on the ground a robot may end (2, 2), twice the same where it has no choice."""
    spots = points_of(graph, team[end.robot], end.literal.args[0])
    return np.array([spots[0], spots[-1]])


def _exclude(graph: SceneGraph, team: Team, a: End, b: End, *, sure: bool = True) -> bool:
    """Return whether two ends cannot both be true: one thing in two places, two in one gripper, or
    robots too near."""
    if a.atom == b.atom:
        return False
    places = a.literal.predicate == "at-place", b.literal.predicate == "at-place"
    if any(places):
        return all(places) and (
            a.robot == b.robot or _gap_m(graph, team, a, b, sure=sure) < _needed_m(team, a, b)
        )
    if b.literal.predicate not in ENDS or a.literal.predicate not in ENDS:
        return False
    gripper = a.robot == b.robot and a.literal.predicate == b.literal.predicate == "holding"
    return gripper or a.literal.args[0] == b.literal.args[0]


def _gap_m(graph: SceneGraph, team: Team, a: End, b: End, *, sure: bool = True) -> float:
    """Return how far apart two robots may end; whoever starts beside a place is at it already."""
    one, other = ((team[end.robot], end.literal.args[0]) for end in (a, b))
    return apart_m(graph, one, other, _needed_m(team, a, b) if sure else 0.0)


def _needed_m(team: Team, a: End, b: End) -> float:
    return team[a.robot].radius_m + team[b.robot].radius_m + MARGIN_M


def _told(graph: SceneGraph, team: Team, goals: Mapping[str, Formula], core: list[str]) -> str:
    """Return the conflict of some robots in a sentence, with the facts that clash where there are such."""
    needed = [End(name, x) for name in goals for x in _needed(goals[name])]
    sure = _clashing(graph, team, [end for end in needed if end.robot in core])
    if sure and len(core) == 2:
        return _clash(graph, team, [end for end in needed if _joins(graph, team, sure, end)])
    found = sure or _clashing(graph, team, _all_ends(goals, core))
    if not found:
        shared = set.intersection(*(_named(goals[name]) for name in core))
        over = f" over {_listed(sorted(shared))}" if shared else ""
        return f"{' and '.join(core)} have goals that exclude each other{over}"
    over = found[0].literal.args[0]
    return f"{_listed(core)} conflict over {over}, whichever way each of them chooses"


def _all_ends(goals: Mapping[str, Formula], names: Sequence[str]) -> list[End]:
    """Return what may hold at the end for some robots, whichever way each of them chooses."""
    return [End(name, x) for name in names for x in _ends(goals[name])]


def _named(goal: Formula) -> set[str]:
    """Return the things and places that a goal names."""
    return {word for literal in literals(nnf(goal)) for word in literal.args}


def _clashing(graph: SceneGraph, team: Team, ends: Sequence[End]) -> tuple[End, ...]:
    """Return the first two ends of two robots that exclude each other, nothing for none."""
    pairs = itertools.combinations(ends, 2)
    clash = (p for p in pairs if p[0].robot != p[1].robot and _exclude(graph, team, *p))
    return next(clash, ())


def _joins(graph: SceneGraph, team: Team, clash: Sequence[End], end: End) -> bool:
    """Return whether an end is one of two that exclude each other, or excludes one of them."""
    others = (x for x in clash if x.robot != end.robot)
    return any(_exclude(graph, team, x, end) for x in others)


def _listed(words: Sequence[str]) -> str:
    *most, last = dict.fromkeys(words)
    return f"{', '.join(most)} and {last}" if most else last


def _clash(graph: SceneGraph, team: Team, ends: Sequence[End]) -> str:
    """Return what two ends that exclude each other are, and whose else exclude one of them."""
    a, b = _clashing(graph, team, ends)
    who = _listed([end.robot for end in ends])
    thing = a.literal.args[0]
    if a.literal.predicate != "at-place":
        facts = _listed([str(end.literal) for end in ends])
        return f"{who} conflict over {thing}: {facts}; {thing} cannot be in two places at the end"
    at = _listed([end.literal.args[0] for end in ends])
    why = f"{_gap_m(graph, team, a, b):.2f} m apart, where {_needed_m(team, a, b):.2f} m are needed"
    if len(ends) > 2:
        whose = f"{a.robot} and {b.robot} would be"
        return f"{who} cannot all end at {at}: {whose} {why}"
    return f"{who} cannot end at {at}, {why}"


def _needed(goal: Formula) -> Iterator[Literal]:
    """Yield the literals of the end that are true whenever a goal is."""
    for part in conjuncts(nnf(goal)):
        found = list(literals(part))
        if len(found) == 1 and found[0].positive and found[0].predicate in ENDS:
            yield found[0]
