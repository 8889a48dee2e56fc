"""Partial orders of plans and their schedules: every linearization works, makespans are the least."""

from __future__ import annotations

import itertools
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.result import Status
from commonground.planning.temporal import (
    Activity,
    PartialOrder,
    PlanSchedule,
    Step,
    TotalOrder,
    check_plan,
    partial_order,
    schedule_plan,
)
from commonground.planning.temporal.listing import list_schedule
from commonground.planning.temporal.ordering import Why
from commonground.planning.temporal.plan_model import NOBODY, _able
from commonground.planning.temporal.steps import Fact, apply, missing
from tests.planning.temporal.durative import durative

ARMS = ("a1", "a2", "a3")


def moves(*names: tuple[str, str, str], arms: int, init: tuple[Fact, ...]) -> TotalOrder:
    """Blocks moved one after the other by the first arm: (block, from, to), each of four motions."""
    steps: list[Step] = []
    activities: list[Activity] = []
    for block, source, target in names:
        outer, begin = len(activities), len(steps)
        moving: Fact = ("moving", "a1", block, target)
        steps.append(
            Step(
                f"move {block} starts",
                needs=(("at", block, source), ("free", "a1"), ("clear", block)),
                forbids=(("at", "_", target), ("moving", "_", "_", target)),
                adds=(moving,),
                deletes=(("free", "a1"), ("at", block, source)),
            )
        )
        activities.append(Activity(f"move {block}", begin, begin + 9, resources=("a1",)))
        hand: Fact = ("hand", "a1", "idle")
        for motion in ("reach", "grip", "carry", "release"):
            doing: Fact = ("doing", "a1", motion)
            steps.append(Step(f"{motion} {block} starts", (hand,), (), (doing,), (hand,)))
            steps.append(Step(f"{motion} {block} ends", (doing,), (), (hand,), (doing,)))
            activities.append(
                Activity(
                    f"{motion} {block}", len(steps) - 2, len(steps) - 1, 1.0, 1.0, ("a1",), outer
                )
            )
        steps.append(
            Step(
                f"move {block} ends",
                needs=(moving,),
                adds=(("at", block, target), ("free", "a1")),
                deletes=(moving,),
            )
        )
    pools = {"arm": ARMS[:arms]}
    own = tuple((kind, arm, *rest) for arm in ARMS for kind, *rest in (("free",), ("hand", "idle")))
    return TotalOrder(tuple(steps), tuple(activities), pools, frozenset((*init, *own)))


def table(*blocks: str) -> tuple[Fact, ...]:
    return tuple(fact for b in blocks for fact in (("at", b, f"p{b}"), ("clear", b)))


@pytest.mark.parametrize(("arms", "makespan"), [(1, 12.0), (2, 8.0), (3, 4.0)])
def test_independent_moves_run_in_parallel(arms: int, makespan: float) -> None:
    names = [(b, f"p{b}", f"q{b}") for b in "xyz"]
    plan = moves(*names, arms=arms, init=table("x", "y", "z"))
    schedule = schedule_plan(partial_order(plan))
    assert schedule.makespan_s == makespan and schedule.optimal
    assert not check_plan(schedule) and not schedule.network().conflict()
    assert sorted(schedule.sequence()) == list(range(len(plan.steps)))


def test_a_move_waits_until_its_target_is_left() -> None:
    names = [("x", "px", "q"), ("y", "py", "px"), ("z", "pz", "py")]
    plan = moves(*names, arms=3, init=table("x", "y", "z"))
    order = partial_order(plan)
    schedule = schedule_plan(order)
    # what is lifted leaves its place at once, so the others may follow while it is carried
    assert schedule.makespan_s == 4.0
    starts = [plan.activities[b].start for b in plan.blocks()]
    assert [o.before for o in order.enablers(starts[1]) if o.why is Why.DELETES] == [starts[0]]
    assert "at(x, px) false" in order.explain(order.enablers(starts[1])[0])


def test_stacking_is_a_chain_however_many_arms() -> None:
    names = [("x", "px", "q"), ("x", "q", "r"), ("x", "r", "s")]
    plan = moves(*names, arms=3, init=table("x"))
    schedule = schedule_plan(partial_order(plan))
    assert schedule.makespan_s == 12.0 and schedule.optimal
    assert {name for uses in schedule.resources for name in uses} == {
        "a1"
    }  # kept where it costs nothing


def test_setup_times_lie_between_uses_of_one_resource() -> None:
    names = [(b, f"p{b}", f"q{b}") for b in "xyz"]
    plan = moves(*names, arms=1, init=table("x", "y", "z"))
    b = plan.blocks()
    dear = {("a1", i, j): 5.0 for i, j in itertools.permutations(b, 2)}
    cheap = {("a1", b[2], b[0]): 1.0, ("a1", b[0], b[1]): 2.0, ("a1", None, b[2]): 0.5}
    schedule = schedule_plan(partial_order(plan), setup_s=dear | cheap)
    assert schedule.makespan_s == 15.5 and schedule.optimal
    assert schedule.chains()["a1"] == [b[2], b[0], b[1]]
    assert not check_plan(schedule)


def test_refused_assignments_do_not_come_back() -> None:
    names = [(b, f"p{b}", f"q{b}") for b in "xy"]
    plan = moves(*names, arms=2, init=table("x", "y"))
    order, b = partial_order(plan), plan.blocks()
    refused: list[dict[int, tuple[str, ...]]] = []
    while True:
        schedule = schedule_plan(order, refused=refused)
        if schedule.status is not Status.SOLVED:
            break
        refused.append({block: schedule.resources[block] for block in b})
    assert len(refused) == 4 and schedule.status is Status.UNSOLVABLE


def test_only_those_who_are_able_are_planned_with() -> None:
    plan = moves(*((b, f"p{b}", f"q{b}") for b in "xy"), arms=2, init=table("x", "y"))
    order = partial_order(plan)
    unable = {arm: [{block: (arm,)} for block in plan.blocks()] for arm in ARMS[:2]}
    first = list_schedule(order, {}, _able(plan, unable["a1"]))
    assert first is not None and set(first[1].values()) == {("a2",)}
    nobody = schedule_plan(order, refused=[*unable["a1"], *unable["a2"]])
    assert nobody.status is Status.UNSOLVABLE and nobody.reason == NOBODY


@st.composite
def walks(draw: st.DrawFn) -> TotalOrder:
    """Random plans that work: each step is made possible, then changes a few of six facts."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    facts: list[Fact] = [("f", str(i)) for i in range(4)] + [("g", "r1"), ("g", "r2")]
    state = {f for f in facts if rng.random() < 0.5}
    init = frozenset(state)
    actions = []
    for number in range(draw(st.integers(1, 5))):
        needs = tuple(f for f in sorted(state) if rng.random() < 0.4)
        forbids = tuple(f for f in facts if f not in state and rng.random() < 0.3)
        if not any(f[0] == "g" for f in state) and rng.random() < 0.5:
            forbids = (*forbids, ("g", "_"))
        deletes = tuple(f for f in sorted(state) if rng.random() < 0.3)
        adds = tuple(f for f in facts if rng.random() < 0.25)
        length = float(rng.integers(1, 6))
        actions.append((Step(f"s{number}", needs, forbids, adds, deletes), length, length, ()))
        state = (state - set(deletes)) | set(adds)
    goal = tuple(f for f in sorted(state) if rng.random() < 0.5)
    return durative(actions, init=init, goal=goal)


@settings(max_examples=150, deadline=None)
@given(walks(), st.integers(0, 10**6))
def test_every_linearization_of_the_partial_order_works(plan: TotalOrder, seed: int) -> None:
    order = partial_order(plan)
    rng = np.random.default_rng(seed)
    pairs = order.reduced()
    for _ in range(5):
        state, left = set(plan.init), set(range(len(plan.steps)))
        while left:
            free = [s for s in sorted(left) if not any(b == s and a in left for a, b in pairs)]
            step = int(rng.choice(free))
            assert missing(plan.steps[step], state) == ""
            apply(plan.steps[step], state)
            left.remove(step)
        assert set(plan.goal) <= state


@settings(max_examples=60, deadline=None)
@given(walks(), st.integers(0, 10**6), st.integers(1, 2))
def test_makespans_are_those_of_brute_force(plan: TotalOrder, seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    pool = ("m1", "m2")[:count]
    activities = tuple(
        replace(a, resources=("m1",) if rng.random() < 0.7 else ()) for a in plan.activities
    )
    plan = replace(plan, activities=activities, pools={"machine": pool})
    schedule = schedule_plan(partial_order(plan))
    assert schedule.status is Status.SOLVED and schedule.optimal
    assert not check_plan(schedule)
    assert schedule.makespan_s == pytest.approx(brute_force(partial_order(plan), pool))
    assert schedule.network().conflict() == ()


def brute_force(order: PartialOrder, pool: tuple[str, ...]) -> float:
    """The least longest path over all assignments and all orders on each machine."""
    plan = order.plan
    users = [i for i, a in enumerate(plan.activities) if a.resources]
    best = np.inf
    for chosen in itertools.product(pool, repeat=len(users)):
        for sequence in itertools.permutations(range(len(users))):
            arcs = [(a, b, 0.0) for a, b in order.reduced()]
            arcs += [(a.start, a.end, a.shortest_s) for a in plan.activities]
            for i, j in itertools.combinations(sequence, 2):
                if chosen[i] == chosen[j]:
                    first, second = plan.activities[users[i]], plan.activities[users[j]]
                    arcs.append((first.end, second.start, 0.0))
            graph = {b: {a for a, later, _ in arcs if later == b} for _, b, _ in arcs}
            try:
                tuple(TopologicalSorter(graph).static_order())
            except CycleError:
                continue
            times = np.zeros(len(plan.steps))
            for _ in range(len(times) + 1):
                before = times.copy()
                for a, b, gap in arcs:
                    times[b] = max(times[b], times[a] + gap)
            if np.array_equal(before, times):
                best = min(best, float(times.max()))
    return best


def test_tight_durations_that_contradict_the_order_are_named() -> None:
    inner = Step("cool", adds=(("cool",),))
    steps = (Step("bake starts"), inner, Step("serve", (("cool",),)), Step("bake ends"))
    activities = (Activity("bake", 0, 3, 0.0, 5.0), Activity("wait", 1, 2, 9.0, 9.0, (), 0))
    order = partial_order(TotalOrder(steps, activities))
    schedule = schedule_plan(order)
    assert schedule.status is Status.UNSOLVABLE
    assert "duration of bake" in schedule.reason and "duration of wait" in schedule.reason


def test_times_that_are_not_whole_are_scheduled_exactly() -> None:
    actions = [
        (Step(f"s{i}"), float(t), np.inf, ("m",)) for i, t in enumerate([0.1, 1 / 3, 2**0.5])
    ]
    schedule = schedule_plan(partial_order(durative(actions)))
    assert schedule.makespan_s == pytest.approx(0.1 + 1 / 3 + 2**0.5, abs=1e-9)
    assert schedule.optimal and schedule.lower_bound_s == pytest.approx(
        schedule.makespan_s, rel=1e-5
    )


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: TotalOrder((Step("eat", (("food",),)),)), "eat needs food"),
        (
            lambda: TotalOrder(
                (Step("go", (), (("wall", "_"),)),), init=frozenset({("wall", "w")})
            ),
            "wall",
        ),
        (lambda: TotalOrder((Step("go"),), goal=(("home",),)), "goal"),
        (lambda: TotalOrder((Step("a"), Step("b")), (Activity("x", 1, 0),)), "before it ends"),
        (lambda: TotalOrder((Step("a"), Step("b")), (Activity("x", 0, 1, np.nan),)), "nan"),
        (lambda: TotalOrder((Step("a"),), pools={"p": ("r",), "q": ("r",)}), "two pools"),
    ],
)
def test_plans_that_do_not_work_are_refused(make: object, words: str) -> None:
    with pytest.raises(PlanningError, match=words):
        make()  # type: ignore[operator]


def test_the_check_finds_each_kind_of_fault() -> None:
    names = [("x", "px", "q"), ("x", "q", "r"), ("y", "py", "s")]
    plan = moves(*names, arms=2, init=table("x", "y"))
    good = schedule_plan(partial_order(plan))
    assert good.makespan_s == 8.0

    def faults(**change: object) -> str:
        return " ".join(check_plan(replace(good, **change)))  # type: ignore[arg-type]

    assert "belong together" in faults(time_s=-good.time_s)
    assert "lasts" in faults(time_s=good.time_s * 2)
    assert "time 0" in faults(time_s=good.time_s - 1)
    assert "cannot stand in" in faults(resources=(("a9",), *good.resources[1:]))
    other = "a2" if good.resources[0] == ("a1",) else "a1"
    assert "of its activity" in faults(resources=((other,), *good.resources[1:]))
    same = tuple(("a1",) for _ in good.resources)
    assert "not ready" in faults(resources=same)
    loose = replace(good.order, orderings=tuple(o for o in good.order.orderings if o.fact is None))
    turned = good.time_s.copy()
    turned[:10], turned[10:20] = good.time_s[10:20], good.time_s[:10]
    assert "needs at(x, q)" in faults(order=loose, time_s=turned)
    assert isinstance(good, PlanSchedule)
