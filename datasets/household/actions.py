"""The actions of robots: what each needs and changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from commonground.datasets.household.house import Body, House, Worker
from commonground.datasets.household.kinds import SHATTERING, takes
from commonground.datasets.household.moves import Move, Outcome

_EPSILON_KG = 1e-9
FLOOR_NAME = "Floor_1"


class _CannotError(Exception):
    """An action is not possible now; caught in `perform`."""

    def __init__(self, reason: str, *about: str) -> None:
        super().__init__(reason)
        self.about = about


def perform(house: House, move: Move, *, slipped: bool = False) -> Outcome:
    """Change the house by a move, or say why it is not possible; with ``slipped`` it just fails."""
    try:
        robot = house.robots.get(move.robot)
        if robot is None:
            _cannot(f"no robot {move.robot}")
        if move.action not in robot.spec.skills:
            _cannot(f"{move.robot} lacks the skill {move.action}", move.robot)
        action = _ACTIONS.get((move.action, len(move.args)))
        if action is None:
            _cannot(f"wrong arguments for {move.action}: {', '.join(move.args)}")
        for name in move.args:
            _known(house, name)
        if slipped:
            _cannot(f"{move} did not work this time")
        action(house, robot, *move.args)
    except _CannotError as problem:
        return Outcome(False, str(problem), problem.about)
    return Outcome(True)


def _cannot(reason: str, *about: str) -> NoReturn:
    raise _CannotError(reason, *about)


def _need(holds: bool, reason: str, *about: str) -> None:
    if not holds:
        _cannot(reason, *about)


def _known(house: House, name: str) -> Body:
    _need(name in house.bodies, f"no object {name}", name)
    _need(name not in house.hidden, f"{name} has not been discovered", name)
    return house.bodies[name]


def _near(house: House, robot: Worker, name: str, *, hand: bool = False) -> Body:
    """Return an object the robot can act on from where it stands, or that it holds."""
    carrier = house.carrier(name)
    if carrier is not None:
        if hand and carrier == robot.spec.name:
            return house.bodies[name]
        _cannot(f"{name} is held by {carrier}", name)
    _need(robot.at == house.site(name), f"{robot.spec.name} is not at {name}", name)
    if not house.is_accessible(name):
        closed = [c for c in house.around(name) if not house.bodies[c].is_("open")]
        _cannot(f"{name} is inside a closed receptacle", name, *closed)
    return house.bodies[name]


def _lift(house: House, robot: Worker, name: str) -> None:
    load, most = house.load_kg(name), robot.spec.capacity_kg
    if most is not None and load > most + _EPSILON_KG:
        _cannot(f"{robot.spec.name} can lift {most:g} kg, not {load:.3f} kg", name)


def _go(house: House, robot: Worker, name: str) -> None:
    if house.carrier(name) is not None:
        _cannot(f"{name} is in a robot's hand", name)
    robot.at = house.site(name)


def _open(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name, hand=True)
    _need(body.can("openable"), f"{name} cannot be opened", name)
    _need(not body.is_("open"), f"{name} is open already", name)
    if body.type == "Microwave" and body.is_("on"):
        _cannot(f"{name} is running", name)
    body.state["open"] = True


def _close(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name, hand=True)
    _need(body.can("openable"), f"{name} cannot be closed", name)
    _need(body.is_("open"), f"{name} is closed already", name)
    body.state["open"] = False
    if body.type == "Laptop":
        body.state["on"] = False


def _switch_on(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name, hand=True)
    _need(body.can("toggleable"), f"{name} cannot be switched", name)
    _need(not body.is_("on"), f"{name} is on already", name)
    _need(not body.is_("broken"), f"{name} is broken", name)
    if body.type == "Microwave" and body.is_("open"):
        _cannot(f"{name} is open", name)
    if body.type == "Laptop" and not body.is_("open"):
        _cannot(f"{name} is closed", name)
    body.state["on"] = True


def _switch_off(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name, hand=True)
    _need(body.can("toggleable"), f"{name} cannot be switched", name)
    _need(body.is_("on"), f"{name} is off already", name)
    body.state["on"] = False


def _pick(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name)
    _need(body.can("pickupable"), f"{name} cannot be picked up", name)
    if robot.holds is not None:
        _cannot(f"{robot.spec.name} holds {robot.holds}", robot.holds)
    if body.is_("broken") and body.type in SHATTERING:
        _cannot(f"{name} is in pieces", name)
    _lift(house, robot, name)
    robot.holds, body.inside = name, None


def _put(house: House, robot: Worker, name: str, receptacle: str) -> None:
    _need(robot.holds == name, f"{robot.spec.name} does not hold {name}", name)
    receptacle = house.bodies[receptacle].thing.basin or receptacle
    if receptacle == name or name in house.around(receptacle):
        _cannot(f"{name} cannot be put inside itself", name)
    target = _near(house, robot, receptacle)
    _need(target.can("receptacle"), f"{receptacle} is not a receptacle", receptacle)
    _need(not target.is_("broken"), f"{receptacle} is broken", receptacle)
    if target.can("openable") and not target.is_("open"):
        _cannot(f"{receptacle} is closed", receptacle)
    _need(
        takes(target.type, house.bodies[name].type),
        f"{receptacle} does not take {name}",
        receptacle,
        name,
    )
    slots = target.thing.slots
    if slots is not None and len(house.contents(receptacle)) >= slots:
        _cannot(f"{receptacle} is full", receptacle)
    house.bodies[name].inside, robot.holds = receptacle, None


def _drop(house: House, robot: Worker, name: str) -> None:
    _need(robot.holds == name, f"{robot.spec.name} does not hold {name}", name)
    house.bodies[name].inside, robot.holds = FLOOR_NAME, None


def _drop_any(house: House, robot: Worker) -> None:
    _drop(house, robot, robot.holds or _cannot(f"{robot.spec.name} holds nothing"))


def _throw(house: House, robot: Worker, name: str) -> None:
    _drop(house, robot, name)
    for i in (name, *house.all_contents(name)):
        if house.bodies[i].can("breakable"):
            _smash(house, i)


def _throw_any(house: House, robot: Worker) -> None:
    _throw(house, robot, robot.holds or _cannot(f"{robot.spec.name} holds nothing"))


def _smash(house: House, name: str) -> None:
    body = house.bodies[name]
    body.state |= {"broken": True, "on": False, "filled": False}
    if body.type in SHATTERING:
        for i in house.contents(name):
            house.bodies[i].inside = body.inside


def _break(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name, hand=True)
    _need(body.can("breakable"), f"{name} cannot be broken", name)
    _need(not body.is_("broken"), f"{name} is broken already", name)
    if robot.holds == name and body.type in SHATTERING:
        body.inside, robot.holds = FLOOR_NAME, None
    _smash(house, name)


def _slice(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name)
    _need(body.can("sliceable"), f"{name} cannot be sliced", name)
    _need(not body.is_("sliced"), f"{name} is sliced already", name)
    _need(not body.is_("broken"), f"{name} is broken", name)
    if robot.holds is None or house.bodies[robot.holds].type != "Knife":
        _cannot(f"{robot.spec.name} holds no Knife", name)
    body.state["sliced"] = True
    number = name.rsplit("_", 1)[-1]
    for k in (1, 2):
        house.add_slice(f"{body.type}Sliced_{number}_{k}", name)
    body.mass_kg = round(body.mass_kg * 0.8, 4)


def _push(house: House, robot: Worker, name: str) -> None:
    body = _near(house, robot, name)
    _need(body.can("moveable") or body.can("pickupable"), f"{name} cannot be moved", name)
    _lift(house, robot, name)
    body.state["moved"] = True


_ACTIONS: dict[tuple[str, int], Callable[..., None]] = {
    ("GoToObject", 1): _go,
    ("OpenObject", 1): _open,
    ("CloseObject", 1): _close,
    ("SwitchOn", 1): _switch_on,
    ("SwitchOff", 1): _switch_off,
    ("PickupObject", 1): _pick,
    ("PutObject", 2): _put,
    ("DropHandObject", 0): _drop_any,
    ("DropHandObject", 1): _drop,
    ("ThrowObject", 0): _throw_any,
    ("ThrowObject", 1): _throw,
    ("BreakObject", 1): _break,
    ("SliceObject", 1): _slice,
    ("PushObject", 1): _push,
    ("PullObject", 1): _push,
}
"""By name and number of arguments."""
