"""Three instructions of rising difficulty, composed from what a map holds.

The map of a made-up campus differs with every seed, so no fixed sentence fits it. Sentences are tried in
a fixed order, and the first is taken that the robots understand and can carry out, or, for the last one,
that leaves them no choice but to ask. Each comes with its meaning, which sorts them out quickly; only what
is left is read as instructions are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from commonground.grounding.meaning import Act, Assignment, Instruction, Relation, Thing, Who
from commonground.planning.result import Status
from commonground.planning.team import plan_scene
from commonground.robots import Team

if TYPE_CHECKING:
    from commonground.grounding import Grounder
    from commonground.scene import SceneGraph

SPOKEN = {"trash": "trash bin", "seating": "bench", "light": "street light", "vehicle": "car"}
PORTABLE = ("box", "bag", "basket", "barrel", "trash")
AREAS = {
    "parking": "in the parking lot",
    "sidewalk": "on the sidewalk",
    "path": "on the path",
    "grass": "on the grass",
    "road": "on the road",
    "ground": "on the ground",
}
SHORTEST_M, LONGEST_M = 10.0, 100.0
"""A distance that people find worth watching."""
Clauses: TypeAlias = "tuple[Clause, ...]"
"""What is joined by ``and`` into one sentence."""
SENTENCES, PLANS = 400, 16
"""How many sentences are tried, and how many plans."""


def compose(graph: SceneGraph, team: Team, grounder: Grounder) -> list[str]:
    """Return up to three: one with a relation, one for two robots, one that must be asked back about."""
    words = _Words(graph)
    if not words.single and not words.several:
        return _by_number(graph, team, grounder)
    hands, eyes = _able(team, "pick"), _able(team, "inspect")
    out = [_first(_relations(words, eyes), graph, team, grounder)]
    if hands and len(eyes) > 1:
        other = next(name for name in reversed(eyes) if name != hands[0])
        out.append(_first(_errands(words, hands[0], other), graph, team, grounder))
    out.append(_unclear(words, hands or eyes, grounder))
    return [text for text in out if text]


def _able(team: Team, skill: str) -> list[str]:
    return [robot.name for robot in team if robot.can(skill)]


class Clause(NamedTuple):
    """What one robot is told, and what that means."""

    text: str
    robot: str
    act: Act

    @property
    def assignment(self) -> Assignment:
        return Assignment(Who(names=(self.robot,)), self.act)


class _Words:
    """What there is one of, what there are several of, and in which areas."""

    def __init__(self, graph: SceneGraph) -> None:
        count = Counter(w for w in graph.label_words("objects") if w)
        ordered = sorted(count, key=lambda w: (-count[w], w))
        self.several = [w for w in ordered if count[w] > 1]
        self.single = [w for w in ordered if count[w] == 1]
        regions = Counter(graph.label_words("regions")) if graph.has("regions") else Counter()
        self.areas = sorted((a for a in AREAS if regions[a]), key=lambda a: regions[a])
        self.one_of_a_kind = {a for a in self.areas if regions[a] == 1}
        self.portable = [w for w in PORTABLE if count[w]]

    def way_to(self, area: str) -> str:
        """Return an area as the end of a way, so that one is meant."""
        return (
            f"the {self._name(area)}" if self._is_one(area) else f"the nearest {self._name(area)}"
        )

    def end_in(self, area: str) -> Thing:
        """Return what that means."""
        where = () if self._is_one(area) else (Relation("nearest"),)
        return Thing(noun=self._name(area), where=where)

    def _name(self, area: str) -> str:
        return AREAS[area].split(" the ", 1)[1]

    def _is_one(self, area: str) -> bool:
        return area in self.one_of_a_kind


def _by_number(graph: SceneGraph, team: Team, grounder: Grounder) -> list[str]:
    """Return instructions for a map whose things have no class names."""
    robots, symbols = list(team.robots), graph.objects.symbols
    single = ((_inspect(robots[0], Thing(ids=(a,)), a),) for a in symbols)
    both = (
        (
            _inspect(
                robots[0], _nearest("", Thing(ids=(a,)), 2), f"the two objects closest to {a}"
            ),
            _inspect(robots[-1], Thing(ids=(b,)), b),
        )
        for a, b in product(symbols, reversed(symbols))
        if a != b and len(robots) > 1
    )
    found = [_first(clauses, graph, team, grounder) for clauses in (single, both)]
    return [text for text in (*found, f"{robots[0].capitalize()}, inspect the box.") if text]


def spoken(word: str) -> str:
    """Return a class as people say it."""
    return SPOKEN.get(word, word)


def _inspect(robot: str, what: Thing, words: str) -> Clause:
    return Clause(f"{robot.capitalize()}, inspect {words}", robot, Act("inspect", what))


def _nearest(kind: str, to: Thing, count: int | None = None) -> Thing:
    return Thing(noun=spoken(kind), where=(Relation("nearest", (to,)),), count=count)


def _relations(words: _Words, robots: list[str]) -> Iterator[Clauses]:
    for anchor, kind, robot in product(words.single, words.several, robots):
        said = f"the {spoken(kind)} nearest to the {spoken(anchor)}"
        yield (_inspect(robot, _nearest(kind, Thing(noun=spoken(anchor))), said),)


def _errands(words: _Words, carrier: str, watcher: str) -> Iterator[Clauses]:
    anchors = sorted(product(words.single, repeat=2), key=lambda pair: pair[0] == pair[1])
    for item, area, kind in product(words.portable, words.areas, words.several):
        for near, beside in anchors[:6]:
            if kind != item and item not in (near, beside):
                watched = _nearest(kind, Thing(noun=spoken(beside)), 2)
                carried = _nearest(item, Thing(noun=spoken(near)))
                said = f"the {spoken(item)} nearest to the {spoken(near)}"
                yield (
                    _inspect(
                        watcher, watched, f"the two {spoken(kind)}s closest to the {spoken(beside)}"
                    ),
                    Clause(
                        f"{carrier.capitalize()}, bring {said} to {words.way_to(area)}",
                        carrier,
                        Act("place", carried, words.end_in(area)),
                    ),
                )


def _first(sentences: Iterator[Clauses], graph: SceneGraph, team: Team, grounder: Grounder) -> str:
    """Return the first sentence that can be carried out on paths of a watchable length; '' if none can.

    A sentence is put together only of clauses that could be said alone, as many share one that could not.
    """

    @cache
    def goals_of(*clauses: Clause) -> dict[str, str]:
        """Return the goals of clauses, none where one of them is not worth watching."""
        found = grounder.ground_meaning(Instruction(tuple(c.assignment for c in clauses)))
        goals = dict(found.goals or {})
        worth = all(_worth(graph, team, name, goal) for name, goal in goals.items())
        return goals if worth else {}

    planned: list[str] = []

    def solved(text: str, goals: dict[str, str], robots: Team) -> bool:
        planned.append(text)
        plan = plan_scene(graph, robots, goals)
        busy = all(own.actions for own in plan.robots.values())  # none has its goal reached already
        return plan.status is Status.SOLVED and busy

    @cache
    def alone(clause: Clause) -> bool:
        """Return whether robots can do what a clause says without each other."""
        goals = goals_of(clause)
        return bool(goals) and all(
            solved(clause.text, {n: g}, Team({n: team[n]})) for n, g in goals.items()
        )

    for clauses in islice(sentences, SENTENCES):
        text = ", and ".join(clause.text for clause in clauses) + "."
        meant = goals_of(*clauses) if all(map(goals_of, clauses)) else {}
        goals = dict(grounder.ground(text).goals or {}) if meant else {}
        if goals and all(map(alone, clauses)) and solved(text, goals, team):
            return text
        if len(planned) >= PLANS:
            break
    return ""


def _worth(graph: SceneGraph, team: Team, robot: str, goal: str) -> bool:
    """Return whether what a goal is about is neither beside the robot nor very far."""
    things = [symbol for symbol in re.findall(r"O\d+", goal) if symbol in graph]
    far = [np.linalg.norm(graph.position(t) - team[robot].position) for t in things]
    return bool(far and SHORTEST_M < max(far) < LONGEST_M)


def _unclear(words: _Words, robots: list[str], grounder: Grounder) -> str:
    kinds = [w for w in words.portable if w in words.several] + words.several
    for kind in kinds if robots else ():
        text = f"{robots[0].capitalize()}, pick up the {spoken(kind)}."
        if grounder.ground(text).status == "clarify":
            return text
    return ""
