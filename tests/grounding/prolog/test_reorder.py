"""Actions in another order, where the low level cannot follow the one that was planned."""

from __future__ import annotations

from itertools import chain

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.relations import Fact
from commonground.grounding.prolog.search.reorder import reordered
from commonground.grounding.prolog.search.total_order import HighTask
from tests.grounding.prolog.blocks_worlds import World


def shifts(*moves: tuple[str, int, int, int, int]) -> list[Fact]:
    both = ((("shift_start", "arm1", *m), ("shift_end", "arm1", *m)) for m in moves)
    return list(chain.from_iterable(both))


def test_an_arm_does_something_else_before_it_comes_back_to_where_it_is(swipl: None) -> None:
    world = World(3, 2, 1, {(1, 1): ("b1",), (2, 1): ("b2",)}, {(1, 2): ("b1",), (2, 2): ("b2",)})
    there, back, other = ("b1", 1, 1, 3, 1), ("b1", 3, 1, 1, 2), ("b2", 2, 1, 2, 2)
    with Engine() as engine:
        task = HighTask(engine, load(engine, world.program(), "world").required())
        assert reordered(task, shifts(there, back, other)) == shifts(there, other, back)
        assert reordered(task, shifts(there, back)) is None
