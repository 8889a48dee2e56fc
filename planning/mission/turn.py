"""One step of a mission: when it is, and what was decided in it so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.planning.mission.events import Decision, Halt, Note


@dataclass(slots=True)
class Turn:
    """The step that a mission is in."""

    before_s: float = 0.0
    """When the step before it was."""
    now_s: float = 0.0
    decided: list[Decision] = field(default_factory=list)

    def begin(self, now_s: float) -> None:
        """Let the next step begin, in which nothing is decided yet."""
        self.before_s, self.now_s, self.decided = self.now_s, now_s, []

    def note(self, text: str) -> None:
        """Tell something."""
        self.decided.append(Note(text))

    def halt(self, robot: str, because: str) -> None:
        """Let a robot stand still."""
        self.decided.append(Halt(robot, because))
