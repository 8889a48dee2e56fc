"""Three instructions of rising difficulty, composed from what a map holds.

The map of a made-up campus differs with every seed, so no fixed sentence fits it. Sentences are tried in
a fixed order, and the first is taken that the robots understand and can carry out, or, for the last one,
that leaves them no choice but to ask. They are put together from words that the grammar knows, so it sorts
them out, which is quick; only what it takes is grounded as instructions are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

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
Clauses: TypeAlias = "tuple[str, ...]"
"""What is joined by ``and`` into one sentence."""
SENTENCES, PLANS = 400, 16
"""How many sentences are tried, and how many plans."""


def compose(graph: SceneGraph, team: Team, grounder: Grounder) -> list[str]:
    """Return up to three: one with a relation, one for two robots, one that must be asked back about."""
    words = _Words(graph)
    if not words.single and not words.several:
        return _by_number(graph, team, grounder)
    hands, eyes = _able(team, "pick"), _able(team, "inspect")
    grammar = _by_grammar(graph, team, grounder)
    out = [_first(_relations(words, eyes), graph, team, grounder, grammar)]
    if hands and len(eyes) > 1:
        other = next(name for name in reversed(eyes) if name != hands[0])
        out.append(_first(_errands(words, hands[0], other), graph, team, grounder, grammar))
    out.append(_unclear(words, hands or eyes, grounder))
    return [text for text in out if text]


def _able(team: Team, skill: str) -> list[str]:
    return [robot.name for robot in team if robot.can(skill)]


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
        name = AREAS[area].split(" the ", 1)[1]
        return f"the {name}" if area in self.one_of_a_kind else f"the nearest {name}"


def _by_grammar(graph: SceneGraph, team: Team, grounder: Grounder) -> Grounder:
    from commonground.grounding import Grounder

    alone = {"backend": "offline", "reader": "grammar"}
    return Grounder(graph, team, grounder.settings.model_copy(update=alone))


def _by_number(graph: SceneGraph, team: Team, grounder: Grounder) -> list[str]:
    """Return instructions for a map whose things have no class names."""
    names = [robot.name.capitalize() for robot in team]
    symbols = graph.objects.symbols
    single = ((f"{names[0]}, inspect {a}",) for a in symbols)
    both = (
        (f"{names[0]}, check the two objects closest to {a}", f"{names[-1]}, inspect {b}")
        for a, b in product(symbols, reversed(symbols))
        if a != b and len(names) > 1
    )
    grammar = _by_grammar(graph, team, grounder)
    found = [_first(clauses, graph, team, grounder, grammar) for clauses in (single, both)]
    return [text for text in (*found, f"{names[0]}, inspect the box.") if text]


def spoken(word: str) -> str:
    """Return a class as people say it."""
    return SPOKEN.get(word, word)


def _relations(words: _Words, robots: list[str]) -> Iterator[Clauses]:
    for anchor, kind, robot in product(words.single, words.several, robots):
        yield (f"{robot.capitalize()}, inspect the {spoken(kind)} nearest to the {spoken(anchor)}",)


def _errands(words: _Words, carrier: str, watcher: str) -> Iterator[Clauses]:
    anchors = sorted(product(words.single, repeat=2), key=lambda pair: pair[0] == pair[1])
    for item, area, kind in product(words.portable, words.areas, words.several):
        for near, beside in anchors[:6]:
            if kind != item and item not in (near, beside):
                yield (
                    f"{watcher.capitalize()}, check the two {spoken(kind)}s closest to the "
                    f"{spoken(beside)}",
                    f"{carrier.capitalize()}, bring the {spoken(item)} nearest to the "
                    f"{spoken(near)} to {words.way_to(area)}",
                )


def _first(
    sentences: Iterator[Clauses], graph: SceneGraph, team: Team, grounder: Grounder,
    grammar: Grounder,
) -> str:  # fmt: skip
    """Return the first sentence that can be carried out on paths of a watchable length; '' if none can.

    A sentence is put together only of clauses that could be said alone, as many share one that could not.
    """

    @cache
    def goals_of(text: str, way: Grounder = grammar) -> dict[str, str]:
        """Return the goals of a text, none where one of them is not worth watching."""
        goals = dict(way.ground(text).goals or {})
        worth = all(_worth(graph, team, name, goal) for name, goal in goals.items())
        return goals if worth else {}

    planned: list[str] = []

    def solved(text: str, goals: dict[str, str], robots: Team) -> bool:
        planned.append(text)
        plan = plan_scene(graph, robots, goals)
        busy = all(own.actions for own in plan.robots.values())  # none has its goal reached already
        return plan.status is Status.SOLVED and busy

    @cache
    def alone(clause: str) -> bool:
        """Return whether robots can do what a clause says without each other."""
        goals = goals_of(f"{clause}.")
        return bool(goals) and all(
            solved(clause, {n: g}, Team({n: team[n]})) for n, g in goals.items()
        )

    for clauses in islice(sentences, SENTENCES):
        text = ", and ".join(clauses) + "."
        said = all(goals_of(f"{clause}.") for clause in clauses) and goals_of(text)
        goals = goals_of(text, grounder) if said else {}
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
