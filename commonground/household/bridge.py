"""Between the simulated household and what a team believes: facts out of a house, a house out of facts."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.datasets.household.house import House
from commonground.datasets.household.tasks import RobotSpec
from commonground.datasets.household.worlds import Thing
from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.problem_writer.graph import ROBOT, STATES, HouseGraph
from commonground.grounding.problem_writer.problem import UNLIMITED


def believed(house: House, *, states: bool = True) -> HouseGraph:
    """Return everything that is known of a house at first; without ``states``, not what is open or on."""
    things = (fact for name in house.visible() for fact in thing_facts(house, name))
    known = [fact for fact in things if states or fact.relation not in ("open", "on")]
    team = [fact for robot in house.robots.values() for fact in robot_facts(robot.spec)]
    return HouseGraph.of_facts([*known, *team])


def robot_facts(spec: RobotSpec) -> Iterator[Fact]:
    yield Fact(spec.name, "is-a", ROBOT)
    yield from (Fact(spec.name, "skill", skill) for skill in sorted(spec.skills))
    most = UNLIMITED if spec.capacity_kg is None else repr(spec.capacity_kg)
    yield Fact(spec.name, "lifts-kg", most)


def thing_facts(house: House, name: str) -> Iterator[Fact]:
    """Yield what can be seen of an object: what it is, can, is like, and where it is."""
    body = house.bodies[name]
    yield Fact(name, "is-a", body.type)
    yield from (Fact(name, "can", affordance) for affordance in sorted(body.thing.affordances))
    yield Fact(name, "mass-kg", repr(body.mass_kg))
    if body.thing.slots is not None:
        yield Fact(name, "slots", str(body.thing.slots))
    for relation, other in (
        ("in", body.inside),
        ("serves", body.thing.serves),
        ("controls", body.thing.controls),
        ("stands-for", body.thing.basin),
    ):
        if other is not None:
            yield Fact(name, relation, other)
    yield from state_facts(house, name)


def state_facts(house: House, name: str) -> Iterator[Fact]:
    """Yield the state of an object and where one reaches it."""
    body = house.bodies[name]
    for key, value in body.state.items():
        if key in STATES:
            yield Fact(name, key, TRUE if value else FALSE)
    if isinstance(body.state.get("temperature"), str):
        yield Fact(name, "temperature", str(body.state["temperature"]))
    somewhere = body.inside is not None or not body.can("pickupable")
    if somewhere and house.carrier(name) is None:
        yield Fact(name, "reached-at", house.site(name))


def imagined(graph: HouseGraph) -> House:
    """Return the house that facts describe, with the robots where they are."""
    floor = {name: _thing(graph, name) for name in graph.types()}
    house = House(floor, [_robot(graph, name) for name in graph.robots()])
    for name, worker in house.robots.items():
        worker.at = graph.value(name, "at")
        worker.holds = next(iter(graph.values(name, "holds")), None)
        if worker.holds is not None:
            house.bodies[worker.holds].inside = None
    return house


def _thing(graph: HouseGraph, name: str) -> Thing:
    state: dict[str, bool | str] = {
        fact.relation: fact.object == TRUE for fact in graph.about(name) if fact.relation in STATES
    }
    temperature = graph.value(name, "temperature")
    slots = graph.value(name, "slots")
    return Thing(
        name,
        graph.type_of(name),
        float(graph.value(name, "mass-kg") or 0.0),
        frozenset(graph.values(name, "can")),
        _existing(graph, graph.value(name, "in")),
        state | ({"temperature": temperature} if temperature else {}),
        int(slots) if slots else None,
        _existing(graph, graph.value(name, "serves")),
        _existing(graph, graph.value(name, "controls")),
        _existing(graph, graph.value(name, "stands-for")),
    )


def _existing(graph: HouseGraph, name: str | None) -> str | None:
    return name if name is not None and graph.type_of(name) else None


def _robot(graph: HouseGraph, name: str) -> RobotSpec:
    most = graph.value(name, "lifts-kg")
    capacity = None if most in (None, UNLIMITED) else float(most or 0.0)
    return RobotSpec(name, frozenset(graph.values(name, "skill")), capacity)
