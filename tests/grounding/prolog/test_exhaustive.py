"""Makespans, bounds and proofs agree with an exhaustive search that knows nothing of bases."""

from __future__ import annotations

import importlib.util
import math
import re
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import GroundingError
from commonground.grounding.prolog.bounds import outlook
from commonground.grounding.prolog.bounds.epochs import Execution
from commonground.grounding.prolog.bounds.process import Processes
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_program
from commonground.planning.result import Status
from tests.grounding.prolog.blocks_worlds import random_world, tower_world

spec = importlib.util.spec_from_file_location("cells", Path(__file__).with_name("cells.py"))
assert spec is not None and spec.loader is not None
cells = importlib.util.module_from_spec(spec)
sys.modules["cells"] = cells
spec.loader.exec_module(cells)


@pytest.mark.parametrize("seed", [2, 3, 6, 8, 17, 25, 27])
def test_cells_agree_with_an_exhaustive_search(swipl: None, seed: int) -> None:
    cell = cells.random_cell(np.random.default_rng(seed))
    shortest_s = cells.shortest_s(cell)
    _, found = solve_program(cell.program(), "cell")
    if math.isinf(shortest_s):
        assert found.status is Status.UNSOLVABLE
    else:
        assert found.schedule is not None
        assert found.schedule.makespan_s == pytest.approx(shortest_s)
        assert found.bound_s == pytest.approx(shortest_s) and found.optimal


def test_rounds_and_the_search_in_time_agree(swipl: None, monkeypatch: pytest.MonkeyPatch) -> None:
    program = cells.random_cell(np.random.default_rng(38)).program()
    found = _with_rounds(program, monkeypatch, outlook.in_rounds)
    assert all(execution is not None for execution in found)
    _, without = solve_program(program, "cell")
    assert [e.bound_s for e in found if e is not None][-1] == pytest.approx(without.bound_s)


def test_rounds_say_nothing_where_actions_are_forbidden_by_facts(
    swipl: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tower_world(2, 4, 1, 2).program()
    assert _with_rounds(program, monkeypatch, outlook.in_rounds)[0] is None


def _with_rounds(
    program: str,
    monkeypatch: pytest.MonkeyPatch,
    search: Callable[[Processes, int], Execution | None],
) -> list[Execution | None]:
    """Plan a base, and return what rounds said; further bases are planned without them."""
    said: list[Execution | None] = []

    def noted(processes: Processes, most: int) -> Execution | None:
        said.append(search(processes, most))
        return said[-1]

    monkeypatch.setattr(outlook, "in_rounds", noted)
    solve_program(program, "with rounds")
    monkeypatch.setattr(outlook, "in_rounds", lambda *_: None)
    return said


def test_arms_of_limited_reach_hand_over(swipl: None) -> None:
    """Only the low level knows that no arm reaches both ends: a block has to be put down between them."""
    cell = cells.Cell(
        2, 3, (frozenset({0, 1}), frozenset({1, 2})), (-1,), ((0, -3),), frozenset(), 1, 1, True
    )
    for settings in (None, PrologSettings(exact_states=0)):
        _, found = solve_program(cell.program(), "handover", None, settings)
        assert found.schedule is not None, found.reason
        assert found.schedule.makespan_s == pytest.approx(4.0)


@pytest.mark.parametrize("size", [2, 3])
def test_goals_in_a_circle_are_impossible_whatever_the_size(swipl: None, size: int) -> None:
    names = [f"b{n + 1}" for n in range(size)]
    circle = ", ".join(f"on({a}, {names[n - 1]})" for n, a in enumerate(names))
    program = tower_world(20, 24, 3).program()
    program = re.sub(r"goal_state\(\[.*\]\)\.", f"goal_state([{circle}]).", program)
    _, found = solve_program(program, "circle", None, PrologSettings(exact_states=0))
    assert found.status is Status.UNSOLVABLE
    assert "exclude each other" in found.reason


def test_a_bound_holds_where_the_search_is_not_finished(swipl: None) -> None:
    world = random_world(2, 4, 2, np.random.default_rng(4))
    _, whole = solve_program(world.program(), "whole")
    assert whole.optimal and whole.schedule is not None
    for states in (0, 2):
        _, cut = solve_program(world.program(), "cut", None, PrologSettings(exact_states=states))
        assert cut.schedule is not None and not cut.optimal
        assert 0 < cut.bound_s <= whole.schedule.makespan_s <= cut.schedule.makespan_s


def test_a_limit_is_never_a_proof(swipl: None) -> None:
    world = random_world(3, 6, 2, np.random.default_rng(3), highest=3)
    settings = PrologSettings(exact_states=1, plan_limit_s=0.001)
    _, found = solve_program(world.program(), "short", None, settings)
    assert found.status is Status.TIMEOUT
    assert "processor time" in found.reason


def _handover(*reach: set[int]) -> cells.Cell:
    """One block to be brought from the first of three spots to the last; arms differ in their reach."""
    return cells.Cell(
        len(reach), 3, tuple(map(frozenset, reach)), (-1,), ((0, -3),), frozenset(), 1, 1, True
    )


def test_an_arm_that_reaches_nothing_leaves_the_work_to_others(swipl: None) -> None:
    cell = _handover(set(), {0, 1, 2})
    _, found = solve_program(cell.program(), "idle arm")
    assert found.schedule is not None and found.optimal
    assert found.schedule.makespan_s == pytest.approx(cells.shortest_s(cell))
    assert "planned without it" in found.reason and "reaches(r1, s0) of r0" in found.reason


@pytest.mark.parametrize("reach", [({0, 1}, {0, 1}), (set(), set())])
def test_goals_that_only_the_low_level_forbids_are_named(
    swipl: None, reach: tuple[set[int], ...]
) -> None:
    _, found = solve_program(_handover(*reach).program(), "beyond reach")
    assert found.status is Status.UNSOLVABLE
    assert found.reason.startswith("on(b0, s2) can never hold in the end")


NEVER = """
ll_action(fly_start(A), [wings(A)], [], [ll_arm(A)], [add(flies(A))]).
ll_action(fly_end(A), [flies(A)], [], [ll_arm(A)], [del(flies(A))]).
"""


def test_an_action_that_can_never_begin_is_left_out_with_a_note(swipl: None) -> None:
    cell = _handover({0, 1, 2})
    _, plain = solve_program(cell.program(), "plain")
    _, found = solve_program(cell.program() + NEVER, "wings")
    assert found.schedule is not None and plain.schedule is not None
    assert found.schedule.makespan_s == plain.schedule.makespan_s and not plain.reason
    assert re.search(r"planned without it: fly_start: .*wings\(A\)", found.reason)


def test_more_agents_than_are_planned_for_are_refused(swipl: None) -> None:
    program = _handover({0, 1, 2}).program()
    many = program.replace("arm(r0).", "arm(X) :- between(1, 2000, X).")
    with pytest.raises(GroundingError, match="2000 agents are arm"):
        solve_program(many, "many")
    facts = program.replace("arm(r0).", " ".join(f"arm(r{k})." for k in range(70)))
    with pytest.raises(GroundingError, match="70 agents are arm"):
        solve_program(facts, "seventy")
    _, found = solve_program(facts, "seventy", 2)
    assert found.solved
