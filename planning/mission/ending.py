"""What becomes of a mission when all of its tasks are done: over, or more to be planned."""

from __future__ import annotations

from commonground.planning.mission.believing import Belief
from commonground.planning.mission.events import End


class Ending:
    """Decides it; a goal that is missed twice without anything done between is given up."""

    def __init__(self) -> None:
        self._missed_after = -1
        """So many tasks were done when all were done and a goal was missed."""

    def of(self, belief: Belief, done: int) -> End | str:
        """Return how the mission ends after so many tasks, or why a new plan is needed."""
        if belief.searching:
            looked = ", ".join(f"{t} is not in {r}" for t, r in belief.searching.items())
            belief.searched_in_vain()
            return looked
        missed = belief.unreached()
        if missed:
            because = f"all tasks are done, but not the goal of {', '.join(missed)}"
            if self._missed_after == done:
                return End("failed", f"{because}, and a new plan has nothing more to do")
            self._missed_after = done
            return because
        lost = "; ".join(f"{part}: {why}" for part, why in belief.given_up)
        if not lost:
            return End("done", "")
        return End("partly" if done else "failed", lost)
