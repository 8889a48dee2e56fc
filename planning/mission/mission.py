"""The mission's loop: from what robots tell to what they shall do next, the same way every time.

``Mission.step`` is all of it: it reads no clock, asks no planner and sends nothing. What it is told and what
it decides go into the journal, so that a mission can be resumed, replayed and explained.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal

from commonground.errors import RunError
from commonground.planning.mission.believing import B
from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import (
    Answered,
    Ask,
    Consult,
    Decision,
    Do,
    End,
    Halt,
    Heard,
    Input,
    Note,
    Planned,
    Rung,
    StopPressed,
)
from commonground.planning.mission.repair import Ending, Repair, Repairs, above, mending
from commonground.planning.mission.right_of_way import RightOfWay
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.mission.task import Task, in_a_row
from commonground.planning.mission.traffic import EPS_M
from commonground.planning.mission.views import View
from commonground.planning.robots.protocol import Sighting, Status

Phase = Literal["planning", "proposed", "running", "settling", "asking", "over"]
AWAY_WHYS = ("cannot be reached", "does not know where it is")
BATTERY_LOW = 0.15
SLOW = 1.5
"""Who took so many times as long as planned, and ``late_s`` more, is late."""
GOT_ON_S = 0.5
"""Who did less of its plan than this stands, and another plan tells nothing new about it."""


class Mission(Generic[B]):
    """A mission from its goals to its end, over what it believes of its world."""

    def __init__(self, belief: B, settings: MissionSettings = DEFAULTS) -> None:
        self.belief = belief
        self.settings = settings
        self.phase: Phase = "planning"
        self.crew = {
            name: Member(name, radius_m, position)
            for name, radius_m, position in self.belief.members()
        }
        self.done: list[Task] = []
        self.end: End | None = None
        self._repairs = Repairs(settings)
        self._before_s = self._now_s = 0.0
        self._out: list[Decision] = []
        self._ways = RightOfWay(self.crew)
        self._deadlocks = 0
        self._ending = Ending()
        self._approved = False
        self._told: set[str] = set()
        """Remarks of plans."""
        self.question = ""
        """What the operator was asked last."""

    @property
    def asked(self) -> Ask | None:
        """The plan that was asked for and has not come."""
        return self._repairs.asked

    # ---- the main path ----

    def step(self, now_s: float, inputs: Sequence[Input]) -> list[Decision]:
        """Take in what was told, repair what it breaks, and let robots go on."""
        self._before_s, self._now_s, self._out = self._now_s, now_s, []
        if self.phase == "planning" and self.asked is None:
            self._ask("first", "the mission begins", ())
        for told in inputs:
            if self.phase != "over":
                self._take_in(told)
        if self.phase in ("running", "settling"):
            for member in self.crew.values():
                self._watch(member)
        if self.phase == "settling":
            self._settle()
        if self.phase == "running":
            for member in self.crew.values():
                self._go_on(member)
            self._conclude()
        return self._out

    def views(self) -> dict[str, View]:
        """Return what a planner has to know of the robots."""
        return {name: member.view() for name, member in self.crew.items()}

    def orders(self) -> list[tuple[Do, Task]]:
        """Return the orders that robots have now, to be said again after an interruption."""
        return [(m.go_on(m.task), m.task) for m in self.crew.values() if m.order and m.task]

    # ---- what was told ----

    def _take_in(self, told: Input) -> None:
        if isinstance(told, StopPressed):
            self._finish(End("stopped", told.why))
        elif isinstance(told, Heard):
            if told.robot not in self.crew:
                raise RunError(f"{told.robot} is no robot of this mission")
            self._hear(self.crew[told.robot], told.status)
        elif isinstance(told, Planned):
            self._take_over(told)
        elif isinstance(told, Answered):
            self._answered(told.yes)

    def _hear(self, member: Member, status: Status) -> None:
        """Take in what a robot tells of itself."""
        before = member.status
        if not status.linked:
            self._lose(member, AWAY_WHYS[0], status.detail)
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
            self._note(f"{member.name}: {status.doubt}")
        if status.battery < BATTERY_LOW <= before.battery:
            self._retire(member, "has a low battery")
        task = member.task
        if task is not None and status.order == member.order != "":
            self._progress(member, task, status)

    def _locate(self, member: Member, status: Status) -> None:
        """Take in where a robot is; under an old order it may be anywhere on its way."""
        if status.state == "running" and status.order != member.order:
            member.left_at = member.claim()
            self._out.append(Halt(member.name, "it still has an order that was given up"))
        else:
            member.left_at = None
        if status.position is not None:
            member.position = status.position

    def _return(self, member: Member) -> None:
        """Let a robot that was away take part again."""
        member.away_s, member.moved_s = None, self._now_s
        self._note(f"{member.name} is back")
        if member.why in AWAY_WHYS:
            member.fit, member.why = True, ""
        if member.strays():
            self._need("replan", f"{member.name} is not where its way goes")

    def _see(self, member: Member, sighting: Sighting) -> None:
        surprise = self.belief.see(self._now_s, member.name, sighting)
        if surprise is None:
            return
        broken = self._ways.broken(surprise.false)
        self._note(
            f"{member.name} saw that {surprise.text}; "
            + (f"that breaks {len(set(broken))} tasks" if broken else "that breaks nothing")
        )
        if broken or surprise.reopens:
            self._need("replan", f"{surprise.text} (seen by {member.name})")

    def _progress(self, member: Member, task: Task, status: Status) -> None:
        """Take in how a robot's order goes."""
        gone = member.from_m + status.gone_m if task.moves else 0.0
        if gone > member.gone_m + EPS_M:
            member.gone_m = gone
            member.get_on(self._now_s)
        if status.state == "done":
            for fault in self.belief.finish(task):
                self._note(f"{member.name}: {task} was done, although {fault}")
            self.done.append(task)
            if task.moves:
                member.end_motion(task)
            member.queue.pop(0)
            member.begin()
            member.moved_s = self._now_s
        elif status.state == "failed":
            member.cut()
            self._failed(member, task, status)
        elif status.state == "idle" and member.order:
            member.cut()  # it stopped by itself; what is left is ordered anew

    # ---- what goes wrong ----

    def _failed(self, member: Member, task: Task, status: Status) -> None:
        """Choose the cheapest repair of a failure: again, another way, other tasks, another robot."""
        found = mending(member, task, status, self.settings)
        if found.told:
            self._note(found.because if found.rung else f"{found.because}; it tries again")
        if found.lost:
            self._lose(member, AWAY_WHYS[1])
        elif found.retires:
            self._retire(member, found.retires)
        elif found.rung:
            some = (member.name,) if found.rung == "reroute" else ()
            self._need(found.rung, found.because, some)

    def _lose(self, member: Member, why: str, detail: str = "") -> None:
        if member.away_s is None:
            member.away_s = self._now_s
            self._note(f"{member.name} {why}{f' ({detail})' if detail else ''}; it stands still")
            if member.fit:
                member.why = why

    def _retire(self, member: Member, why: str) -> None:
        """Let a robot take no part any more; what it had to do falls to others."""
        if not member.fit:
            return
        if member.task is not None and member.task.moves:
            self.belief.pass_by(member.task, member.gone_m)
        had = bool(member.queue) or member.name in self.belief.unreached()
        member.fit, member.why = False, why
        member.left_at = member.claim() if member.away_s is not None else None
        member.give([])
        self._out.append(Halt(member.name, f"{member.name} {why}"))
        if had or any(m.queue for m in self.crew.values()):
            self._need("reallocate", f"{member.name} {why}")

    def _watch(self, member: Member) -> None:
        """Notice what robots do not tell: silence, and that they do not get on."""
        if member.away_s is not None:
            if member.fit and self._now_s - member.away_s > self.settings.away_s:
                self._retire(member, member.why)
            return
        task = member.task
        if task is None or not member.fit or not member.busy:
            return
        member.busy_s += self._now_s - self._before_s
        self._mind_time(member, task)
        limit = self.settings.stuck_s if task.moves else self.settings.deed_s
        if self._now_s - member.moved_s <= limit:
            return
        member.tries[task.key] += 1
        member.moved_s = self._now_s
        if member.tries[task.key] <= self.settings.retries:
            self._note(f"{member.name} does not get on with {task}; it tries again")
            self._out.append(Halt(member.name, "it does not get on"))
            member.cut()
        else:
            self._retire(member, "is stuck")

    def _mind_time(self, member: Member, task: Task) -> None:
        """Tell that a robot falls behind its plan, and plan anew where others wait for it."""
        spent_s, due_s = member.time_now()
        if task.end_s <= task.start_s or spent_s <= SLOW * due_s + self.settings.late_s:
            return
        if not member.late:
            member.late = True
            self._note(
                f"{member.name} is late with {task}: {due_s:.0f} s planned, {spent_s:.0f} s gone"
            )
        if due_s <= GOT_ON_S or member.waited_for or self.phase != "running":
            return  # each plan begins to count anew, and one that stands would never be stuck
        held = self._ways.held_up_by(member)
        if task.moves and held:
            member.waited_for = True
            verb = "waits" if len(held) == 1 else "wait"
            self._need("replan", f"{member.name} is late, and {' and '.join(held)} {verb} for it")

    # ---- repair ----

    def _need(self, rung: Rung, because: str, robots: tuple[str, ...] = ()) -> None:
        """Ask for a repair at a rung; a higher rung wins over a lower one that is waiting."""
        self._repairs.need(Repair(rung, because, robots))
        if self.phase == "running":
            self.phase = "settling"

    def _settle(self) -> None:
        """Ask for the plan once those whose plan may change stand still."""
        due = self._repairs.due
        if due is None:
            self.phase = "running"
            return
        members = [self.crew[n] for n in due.robots or self.crew]
        if any(m.busy and m.fit and m.away_s is None for m in members):
            return
        for member in members:
            if member.task is not None and member.task.moves:
                self.belief.pass_by(member.task, member.gone_m)
        self._repairs.due = None
        self._ask(*due)

    def _ask(self, rung: Rung, because: str, robots: tuple[str, ...]) -> None:
        asked = self._repairs.ask(Repair(rung, because, robots))
        if asked is None:
            self._finish(End("failed", f"after {self._repairs.count} plans: {because}"))
            return
        for name, member in self.crew.items():
            member.judge_pace()
            if member.fit and (not robots or name in robots):
                self.belief.stand(name, member.position)
        self.phase = "planning"
        self._out.append(asked)

    def _take_over(self, plan: Planned) -> None:
        """Take over a plan, or climb to the next rung where there is none."""
        asked = self._repairs.answered(plan)
        if asked is None:
            return
        if (
            not plan.reason
            and asked.rung == "reroute"
            and self._ways.crosses(plan.tasks, asked.robots)
        ):
            plan = Planned(plan.request, reason="the other way crosses that of another robot")
        if plan.reason:
            self._no_plan(asked, plan.reason)
            return
        self.belief.adopt(plan)
        self._hand_out(plan.tasks, asked.robots or tuple(self.crew))
        self._repairs.adopted(asked)
        remarks = [line for line in plan.remarks if line not in self._told]
        self._told |= set(remarks)
        for line in remarks:
            self._note(line)
        if self._approved:
            self._resume()
            return
        self.phase = "proposed"
        listed = (
            "; ".join(in_a_row(f"{t.robot}: {t}" for t in plan.tasks)) or "nothing is left to do"
        )
        listed = "; ".join([*remarks, listed])
        self._consult(f"{listed}. Go ahead?")

    def _hand_out(self, tasks: Sequence[Task], names: Sequence[str]) -> None:
        """Give some robots new tasks; one that is not heard may still follow its old ones."""
        for name in names:
            member = self.crew[name]
            if member.away_s is not None:
                member.left_at = member.claim()
            member.give([t for t in tasks if t.robot == name])
            member.moved_s = self._now_s
        self._ways.work_out()

    def _resume(self) -> None:
        self.phase = "running"
        if self._repairs.due is not None:  # something else went wrong while the plan was made
            self.phase = "settling"

    def _no_plan(self, asked: Ask, reason: str) -> None:
        """Climb to the next rung; at the top the operator is asked."""
        self._note(f"no plan ({asked.rung}): {reason}")
        higher = above(asked.rung)
        if higher is None:
            self._finish(End("failed", reason))
        elif higher == "less":
            self.phase = "asking"
            self._consult(f"{reason}. Go on with what is possible?")
        else:
            self._ask(higher, reason, ())

    def _consult(self, question: str) -> None:
        self.question = question
        self._out.append(Consult(question))

    def _answered(self, yes: bool) -> None:
        if self.phase == "proposed":
            if not yes:
                self._finish(End("refused", "the plan was not approved"))
                return
            self._approved = True
            self._resume()
        elif self.phase == "asking":
            if yes:
                self._ask("less", "the operator goes on with what is possible", ())
            else:
                self._finish(End("failed", "the operator did not go on without what is impossible"))

    # ---- going on ----

    def _go_on(self, member: Member) -> None:
        """Let a robot begin its next task, or drive on as far as is granted."""
        task = member.task
        if task is None or not member.fit or member.away_s is not None:
            return
        if member.left_at is not None or not self._ways.may_begin(task):
            return
        waited = not member.busy
        if task.moves:
            upto = self._ways.grant(member, task)
            whole = upto >= task.length_m - 1e-3
            if upto <= member.granted_m + EPS_M and (member.order or not whole):
                return
            member.granted_m = upto
        elif member.order:
            return
        if waited:
            member.moved_s = self._now_s
        self._out.append(member.go_on(task))

    def _conclude(self) -> None:
        """End the mission when nothing is left, look further, or see that robots block each other."""
        if not any(m.queue for m in self.crew.values()):
            found = self._ending.of(self.belief, len(self.done))
            if isinstance(found, End):
                self._finish(found)
            else:
                self._ask("replan", found, ())
            return
        if any(m.away_s is not None and m.fit for m in self.crew.values()):
            return
        latest = max(m.moved_s for m in self.crew.values())
        if any(m.busy for m in self.crew.values()) or (
            self._now_s - latest <= self.settings.waiting_s
        ):
            return
        self._deadlocks += 1
        if self._deadlocks > self.settings.deadlocks:
            self._finish(End("failed", "robots wait for each other, and new plans did not help"))
            return
        self._need("replan", "robots wait for each other")
        self._settle()

    def _finish(self, end: End) -> None:
        """End the mission with every robot standing still."""
        for member in self.crew.values():
            self._out.append(Halt(member.name, f"the mission is over ({end.status})"))
        self.end = end
        self._out.append(end)
        self.phase = "over"

    def _note(self, text: str) -> None:
        self._out.append(Note(text))
