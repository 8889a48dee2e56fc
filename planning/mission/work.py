"""Missions without ways: skills of robots that wait for each other, as in households and workshops.

Whoever plans them knows what is true there; the loop keeps the order, hears what fails, and asks for more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from commonground.errors import PlanningError
from commonground.planning.mission.believing import Surprise
from commonground.planning.mission.events import Account, GivenUp, Join, Planned
from commonground.planning.mission.task import Task
from commonground.planning.robots.protocol import Point, Sighting

NOWHERE: Point = (0.0, 0.0, 0.0)


@dataclass(slots=True)
class WorkBelief:
    """What is still to be done, and what was."""

    robots: tuple[str, ...]
    goals: dict[str, str]
    """Whose goal → what it is, until a plan says that nothing is left of it."""
    done: list[Task] = field(default_factory=list)
    given_up: list[GivenUp] = field(default_factory=list)
    searching: Mapping[str, str] = field(default_factory=dict)
    _said: tuple[tuple[str, str], ...] = ()
    _last_s: float = 0.0

    def __post_init__(self) -> None:
        self._said = tuple(self.goals.items())

    def members(self) -> list[tuple[str, float, Point]]:
        """Return the robots; nothing is known of where they are, so they are in nobody's way."""
        return [(name, 0.0, NOWHERE) for name in self.robots]

    def see(self, now_s: float, robot: str, sighting: Sighting) -> Surprise | None:
        """Take no notice: whoever plans looks around by itself."""
        return None

    def beyond(self, task: Task, position: Point) -> str:
        """Refuse nothing: there are no positions."""
        return ""

    def finish(self, now_s: float, task: Task) -> list[str]:
        self._last_s = now_s
        self.done.append(task)
        return []

    def pass_by(self, task: Task, gone_m: float) -> None:
        """Take no notice: there are no ways."""

    def stand(self, name: str, position: Point) -> None:
        """Take no notice: there are no positions."""

    def adopt(self, planned: Planned) -> None:
        """Take over what is left of the goals."""
        if planned.assigned is not None:
            self.goals = dict(planned.assigned)
        self.given_up += [part for part in planned.given_up if part not in self.given_up]

    def copied(self) -> WorkBelief:
        return replace(
            self, goals=dict(self.goals), done=list(self.done), given_up=list(self.given_up)
        )

    def take_in(self, now_s: float, more: Join) -> None:
        """Refuse it: whoever plans such work has all of it from the first."""
        raise PlanningError("work is planned as a whole; begin it anew with all that is wanted")

    def take_up(self, robot: str, whys: tuple[str, ...]) -> list[str]:
        """Want nothing again: whoever plans knows who takes part."""
        return []

    def searched_in_vain(self) -> None:
        """Take no notice: nothing is searched by region."""

    def accounts(self, now_s: float, end: str = "") -> tuple[Account, ...]:
        """Return what came of each goal; all robots work on all of them."""
        robots = " and ".join(dict.fromkeys(task.robot for task in self.done))
        lost = "; ".join(dict.fromkeys(one.why for one in self.given_up)) or end
        return tuple(
            Account(name, goal, why=lost or "nobody did it", free=True)
            if name in self.goals or lost
            else Account(name, goal, robots, self._last_s, done=True, free=True)
            for name, goal in self._said
        )

    def unreached(self) -> list[str]:
        """Return whose goals are not reached."""
        return list(self.goals)


def in_order(tasks: Sequence[Task], before: Iterable[tuple[int, int]]) -> tuple[Task, ...]:
    """Return tasks of which some wait for others, by their places: (first, second)."""
    needs: dict[int, set[tuple[str, ...]]] = {}
    for first, second in before:
        if tasks[first].robot != tasks[second].robot:
            needs.setdefault(second, set()).add(("done", tasks[first].key))
    return tuple(
        replace(
            task,
            adds=task.adds | {("done", task.key)},
            needs=task.needs | frozenset(needs.get(k, ())),
        )
        for k, task in enumerate(tasks)
    )
