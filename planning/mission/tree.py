"""The plan of a mission as a behavior tree: a tree for each robot, which wait for each other by flags.

Motions are cut where one robot has to be past before another one may go on, so the trees need no times: a
robot that is late is waited for. What a task needs is asked before it begins; what fails is tried again, in
bounds; and when a tree fails, all robots are brought into a safe condition first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from commonground.errors import PlanningError
from commonground.planning.behavior.tree import (
    Action,
    BehaviorTree,
    Condition,
    Node,
    Parallel,
    Part,
    Retry,
    Timeout,
    WaitFor,
    made_safe,
    with_recovery,
)
from commonground.planning.behavior.tree import Sequence as InTurn
from commonground.planning.mission.links import waits_of
from commonground.planning.mission.settings import DEFAULTS, MissionSettings
from commonground.planning.mission.task import Task
from commonground.planning.mission.traffic import EPS_M, Rule, passing_rules, pieces_of

SLOWEST_MPS = 0.1
"""A motion may take as long as a robot this slow needs, and a while more."""
ASKED = ("lies", "free", "holding", "safe")
"""Facts that are asked before a task begins; that a robot is where it drove to needs no asking."""
SAFE = "stands still, keeps what it holds"


@dataclass(frozen=True, slots=True)
class Leg:
    """A task, or a piece of a motion from so many to so many meters of it."""

    task: Task
    from_m: float = 0.0
    to_m: float = 0.0
    first: bool = True
    """Whether the task begins with it."""


def tree_of_tasks(
    tasks: Sequence[Task],
    radius_m: Mapping[str, float],
    settings: MissionSettings = DEFAULTS,
    name: str = "mission",
) -> BehaviorTree:
    """Return the tree of a plan, with robots in the order of ``radius_m``; PlanningError for an empty one."""
    queues = {robot: [t for t in tasks if t.robot == robot] for robot in radius_m}
    queues = {robot: own for robot, own in queues.items() if own}
    if not queues:
        raise PlanningError("a tree needs at least one task; this plan has nothing left to do")
    rules = passing_rules(queues, radius_m)
    marks = _marks(tasks, rules)
    legs = {
        robot: [g for t in own for g in _legs(t, marks[t.key])] for robot, own in queues.items()
    }
    waits = _waits(legs, tasks, rules)
    flags = _flags(legs, waits)
    parts = [_part(robot, own, waits, flags, settings) for robot, own in legs.items()]
    root = parts[0] if len(parts) == 1 else Parallel(tuple(parts))
    return with_recovery(BehaviorTree(name, root), made_safe("robot", radius_m, SAFE))


Rules = Mapping[tuple[str, int], Sequence[Rule]]
"""A task and the number of its piece → who has to be past where first."""


def _marks(tasks: Sequence[Task], rules: Rules) -> dict[str, set[float]]:
    """Return at how many meters motions have to be cut."""
    marks: dict[str, set[float]] = {task.key: set() for task in tasks}
    for task in tasks:
        for begin_m, rule in _ruled(task, rules):
            marks[task.key].add(begin_m)
            marks[rule.task].add(rule.past_m)
    return marks


def _ruled(task: Task, rules: Rules) -> Iterator[tuple[float, Rule]]:
    """Yield where in a motion somebody else has to be past where first."""
    for k, piece in enumerate(pieces_of(task) if task.moves else ()):
        for rule in rules.get((task.key, k), ()):
            yield piece.begin_m, rule


def _legs(task: Task, marks: set[float]) -> list[Leg]:
    if not task.moves:
        return [Leg(task)]
    inner = sorted(m for m in marks if EPS_M < m < task.length_m - EPS_M)
    ends = [0.0, *inner, task.length_m]
    return [Leg(task, a, b, a == 0.0) for a, b in itertools.pairwise(ends)]


Place = tuple[str, int]
"""A robot and the number of one of its legs."""


def _waits(
    legs: Mapping[str, Sequence[Leg]], tasks: Sequence[Task], rules: Rules
) -> dict[Place, dict[str, int]]:
    """Return leg → other robot → the number of that robot's leg that has to be done first."""
    number = {(g.task.key, g.first): (r, k) for r, own in legs.items() for k, g in enumerate(own)}
    last = {g.task.key: (r, k) for r, own in legs.items() for k, g in enumerate(own)}
    waits: dict[Place, dict[str, int]] = {
        (r, k): {} for r, own in legs.items() for k in range(len(own))
    }

    def wait(place: Place, other: Place) -> None:
        known = waits[place].get(other[0], -1)
        waits[place][other[0]] = max(known, other[1])

    for key, before in waits_of(tasks).items():
        for earlier in before:
            wait(number[key, True], last[earlier])
    for robot, own in legs.items():
        for k, leg in enumerate(own):
            for begin_m, rule in _ruled(leg.task, rules):
                if leg.from_m - EPS_M <= begin_m < leg.to_m - EPS_M:
                    wait((robot, k), _past(legs, rule))
    _check_order(legs, waits)
    return {place: _new(legs, waits, place) for place in waits}


def _past(legs: Mapping[str, Sequence[Leg]], rule: Rule) -> Place:
    """Return the leg after which a robot is past where it has to be first."""
    own = enumerate(legs[rule.robot])
    return rule.robot, next(
        k for k, g in own if g.task.key == rule.task and g.to_m >= rule.past_m - EPS_M
    )


def _new(
    legs: Mapping[str, Sequence[Leg]], waits: Mapping[Place, Mapping[str, int]], place: Place
) -> dict[str, int]:
    """Return what a leg waits for and none before it has waited for."""
    robot, k = place
    known = {
        other: max((waits[robot, j].get(other, -1) for j in range(k)), default=-1) for other in legs
    }
    return {other: n for other, n in waits[place].items() if n > known[other]}


def _check_order(
    legs: Mapping[str, Sequence[Leg]], waits: Mapping[Place, Mapping[str, int]]
) -> None:
    """Refuse legs that would wait for each other in a circle."""
    before: dict[Place, set[Place]] = {
        (robot, k): {*others.items(), *({(robot, k - 1)} if k else set())}
        for (robot, k), others in waits.items()
    }
    try:
        TopologicalSorter(before).prepare()
    except CycleError as error:
        robot, k = error.args[1][0]
        task = legs[robot][k].task
        raise PlanningError(f"{robot} would wait for ever before it can {task}") from error


def _flags(
    legs: Mapping[str, Sequence[Leg]], waits: Mapping[Place, Mapping[str, int]]
) -> dict[Place, str]:
    """Return the flag of each leg that somebody waits for."""
    used = {(other, n) for others in waits.values() for other, n in others.items()}
    order = {robot: number for number, robot in enumerate(legs)}
    return {(robot, k): f"done_{order[robot]}_{k}" for robot, k in sorted(used)}


def _part(
    robot: str,
    legs: Sequence[Leg],
    waits: Mapping[Place, Mapping[str, int]],
    flags: Mapping[Place, str],
    settings: MissionSettings,
) -> Part:
    """Return one robot's tree."""
    nodes: list[Node] = []
    for k, leg in enumerate(legs):
        node = _tried(leg, flags.get((robot, k), ""), settings)
        before = tuple(flags[place] for place in sorted(waits[robot, k].items()))
        nodes.append(WaitFor(before, node) if before else node)
    return Part(robot, nodes[0] if len(nodes) == 1 else InTurn(tuple(nodes)))


def _tried(leg: Leg, done_flag: str, settings: MissionSettings) -> Node:
    """Return a leg with its guards, its time limit and its attempts."""
    task = leg.task
    ports = [("robot", task.robot), ("task", task.key), ("target", task.target)]
    if task.item:
        ports.append(("item", task.item))
    limit_s = settings.action_timeout_s
    if task.moves:
        ports += [("from_m", f"{leg.from_m:.6f}"), ("to_m", f"{leg.to_m:.6f}")]
        limit_s = math.ceil(settings.stuck_after_s + (leg.to_m - leg.from_m) / SLOWEST_MPS)
    action = Action(task.kind, tuple(ports), f"{task.robot}: {task}", done_flag)
    tried = Retry(settings.max_retries + 1, Timeout(limit_s, action))
    facts = sorted(fact for fact in task.needs if fact[0] in ASKED) if leg.first else []
    guards = [Condition("holds", (("fact", " ".join(fact)),)) for fact in facts]
    return InTurn((*guards, tried)) if guards else tried
