"""Timed plans: durations, conditions at their instants, invariants, and what may not coincide."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commonground.planning.pddl import (
    Step,
    Task,
    TimedExecution,
    TimedStep,
    execute_timed,
    parse_domain,
    parse_problem,
    parse_timed_plan,
    plan_text,
)

Classic = Callable[[str], Task]
RIGHT = "0: (strike m1) [8]\n0.01: (mend f1) [5]\n8.5: (strike m2) [5]\n8.51: (mend f2) [4]"


def run(task: Task, plan: str) -> TimedExecution:
    return execute_timed(task, parse_timed_plan(plan))


def test_a_right_plan(classic: Classic) -> None:
    found = run(classic("cellar"), RIGHT)
    assert found.failure is None and found.valid
    assert found.makespan == pytest.approx(13.5)
    assert found.cost == pytest.approx(2 * 13.5 + 6 + 5)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (RIGHT.replace("m1) [8]", "m1) [7]"), "(strike m1): its duration 7 breaks (= ?duration (burn"),
        (RIGHT.replace("f1) [5]", "f1) [4.5]"), "its duration 4.5 breaks"),
        (RIGHT.replace("f1) [5]", "f1) [10.5]"), "its duration 10.5 breaks"),
        (RIGHT.replace("f1) [5]", "f1) [9]"), "its condition over all fails at 8 s: (light) does not hold"),
        (RIGHT.replace("8.51: (mend f2)", "3: (mend f2)"), "step 4 (mend f2): its condition at its start"),
        (RIGHT.replace("f2) [4]", "f1) [5]"), "its condition over all fails at 13.5 s"),
        (RIGHT.replace("8.5:", "4:").replace("m2) [5]", "m1) [8]"), "at its start fails: (fresh m1)"),
        (RIGHT.replace("8.51:", "0.01:"), "use (hand-spare) at the same instant"),
        ("0: (strike m1)", "takes time, the plan gives it none"),
        ("", "the goal is missed: (mended f1) does not hold"),
        ("0: (strick m1) [8]", "Did you mean 'strike'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(classic: Classic, plan: str, words: str) -> None:
    found = run(classic("cellar"), plan)
    assert not found.valid
    assert words in str(found.failure)


def test_timed_initial_literals_happen(classic: Classic) -> None:
    late = RIGHT.replace("8.5:", "200.5:").replace("8.51:", "200.51:")
    assert "(fresh m2) does not hold" in str(run(classic("cellar"), late).failure)
    at_once = RIGHT.replace("8.5:", "200:").replace("8.51:", "200.51:")
    assert "at the same instant" in str(run(classic("cellar"), at_once).failure)


def test_rounded_durations_are_accepted(classic: Classic) -> None:
    assert run(classic("cellar"), RIGHT.replace("m1) [8]", "m1) [7.9995]")).valid


DOMAIN = """(define (domain d) (:requirements :durative-actions :adl) (:types lamp)
 (:predicates (on ?l - lamp) (was-on ?l - lamp) (power) (warm))
 (:durative-action watch :parameters () :duration (>= ?duration 1)
  :effect (forall (?l - lamp) (when (and (at start (on ?l)) (at end (power))) (at end (was-on ?l)))))
 (:durative-action heat :parameters () :duration (= ?duration 2)
  :condition (over all (power)) :effect (at end (warm)))
 (:action toggle :parameters (?l - lamp)
  :effect (and (when (on ?l) (not (on ?l))) (when (not (on ?l)) (on ?l))))
 (:action cut :parameters () :effect (not (power))))"""


def lamps(goal: str) -> Task:
    domain = parse_domain(DOMAIN)
    text = f"(define (problem p) (:domain d) (:objects a b - lamp) (:init (on a) (power)) (:goal {goal}))"
    return Task(domain, parse_problem(text, domain))


def test_a_condition_at_the_start_of_an_effect_at_the_end_is_remembered() -> None:
    task = lamps("(and (was-on a) (not (was-on b)) (on b) (not (on a)))")
    assert run(task, "0: (watch) [4]\n1: (toggle a)\n2: (toggle b)").valid
    assert not run(task, "0: (watch) [4]\n1: (toggle a)\n2: (toggle b)\n3: (cut)").valid


def test_an_instantaneous_action_breaks_an_invariant() -> None:
    task = lamps("(warm)")
    assert run(task, "0: (heat) [2]\n2.5: (cut)").valid
    assert "(cut)" not in str(run(task, "0: (heat) [2]\n1: (cut)").failure)
    assert "over all fails at 1 s: (power)" in str(run(task, "0: (heat) [2]\n1: (cut)").failure)
    assert "takes no time" in str(run(task, "1: (cut) [2]").failure)


def test_timed_plans_read_back() -> None:
    steps = (TimedStep(0.5, Step("watch"), 3.25), TimedStep(4.0, Step("toggle", ("a",))))
    assert parse_timed_plan(plan_text(steps)) == steps
