"""Executing sequential plans: what is accepted, at what cost, and what is said about a wrong one."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from commonground.planning.pddl import (
    Atom,
    Domain,
    Execution,
    PddlError,
    Problem,
    Step,
    Task,
    World,
    execute,
    parse_domain,
    parse_plan,
    parse_problem,
    plan_text,
)
from commonground.planning.pddl.executor import take

Classic = Callable[[str], Task]

PLANS = {
    "blocks": (
        "(unpile c b) (lower c) (unpile b a) (lower b) (lift c) (pile c d) (lift b) (pile b c)"
        "(lift a) (pile a b)",
        10.0,
    ),
    "elevators": (
        "(board ann q f0 n0 n1) (up-fast q f0 f2) (leave ann q f2 n0 n1) (up-slow s f0 f1)"
        "(board bob s f1 n0 n1) (up-slow s f1 f2) (leave bob s f2 n0 n1)",
        14.25,
    ),
    "wards": (
        "(walk nora kitchen hall) (walk nora hall kitchen) (grab nora t1 kitchen) (walk nora kitchen ward-a)"
        "(serve nora t1 ward-a)",
        8.0,
    ),
}


def run(task: Task, plan: str) -> Execution:
    return execute(task, parse_plan(plan.replace(")", ")\n")))


@pytest.mark.parametrize("name", sorted(PLANS))
def test_a_right_plan_is_accepted_at_its_cost(classic: Classic, name: str) -> None:
    text, cost = PLANS[name]
    found = run(classic(name), text)
    assert found.failure is None
    assert found.valid
    assert found.cost == pytest.approx(cost)
    assert found.costs[-1] == found.cost


@pytest.mark.parametrize("name", sorted(PLANS))
def test_a_plan_with_a_step_left_out_is_not(classic: Classic, name: str) -> None:
    steps = parse_plan(PLANS[name][0].replace(")", ")\n"))
    needless = {"wards": 2}  # the walk to and fro
    for index in range(needless.get(name, 0), len(steps)):
        found = execute(classic(name), steps[:index] + steps[index + 1 :])
        assert not found.valid
        assert found.failure is not None


def test_the_failing_part_is_named(classic: Classic) -> None:
    found = run(classic("blocks"), "(unpile c b) (lift d)")
    assert str(found.failure) == "step 2 (lift d): its precondition fails: (idle) does not hold"
    assert found.failure is not None and found.failure.formula == Atom("idle")
    assert Atom("gripped", ("c",)) in found.atoms
    wards = classic("wards")
    assert "none of" in str(run(wards, "(walk nina office ward-b)").failure)
    assert "(= kitchen kitchen) holds but must not" in str(
        run(wards, "(walk nora kitchen kitchen)").failure
    )
    taken = "(grab nora t1 kitchen) (walk nina office kitchen) (grab nina t1 kitchen)"
    assert "(holds nora t1) holds but must not" in str(run(wards, taken).failure)
    assert "the goal is missed: (fed pat) does not hold" in str(run(wards, "").failure)


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        ("(lifft c)", "no action 'lifft'. Did you mean 'lift'"),
        ("(lift)", "takes 1 argument, not 0"),
        ("(lift zz)", "no object 'zz'"),
    ],
)
def test_steps_that_make_no_sense(classic: Classic, plan: str, words: str) -> None:
    assert words in str(run(classic("blocks"), plan).failure)


def test_a_step_with_an_object_of_the_wrong_type(classic: Classic) -> None:
    assert "'jet' is not a van" in str(
        run(classic("logistics"), "(drive jet lair l1 lyon)").failure
    )


def test_conditional_effects_move_what_is_carried(classic: Classic) -> None:
    world = run(classic("wards"), "(grab nora t1 kitchen) (walk nora kitchen hall)").atoms
    assert Atom("tray-in", ("t1", "hall")) in world
    assert Atom("tray-in", ("t1", "kitchen")) not in world
    assert Atom("tray-in", ("t2", "kitchen")) in world


def test_what_is_added_and_deleted_is_there() -> None:
    domain = parse_domain(
        "(define (domain d) (:predicates (p) (q)) (:action swap :effect (and (not (p)) (p)"
        "(when (p) (q)) (when (q) (not (q))))))"
    )
    task = Task(
        domain,
        parse_problem("(define (problem x) (:domain d) (:init (p)) (:goal (and (p) (q))))", domain),
    )
    assert execute(task, [Step("swap")]).valid


def test_numbers_follow_their_updates_and_guard_actions() -> None:
    domain = parse_domain(
        """(define (domain tank) (:requirements :numeric-fluents) (:types car)
        (:predicates (done ?c - car)) (:functions (fuel ?c - car) (used) (total-cost))
        (:action fill :parameters (?c - car) :effect (assign (fuel ?c) 10))
        (:action drive :parameters (?c - car) :precondition (>= (fuel ?c) 4)
         :effect (and (decrease (fuel ?c) 4) (increase (used) (* 2 (fuel ?c)))))
        (:action split :parameters (?c - car) :effect (scale-down (fuel ?c) (- (used) (used))))
        (:action finish :parameters (?c - car) :precondition (and (< (fuel ?c) (/ (used) 4)) (not (done ?c)))
         :effect (done ?c))
        (:action rob :parameters (?c - car) :effect (increase (total-cost) (- 0 (fuel ?c)))))"""
    )
    problem = parse_problem(
        """(define (problem x) (:domain tank) (:objects a - car) (:init (= (fuel a) 5) (= (used) 0))
        (:goal (done a)) (:metric minimize (+ (used) 1)))""",
        domain,
    )
    task = Task(domain, problem)
    assert run(task, "(drive a) (finish a)").cost == 11.0
    assert "(>= (fuel a) 4) does not hold: the sides are 1 and 4" in str(
        run(task, "(drive a) (drive a)").failure
    )
    assert run(task, "(drive a) (fill a) (drive a) (finish a)").cost == 31.0
    assert "divided by 0" in str(run(task, "(split a)").failure)
    assert "negative" in str(run(task, "(rob a)").failure)


def chain(length: int) -> Task:
    links = " ".join(f"(next n{i} n{i + 1})" for i in range(length))
    names = " ".join(f"n{i}" for i in range(length + 1))
    domain = parse_domain(
        """(define (domain net) (:predicates (next ?a ?b) (reach ?a ?b) (cut ?a) (alone ?a) (loose))
        (:derived (reach ?a ?b)
          (or (next ?a ?b) (exists (?m) (and (next ?a ?m) (not (cut ?m)) (reach ?m ?b)))))
        (:derived (alone ?a) (not (exists (?b) (or (reach ?a ?b) (reach ?b ?a)))))
        (:derived (loose) (exists (?a) (alone ?a)))
        (:action saw :parameters (?a) :effect (cut ?a))
        (:action drop :parameters (?a ?b) :effect (not (next ?a ?b))))"""
    )
    text = f"""(define (problem p) (:domain net) (:objects {names}) (:init {links})
        (:goal (reach n0 n{length})))"""
    return Task(domain, parse_problem(text, domain))


def test_derived_predicates_follow_every_change() -> None:
    task = chain(30)
    world = World(task)
    assert world.facts.count("reach") == 30 * 31 // 2
    assert execute(task, []).valid
    assert not execute(task, [Step("saw", ("n7",))]).valid
    assert take(world, Step("drop", ("n0", "n1"))) is None
    assert world.holds(Atom("alone", ("n0",))) and world.holds(Atom("loose"))
    assert not any(atom.predicate in ("reach", "alone") for atom in world.atoms())


def test_a_world_that_changed_equals_one_built_anew(classic: Classic) -> None:
    task = classic("wards")
    world, rng = World(task), random.Random(3)
    taken = 0
    for _ in range(300):
        action = rng.choice(task.domain.actions)
        step = Step(
            action.name, tuple(rng.choice(world.members[p.types[0]]) for p in action.parameters)
        )
        if take(world, step) is None:
            taken += 1
            again = World(
                Task(task.domain, Problem("p", "wards", task.problem.objects, tuple(world.atoms())))
            )
            assert set(again.facts.atoms()) == set(world.facts.atoms())
    assert taken >= 5


def test_plans_read_back(classic: Classic) -> None:
    steps = parse_plan("; cost = 3\n0.0: (Lift C) [1]\n\n(pile c d) ; on it\n")
    assert steps == (Step("lift", ("c",)), Step("pile", ("c", "d")))
    assert parse_plan(plan_text(steps)) == steps
    with pytest.raises(PddlError, match=r"plan:2:1: expected '\(action object …\)'"):
        parse_plan("(a b)\nlift c\n")


def test_domain_lookups_suggest_names(classic: Classic) -> None:
    domain: Domain = classic("blocks").domain
    with pytest.raises(PddlError, match="Did you mean 'unpile'"):
        domain.action("unpille")
    with pytest.raises(PddlError, match="Did you mean 'upon'"):
        domain.predicate("upn")
