"""What is told to come before something else: in plans, in missions, and where things go wrong."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import pytest

from commonground.errors import PlanningError
from commonground.planning.mission.simulation import Simulated, simulate_mission
from commonground.planning.mission.task import Task
from commonground.planning.result import Status
from commonground.planning.robots.faults import Fault
from commonground.planning.scene import Before, Step, TeamPlan, parse_goal
from commonground.planning.scene.precedence import parse_order
from commonground.planning.team import plan_scene, validate
from commonground.planning.team.check import Plans
from tests.planning.mission.scenes import grid, team

ONE = team(anna=(0, 0))
TWO = team(anna=(0, 0), bert=(6, 3))
THREE_STOPS = {"anna": "(and (safe O1) (safe O2) (safe O3))"}


def before(*steps: tuple[str, str]) -> list[Before]:
    """Each step before the next one."""
    return [Before(Step(*a), Step(*b)) for a, b in itertools.pairwise(steps)]


def actions_of(plan: TeamPlan) -> Plans:
    return {name: own.actions for name, own in plan.robots.items()}


def inspected(plan: TeamPlan) -> list[str]:
    """Things in the order in which the team begins to inspect them."""
    found = [a for own in plan.robots.values() for a in own.actions if a.action == "inspect"]
    return [a.target for a in sorted(found, key=lambda a: a.start_s)]


@pytest.mark.parametrize("turn", list(itertools.permutations(("O1", "O2", "O3"))))
def test_a_robot_keeps_any_order_at_the_least_cost(turn: Sequence[str]) -> None:
    order = before(*(("anna", f"(safe {thing})") for thing in turn))
    plan = plan_scene(grid(), ONE, THREE_STOPS, order=order)
    assert inspected(plan) == [*turn]
    assert plan.robots["anna"].optimal
    free = plan_scene(grid(), ONE, THREE_STOPS)
    assert plan.cost_m >= free.cost_m - 1e-9
    assert validate(grid(), ONE, {}, actions_of(free), parse_order(order, grid())) or (
        plan.cost_m == pytest.approx(free.cost_m)
    )


@pytest.mark.parametrize(
    "goals",
    [
        {"anna": "(safe O1)", "bert": "(safe O0)"},
        {"anna": "(safe O1)", "bert": "(visited-region R1)"},
        {"anna": "(holding O1)", "bert": "(and (safe O0) (not (visited-object O2)))"},
        {"anna": "(object-in-place O1 P20)", "bert": "(visited-object O1)"},
        {"anna": "(or (safe O1) (safe O4))", "bert": "(or (safe O0) (safe O2))"},
    ],
)
@pytest.mark.parametrize("first", ["anna", "bert"])
def test_one_robot_waits_for_another(goals: Mapping[str, str], first: str) -> None:
    then = "bert" if first == "anna" else "anna"
    order = before((first, goals[first]), (then, goals[then]))
    plan = plan_scene(grid(), TWO, goals, order=order)
    assert plan.status is Status.SOLVED, plan.reason
    asked = {name: parse_goal(text, grid()) for name, text in goals.items()}
    assert validate(grid(), TWO, asked, actions_of(plan), parse_order(order, grid())) == []


def test_robots_take_turns() -> None:
    goals = {"anna": "(and (safe O1) (safe O2))", "bert": "(safe O0)"}
    order = before(("anna", "(safe O2)"), ("bert", "(safe O0)"), ("anna", "(safe O1)"))
    plan = plan_scene(grid(), TWO, goals, order=order)
    assert inspected(plan) == ["O2", "O0", "O1"]


def test_a_plan_that_begins_too_soon_is_found_out() -> None:
    goals = {"anna": "(safe O2)", "bert": "(safe O0)"}
    order = before(("anna", "(safe O2)"), ("bert", "(safe O0)"))
    free = plan_scene(grid(), TWO, goals)
    wrong = validate(grid(), TWO, {}, actions_of(free), parse_order(order, grid()))
    assert [(w.robots, "too soon" in w.what) for w in wrong] == [(("bert",), True)]


def test_what_comes_between_may_have_nothing_to_do() -> None:
    goals = {"anna": "(and (safe O1) (visited-place P0) (safe O2))"}
    steps = ("anna", "(safe O2)"), ("anna", "(visited-place P0)"), ("anna", "(safe O1)")
    assert inspected(plan_scene(grid(), ONE, goals, order=before(*steps))) == ["O2", "O1"]


@pytest.mark.parametrize("robots", [("anna", "anna"), ("anna", "bert")])
def test_an_order_in_a_circle_is_refused(robots: tuple[str, str]) -> None:
    one, other = zip(robots, ("(safe O1)", "(safe O2)"), strict=True)
    goals = {"anna": "(and (safe O1) (safe O2))", "bert": "(safe O2)"}
    plan = plan_scene(grid(), TWO, goals, order=before(one, other, one))
    assert plan.status is not Status.SOLVED
    assert "order" in plan.reason


def test_an_order_of_what_there_is_not_is_refused() -> None:
    with pytest.raises(PlanningError, match="O99"):
        parse_order(before(("anna", "(safe O99)"), ("anna", "(safe O1)")), grid())


# ---- carried out ----

GOALS = {"anna": "(safe O2)", "bert": "(safe O0)"}
TURN = before(("anna", "(safe O2)"), ("bert", "(safe O0)"))


def deeds(went: Simulated) -> list[str]:
    return [f"{t.robot} {t}" for t in went.mission.done if not t.moves]


def carried(faults: Sequence[Fault] = (), goals: Mapping[str, str] = GOALS) -> Simulated:
    return simulate_mission(grid(), TWO, goals, faults, order=TURN)


def test_a_mission_keeps_the_order() -> None:
    went = carried()
    assert went.end.status == "done"
    assert deeds(went) == ["anna inspect O2", "bert inspect O0"]
    free = simulate_mission(grid(), TWO, GOALS)
    assert deeds(free) == ["bert inspect O0", "anna inspect O2"], "or there is nothing to wait for"


@pytest.mark.parametrize("end", ["(in-region R0)", "(at-place P0)"])
def test_who_leaves_where_he_shall_end_comes_back_in_his_turn(end: str) -> None:
    goals = {"anna": f"(and (safe O2) {end})", "bert": "(safe O0)"}
    order = before(("bert", "(safe O0)"), ("anna", end))
    slow = Fault("slow", robot="bert", factor=0.15)
    went = simulate_mission(grid(), TWO, goals, [slow], order=order)
    assert went.end.status == "done", went.end.reason
    done = [f"{t.robot} {t}" for t in went.mission.done]
    assert done.index("bert inspect O0") < done.index(f"anna goto {end[1:-1].split()[1]}")


def test_who_is_late_is_waited_for() -> None:
    standing = Fault("blocked", position=(2.0, 6.0, 0.0), size_m=0.6)
    went = carried([standing])
    assert deeds(went) == ["anna inspect O2", "bert inspect O0"]


def test_what_is_looked_for_first_is_waited_for() -> None:
    went = carried([Fault("moved", thing="O2", position=(6.0, 10.0, 0.0))])
    assert went.end.status == "done", went.end.reason
    assert deeds(went)[-2:] == ["anna inspect O2", "bert inspect O0"]


def test_what_cannot_be_done_is_waited_for_no_more() -> None:
    went = carried([Fault("missing", thing="O2")])
    assert went.end.status == "partly"
    assert deeds(went)[-1] == "bert inspect O0"


def test_tasks_tell_what_they_wait_for() -> None:
    def last(name: str) -> Task:
        return next(t for t in reversed(carried().mission.done) if t.robot == name)

    assert ("did", "safe", "O2") in last("anna").adds & last("bert").needs


@pytest.mark.parametrize("late", ["anna", "bert"])
def test_another_way_of_one_robot_keeps_what_waits_for_what(late: str) -> None:
    """New ways are timed from when they are found, older ones from when they were planned."""
    goals = {"anna": "(and (safe O3) (safe O2))", "bert": "(and (safe O4) (safe O0))"}
    order = before(("anna", "(safe O2)"), ("bert", "(safe O0)"))
    went = simulate_mission(grid(), TWO, goals, order=order)
    way = [t for t in went.mission.done if t.robot == late and t.moves]
    x, y, _ = way[-1].path[len(way[-1].path) // 2]
    standing = Fault("blocked", position=(x, y, 0.0), size_m=0.6)
    again = simulate_mission(grid(), TWO, goals, [standing], order=order)
    assert again.end.status == "done", again.end.reason
    done = deeds(again)
    assert done.index("anna inspect O2") < done.index("bert inspect O0")
    assert again.mission.belief.obstacles, "or nothing stood in the way"


def test_who_goes_around_something_still_waits() -> None:
    robots = team(anna=(0, 0), bert=(6, 1))
    goals = {"anna": "(and (safe O1) (safe O2))", "bert": "(safe O0)"}
    standing = Fault("blocked", position=(12.0, 12.0, 0.0), size_m=0.6)
    went = simulate_mission(grid(), robots, goals, [standing], order=TURN)
    assert deeds(went)[-2:] == ["anna inspect O2", "bert inspect O0"]


def test_who_only_goes_somewhere_sets_out_after_what_comes_first() -> None:
    goals = {"anna": "(safe O2)", "bert": "(visited-object O0)"}
    order = before(("anna", "(safe O2)"), ("bert", "(visited-object O0)"))
    plan = plan_scene(grid(), TWO, goals, order=order)
    inspects = next(a for a in plan.robots["anna"].actions if a.action == "inspect")
    goes = next(a for a in plan.robots["bert"].actions if a.action == "goto")
    assert goes.start_s >= inspects.end_s
    standing = Fault("blocked", position=(0.0, 6.0, 0.0), size_m=0.6)
    went = simulate_mission(grid(), TWO, goals, [standing], order=order)
    done = [f"{t.robot} {t}" for t in went.mission.done]
    assert done.index("anna inspect O2") < done.index("bert goto O0")


@pytest.mark.parametrize("turn", [("O2", "O0", "O4"), ("O4", "O2", "O0")])
def test_steps_of_the_teams_goal_are_done_in_order_whoever_does_them(turn: Sequence[str]) -> None:
    goals = {"team": "(and (safe O0) (safe O2) (safe O4))"}
    order = before(*(("team", f"(safe {thing})") for thing in turn))
    plan = plan_scene(grid(), TWO, goals, order=order)
    assert plan.status is Status.SOLVED, plan.reason
    assert inspected(plan) == [*turn]
    went = simulate_mission(grid(), TWO, goals, order=order)
    assert [deed.split()[-1] for deed in deeds(went)] == [*turn]


def test_a_mission_with_a_step_of_no_goal_is_refused() -> None:
    order = before(("anna", "(safe O2)"), ("bert", "(safe O1)"))
    with pytest.raises(PlanningError, match=r"no goal of bert has \(safe O1\)"):
        simulate_mission(grid(), TWO, GOALS, order=order)
