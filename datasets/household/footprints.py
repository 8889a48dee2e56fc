"""What each move of a plan looks at and changes, so that moves can be made at the same time.

Two moves may swap or overlap unless one changes what the other looks at or changes. Contents of a
receptacle are touched rather than changed: several robots may put things on a table in any order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from commonground.datasets.household.house import House
from commonground.datasets.household.moves import Move

Variable = tuple[str, ...]
_APPLIANCES = ("Faucet", "Microwave", "StoveKnob", "CoffeeMachine", "Toaster")


@dataclass(frozen=True, slots=True)
class Footprint:
    """The variables a move looks at, changes, and touches."""

    reads: frozenset[Variable]
    writes: frozenset[Variable]
    touches: frozenset[Variable] = frozenset()

    def must_precede(self, later: Footprint) -> bool:
        """Return whether a later move has to wait for this one."""
        changed, other = self.writes | self.touches, later.writes | later.touches
        return bool(
            (changed & later.reads)
            or (self.reads & other)
            or (self.writes & other)
            or (changed & later.writes)
        )


def footprints(house: House, moves: Sequence[Move]) -> list[Footprint] | None:
    """Return the footprints of moves made one after the other, or None if one is not possible.

    The house is changed.
    """
    found = []
    for move in moves:
        before = _footprint(house, move)
        known = set(house.visible())
        if not house.do(move).done:
            return None
        revealed = frozenset(("known", name) for name in set(house.visible()) - known)
        found.append(Footprint(before.reads, before.writes | revealed, before.touches))
    return found


def orderings(prints: Sequence[Footprint], moves: Sequence[Move]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of moves of which the first must end before the second starts."""
    for j, later in enumerate(prints):
        for i in range(j):
            if moves[i].robot == moves[j].robot or prints[i].must_precede(later):
                yield i, j


def _footprint(house: House, move: Move) -> Footprint:
    robot = move.robot
    reads: set[Variable] = {("known", name) for name in move.args}
    writes: set[Variable] = set()
    touches: set[Variable] = set()
    if move.action == "GoToObject":
        reads |= _whereabouts(house, move.args[0])
        return Footprint(frozenset(reads), frozenset({("at", robot)}))
    for name in move.args:
        reads |= _access(house, name, robot)
    name = move.args[0] if move.args else house.robots[robot].holds or ""
    writes |= _changes(house, move, name)
    if move.action in ("PickupObject", "PutObject", "DropHandObject", "ThrowObject", "BreakObject"):
        touches |= _containers(house, move, name)
        reads |= {("contents", name)}
    if move.action == "PutObject":
        reads |= _influences(house, move.args[1])
    if move.action == "SwitchOn":
        reads |= _heated(house, name)
    return Footprint(frozenset(reads), frozenset(writes), frozenset(touches))


def _access(house: House, name: str, robot: str) -> set[Variable]:
    """Return what decides whether a robot can act on an object."""
    if name not in house.bodies:
        return set()
    around = [name, *house.around(name)]
    doors = {("open", c) for c in around if house.bodies[c].can("openable")}
    own = {("at", robot), ("hand", robot), ("on", name), ("broken", name)}
    return own | doors | _whereabouts(house, name)


def _whereabouts(house: House, name: str) -> set[Variable]:
    """Return what decides where an object is."""
    around = [name, *house.around(name)]
    return {("place", c) for c in around if house.bodies[c].can("pickupable")}


def _changes(house: House, move: Move, name: str) -> set[Variable]:
    inner = [name, *house.all_contents(name)] if name in house.bodies else []
    conditions: set[Variable] = {("condition", i) for i in inner}
    placed: set[Variable] = {("hand", move.robot), ("place", name)}
    basins = _basin_contents(house, name)
    by_action: dict[str, set[Variable]] = {
        "OpenObject": {("open", name)},
        "CloseObject": {("open", name), ("on", name)},
        "SwitchOn": {("on", name), *(("condition", i) for i in basins)},
        "SwitchOff": {("on", name)},
        "PickupObject": placed,
        "PutObject": placed | conditions,
        "DropHandObject": placed,
        "ThrowObject": placed | conditions | {("broken", i) for i in inner},
        "BreakObject": {("broken", name), ("on", name), ("place", name), *conditions},
        "SliceObject": {("condition", name), ("broken", name), ("place", name)},
    }
    return by_action.get(move.action, {("condition", name)})


def _basin_contents(house: House, name: str) -> list[str]:
    """Return what an appliance works on."""
    if name not in house.bodies or house.bodies[name].type not in _APPLIANCES:
        return []
    thing = house.bodies[name].thing
    return house.all_contents(thing.serves or thing.controls or name)


def _containers(house: House, move: Move, name: str) -> set[Variable]:
    """Return the receptacles whose contents a move changes."""
    around = set(house.around(name)) if name in house.bodies else set()
    if move.action == "PutObject":
        target = house.bodies[move.args[1]].thing.basin or move.args[1]
        around |= {target, *house.around(target)}
    return {("contents", c) for c in around}


def _influences(house: House, receptacle: str) -> set[Variable]:
    """Return what decides what happens to a thing that is put somewhere: taps, ovens, free slots."""
    target = house.bodies[receptacle].thing.basin or receptacle
    around = {target, *house.around(target)}
    found: set[Variable] = {("on", c) for c in around} | {("broken", target)}
    if house.bodies[target].thing.slots is not None:
        found.add(("contents", target))
    for name, body in house.bodies.items():
        if {body.thing.serves, body.thing.controls} & around:
            found.add(("on", name))
    return found


def _heated(house: House, name: str) -> set[Variable]:
    if house.bodies[name].type not in _APPLIANCES:
        return set()
    thing = house.bodies[name].thing
    return {("contents", thing.serves or thing.controls or name)}
