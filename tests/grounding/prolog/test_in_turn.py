"""Tests of goals that are reached one after the other, where many things move."""

from __future__ import annotations

import numpy as np

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.search.agenda import Agenda
from commonground.grounding.prolog.search.contradiction import Limits
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.grounding.prolog.solve import solve_program
from tests.grounding.prolog.blocks_worlds import World, random_world


def test_what_stands_below_comes_before_what_stands_on_it() -> None:
    world = World(2, 2, 1, {(1, 1): ("b1", "b2", "b3")}, {(2, 1): ("b3", "b2"), (1, 2): ("b1",)})
    with Engine() as engine:
        task = HighTask(engine, load(engine, world.program(), "three blocks").required())
        agenda = Agenda.of(task.whole, task.goal, Limits.of(task))
    assert agenda is not None
    of = {fact: bundle for bundle in agenda.before for fact in bundle}
    low, high = of["standing", "b3"], of["on", "b2", "b3"]
    assert ("spot", "b3", 2, 1) in low, "what one action reaches is one bundle"
    assert low in agenda.before[high]
    assert high not in agenda.before[low]
    # b2 is at its place, but b3 would have to go where it is
    assert agenda.settled(frozenset({("spot", "b2", 2, 1), ("on", "b2", "b3")})) == frozenset()


def test_many_blocks_that_all_move_are_planned_by_several_arms() -> None:
    world = random_world(9, 14, 2, np.random.default_rng(1))
    _, found = solve_program(world.program(), "nine blocks")
    assert found.solved, found.reason
    assert found.schedule is not None
    assert found.high is not None
    assert found.high.breadth == "goals in turn"
    assert len({names for names in found.schedule.resources if names}) == 2
    assert 16.0 <= found.bound_s <= found.schedule.makespan_s < 4.0 * len(found.high.ops)
