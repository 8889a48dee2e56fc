"""Actions that every plan has, and how long agents with one action at a time need for them.

A fact of the goal that does not hold needs an action that adds it. Where all ways to it need a fact of one
kind that does not hold either, every plan adds one of these facts before (a disjunctive landmark: Porteous
and Cresswell 2002). Those that no action adds two of are work for whoever can do it, which cannot begin
before the first of them can, and after the last of which what they are needed for is still to be done.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from commonground.grounding.prolog.actions.lifted import Lifted
from commonground.grounding.prolog.base.knowledge_base import Base, stem_of
from commonground.grounding.prolog.base.relations import Atom, Bound, Fact, matched
from commonground.grounding.prolog.base.terms import Term, Var, key_of, variables
from commonground.grounding.prolog.execution.blocks import span_of

if TYPE_CHECKING:
    from commonground.grounding.prolog.bounds.lower_bound import Adder, Regression

MOST_FACTS = 64
"""Most facts of one landmark."""
MOST_LANDMARKS = 600
MOST_CUTS = 6
"""Most of the earliest beginnings, and of the least rests, by which work is chosen."""
Way: TypeAlias = "tuple[Fact, Adder, Bound]"
"""A fact, and an effect that adds it with what that binds."""
Instances = Mapping[int, Mapping[str, frozenset[Term]]]
"""Number of an action → variable → what it may be."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """An action that every plan has, one of several."""

    stems: frozenset[str]
    agents: frozenset[Term]
    """One of these does it."""
    begins_s: float
    """Its work lies after this time."""
    work_s: float
    rest_s: float
    """What still takes time after it."""
    instances: Instances


def work_bound_s(regression: Regression, missing: Iterable[Fact]) -> float:
    """Return a makespan that the work on landmarks asks for."""
    found = [*itertools.islice(_landmarks(regression, missing), MOST_LANDMARKS)]
    teams = dict.fromkeys(mark.agents for mark in found)
    if len(teams) > 1:
        teams[frozenset[Term]().union(*teams)] = None
    base = regression.task.base
    return max((_team_bound_s(base, team, found) for team in teams), default=0.0)


def _team_bound_s(base: Base, team: frozenset[Term], found: Sequence[Landmark]) -> float:
    own = _apart([mark for mark in found if mark.agents <= team])
    cuts = (
        sorted({getattr(mark, name) for mark in own})[:MOST_CUTS] for name in ("begins_s", "rest_s")
    )
    best = 0.0
    for begins_s, rest_s in itertools.product(*cuts):
        some = [m for m in own if m.begins_s >= begins_s and m.rest_s >= rest_s]
        if some:
            best = max(best, begins_s + _share_s(base, some, len(team)) + rest_s)
    return best


def _share_s(base: Base, some: Sequence[Landmark], agents: int) -> float:
    """Return how long the busiest agent is busy at least: it has its share, were that the shortest."""
    gap_s = _gap_s(base, frozenset().union(*(mark.stems for mark in some)))
    works = sorted(mark.work_s for mark in some)
    share = math.ceil(len(works) / agents)
    fair_s = (sum(works) + gap_s * max(0, len(works) - agents)) / agents
    return max(fair_s, sum(works[:share]) + gap_s * (share - 1))


def _gap_s(base: Base, stems: frozenset[str]) -> float:
    """Return the least time between two actions on one agent, whether others come between or not."""
    others = {stem_of(key_of(schema.head)[0]) for schema in base.high}
    between = min((span_of(base, stem, True)[0] for stem in others), default=0.0)
    return min([between, *(base.setup_s(a, b) for a in stems for b in stems)])


def _apart(marks: Sequence[Landmark]) -> list[Landmark]:
    """Return landmarks of which no action is two: first those that may be the same as fewest others."""
    near: dict[int, set[int]] = {n: set() for n in range(len(marks))}
    for a, b in itertools.combinations(near, 2):
        if _may_be_one(marks[a].instances, marks[b].instances):
            near[a].add(b)
            near[b].add(a)
    found = []
    left = dict.fromkeys(near)
    while left:
        best = min(left, key=lambda n: len(near[n] & left.keys()))
        found.append(marks[best])
        left = {n: None for n in left if n != best and n not in near[best]}
    return found


def _may_be_one(one: Instances, other: Instances) -> bool:
    """Return whether an action may be among the instances of both."""
    return any(
        all(values & other[number].get(name, values) for name, values in one[number].items())
        for number in one.keys() & other.keys()
    )


def _landmarks(regression: Regression, missing: Iterable[Fact]) -> Iterator[Landmark]:
    """Yield the landmarks behind facts, those that others need after these."""
    queue: list[tuple[frozenset[Fact], float]] = [(frozenset({fact}), 0.0) for fact in missing]
    seen: set[frozenset[Fact]] = set()
    for facts, rest_s in queue:
        if facts in seen or len(facts) > MOST_FACTS:
            continue
        seen.add(facts)
        listed = sorted(facts, key=repr)
        ways = [(fact, *way) for fact in listed for way in regression.ways(fact)]
        mark = _landmark(regression, ways, rest_s)
        if mark is not None:
            yield mark
        queue += [(behind, rest_s + lead_s) for behind, lead_s in _behind(regression, ways)]


def _landmark(regression: Regression, ways: Sequence[Way], rest_s: float) -> Landmark | None:
    """Return what all ways to facts have in common; None: nobody has to do it, or nobody can."""
    agents: set[Term] = set()
    instances: dict[int, dict[str, set[Term]]] = {}
    for _, adder, bound in ways:
        doers = _doers(regression.task.base, adder.action, bound)
        if not doers:
            return None
        agents |= doers
        known = instances.get(id(adder.action), {name: set() for name in bound})
        instances[id(adder.action)] = {
            name: values | {bound[name]} for name, values in known.items() if name in bound
        }
    begins_s = min((regression.known(f) - a.seconds for f, a, _ in ways), default=math.inf)
    if not math.isfinite(begins_s):
        return None
    return Landmark(
        frozenset(stem_of(key_of(adder.action.head)[0]) for _, adder, _ in ways),
        frozenset(agents),
        max(0.0, begins_s),
        min(adder.seconds for _, adder, _ in ways),
        rest_s,
        {n: {v: frozenset(t) for v, t in known.items()} for n, known in instances.items()},
    )


def _behind(regression: Regression, ways: Sequence[Way]) -> Iterator[tuple[frozenset[Fact], float]]:
    """Yield facts of one kind of which all ways need one that does not hold yet, and how long before."""
    needs = [
        {(f[0], len(f)): (f, s) for f, s in reversed(chosen) if not regression.holds(f)}
        for _, adder, bound in ways
        for chosen in regression.needs(adder, bound)
    ]
    kinds = needs[0] if needs else {}
    for kind in (kind for kind in kinds if all(kind in way for way in needs)):
        yield frozenset(way[kind][0] for way in needs), min(way[kind][1] for way in needs)


def _doers(base: Base, action: Lifted, bound: Bound) -> set[Term]:
    """Return who may do an action: the fewest, where several have to; empty: it needs nobody."""
    agents, names = set(base.agents), set(variables(action.head))
    told: dict[str, set[Term]] = {}
    for table in action.tables:
        for place, arg in enumerate(table.args):
            if isinstance(arg, Var) and arg.name in names:
                _, rows = Atom(table.relation, table.args).candidates(bound)
                values = {r[place] for r in rows if matched(table.args, r, bound) is not None}
                told[arg.name] = told.get(arg.name, values) & values
    teams = (values for values in told.values() if values and values <= agents)
    return min(teams, key=len, default=set())
