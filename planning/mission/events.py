"""What a mission is told and what it decides: all that a replay needs, as lines of ``events.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from pydantic import TypeAdapter, ValidationError

from commonground.errors import RunError
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Status
from commonground.reasons import reason

Rung = Literal["first", "reroute", "replan", "reallocate", "less"]
"""How much a plan may change: the first plan, one robot's way, everybody's plan with what is known now, who
does what, what is done at all."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A robot told of itself."""

    robot: str
    status: Status


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan that was asked for, or why there is none."""

    request: int
    tasks: tuple[Task, ...] = ()
    reason: str = ""
    """Why there is none; empty for a plan."""
    assigned: Mapping[str, str] | None = None
    """Robot → the goal that is now its own."""
    searching: Mapping[str, str] | None = None
    """Thing that is not where it was → region where it is looked for next."""
    given_up: tuple[tuple[str, str], ...] = ()
    """Parts of goals that cannot be reached, in words, and why."""
    remarks: tuple[str, ...] = ()
    """What is worth knowing: what it takes for granted, what is true already, what is looked for where."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The operator approved (or not) what was proposed or asked."""

    yes: bool


@dataclass(frozen=True, slots=True)
class StopPressed:
    """Somebody wants everything to stand still."""

    why: str = "the operator said stop"


@dataclass(frozen=True, slots=True)
class Do:
    """A robot shall do a task; a motion up to so many meters of what is left of its path."""

    robot: str
    task: str
    order: str
    upto_m: float = 0.0
    from_m: float = 0.0
    """Meters of the task's path that were driven under earlier orders."""


@dataclass(frozen=True, slots=True)
class Halt:
    """A robot shall stand still."""

    robot: str
    because: str


@dataclass(frozen=True, slots=True)
class Ask:
    """A plan is needed."""

    request: int
    rung: Rung
    because: str
    robots: tuple[str, ...] = ()
    """Whose plan may change; empty for everybody's."""


@dataclass(frozen=True, slots=True)
class Consult:
    """The operator has to say yes or no."""

    question: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something that was noticed, and what it means."""

    text: str


@dataclass(frozen=True, slots=True)
class End:
    """The mission is over."""

    status: Literal["done", "partly", "failed", "stopped", "refused"]
    reason: str


Input: TypeAlias = "Heard | Planned | Answered | StopPressed"
Decision: TypeAlias = "Do | Halt | Ask | Consult | Note | End"
_KINDS = {
    kind.__name__.lower(): kind
    for kind in (Heard, Planned, Answered, StopPressed, Do, Halt, Ask, Consult, Note, End)
}


def to_json(event: Input | Decision) -> dict[str, Any]:
    """Return an event as JSON values."""
    kind = type(event).__name__.lower()
    if isinstance(event, Heard):
        return {"kind": kind, "robot": event.robot, "status": event.status.as_json()}
    if isinstance(event, Planned):
        tasks = [task.as_json() for task in event.tasks]
        return {
            "kind": kind,
            "request": event.request,
            "tasks": tasks,
            "reason": event.reason,
            "assigned": None if event.assigned is None else dict(event.assigned),
            "searching": None if event.searching is None else dict(event.searching),
            "given_up": [list(part) for part in event.given_up],
            "remarks": list(event.remarks),
        }
    values = asdict(event)
    return {"kind": kind, **{k: list(v) if isinstance(v, tuple) else v for k, v in values.items()}}


def of_json(values: object) -> Input | Decision:
    """Return the event that ``to_json`` wrote; RunError for anything else."""
    kind = values.get("kind") if isinstance(values, dict) else values
    if not isinstance(kind, str) or kind not in _KINDS:
        raise RunError(f"the journal has an event of no known kind: {kind!a:.40}")
    try:
        event: Input | Decision = _adapter(kind).validate_python(values)
    except ValidationError as error:
        raise RunError(
            f"the journal has a damaged event of kind '{kind}': {reason(error)}"
        ) from error
    return event


@cache
def _adapter(kind: str) -> TypeAdapter[Any]:
    return TypeAdapter(_KINDS[kind])
