"""Who was told what stays so: where a robot was told to be is its own, and nothing that was said is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Account, Ask, End
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import Journal, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import replayed
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import Simulated, simulate_mission
from commonground.planning.mission.truth import unreached
from commonground.planning.robots.faults import Fault
from commonground.planning.scene import Before, Step, parse_goal
from commonground.planning.scene.precedence import for_robots, parse_order
from commonground.robots import Team
from tests.planning.mission.scenes import at, grid, place, team

DEAD = Fault("battery", robot="anna", at_s=5.0)
TWO = team(anna=(0, 0), bert=(6, 3))


def went(
    goals: dict[str, str],
    faults: Sequence[Fault] = (),
    robots: Team = TWO,
    answer: Callable[[str], bool] = lambda question: True,
    **more: object,
) -> Simulated:
    return simulate_mission(grid(), robots, goals, faults, operator=answer, limit_s=600.0, **more)  # type: ignore[arg-type]


def of(end: End, robot: str) -> list[Account]:
    return [one for one in end.accounts if one.said_to == robot]


@pytest.mark.parametrize(
    "own",
    [
        f"(visited-place {place(6, 6)})",
        f"(at-place {place(6, 4)})",
        "(visited-region R1)",
        "(in-region R1)",
        "(visited-object O0)",
        "(at-object O0)",
        f"(or (at-place {place(6, 4)}) (at-place {place(6, 5)}))",
    ],
)
def test_nobody_is_anywhere_for_another(own: str) -> None:
    """Bert stands where anna was told to be, or could go there; that is not what was said."""
    found = went({"anna": own}, [DEAD], team(anna=(0, 0), bert=(6, 4)))
    assert found.end.status in ("partly", "failed") and "anna has a low battery" in found.end.reason
    (account,) = found.end.accounts
    assert not account.done and account.why == "anna has a low battery"
    assert unreached(grid(), TWO, {"anna": own}, found.world), "the check knows it as well"


@pytest.mark.parametrize("result", ["(safe O0)", f"(object-in-place O1 {place(3, 3)})"])
def test_a_result_may_fall_to_another_and_that_is_said(result: str) -> None:
    asked: list[str] = []
    found = went({"anna": result}, [DEAD], answer=lambda q: not asked.append(q))  # type: ignore[func-returns-value]
    assert found.end.status == "done"
    (account,) = found.end.accounts
    assert account.by == "bert" and account.by_another and account.at_s
    assert len(asked) == 2 and "bert does" in asked[1] and "in place of anna" in asked[1]
    assert "anna has a low battery" in asked[1]


def test_what_must_not_fall_to_another_is_given_up_and_the_rest_is_done() -> None:
    goals = {"anna": f"(and (safe O0) (at-place {place(5, 5)}))", "bert": "(safe O3)"}
    found = went(goals, [DEAD], answer=lambda q: "in place of" not in q)
    assert found.end.status == "partly"
    assert [one.done for one in of(found.end, "anna")] == [False, False]
    assert [(one.by, one.by_another) for one in of(found.end, "bert")] == [("bert", False)]
    assert [d.thing for d in found.world.deeds] == ["O3"]


def test_of_one_goal_the_result_moves_and_the_place_is_missed() -> None:
    goals = {"anna": f"(and (safe O0) (at-place {place(5, 5)}))"}
    found = went(goals, [DEAD])
    assert found.end.status == "partly"
    assert {(one.goal, one.by) for one in found.end.accounts} == {
        ("inspect O0", "bert"),
        (f"end at {place(5, 5)}", ""),
    }


def test_what_anybody_may_do_moves_without_a_question() -> None:
    asked: list[str] = []
    for leeway in ({"anna": "(visited-region R1)"}, None):
        goals = {"anna" if leeway else "team": "(visited-region R1)"}
        robots = team(anna=(0, 2), bert=(6, 0))
        found = went(goals, [Fault("battery", robot="anna", at_s=1.0)], robots,
                     lambda q: not asked.append(q), leeway=leeway)  # type: ignore[func-returns-value]  # fmt: skip
        assert found.end.status == "done", found.end.reason
        (account,) = found.end.accounts
        assert account.by == "bert" and not account.by_another
    assert len(asked) == 2, "each was approved once"


def test_what_two_are_told_is_given_up_for_the_one_that_cannot() -> None:
    goal = f"(visited-place {place(6, 6)})"
    found = went({"anna": goal, "bert": goal}, [DEAD])
    assert found.end.status == "partly"
    assert [(one.said_to, one.done) for one in found.end.accounts] == [
        ("anna", False),
        ("bert", True),
    ]


def test_what_was_done_before_a_robot_dropped_out_counts() -> None:
    goals = {"anna": f"(and (visited-place {place(0, 1)}) (safe O0))"}
    found = went(goals, [Fault("battery", robot="anna", at_s=9.0)])
    passed, inspected = found.end.accounts
    assert passed.done and passed.by == "anna"
    assert inspected.by == "bert" and found.end.status == "done"


def test_what_a_robot_has_to_keep_out_of_it_keeps_out_of_when_it_is_back() -> None:
    """It was given up as lost, and is back before it gets what the other one cannot do."""
    goals = {"anna": "(and (safe O4) (not (visited-region R1)))", "bert": "(safe O3)"}
    found = went(goals, [Fault("link", robot="anna", at_s=1.0, lasts_s=45.0)])
    kept = [one for one in of(found.end, "anna") if one.goal.startswith("never")]
    assert kept and kept[0].done and str(kept[0]).endswith("kept to")
    avoided = found.mission.belief.goals["anna"]
    assert "R1" in str(avoided), "the robot still has it"


def test_a_robot_that_drops_out_with_a_thing_in_its_hand_has_that_told() -> None:
    goals = {"anna": f"(object-in-place O1 {place(0, 3)})", "bert": "(safe O0)"}
    found = went(goals, [Fault("battery", robot="anna", at_s=20.0)])
    assert found.world.robots["anna"].holding == "O1"
    lost, done = found.end.accounts
    assert "holds O1" in lost.why and done.by == "bert"


def test_a_part_of_the_teams_goal_that_nobody_can_do_costs_none_of_the_others() -> None:
    robots = team(anna=(0, 0), bert=(6, 3))
    blind = replace(robots["anna"], capabilities=frozenset({"goto"}))
    x, y, z = at(0, 6)
    walled = Fault("blocked", position=(x, y, z), size_m=1.0)
    goal = f"(and (safe O3) (at-place {place(0, 6)}))"
    found = went({"team": goal}, [walled], Team({"anna": blind, "bert": robots["bert"]}))
    assert ("inspect O3", "bert") in {(one.goal, one.by) for one in found.end.accounts}
    assert found.end.status == "partly"


@pytest.mark.parametrize("how", ["stopped", "refused", "failed"])
def test_however_it_ends_each_goal_is_told(how: str) -> None:
    goals = {"anna": "(safe O0)", "bert": "(visited-region R1)"}
    if how == "refused":
        found = went(goals, answer=lambda q: False)
    elif how == "stopped":
        found = simulate_mission(grid(), TWO, goals, limit_s=2.0)
    else:
        found = went(goals, [DEAD, Fault("battery", robot="bert", at_s=1.0)])
    assert found.end.status == how
    assert [one.said_to for one in found.end.accounts] == ["anna", "bert"]
    assert found.end.accounts[0].why


def test_the_journal_and_its_story_have_the_accounts(tmp_path: Path) -> None:
    goals = {"anna": f"(and (safe O0) (at-place {place(5, 5)}))"}
    journal = Journal(tmp_path, {"mission": "test"})
    said = iter([True, False, True])  # the plan, the change of hands, what is left
    found = went(goals, [DEAD], answer=lambda q: next(said, True), journal=journal)
    journal.close()
    steps = list(read_steps(tmp_path))
    assert replayed(Mission(SceneBelief.of(grid(), TWO, goals)), steps) == -1
    told = [line.partition(" s  ")[2] for line in explained(steps)]
    assert [str(one) for one in found.end.accounts] == told[-2:]
    assert all("not done" in line for line in told[-2:])


def test_what_one_cannot_do_is_asked_of_the_others_before_it_is_given_up() -> None:
    """The nearest robot gets a part; where that one did not manage it, the other one does."""
    belief = SceneBelief.of(grid(), TWO, {"team": "(and (safe O1) (safe O0))"})
    views = Mission(belief).views()
    views["anna"] = replace(views["anna"], barred=frozenset({("inspect", "O1")}))
    plan = ScenePlanner().plan(belief, Ask(1, "less", "it failed"), views)
    assert not plan.reason and not plan.given_up
    assert [t.robot for t in plan.tasks if t.kind == "inspect" and t.target == "O1"] == ["bert"]


def test_who_is_asked_to_approve_hears_who_will_do_it() -> None:
    """Planning lets robots help each other: what anna cannot inspect, bert does."""
    anna = replace(TWO["anna"], capabilities=frozenset({"goto"}))
    asked: list[str] = []

    def answer(question: str) -> bool:
        asked.append(question)
        return True

    found = went({"anna": "(safe O1)"}, (), Team({"anna": anna, "bert": TWO["bert"]}), answer)
    assert "bert does “inspect O1” in place of anna" in asked[0]
    assert [one.by for one in of(found.end, "anna")] == ["bert"]


def test_a_step_that_fell_to_another_keeps_its_turn() -> None:
    (pair,) = parse_order([Before(Step("anna", "(safe O1)"), Step("anna", "(safe O2)"))], grid())
    goals = {
        name: parse_goal(text, grid())
        for name, text in (("anna", "(safe O1)"), ("bert", "(safe O2)"))
    }
    assert [(p.first.robot, p.then.robot) for p in for_robots([pair], goals)] == [("anna", "bert")]


def test_what_a_robot_holds_is_put_down_before_another_one_inspects_it() -> None:
    belief = SceneBelief.of(grid(), TWO, {"bert": "(safe O1)", "anna": "(visited-object O3)"})
    views = Mission(belief).views()
    views["anna"] = replace(views["anna"], holding="O1")
    plan = ScenePlanner().plan(belief, Ask(1, "replan", "so"), views)
    put = next(t for t in plan.tasks if t.robot == "anna" and t.kind == "place")
    inspects = next(t for t in plan.tasks if t.robot == "bert" and t.kind == "inspect")
    assert put.adds & inspects.needs
