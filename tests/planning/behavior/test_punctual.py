"""What may not take long begins no sooner than what its parts wait for is done."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.arrays import Bools
from commonground.errors import PlanningError
from commonground.planning.behavior import Action, Ticker, TickStatus, tree_of_plan
from commonground.planning.behavior.punctual import punctual
from commonground.planning.result import Status
from commonground.planning.temporal import (
    Activity,
    PlanSchedule,
    Step,
    TotalOrder,
    partial_order,
    schedule_plan,
)

PARTS = {0: np.array([True, False, True])}
LASTS_S = np.array([(1.0, 1.0), (9.0, 9.0), (1.0, 1.0)])


def before(*pairs: tuple[int, int]) -> Bools:
    relation = np.zeros((3, 3), bool)
    for pair in pairs:
        relation[pair] = True
    return relation


@pytest.mark.parametrize(
    ("most_s", "other_s", "waits"),
    [
        (np.inf, 9.0, False),
        (11.0, 9.0, False),
        (5.0, 9.0, True),
        (11.0, 20.0, True),  # it is short as a rule, but need not be
        (11.0, np.inf, True),
    ],
)
def test_all_parts_wait_where_one_could_keep_the_others_too_long(
    most_s: float, other_s: float, waits: bool
) -> None:
    short = [Activity("fix", 0, 1, longest_s=most_s)]
    lasts_s = np.array([(1.0, 1.0), (9.0, other_s), (1.0, 1.0)])
    ended, _ = punctual(short, PARTS, lasts_s, before((0, 2), (1, 2)), before())
    assert ended[1, 0] == waits


def test_what_waits_for_its_own_part_is_refused_by_name() -> None:
    short = [Activity("fix", 0, 1, longest_s=5.0)]
    with pytest.raises(PlanningError, match="fix may take 5 s, and could take 11 s"):
        punctual(short, PARTS, LASTS_S, before((0, 1), (0, 2), (1, 2)), before())


def overlapping(rng: np.random.Generator) -> PlanSchedule:
    """Return a schedule of actions that begin and end within each other, by what their steps need."""
    count = int(rng.integers(2, 6))
    owners = rng.permutation(np.repeat(np.arange(count), 2)).tolist()
    steps = tuple(
        Step(
            f"step {at}",
            tuple((f"made {i}",) for i in range(at) if owners[i] != owner and rng.random() < 0.25),
            adds=((f"made {at}",),),
        )
        for at, owner in enumerate(owners)
    )
    activities = []
    for number in range(count):
        start, end = (at for at, owner in enumerate(owners) if owner == number)
        least_s = float(rng.integers(0, 4))
        most_s = least_s + float(rng.choice([0.0, 1.0, 4.0]))
        activities.append(Activity(f"do {number}", start, end, least_s, most_s))
    return schedule_plan(partial_order(TotalOrder(steps, tuple(activities))))


def times_of_steps(schedule: PlanSchedule, lasts_s: list[float]) -> dict[int, tuple[float, int]]:
    """Tick the tree of a plan to its end; return when, and after how many others, each step was made."""
    activities = schedule.order.plan.activities
    now, made, until = [0.0], dict[int, tuple[float, int]](), dict[int, float]()

    def execute(action: Action) -> TickStatus:
        number, half = int(action.ports[0][1]), action.kind
        if half != "end":
            made.setdefault(activities[number].start, (now[0], len(made)))
            until.setdefault(number, now[0] + (0.0 if half else lasts_s[number]))
        if now[0] < until.get(number, 0.0):
            return TickStatus.RUNNING
        if half != "start":
            made.setdefault(activities[number].end, (now[0], len(made)))
        return TickStatus.SUCCESS

    def leaf(number: int, half: str = "") -> Action:
        return Action(half, (("number", str(number)),), f"{number} {half}")

    ticker = Ticker(tree_of_plan(schedule, leaf, half_of=leaf), execute, now_s=lambda: now[0])
    while ticker.status is TickStatus.RUNNING:
        known = len(made), dict(ticker.flags)
        if ticker.tick() is TickStatus.RUNNING and known == (len(made), ticker.flags):
            ahead = [t for t in until.values() if t > now[0]]
            now[0] = min([ticker.wakes_s, *ahead])
            assert np.isfinite(now[0])
    assert ticker.status is TickStatus.SUCCESS
    return made


def test_no_tree_breaks_an_order_or_a_time_however_long_its_leaves_take() -> None:
    """Or it is refused."""
    kept = refused = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        schedule = overlapping(rng)
        if schedule.status is not Status.SOLVED:
            continue
        activities = schedule.order.plan.activities
        for take in range(4):
            ends = [(a.shortest_s, a.longest_s) for a in activities]
            lasts_s = [x[take] if take < 2 else float(rng.uniform(*x)) for x in ends]
            try:
                made = times_of_steps(schedule, lasts_s)
            except PlanningError:
                refused += 1
                break
            kept += 1
            for activity in activities:
                took_s = made[activity.end][0] - made[activity.start][0]
                assert activity.shortest_s - 1e-6 <= took_s <= activity.longest_s + 1e-6
            for before, after in np.argwhere(schedule.order.reach()).tolist():
                assert made[before] < made[after], (seed, take)
    assert kept > 200 and refused < kept / 8
