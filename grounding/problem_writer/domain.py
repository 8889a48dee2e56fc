"""The planning domain of the household, and how facts and goals are written in it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from commonground.planning.pddl import Domain, parse_domain

SKILLS = {
    "GoToObject": "go", "OpenObject": "open", "CloseObject": "close", "SwitchOn": "on", "SwitchOff": "off",
    "PickupObject": "pick", "PutObject": "put", "DropHandObject": "drop", "ThrowObject": "throw",
    "BreakObject": "break", "SliceObject": "slice", "PushObject": "push", "PullObject": "pull",
}  # fmt: skip
"""Skill of a robot → the end of its predicate ``has-skill-…``."""
ACTIONS = {
    "go": "GoToObject", "go-to-item": "GoToObject", "open": "OpenObject", "close": "CloseObject",
    "switch-on": "SwitchOn", "switch-on-faucet": "SwitchOn", "switch-on-microwave": "SwitchOn",
    "switch-on-knob": "SwitchOn", "switch-on-coffee-machine": "SwitchOn", "switch-on-toaster": "SwitchOn",
    "switch-off": "SwitchOff", "pick": "PickupObject", "pick-from-limited": "PickupObject",
    "put": "PutObject", "put-in-limited": "PutObject", "drop": "DropHandObject", "throw": "ThrowObject",
    "break": "BreakObject", "slice": "SliceObject", "push": "PushObject", "pull": "PullObject",
}  # fmt: skip
"""Action of the domain → the skill it uses."""
_TARGET = {"GoToObject": (2,), "PutObject": (1, 2)}
"""Places of the arguments that the skill is called with; of others it is the second one."""
APPLIANCES = {
    "Microwave": "microwave", "CoffeeMachine": "coffee-machine", "Toaster": "toaster", "Faucet": "faucet",
    "StoveKnob": "knob",
}  # fmt: skip
STATE_PREDICATES = {
    "SLICED": "sliced", "COOKED": "cooked", "ON": "on", "OFF": "off", "OPENED": "open", "CLOSED": "closed",
    "BROKEN": "broken", "CLEAN": "clean", "FILLED": "filled", "HOT": "hot", "COLD": "cold",
    "TOASTED": "toasted", "MOVED": "moved",
}  # fmt: skip
"""State of a goal → predicate; EMPTY is the absence of contents."""


@cache
def household_domain() -> Domain:
    """Return the domain."""
    text = files(__package__).joinpath("data/household.pddl").read_text()
    return parse_domain(text, source="household.pddl")


def skill_call(action: str, args: tuple[str, ...]) -> tuple[str, str, tuple[str, ...]]:
    """Return robot, skill and arguments of a step of a plan."""
    skill = ACTIONS[action]
    return args[0], skill, tuple(args[i] for i in _TARGET.get(skill, (1,)))
