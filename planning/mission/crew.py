"""One robot in a mission: its tasks, the order it has, how far it may drive, and how it fares."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats
from commonground.planning.mission.events import Do
from commonground.planning.mission.task import Task
from commonground.planning.mission.traffic import EPS_M, Piece, pieces_of
from commonground.planning.mission.views import View
from commonground.planning.robots.lines import along, nearest
from commonground.planning.robots.protocol import OFF_WAY_M, Point, Status

ONE_PLACE_M = 0.5
SEEN_S = 5.0
"""Who drove for less time tells nothing of its speed."""
SLOWEST = 0.1
STOOD_S = 5.0
"""Who got no farther for longer than this stood; that tells nothing of its speed."""
DRIVEN_M = 0.5
"""A robot that moved farther without ever having had an order is driven by somebody else."""
PARKED_S = 10.0
"""Who stands where somebody else drove it for longer is passed as any robot that stands."""
STRAY_M = 0.3
"""A robot farther from its way than this has to be planned for anew."""


@dataclass(slots=True)
class Member:
    """A robot of the team, as the mission knows it."""

    name: str
    radius_m: float
    position: Point
    """Where it was when it last knew."""
    queue: list[Task] = field(default_factory=list)
    """What it has to do, what it does now first."""
    status: Status = field(default_factory=lambda: Status(None))
    fit: bool = True
    why: str = ""
    order: str = ""
    """Key of the order it has for its first task; empty for none."""
    from_m: float = 0.0
    """Meters of the task's path that were driven under earlier orders."""
    gone_m: float = 0.0
    granted_m: float = 0.0
    """Meters of the task's path that it may drive."""
    tries: Counter[str] = field(default_factory=Counter)
    """What it does with which thing → how often that failed since it succeeded last."""
    rests_s: float = 0.0
    """Until when it is left alone after a failure: who refuses at once may be busy for a moment."""
    orders: int = 0
    moved_s: float = 0.0
    """When it last got on."""
    busy_s: float = 0.0
    """How long it was at its task, less when it waited for others."""
    spent_s: float = 0.0
    due_s: float = 0.0
    """How long it drove under this plan, up to the last task that it finished, and how long was planned."""
    drove_s: float = 0.0
    """How long it drove under this plan, less when it stood."""
    pace: float = 1.0
    """The share of its speed at which it was seen to drive; plans are made with that."""
    _planned_pace: float = 1.0
    late: bool = False
    """Whether it was told that it is behind its plan."""
    waited_for: bool = False
    """Whether all were planned anew because others wait for it."""
    away_s: float | None = None
    """Since when it cannot be reached or does not know where it is."""
    barred: frozenset[tuple[str, str]] = frozenset()
    """What it tried to do in vain, and with what: another one has to."""
    left_at: Floats | None = None
    """The line on which it is somewhere, where it was given up without being heard."""
    pieces: list[Piece] = field(default_factory=list)
    """Of the motion that comes first."""
    ends: list[Point] = field(default_factory=list)
    """Where its way was blocked."""
    foreign: bool = False
    """Whether somebody else drives it: where it will be, nobody here knows."""
    _stood: Point = (0.0, 0.0, 0.0)
    _since_s: float = 0.0

    def __post_init__(self) -> None:
        self._stood = self.position

    def locate(self, position: Point, now_s: float) -> bool:
        """Take in where it is; return whether it shows by this that somebody else drives it."""
        self.position, before = position, self.foreign
        if self.orders:
            self.foreign = False
        elif float(np.linalg.norm(np.subtract(position, self._stood))) > DRIVEN_M:
            self.foreign, self._stood, self._since_s = True, position, now_s
        return self.foreign and not before

    def is_left(self, now_s: float) -> bool:
        """Take in that whoever drove it let it stand; return whether that is new."""
        left = self.foreign and now_s - self._since_s > PARKED_S
        self.foreign = self.foreign and not left
        return left

    @property
    def task(self) -> Task | None:
        return self.queue[0] if self.queue else None

    def ends_here(self) -> int:
        """Note that its way is blocked; return how often that was so here."""
        self.ends.append(self.position)
        gaps = np.linalg.norm(np.subtract(self.ends, self.position), axis=1)
        return int((gaps < ONE_PLACE_M).sum())

    @property
    def busy(self) -> bool:
        """Whether it handles something, or may still be moving."""
        if not self.order or self.task is None:
            return False
        return not self.task.moves or self.gone_m < self.granted_m - EPS_M

    def begin(self) -> None:
        """Get ready for the task that is first now."""
        self.order, self.from_m, self.gone_m, self.granted_m = "", 0.0, 0.0, 0.0
        self.busy_s = 0.0
        task = self.task
        self.pieces = pieces_of(task) if task is not None and task.moves else []

    def give(self, queue: list[Task]) -> None:
        """Take over new tasks."""
        self.queue = queue
        self.late = self.waited_for = False
        self.spent_s = self.due_s = self.drove_s = 0.0
        self._planned_pace = self.pace
        self.begin()

    def get_on(self, now_s: float) -> None:
        """Note that it drove farther."""
        took_s, self.moved_s = now_s - self.moved_s, now_s
        if took_s <= STOOD_S:
            self.drove_s += took_s

    def end_motion(self, task: Task) -> None:
        """Add a motion that is done to what it drove under this plan."""
        self.spent_s, self.due_s = self.time(task, 1.0)

    def time(self, task: Task, share: float) -> tuple[float, float]:
        """Return how many seconds it took up to a share of its task, and how many were planned.

        All motions of a plan count together, each deed for itself.
        """
        planned_s = share * (task.end_s - task.start_s)
        if not task.moves:
            return self.busy_s, planned_s
        return self.spent_s + self.busy_s, self.due_s + planned_s

    def time_now(self) -> tuple[float, float]:
        """Return the seconds that it took so far, and how many were planned; a deed's are all of its own."""
        task = self.task
        if task is None:
            return self.spent_s, self.due_s
        return self.time(task, self.gone_m / max(task.length_m, EPS_M) if task.moves else 1.0)

    def judge_pace(self) -> None:
        """Believe of its speed what it was seen to drive, where it is late or was before."""
        deed = self.task is not None and not self.task.moves
        due_s = self.due_s if deed else self.time_now()[1]
        if (self.late or self.pace < 1.0) and self.drove_s > SEEN_S:
            self.pace = min(1.0, max(SLOWEST, self._planned_pace * due_s / self.drove_s))

    def go_on(self, task: Task) -> Do:
        """Return the order to do a task as far as is granted: the one it has, or a new one."""
        if not self.order:
            self.orders += 1
            self.order = f"{task.key}#{self.orders}"
        return Do(self.name, task.key, self.order, self.granted_m - self.from_m, self.from_m)

    def cut(self) -> None:
        """Note that its order is over before its task is: the rest of the way becomes another order."""
        self.order = ""
        self.from_m = self.granted_m = self.gone_m

    def claim(self, upto_m: float | None = None) -> Floats:
        """Return the line (k, 3) that it may be on: from where it is to where it may drive."""
        if self.left_at is not None:
            return self.left_at
        here = np.array(self.position, float)[None]
        limit = self.granted_m if upto_m is None else upto_m
        ahead = [
            p.b for p in self.pieces if p.end_m > self.gone_m + EPS_M and p.begin_m < limit - EPS_M
        ]
        if not ahead or limit <= self.gone_m + EPS_M:
            return here
        return np.concatenate([here, np.array(ahead, float)])

    def fails(self, task: Task) -> int:
        """Note that a task failed; return how often. A new plan gives the same task another key."""
        self.tries[task.deed] += 1
        return self.tries[task.deed]

    def contradiction(self, status: Status) -> str:
        """Return how what it tells of its way denies where it says that it is, else ''."""
        task = self.task
        if task is None or not task.moves or status.position is None:
            return ""
        if not self.order or status.order != self.order:
            return ""
        gone_m = min(self.from_m + status.gone_m, task.length_m)
        if status.state == "done":
            gone_m = task.length_m
        # who gave its order up, as when nobody was heard, may have driven on as far as was granted
        upto_m = max(gone_m, self.granted_m) if status.state == "idle" else gone_m
        line = np.array(task.path, float)
        _, away_m = nearest(line, np.array(status.position[:2]), gone_m, upto_m)
        if away_m <= OFF_WAY_M:
            return ""
        return f"it says that {gone_m:.1f} m of its way lie behind it, and is {away_m:.1f} m from there"

    def strays(self) -> bool:
        """Return whether it is not where it should be on the way it has."""
        if self.task is None or not self.task.moves:
            return False
        there = along(np.array(self.task.path, float), self.gone_m)
        return bool(np.linalg.norm(there - np.array(self.position)) > STRAY_M)

    def view(self) -> View:
        """Return what a planner has to know of it."""
        line = (
            () if self.left_at is None else tuple((p[0], p[1], p[2]) for p in self.left_at.tolist())
        )
        holding = self.status.holding
        return View(self.position, self.fit, self.why, holding, line, self.barred, self.pace)
