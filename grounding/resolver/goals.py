"""Goal maker: a meaning becomes a goal for each robot, with the reasons."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.grounding.guard import check_goal
from commonground.grounding.meaning import AVOIDING, TOLD, Act, Assignment, Instruction, Task, Thing
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.resolver.choice import Joined, Pick, Unclear, only, symbols_of
from commonground.grounding.resolver.draft import Both, Draft, close, open_picks
from commonground.grounding.resolver.geometry import distances, robot_anchor
from commonground.grounding.resolver.memory import Memory
from commonground.grounding.resolver.order import Turn, order_of, turns_of
from commonground.grounding.resolver.references import MAX_CHOICES, Resolver
from commonground.grounding.resolver.roles import Roles, all_roles, keeps_all_out
from commonground.grounding.resolver.scope import Reason, Scope
from commonground.grounding.resolver.tasks import (
    Done,
    Group,
    Stage,
    Tasks,
    Work,
    settled_stages,
    without_mentions,
)
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.world import World
from commonground.planning.pddl import TRUE, Formula, simplify
from commonground.planning.scene import Before
from commonground.robots import Robot

NEEDS = {"inspect": "inspect", "pick": "pick", "take": "pick", "place": "place"}
"""The ability that a task needs."""


@dataclass(frozen=True, slots=True)
class Goals:
    """Goals by robot, with the reasons for what was chosen."""

    by_robot: dict[str, Formula]
    reasons: tuple[Reason, ...] = ()
    order: tuple[Before, ...] = ()
    """What of the goals has to be done before what."""
    leeway: Mapping[str, Formula] = field(default_factory=dict)
    """What of the goals the words leave to whoever is best placed; the rest is for who was named."""
    cost_m: float = 0.0
    """Meters from the robots to what they were given, the measure by which roles are handed out."""


class GoalMaker:
    """Grounds meanings on one world."""

    def __init__(self, world: World, settings: GroundingSettings) -> None:
        self.world, self.settings = world, settings
        self.resolver = Resolver(world, settings)
        self.tasks = Tasks(self.resolver)

    def goals(self, meaning: Instruction) -> Goals:
        """Return the goals that an instruction gives; Unclear with a question if it gives none.

        Roles that are left open (``one of you``) go to robots that can do the work, nearest first.
        """
        best: Goals | None = None
        problem: Unclear | None = None
        every = all_roles(meaning.assignments, self.resolver)
        for roles in every:
            try:
                found = self._with_roles(meaning.assignments, roles, weigh=len(every) > 1)
            except Unclear as unclear:
                problem = problem or unclear
                continue
            if best is None or found.cost_m < best.cost_m - 1e-9:
                best = found
        if best is None:
            raise problem or Unclear("There is nothing to do in that. What should the robots do?")
        return best

    def _with_roles(self, assignments: Sequence[Assignment], roles: Roles, *, weigh: bool) -> Goals:
        """Ground every assignment in turn, then close and check each robot's goal."""
        stages: dict[str, list[Stage]] = {}
        reasons: dict[Reason, None] = {}
        memory = Memory()
        for told, (assignment, robots) in enumerate(zip(assignments, roles, strict=True)):
            mention = isinstance(assignment.task, Act) and assignment.task.do in TOLD
            for robot in reversed(robots[:1] if mention else robots):
                scope = Scope(robot, memory if robot is robots[0] else memory.copy())
                work = self._work(assignment, scope)
                reasons.update(dict.fromkeys(scope.reasons))
                if not mention:
                    stages.setdefault(robot.name, []).append(Stage(work, assignment.then, told))
            if assignment.who.choose == "share" and len(robots) > 1 and not mention:
                self._share(stages, robots, assignment.task)
        goals, order, leeway = self._checked(stages, turns_of(assignments, roles), assignments)
        team = {robot.name: robot for robot in self.world.team}
        cost = sum(self._meters(team[name], stages[name]) for name in goals) if weigh else 0.0
        return Goals(goals, tuple(reasons), order, leeway, cost)

    def _work(self, assignment: Assignment, scope: Scope) -> Work:
        near = assignment.who.near
        if near is not None and near != Thing():
            self.resolver.resolve(near, ANY, scope)  # it may be what the task is about
        return self.tasks.resolve(assignment.task, scope)

    def _checked(
        self, stages: dict[str, list[Stage]], turns: Iterable[Turn], told: Sequence[Assignment]
    ) -> tuple[dict[str, Formula], tuple[Before, ...], dict[str, Formula]]:
        """Close what each robot was told into a goal, and let the guard look at it.

        Return the order too, and what of the goals came by assignments that anybody may carry out.
        """
        flat = {name: settled_stages(stage) for name, stage in stages.items()}
        drafts: dict[str, Draft] = {
            name: Both(tuple(s.draft for s in own)) for name, own in flat.items()
        }
        settled = self._settled(drafts)

        def closed(draft: Draft) -> Formula:
            return close(draft, limit=MAX_CHOICES, settled=settled)

        goals: dict[str, Formula] = {}
        for robot in self.world.team:
            if robot.name in drafts:
                goal = closed(drafts[robot.name])
                simple = simplify(goal)
                if simple != TRUE:
                    check_goal(goal, robot, self.world)
                    goals[robot.name] = simple
        if not goals:
            raise Unclear("There is nothing to do in that. What should the robots do?")
        asked = {name: own for name, own in flat.items() if name in goals}
        free = {name: closed(draft) for name, draft in _left_to_anybody(asked, told)}
        return goals, order_of(asked, turns, closed), free

    def _settled(self, drafts: dict[str, Draft]) -> dict[Pick, tuple[str, ...]]:
        """Decide what several robots are told about (one door for you, the other one for you).

        Their goals are separate, so they cannot choose together: the first gets what is nearest to it.
        """
        seen: dict[Pick, str] = {}
        settled: dict[Pick, tuple[str, ...]] = {}
        team = {robot.name: robot for robot in self.world.team}
        for name, draft in drafts.items():
            for pick in sorted(open_picks(draft), key=lambda p: p.options):
                first = seen.setdefault(pick, name)
                if first != name:
                    settled[pick] = min(
                        pick.options, key=lambda o: (self._to_nearest(team[first], o), o)
                    )
        return settled

    # ---- sharing ------------------------------------------------------------------------------------

    def _share(self, stages: dict[str, list[Stage]], robots: Sequence[Robot], task: Task) -> None:
        """Divide what all robots were told: each thing for one of them, or a different one each."""
        given = [stages[robot.name].pop() for robot in robots]
        work = without_mentions(given[0].work)
        if isinstance(work, Group) and work.order in ("all", "sequence"):
            pieces = list(work.parts)
        elif isinstance(work, Done) and not isinstance(work.choice, Joined):
            pieces = self._pieces(work, len(robots))
        elif (
            isinstance(work, Done) and isinstance(work.choice, Joined) and work.choice.join == "all"
        ):
            pieces = [Done(work.do, part, work.to) for part in work.choice.parts]
        else:
            raise Unclear("How should that be shared?")
        if _is_any(task) and len(pieces) < len(robots):
            raise Unclear(
                f"There are {len(robots)} robots, and not something for each. Who should do what?"
            )
        begun: set[str] = set()
        for piece, robot in zip(pieces, self._owners(pieces, robots), strict=True):
            then = given[0].then and robot.name not in begun
            begun.add(robot.name)
            stages.setdefault(robot.name, []).append(Stage(piece, then, given[0].told))

    def _pieces(self, work: Done, n: int) -> list[Work]:
        choice = work.choice
        if not isinstance(choice, Pick):
            raise Unclear("How should that be shared?")
        if not choice.open:
            return [Done(work.do, only(choice.kind, (s,)), work.to) for s in choice.options[0]]
        symbols = symbols_of(choice)
        if len(choice.options[0]) != 1 or len(symbols) < n:
            raise Unclear("How should that be shared?")
        return [Done(work.do, only(choice.kind, (s,)), work.to) for s in symbols[:n]]

    def _owners(self, pieces: Sequence[Work], robots: Sequence[Robot]) -> list[Robot]:
        """Give each piece to a robot: as evenly as it goes, nearest pairs first."""
        meters = np.array([[self._effort(robot, piece) for robot in robots] for piece in pieces])
        quota = -(-len(pieces) // len(robots))
        left = {robot.name: quota for robot in robots}
        owners: list[Robot | None] = [None] * len(pieces)
        for flat in np.argsort(meters, axis=None, kind="stable"):
            piece, column = divmod(int(flat), len(robots))
            robot = robots[column]
            if owners[piece] is None and left[robot.name] > 0:
                owners[piece] = robot
                left[robot.name] -= 1
        return [owner if owner is not None else robots[0] for owner in owners]

    # ---- cost ---------------------------------------------------------------------------------------

    def _meters(self, robot: Robot, stages: Sequence[Stage]) -> float:
        seen: dict[tuple[str, tuple[str, ...]], float] = {}
        for stage in stages:
            for do, symbols in _targets(stage.work):
                seen[do, symbols] = self._to_nearest(robot, symbols)
        return sum(seen.values())

    def _effort(self, robot: Robot, work: Work) -> float:
        """Return the meters to a piece of work, without end for one that the robot cannot do."""
        if not all(robot.can(NEEDS[do]) for do, _ in _targets(work) if do in NEEDS):
            return math.inf
        return sum(self._to_nearest(robot, symbols) for _, symbols in _targets(work))

    def _to_nearest(self, robot: Robot, symbols: Sequence[str]) -> float:
        anchor, best = robot_anchor(robot), math.inf
        for symbol in symbols:
            found = self.world.find(symbol)
            if found is not None:
                meters = distances(self.world, found[0], np.array([found[1]]), anchor)
                best = min(best, float(meters[0]))
        return best if math.isfinite(best) else 0.0


def _left_to_anybody(
    stages: Mapping[str, Sequence[Stage]], told: Sequence[Assignment]
) -> Iterator[tuple[str, Draft]]:
    """Yield for robots what they were given by assignments that anybody may carry out."""
    for name, own in stages.items():
        free = tuple(
            stage.draft
            for stage in own
            if told[stage.told].who.is_anybody and not keeps_all_out(told[stage.told])
        )
        if free:
            yield name, Both(free)


def _is_any(task: Task) -> bool:
    """Return whether a task is about any one thing, which is then another one for each."""
    return isinstance(task, Act) and isinstance(task.what, Thing) and task.what.amount == "any"


def _targets(work: Work) -> list[tuple[str, tuple[str, ...]]]:
    if isinstance(work, Group):
        return [] if work.order == "not" else [t for part in work.parts for t in _targets(part)]
    return [] if work.do in (*AVOIDING, *TOLD) else [(work.do, tuple(symbols_of(work.choice)))]
