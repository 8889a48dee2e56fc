"""Order between parts of goals: what has to be done before something else is begun, by whom."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

import numpy as np

from commonground.arguments import of_kind
from commonground.errors import PlanningError
from commonground.planning.pddl import And, Atom, Formula, Or, conjuncts, nnf, to_pddl
from commonground.planning.scene.errand import Errand, Stop
from commonground.planning.scene.footing import place_layer
from commonground.planning.scene.goal import Literal, literals, parse_goal
from commonground.planning.scene.plan import Action
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.scene import SceneGraph

TEAM = "team"
"""The name under which a goal for all robots together, or a step of it, is given."""
LONGEST = 60
"""Characters of a goal that are shown."""
WAIT_S = 0.1
"""From the end of what comes first to the beginning of what comes then."""
TOLERANCE_S = 1e-6
_NOWHERE = np.empty((0, 3))


class Step(NamedTuple):
    """Part of a robot's goal."""

    robot: str
    """Whose goal it is part of; ``team`` for a goal of all robots together."""
    goal: str
    """PDDL text."""


class Before(NamedTuple):
    """A step that has to be done before another one is begun."""

    first: Step
    then: Step

    @staticmethod
    def of_json(values: Mapping[str, Mapping[str, str]]) -> Before:
        """Return the order that ``as_json`` wrote."""
        return Before(**{name: Step(**step) for name, step in values.items()})

    def as_json(self) -> dict[str, Any]:
        """Return the order as JSON values."""
        return {"first": self.first._asdict(), "then": self.then._asdict()}

    def __str__(self) -> str:
        return " before ".join(f"{robot} {_brief(goal)}" for robot, goal in self)


def _brief(goal: str) -> str:
    """Return the beginning of a long goal, with a mark that it goes on."""
    text = " ".join(goal.split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rsplit(' ', 1)[0]} …"


@dataclass(frozen=True, slots=True)
class Deed:
    """A step with its goal parsed."""

    robot: str
    goal: Formula

    @property
    def literals(self) -> frozenset[Literal]:
        """What it may bring about."""
        return frozenset(x for x in literals(nnf(self.goal)) if x.positive)

    def is_by(self, robot: str, literal: Literal) -> bool:
        """Return whether a fact counts for this step where a certain robot brings it about."""
        return self.robot in (robot, TEAM) or is_of_the_world(literal)

    def is_asked(self, goals: Mapping[str, Formula]) -> bool:
        """Return whether some robot's goal asks for it."""
        return any(
            self.is_by(name, x) or name == TEAM
            for name, goal in goals.items()
            for x in self.literals & Deed(name, goal).literals
        )


@dataclass(frozen=True, slots=True)
class Precedence:
    """Two steps in their order."""

    first: Deed
    then: Deed

    @property
    def is_between_robots(self) -> bool:
        """Whether one robot has to wait for another one."""
        return self.first.robot != self.then.robot

    def is_asked(self, goals: Mapping[str, Formula]) -> bool:
        """Return whether goals ask for both steps."""
        return self.first.is_asked(goals) and self.then.is_asked(goals)

    @property
    def text(self) -> Before:
        """The same as PDDL texts."""
        return Before(*(Step(deed.robot, to_pddl(deed.goal)) for deed in self))

    def __str__(self) -> str:
        sides = (f"{d.robot} {' or '.join(sorted(map(str, d.literals)))}" for d in self)
        return " before ".join(sides)

    def __iter__(self) -> Iterator[Deed]:
        return iter((self.first, self.then))


def parse_order(
    order: Iterable[Before], graph: SceneGraph, goals: Mapping[str, Formula] | None = None
) -> tuple[Precedence, ...]:
    """Return an order with every symbol spelled as in the graph; PlanningError where it is none.

    It is none if it goes in a circle, or, where goals are given, if they do not ask for a step of it. Each
    part of a step stands for itself. What comes before something comes before all that comes after that as
    well.
    """
    told: dict[tuple[Deed, Deed], Before] = {}
    for pair in order:
        steps = of_kind(pair, Before, "order", PlanningError, "write Before(Step(…), Step(…))")
        first, then = (_deeds(step, graph, goals) for step in steps)
        for deeds in itertools.product(first, then):
            if deeds[1] not in first or first == then:
                told.setdefault(deeds, pair)
    after: dict[Deed, dict[Deed, None]] = {}
    for one, other in told:
        after.setdefault(one, {})[other] = None
    for between, one in itertools.product(list(after), list(after)):  # Warshall, 1962
        if between in after[one]:
            after[one] |= after[between]
    circle = [pair for (one, other), pair in told.items() if one in (other, *after.get(other, ()))]
    if circle:
        circles = "; ".join(map(str, dict.fromkeys(circle)))
        raise PlanningError(f"this order cannot be kept, it goes in a circle: {circles}")
    return tuple(Precedence(one, other) for one, later in after.items() for other in later)


def _deeds(step: Step, graph: SceneGraph, goals: Mapping[str, Formula] | None) -> list[Deed]:
    """Return the parts of a step; PlanningError where nothing is done for it, or no goal asks for one."""
    of_kind(step, Step, "step of an order", PlanningError, "write Step(ROBOT, GOAL)")
    whole = nnf(parse_goal(step.goal, graph, where=f"order of {step.robot}"))
    found = [Deed(step.robot, part) for part in conjuncts(whole)]
    deeds = [deed for deed in found if deed.literals]
    if not deeds:
        raise PlanningError(f"order of {step.robot}: nothing is done for {_brief(step.goal)}")
    for deed in deeds:
        if goals is not None and not deed.is_asked(goals):
            owner = "the team" if step.robot == TEAM else step.robot
            raise PlanningError(
                f"order of {step.robot}: no goal of {owner} has {_brief(to_pddl(deed.goal))}; "
                "steps are parts of goals"
            )
    return deeds


def for_robots(order: Iterable[Precedence], goals: Mapping[str, Formula]) -> tuple[Precedence, ...]:
    """Return an order with steps as those of the robots whom they fell to: the whole team's, and others'.

    What only the robot itself can do does not fall to others.
    """

    def shared(deed: Deed) -> list[Deed]:
        has = {n: Deed(n, g).literals & deed.literals for n, g in goals.items() if n != TEAM}
        if deed.robot == TEAM:
            return [Deed(name, deed.goal) for name, parts in has.items() if parts]
        mine = [name for name, parts in has.items() if any(map(is_of_the_world, parts))]
        fell = mine if mine and not has.get(deed.robot) else [deed.robot]
        return [Deed(name, deed.goal) for name in fell]

    pairs = ((shared(pair.first), shared(pair.then)) for pair in order)
    return tuple(
        Precedence(*two) for first, then in pairs for two in itertools.product(first, then)
    )


RegionOf = Callable[[str], str]
"""Place → the region it lies in, '' for none."""


def regions_of(graph: SceneGraph) -> RegionOf:
    """Return which region the places of a graph lie in."""
    layer = place_layer(graph)
    if not graph.has("regions"):
        return lambda _: ""
    rows = graph.ancestors(layer, "regions")

    def region_of(place: str) -> str:
        row = int(rows[graph.layers[layer].row(place)])
        return graph.regions.symbols[row] if row >= 0 else ""

    return region_of


def is_of_the_world(fact: Literal) -> bool:
    """Return whether a fact is as good whoever brings it about, and nobody's own at the end."""
    return fact.predicate == "object-in-place" or bool(VOCABULARY[fact.predicate].deed)


def serves(action: Action, literal: Literal, region_of: RegionOf) -> bool:
    """Return whether an action is what brings a fact about."""
    kind, about = literal.predicate, literal.args[0]
    if deed := VOCABULARY[kind].deed:
        return action.action == deed and action.target == about
    if kind == "holding":
        return action.action == "pick" and action.target == about
    if kind == "object-in-place":
        return action.action == "place" and (action.item, action.target) == literal.args
    if action.action != "goto":
        return False
    end = action.places[-1] if action.places else ""
    in_region = kind in ("visited-region", "in-region") and bool(end) and region_of(end) == about
    return about in (action.target, end) or in_region


def broken(
    order: Iterable[Precedence], plans: Mapping[str, Sequence[Action]], region_of: RegionOf
) -> Iterator[tuple[float, Precedence]]:
    """Yield what comes too soon in timed plans, and when."""
    for pair in order:
        done_s = done_at_s(pair.first, plans, region_of)
        begins_s = begun_at_s(pair.then, plans, region_of)
        if begins_s < done_s - TOLERANCE_S:
            yield begins_s, pair


def done_at_s(deed: Deed, plans: Mapping[str, Sequence[Action]], region_of: RegionOf) -> float:
    """Return when a step is done; 0 where no action does it, because it is true from the beginning."""

    def time_s(part: Formula) -> float:
        if isinstance(part, And | Or):
            known = [t for t in map(time_s, part.parts) if t > 0.0]
            return (max if isinstance(part, And) else min)(known, default=0.0)
        found = list(_doing(deed, part, plans, region_of))
        last = isinstance(part, Atom) and part.predicate == "explored-region"
        return (max if last else min)((a.end_s for a in found), default=0.0)

    return time_s(nnf(deed.goal))


def begun_at_s(deed: Deed, plans: Mapping[str, Sequence[Action]], region_of: RegionOf) -> float:
    """Return when a step is begun; what is done twice counts the last time. Infinite for never."""

    def time_s(part: Formula) -> float:
        if isinstance(part, And | Or):
            return min(map(time_s, part.parts), default=math.inf)
        times = [a.start_s for a in _doing(deed, part, plans, region_of)]
        first = isinstance(part, Atom) and part.predicate == "explored-region"
        return (min if first else max)(times, default=math.inf)

    return time_s(nnf(deed.goal))


def _doing(
    deed: Deed, part: Formula, plans: Mapping[str, Sequence[Action]], region_of: RegionOf
) -> Iterator[Action]:
    """Yield the actions that bring an atom of a step about."""
    if not isinstance(part, Atom):
        return
    literal = Literal(part.predicate, part.args)
    for robot, actions in plans.items():
        if deed.is_by(robot, literal):
            yield from (a for a in actions if serves(a, literal, region_of))


# ---- stops of one robot ----


def in_order(
    errand: Errand, order: Sequence[Precedence], region_row: Callable[[str], int]
) -> Errand:
    """Return the errand with its stops in the order of a robot's steps."""
    pairs = []
    for pair in order:
        first = _stops_of(errand, pair.first, region_row)
        then = _stops_of(errand, pair.then, region_row)
        picked = {errand.stops[i].item for i in then} - {""}
        then |= {
            i for i, s in enumerate(errand.stops) if s.action == "pick" and picked & {*s.targets}
        }
        pairs += [(i, j) for i in sorted(first) for j in sorted(then - first)]
    before = list(dict.fromkeys([*errand.before, *pairs]))
    try:
        TopologicalSorter({j: [i for i, k in before if k == j] for _, j in before}).prepare()
    except CycleError:
        told = "; ".join(map(str, order))
        return replace(errand, reason=errand.reason or f"this order cannot be kept: {told}")
    return replace(errand, before=before)


def _stops_of(errand: Errand, deed: Deed, region_row: Callable[[str], int]) -> set[int]:
    """Return the numbers of the stops that bring a step about."""
    found: set[int] = set()
    for literal in deed.literals:
        own = {i for i, s in enumerate(errand.stops) if _is_for(s, literal)}
        if not own and literal.predicate in ("visited-region", "in-region"):
            row = region_row(literal.args[0])
            own = {i for i, s in enumerate(errand.stops) if all(x.region == row for x in s.spots)}
        found |= own
    return found


def _is_for(stop: Stop, literal: Literal) -> bool:
    """Return whether a stop is made, at one of its spots, for a fact."""
    actions = (Action(stop.action, t, _NOWHERE, (t,), stop.item) for t in stop.targets)
    return any(serves(action, literal, lambda _: "") for action in actions)
