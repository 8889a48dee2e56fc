"""A base station in a process of its own is killed for real, and goes on without doing anything twice."""

from __future__ import annotations

from commonground.planning.mission.made_up import make_mission
from commonground.planning.robots.simulated import SimWorld
from tools.station.killed import killed_missions
from tools.station.station import WORLD, Served, finished

QUIET = 5029
"""A mission of one robot without faults."""


def test_a_killed_station_repeats_nothing_and_loses_nothing() -> None:
    (row,) = killed_missions(2, QUIET)
    assert (row.kills, row.status, row.reached) == (2, "done", True)
    assert (row.repeated, row.lost, row.violations) == (0, 0, 0)


def test_what_was_done_twice_is_counted() -> None:
    graph, team, _, _ = make_mission(QUIET)
    served = Served(SimWorld(graph, team), 900.0)
    robot = served.world.robots["robot0"]
    x, y, z = robot.position.tolist()
    for order in ("robot0/1.0#1", "robot0/1.0#2"):
        served.answer(("robot0", "follow", (order, ((x, y, z), (x, y, z)), 1.0)))
        served.answer((WORLD, "advance", (0.2,)))
    assert finished(served.world) == {"robot0/1.0": 2}


def test_a_robot_refuses_a_second_station() -> None:
    graph, team, _, _ = make_mission(QUIET)
    served = Served(SimWorld(graph, team), 900.0)
    assert served.answer(("robot0", "take", ("one",))) == (False, None)
    failed, why = served.answer(("robot0", "take", ("two",)))
    assert failed and "commanded by 'one'" in why
