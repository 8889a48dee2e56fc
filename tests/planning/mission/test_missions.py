"""Missions on a small site: what goes wrong is noticed, repaired at the lowest cost, or told as it is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.planning.mission.audit import audit
from commonground.planning.mission.crew import Member
from commonground.planning.mission.learned import learned_scene
from commonground.planning.mission.simulation import Simulated, simulate_mission
from commonground.planning.mission.task import Task
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import Failure, Point, Sighting
from commonground.planning.robots.simulated import Order, SimRobot, SimWorld
from commonground.robots import Robot, Team
from commonground.scene import load_scene, save_scene
from tests.planning.mission.scenes import HANDS, at, grid, place, team

FETCH = {"anna": f"(object-in-place O1 {place(0, 3)})"}
BOTH = {**FETCH, "bert": "(safe O0)"}


def run(
    goals: dict[str, str], robots: Team, faults: Sequence[Fault] = (), **more: object
) -> Simulated:
    """Carry a mission out; nothing that must not happen may have happened, whatever came of it."""
    graph = grid()
    went = simulate_mission(graph, robots, goals, faults, limit_s=900.0, **more)  # type: ignore[arg-type]
    assert audit(graph, robots, goals, went.world.moments, went.world.deeds) == []
    assert all(r.state != "running" for r in went.world.robots.values()), "nobody moves at the end"
    return went


def two() -> Team:
    return team(anna=(0, 0), bert=(6, 3))


def test_a_mission_without_faults_makes_one_plan_and_reaches_its_goals() -> None:
    went = run(BOTH, two())
    assert went.end.status == "done"
    assert went.mission.belief.unreached() == []
    kinds = [(d.robot, d.kind, d.thing) for d in went.world.deeds]
    assert sorted(kinds) == [
        ("anna", "pick", "O1"),
        ("anna", "place", "O1"),
        ("bert", "inspect", "O0"),
    ]
    assert went.world.lies["O1"][:2].tolist() == pytest.approx(at(0, 3)[:2])


def test_nothing_moves_without_approval() -> None:
    went = run(BOTH, two(), operator=lambda question: False)
    assert went.end.status == "refused"
    assert {m.position for m in went.world.moments if m.robot == "anna"} == {at(0, 0)}


def test_a_failed_grip_is_tried_again() -> None:
    went = run(FETCH, two(), [Fault("grasp", robot="anna", times=2)])
    assert went.end.status == "done"
    assert {d.robot for d in went.world.deeds} == {"anna"}


def test_a_grip_that_goes_on_failing_is_left_to_another_robot() -> None:
    went = run(FETCH, two(), [Fault("grasp", robot="anna", times=99)])
    assert went.end.status == "done"
    assert [(d.robot, d.kind) for d in went.world.deeds] == [("bert", "pick"), ("bert", "place")]


def test_a_thing_beside_a_robot_that_broke_down_is_fetched_by_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pick = SimWorld._pick

    def broken(world: SimWorld, robot: SimRobot, order: Order) -> Failure:
        return "stuck" if robot.name == "anna" else pick(world, robot, order)

    monkeypatch.setattr(SimWorld, "_pick", broken)
    starts = {"anna": [6.0, 30.0, 0.0, 0.0], "bert": [12.0, 30.0, 0.0, 0.0]}
    robots = Team({name: Robot(name, from_xyz_yaw(pose), HANDS) for name, pose in starts.items()})
    courtyard, goals = sample_scene(), {"anna": "(holding O35)"}
    went = simulate_mission(courtyard, robots, goals, limit_s=600.0)
    assert went.end.status == "done", went.end
    assert [(d.robot, d.kind) for d in went.world.deeds] == [("bert", "pick")]
    assert audit(courtyard, robots, goals, went.world.moments, went.world.deeds) == []


def test_what_is_refused_for_a_moment_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    follow, since_s = SimRobot.follow, list[float]()

    def busy(robot: SimRobot, key: str, path: tuple[Point, ...], upto_m: float) -> None:
        follow(robot, key, path, upto_m)
        since_s.append(robot.world.now_s)
        if robot.state == "running" and robot.world.now_s - since_s[0] < 3.0:
            robot.end("failed", "stuck", "it is standing up")

    monkeypatch.setattr(SimRobot, "follow", busy)
    went = run({"anna": "(safe O3)"}, team(anna=(0, 0)))
    assert went.end.status == "done", went.end
    assert [d.robot for d in went.world.deeds] == ["anna"]


def test_what_falls_from_a_gripper_is_picked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    advance = SimWorld.advance

    def falling(world: SimWorld, seconds: float) -> None:
        advance(world, seconds)
        anna = world.robots["anna"]
        if anna.holding and anna.gone_m > 2.5 and len(world.deeds) == 1:
            world.lies["O1"] = anna.position.copy()
            world._mapped["O1"] = world.lies["O1"]
            anna.holding = ""
            anna.notice(Sighting("O1", anna.status().position or at(0, 0)))

    monkeypatch.setattr(SimWorld, "advance", falling)
    went = simulate_mission(grid(), two(), FETCH, limit_s=900.0)
    assert went.end.status == "done", went.end
    assert [d.kind for d in went.world.deeds] == ["pick", "pick", "place"]
    assert went.world.lies["O1"][:2].tolist() == pytest.approx(at(0, 3)[:2])
    assert "O1 fell from its gripper" in went.mission.belief.changes[0].text


def test_a_thing_that_one_robot_misses_and_nobody_saw_gone_is_left_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pick = SimWorld._pick

    def blind(world: SimWorld, robot: SimRobot, order: Order) -> Failure:
        return "missing" if robot.name == "anna" else pick(world, robot, order)

    monkeypatch.setattr(SimWorld, "_pick", blind)
    went = run(FETCH, two())
    assert went.end.status == "done", went.end.reason
    assert [(d.robot, d.kind) for d in went.world.deeds] == [("bert", "pick"), ("bert", "place")]
    alone = run(FETCH, team(anna=(0, 0)))
    assert alone.end.status == "partly" and "did not manage to pick O1" in alone.end.reason


def test_a_blocked_way_is_gone_around_and_the_obstacle_is_remembered() -> None:
    x, y, z = at(1, 0)
    went = run(FETCH, two(), [Fault("blocked", position=(x + 1.0, y, z), size_m=0.4)])
    assert went.end.status == "done"
    (change,) = went.mission.belief.changes
    assert change.robot == "anna" and "something stands" in change.text


def test_a_thing_that_was_moved_is_looked_for_and_fetched_where_it_is() -> None:
    went = run(FETCH, two(), [Fault("moved", thing="O1", position=at(6, 6))])
    assert went.end.status == "done"
    assert any("O1 is not at" in c.text for c in went.mission.belief.changes)
    assert any(c.text.startswith(f"O1 is at {place(6, 6)}") for c in went.mission.belief.changes)


def test_the_map_afterwards_tells_what_changed_and_who_saw_it(tmp_path: Path) -> None:
    faults = [Fault("blocked", position=at(1, 0)), Fault("moved", thing="O1", position=at(4, 0))]
    went = run(FETCH, two(), [*faults, Fault("missing", thing="O4")])
    save_scene(learned_scene(went.mission.belief), tmp_path / "after.json")
    after = load_scene(tmp_path / "after.json")
    row = after.objects.row("O1")
    assert np.linalg.norm(after.objects.positions[row] - at(0, 3)) < 0.5, "where it was put down"
    assert after.objects.metadata(row)["seen_by"] == "anna"
    assert after.objects.metadata(row)["gone"] is False
    (new,) = [k for k, name in enumerate(after.objects.names) if name == "obstacle"]
    assert np.linalg.norm(after.objects.positions[new] - at(1, 0) - [0.0, 0.0, 0.5]) < 0.1
    assert after.objects.boxes is not None and after.objects.boxes.bounds()[0][new, 2] == 0.0
    assert after.objects.metadata(new)["seen_by"] == "anna"
    assert 0.0 < after.objects.metadata(new)["seen_at_s"] < went.world.now_s
    assert not after.objects.metadata(after.objects.row("O3")), "of what nobody saw otherwise"


def test_a_thing_that_is_gone_is_told_and_the_rest_is_done() -> None:
    went = run(BOTH, two(), [Fault("missing", thing="O1")])
    assert went.end.status == "partly"
    assert "O1" in went.end.reason and "was not at" in went.end.reason
    assert [d.thing for d in went.world.deeds] == ["O0"]


def test_another_robot_takes_over_from_one_with_a_low_battery() -> None:
    went = run({"anna": "(safe O0)"}, two(), [Fault("battery", robot="anna", at_s=5.0)])
    assert went.end.status == "done"
    assert [(d.robot, d.thing) for d in went.world.deeds] == [("bert", "O0")]


@pytest.mark.parametrize("kind", ["lost", "link"])
def test_who_comes_back_takes_up_again_what_only_it_can_do(kind: str) -> None:
    goals = {"anna": "(and (safe O1) (safe O4) (safe O0) (safe O2))", "bert": "(visited-object O3)"}
    went = run(goals, two(), [Fault(kind, robot="bert", at_s=1.0, lasts_s=40.0)])  # type: ignore[arg-type]
    assert went.end.status == "done", went.end.reason
    (own,) = [one for one in went.end.accounts if one.said_to == "bert"]
    assert own.by == "bert" and own.at_s is not None and own.at_s > 41.0


def test_what_a_broken_robot_holds_is_given_up_with_the_reason() -> None:
    went = run(FETCH, two(), [Fault("battery", robot="anna", at_s=20.0)])
    assert went.world.robots["anna"].holding == "O1"
    assert went.end.status in ("failed", "partly")
    assert "anna has a low battery and holds O1" in went.end.reason


def test_who_waits_for_one_that_is_late_gets_another_plan() -> None:
    goals = {
        "anna": f"(and (visited-place {place(0, 3)}) (at-place {place(3, 5)}))",
        "bert": f"(and (visited-place {place(5, 1)}) (at-place {place(0, 4)}))",
    }
    robots = team(anna=(0, 0), bert=(5, 4))
    went = run(goals, robots, [Fault("slow", robot="anna", at_s=1.0, factor=0.08)])
    assert went.end.status == "done"
    assert went.mission._repairs.count == 2
    arrived = next(
        m.time_s for m in went.world.moments if m.robot == "bert" and m.position == at(0, 4)
    )
    assert arrived < went.world.now_s / 2, "it does not wait until anna is out of its way"
    assert (
        went.mission.crew["anna"].pace == pytest.approx(0.1) and not went.mission.crew["bert"].late
    )
    alone = run(
        {"anna": goals["anna"]}, team(anna=(0, 0)), [Fault("slow", robot="anna", factor=0.08)]
    )
    assert alone.mission.crew["anna"].late and alone.mission._repairs.count == 1, "nobody waits"


def test_pace_is_judged_by_the_plan_it_was_made_for() -> None:
    way = ((0.0, 0.0, 0.0), (20.0, 0.0, 0.0))
    anna = Member("anna", 0.4, way[0])
    anna.give([Task("1", "anna", "goto", "P1", way, end_s=20.0)])
    anna.gone_m, anna.drove_s = 5.0, 20.0
    anna.judge_pace()
    assert anna.pace == 1.0, "nobody calls it late"
    anna.late = True
    for _ in range(2):  # asked again where the first request has no plan
        anna.judge_pace()
        assert anna.pace == 0.25
    anna.give([Task("2", "anna", "goto", "P1", way, end_s=80.0)])
    anna.gone_m, anna.drove_s = 10.0, 10.0
    anna.judge_pace()
    assert anna.pace == 1.0, "it drives as it should again"


def test_time_in_which_it_stood_tells_nothing_of_its_speed() -> None:
    anna = Member("anna", 0.4, (0.0, 0.0, 0.0))
    anna.give([Task("1", "anna", "goto", "P1", ((0.0, 0.0, 0.0), (20.0, 0.0, 0.0)), end_s=20.0)])
    anna.late = True
    for second in (1, 2, 3, 4, 30, 31, 32):  # it stood for 26 s
        anna.get_on(float(second))
    anna.gone_m = 6.0
    anna.judge_pace()
    assert anna.pace == 1.0


def test_one_that_is_stuck_for_good_is_left_out_although_others_wait_for_it() -> None:
    goals = {
        "anna": f"(and (visited-place {place(0, 3)}) (at-place {place(3, 3)}))",
        "bert": f"(and (visited-place {place(3, 3)}) (at-place {place(0, 3)}))",
    }
    went = run(goals, team(anna=(0, 0), bert=(6, 3)), [Fault("stuck", robot="anna", at_s=1.0)])
    assert went.mission.crew["anna"].why == "is stuck"
    assert went.mission._repairs.count < 6
    assert went.mission.belief.holds("bert", went.mission.belief.goals["bert"])
    assert all(one.done == (one.said_to == "bert") for one in went.end.accounts)


@pytest.mark.parametrize("kind", ["link", "lost", "stuck", "slow"])
def test_what_passes_is_waited_for(kind: str) -> None:
    went = run(FETCH, team(anna=(0, 0)), [Fault(kind, robot="anna", at_s=2.0, lasts_s=9.0)])  # type: ignore[arg-type]
    assert went.end.status == "done"


def test_a_surprise_that_nothing_rests_on_changes_no_plan() -> None:
    went = run(
        {"anna": "(safe O1)"}, team(anna=(0, 0)), [Fault("moved", thing="O4", position=at(2, 1))]
    )
    assert went.end.status == "done"
    assert len(went.mission.belief.changes) == 1
    assert went.mission._repairs.count == 1


def test_keep_out_holds_while_plans_are_repaired() -> None:
    goals = {"anna": f"(and {FETCH['anna']} (not (visited-region R1)))"}
    goals["anna"] = goals["anna"].replace(place(0, 3), place(6, 1))
    x, y, z = at(4, 0)
    faults = [Fault("blocked", position=(x, y, z), size_m=0.4), Fault("grasp", times=1)]
    assert run(goals, team(anna=(0, 1)), faults).end.status == "done"


def test_robots_that_meet_pass_each_other_although_one_is_late() -> None:
    goals = {"anna": f"(at-place {place(6, 3)})", "bert": f"(at-place {place(0, 3)})"}
    robots = team(anna=(0, 3), bert=(6, 3))
    slow = [
        Fault("slow", robot="bert", factor=0.25),
        Fault("stuck", robot="anna", at_s=3.0, lasts_s=6.0),
    ]
    assert run(goals, robots, slow).end.status == "done"


def test_a_goal_that_cannot_be_reached_ends_with_its_reason() -> None:
    blind = team(anna=(0, 0))
    eyes = Team({"anna": type(blind["anna"])("anna", blind["anna"].T_map_robot)})
    went = run({"anna": "(safe O1)"}, eyes)
    assert went.end.status == "failed"
    assert "inspect" in went.end.reason


def test_work_goes_to_a_robot_that_may_go_there() -> None:
    goals = {
        "anna": "(safe O0)",
        "bert": f"(and (visited-place {place(6, 1)}) (not (visited-region R1)))",
    }
    robots = team(anna=(0, 0), bert=(6, 2), cleo=(0, 6))
    went = run(goals, robots, [Fault("battery", robot="anna", at_s=3.0)])
    assert went.end.status == "done"
    assert [(d.robot, d.thing) for d in went.world.deeds] == [("cleo", "O0")]
