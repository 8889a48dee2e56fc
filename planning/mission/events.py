"""What a mission is told and what it decides: all that a replay needs, as lines of ``events.jsonl``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from pydantic import TypeAdapter, ValidationError

from commonground.errors import RunError
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Status
from commonground.planning.scene.precedence import Before
from commonground.reasons import reason

Rung = Literal["first", "reroute", "replan", "reallocate", "less", "own", "join"]
"""How much a plan may change: the first plan, one robot's way, everybody's plan with what is known now, who
does what, what is done at all; ``own``: what is done at all, with each robot doing only what it was told;
``join``: everybody's plan, for what somebody wants besides."""


class GivenUp(NamedTuple):
    """A part of a goal that cannot be reached."""

    part: str
    """In words."""
    why: str
    robot: str = ""
    """Who had it."""
    goal: str = ""
    """As PDDL."""


class Moved(NamedTuple):
    """A part of a goal that another robot is to do than the one it was said to."""

    part: str
    """In words."""
    said_to: str
    now: str
    why: str = ""

    @property
    def change(self) -> tuple[str, str, str]:
        """What an operator who allows it allows, whatever it is for."""
        return self.part, self.said_to, self.now

    def __str__(self) -> str:
        why = f", because {self.why}" if self.why else ""
        return f"{self.now} does “{self.part}” in place of {self.said_to}{why}"


@dataclass(frozen=True, slots=True)
class Account:
    """What came of a part of a goal that somebody spoke."""

    said_to: str
    goal: str
    """In words."""
    by: str = ""
    """Who did it; empty where it was so at first, or was not done."""
    at_s: float | None = None
    """When; None for what was kept to all along."""
    why: str = ""
    """Why it was not done."""
    done: bool = False
    free: bool = False
    """Whether anybody may do it."""

    @property
    def by_another(self) -> bool:
        """Whether a robot was told by name to do it, and another one did."""
        return self.done and not self.free and self.by not in ("", self.said_to)

    def __str__(self) -> str:
        said = f"{self.said_to}, “{self.goal}”"
        if not self.done:
            return f"{said}: not done, {self.why}"
        if self.at_s is None:
            return f"{said}: kept to"
        if not self.by:
            since = f"when it was said, at {self.at_s:.0f} s" if self.at_s else "from the first"
            return f"{said}: it is so, and was {since}"
        instead = f" by {self.by}{' in its place' * self.by_another}" * (self.by != self.said_to)
        return f"{said}: done{instead} at {self.at_s:.0f} s"


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
    given_up: tuple[GivenUp, ...] = ()
    """Parts of goals that cannot be reached."""
    moved: tuple[Moved, ...] = ()
    """What falls to another robot than it was said to."""
    remarks: tuple[str, ...] = ()
    """What is worth knowing: what it takes for granted, what is true already, what is looked for where."""


@dataclass(frozen=True, slots=True)
class Answered:
    """The operator approved (or not) what was proposed or asked."""

    yes: bool


@dataclass(frozen=True, slots=True)
class Join:
    """Somebody wants more of a mission that is under way."""

    text: str
    """In the words in which it was said."""
    by: str
    goals: Mapping[str, str]
    """Robot → goal as PDDL; ``team`` for all of them."""
    order: tuple[Before, ...] = ()
    """What of that, and of what was wanted before, has to be done before what."""
    leeway: Mapping[str, str] = field(default_factory=dict)
    """What of the goals anybody may do."""

    def __str__(self) -> str:
        return f"{self.by or 'somebody'} says “{self.text}”"


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
    accounts: tuple[Account, ...] = ()
    """What came of each part of the goals as they were spoken."""


Input: TypeAlias = "Heard | Planned | Answered | Join | StopPressed"
Decision: TypeAlias = "Do | Halt | Ask | Consult | Note | End"
_KINDS = {
    kind.__name__.lower(): kind
    for kind in (Heard, Planned, Answered, Join, StopPressed, Do, Halt, Ask, Consult, Note, End)
}


def to_json(event: Input | Decision) -> dict[str, Any]:
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
            "moved": [list(part) for part in event.moved],
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
