"""Domains written, with what is said in them, by somebody who had not seen how predicates are understood."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonground.config import read_yaml
from commonground.grounding.knowledge import Fact, Source
from commonground.grounding.memory.evaluation.evaluate import TrueWorld, reached_by_looking
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.planning.planner import TaskPlanner
from commonground.grounding.memory.planning.problem import make_task
from commonground.grounding.memory.planning.tasks import plan_task
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Atom, parse_formula, to_pddl
from commonground.planning.pddl.logic import conjuncts

DOMAINS = Path(__file__).parent / "domains"
NAMES = ("clinic", "flat", "hospital", "machine_shop", "prop_store")
MORNING_NS = 1_764_115_200_000_000_000
DOUBTED = read_yaml(DOMAINS / "doubted.yaml")[0]


@pytest.fixture
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Memory]]:
    path = tmp_path / "memory.db"
    world = DOMAINS / f"{request.param}.pddl", DOMAINS / f"{request.param}.jsonl"
    create_memory(path, *world, at_ns=MORNING_NS).close()
    with open_memory(path) as memory:
        yield request.param, memory


def believed(memory: Memory) -> set[Fact]:
    return {fact for fact in memory.store.facts if fact.object != "false"}


def facts(lines: list[str]) -> set[Fact]:
    return {Fact(*line.split(), *(["true"] if line.count(" ") == 1 else [])) for line in lines}


def set_right(memory: Memory, add: set[Fact], end: set[Fact], at_ns: int | None = None) -> None:
    false = [fact.opposite for fact in end if fact.is_property]
    gone = [fact for fact in end if not fact.is_property]
    memory.store.assert_facts([*add, *false], Source("file"), retracted=gone, at_ns=at_ns)
    memory.discourse.forget()


def told_at(text: str, before_ns: int) -> int:
    """Return when a report is told: at the time it begins with, if any, else right after the last."""
    stamp = re.match(r"(\d\d):(\d\d) ", text)
    minutes = 60 * int(stamp[1]) + int(stamp[2]) if stamp else 0
    return max(MORNING_NS + minutes * 60_000_000_000, before_ns + 1_000_000_000)


def check(memory: Memory, item: dict[str, Any], at_ns: int) -> None:
    add, end = facts(item.get("add", [])), facts(item.get("end", []))
    before = believed(memory)
    told = memory.tell(item["say"], at_ns=at_ns)
    after = believed(memory)
    if item.get("asked") or not (add or end):
        assert after == before, item["say"]
        assert not item.get("asked") or told.status == "ask", item["say"]
        set_right(memory, add, end, at_ns)
    else:
        assert (after - before, before - after) == (add - before, end & before), (
            item,
            told.question,
        )


@pytest.mark.parametrize("named", NAMES, indirect=True)
def test_what_is_said_in_domains_of_others_is_understood_or_asked_about(
    named: tuple[str, Memory],
) -> None:
    name, memory = named
    items = read_yaml(DOMAINS / f"{name}.yaml")[0]
    now = MORNING_NS
    for item in items:
        if "say" in item:
            now = told_at(item["say"], now)
            check(memory, item, now)
        else:
            wanted = memory.wanted(item["task"])
            assert wanted.goal is not None, (item["task"], wanted.question)
            assert {*map(to_pddl, conjuncts(wanted.goal))} == {*item["goal"]}
    asked = sum(bool(item.get("asked")) for item in items)
    assert asked <= 0.15 * len(items)


@pytest.mark.parametrize("named", DOUBTED["reports"], indirect=True)
def test_what_is_doubted_wished_or_imagined_is_not_believed(named: tuple[str, Memory]) -> None:
    name, memory = named
    before = believed(memory)
    for report in DOUBTED["reports"][name]:
        memory.tell(report)
        assert believed(memory) == before, report


@pytest.mark.parametrize("named", ["hospital"], indirect=True)
def test_corrections_hit_the_report_before_them(named: tuple[str, Memory]) -> None:
    _, memory = named
    memory.tell("Miss Farah is asleep.")
    for report, correction, add, end in DOUBTED["corrections"]:
        before = believed(memory)
        memory.tell(report)
        told = memory.tell(correction)
        after = believed(memory)
        assert (after - before, before - after) == (facts(add), facts(end)), (report, told.question)
        set_right(memory, before - after, after - before)


@pytest.mark.parametrize("named", ["hospital"], indirect=True)
def test_strike_that_takes_back_no_older_report_than_the_last(named: tuple[str, Memory]) -> None:
    _, memory = named
    memory.tell("Miss Farah is asleep.")
    before = believed(memory)
    assert memory.tell("Mr. Ito bumped his toe.").status == "ask"
    assert memory.tell("Strike that.").status == "ask"
    assert believed(memory) == before


@pytest.mark.parametrize("named", ["prop_store"], indirect=True)
def test_facts_of_three_things_are_kept_and_planned_with(named: tuple[str, Memory]) -> None:
    _, memory = named
    assert Atom("door-between", ("green_door", "store_room", "workshop")) in memory.store.fixed
    planned = plan_task(memory, "Put the gilt mirror on the long shelf.")
    assert planned.status == "solved", planned
    assert any(step.startswith("(walk ") for step in planned.steps)


@pytest.mark.parametrize("named", ["prop_store"], indirect=True)
def test_what_a_failed_step_needs_is_looked_at_and_planned_for(named: tuple[str, Memory]) -> None:
    _, memory = named
    store, goal = memory.store, parse_formula("(on gilt_mirror long_shelf)")
    true = make_task(store.vocabulary.domain, store.kinds, [*store.facts], goal, fixed=store.fixed)
    memory.tell("Mira unlocked the green door.", at_ns=MORNING_NS + 1)  # which is not true
    assert Fact("green_door", "locked", "true") not in store.facts
    believed = set(store.facts)
    planner = shared_planner()
    assert reached_by_looking(store, planner, "mira", goal, true, MORNING_NS + 2)
    assert set(store.facts) == believed, "it acts on a copy"
    blind = TrueWorld(true)
    plan = TaskPlanner(store, planner).plan(goal)
    assert any(blind.act(step) for step in plan.steps), "without looking the first plan fails"
