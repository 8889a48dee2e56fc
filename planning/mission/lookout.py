"""What robots tell of themselves, and what they do not: who gets on, who is lost, stuck or late.

What that breaks becomes a repair that is due; the mission has it planned.
"""

from __future__ import annotations

from collections.abc import Mapping

from commonground.planning.mission.believing import Belief
from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import Rung
from commonground.planning.mission.repair import Repair, Repairs, mending
from commonground.planning.mission.right_of_way import RightOfWay
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.mission.traffic import EPS_M, FOREIGN_M
from commonground.planning.mission.turn import Turn
from commonground.planning.robots.protocol import BATTERY_LOW, Sighting, Status

AWAY_WHYS = ("cannot be reached", "does not know where it is", "tells what cannot be")
SLOW = 1.5
"""Who took so many times as long as planned, and ``late_s`` more, is late."""
TOLD_M = 2e-3
"""Robots tell their meters rounded; who tells the end of what was granted stands there."""
REST_S = 2.0
"""Who failed and is told no reason of the world tries again after so long."""
GOT_ON_S = 0.5
"""Who did less of its plan than this stands, and another plan tells nothing new about it."""


class Lookout:
    """Hears the robots of a mission and keeps an eye on them."""

    def __init__(
        self,
        belief: Belief,
        crew: Mapping[str, Member],
        ways: RightOfWay,
        repairs: Repairs,
        settings: MissionSettings,
        turn: Turn,
    ) -> None:
        self._belief, self._crew, self._ways = belief, crew, ways
        self._repairs, self._settings, self._turn = repairs, settings, turn
        self.done: list[Task] = []

    # ---- what was told ----

    def hear(self, member: Member, status: Status) -> None:
        """Take in what a robot tells of itself."""
        before = member.status
        if not status.linked:
            self._lose(member, AWAY_WHYS[0], status.detail)
            return
        if wrong := status.wrong or member.contradiction(status):
            self._lose(member, AWAY_WHYS[2], wrong)
            self._turn.halt(member.name, wrong)
            return
        member.status = status
        self._locate(member, status)
        for sighting in status.sightings:
            self._see(member, sighting)
        if not status.localized:
            self._lose(member, AWAY_WHYS[1], status.detail)
        elif member.away_s is not None:
            self._return(member)
        if status.doubt and not before.doubt:
            self._turn.note(f"{member.name}: {status.doubt}")
        if status.battery < BATTERY_LOW <= before.battery:
            self._retire(member, "has a low battery")
        task = member.task
        if task is not None and status.order == member.order != "":
            self._progress(member, task, status)

    def _locate(self, member: Member, status: Status) -> None:
        """Take in where a robot is; under an old order it may be anywhere on its way."""
        if status.state == "running" and status.order != member.order:
            member.left_at = member.claim()
            self._turn.halt(member.name, "it still has an order that was given up")
        else:
            member.left_at = None
        if status.position is not None and member.locate(status.position, self._turn.now_s):
            self._turn.note(
                f"{member.name} is driven by somebody else; all others keep {FOREIGN_M} m more from it"
            )

    def _return(self, member: Member) -> None:
        """Let a robot that was away take part again."""
        member.away_s, member.moved_s = None, self._turn.now_s
        took_part = member.fit
        if member.why.startswith(AWAY_WHYS):
            member.fit, member.why = True, ""
        told = "" if took_part else " and takes part again"
        out = "" if member.fit else f", and takes no part any more: it {member.why}"
        self._turn.note(f"{member.name} is back{told if member.fit else out}")
        if member.strays():
            self._need("replan", f"{member.name} is not where its way goes")

    def _see(self, member: Member, sighting: Sighting) -> None:
        surprise = self._belief.see(self._turn.now_s, member.name, sighting)
        if surprise is None:
            return
        broken = self._ways.broken(surprise.false)
        self._turn.note(
            f"{member.name} saw that {surprise.text}; "
            + (f"that breaks {_tasks(len(set(broken)))}" if broken else "that breaks nothing")
        )
        if broken or surprise.reopens:
            self._need("replan", f"{surprise.text} (seen by {member.name})")

    def _progress(self, member: Member, task: Task, status: Status) -> None:
        """Take in how a robot's order goes."""
        gone = member.from_m + status.gone_m if task.moves else 0.0
        if abs(gone - member.granted_m) < TOLD_M:
            gone = member.granted_m
        if gone > member.gone_m + EPS_M:
            member.gone_m = gone
            member.get_on(self._turn.now_s)
        if status.state == "done":
            member.tries.pop(task.deed, None)
            for fault in self._belief.finish(self._turn.now_s, task):
                self._turn.note(
                    f"{member.name}: {task} was done, although {fault}; look there whether anything was "
                    "hurt or moved, and map it anew if the map is wrong"
                )
            self.done.append(task)
            if task.moves:
                member.end_motion(task)
            member.queue.pop(0)
            member.begin()
            member.moved_s = self._turn.now_s
        elif status.state == "failed":
            member.cut()
            self._failed(member, task, status)
        elif status.state == "idle" and member.order:
            member.cut()  # it stopped by itself; what is left is ordered anew

    # ---- what goes wrong ----

    def _failed(self, member: Member, task: Task, status: Status) -> None:
        """Choose the cheapest repair of a failure: again, another way, other tasks, another robot."""
        found = mending(member, task, status, self._settings)
        if status.failure == "stuck":
            member.rests_s = self._turn.now_s + REST_S
        if found.told:
            self._turn.note(found.because if found.rung else f"{found.because}; it tries again")
        if found.lost:
            self._lose(member, AWAY_WHYS[1])
        elif found.retires:
            self._retire(member, found.retires)
        elif found.rung:
            some = (member.name,) if found.rung == "reroute" else ()
            self._need(found.rung, found.because, some)

    def refuse(self, member: Member, task: Task, why: str) -> None:
        """Take in that a robot cannot do a task as things are, without asking it to."""
        refused = Status(member.position, state="failed", failure="refused", detail=why)
        self._failed(member, task, refused)

    def _lose(self, member: Member, why: str, detail: str = "") -> None:
        if member.away_s is None:
            member.away_s = self._turn.now_s
            self._turn.note(
                f"{member.name} {why}{f' ({detail})' if detail else ''}; {self._goes_on(member, why)}"
            )
            if member.fit:
                member.why = f"{why} ({detail})" if why == AWAY_WHYS[2] else why

    def _goes_on(self, member: Member, why: str) -> str:
        """Return what a robot does that is not heard: it goes on to where it may, or stands by itself."""
        left_m = member.granted_m - member.gone_m
        if why == AWAY_WHYS[0] and (member.foreign or member.left_at is not None):
            return "it may drive on"
        if why == AWAY_WHYS[0] and member.busy and left_m > EPS_M:
            return f"it may drive up to {left_m:.1f} m further"
        return "it stands still"

    def _retire(self, member: Member, why: str) -> None:
        """Let a robot take no part any more; what it had to do falls to others."""
        if not member.fit:
            return
        if member.task is not None and member.task.moves:
            self._belief.pass_by(member.task, member.gone_m)
        had = bool(member.queue) or member.name in self._belief.unreached()
        member.fit, member.why = False, why
        member.left_at = member.claim() if member.away_s is not None else None
        member.give([])
        self._turn.halt(member.name, f"{member.name} {why}")
        if had or any(m.queue for m in self._crew.values()):
            self._need("reallocate", f"{member.name} {why}")

    def watch(self, member: Member) -> None:
        """Notice what robots do not tell: silence, and that they do not get on."""
        if member.away_s is not None:
            if member.fit and self._turn.now_s - member.away_s > self._settings.lost_after_s:
                self._retire(member, _with_detail(member))
            return
        if member.fit and (again := self._belief.take_up(member.name, AWAY_WHYS)):
            parts = " and ".join(f"“{part}”" for part in again)
            self._turn.note(f"{member.name} takes up again what was given up: {parts}")
            self._need("replan", f"{member.name} is back")
        if member.is_left(self._turn.now_s):
            self._turn.note(f"{member.name} was left where it is by whoever drove it")
        task = member.task
        if task is None or not member.fit or not member.busy:
            return
        member.busy_s += self._turn.now_s - self._turn.before_s
        self._mind_time(member, task)
        limit = self._settings.stuck_after_s if task.moves else self._settings.action_timeout_s
        if self._turn.now_s - member.moved_s <= limit:
            return
        member.moved_s = self._turn.now_s
        if member.fails(task) <= self._settings.max_retries:
            self._turn.note(f"{member.name} does not get on with {task}; it tries again")
            self._turn.halt(member.name, "it does not get on")
            member.cut()
        else:
            self._retire(member, "is stuck")

    def _mind_time(self, member: Member, task: Task) -> None:
        """Tell that a robot falls behind its plan, and plan anew where others wait for it."""
        spent_s, due_s = member.time_now()
        if task.end_s <= task.start_s or spent_s <= SLOW * due_s + self._settings.late_after_s:
            return
        if not member.late:
            member.late = True
            up_to = " for the way up to here" if task.moves else ""
            self._turn.note(
                f"{member.name} is late with {task}: {due_s:.0f} s planned{up_to}, {spent_s:.0f} s gone"
            )
        if due_s <= GOT_ON_S or member.waited_for or self._repairs.due is not None:
            return  # each plan begins to count anew, and one that stands would never be stuck
        held = self._ways.held_up_by(member)
        if task.moves and held:
            member.waited_for = True
            verb = "waits" if len(held) == 1 else "wait"
            self._need("replan", f"{member.name} is late, and {' and '.join(held)} {verb} for it")

    def _need(self, rung: Rung, because: str, robots: tuple[str, ...] = ()) -> None:
        self._repairs.need(Repair(rung, because, robots))


def _with_detail(member: Member) -> str:
    """Return why a robot is away, with what its link tells where it is out of reach."""
    out = member.why == AWAY_WHYS[0] and member.status.detail
    return f"{member.why} ({out})" if out else member.why


def _tasks(count: int) -> str:
    return f"{count} task{'' if count == 1 else 's'}"
