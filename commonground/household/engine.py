"""Household commands in the engine of all missions: a course of repairs is what its plans come from."""

from __future__ import annotations

from collections.abc import Mapping

from commonground.errors import PlanningError
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call, Part, Trace
from commonground.grounding.repair.mission import HouseholdMission
from commonground.grounding.repair.report import Report
from commonground.household.bridge import imagined
from commonground.household.schedule import MOVE_S, order_of, starts_s
from commonground.household.surroundings import SimulatedSurroundings, move_of
from commonground.planning.mission.events import Ask, GivenUp, Planned
from commonground.planning.mission.journal import Journal
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Operator, Runner
from commonground.planning.mission.settings import MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.mission.views import View
from commonground.planning.mission.work import NOWHERE, WorkBelief, in_order
from commonground.planning.robots.workers import WorkWorld

SETTINGS = MissionSettings(max_plans=1000, max_retries=1000)
"""How often a command is planned, and a skill tried, is limited by the settings of its repairs."""
TEAM = "team"


class CoursePlanner:
    """Hands out the parts of a course as plans, and tells the course what came of each."""

    def __init__(self, mission: HouseholdMission, text: str, house: SimulatedSurroundings) -> None:
        self._mission, self._house = mission, house
        self._course = mission.course(text)
        self._told: Trace | None = None
        self._done = self._failed = 0
        """So much of what the belief and the house hold was told to the course."""
        self.report: Report | None = None

    def plan(self, belief: WorkBelief, ask: Ask, views: Mapping[str, View]) -> Planned:
        """Return the next part of the course, or why there is none any more."""
        while self.report is None:
            part = self._next(belief)
            if part is not None and part.calls:
                return Planned(ask.request, tasks_of(part, self._mission.graph, ask.request))
        if self.report.status == "done":
            return Planned(ask.request, assigned={})
        if ask.rung != "less":
            return Planned(ask.request, reason=self.report.message)
        lost = tuple(GivenUp(goal, self.report.message) for goal in belief.goals.values())
        return Planned(ask.request, assigned={}, given_up=lost)

    def _next(self, belief: WorkBelief) -> Part | None:
        """Go on with the course to the next part of it; None at its end."""
        try:
            if self._told is None:
                self._told = Trace()
                return next(self._course)
            return self._course.send(self._trace(belief))
        except StopIteration as end:
            self.report = end.value
            return None

    def _trace(self, belief: WorkBelief) -> Trace:
        """Return what came of the part that was handed out last."""
        done = tuple(Call(t.robot, t.kind, t.args) for t in belief.done[self._done :])
        failed = self._house.failed[self._failed :]
        self._done, self._failed = len(belief.done), len(self._house.failed)
        if not failed:
            return Trace(done)
        move, outcome = failed[0]
        call = Call(move.robot, move.action, move.args)
        return Trace(done, call, outcome.reason, outcome.about)


def tasks_of(part: Part, graph: HouseGraph, request: int) -> tuple[Task, ...]:
    """Return the calls of a part as tasks that wait for each other where their effects ask for it."""
    order = order_of([move_of(call) for call in part.calls], imagined(graph)) | set(part.waits)
    tasks = [
        Task(
            f"{call.robot}/{request}.{k}",
            call.robot,
            call.skill,
            call.args[0] if call.args else "",
            (NOWHERE,),
            start_s=start_s,
            end_s=start_s + MOVE_S,
            args=call.args,
        )
        for k, (call, start_s) in enumerate(
            zip(part.calls, starts_s(len(part.calls), order), strict=True)
        )
    ]
    return in_order(tasks, order)


def carry_out(
    mission: HouseholdMission,
    text: str,
    house: SimulatedSurroundings,
    *,
    operator: Operator = lambda question: True,
    journal: Journal | None = None,
) -> Report:
    robots = tuple(house.house.robots)
    world = WorkWorld(robots, house.take_effect, lambda *_: MOVE_S)
    planner = CoursePlanner(mission, text, house)
    belief = WorkBelief(robots, {TEAM: text})
    Runner(Mission(belief, SETTINGS), planner, world.robots, world, operator, journal).run()
    if planner.report is None:
        raise PlanningError("the mission ended before its command was done or given up")
    return planner.report
