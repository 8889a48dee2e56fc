"""Worlds: the objects of each floor plan, where they are and in which state, read and checked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.datasets.household.kinds import FLOOR, NEEDED, Affordance
from commonground.errors import DataError, did_you_mean
from commonground.settings import Settings

Temperature = Literal["ROOM", "HOT", "COLD"]


class StateEntry(Settings):
    """The state of an object; what is not given is false."""

    open: bool | None = None
    on: bool | None = None
    sliced: bool | None = None
    broken: bool | None = None
    filled: bool | None = None
    cooked: bool | None = None
    toasted: bool | None = None
    clean: bool | None = None
    moved: bool | None = None
    temperature: Temperature | None = None


class ThingEntry(Settings):
    """An object of a floor plan."""

    type: str
    mass: float | None = Field(default=None, ge=0)
    """Kilograms; none: unknown, or too heavy to matter."""
    affordances: tuple[Affordance, ...] = ()
    location: str | None = None
    state: StateEntry = StateEntry()
    slots: int | None = Field(default=None, ge=1, le=100_000)
    """Most objects it takes."""
    serves: str | None = None
    """The basin a faucet fills."""
    controls: str | None = None
    """The burner a knob heats."""
    basin: str | None = None
    """What a sink or bathtub stands for."""


class FloorEntry(Settings):
    """A floor plan."""

    objects: dict[str, ThingEntry]


class WorldsFile(Settings):
    """A ``worlds.yaml``."""

    version: Literal[1] = 1
    seed: int | None = None
    semantics: dict[str, Any] = Field(default_factory=dict)
    """For people; the simulator is what it describes."""
    floors: dict[str, FloorEntry]


@dataclass(frozen=True, slots=True)
class Thing:
    """An object as it is at first."""

    name: str
    type: str
    mass_kg: float | None = None
    affordances: frozenset[str] = frozenset()
    location: str | None = None
    state: Mapping[str, bool | str] = field(default_factory=lambda: MappingProxyType({}))
    slots: int | None = None
    serves: str | None = None
    controls: str | None = None
    basin: str | None = None

    def can(self, affordance: str) -> bool:
        """Return whether it has an affordance."""
        return affordance in self.affordances


Floor = Mapping[str, Thing]
"""The objects of a floor plan by name."""


def load_worlds(file: str | Path) -> dict[str, Floor]:
    """Return the floor plans of a ``worlds.yaml``; whatever is inconsistent in it is an error."""
    values, lines = read_yaml(file)
    origin = {path: f"{file}:{line}" for path, line in lines.items()}
    read = validated(WorldsFile, _spelled(values), origin, str(file))
    return {
        name: check_floor({i: _thing(i, entry) for i, entry in floor.objects.items()}, name)
        for name, floor in read.floors.items()
    }


def _spelled(values: Any) -> Any:
    """Return plain values with the key ``on`` as it was meant; unquoted, YAML reads it as true."""
    if isinstance(values, dict):
        return {"on" if k is True else k: _spelled(v) for k, v in values.items()}
    return values


def _thing(name: str, entry: ThingEntry) -> Thing:
    state = {k: v for k, v in entry.state.model_dump().items() if v is not None}
    return Thing(
        name,
        entry.type,
        entry.mass,
        frozenset(entry.affordances),
        entry.location,
        MappingProxyType(state),
        entry.slots,
        entry.serves,
        entry.controls,
        entry.basin,
    )


def check_floor(floor: Floor, name: str) -> Floor:
    """Return a floor plan, or raise DataError for the first thing about it that cannot be."""
    for thing in floor.values():
        where = f"{name}: {thing.name}"
        for role in ("location", "serves", "controls", "basin"):
            other = getattr(thing, role)
            if other is not None and other not in floor:
                hint = did_you_mean(other, floor)
                raise DataError(f"{where}: its {role} '{other}' does not exist.{hint}")
        _check_place(thing, floor, where)
        _check_state(thing, where)
    filled = Counter(thing.location for thing in floor.values())
    for thing in floor.values():
        if thing.slots is not None and filled[thing.name] > thing.slots:
            raise DataError(
                f"{name}: {thing.name} holds {filled[thing.name]} objects but has {thing.slots} slots"
            )
    return floor


def _check_place(thing: Thing, floor: Floor, where: str) -> None:
    if thing.location is not None and not floor[thing.location].can("receptacle"):
        raise DataError(f"{where}: is in {thing.location}, which is no receptacle")
    around, seen = thing.location, [thing.name]
    while around is not None:
        if around in seen:
            circle = " in ".join([*seen[seen.index(around) :], around])
            raise DataError(f"{where}: objects contain each other: {circle}")
        seen.append(around)
        around = floor[around].location


def _check_state(thing: Thing, where: str) -> None:
    for key, affordance in NEEDED.items():
        if thing.state.get(key) is True and not thing.can(affordance):
            raise DataError(f"{where}: is said to be {key} but is not {affordance}")
    if thing.state.get("on") and thing.state.get("broken"):
        raise DataError(f"{where}: is said to be both on and broken")
    if thing.type == "Microwave" and thing.state.get("on") and thing.state.get("open"):
        raise DataError(f"{where}: is said to be running with its door open")
    if thing.type == FLOOR and thing.location is not None:
        raise DataError(f"{where}: the floor cannot be inside {thing.location}")
