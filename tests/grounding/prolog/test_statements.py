"""Everything that a base states is kept to by plan, schedule and tree, or refused by name."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from commonground.errors import GroundingError, PlanningError
from commonground.grounding.prolog.assembly import Assembly
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import errors_of
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.terms import key_of, text
from commonground.grounding.prolog.bounds.process_grounding import ground
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.plans.behavior_tree import (
    checked_py_trees,
    checked_xml,
    plan_tree,
    tick_faults,
    tree_takes_s,
    unsafe_ends,
)
from commonground.grounding.prolog.plans.explanation import explain
from commonground.grounding.prolog.plans.plan_file import PlanFile, plan_json, read_plan, write_plan
from commonground.grounding.prolog.search.total_order import HighTask
from commonground.grounding.prolog.solve import solve_program
from commonground.planning.behavior import (
    Action,
    BehaviorTree,
    Pause,
    Ticker,
    TickStatus,
    parse_tree,
)
from commonground.planning.result import Status

PAINTING = """
agent(ann). agent(bob). resources(agent(_)). door(d1). door(d2). door(d3).
init_state([bare(d1), bare(d2), bare(d3)]). goal_state([red(d1), red(d2), red(d3)]).
action(paint_start(R, D), [bare(D)], [], [agent(R), door(D)], [del(bare(D)), add(painting(R, D))]).
action(paint_end(R, D), [painting(R, D)], [], [agent(R)], [del(painting(R, D)), add(red(D))]).
duration(paint, 3, 3).
"""

FERRY = """
agent(cart). resources(agent(_)). crate(c). dock(north). dock(south).
init_state([lies(c, north), idle(cart), ll_at(cart, shed), ll_fork(cart)]).
goal_state([lies(c, south), idle(cart)]).
action(bring_start(R, C, F, T), [idle(R), lies(C, F)], [], [agent(R), crate(C), dock(F), dock(T), F \\= T],
    [del(idle(R)), del(lies(C, F)), add(bringing(R, C, F, T))]).
action(bring_end(R, C, F, T), [bringing(R, C, F, T)], [], [agent(R)],
    [del(bringing(R, C, F, T)), add(lies(C, T)), add(idle(R))]).
ll_action(roll_start(R, T), [ll_at(R, F)], [], [agent(R), dock(T)],
    [del(ll_at(R, F)), add(ll_rolling(R, T))]).
ll_action(roll_end(R, T), [ll_rolling(R, T)], [], [agent(R)], [del(ll_rolling(R, T)), add(ll_at(R, T))]).
ll_action(raise_start(R), [ll_fork(R)], [], [agent(R)], [del(ll_fork(R)), add(ll_moves(R))]).
ll_action(raise_end(R), [ll_moves(R)], [], [agent(R)], [del(ll_moves(R)), add(ll_fork(R))]).
mapping(bring_start(R, C, F, T),
    [roll_start(R, F), roll_end(R, F), raise_start(R), raise_end(R), roll_start(R, T), roll_end(R, T)]).
duration(roll, 2, 2). duration(raise, 1, 1).
"""


def solved(program: str) -> tuple[Base, Assembly]:
    base, found = solve_program(program, "stated.pl")
    assert found.solved, found.reason
    return base, found


def plan_of(program: str, folder: Path) -> PlanFile:
    write_plan(folder / "plan.json", plan_json(*solved(program)))
    return read_plan(folder / "plan.json")


def makespan_s(program: str) -> float:
    _, found = solved(program)
    assert found.schedule is not None and found.optimal
    return found.schedule.makespan_s


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("agent(ann). agent(bob).", "worker(ann). worker(bob). agent(X) :- worker(X)."),
        ("agent(ann). agent(bob).", "agent(ann). worker(bob). agent(X) :- worker(X)."),
        ("agent(ann). agent(bob).", "agent(X) :- member(X, [ann, bob])."),
        ("resources(agent(_)).", "hand(X) :- agent(X). resources(hand(_))."),
    ],
)
def test_who_is_a_resource_by_a_rule_does_one_thing_at_a_time(
    swipl: None, old: str, new: str
) -> None:
    assert old in PAINTING
    program = PAINTING.replace(old, new)
    base, found = solved(program)
    assert [text(a) for a in base.agents] == ["ann", "bob"]
    assert found.schedule is not None and found.optimal
    assert found.schedule.makespan_s == 6.0


def test_agents_that_a_rule_lists_are_not_left_out_in_silence(swipl: None) -> None:
    program = PAINTING.replace("agent(ann). agent(bob).", "agent(X) :- member(X, [ann, bob]).")
    with pytest.raises(GroundingError, match="a rule says who"):
        solve_program(program, "listed", 1)
    ruled = PAINTING.replace(
        "agent(ann). agent(bob).", "worker(ann). worker(bob). agent(X) :- worker(X)."
    )
    base, found = solve_program(ruled, "ruled", 1)
    assert [text(a) for a in base.agents] == ["ann"]
    assert found.schedule is not None and found.schedule.makespan_s == 9.0


def test_a_rule_for_agents_without_end_is_named(engine: Engine) -> None:
    program = PAINTING + "agent(X) :- agent(X), fail.\n"
    found = errors_of(check(engine, program))
    assert any("who is agent(_)" in f.message for f in found)


def test_calls_are_made_in_the_order_in_which_they_are_mapped(swipl: None) -> None:
    _, found = solved(FERRY)
    calls = [key_of(action)[0] for _, action in found.made if key_of(action)[0][0] in "r"]
    assert calls == [
        "roll_start", "roll_end", "raise_start", "raise_end", "roll_start", "roll_end",
    ]  # fmt: skip
    assert found.schedule is not None and found.schedule.makespan_s == 5.0


def test_calls_overlap_where_their_starts_and_ends_are_mapped_so(
    swipl: None, tmp_path: Path
) -> None:
    program = FERRY.replace(
        "raise_start(R), raise_end(R), roll_start(R, T), roll_end(R, T)",
        "raise_start(R), roll_start(R, T), raise_end(R), roll_end(R, T)",
    )
    assert makespan_s(program) == 4.0
    plan = plan_of(program, tmp_path)
    tree = plan_tree(plan)
    assert {"raise_start", "raise_end", "roll_start", "roll_end"} <= {
        a.kind for a in tree.actions()
    }
    assert tick_faults(tree, plan) == [] and unsafe_ends(tree, plan) == []


def test_what_two_calls_share_is_used_in_the_order_of_each_mapping(swipl: None) -> None:
    """One rail: while an agent rolls, the other one cannot; raising takes no rail."""
    program = FERRY.replace("agent(cart).", "agent(cart). agent(van). crate(d).")
    program = program.replace("init_state([", "init_state([lies(d, north), idle(van), ll_rail, ")
    program = program.replace("ll_fork(cart)]", "ll_fork(cart), ll_at(van, yard), ll_fork(van)]")
    program = program.replace("goal_state([", "goal_state([lies(d, south), ")
    program = program.replace("[ll_at(R, F)], []", "[ll_at(R, F), ll_rail], []")
    program = program.replace("[del(ll_at(R, F)),", "[del(ll_rail), del(ll_at(R, F)),")
    program = program.replace("add(ll_at(R, T))]).", "add(ll_rail), add(ll_at(R, T))]).")
    assert makespan_s(program) == 8.0


def test_setup_times_are_kept_by_schedule_and_trees(swipl: None, tmp_path: Path) -> None:
    program = PAINTING.replace(" agent(bob).", "") + "setup_time(paint, paint, 2).\n"
    plan = plan_of(program, tmp_path)
    assert plan.schedule.makespan_s == 13.0
    tree = parse_tree(checked_xml(plan))
    assert [n.seconds for n in tree.nodes() if isinstance(n, Pause)] == [2.0, 2.0]
    now = [0.0]
    began: list[float] = []

    def execute(action: object) -> TickStatus:
        began.append(now[0])
        return TickStatus.SUCCESS

    ticker = Ticker(tree, execute, now_s=lambda: now[0])
    while ticker.tick() is TickStatus.RUNNING:
        now[0] += 0.5
    assert began == [0.0, 2.0, 4.0]
    assert checked_py_trees(plan).count("Rest(hands, 2.0") == 2


def test_setup_times_decide_who_does_what(swipl: None) -> None:
    """Two agents would paint three doors in 6 s; getting ready again takes longer than a third one alone."""
    program = PAINTING + "setup_time(paint, paint, 4).\n"
    assert makespan_s(program) == 10.0
    assert makespan_s(program.replace("agent(bob).", "agent(bob). agent(cleo).")) == 3.0


def test_of_several_setup_times_the_longest_holds_in_any_order(swipl: None) -> None:
    one = PAINTING.replace(" agent(bob).", "")
    times = ("setup_time(paint, paint, 2).\n", "setup_time(_, paint, 1).\n")
    for stated in (times, times[::-1]):
        _, found = solved(one + "".join(stated))
        assert found.schedule is not None and found.schedule.makespan_s == 13.0


def test_an_action_that_lasts_longer_than_its_calls_does_so_in_the_tree(
    swipl: None, tmp_path: Path
) -> None:
    plan = plan_of(FERRY + "duration(bring, 7, 9).\n", tmp_path)
    assert plan.schedule.makespan_s == 7.0
    pauses = [n.seconds for n in parse_tree(checked_xml(plan)).nodes() if isinstance(n, Pause)]
    assert pauses == [7.0]


GLUING = """
agent(ann). agent(oven). resources(agent(_)). hand(ann). hot(oven). tile(t).
init_state([idle(ann), idle(oven), loose(t), ll_cold(t)]). goal_state([fixed(t), baked(t)]).
action(bake_start(O, T), [idle(O)], [], [hot(O), tile(T)], [del(idle(O)), add(baking(O, T))]).
action(bake_end(O, T), [baking(O, T)], [], [], [del(baking(O, T)), add(idle(O)), add(baked(T))]).
action(fix_start(R, T), [idle(R), loose(T)], [], [hand(R), tile(T)],
    [del(idle(R)), del(loose(T)), add(fixing(R, T))]).
action(fix_end(R, T), [fixing(R, T)], [], [], [del(fixing(R, T)), add(fixed(T)), add(idle(R))]).
ll_action(burn_start(O, T), [ll_cold(T)], [], [hot(O), tile(T)], [add(ll_burning(O, T))]).
ll_action(burn_end(O, T), [ll_burning(O, T)], [], [],
    [del(ll_burning(O, T)), del(ll_cold(T)), add(ll_warm(T))]).
ll_action(smear_start(R, T), [], [], [hand(R), tile(T)], [add(ll_smearing(R, T))]).
ll_action(smear_end(R, T), [ll_smearing(R, T)], [], [], [del(ll_smearing(R, T))]).
ll_action(press_start(R, T), [ll_warm(T)], [], [hand(R), tile(T)], [add(ll_pressing(R, T))]).
ll_action(press_end(R, T), [ll_pressing(R, T)], [], [], [del(ll_pressing(R, T))]).
mapping(bake_start(O, T), [burn_start(O, T), burn_end(O, T)]).
mapping(fix_start(R, T), [smear_start(R, T), smear_end(R, T), press_start(R, T), press_end(R, T)]).
duration(burn, 10, 10). duration(fix, 2, MOST).
"""


def begun(tree: BehaviorTree, lasts_s: dict[str, float]) -> dict[str, float]:
    """Tick a tree to its end; return when each kind of leaf began. Others take no time."""
    now = [0.0]
    began: dict[str, float] = {}

    def execute(action: Action) -> TickStatus:
        since = began.setdefault(action.kind, now[0])
        done = now[0] >= since + lasts_s.get(action.kind, 0.0)
        return TickStatus.SUCCESS if done else TickStatus.RUNNING

    ticker = Ticker(tree, execute, now_s=lambda: now[0])
    while ticker.tick() is TickStatus.RUNNING:
        now[0] += 0.125
    assert ticker.status is TickStatus.SUCCESS
    return began


@pytest.mark.parametrize(("most_s", "apart_s"), [(3, 1.0), (30, 10.0)])
def test_a_tree_begins_late_what_may_not_take_long(
    swipl: None, tmp_path: Path, most_s: int, apart_s: float
) -> None:
    """Glue is smeared when the tile is warm if it dries soon, and at once if it does not."""
    tree = parse_tree(checked_xml(plan_of(GLUING.replace("MOST", str(most_s)), tmp_path)))
    began = begun(tree, {"burn": 10.0, "smear": 1.0, "press": 1.0})
    assert began["press"] >= 10.0
    assert began["press"] - began["smear"] == apart_s


SCREWING = """
agent(vice). agent(ann). resources(agent(_)). plank(p).
init_state([idle(vice), idle(ann), loose(p)]). goal_state([joined(p)]).
action(whet_start(R), [idle(R)], [sharp], [R = ann], [del(idle(R)), add(whetting(R))]).
action(whet_end(R), [whetting(R)], [], [], [del(whetting(R)), add(sharp), add(idle(R))]).
action(clamp_start(V, P), [idle(V), loose(P)], [], [V = vice, plank(P)],
    [del(idle(V)), del(loose(P)), add(clamped(V, P))]).
action(clamp_end(V, P), [clamped(V, P), holed(P)], [], [],
    [del(clamped(V, P)), add(joined(P)), add(idle(V))]).
action(drill_start(R, P), [idle(R), sharp, clamped(_, P)], [holed(P)], [R = ann, plank(P)],
    [del(idle(R)), add(drilling(R, P))]).
action(drill_end(R, P), [drilling(R, P), clamped(_, P)], [], [],
    [del(drilling(R, P)), add(holed(P)), add(idle(R))]).
duration(whet, 9, 9). duration(drill, 1, MOST). duration(clamp, LASTS).
"""


@pytest.mark.parametrize(
    ("clamped", "most_s", "whets_s", "takes_s"),
    [
        ((5, 5), 1, 9.0, 14.0),
        ((5, 5), 5, 20.0, 14.0),
        ((30, 60), 1, 9.0, 30.0),
        ((0, 5), 4, 2.0, 10.0),
    ],
)
def test_a_tree_keeps_what_encloses_another_as_long_as_stated(
    swipl: None,
    tmp_path: Path,
    clamped: tuple[int, int],
    most_s: int,
    whets_s: float,
    takes_s: float,
) -> None:
    """The vice closes when the drill is sharp, however long that takes, and stays closed for its time."""
    program = SCREWING.replace("(clamp, LASTS", f"(clamp, {clamped[0]}, {clamped[1]}")
    program = program.replace("MOST", str(most_s))
    plan = plan_of(program, tmp_path)
    tree = parse_tree(checked_xml(plan))
    assert tree_takes_s(plan) == takes_s
    for drills_s in (1.0, float(most_s)):
        began = begun(tree, {"whet": whets_s, "drill": drills_s})
        lasted_s = began["clamp_end"] - began["clamp_start"]
        assert clamped[0] <= lasted_s <= clamped[1] + 0.25  # a flag is seen a tick later


def test_what_another_within_it_could_keep_too_long_has_no_tree(
    swipl: None, tmp_path: Path
) -> None:
    plan = plan_of(SCREWING.replace("LASTS", "5, 5").replace("MOST", "7"), tmp_path)
    with pytest.raises(PlanningError, match=r"clamp\(vice, p\) may take 5 s, and could take 7 s"):
        checked_xml(plan)


@pytest.mark.parametrize("name", ["make_safe", "Sequence"])
def test_names_that_a_tree_has_for_itself_are_named_by_check_and_tree(
    engine: Engine, tmp_path: Path, name: str
) -> None:
    program = PAINTING.replace("paint", f"'{name}'").replace(f"'{name}'ing", "painting")
    program = re.sub(rf"'{name}'(_start|_end)", rf"'{name}\1'", program)
    program = program.replace("door(d3)", "door('{x}')").replace("d3", "'{x}'")
    found = [f for f in check(engine, program) if f.kind == "tree"]
    assert len(found) == 2 and not errors_of(found)
    assert f"'{name}'" in found[1].message and "'{x}'" in found[0].message
    with pytest.raises((GroundingError, PlanningError), match=name):
        checked_xml(plan_of(program.replace("'{x}'", "d3"), tmp_path))


def test_an_agent_that_was_busy_before_is_explained_by_what_freed_it(
    swipl: None, tmp_path: Path
) -> None:
    plan = plan_of(PAINTING.replace(" agent(bob).", "").replace("[bare(D)]", "[bare(D), idle(R)]")
        .replace("init_state([", "init_state([idle(ann), ")
        .replace("[del(bare(D)), add(p", "[del(bare(D)), del(idle(R)), add(p")
        .replace("add(red(D))", "add(red(D)), add(idle(R))"), tmp_path)  # fmt: skip
    whole = sorted(plan.schedule.order.plan.activities, key=lambda a: plan.schedule.time_s[a.start])
    for before, activity in zip([None, *whole], whole, strict=False):
        why = explain(plan, str(activity.start)).enabled_by
        begins = "idle(ann) holds from the beginning" in why
        assert begins == (before is None)
        if before is not None:
            assert any(f"step {before.end} " in line and "idle(ann)" in line for line in why)


def test_what_an_agent_was_left_with_is_explained_by_its_name(swipl: None, tmp_path: Path) -> None:
    program = (
        PAINTING.replace("[bare(D)]", "[bare(D), has(R)]")
        + """
action(fetch_start(R), [], [has(R)], [agent(R)], [add(fetching(R))]).
action(fetch_end(R), [fetching(R)], [], [agent(R)], [del(fetching(R)), add(has(R))]).
"""
    )
    plan = plan_of(program, tmp_path)
    steps = [n for n, action in enumerate(plan.actions) if action.startswith("paint_start")]
    for step in steps:
        arm = plan.actions[step].partition("(")[2].partition(",")[0]
        why = explain(plan, str(step)).enabled_by
        assert any(line.endswith(f"fetch_end({arm}) makes has({arm}) true") for line in why)
        assert not any("left by" in line for line in why)


def test_instances_come_in_the_order_in_which_facts_are_stated(engine: Engine) -> None:
    """And in no order of hashes, which would be another one in each run."""
    doors = [f"d{n}" for n in range(8, 0, -1)]
    program = PAINTING.replace(
        "bare(d1), bare(d2), bare(d3)", ", ".join(f"bare({d})" for d in doors)
    )
    program = program.replace("door(d3).", " ".join(f"door(d{n})." for n in range(3, 9)))
    task = HighTask(engine, load(engine, program, "doors"))
    found = ground(task)
    assert found is not None
    heads = [op.heads[0] for op in found.high if op.heads[0][:2] == ("paint_start", "ann")]
    assert [head[2] for head in heads] == doors


def test_an_empty_plan_has_no_tree_and_is_not_damaged(swipl: None, tmp_path: Path) -> None:
    program = PAINTING.replace(
        "init_state([bare(d1), bare(d2), bare(d3)])", "init_state([red(d1), bare(d2)])"
    )
    plan = plan_of(program.replace("[red(d1), red(d2), red(d3)]", "[red(d1)]"), tmp_path)
    with pytest.raises(PlanningError, match="nothing to execute"):
        checked_xml(plan)


def test_a_tree_for_py_trees_waits_again_when_it_is_ticked_again(
    swipl: None, tmp_path: Path
) -> None:
    common = pytest.importorskip("py_trees.common")
    needed = "bare(D), wiped(d1)], [], [agent(R), door(D)]"
    program = PAINTING.replace("bare(D)], [], [agent(R), door(D)]", needed)
    program += """
action(wipe_start(R, D), [bare(D)], [wiped(D)], [agent(R), door(D), D = d1], [add(wiping(R, D))]).
action(wipe_end(R, D), [wiping(R, D)], [], [agent(R)], [del(wiping(R, D)), add(wiped(D))]).
action(mask_start(R, D), [bare(D)], [masked(D)], [agent(R), door(D), D = d3], [add(masking(R, D))]).
action(mask_end(R, D), [masking(R, D)], [], [agent(R)], [del(masking(R, D)), add(masked(D))]).
"""
    program = program.replace("goal_state([", "goal_state([masked(d3), ")
    path = tmp_path / "tree.py"
    path.write_text(checked_py_trees(plan_of(program, tmp_path)))
    assert "Wait(" in path.read_text()
    spec = importlib.util.spec_from_file_location("written", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    left: dict[str, int] = {}
    order: list[str] = []

    def execute(kind: str, ports: dict[str, str], name: str) -> object:
        left[name] = left.get(name, 4 if kind == "wipe" else 1) - 1
        if left[name] > 0:
            return common.Status.RUNNING
        del left[name]
        order.append(kind)
        return common.Status.SUCCESS

    root = module.create_root(execute)
    for _ in range(2):
        order.clear()
        for _ in range(60):
            root.tick_once()
            if root.status == common.Status.SUCCESS:
                break
        assert root.status == common.Status.SUCCESS
        assert order.index("wipe") < order.index("paint")


def test_arguments_of_an_end_are_those_of_its_start(engine: Engine) -> None:
    program = """
agent(a). resources(agent(_)). init_state([idle(a), pose(a, home)]). goal_state([moved]). spot(home).
action(move_start(R, P, xyz(X)), [idle(R), pose(R, P)], [], [agent(R), X = far],
    [del(idle(R)), add(moving(R))]).
action(move_end(R, P, xyz(X)), [moving(R)], [], [agent(R)], [del(moving(R)), add(moved), add(idle(R))]).
"""
    assert not errors_of(check(engine, program))
    assert makespan_s(program) == 1.0


def test_longest_durations_may_take_an_action_twice_or_begin_late(swipl: None) -> None:
    program = """
agent(a). agent(b). agent(o). arm(a). arm(b). oven(o). resources(agent(_)). part(p1). part(p2).
init_state([idle(a), idle(b), idle(o), raw(p1), raw(p2)]).
goal_state([pressed(p1), pressed(p2), idle(a), idle(o)]).
action(heat_start(O), [idle(O)], [], [agent(O), oven(O)], [del(idle(O)), add(heating(O)), add(hot)]).
action(heat_end(O), [heating(O)], [pressing(_, _)], [agent(O)],
    [del(heating(O)), del(hot), add(idle(O))]).
action(press_start(R, P), [idle(R), raw(P), hot], [pressing(_, _)], [agent(R), arm(R), part(P)],
    [del(idle(R)), del(raw(P)), add(pressing(R, P))]).
action(press_end(R, P), [pressing(R, P), hot], [], [agent(R)],
    [del(pressing(R, P)), add(pressed(P)), add(idle(R))]).
duration(heat, 1, 3). duration(press, 2, 2).
"""
    assert makespan_s(program) == 4.0
    late = """
agent(a). agent(o). oven(o). resources(agent(_)). part(p1).
init_state([idle(a), idle(o), fuel, raw(p1)]). goal_state([pressed(p1), idle(o)]).
action(file_start(R, P), [idle(R), raw(P)], [], [agent(R), part(P), R \\= o],
    [del(idle(R)), del(raw(P)), add(filing(R, P))]).
action(file_end(R, P), [filing(R, P)], [], [agent(R)], [del(filing(R, P)), add(filed(P)), add(idle(R))]).
action(heat_start(O), [idle(O), fuel], [], [agent(O), oven(O)],
    [del(idle(O)), del(fuel), add(heating(O)), add(hot)]).
action(heat_end(O), [heating(O)], [], [agent(O)], [del(heating(O)), del(hot), add(idle(O))]).
action(press_start(R, P), [idle(R), filed(P), hot], [], [agent(R), part(P), R \\= o],
    [del(idle(R)), del(filed(P)), add(pressing(R, P))]).
action(press_end(R, P), [pressing(R, P)], [], [agent(R)],
    [del(pressing(R, P)), add(pressed(P)), add(idle(R))]).
duration(heat, 2, 2). duration(press, 1, 1). duration(file, 3, 3).
"""
    assert makespan_s(late) == 4.0  # the oven is lit a second after the file is taken up
    never = late.replace("duration(press, 1, 1)", "duration(press, 4, 4)")
    never = never.replace("R, P), [pressing(R, P)]", "R, P), [pressing(R, P), hot]")
    _, found = solve_program(never, "never")
    assert found.status is Status.UNSOLVABLE and "longest durations" in found.reason


REFUSED = [
    ("", "setup_time(paint, pant, 2).", "no high-level action pant. Did you mean 'paint'"),
    ("", "setup_time(paint(_), paint, 2).", "named without its arguments"),
    ("", "duration(_, 2, 2).", "named without its arguments"),
    ("", "duration(paint, 9, 9).", "has a duration already"),
    ("resources(agent(_)).", "resources(agnt(_)).", "no fact is of the kind agnt(_)"),
    ("goal_state([", "goal_state([\\+ bare(d1), ", "is no fact"),
    ("[bare(D)], []", "[bare(D), D \\= d9], []", "is no fact"),
    ("add(red(D))", "add(red(Q))", "has a variable that nothing binds"),
    ("[del(bare(D)),", "[del(bare(_)),", "has a variable that nothing binds"),
    ("[agent(R), door(D)]", "[agent(R), door(d1)]", ""),
]


@pytest.mark.parametrize(("old", "new", "words"), REFUSED)
def test_both_commands_refuse_the_same_with_its_line(
    engine: Engine, old: str, new: str, words: str
) -> None:
    program = PAINTING.replace(old, new, 1) if old else f"{PAINTING}{new}\n"
    found = errors_of(check(engine, program))
    if not words:  # bound by the positive precondition
        assert not found
        return
    (told,) = [f for f in found if words in f.message]
    assert told.line > 0
    with pytest.raises(GroundingError, match=re.escape(f"stated.pl:{told.line}:{told.column}")):
        solve_program(program, "stated.pl")


MAPPED = [
    (
        "roll_start(R, T), roll_end(R, T)])",
        "roll_start(R, T), roll_end(R, F)])",
        "no start with the same",
    ),
    ("duration(roll, 2, 2).", "duration(roll, 2, 2). duration(bring, 1, 4).", "takes at least 5 s"),
    ("duration(roll, 2, 2).", "duration(roll, 2, 2). setup_time(roll, raise, 1).", "It is a call"),
]


@pytest.mark.parametrize(("old", "new", "words"), MAPPED)
def test_what_no_call_can_keep_to_is_refused(
    engine: Engine, old: str, new: str, words: str
) -> None:
    assert not errors_of(check(engine, FERRY))
    program = FERRY.replace(old, new)
    assert program != FERRY
    assert any(words in f.message for f in errors_of(check(engine, program)))
    with pytest.raises(GroundingError, match=words):
        solve_program(program, "stated.pl")


def test_a_full_stop_that_is_missing_is_all_that_is_told(engine: Engine) -> None:
    """Not that there is no action, where both halves of the only one could not be read."""
    program = PAINTING.replace("add(painting(R, D))]).", "add(painting(R, D))])")
    assert program != PAINTING
    assert [f.kind for f in check(engine, program)] == ["syntax"]


def test_facts_stated_twice_count_once(swipl: None) -> None:
    program = PAINTING.replace("init_state([", "init_state([bare(d1), ")
    program = program.replace("goal_state([", "goal_state([red(d9), red(d9), ")
    _, found = solve_program(program, "twice")
    assert found.reason.count("red(d9)") == 1
    assert makespan_s(PAINTING.replace("init_state([", "init_state([bare(d1), ")) == 6.0


def test_quoted_names_reach_the_tree_as_they_are(swipl: None, tmp_path: Path) -> None:
    program = (
        PAINTING.replace("ann", "'R-2'")
        .replace("paint_", "'Paint_")
        .replace("'Paint_start(", "'Paint_start'(")
        .replace("'Paint_end(", "'Paint_end'(")
        .replace("duration(paint", "duration('Paint'")
    )
    tree = plan_tree(plan_of(program, tmp_path))
    named = {a.label for a in tree.actions() if dict(a.ports).get("r") == "R-2"}
    assert named and all(label.startswith("Paint(R-2, d") for label in named)
    assert {dict(a.ports)["agent"] for a in tree.actions() if a.kind == "make_safe"} == {
        "R-2",
        "bob",
    }


def test_what_neither_the_action_nor_the_call_says_is_named(engine: Engine) -> None:
    program = FERRY.replace(
        "roll_start(R, T), roll_end(R, T)])", "roll_start(R, _), roll_end(R, _)])"
    )
    assert not [f for f in check(engine, program) if f.kind == "open-variable"]  # some dock
    found = errors_of(
        check(engine, program.replace(", dock(T)],\n    [del(ll_at", "], [del(ll_at"))
    )
    assert any("left open of roll_start(R, _)" in f.message for f in found)


HOLDING = """
agent(ann). agent(bob). resources(agent(_)). lid(l).
init_state([idle(ann), idle(bob), loose(l)]). goal_state([shut(l)]).
action(hold_start(R, L), [idle(R), loose(L)], [], [agent(R), lid(L)],
    [del(idle(R)), add(holding(R, L)), add(held(L))]).
action(hold_end(R, L), [holding(R, L), screwed(L)], [], [agent(R)],
    [del(holding(R, L)), add(idle(R)), add(shut(L))]).
action(screw_start(R, L), [idle(R), NEEDED], [], [agent(R), lid(L)],
    [del(idle(R)), add(screwing(R, L))]).
action(screw_end(R, L), [screwing(R, L)], [], [agent(R)],
    [del(screwing(R, L)), add(idle(R)), add(screwed(L))]).
duration(hold, 2, 9). duration(screw, 3, 3).
"""


@pytest.mark.parametrize("needed", ["held(L)", "loose(L)"])
def test_what_an_end_needs_may_come_while_its_action_runs(swipl: None, needed: str) -> None:
    """Holding gives what screwing needs, whose end lets holding end: neither is before the other."""
    program = HOLDING.replace("NEEDED", needed)
    assert makespan_s(program) == 3.0
    alone = program.replace(" agent(bob).", "").replace(", idle(bob)", "")
    assert solve_program(alone, "stated.pl")[1].solved == (needed == "loose(L)")
