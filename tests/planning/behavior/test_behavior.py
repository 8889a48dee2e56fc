"""Trees execute their plan in an allowed order, whatever the actions take; XML says the same."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.behavior import (
    Action,
    BehaviorTree,
    Parallel,
    Sequence,
    Ticker,
    TickStatus,
    WaitFor,
    parse_tree,
    tree_of_actions,
    tree_of_plan,
    tree_xml,
)
from commonground.planning.temporal import (
    Activity,
    Step,
    TotalOrder,
    partial_order,
    schedule_plan,
)
from tests.planning.temporal.durative import durative

Pairs = list[tuple[int, int]]


class Clock:
    """Executes actions that take a random number of ticks, and notes when each started and ended."""

    def __init__(self, rng: np.random.Generator, fails: str = "") -> None:
        self.now = 0
        self.started: dict[str, int] = {}
        self.ended: dict[str, int] = {}
        self.halted: list[str] = []
        self._left: dict[str, int] = {}
        self._rng, self._fails = rng, fails

    def execute(self, action: Action) -> TickStatus:
        name = action.label
        if name not in self._left:
            self.started[name] = self.now
            self._left[name] = int(self._rng.integers(0, 4))
        if self._left[name]:
            self._left[name] -= 1
            return TickStatus.RUNNING
        self.now += 1  # what is ticked later in the same round comes later
        self.ended[name] = self.now
        return TickStatus.FAILURE if name == self._fails else TickStatus.SUCCESS

    def run(self, tree: BehaviorTree, rounds: int = 2000) -> TickStatus:
        ticker = Ticker(tree, self.execute, lambda action: self.halted.append(action.label))
        while ticker.tick() is TickStatus.RUNNING and rounds:
            self.now += 1
            rounds -= 1
        return ticker.status


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, Pairs, Pairs]:
    """Actions numbered in a possible order, with what waits for ends and for starts."""
    count = draw(st.integers(1, 9))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    some = st.lists(st.sampled_from(pairs), max_size=12) if pairs else st.just([])
    return count, draw(some), draw(some)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(0, 10**6))
def test_ticking_keeps_every_order(graph: tuple[int, Pairs, Pairs], seed: int) -> None:
    count, after_end, after_start = graph
    actions = [Action("do", (("what", str(i)),), f"action {i}") for i in range(count)]
    rng = np.random.default_rng(seed)
    tree = tree_of_actions(actions, after_end, after_start, rng.random(count).tolist())
    assert sorted(a.label for a in tree.actions()) == [a.label for a in actions]
    for again in (tree, parse_tree(tree_xml(tree))):
        clock = Clock(np.random.default_rng(seed))
        assert clock.run(again) is TickStatus.SUCCESS
        for a, b in after_end:
            assert clock.ended[f"action {a}"] <= clock.started[f"action {b}"]
        for a, b in after_start:
            assert clock.started[f"action {a}"] <= clock.started[f"action {b}"]


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_xml_is_read_back_unchanged(graph: tuple[int, Pairs, Pairs]) -> None:
    count, after_end, after_start = graph
    actions = [
        Action("go", (("to", "<P1> & 'P2'"), ("by", str(i))), f"é {i}") for i in range(count)
    ]
    tree = tree_of_actions(actions, after_end, after_start, name="a plan")
    assert parse_tree(tree_xml(tree)) == tree


def test_independent_chains_run_at_once_and_meet() -> None:
    a, b, c, d = (Action(kind) for kind in "abcd")
    tree = tree_of_actions([a, b, c, d], [(0, 2), (1, 2), (2, 3)], end_s=[5.0, 9.0, 10.0, 11.0])
    first = Action("a", done_flag="done_0")
    assert tree.root == Parallel((first, Sequence((b, WaitFor(("done_0",), c), d))))


def test_the_document_is_what_the_library_reads() -> None:
    arms = [Action("move_arm", (("arm", "a1"), ("x", "1"))), Action("grip", (("arm", "a1"),))]
    other = Action("move_arm", (("arm", "a2"), ("x", "4")))
    tree = tree_of_actions([*arms, other], [(0, 1), (2, 1)], end_s=[1.0, 3.0, 2.0])
    root = ElementTree.fromstring(tree_xml(tree))  # noqa: S314 - written above
    assert root.attrib == {"BTCPP_format": "4", "main_tree_to_execute": "plan"}
    main = root.find("BehaviorTree")
    assert main is not None and main.get("ID") == "plan" and len(main) == 1
    assert [e.tag for e in main[0]] == ["Script", "Parallel"]
    assert main[0][0].get("code") == "done_0 := false"
    wait = root.find(".//Precondition")
    assert (
        wait is not None and wait.attrib == {"if": "done_0", "else": "RUNNING"} and len(wait) == 1
    )
    setter = root.find(".//Action[@_onSuccess]")
    assert setter is not None and setter.get("_onSuccess") == "done_0 := true"
    models = root.find("TreeNodesModel")
    assert models is not None
    declared = {m.get("ID"): {p.get("name") for p in m} for m in models}
    assert declared == {"move_arm": {"arm", "x"}, "grip": {"arm"}}
    for leaf in root.iter("Action"):
        if leaf.get("ID") in declared and leaf not in list(models):
            own = {k for k in leaf.attrib if not k.startswith("_") and k not in ("ID", "name")}
            assert own <= declared[leaf.get("ID")]


def test_a_failure_ends_the_plan_and_halts_the_others() -> None:
    actions = [Action("do", name=name) for name in ("slow", "broken", "never")]
    tree = tree_of_actions(actions, [(1, 2)])

    class Slow(Clock):
        def execute(self, action: Action) -> TickStatus:
            return TickStatus.RUNNING if action.label == "slow" else super().execute(action)

    clock = Slow(np.random.default_rng(0), fails="broken")
    assert clock.run(tree) is TickStatus.FAILURE
    assert clock.halted == ["slow"] and "never" not in clock.started


def test_stopping_halts_what_runs() -> None:
    halted: list[str] = []
    tree = tree_of_actions([Action("a"), Action("b"), Action("c")], [(0, 2)])
    ticker = Ticker(tree, lambda _: TickStatus.RUNNING, lambda action: halted.append(action.kind))
    ticker.tick()
    ticker.stop()
    assert halted == ["a", "b"] and ticker.tick() is TickStatus.FAILURE


def arms_plan() -> TotalOrder:
    """Two arms stack two blocks; each move is two motions inside one high-level action."""
    steps, activities = [], []
    for block, needs in (("x", ()), ("y", ()), ("z", (("placed", "x"), ("placed", "y")))):
        outer = len(activities)
        begin = len(steps)
        steps.append(Step(f"move {block} starts", needs))
        activities.append(Activity(f"move {block}", begin, begin + 5, resources=("a1",)))
        for motion in ("fetch", "put"):
            held = ((("held", block),), ()) if motion == "fetch" else ((), (("held", block),))
            steps += [
                Step(f"{motion} {block} starts", held[1]),
                Step(f"{motion} {block} ends", adds=held[0]),
            ]
            activities.append(
                Activity(f"{motion} {block}", len(steps) - 2, len(steps) - 1, 1, 1, ("a1",), outer)
            )
        steps.append(Step(f"move {block} ends", adds=(("placed", block),)))
    return TotalOrder(tuple(steps), tuple(activities), {"arm": ("a1", "a2")})


def test_the_tree_of_a_plan_has_low_level_leaves_and_keeps_it_valid() -> None:
    schedule = schedule_plan(partial_order(arms_plan()))
    assert schedule.makespan_s == 4.0
    tree = tree_of_plan(schedule)
    assert {leaf.name for leaf in tree.actions()} == {
        f"{m} {b}" for m in ("fetch", "put") for b in "xyz"
    }
    for seed in range(20):
        clock = Clock(np.random.default_rng(seed))
        assert clock.run(tree) is TickStatus.SUCCESS
        for block in "xy":
            assert clock.ended[f"put {block}"] <= clock.started["fetch z"]
        for block in "xyz":
            assert clock.ended[f"fetch {block}"] <= clock.started[f"put {block}"]


def test_actions_that_may_overlap_do_and_others_wait() -> None:
    light, dark = ("light",), ("dark",)
    actions = [
        (Step("shine", adds=(light,)), 5.0, 5.0, ()),
        (Step("look", (light,), (dark,)), 1.0, 1.0, ()),
        (Step("hide", (), (), (dark,), ()), 1.0, 1.0, ()),
    ]
    tree = tree_of_plan(schedule_plan(partial_order(durative(actions))))
    clock = Clock(np.random.default_rng(1))
    assert clock.run(tree) is TickStatus.SUCCESS
    assert clock.ended["shine"] <= clock.started["look"]
    assert clock.ended["look"] <= clock.ended["hide"]


def test_what_a_tree_cannot_guarantee_is_refused() -> None:
    steps = (
        Step("a starts"),
        Step("b starts", adds=(("on",),)),
        Step("a ends", (("on",),)),
        Step("b ends", forbids=(("burning",),)),
    )
    lit = (
        Step("a starts", adds=(("burning",),)),
        steps[1],
        Step("a ends", (("on",),), (), (), (("burning",),)),
        steps[3],
    )
    plan = TotalOrder(lit, (Activity("a", 0, 2, 1.0), Activity("b", 1, 3, 1.0)))
    with pytest.raises(PlanningError, match="split"):
        tree_of_plan(schedule_plan(partial_order(plan)))


def test_long_plans_stay_shallow() -> None:
    count = 600
    chain = [(i, i + 1) for i in range(count - 1)]
    combs = [(i, i + 2) for i in range(0, count - 2, 2)] + [
        (i, i + 1) for i in range(0, count - 1, 2)
    ]
    for pairs in (chain, combs):
        tree = tree_of_actions([Action("do", name=str(i)) for i in range(count)], pairs)
        clock = Clock(np.random.default_rng(0))
        assert clock.run(tree, 10_000) is TickStatus.SUCCESS
        assert all(clock.ended[str(a)] <= clock.started[str(b)] for a, b in pairs)
        assert parse_tree(tree_xml(tree)) == tree


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tree_of_actions([], []), "at least one action"),
        (lambda: tree_of_actions([Action("a"), Action("b")], [(0, 1), (1, 0)]), "each other.*a, b"),
        (lambda: tree_xml(BehaviorTree("t", Action("move arm"))), "move arm"),
        (lambda: tree_xml(BehaviorTree("t", Action("a", (("name", "x"),)))), "'name'"),
        (lambda: tree_xml(BehaviorTree("t", Action("a", (("p", "{x}"),)))), "blackboard"),
        (lambda: tree_xml(BehaviorTree("t", Action("a", (("p", "\x00"),)))), "characters"),
        (lambda: parse_tree("<root>"), "line 1"),
        (lambda: parse_tree("<root/>"), "format 4"),
        (lambda: parse_tree('<!DOCTYPE x [<!ENTITY a "b">]><root/>'), "document type"),
        (
            lambda: parse_tree(
                '<root BTCPP_format="4">\n<BehaviorTree ID="t">\n<Fallback/></BehaviorTree></root>'
            ),
            "line 3: <Fallback>",
        ),
    ],
)
def test_mistakes_are_named(make: Callable[[], object], words: str) -> None:
    with pytest.raises(PlanningError, match=words):
        make()
