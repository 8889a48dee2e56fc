"""Plans by Fast Downward: right, at their true cost, with proofs that agree with exhaustive search."""

from __future__ import annotations

import heapq
import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonground.planning.downward import FastDownward
from commonground.planning.downward.configurations import Mode
from commonground.planning.pddl import (
    Action,
    Atom,
    Axiom,
    Domain,
    Effect,
    Exists,
    Forall,
    Formula,
    Metric,
    Not,
    Or,
    Predicate,
    Problem,
    Step,
    Task,
    Typed,
    World,
    execute,
    load_task,
    parse_domain,
    parse_problem,
)
from commonground.planning.pddl import And as All
from commonground.planning.pddl.formula import TOTAL_COST, Compare, Imply, Number, Update
from commonground.planning.pddl.strata import negative_cycle
from commonground.planning.pddl.world import StepError
from commonground.planning.result import PlanResult, Status

TASKS = Path(__file__).parents[1] / "pddl" / "tasks"
OPTIMA = {"blocks": 6, "logistics": 18, "gripper": 11, "rovers": 12, "elevators": 12, "wards": 4}


@pytest.fixture(scope="module")
def planner() -> Iterator[FastDownward]:
    with FastDownward() as started:
        yield started


def classic(name: str) -> Task:
    return load_task(TASKS / f"{name}-domain.pddl", TASKS / f"{name}-problem.pddl")


@pytest.mark.parametrize("name", sorted(OPTIMA))
def test_first_anytime_and_optimal_plans(planner: FastDownward, name: str) -> None:
    task, best = classic(name), OPTIMA[name]
    first, anytime, optimal = (
        planner.solve(task, mode) for mode in ("first", "anytime", "optimal")
    )
    for result in (first, anytime, optimal):
        assert result.solved
        assert execute(task, result.plan).cost == pytest.approx(result.cost)
        assert result.bound <= result.cost
    assert optimal.optimal and optimal.cost == pytest.approx(best) == pytest.approx(optimal.bound)
    assert best <= anytime.cost <= first.cost
    assert set(optimal.time_s) >= {"translate", "search", "total"}


def test_an_anytime_call_reports_each_better_plan(planner: FastDownward) -> None:
    heard: list[PlanResult] = []
    result = planner.solve(classic("elevators"), "anytime", on_plan=heard.append)
    costs = [found.cost for found in heard]
    assert costs == sorted(costs, reverse=True) and costs[-1] == result.cost
    assert result.optimal


def test_what_it_cannot_do_is_an_answer(planner: FastDownward) -> None:
    task = classic("blocks")
    less = Compare("<", Number(1.0), Number(2.0))
    result = planner.solve(replace(task, problem=replace(task.problem, goal=less)))
    assert result.status is Status.ERROR
    assert "no conditions on numbers: (< 1 2) in the goal" in result.reason


DOORS = """(define (domain doors) (:requirements :adl) (:types Room Key)
 (:predicates (At ?r - Room) (door ?a ?b - Room) (fits ?k - Key ?r - Room) (has ?k - Key) (Visited ?r - Room)
   (seen-all) (reach ?a ?b - Room))
 (:functions (total-cost) (meters ?a ?b - Room) (toll ?r - Room))
 (:derived (seen-all) (forall (?r - Room) (Visited ?r)))
 (:derived (reach ?a ?b - Room) (or (door ?a ?b) (exists (?c - Room) (and (door ?a ?c) (reach ?c ?b)))))
 (:action Go :parameters (?a ?b - Room)
  :precondition (and (At ?a) (door ?a ?b) (forall (?k - Key) (imply (fits ?k ?b) (has ?k))))
  :effect (and (not (At ?a)) (At ?b) (Visited ?b)
   (increase (total-cost) (+ (meters ?a ?b) (* 0.5 (toll ?b)))))))"""
SITE = """(define (problem p) (:domain doors) (:objects R1 R2 R3 r1 - Room K1 - Key)
 (:init (At R1) (Visited R1) (door R1 R2) (door R2 R3) (door R3 r1) (door R1 R3) {more}
  (= (meters R1 R2) 1.25) (= (meters R2 R3) 0.001) (= (meters R3 r1) 3.3333333) (= (meters R1 R3) 4)
  (= (toll R1) 0) (= (toll R2) 0.1) (= (toll R3) 0) (= (toll r1) 1))
 (:goal {goal}) (:metric minimize (total-cost)))"""


def doors(goal: str, more: str = "") -> Task:
    domain = parse_domain(DOORS, fold_case=False)
    return Task(domain, parse_problem(SITE.format(goal=goal, more=more), domain, fold_case=False))


def test_real_costs_case_and_axioms(planner: FastDownward) -> None:
    task = doors("(and (seen-all) (reach R1 r1))")
    result = planner.solve(task, "optimal")
    assert [step.args for step in result.plan] == [("R1", "R2"), ("R2", "R3"), ("R3", "r1")]
    assert result.cost == pytest.approx(1.25 + 0.05 + 0.001 + 3.3333333 + 0.5)
    assert result.optimal
    assert result.bound <= result.cost <= result.bound * 1.001


def test_unsolvable_is_proven_and_true_goals_need_no_plan(planner: FastDownward) -> None:
    locked = doors("(seen-all)", "(fits K1 r1)")
    for mode in ("first", "anytime", "optimal"):
        assert planner.solve(locked, mode).status is Status.UNSOLVABLE
    already = planner.solve(doors("(or (At R1) (At R2))"), "optimal")
    assert already.status is Status.SOLVED and already.plan == () and already.cost == 0
    assert "already" in already.reason


def test_alternatives_of_a_goal_are_weighed(planner: FastDownward) -> None:
    result = planner.solve(
        doors("(or (At r1) (and (At R3) (Visited R2)) (exists (?k - Key) (has ?k)))"), "optimal"
    )
    assert result.optimal and [step.args[1] for step in result.plan] == ["R2", "R3"]


def test_many_denials_in_a_goal_do_not_blow_up_the_translation(planner: FastDownward) -> None:
    domain = parse_domain("""(define (domain tables) (:requirements :strips :typing :negative-preconditions)
 (:types cup spot) (:predicates (on ?c - cup ?s - spot))
 (:action move :parameters (?c - cup ?s ?t - spot) :precondition (on ?c ?s)
  :effect (and (not (on ?c ?s)) (on ?c ?t))))""")
    cups, spots = [f"c{n}" for n in range(9)], [f"s{n}" for n in range(60)]
    init, goal = (" ".join(f"{head}(on {cup} s0){tail}" for cup in cups) for head, tail in
                  (("", ""), ("(not ", ")")))  # fmt: skip
    text = f"""(define (problem p) (:domain tables) (:objects {" ".join(cups)} - cup {" ".join(spots)} - spot)
 (:init {init}) (:goal (and {goal})))"""
    result = planner.solve(Task(domain, parse_problem(text, domain)))
    assert result.status is Status.SOLVED and len(result.plan) == len(cups)


def test_negative_costs_are_refused() -> None:
    text = (
        "(define (domain n) (:predicates (q)) (:functions (total-cost) (c)) (:action a :parameters () "
        ":precondition (and) :effect (and (q) (increase (total-cost) (- 1 COST)))))"
    )
    goal = "(:init (= (total-cost) 0) (= (c) 3)) (:goal (q)) (:metric minimize (total-cost)))"
    with FastDownward() as planner:
        for cost, words in (("5", "is -4, which is negative"), ("(c)", "can be -2, which is neg")):
            domain = parse_domain(text.replace("COST", cost))
            task = Task(domain, parse_problem(f"(define (problem p) (:domain n) {goal}", domain))
            result = planner.solve(task)
            assert result.status is Status.ERROR and words in result.reason


def test_without_a_metric_steps_are_counted(planner: FastDownward) -> None:
    task = doors("(or (At r1) (seen-all))")
    counted = Task(task.domain, replace(task.problem, metric=None))
    result = planner.solve(counted, "optimal")
    assert result.optimal and result.cost == len(result.plan) == 2


@pytest.mark.parametrize("mode", ["first", "optimal"])
def test_an_object_of_several_types_is_of_each(planner: FastDownward, mode: Mode) -> None:
    domain = parse_domain("""(define (domain d) (:requirements :adl) (:types boat car - thing)
      (:predicates (wet ?b - boat) (dusty ?c - car) (old ?t - thing))
      (:action swim :parameters (?b - boat) :effect (wet ?b))
      (:action drive :parameters (?c - car) :effect (dusty ?c))
      (:action rest :parameters (?t - thing)
       :precondition (forall (?b - boat) (wet ?b)) :effect (old ?t)))""")
    text = """(define (problem p) (:domain d) (:objects duck - (either boat car) bus - car) (:init)
      (:goal (and (dusty duck) (old duck) (old bus))))"""
    result = planner.solve(Task(domain, parse_problem(text, domain)), mode)
    assert result.status is Status.SOLVED, result.reason
    assert result.cost == 4


def test_that_an_object_is_itself_may_be_said(planner: FastDownward) -> None:
    domain = parse_domain("(define (domain d) (:predicates (on)) (:action go :effect (on)))")
    told = (
        "(define (problem p) (:domain d) (:objects a b) (:init (= a a) (not (= a b))) (:goal (on)))"
    )
    assert planner.solve(Task(domain, parse_problem(told, domain))).solved


def test_an_action_may_do_nothing_but_cost(planner: FastDownward) -> None:
    domain = parse_domain("""(define (domain d) (:predicates (q)) (:functions (total-cost))
      (:action wait :effect (increase (total-cost) 1))
      (:action act :effect (and (q) (increase (total-cost) 2))))""")
    text = "(define (problem p) (:domain d) (:init) (:goal (q)) (:metric minimize (total-cost)))"
    result = planner.solve(Task(domain, parse_problem(text, domain)), "optimal")
    assert result.cost == 2 and result.optimal, result.reason


# ---- agreement with exhaustive search ---------------------------------------------------------

OBJECTS = (Typed("a", ("t",)), Typed("b", ("t",)), Typed("c", ("u",)))


def random_formula(
    rng: random.Random, terms: tuple[str, ...], depth: int, derived: bool = True
) -> Formula:
    kind = (
        rng.choice(["atom"] * 4 + ["not", "and", "or", "imply", "exists", "forall"])
        if depth
        else "atom"
    )
    if kind == "atom":
        name, arity = rng.choice(
            [("p", 1), ("q", 2), ("s", 1), *([("d", 1), ("e", 1)] if derived else [])]
        )
        atom = Atom(name, tuple(rng.choice(terms) for _ in range(arity)))
        return Atom("=", (rng.choice(terms), rng.choice(terms))) if rng.random() < 0.1 else atom
    inner = [random_formula(rng, terms, depth - 1, derived) for _ in range(rng.randint(1, 3))]
    if kind == "not":
        return Not(inner[0])
    if kind in ("and", "or"):
        return All(tuple(inner)) if kind == "and" else Or(tuple(inner))
    if kind == "imply":
        return Imply(inner[0], inner[-1])
    variable = Typed(f"?{rng.choice('vw')}{depth}", (rng.choice(["t", "u", "object"]),))
    body = random_formula(rng, (*terms, variable.name), depth - 1, derived)
    return Exists((variable,), body) if kind == "exists" else Forall((variable,), body)


def random_task(rng: random.Random) -> Task:
    names = tuple(typed.name for typed in OBJECTS)
    actions = []
    for index in range(rng.randint(1, 3)):
        parameters = tuple(
            Typed(f"?x{i}", (rng.choice(["t", "u", "object"]),)) for i in range(rng.randint(0, 2))
        )
        terms = (*names, *(typed.name for typed in parameters))
        effects = []
        for _ in range(rng.randint(1, 3)):
            bound = (Typed("?z", (rng.choice(["t", "object"]),)),) if rng.random() < 0.2 else ()
            inside = (*terms, *(typed.name for typed in bound))
            name, arity = rng.choice([("p", 1), ("q", 2)])
            atom = Atom(name, tuple(rng.choice(inside) for _ in range(arity)))
            when = random_formula(rng, inside, 1) if rng.random() < 0.4 else All()
            effects.append(Effect(rng.choice([atom, Not(atom)]), bound, when))
        cost = Effect(Update("increase", TOTAL_COST, Number(rng.choice([0.0, 1.0, 2.5, 0.125]))))
        actions.append(
            Action(f"act{index}", parameters, random_formula(rng, terms, 2), (*effects, cost))
        )
    one = (Typed("?x"),)
    axioms = [
        Axiom(
            Predicate(name, (Typed("?h", (rng.choice(["t", "object"]),)),)),
            random_formula(rng, (*names, "?h"), 2, d),
        )
        for name, d in (("d", False), ("e", True))
        for _ in range(rng.randint(0, 2))
    ]
    predicates = (Predicate("p", one), Predicate("q", (*one, Typed("?y"))), Predicate("s", one))
    derived = (Predicate("d", one), Predicate("e", one))
    domain = Domain(
        "r",
        (),
        (Typed("t"), Typed("u")),
        OBJECTS,
        (*predicates, *derived),
        (),
        tuple(axioms),
        tuple(actions),
    )
    facts = [
        Atom(n, args)
        for n, k in (("p", 1), ("q", 2), ("s", 1))
        for args in itertools.product(names, repeat=k)
    ]
    init = tuple(atom for atom in facts if rng.random() < 0.4)
    metric = Metric("minimize", TOTAL_COST) if rng.random() < 0.7 else None
    goal = random_formula(rng, names, 2)
    return Task(domain, Problem("r", "r", (), init, (), goal, metric))


def cheapest(task: Task, most: int = 150) -> float | None:
    """Uniform-cost search with the executor; None where no plan exists; NaN where it gets too large."""
    names = [typed.name for typed in OBJECTS]
    steps = [
        Step(a.name, args)
        for a in task.domain.actions
        for args in itertools.product(names, repeat=len(a.parameters))
    ]
    seen: set[frozenset[Atom]] = set()
    queue = [(0.0, 0, World(task).atoms())]
    count = itertools.count(1)
    while queue:
        cost, _, atoms = heapq.heappop(queue)
        if atoms in seen:
            continue
        seen.add(atoms)
        if len(seen) > most:
            return float("nan")
        world = World(Task(task.domain, replace(task.problem, init=tuple(atoms))))
        if world.holds(task.problem.goal):
            return cost
        for price, after in successors(world, steps, atoms):
            heapq.heappush(queue, (cost + price, next(count), after))
    return None


def successors(
    world: World, steps: list[Step], atoms: frozenset[Atom]
) -> Iterator[tuple[float, frozenset[Atom]]]:
    for step in steps:
        try:
            action, binding = world.bind(step)
        except StepError:
            continue
        if isinstance(action, Action) and world.holds(
            world.condition(action.precondition, binding)
        ):
            changes = world.changes(action.effects, binding)
            price = changes.numbers[TOTAL_COST] if world.task.problem.metric else 1.0
            yield price, atoms - changes.deletes | changes.adds


def test_agreement_with_exhaustive_search(planner: FastDownward) -> None:
    """Most random tasks have no plan: after the first of these, each is refuted in one mode in turn."""
    modes: tuple[Mode, ...] = ("first", "anytime", "optimal")
    rng = random.Random(12)
    solved = refuted = 0
    while solved < 8 or refuted < 4:
        task = random_task(rng)
        if negative_cycle(task.domain.axioms) is not None or World(task).holds(task.problem.goal):
            continue
        best = cheapest(task)
        if best is not None and best != best:
            continue
        solved, refuted = solved + (best is not None), refuted + (best is None)
        asked = modes if best is not None or refuted <= 12 else (modes[refuted % 3],)
        results = [planner.solve(task, mode, time_limit_s=20) for mode in asked]
        for result in results:
            assert result.status is (Status.UNSOLVABLE if best is None else Status.SOLVED), (
                task,
                result,
            )
            if best is not None:
                assert best - 1e-9 <= result.cost == execute(task, result.plan).cost
                assert result.bound <= best + 1e-9
        if best is not None:
            assert results[2].optimal and results[2].cost == pytest.approx(best), (task, results[2])
