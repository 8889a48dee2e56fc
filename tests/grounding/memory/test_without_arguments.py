"""Predicates without arguments are told, asked for and planned as states of what their names speak of."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge import Fact
from commonground.grounding.knowledge.files import load_world
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.beliefs.history import history_rows
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.planning.tasks import plan_task
from commonground.planning.pddl import Atom, parse_domain

DOMAIN = """(define (domain ferry)
  (:requirements :typing :adl)
  (:types hand berth - object)
  (:predicates
    (at ?h - hand ?b - berth)
    (manned ?b - berth)
    (ramp_down) ; the drawbridge is on the quay
    (engine_running)
    (foggy))
  (:action go :parameters (?h - hand ?from ?to - berth)
    :precondition (at ?h ?from) :effect (and (not (at ?h ?from)) (at ?h ?to)))
  (:action lower_ramp :parameters (?h - hand ?b - berth)
    :precondition (and (at ?h ?b) (not (ramp_down)) (not (foggy)))
    :effect (and (ramp_down) (when (engine_running) (manned ?b))))
  (:action raise_ramp :parameters (?h - hand ?b - berth)
    :precondition (and (at ?h ?b) (ramp_down)) :effect (not (ramp_down))))"""
PROBLEM = """(define (problem today) (:domain ferry)
  (:objects ida jon - hand bridge bow - berth)
  (:init (at ida bridge) (at jon bow) (ramp_down) (engine_running))
  (:goal (not (ramp_down))))"""


@pytest.fixture
def ferry(tmp_path: Path) -> Iterator[Memory]:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        yield memory


RAMP = Fact("ramp", "ramp_down", "true")


def test_what_a_problem_says_at_first_is_kept(ferry: Memory) -> None:
    assert {RAMP, Fact("engine", "engine_running", "true")} <= set(ferry.store.facts)


@pytest.mark.parametrize(
    "report", ["The ramp is up.", "Jon raised the ramp.", "The drawbridge is up."]
)
def test_a_report_ends_one(ferry: Memory, report: str) -> None:
    assert ferry.tell(report).removed == (RAMP,)
    assert [*history_rows(ferry, "ramp")][-1]["fact"] == "ramp ramp_down false"


def test_a_plan_and_its_goal_are_given_in_the_atoms_of_the_domain(ferry: Memory) -> None:
    planned = plan_task(ferry, "Raise the ramp.", enter=True)
    assert planned.goal == "(not (ramp_down))"
    assert planned.steps in (("(raise_ramp jon bow)",), ("(raise_ramp ida bridge)",))
    assert RAMP not in ferry.store.facts


def test_a_world_of_lines_may_say_them_too(tmp_path: Path) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    lines = '{"id": "ramp", "type": "berth"}\n["ramp_down"]\n["engine_running", false]\n'
    (tmp_path / "world.jsonl").write_text(lines)
    with create_memory(
        tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "world.jsonl"
    ) as store:
        assert set(store.facts) == {
            Fact("the-ramp", "ramp_down", "true"),
            Fact("engine", "engine_running", "false"),
        }


def test_axioms_and_formulas_are_told_of_what_bears_them() -> None:
    text = DOMAIN.replace(
        "(:action go", "(:derived (ready ?b - berth) (and (manned ?b) (ramp_down))) (:action go"
    ).replace("(manned ?b - berth)", "(manned ?b - berth) (ready ?b - berth)")
    vocabulary = Vocabulary(parse_domain(text))
    assert vocabulary.signatures["foggy"].arguments == (("world",),)
    assert vocabulary.bearers.own(Atom("foggy", ("world",))) == Atom("foggy")
    assert not vocabulary.unheld()


def test_what_no_fact_can_say_is_told() -> None:
    text = DOMAIN.replace(
        "(:action go", "(:functions (fuel ?b - berth) (total-cost)) (:action go", 1
    )
    assert Vocabulary(parse_domain(text)).unheld() == ["fuel"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('["nonsense"]', "world.jsonl:1: fact (nonsense): unknown predicate"),
        ('["manned", true]', "world.jsonl:1: fact (manned): predicate 'manned' has arguments"),
        ('["foggy", 3]', "world.jsonl:1: relation"),
    ],
)
def test_what_is_no_fact_without_arguments_is_told(tmp_path: Path, line: str, problem: str) -> None:
    (tmp_path / "world.jsonl").write_text(f"{line}\n")
    with pytest.raises(GroundingError) as told:
        load_world(tmp_path / "world.jsonl", Vocabulary(parse_domain(DOMAIN)))
    assert problem in str(told.value)


def test_a_line_that_says_nothing_is_no_fact(tmp_path: Path) -> None:
    (tmp_path / "world.jsonl").write_text("[]\n")
    assert not load_world(tmp_path / "world.jsonl", Vocabulary(parse_domain(DOMAIN))).facts


def test_a_name_that_speaks_of_an_object_is_told_of_a_thing_of_its_own_type() -> None:
    vocabulary = Vocabulary(
        parse_domain(DOMAIN.replace("(foggy)", "(object_lost)").replace("(not (foggy))", ""))
    )
    assert vocabulary.signatures["object_lost"].arguments == (("the-object",),)
