"""Plans from a part of the graph: always valid on the whole, and planned again when the house changes."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge import Fact, Source, Thing
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.execution import carry_out
from commonground.grounding.memory.planning.planner import TaskPlanner
from commonground.grounding.memory.planning.problem import make_task, speaks_of_all
from commonground.grounding.memory.planning.tasks import PlannedTask, TaskAnswerer
from commonground.planning.downward import FastDownward
from commonground.planning.pddl import Step, execute, parse_domain, parse_formula
from commonground.planning.result import PlanResult, Status


@pytest.fixture(scope="module")
def downward() -> FastDownward:
    return FastDownward()


def crowded(memory: Memory, count: int = 60) -> None:
    """Fill the house with things that no task needs."""
    with memory.store.change(Source("file")) as change:
        for n in range(count):
            change.thing(Thing(f"pebble_{n}", "item", f"pebble {n}"))
    memory.store.assert_facts(
        [Fact(f"pebble_{n}", "resting_on", "counter") for n in range(count)], Source("file")
    )


@pytest.mark.parametrize(
    ("task", "goal"),
    [
        ("Put Una's phone into the chest.", "(stowed_in una_phone chest)"),
        ("Please bring Ivo's mug to Una.", "(held_by ivo_red_mug una)"),
        ("Turn the lamp in the den on.", "(lit den_lamp)"),
        ("Switch all the lamps off, please: the kitchen lamp and the den lamp.", None),
        ("Can you place Una's mug on the kitchen table?", "(resting_on una_red_mug kitchen_table)"),
    ],
)
def test_a_plan_from_the_slice_works_on_everything(
    memory: Memory, downward: FastDownward, task: str, goal: str | None
) -> None:
    crowded(memory)
    found = TaskAnswerer(memory, downward).answer(task)
    if goal is None:  # no action puts a lamp out
        assert found.plan is None or found.plan.status == "none"
        return
    plan = found.plan
    assert plan is not None and plan.status == "ok", found
    wanted = parse_formula(goal)
    whole = make_task(
        memory.store.vocabulary.domain, memory.store.kinds, memory.store.facts, wanted
    )
    assert execute(whole, plan.steps).valid
    assert plan.attempts[0].objects < 20
    assert plan.rests_on <= {*memory.store.facts}


def test_a_slice_that_is_too_small_is_widened(memory: Memory, downward: FastDownward) -> None:
    planner = TaskPlanner(memory.store, downward)
    goal = parse_formula("(stowed_in una_phone chest)")
    plan = planner.plan(goal, parts=[{"una_phone", "chest", "robo"}, None])
    assert plan.status == "ok"
    assert [attempt.valid for attempt in plan.attempts] == [False, True]


def test_a_table_is_cleared_with_the_places_that_free_the_hand_again(
    memory: Memory, downward: FastDownward
) -> None:
    things = ("ivo_red_mug", "una_red_mug", "stone")
    crowded(memory)
    memory.store.assert_facts(
        [Fact(t, "resting_on", "kitchen_table") for t in things], Source("robot")
    )
    cleared = " ".join(f"(not (resting_on {thing} kitchen_table))" for thing in things)
    plan = TaskPlanner(memory.store, downward).plan(parse_formula(f"(and {cleared})"))
    assert plan.status == "ok"
    assert len(plan.attempts) == 1 and plan.attempts[0].objects < 25


def test_no_goal_is_tried_for_longer_than_it_may_take(memory: Memory) -> None:
    class Late:
        left: list[float] = []

        def solve(self, task: object, *, time_limit_s: float | None = None) -> PlanResult:
            self.left.append(time_limit_s or 0.0)
            return PlanResult(Status.TIMEOUT, reason="late")

    late = Late()
    planner = TaskPlanner(memory.store, late, time_limit_s=0.5)
    plan = planner.plan(parse_formula("(held_by una_phone ivo)"))
    assert plan.status == "stopped" and "0.5 s" in plan.reason  # a limit is no proof
    assert max(late.left[:-1]) <= 0.1 and late.left[-1] <= 0.5


def test_a_wrong_part_never_makes_a_wrong_plan(memory: Memory, downward: FastDownward) -> None:
    goal = parse_formula("(not (lit kitchen_lamp))")
    part: set[str] | None = {"robo", "kitchen"}
    unchecked = TaskPlanner(memory.store, downward).plan(goal, parts=[part], check=False)
    checked = TaskPlanner(memory.store, downward).plan(goal, parts=[part, None])
    assert checked.status == "none"
    assert unchecked.status != "ok" or not unchecked.attempts[0].valid


class Waiting:
    """A planner that lets somebody move a thing while the first plan is carried out."""

    def __init__(self, inner: FastDownward) -> None:
        self.inner, self.calls = inner, 0

    def solve(self, task: object, *, time_limit_s: float | None = None) -> PlanResult:
        self.calls += 1
        return self.inner.solve(task, time_limit_s=time_limit_s)  # type: ignore[arg-type]


class Dying:
    """A planner whose process is ended from outside."""

    def solve(self, task: object, *, time_limit_s: float | None = None) -> PlanResult:
        return PlanResult(Status.ERROR, reason="the process ended")


def test_a_planner_that_fails_does_not_say_that_there_is_no_plan(memory: Memory) -> None:
    found = TaskAnswerer(memory, Dying()).answer("Put Una's phone into the chest.")
    told = PlannedTask.of(found, memory.store.vocabulary)
    assert (told.status, told.reason) == ("failed", "the process ended")


def test_a_fact_the_plan_rests_on_changes_and_it_is_planned_again(
    memory: Memory, downward: FastDownward
) -> None:
    planner = TaskPlanner(memory.store, Waiting(downward))
    plan = planner.plan(parse_formula("(held_by una_phone ivo)"))
    moved: list[Step] = []

    def act(step: Step) -> str:
        if not moved:
            memory.tell("Una put her phone on the second level of the rack.")
        moved.append(step)
        return ""

    # no action takes things off the rack, so there is no way any more
    done = carry_out(planner, plan, "robo", act)
    assert "has changed" in done.reason and "no new plan" in done.reason
    memory.tell("Una put her phone on the kitchen table.")
    again = carry_out(planner, planner.plan(parse_formula("(held_by una_phone ivo)")), "robo")
    assert again.reason == ""
    assert Fact("una_phone", "held_by", "ivo") in memory.store.facts
    record = memory.store.record(Fact("una_phone", "held_by", "ivo"))
    assert record is not None
    change = memory.store.change_record(record.tx)
    assert change is not None and change.source.kind == "robot"


def test_what_does_not_matter_may_change_while_a_plan_runs(
    memory: Memory, downward: FastDownward
) -> None:
    planner = TaskPlanner(memory.store, downward)
    plan = planner.plan(parse_formula("(held_by ivo_red_mug ivo)"))

    def act(step: Step) -> str:
        memory.tell("The lamp in the den is on.")
        return ""

    done = carry_out(planner, plan, "robo", act)
    assert done.reason == "" and done.plan is plan


def test_a_failed_step_ends_in_a_reason(memory: Memory, downward: FastDownward) -> None:
    planner = TaskPlanner(memory.store, downward)
    plan = planner.plan(parse_formula("(held_by ivo_red_mug ivo)"))
    done = carry_out(planner, plan, "robo", lambda step: "the gripper is stuck", replans=1)
    assert "the gripper is stuck" in done.reason
    assert not done.done


@pytest.mark.parametrize("task", ["Bring me the unicorn.", "Is the mug clean?", "Hello!", ""])
def test_tasks_that_are_none_are_asked_back(
    memory: Memory, downward: FastDownward, task: str
) -> None:
    found = TaskAnswerer(memory, downward).answer(task)
    assert found.plan is None
    assert found.wanted.status == "ask" and found.wanted.question


@pytest.mark.parametrize(
    ("action", "goal", "all_of_them"),
    [
        (":precondition (p ?a) :effect (not (p ?a))", "(and (p a) (not (p b)))", False),
        (":effect (forall (?b) (when (p ?b) (not (p ?b))))", "(p a)", True),
        (":precondition (not (exists (?b) (p ?b))) :effect (p ?a)", "(p a)", True),
        (":precondition (p ?a) :effect (not (p ?a))", "(or (p b) (forall (?a) (p ?a)))", True),
    ],
)
def test_what_speaks_of_all_things_is_checked_on_all(
    action: str, goal: str, all_of_them: bool
) -> None:
    domain = parse_domain(
        "(define (domain d) (:requirements :adl) (:predicates (p ?a))"
        f" (:action act :parameters (?a) {action}))"
    )
    assert speaks_of_all(domain, parse_formula(goal)) == all_of_them


def test_a_report_that_was_not_understood_makes_a_plan_look_first(
    memory: Memory, downward: FastDownward
) -> None:
    goal, spot = (
        parse_formula("(held_by una_phone ivo)"),
        Fact("una_phone", "resting_on", "den_table"),
    )
    planner = TaskPlanner(memory.store, downward)
    memory.store.assert_facts(sorted(memory.store.facts), Source("robot"))  # seen just now
    assert not planner.plan(goal).assumes
    asked = memory.tell("Someone fiddled somehow with Una's phone and the stone, or not.")
    assert asked.status == "ask"
    plan = planner.plan(goal)
    assumed = {a.fact: a for a in plan.assumes}
    assert "was not understood" in assumed[spot].why
    assert plan.steps[assumed[spot].step].action == "lift"
    table = Fact("una_phone", "resting_on", "kitchen_table")
    seen: list[Fact] = []

    def look(fact: Fact) -> bool:
        seen.append(fact)
        memory.store.assert_facts([table], Source("robot"))
        return False

    done = carry_out(planner, plan, "robo", look=look)
    assert seen[0] == spot and not done.reason
    assert any("kitchen_table" in step.args for step in done.done)
    assert not planner.plan(goal).assumes


def test_what_somebody_claims_without_certainty_is_said_beside_a_plan(
    memory: Memory, downward: FastDownward
) -> None:
    planner, goal = (
        TaskPlanner(memory.store, downward),
        parse_formula("(stowed_in una_phone chest)"),
    )
    believed = next(f for f in memory.store.facts.about("una_phone") if f.relation == "resting_on")
    other = next(p for p in ("counter", "kitchen_table") if p != believed.object)
    with memory.store.change(Source("person", "ivo", "perhaps it is elsewhere")) as change:
        change.hold(Fact("una_phone", "resting_on", other), 0.5, "said without certainty")
    assumed = next(a for a in planner.plan(goal).assumes if a.fact == believed)
    assert "perhaps it is elsewhere" in assumed.why


def test_what_is_asked_for_is_not_taken_to_be_so_where_an_unsettled_report_names_it(
    memory: Memory, downward: FastDownward
) -> None:
    goal = parse_formula("(lit kitchen_lamp)")
    assert not TaskPlanner(memory.store, downward).plan(goal).steps
    assert (
        memory.tell("Someone fiddled somehow with the kitchen lamp and the stone, or not.").status
        == "ask"
    )
    plan = TaskPlanner(memory.store, downward).plan(goal)
    assert [step.action for step in plan.steps] == ["light"]
    assert any("was not understood" in assumed.why for assumed in plan.assumes)
    assert memory.tell("The lamp in the kitchen is on.").status == "ok"
    assert not TaskPlanner(memory.store, downward).plan(goal).steps


def test_of_several_things_asked_for_some_may_well_be_so(
    memory: Memory, downward: FastDownward
) -> None:
    memory.tell("Someone fiddled somehow with the kitchen lamp and the stone, or not.")
    lit = [Fact("kitchen_lamp", "lit", "true"), Fact("den_lamp", "lit", "false")]
    assert {*lit} <= {*memory.store.facts}
    plan = TaskPlanner(memory.store, downward).plan(
        parse_formula("(and (lit kitchen_lamp) (lit den_lamp))")
    )
    assert [step.args[-1] for step in plan.steps if step.action == "light"] == ["den_lamp"]
