"""Guards, attempts, time limits and recovery: the same by our ticker, by py_trees, and read back from XML."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import PlanningError
from commonground.planning.behavior import (
    Action,
    BehaviorTree,
    Condition,
    Failing,
    Fallback,
    Parallel,
    Part,
    Retry,
    Sequence,
    Ticker,
    TickStatus,
    Timeout,
    WaitFor,
    parse_tree,
    tree_xml,
    with_recovery,
)
from commonground.planning.behavior.tree import Node
from tests.planning.behavior.by_py_trees import py_trees_tick

pytest.importorskip("py_trees")
EITHER = pytest.mark.parametrize("by_py_trees", [False, True])


class World:
    """Leaves that take some ticks and fail so often before they succeed, as their ports say."""

    def __init__(self, true: bool = True) -> None:
        self.now_s = 0.0
        self.true = true
        self.begun: list[str] = []
        self.halted: list[str] = []
        self.failed: dict[str, int] = {}
        self._left: dict[str, int] = {}

    def execute(self, action: Action) -> TickStatus:
        name, ports = action.label, dict(action.ports)
        if name not in self._left:
            self.begun.append(name)
            self._left[name] = int(ports.get("ticks", "1"))
        self._left[name] -= 1
        if self._left[name] > 0:
            return TickStatus.RUNNING
        del self._left[name]
        self.failed[name] = self.failed.get(name, 0) + 1
        fails = self.failed[name] <= int(ports.get("fails", "0"))
        return TickStatus.FAILURE if fails else TickStatus.SUCCESS

    def halt(self, action: Action) -> None:
        self._left.pop(action.label, None)
        self.halted.append(action.label)

    def check(self, condition: Condition) -> bool:
        return self.true

    def run(self, tree: BehaviorTree, by_py_trees: bool) -> TickStatus:
        own = (tree, self.execute, self.halt, self.check, lambda: self.now_s)
        tick = py_trees_tick(*own) if by_py_trees else Ticker(*own).tick
        status = TickStatus.RUNNING
        while status is TickStatus.RUNNING and self.now_s < 500:
            status = tick()
            self.now_s += 1.0
        return status


def leaf(name: str, ticks: int = 1, fails: int = 0) -> Action:
    return Action("do", (("leaf", name), ("ticks", str(ticks)), ("fails", str(fails))), name)


@EITHER
@pytest.mark.parametrize(("fails", "ends"), [(0, "success"), (2, "success"), (3, "failure")])
def test_attempts_are_bounded(by_py_trees: bool, fails: int, ends: str) -> None:
    world = World()
    tree = BehaviorTree("plan", Retry(3, Sequence((leaf("a"), leaf("b", fails=fails)))))
    assert world.run(tree, by_py_trees).value == ends
    assert world.begun == ["a", "b"] * min(fails + 1, 3)


@EITHER
def test_a_leaf_that_takes_too_long_is_halted_and_fails(by_py_trees: bool) -> None:
    world = World()
    tree = BehaviorTree("plan", Retry(2, Timeout(5.0, leaf("a", ticks=50))))
    assert world.run(tree, by_py_trees) is TickStatus.FAILURE
    assert world.begun == ["a", "a"] and world.halted == ["a", "a"]
    assert world.now_s < 20


@EITHER
def test_a_guard_that_does_not_hold_keeps_its_action_from_beginning(by_py_trees: bool) -> None:
    world = World(true=False)
    tree = BehaviorTree("plan", Sequence((Condition("holds"), leaf("a"))))
    assert world.run(tree, by_py_trees) is TickStatus.FAILURE
    assert world.begun == []


@EITHER
def test_a_failure_halts_the_others_and_brings_all_into_safety(by_py_trees: bool) -> None:
    world = World()
    safe = Parallel((leaf("safe one", fails=9), leaf("safe two", ticks=3)), to_the_end=True)
    both = Parallel((Part("one", leaf("a", ticks=2, fails=9)), Part("two", leaf("b", ticks=40))))
    tree = with_recovery(BehaviorTree("plan", both), safe)
    for again in (tree, parse_tree(tree_xml(tree))):
        world = World()
        assert world.run(again, by_py_trees) is TickStatus.FAILURE
        assert world.halted == ["b"]
        assert world.begun == ["a", "b", "safe one", "safe two"]
        assert world.now_s == 4.0, "the second one's safety was waited for"


LEAVES = st.builds(
    lambda n, ticks, fails: Action(
        "do", (("leaf", str(n)), ("ticks", ticks), ("fails", fails)), f"leaf {n}"
    ),
    st.integers(0, 10**9),
    st.sampled_from(["1", "3"]),
    st.sampled_from(["0", "99"]),
)
CONTROL: list[Callable[[st.SearchStrategy[Node]], st.SearchStrategy[Node]]] = [
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda c: Sequence(tuple(c))),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda c: Fallback(tuple(c))),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(lambda c: Parallel(tuple(c))),
    lambda inner: st.lists(inner, min_size=1, max_size=2).map(lambda c: Parallel(tuple(c), True)),
    lambda inner: inner.map(lambda c: Retry(2, c)),
    lambda inner: inner.map(Failing),
    lambda inner: inner.map(lambda c: Timeout(400.0, c)),
]
NODES: st.SearchStrategy[Node] = st.recursive(
    LEAVES, lambda inner: st.one_of([make(inner) for make in CONTROL]), max_leaves=8
)


@settings(max_examples=150, deadline=None)
@given(NODES)
def test_any_tree_ends_alike_by_both_and_is_read_back_unchanged(node: Node) -> None:
    tree = BehaviorTree("plan", node)
    again = parse_tree(tree_xml(tree))
    assert again == tree
    ends = {World().run(t, by) for t in (tree, again) for by in (False, True)}
    assert len(ends) == 1 and TickStatus.RUNNING not in ends


def test_flags_are_those_of_all_parts() -> None:
    one = Part("one", Action("do", (("leaf", "a"),), "a", done_flag="done_0"))
    two = Part("two", WaitFor(("done_0",), Action("do", (("leaf", "b"),), "b")))
    tree = BehaviorTree("plan", Parallel((two, one)))
    text = tree_xml(tree)
    assert text.count('_autoremap="true"') == 2 and parse_tree(text) == tree
    for by_py_trees in (False, True):
        world = World()
        assert world.run(tree, by_py_trees) is TickStatus.SUCCESS
        assert world.begun == ["a", "b"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('num_attempts="3"', 'num_attempts="x"', "no number"),
        ('<SubTree ID="one"', '<SubTree ID="three"', "not a node"),
        ("ForceFailure", "Inverter", "not a node"),
    ],
)
def test_what_plans_are_not_made_of_is_refused(old: str, new: str, words: str) -> None:
    inner = Part("one", Retry(3, Failing(leaf("a"))))
    text = tree_xml(BehaviorTree("plan", inner))
    assert old in text
    with pytest.raises(PlanningError, match=words):
        parse_tree(text.replace(old, new))


def test_two_trees_of_one_name_are_refused() -> None:
    with pytest.raises(PlanningError, match="name them apart"):
        tree_xml(BehaviorTree("plan", Parallel((Part("one", leaf("a")), Part("one", leaf("b"))))))
