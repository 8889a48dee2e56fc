"""Things that stand in for each other, and what many alike goals cost: plans and bounds without a search."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.bounds import _round_kernels
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_program

NO_SEARCH = PrologSettings(exact_states=0)


def welding(parts: int, fixtures: int, setup: str = "") -> str:
    """Return a cell of two welders and one driver; a part stays in its fixture until it is screwed."""
    facts = [f"part(p{n})." for n in range(parts)] + [f"fixture(f{n})." for n in range(fixtures)]
    raw = [f"raw(p{n})" for n in range(parts)] + [f"free(f{n})" for n in range(fixtures)]
    return "\n".join(facts) + (
        "\nagent(w1). agent(w2). agent(d1). resources(agent(_)). welder(w1). welder(w2). driver(d1).\n"
        "action(weld_start(R, P, F), [idle(R), raw(P), free(F)], [], [agent(R), welder(R), fixture(F)], "
        "[del(idle(R)), del(raw(P)), del(free(F)), add(welding(R, P, F))]).\n"
        "action(weld_end(R, P, F), [welding(R, P, F)], [], [agent(R)], "
        "[del(welding(R, P, F)), add(welded(P, F)), add(idle(R))]).\n"
        "action(screw_start(R, P, F), [idle(R), welded(P, F)], [], [agent(R), driver(R)], "
        "[del(idle(R)), del(welded(P, F)), add(screwing(R, P, F))]).\n"
        "action(screw_end(R, P, F), [screwing(R, P, F)], [], [agent(R)], "
        "[del(screwing(R, P, F)), add(done(P)), add(free(F)), add(idle(R))]).\n"
        f"duration(weld, 5, 7). duration(screw, 3, 4). {setup}\n"
        f"init_state([idle(w1), idle(w2), idle(d1), {', '.join(raw)}]).\n"
        f"goal_state([{', '.join(f'done(p{n})' for n in range(parts))}]).\n"
    )


@pytest.mark.parametrize(
    ("parts", "setup", "shortest_s"), [(6, "setup_time(screw, screw, 1).", 28), (24, "", 77)]
)
def test_fixtures_take_turns_and_the_driver_bounds_all_plans(
    swipl: None, parts: int, setup: str, shortest_s: float
) -> None:
    _, found = solve_program(welding(parts, 3, setup), "welding", None, NO_SEARCH)
    assert found.schedule is not None
    assert found.schedule.makespan_s == found.bound_s == shortest_s


def test_a_search_that_stops_says_so(swipl: None) -> None:
    _, found = solve_program(welding(4, 1), "cut", None, PrologSettings(exact_states=3))
    assert not found.optimal
    assert "stopped after 3 states (assembly.exact_states)" in found.reason


def test_choices_within_a_round_are_limited() -> None:
    bits = np.arange(40)
    none = np.zeros((40, 2), np.int64)
    takes = np.stack(
        [np.where(bits < 32, 1 << (bits % 32), 0), np.where(bits < 32, 0, 1 << (bits % 32))], 1
    )
    moves = _round_kernels.Moves(none, takes, none, 1 << bits // 10, np.zeros(2, np.int64), bits)
    assert len(_round_kernels._picked(moves, bits, 4, 1_000_000)) == 11**4
    assert len(_round_kernels._picked(moves, bits, 4, 100)) == 101


@pytest.mark.parametrize("size", [2, 3])
def test_actions_that_each_take_what_another_needs_do_not_begin_together(size: int) -> None:
    bits = np.arange(size)
    takes = 1 << bits[:, None]
    needs, first = takes | np.roll(takes, 1), np.zeros(2, np.int64)
    moves = _round_kernels.Moves(needs, takes, 0 * takes, 1 << bits, first, bits)
    assert len(_round_kernels._picked(moves, bits, size, 100)) == 2**size - 1


LAMP = """
agent(r1). agent(r2). resources(agent(_)). lamp(l1). job(j1).
action(lift_start(R, J), [idle(R), raw(J)], [], [agent(R), job(J)],
    [del(idle(R)), del(raw(J)), add(lifting(R, J))]).
action(lift_end(R, J), [lifting(R, J), lit(l1)], [], [agent(R)],
    [del(lifting(R, J)), add(done(J)), add(idle(R))]).
action(light_start(R, L), [idle(R), dark(L)], [], [agent(R), lamp(L)],
    [del(idle(R)), del(dark(L)), add(lighting(R, L))]).
action(light_end(R, L), [lighting(R, L)], [], [agent(R)],
    [del(lighting(R, L)), add(lit(L)), add(idle(R))]).
duration(lift, 4, 8). duration(light, 4, 8).
init_state([idle(r1), idle(r2), raw(j1), dark(l1)]).
goal_state([done(j1)]).
"""


def test_what_only_an_end_needs_may_come_meanwhile(swipl: None) -> None:
    _, found = solve_program(LAMP, "lamp")
    assert found.schedule is not None
    assert found.bound_s == found.schedule.makespan_s == 4


ROUND_TRIP = """
agent(r1). agent(r2). agent(r3). resources(agent(_)).
mover(r1). maker(r2, p). bringer(r3, q). site(home). site(yard).
fits(p, yard). fits(q, home).
action(go_start(R, A, B), [idle(R), at(R, A)], [], [mover(R), site(B), A \\= B],
    [del(idle(R)), del(at(R, A)), add(going(R, A, B))]).
action(go_end(R, A, B), [going(R, A, B)], [], [mover(R)],
    [del(going(R, A, B)), add(at(R, B)), add(idle(R))]).
action(make_start(R, P), [idle(R), raw(P)], [], [maker(R, P)],
    [del(idle(R)), del(raw(P)), add(making(R, P))]).
action(make_end(R, P), [making(R, P)], [], [agent(R)],
    [del(making(R, P)), add(made(P)), add(idle(R))]).
action(bring_start(R, P), [idle(R), raw(P)], [], [bringer(R, P)],
    [del(idle(R)), del(raw(P)), add(bringing(R, P))]).
action(bring_end(R, P), [bringing(R, P)], [], [agent(R)],
    [del(bringing(R, P)), add(made(P)), add(idle(R))]).
action(fit_start(R, P, A), [idle(R), made(P), at(R, A)], [], [mover(R), fits(P, A)],
    [del(idle(R)), del(made(P)), add(fitting(R, P, A))]).
action(fit_end(R, P, A), [fitting(R, P, A)], [], [mover(R)],
    [del(fitting(R, P, A)), add(fitted(P)), add(idle(R))]).
duration(go, 1, 2). duration(make, 6, 8). duration(bring, 3, 4). duration(fit, 3, 4).
init_state([idle(r1), idle(r2), idle(r3), at(r1, home), at(r2, home), at(r3, home), raw(p), raw(q)]).
goal_state([fitted(p), fitted(q), at(r1, home)]).
"""


def test_an_agent_keeps_its_own_order_where_another_cannot_be_executed(swipl: None) -> None:
    _, found = solve_program(ROUND_TRIP, "trip", None, NO_SEARCH)
    assert found.schedule is not None, found.reason
    assert found.schedule.makespan_s == 13


def test_a_predicate_that_is_dynamic_may_have_no_facts(engine: Engine) -> None:
    program = welding(1, 1).replace("driver(R)]", "driver(R), \\+ broken(R)]")
    assert not load(engine, program).usable
    assert load(engine, f":- dynamic broken/1, other/2.\n{program}").usable
