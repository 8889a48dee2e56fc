"""Plans of bases of several kinds, executed; schedules, trees, files and explanations."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from commonground.errors import GroundingError, PlanningError
from commonground.grounding.prolog.assembly import Assembly, assemble
from commonground.grounding.prolog.base.engine import Engine
from commonground.grounding.prolog.base.findings import errors_of
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import load
from commonground.grounding.prolog.base.terms import key_of, match, substitute, text
from commonground.grounding.prolog.checks.check import check
from commonground.grounding.prolog.evaluation.evaluate import suite_rows
from commonground.grounding.prolog.plans.behavior_tree import (
    checked_py_trees,
    checked_xml,
    plan_tree,
    tick_faults,
    unsafe_ends,
)
from commonground.grounding.prolog.plans.explanation import explain
from commonground.grounding.prolog.plans.plan_file import PlanFile, plan_json, read_plan, write_plan
from commonground.grounding.prolog.plans.what_if import what_if
from commonground.grounding.prolog.search.total_order import HighTask, find_plan
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_program
from commonground.planning.behavior import (
    Action,
    BehaviorTree,
    Fallback,
    Ticker,
    TickStatus,
    parse_tree,
    tree_of_plan,
)
from commonground.planning.result import Status
from commonground.planning.temporal import check_plan
from tests.grounding.prolog.blocks_worlds import random_world, tower_world
from tools.scoring.depth_first import depth_first


def planned(engine: Engine, program: str) -> tuple[Base, Assembly]:
    loaded = load(engine, program)
    return loaded.base, assemble(engine, loaded)


def assert_sound(base: Base, found: Assembly) -> None:
    """Everything that a plan promises, looked at without the code that made it."""
    assert found.solved, found.reason
    schedule = found.schedule
    assert schedule is not None and not check_plan(schedule)
    assert not schedule.network().conflict()
    assert len(found.made) == len(schedule.order.plan.steps)
    for chain in schedule.chains().values():
        for a, b in itertools.pairwise(chain):
            assert schedule.span(a)[1] <= schedule.span(b)[0] + 1e-6
    assert replay(base, [action for _, action in found.made])


def replay(base: Base, actions: list[object]) -> bool:
    """Execute ground actions in Python: an executor that shares nothing with the one in Prolog."""
    state = {f.term for f in base.init}
    for action in actions:
        for schema in (s for s in base.schemas if s.name == getattr(action, "functor", action)):
            binding: dict[str, object] = {}
            assert match(schema.head, action, binding)  # type: ignore[arg-type]
            found = next(_solutions([n.term for n in schema.needs], state, binding), None)
            assert found is not None, f"{text(action)} misses a precondition"  # type: ignore[arg-type]
            for forbidden in schema.forbids:
                pattern = substitute(forbidden.term, found)
                assert not any(match(pattern, fact, {}) for fact in state)
            for added, fact in schema.effects:
                ground = substitute(fact.term, found)
                state = state | {ground} if added else state - {ground}
    return all(any(match(g.term, fact, {}) for fact in state) for g in base.goal)


def _solutions(needs, state, binding):  # type: ignore[no-untyped-def]
    if not needs:
        yield binding
        return
    alike = (fact for fact in state if key_of(fact) == key_of(needs[0]))
    for fact in sorted(alike, key=text):
        bound = dict(binding)
        if match(needs[0], fact, bound):
            yield from _solutions(needs[1:], state, bound)


@pytest.mark.parametrize(("name", "makespan"), [("cups", 5.0), ("holding", 5.0)])
def test_bases_of_several_kinds(engine: Engine, data: Path, name: str, makespan: float) -> None:
    base, found = planned(engine, (data / f"{name}.pl").read_text())
    assert_sound(base, found)
    assert found.schedule is not None and found.schedule.optimal
    assert found.schedule.makespan_s == pytest.approx(makespan)


def test_tools_skills_setups_and_rules(engine: Engine, data: Path) -> None:
    base, found = planned(engine, (data / "workshop.pl").read_text())
    assert_sound(base, found)
    joined = next(b for b in (found.timed.blocks if found.timed else ()) if "join" in b.name)
    assert joined.agents == ("k1",), "only k1 can weld"


def test_other_names_do_not_matter(engine: Engine, data: Path) -> None:
    program = (data / "cups.pl").read_text()
    for old, new in (
        ("stands", "'Is at'"),
        ("agent", "worker"),
        ("c1", "'Cup 1'"),
        ("carry", "haul"),
    ):
        program = program.replace(old, new)
    base, found = planned(engine, program)
    assert_sound(base, found)
    assert found.schedule is not None and found.schedule.makespan_s == pytest.approx(5.0)


@pytest.mark.parametrize("seed", range(2))
def test_random_blocks_worlds(engine: Engine, seed: int) -> None:
    world = random_world(4, 7, 2, np.random.default_rng(seed), highest=3)
    base, found = planned(engine, world.program())
    assert_sound(base, found)


@pytest.mark.parametrize("agents", [1, 2, 3])
def test_more_agents_never_take_longer(swipl: None, data: Path, agents: int) -> None:
    base, found = solve_program((data / "cups.pl").read_text(), "cups", agents)
    assert len(base.agents) == agents
    assert found.schedule is not None
    assert found.schedule.makespan_s == pytest.approx(10.0 if agents == 1 else 5.0)


def test_a_large_base_needs_few_instances(engine: Engine) -> None:
    loaded = load(engine, tower_world(30, 40, 4, 3).program())
    task = HighTask(engine, loaded)
    high = find_plan(task, cpu_s=float("inf"))
    assert high.status is Status.SOLVED and len(high.ops) == 3
    assert high.considered < 500


def test_the_reference_search_agrees(engine: Engine, data: Path) -> None:
    loaded = load(engine, (data / "cups.pl").read_text())
    plan = depth_first(engine, loaded, 4)
    assert plan is not None and len(plan) == 4
    assert depth_first(engine, loaded, 3) is None


def test_the_suite(shared: Path, swipl: None) -> None:
    """All cases beside this checkout: valid, and as short as their stated minimum."""
    import yaml

    cases = sorted((shared / "suites" / "assembly" / "cases").glob("*/kb_ll.pl"))
    assert cases
    for path in cases:
        wanted = yaml.safe_load((path.parent / "expected.yaml").read_text())
        agents = int(wanted["agents"])
        base, found = solve_program(path.read_text(), str(path), agents)
        assert_sound(base, found)
        assert found.schedule is not None and found.schedule.optimal
        assert found.schedule.makespan_s == wanted["minimum_makespan"][f"agents_{agents}"], path


# ---- files, trees, explanations ------------------------------------------------------------------


@pytest.fixture(scope="module")
def cups_plan(swipl: None, data: Path, tmp_path_factory: pytest.TempPathFactory) -> PlanFile:
    base, found = solve_program((data / "cups.pl").read_text(), "cups.pl")
    path = tmp_path_factory.mktemp("plans") / "plan.json"
    write_plan(path, plan_json(base, found))
    return read_plan(path)


def test_a_plan_survives_its_file(cups_plan: PlanFile) -> None:
    assert not check_plan(cups_plan.schedule)
    assert cups_plan.schedule.makespan_s == pytest.approx(5.0)


def test_the_tree_holds_low_level_leaves_only(cups_plan: PlanFile) -> None:
    xml = checked_xml(cups_plan)
    root = ElementTree.fromstring(xml)  # noqa: S314 - our own
    assert root.get("BTCPP_format") == "4"
    leaves = {e.get("ID") for e in root.find("BehaviorTree").iter("Action")}  # type: ignore[union-attr]
    assert leaves == {"go", "suck", "drop", "make_safe"}
    assert len(parse_tree(xml).actions()) == 8 + 2


def test_an_action_is_tried_again_and_a_failed_tree_leaves_every_agent_safe(
    cups_plan: PlanFile,
) -> None:
    tree = parse_tree(checked_xml(cups_plan))

    def outcome(failures: int) -> tuple[TickStatus, list[str]]:
        left, safe = {"suck": failures}, []

        def execute(action: Action) -> TickStatus:
            if action.kind == "make_safe":
                safe.append(dict(action.ports)["agent"])
            elif left.get(action.kind, 0) > 0:
                left[action.kind] -= 1
                return TickStatus.FAILURE
            return TickStatus.SUCCESS

        ticker = Ticker(tree, execute)
        for _ in range(100):
            ticker.tick()
        return ticker.status, sorted(safe)

    assert outcome(1) == (TickStatus.SUCCESS, [])
    status, safe = outcome(99)
    assert status is TickStatus.FAILURE and len(safe) == len(set(safe)) == 2


@pytest.mark.parametrize("failing", ["", "suck"])
def test_the_file_for_py_trees_does_what_the_tree_does(
    cups_plan: PlanFile, tmp_path: Path, failing: str
) -> None:
    common = pytest.importorskip("py_trees.common")
    path = tmp_path / "cups_tree.py"
    path.write_text(checked_py_trees(cups_plan))
    spec = importlib.util.spec_from_file_location("cups_tree", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ours, theirs = list[tuple[str, str]](), list[tuple[str, str]]()

    def execute(kind: str, ports: dict[str, str], name: str) -> object:
        theirs.append((kind, name))
        return common.Status.FAILURE if kind == failing else common.Status.SUCCESS

    def own(action: Action) -> TickStatus:
        ours.append((action.kind, action.label))
        return TickStatus.FAILURE if action.kind == failing else TickStatus.SUCCESS

    root = module.create_root(execute)
    ticker = Ticker(parse_tree(checked_xml(cups_plan)), own)
    for _ in range(40):
        if root.status not in (common.Status.SUCCESS, common.Status.FAILURE):
            root.tick_once()
        if ticker.status is TickStatus.RUNNING or not ours:
            ticker.tick()
    assert root.status == (common.Status.FAILURE if failing else common.Status.SUCCESS)
    assert sorted(set(theirs)) == sorted(set(ours))


def test_a_tree_without_its_safe_end_is_refused(cups_plan: PlanFile) -> None:
    whole = plan_tree(cups_plan)
    assert not unsafe_ends(whole, cups_plan)
    assert isinstance(whole.root, Fallback)
    bare = BehaviorTree("bare", whole.root.children[0])
    assert any("is not made safe" in fault for fault in unsafe_ends(bare, cups_plan))


def test_what_ends_after_something_within_it_is_started_and_ended_by_leaves_of_its_own(
    engine: Engine, data: Path, tmp_path: Path
) -> None:
    base, found = planned(engine, (data / "holding.pl").read_text())
    write_plan(tmp_path / "plan.json", plan_json(base, found))
    plan = read_plan(tmp_path / "plan.json")
    tree = parse_tree(checked_xml(plan))
    kinds = [leaf.kind for leaf in tree.actions()]
    halves = {kind.rpartition("_")[0] for kind in kinds if kind.endswith("_end")}
    assert halves and all(f"{kind}_start" in kinds for kind in halves)
    assert tick_faults(tree, plan) == []
    with pytest.raises(PlanningError, match="split it in two"):  # executors may know none
        tree_of_plan(plan.schedule)


def test_no_plan_is_written_with_the_keys_of_one(engine: Engine, data: Path) -> None:
    base, found = planned(engine, (data / "holding.pl").read_text())
    none = plan_json(base, Assembly(Status.UNSOLVABLE, "nothing holds it"))
    assert none.keys() == plan_json(base, found).keys()
    assert none["makespan_s"] is None and none["high_level"] == [] and not none["optimal"]


def test_why_a_step_is_there(cups_plan: PlanFile) -> None:
    step = next(
        i for i, a in enumerate(cups_plan.actions) if a.startswith("carry_start") and "c1" in a
    )
    said = explain(cups_plan, str(step))
    assert any("stands(c1, top)" in line and "goal" in line for line in said.purpose)
    assert any("stands(c1, left) holds from the beginning" in line for line in said.enabled_by)
    with pytest.raises(GroundingError, match="has no step"):
        explain(cups_plan, "fly(r1)")


def test_a_step_is_part_of_what_started_it_and_not_of_what_goes_on_beside_it(
    cups_plan: PlanFile,
) -> None:
    actions = cups_plan.actions
    whole = [a for a in cups_plan.schedule.order.plan.activities if a.parent is None]
    for activity in whole:
        assert explain(cups_plan, str(activity.start)).within == ""
        within = f"step {activity.start} {actions[activity.start]}"
        assert explain(cups_plan, str(activity.end)).within == within


def test_a_step_is_found_by_the_number_that_the_table_shows_and_by_whole_words(
    cups_plan: PlanFile,
) -> None:
    values = json.loads(Path(cups_plan.source).read_text())
    for entry in values["high_level"]:
        said = explain(cups_plan, str(entry["step"]))
        assert said.action.startswith(f"{entry['action']}_start({', '.join(entry['arguments'])}")
    arm = values["high_level"][0]["agents"][0]
    assert f"({arm}, " in explain(cups_plan, f"carry_start({arm}").action
    with pytest.raises(GroundingError, match="no step"):
        explain(cups_plan, f"carry_start({arm[:-1]}")  # the beginning of an arm's name is no arm


GOALS = {
    "stands(c1, top), stands(c1, bottom)": "stands(c1, top) and stands(c1, bottom) can never hold together",
    "stands(c1, top), stands(c2, top)": "stands(c1, top) and stands(c2, top) can never hold together",
    "carrying(r1, c1, left, top)": "carrying(r1, c1, left, top) can never hold in the end",
    "stands(c1, right)": "stands(c1, right): carry would add it, but shelf(right) is never true",
}


@pytest.mark.parametrize("goal", GOALS)
def test_without_a_plan_the_goals_that_never_hold_are_named(
    engine: Engine, data: Path, goal: str
) -> None:
    whole = "stands(c1, top), stands(c2, bottom), available(r1), available(r2)"
    program = (data / "cups.pl").read_text()
    assert not errors_of(check(engine, program))
    wrong = program.replace(whole, f"{goal}, available(r2)")
    found = planned(engine, wrong)[1]
    assert found.status is Status.UNSOLVABLE and GOALS[goal] in found.reason
    assert "available" not in found.reason  # what can hold is not blamed
    (finding,) = errors_of(check(engine, wrong))
    assert finding.kind == "unreachable-goal" and finding.line > 0
    assert GOALS[goal].partition(":")[0] in finding.message


@pytest.mark.parametrize("states", [0, 100_000])
def test_goals_that_are_too_much_of_one_thing_are_named_by_both_commands_without_a_search(
    engine: Engine, data: Path, states: int
) -> None:
    """Others that have to hold besides do not hide it."""
    program = (data / "cups.pl").read_text()
    whole = "goal_state([stands(c1, top), stands(c2, bottom)"
    wrong = program.replace(
        whole, "goal_state([stands(c2, bottom), stands(c1, top), stands(c1, right)"
    )
    assert wrong != program
    wrong = wrong.replace("shelf(top).", "shelf(top). shelf(right).")
    told = "stands(c1, top) and stands(c1, right) can never hold together"
    with Engine(PrologSettings(exact_states=states)) as own:
        found = planned(own, wrong)[1]
        findings = errors_of(check(own, wrong))
    assert found.status is Status.UNSOLVABLE and told in found.reason
    assert any(told in finding.message for finding in findings)
    assert "prove" not in found.time_s


def test_what_the_check_calls_an_error_is_refused_by_the_planner(swipl: None, data: Path) -> None:
    program = (data / "cups.pl").read_text()
    program = program.replace("duration(drop, 0.5, 1)", "duration(dropp, 1, 1)")
    with pytest.raises(GroundingError, match="Did you mean 'drop'"):
        solve_program(program, "cups.pl")


def test_who_the_low_level_does_not_know_of_does_nothing_and_is_told(
    swipl: None, data: Path
) -> None:
    program = (data / "cups.pl").read_text().replace("ll_arm(r2).\n", "")
    _, found = solve_program(program, "cups.pl")
    assert found.solved and "ll_arm(r1) of r2" in found.reason
    assert not any("r2" in text(action) for _, action in found.made)


def test_a_goal_of_nothing_is_told(swipl: None, data: Path) -> None:
    program = re.sub(
        r"goal_state\(\[.*?\]\)\.",
        "goal_state([]).",
        (data / "cups.pl").read_text(),
        flags=re.DOTALL,
    )
    _, found = solve_program(program, "cups.pl")
    assert found.solved and "the goal is empty" in found.reason
    with Engine() as own:
        assert any(f.kind == "goal" for f in check(own, program))


def test_rules_that_call_themselves_are_named_with_their_line(swipl: None, data: Path) -> None:
    program = (data / "cups.pl").read_text()
    circle = "shelf(X) :- board(X).\nboard(X) :- ledge(X).\nledge(X) :- board(X).\n"
    line = program.count("\n") + 2
    told = f"the rule of board/1 in line {line} calls itself, by way of ledge/1"
    with Engine(PrologSettings(goal_limit_s=0.3)) as own:
        (finding,) = [f for f in check(own, program + circle) if f.kind == "grounding"]
        assert told in finding.message
        with pytest.raises(GroundingError, match=f"^cups.pl: .*{told}"):
            assemble(own, load(own, program + circle, "cups.pl"))


def test_who_was_left_out_is_named_where_the_others_cannot_do_it(swipl: None, data: Path) -> None:
    program = (data / "workshop.pl").read_text()
    found = solve_program(program, "workshop.pl", 2)[1]
    assert found.status is Status.UNSOLVABLE and "joined(p1, p2) can never hold" in found.reason
    assert found.reason.endswith("left out by the number of agents: k1")


def test_what_if_a_fact_were_otherwise(cups_plan: PlanFile) -> None:
    gone = what_if(cups_plan, removed=["stands(c1, left)"])
    assert gone.makespan_s is None and "stands(c1, top)" in gone.consequence
    alone = what_if(cups_plan, removed=["ll_arm(r2)"])
    assert alone.makespan_s == pytest.approx(10.0)
    with pytest.raises(GroundingError, match="does not state"):
        what_if(cups_plan, removed=["stands(c1, moon)"])


def test_arms_that_are_alike_are_not_told_apart(cups_plan: PlanFile) -> None:
    other = {"r1": "r2", "r2": "r1"}
    swapped = (re.sub("r[12]", lambda arm: other[arm[0]], a) for a in cups_plan.actions)
    found = what_if(replace(cups_plan, actions=tuple(swapped)), removed=["ll_spot(home2)"])
    assert not found.lost and not found.gained and "the same actions" in found.consequence


def test_another_time_takes_the_place_of_the_one_stated(cups_plan: PlanFile) -> None:
    stated = next(line for line in cups_plan.program.splitlines() if line.startswith("duration("))
    name, least, most = stated.removeprefix("duration(").removesuffix(").").split(", ")
    slower = what_if(
        cups_plan, added=[f"duration({name}, {float(least) + 10}, {float(most) + 10})"]
    )
    assert slower.makespan_s is not None
    assert slower.makespan_s >= cups_plan.schedule.makespan_s + 10
    assert not slower.lost
    assert "the base does not state" not in what_if(cups_plan, [stated]).consequence
    assert (
        "nothing in the base asks for colour/1"
        in what_if(cups_plan, added=["colour(red)"]).consequence
    )


def test_damaged_plans_are_refused(cups_plan: PlanFile, tmp_path: Path) -> None:
    path = Path(cups_plan.source)
    values = json.loads(path.read_text())
    seconds = ({"makespan_s": []}, {"makespan_s": float("inf")}, {"lower_bound_for_actions_s": "6"})
    wrong = ({"kind": "x"}, {"schema_version": 99}, {"plan": {}}, {"status": "unsolvable"})
    for change in (*wrong, *seconds):
        (tmp_path / "bad.json").write_text(json.dumps({**values, **change}))
        with pytest.raises(GroundingError):
            read_plan(tmp_path / "bad.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(GroundingError, match="not a plan"):
        read_plan(tmp_path / "bad.json")


@pytest.mark.parametrize("stated", ["5", "{agents_1: soon}"])
def test_a_suite_that_states_no_makespans_is_named(tmp_path: Path, stated: str) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/kb_ll.pl").write_text("")
    (tmp_path / "a/expected.yaml").write_text(f"minimum_makespan: {stated}")
    with pytest.raises(GroundingError, match=r"expected\.yaml"):
        next(suite_rows(tmp_path, [1]))
