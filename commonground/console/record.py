"""One mission as operators see it: where it stands, and where it may go from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from commonground.errors import RunError
from commonground.live.joining import said

if TYPE_CHECKING:
    from commonground.grounding.answers import Grounding
    from commonground.planning.mission.task import Task
    from commonground.planning.scene import Before

State = Literal[
    "draft", "grounded", "planned", "approved", "running", "done", "partly", "failed", "stopped",
    "discarded",
]  # fmt: skip
NEXT: Mapping[State, tuple[State, ...]] = {
    "draft": ("grounded", "discarded"),
    "grounded": ("planned", "failed", "discarded"),
    "planned": ("approved", "failed", "discarded"),
    "approved": ("running", "failed", "stopped"),
    "running": ("done", "partly", "failed", "stopped"),
    "done": (),
    "partly": (),
    "failed": (),
    "stopped": (),
    "discarded": (),
}
"""Where a mission may go; nothing goes back, and only what was approved is ever carried out."""
CARRIED: tuple[State, ...] = ("approved", "running")
"""Robots may have orders."""


@dataclass(frozen=True, slots=True)
class MissionRecord:
    """What all operators know of a mission at one moment."""

    number: int
    """Counts the missions of this console."""
    text: str
    state: State = "draft"
    by: str = ""
    """Who said it."""
    approved_by: str = ""
    answer: Grounding | None = None
    goals: Mapping[str, str] | None = None
    name: str = ""
    """Of the mission's folder; empty until there is one."""
    tasks: tuple[Task, ...] = ()
    """The plan that holds now."""
    driven: tuple[Task, ...] = ()
    """What was driven of ways that another plan cut off."""
    plans: int = 0
    """How many plans there were, the repaired ones among them."""
    question: str = ""
    """What the mission asks the operators now."""
    reason: str = ""
    """Why it ended as it did."""
    paused: bool = False
    replaced: str = ""
    """Who put it in the place of whose draft, where that was somebody else's."""
    warned: tuple[str, ...] = ()
    """Who was told so when he approved."""
    chosen: tuple[str, ...] = ()
    """What was chosen among the candidates of questions back."""
    joined: tuple[str, ...] = ()
    """What was said besides, while it was under way, and taken in."""
    again: bool = False
    """Whether it was interrupted, and is taken up again."""

    @property
    def said(self) -> str:
        """The instruction with what was chosen."""
        return said(self.text, self.chosen)

    @property
    def order(self) -> Sequence[Before]:
        """What of the goals has to be done before what."""
        return () if self.answer is None else self.answer.order

    @property
    def leeway(self) -> Mapping[str, str]:
        """What of the goals anybody may do."""
        return {} if self.answer is None else self.answer.leeway

    @property
    def asks(self) -> str:
        """What has to be answered before anything goes on; a plan that waits for approval is no question."""
        return self.question if self.state in ("grounded", "running") else ""

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return not NEXT[self.state]

    def moved(self, state: State, **changes: Any) -> MissionRecord:
        """Return the record in its next state; RunError where it may not go there."""
        if state not in NEXT[self.state]:
            raise RunError(f"mission {self.number} is {self.state}; it cannot become {state}")
        return replace(self, state=state, **changes)
