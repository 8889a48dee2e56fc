"""Crews → who does it: robots by name, all, one, the other, those that are able, the nearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from commonground.grounding import meaning as m
from commonground.grounding.english.utterance import Crew
from commonground.grounding.orders.phrases import Phrases
from commonground.grounding.resolver.choice import Unclear

Ability = Literal["", "goto", "inspect", "pick", "place"]
ABILITIES: Mapping[str, Ability] = {
    "": "", "pick things up": "pick", "inspect": "inspect", "carry": "pick", "drive there": "goto",
}  # fmt: skip
CHOICES: Mapping[str, Callable[[tuple[str, ...]], m.Who]] = {
    "named": lambda names: m.Who(names=names),
    "each": lambda names: m.Who(names=names),
    "either": lambda names: m.Who(names=names, choose="one"),
    "all": lambda names: m.Who(names=names),
    "all but": lambda names: m.Who(but=names),
    "any one": lambda names: m.Who(names=names, choose="one"),
    "other": lambda names: m.Who(names=names, choose="other"),
    "able": lambda names: m.Who(names=names, choose="one"),
    "nearest": lambda names: m.Who(names=names, choose="one"),
    "unnamed": lambda names: m.Who(names=names, choose="same"),
}

NAMED = ("named", "each", "either", "all but")
"""What takes names."""


def who_of(crew: Crew, phrases: Phrases) -> m.Who:
    who = CHOICES[crew.choose](tuple(n.text.strip() for n in crew.names))
    if crew.choose in NAMED and not crew.names:
        raise Unclear("Which robot is that for?")
    near: m.Reference | None = None
    if crew.near is not None:
        near = phrases.reference(crew.near)
    elif crew.choose == "nearest":
        near = m.Thing()
    return m.Who(who.names, who.but, who.choose, ABILITIES[crew.can], near=near)
