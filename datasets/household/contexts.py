"""Effects without an action: running water cleans, ovens heat, fridges cool."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from commonground.datasets.household.kinds import COOKABLE_SLICES, DRINKWARE, STOVEWARE

if TYPE_CHECKING:
    from commonground.datasets.household.house import House

__all__ = ["COOKABLE_SLICES", "settle"]


def settle(house: House) -> None:
    """Apply what the running appliances do to what is in them."""
    for name, body in list(house.bodies.items()):
        effect = _EFFECTS.get(body.type)
        if effect is not None:
            effect(house, name)


def _faucet(house: House, name: str) -> None:
    body = house.bodies[name]
    if body.is_("on") and body.thing.serves is not None:
        for i in house.all_contents(body.thing.serves):
            house.bodies[i].state["clean"] = True
            if house.bodies[i].can("fillable"):
                house.bodies[i].state["filled"] = True


def _microwave(house: House, name: str) -> None:
    if house.bodies[name].is_("on") and not house.bodies[name].is_("open"):
        _heat(house, house.all_contents(name))


def _knob(house: House, name: str) -> None:
    body = house.bodies[name]
    if body.is_("on") and body.thing.controls is not None:
        for pan in house.contents(body.thing.controls):
            if house.bodies[pan].type in STOVEWARE:
                _heat(house, [pan, *house.all_contents(pan)])


def _coffee(house: House, name: str) -> None:
    if house.bodies[name].is_("on"):
        for i in house.contents(name):
            if house.bodies[i].type in DRINKWARE:
                house.bodies[i].state |= {"filled": True, "temperature": "HOT"}


def _toaster(house: House, name: str) -> None:
    if house.bodies[name].is_("on"):
        for i in house.contents(name):
            if house.bodies[i].type == "BreadSliced":
                house.bodies[i].state |= {"toasted": True, "cooked": True, "temperature": "HOT"}


def _fridge(house: House, name: str) -> None:
    for i in house.all_contents(name):
        house.bodies[i].state["temperature"] = "COLD"


def _heat(house: House, names: Iterable[str]) -> None:
    for name in names:
        house.bodies[name].state["temperature"] = "HOT"
        if house.bodies[name].can("cookable"):
            house.bodies[name].state["cooked"] = True


_EFFECTS = {
    "Faucet": _faucet,
    "Microwave": _microwave,
    "StoveKnob": _knob,
    "CoffeeMachine": _coffee,
    "Toaster": _toaster,
    "Fridge": _fridge,
}
