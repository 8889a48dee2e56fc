"""The mission's loop: from what robots tell to what they shall do next, the same way every time.

``Mission.step`` is all of it: it reads no clock, asks no planner and sends nothing. What it is told and what
it decides go into the journal, so that a mission can be resumed, replayed and explained.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Generic, Literal

from commonground.errors import CommongroundError, RunError
from commonground.planning.mission.believing import B
from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import (
    Answered,
    Ask,
    Consult,
    Decision,
    Do,
    End,
    Heard,
    Input,
    Join,
    Planned,
    Rung,
    StopPressed,
)
from commonground.planning.mission.lookout import Lookout
from commonground.planning.mission.repair import Ending, Repair, Repairs, above
from commonground.planning.mission.right_of_way import RightOfWay
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.mission.task import Task, in_a_row
from commonground.planning.mission.traffic import EPS_M
from commonground.planning.mission.turn import Turn
from commonground.planning.mission.views import View

Phase = Literal["planning", "proposed", "running", "settling", "asking", "over"]


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
        self.end: End | None = None
        self._turn = Turn()
        self._repairs = Repairs(settings)
        self._ways = RightOfWay(self.crew)
        self._lookout = Lookout(belief, self.crew, self._ways, self._repairs, settings, self._turn)
        self._deadlocks = 0
        self._ending = Ending()
        self._approved = False
        self._offer: tuple[Ask, Planned] | None = None
        """A plan in which robots do what others were told, or more, while the operator is asked for it."""
        self.joining: Join | None = None
        """What somebody wants besides, until that is taken in or left out."""
        self.joined: list[Join] = []
        """What was taken in so far."""
        self._allowed: set[tuple[str, ...]] = set()
        """What of that the operator allowed."""
        self._told: set[str] = set()
        """Remarks of plans."""
        self._no_way = ""
        """Why there was no plan the last time."""
        self.question = ""
        """What the operator was asked last."""

    @property
    def done(self) -> list[Task]:
        """The tasks that are done."""
        return self._lookout.done

    @property
    def asked(self) -> Ask | None:
        """The plan that was asked for and has not come."""
        return self._repairs.asked

    @property
    def offered(self) -> Planned | None:
        """The plan for more than was wanted before, while the operator is asked for it."""
        return self._offer[1] if self._offer is not None and self._offer[0].rung == "join" else None

    def plans_on(self) -> B:
        """Return the belief that the plan which is asked for is made on.

        Until somebody approves it, nothing that is wanted besides is believed: a copy has it.
        """
        if self.joining is None or self.asked is None or self.asked.rung != "join":
            return self.belief
        return self._joined(self.belief.copied(), self.joining)

    # ---- the main path ----

    def step(self, now_s: float, inputs: Sequence[Input]) -> list[Decision]:
        """Take in what was told, repair what it breaks, and let robots go on."""
        self._turn.begin(now_s)
        if self.phase == "planning" and self.asked is None:
            self._ask("first", "the mission begins", ())
        for told in inputs:
            if self.phase != "over":
                self._take_in(told)
        if self.phase in ("running", "settling"):
            for member in self.crew.values():
                self._lookout.watch(member)
            self._settle()
        if self.phase == "running":
            for member in self.crew.values():
                self._go_on(member)
            self._conclude()
        return self._turn.decided

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
            self._lookout.hear(self.crew[told.robot], told.status)
        elif isinstance(told, Planned):
            self._take_over(told)
        elif isinstance(told, Answered):
            self._answered(told.yes)
        elif self.joining is None:
            self.joining = told
        else:
            self._turn.note(f"“{told.text}” is not taken in: other words wait for their plan")

    # ---- repair ----

    def _settle(self) -> None:
        """Ask for the plan once those whose plan may change stand still."""
        due = self._repairs.due
        if due is None and self.joining is not None:  # after all that has to be repaired
            due = Repair("join", str(self.joining))
        self.phase = "running" if due is None else "settling"
        if due is None:
            return
        members = [self.crew[n] for n in due.robots or self.crew]
        if any(m.busy and m.fit and m.away_s is None for m in members):
            return
        if due.rung == "join" and self.joining is not None:
            return self._ask_besides(due, self.joining)
        self._pass_by(self.belief, members)
        self._repairs.due = None
        self._ask(*due)

    @staticmethod
    def _pass_by(belief: B, members: Iterable[Member]) -> None:
        for member in members:
            if member.task is not None and member.task.moves:
                belief.pass_by(member.task, member.gone_m)

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
        self._turn.decided.append(asked)

    def _take_over(self, plan: Planned) -> None:
        """Take over a plan, or climb to the next rung where there is none."""
        asked = self._repairs.answered(plan)
        if asked is None:
            return
        if asked.rung == "join":
            return self._offer_more(asked, plan)
        if (
            not plan.reason
            and asked.rung == "reroute"
            and self._ways.crosses(plan.tasks, asked.robots)
        ):
            plan = Planned(plan.request, reason="the other way crosses that of another robot")
        if plan.reason:
            self._no_plan(asked, plan.reason)
            return
        moved = self._changes(plan)
        if moved and self._approved:
            self._offer = asked, plan
            self.phase = "asking"
            listed = "; ".join(moved)
            self._consult(f"{listed}; without that it is given up. Go ahead?")
            return
        self._adopt(asked, plan)

    def _changes(self, plan: Planned) -> list[str]:
        """Return what a plan has others do than who was told to, and nobody has allowed yet."""
        return [str(one) for one in plan.moved if one.change not in self._allowed]

    def _adopt(self, asked: Ask, plan: Planned) -> None:
        """Let robots do what a plan has for them, once the operator approved the first one."""
        self.belief.adopt(plan)
        self._hand_out(plan.tasks, asked.robots or tuple(self.crew))
        self._repairs.adopted(asked)
        told = [*self._changes(plan), *plan.remarks]
        self._allowed |= {one.change for one in plan.moved}
        remarks = [line for line in told if line not in self._told]
        self._told |= set(remarks)
        for line in remarks:
            self._turn.note(line)
        if self._approved:
            self._resume()
            return
        self.phase = "proposed"
        self._consult(f"{_listed(remarks, plan)}. Go ahead?")

    def _hand_out(self, tasks: Sequence[Task], names: Sequence[str]) -> None:
        """Give some robots new tasks; one that is not heard may still follow its old ones."""
        for name in names:
            member = self.crew[name]
            if member.away_s is not None:
                member.left_at = member.claim()
            member.give([t for t in tasks if t.robot == name])
            member.moved_s = self._turn.now_s
        self._ways.work_out()

    def _resume(self) -> None:
        # something else may have gone wrong while the plan was made
        self.phase = "running" if self._repairs.due is None else "settling"

    def _no_plan(self, asked: Ask, reason: str) -> None:
        """Climb to the next rung; at the top the operator is asked."""
        again, self._no_way = reason == self._no_way, reason
        self._turn.note(f"no plan ({asked.rung}){' either' if again else f': {reason}'}")
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
        self._turn.decided.append(Consult(question))

    def _answered(self, yes: bool) -> None:
        if self.phase == "proposed":
            if not yes:
                self._finish(End("refused", "the plan was not approved"))
                return
            self._approved = True
            self._resume()
        elif self.phase == "asking":
            offer, self._offer = self._offer, None
            if offer is not None and self.joining is not None and offer[0].rung == "join":
                self._decide(offer, self.joining, yes)
            elif offer is not None and yes:
                self._adopt(*offer)
            elif offer is not None:
                self._ask("own", "the operator leaves to each robot what it was told", ())
            elif yes:
                self._ask("less", "the operator goes on with what is possible", ())
            else:
                self._finish(End("failed", "the operator did not go on without what is impossible"))

    # ---- more than was wanted before ----

    def _joined(self, belief: B, more: Join) -> B:
        """Let a belief want more, from where everybody stands."""
        self._pass_by(belief, self.crew.values())
        for name, member in self.crew.items():
            if member.fit:
                belief.stand(name, member.position)
        belief.take_in(self._turn.now_s, more)
        return belief

    def _ask_besides(self, due: Repair, more: Join) -> None:
        """Ask for one plan for what is left and what is new; all stand until it is approved or not."""
        try:
            self._joined(self.belief.copied(), more)
        except CommongroundError as error:
            return self._leave_out(str(error))
        asked = self._repairs.ask(due)
        if asked is not None:
            self.phase = "planning"
            self._turn.decided.append(asked)

    def _offer_more(self, asked: Ask, plan: Planned) -> None:
        """Ask the operator for a plan with what is new; without one, all is as it was."""
        if plan.reason:
            return self._leave_out(plan.reason)
        self._offer = asked, plan
        self.phase = "asking"
        told = [*self._changes(plan), *plan.remarks]
        self._consult(f"{self.joining}. With that, {_listed(told, plan)}. Take it in?")

    def _decide(self, offer: tuple[Ask, Planned], more: Join, yes: bool) -> None:
        """Take in what is new with its plan, or go on with all as it was."""
        if not yes:
            return self._leave_out("it was not approved")
        self._joined(self.belief, more)
        self.joined.append(more)
        self.joining = None
        self._adopt(*offer)

    def _leave_out(self, why: str) -> None:
        """Let everybody go on with what was under way: nothing of it was touched."""
        if self.joining is not None:
            self._turn.note(
                f"“{self.joining.text}” is not taken in: {why}; what was under way goes on as it was"
            )
        self.joining = None
        self._resume()

    # ---- going on ----

    def _go_on(self, member: Member) -> None:
        """Let a robot begin its next task, or drive on as far as is granted."""
        task = member.task
        if task is None or not member.fit or member.away_s is not None:
            return
        if self._turn.now_s < member.rests_s:
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
        elif beyond := self.belief.beyond(task, member.position):
            return self._lookout.refuse(member, task, beyond)
        if waited:
            member.moved_s = self._turn.now_s
        self._turn.decided.append(member.go_on(task))

    def _conclude(self) -> None:
        """End the mission when nothing is left, look further, or see that robots block each other."""
        if not any(m.queue for m in self.crew.values()):
            found = self._ending.of(self.belief, len(self.done), self._turn.now_s)
            if isinstance(found, End):
                self._finish(found)
            else:
                self._ask("replan", found, ())
            return
        if any(m.away_s is not None and m.fit for m in self.crew.values()):
            return
        latest = max(m.moved_s for m in self.crew.values())
        if any(m.busy for m in self.crew.values()) or (
            self._turn.now_s - latest <= self.settings.deadlock_after_s
        ):
            return
        self._deadlocks += 1
        if self._deadlocks > self.settings.max_deadlocks:
            self._finish(End("failed", "robots wait for each other, and new plans did not help"))
            return
        self._repairs.need(Repair("replan", "robots wait for each other"))
        self._settle()

    def _finish(self, end: End) -> None:
        """End the mission with every robot standing still."""
        if self.joining is not None:
            self._turn.note(f"“{self.joining.text}” is not taken in: the mission is over")
        for member in self.crew.values():
            self._turn.halt(member.name, f"the mission is over ({end.status})")
        why = "it was stopped" if end.status == "stopped" else end.reason
        self.end = end = replace(end, accounts=self.belief.accounts(self._turn.now_s, why))
        self._turn.decided.append(end)
        self.phase = "over"


def _listed(told: Iterable[str], plan: Planned) -> str:
    """Return what is to be known of a plan, what it has robots do, and how far and how long that goes."""
    tasks = in_a_row(f"{t.robot}: {t}" for t in plan.tasks)
    meters = sum(t.length_m for t in plan.tasks if t.moves)
    end_s = max((t.end_s for t in plan.tasks), default=0.0)
    long = [f"{meters:.0f} m and about {end_s:.0f} s in all"] if meters and end_s else []
    return "; ".join([*told, "; ".join(tasks) or "nothing is left to do", *long])
