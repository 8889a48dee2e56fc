"""Looking for what is not known: likely receptacles first, several robots at once."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.graph import GROUND, HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.repair.acting import Call
from commonground.grounding.repair.hypotheses import Hypothesis, Trial

_UNLIKELY = 0.02
"""Likelihood of a receptacle that takes a thing but where it is not usually kept."""
_NEVER = ("GarbageCan", "Toilet", "StoveBurner", "Toaster", "Microwave", "CoffeeMachine")


def supposed_name(kind: str) -> str:
    """Return the name of a thing that is only supposed to be there."""
    return f"{kind}_supposed"


def where_it_may_be(
    kind: str, graph: HouseGraph, kinds: Kinds, searched: frozenset[str]
) -> list[Hypothesis]:
    """Return a hypothesis for each receptacle nobody has looked into, the likeliest first."""
    name = supposed_name(kind)
    usual = kinds.likely_places(kind)
    found = []
    for place, its in graph.types().items():
        if place in searched or its == GROUND or not graph.can(place, "receptacle"):
            continue
        if not kinds.takes(its, kind) or (graph.can(place, "pickupable") and its != "Box"):
            continue
        likelihood = 1.0 / (2 + usual.index(its)) if its in usual else _UNLIKELY
        if its in _NEVER and its not in usual:
            likelihood /= 10
        siblings = len(graph.subjects("is-a", its))
        facts = [Fact(name, "is-a", kind), Fact(name, "in", place), Fact(name, "can", "pickupable")]
        facts += [Fact(name, "can", a) for a in sorted(kinds.usual(kind) - {"pickupable"})]
        why = f"{kind} may be in {place}"
        found.append(Hypothesis(why, likelihood / siblings**0.5, tuple(facts)))
    return sorted(found, key=lambda h: -h.likelihood)


def look_into(place: str, graph: HouseGraph, robots: Sequence[str]) -> tuple[Call, ...] | None:
    """Return the calls with which one of some robots looks into a receptacle, or None if none can."""
    outer = next((c for c in graph.around(place) if not graph.can(c, "pickupable")), None)
    stand = (
        outer if graph.can(place, "pickupable") and graph.type_of(outer or "") != GROUND else place
    )
    shut = graph.can(place, "openable") and not graph.is_true(place, "open")
    skills = {"GoToObject", "OpenObject"} if shut else {"GoToObject"}
    for robot in robots:
        if skills <= set(graph.values(robot, "skill")):
            there = graph.value(robot, "at") == (stand or place)
            go = () if there else (Call(robot, "GoToObject", (stand or place,)),)
            return (*go, Call(robot, "OpenObject", (place,))) if shut else go
    return None


def search_round(
    hypotheses: Sequence[Hypothesis], graph: HouseGraph, length_weight: float
) -> list[Trial]:
    """Return what each robot looks into next, by p / Δc^λ, one receptacle a robot."""
    free = graph.robots()
    left = list(hypotheses)
    chosen: list[Trial] = []
    while free and left:
        trials = []
        for hypothesis in left:
            place = next(f.object for f in hypothesis.adds if f.relation == "in")
            calls = look_into(place, graph, free)
            if calls is not None:
                trials.append(Trial(hypothesis, graph, calls))
        best = max(
            trials, key=lambda t: t.hypothesis.likelihood / t.extra**length_weight, default=None
        )
        if best is None:
            break
        chosen.append(best)
        left.remove(best.hypothesis)
        free = [r for r in free if not best.plan or r != best.plan[0].robot]
    return chosen
