"""A mission's surroundings and planner: the simulated household, and Fast Downward with schedules."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.datasets.household.house import House
from commonground.datasets.household.moves import Move, Outcome
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.domain import skill_call
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.repair.acting import Call, Sight
from commonground.grounding.repair.report import Planned
from commonground.household.bridge import believed, imagined, thing_facts
from commonground.household.schedule import MOVE_S, order_of, starts_s
from commonground.planning.downward import FastDownward
from commonground.planning.downward.configurations import Mode
from commonground.planning.pddl import Step, Task
from commonground.planning.result import PlanResult, Status
from commonground.planning.robots.workers import Skill

PATIENCE = 20.0
"""A search may take so many times its processor time on a machine that is busy."""


def move_of(call: Call) -> Move:
    """Return a call as the simulator takes it."""
    return Move(call.robot, call.skill, call.args)


class SimulatedSurroundings:
    """A simulated house, with what was done in it and when."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.moves: list[Move] = []
        self.failed: list[tuple[Move, Outcome]] = []

    def take_effect(self, skill: Skill) -> str:
        """Let a skill take effect in the house; return why it did not, else ''."""
        move = Move(skill.robot, skill.name, skill.things, skill.start_s, skill.end_s)
        outcome = self.house.do(move)
        if outcome.done:
            self.moves.append(move)
        else:
            self.failed.append((move, outcome))
        return outcome.reason

    def look(self) -> Sight:
        """Return what can be seen from where the robots stand, and what they hold."""
        house = self.house
        places = {robot.at for robot in house.robots.values()}
        seen = [
            name
            for name in house.visible()
            if house.site(name) in places and house.is_accessible(name)
        ]
        held = [r.holds for r in house.robots.values() if r.holds is not None]
        things = {*seen, *held, *(i for name in held for i in house.all_contents(name))}
        facts = [fact for name in things for fact in thing_facts(house, name)]
        for robot in house.robots.values():
            facts += robot_state(house, robot.spec.name)
        complete = frozenset(name for name in seen if _in_full_view(house, name))
        return Sight(tuple(sorted(facts)), complete, frozenset(things))

    def predict(self, graph: HouseGraph, calls: Sequence[Call]) -> HouseGraph:
        house = imagined(graph)
        for call in calls:
            house.do(move_of(call))
        expected = believed(house)
        for name in house.robots:
            for fact in robot_state(house, name):
                expected.tell(fact)
        return _merged(graph, expected)


def robot_state(house: House, name: str) -> list[Fact]:
    """Return where a robot is and what it holds."""
    robot = house.robots[name]
    facts = [] if robot.at is None else [Fact(name, "at", robot.at)]
    return facts + ([] if robot.holds is None else [Fact(name, "holds", robot.holds)])


def _in_full_view(house: House, name: str) -> bool:
    body = house.bodies[name]
    return body.can("receptacle") and (not body.can("openable") or body.is_("open"))


def _merged(graph: HouseGraph, expected: HouseGraph) -> HouseGraph:
    """Return the expected facts; what was only supposed and still stands stays supposed."""
    for fact, before in graph.supposed.items():
        if fact in expected.facts:
            expected.supposed[fact] = before
    expected.doubted = set(graph.doubted)
    return expected


class ShortestPlanner:
    """Fast Downward; of the plans it finds in the time given, the one that is carried out soonest."""

    def __init__(self, downward: FastDownward, improve_s: float = 0.0) -> None:
        self.downward = downward
        self.improve_s = improve_s

    def plan(
        self, task: Task, graph: HouseGraph, limit_s: float, *, quick: bool = False
    ) -> Planned:
        """Return the plan that is carried out soonest, or whether it is proven that there is none."""
        if self.improve_s <= 0 or quick:
            return _planned(self._solve(task, limit_s))
        found: list[PlanResult] = []
        last = self._solve(task, min(self.improve_s, limit_s), found.append)
        plans = [tuple(result.plan) for result in (*found, last) if result.solved]
        if plans:
            best = min(plans, key=lambda plan: (_makespan(plan, graph), len(plan)))
            return Planned(best, cpu_s=_cpu_s(last))
        if last.status is Status.UNSOLVABLE:
            return _planned(last)
        return _planned(self._solve(task, limit_s), _cpu_s(last))

    def _solve(
        self, task: Task, limit_s: float, on_plan: Callable[[PlanResult], None] | None = None
    ) -> PlanResult:
        """Plan; however much else runs, the search has its processor time."""
        mode: Mode = "first" if on_plan is None else "anytime"
        patience_s = PATIENCE * (limit_s + 1.0)
        return self.downward.solve(
            task, mode, time_limit_s=patience_s, cpu_limit_s=limit_s, on_plan=on_plan
        )


def _planned(result: PlanResult, before_s: float = 0.0) -> Planned:
    cpu_s = before_s + _cpu_s(result)
    if result.solved:
        return Planned(tuple(result.plan), cpu_s=cpu_s)
    return Planned(None, result.status is Status.UNSOLVABLE, cpu_s)


def _cpu_s(result: PlanResult) -> float:
    return sum(result.time_s.get(name, 0.0) for name in ("translate_cpu", "search_cpu"))


def _makespan(plan: Sequence[Step], graph: HouseGraph) -> float:
    moves = [move_of(Call(*skill_call(step.action, step.args))) for step in plan]
    starts = starts_s(len(moves), order_of(moves, imagined(graph)))
    return max(starts, default=-MOVE_S) + MOVE_S
