"""Which things a goal can need: what it names, what holds them, and the tools its states ask for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from commonground.grounding.problem_writer.goals import SLICED, meant_by
from commonground.grounding.problem_writer.graph import GROUND, HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.planning.pddl import Formula
from commonground.planning.pddl.strata import literals

MOST_ALIKE = (3, 12)
"""Of several things of one type a goal may mean, so many are looked at; and in a wider search."""
SPARE_SPOTS = (2, 5)
"""Further places where a hand can be emptied."""


@dataclass(slots=True)
class _Search:
    graph: HouseGraph
    kinds: Kinds
    types: dict[str, str]
    wider: bool = False
    found: dict[str, None] = field(default_factory=dict)

    def add(self, things: Iterable[str]) -> None:
        """Add things with what is around them."""
        for thing in things:
            if thing not in self.found:
                self.found[thing] = None
                self.add(self.graph.around(thing))
                site = self.graph.value(thing, "reached-at")
                self.add([site] if site in self.types else [])
                if self.graph.value(thing, "slots") is not None:
                    self.add(self.graph.contents(thing))  # what takes up the room
                for link in ("stands-for", "serves", "controls"):
                    self.add(self.graph.values(thing, link))

    def of_type(self, *kinds: str) -> list[str]:
        return [name for name, kind in self.types.items() if kind in kinds]

    def best(self, things: list[str]) -> list[str]:
        """Return the things that are easiest to use: not shut in, not shut."""

        def effort(name: str) -> tuple[int, int]:
            doors = [c for c in self.graph.around(name) if self.graph.can(c, "openable")]
            shut = sum(not self.graph.is_true(c, "open") for c in doors)
            door = self.graph.can(name, "receptacle") and self.graph.can(name, "openable")
            return shut, int(door and not self.graph.is_true(name, "open"))

        return sorted(things, key=effort)[: MOST_ALIKE[self.wider]]


def relevant_things(
    goal: Formula, graph: HouseGraph, kinds: Kinds, *, wider: bool = False
) -> list[str]:
    """Return the things that reaching a goal can involve, without the robots, in order."""
    search = _Search(graph, kinds, graph.types(), wider)
    search.add(search.of_type(GROUND))
    for atom, _ in literals(goal):
        subjects = meant_by(atom.args[0], search.types)
        if atom.predicate == "contains":
            search.add(search.best(subjects))
            search.add(search.best(meant_by(atom.args[1], search.types)))
            continue
        search.add(search.best(subjects))
        tools = _TOOLS.get(atom.args[1])
        if tools is not None:
            tools(search, subjects)
    for robot in graph.robots():
        search.add(graph.values(robot, "holds"))
    search.add(_spare_spots(search))
    return list(search.found)


def _spare_spots(search: _Search) -> list[str]:
    """Return open places where a robot can put down what it has to."""
    kinds = search.kinds
    spots = [
        name
        for name, kind in search.types.items()
        if search.graph.can(name, "receptacle")
        and not search.graph.can(name, "pickupable")
        and not search.graph.can(name, "openable")
        and search.graph.value(name, "slots") is None
        and kind not in kinds.unfit
    ]
    used = [name for name in spots if name in search.found]
    return spots[: max(0, SPARE_SPOTS[search.wider] - len(used))]


# ---- what states need --------------------------------------------------------------------------------


def _knife(search: _Search, _: list[str]) -> None:
    search.add(search.best(search.of_type("Knife")))


def _water(search: _Search, subjects: list[str]) -> None:
    faucets = [f for f in search.of_type("Faucet") if search.graph.value(f, "serves")]
    for faucet in faucets[: MOST_ALIKE[search.wider]]:
        search.add([faucet, *search.graph.values(faucet, "serves")])
    if any(search.types[s] in search.kinds.drinkware for s in subjects):
        search.add(search.of_type("CoffeeMachine"))


def _heat(search: _Search, subjects: list[str]) -> None:
    machines = {"Mug", "Cup"} & {search.types[s] for s in subjects}
    search.add(search.of_type("Microwave", *(["CoffeeMachine"] if machines else [])))
    if search.wider or not search.of_type("Microwave"):
        _stove(search)


def _cook(search: _Search, subjects: list[str]) -> None:
    search.add(search.of_type("Microwave"))
    if search.wider or not search.of_type("Microwave"):
        _stove(search)
    if any(search.types[s].removesuffix(SLICED) == "Bread" for s in subjects):
        _toast(search, subjects)


def _stove(search: _Search) -> None:
    knobs = [k for k in search.of_type("StoveKnob") if search.graph.value(k, "controls")]
    search.add(search.best(search.of_type("Pan", "Pot")))
    for knob in knobs[: MOST_ALIKE[search.wider]]:
        search.add([knob, *search.graph.values(knob, "controls")])


def _toast(search: _Search, _: list[str]) -> None:
    _knife(search, [])
    search.add(search.of_type("Toaster"))


def _cold(search: _Search, _: list[str]) -> None:
    search.add(search.of_type("Fridge"))


def _empty(search: _Search, subjects: list[str]) -> None:
    for subject in subjects:
        search.add(search.graph.contents(subject))


_TOOLS = {
    "SLICED": _knife,
    "CLEAN": _water,
    "FILLED": _water,
    "HOT": _heat,
    "COOKED": _cook,
    "TOASTED": _toast,
    "COLD": _cold,
    "EMPTY": _empty,
}
