"""Household tasks: a command, a team, and what should be true at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import Field

from commonground.config import read_yaml, validated
from commonground.datasets.household.goals import Literal as GoalLiteral
from commonground.datasets.household.goals import matches, parse_literal
from commonground.datasets.household.kinds import SLICED
from commonground.datasets.household.worlds import Floor, StateEntry, Temperature
from commonground.errors import DataError, did_you_mean
from commonground.names import Name
from commonground.settings import Settings

Skill = Literal[
    "GoToObject", "OpenObject", "CloseObject", "BreakObject", "SliceObject", "SwitchOn", "SwitchOff",
    "PickupObject", "PutObject", "DropHandObject", "ThrowObject", "PushObject", "PullObject",
]  # fmt: skip
SKILLS: tuple[Skill, ...] = get_args(Skill)


class RobotEntry(Settings):
    """A robot of a task."""

    id: Name
    kind: str = ""
    """Only a label."""
    skills: tuple[Skill, ...]
    mass_capacity: float | None = Field(default=None, ge=0)
    """Kilograms; none: unlimited."""


class HiddenEntry(Settings):
    """An object nobody knows of at first."""

    object: str
    receptacle: str
    revealed_by: Literal["open", "visit"]


class InitEntry(StateEntry):
    """How an object deviates from its world."""

    location: str | None = None
    temperature: Temperature | None = None


class TaskEntry(Settings):
    """A task of a ``tasks.yaml``."""

    id: Name
    floor: str
    category: str = ""
    text: str
    robots: tuple[RobotEntry, ...]
    init: dict[str, InitEntry] = Field(default_factory=dict)
    goal_public: tuple[str, ...] = ()
    goal_added: tuple[str, ...] = ()
    goal: tuple[str, ...] = ()
    goal_alternatives: tuple[tuple[str, ...], ...] = ()
    partial_observability: tuple[HiddenEntry, ...] = ()
    reference: dict[str, Any] = Field(default_factory=dict)


class TasksFile(Settings):
    """A ``tasks.yaml``."""

    version: Literal[1] = 1
    split: str = ""
    tasks: tuple[TaskEntry, ...] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class RobotSpec:
    """What a robot can do and lift."""

    name: str
    skills: frozenset[str]
    capacity_kg: float | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Hidden:
    """An object that is unknown until a robot opens or visits what it is in."""

    name: str
    receptacle: str
    by_opening: bool


@dataclass(frozen=True, slots=True)
class HouseholdTask:
    """A command for a team on a floor plan."""

    name: str
    floor: str
    text: str
    robots: tuple[RobotSpec, ...]
    category: str = ""
    init: Mapping[str, Mapping[str, bool | str]] = field(default_factory=dict)
    goals: tuple[tuple[GoalLiteral, ...], ...] = ()
    """Reaching all of any one of these is success."""
    hidden: tuple[Hidden, ...] = ()
    reference: Mapping[str, Any] = field(default_factory=dict)


def load_tasks(file: str | Path, worlds: Mapping[str, Floor] | None = None) -> list[HouseholdTask]:
    """Return the tasks of a file; with worlds, what they refer to must exist there."""
    values, lines = read_yaml(file)
    origin = {path: f"{file}:{line}" for path, line in lines.items()}
    read = validated(TasksFile, values, origin, str(file))
    seen: set[str] = set()
    tasks = []
    for entry in read.tasks:
        if entry.id in seen:
            raise DataError(f"{file}: task {entry.id} is there twice")
        seen.add(entry.id)
        task = _task(entry)
        if worlds is not None:
            check_task(task, worlds)
        tasks.append(task)
    return tasks


def _task(entry: TaskEntry) -> HouseholdTask:
    if not entry.robots:
        raise DataError(f"task {entry.id}: there is no robot; a team needs at least one")
    names = [robot.id for robot in entry.robots]
    if len(set(names)) < len(names):
        raise DataError(f"task {entry.id}: two robots have the same id")
    robots = tuple(
        RobotSpec(r.id, frozenset(r.skills), r.mass_capacity, r.kind) for r in entry.robots
    )
    goals = entry.goal_alternatives or (entry.goal or (*entry.goal_public, *entry.goal_added),)
    init = {
        name: {k: v for k, v in change.model_dump().items() if v is not None}
        for name, change in entry.init.items()
    }
    hidden = tuple(
        Hidden(h.object, h.receptacle, h.revealed_by == "open") for h in entry.partial_observability
    )
    literals = tuple(tuple(map(parse_literal, goal)) for goal in goals)
    return HouseholdTask(
        entry.id,
        entry.floor,
        entry.text,
        robots,
        entry.category,
        init,
        literals,
        hidden,
        entry.reference,
    )


def check_task(task: HouseholdTask, worlds: Mapping[str, Floor]) -> None:
    """Raise DataError where a task refers to a floor plan or object that does not exist."""
    floor = worlds.get(task.floor)
    if floor is None:
        raise DataError(
            f"task {task.name}: there is no floor plan '{task.floor}'.{did_you_mean(task.floor, worlds)}"
        )
    named = [*task.init, *(n for h in task.hidden for n in (h.name, h.receptacle))]
    for name in named:
        if name not in floor:
            raise DataError(
                f"task {task.name}: {task.floor} has no {name}.{did_you_mean(name, floor)}"
            )
    types = {name: thing.type for name, thing in floor.items()}
    words = {w for goal in task.goals for literal in goal for w in literal.named}
    for word in sorted(words):
        if not matches(word, types) and not matches(word.removesuffix(SLICED), types):
            known = {*types.values(), *floor}
            raise DataError(
                f"task {task.name}: its goal names {word}, and {task.floor} has none."
                f"{did_you_mean(word, known)}"
            )
