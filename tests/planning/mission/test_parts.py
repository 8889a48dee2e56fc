"""The parts of a mission by themselves: links, passing rules, distances, the audit, stopping."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.demo import sample_scene, sample_team
from commonground.errors import RunError
from commonground.planning.mission.audit import audit
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.crew import Member
from commonground.planning.mission.events import (
    Account,
    Ask,
    End,
    GivenUp,
    Heard,
    Moved,
    Planned,
    of_json,
    to_json,
)
from commonground.planning.mission.links import broken_by, causal_links, waits_of
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.obstacles import Obstacle, handled_from_places, with_obstacles
from commonground.planning.mission.right_of_way import RightOfWay
from commonground.planning.mission.runner import MOVES, TOLD, Runner, how_left
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import SimClock, simulate_mission
from commonground.planning.mission.task import Task
from commonground.planning.mission.traffic import gaps, passing_rules
from commonground.planning.mission.views import View
from commonground.planning.robots.protocol import REACH_M, RobotError, Sighting, Status
from commonground.planning.robots.simulated import SimWorld
from commonground.planning.scene.footing import place_layer
from tests.planning.mission.scenes import at, grid, place, team

HERE = (0.0, 0.0, 0.0)


def task(key: str, robot: str, start_s: float, **facts: Any) -> Task:
    """Return a task with facts given as words."""
    known = {k: frozenset((word,) for word in v.split()) for k, v in facts.items()}
    return Task(key, robot, "inspect", key, (HERE,), start_s=start_s, end_s=start_s + 1.0, **known)


def test_a_surprise_breaks_what_rests_on_it_and_nothing_else() -> None:
    tasks = [
        task("make", "anna", 0.0, adds="open"),
        task("use", "bert", 2.0, needs="open light"),
        task("other", "bert", 3.0, needs="light"),
    ]
    links = causal_links(tasks)
    every = frozenset(t.key for t in tasks)
    assert broken_by(links, ("open",), every) == [], "it is still to be made"
    assert broken_by(links, ("open",), every - {"make"}) == ["use"]
    assert sorted(broken_by(links, ("light",), every)) == ["other", "use"]


def test_an_obstacle_is_never_taken_for_the_thing_that_is_gone() -> None:
    whole = grid()
    known, layer = whole.objects, place_layer(whole)
    rest = whole.take("objects", np.arange(len(known)) < len(known) - 1)
    scene = with_obstacles(rest, layer, [Obstacle(at(1, 1), 0.3)], 0.4, known=known)
    made = set(scene.objects.symbols) - set(rest.objects.symbols)
    assert made.isdisjoint(known.symbols)
    assert len(scene.objects) == len(known)


def test_robots_wait_for_what_they_need_and_for_those_who_need_what_they_take() -> None:
    tasks = [
        task("look", "bert", 0.0, needs="there"),
        task("take", "anna", 1.0, needs="there", drops="there", adds="held"),
        task("again", "anna", 2.0, needs="held"),
        task("use", "bert", 3.0, needs="held"),
    ]
    waits = waits_of(tasks)
    assert waits == {
        "look": frozenset(),
        "take": frozenset({"look"}),
        "again": frozenset(),
        "use": frozenset({"take"}),
    }


def test_events_come_back_from_json() -> None:
    made = replace(task("a", "anna", 1.5, needs="x y", adds="z"), places=("P1", "P2"), item="O1")
    seen = (Sighting("O3", (1.0, 2.0, 0.0), absent=True),)
    status = Status((1.0, 2.0, 0.0), "a#1", "failed", 2.5, "blocked", sightings=seen)
    events = (
        Planned(
            1,
            (made,),
            "",
            {"anna": "(safe O3)"},
            None,
            (GivenUp("inspect O4", "it is gone", "anna", "(safe O4)"),),
            (Moved("inspect O2", "anna", "bert", "anna is stuck"),),
        ),
        End("partly", "it is gone", (Account("anna", "inspect O2", "bert", 3.0, done=True),)),
        Heard("anna", status),
        Ask(2, "replan", "it is gone", ("anna",)),
    )
    for event in events:
        assert of_json(json.loads(json.dumps(to_json(event)))) == event


@pytest.mark.parametrize(
    "values",
    [
        {"kind": "heard", "robot": {}, "status": {"position": None}},
        {"kind": "heard", "robot": "anna", "status": {"position": [1, 2]}},
        {"kind": "heard", "robot": "anna", "status": {"position": None, "state": "asleep"}},
        {"kind": "planned", "request": 1, "tasks": [[]]},
        {"kind": ["heard"]},
    ],
)
def test_what_is_no_event_is_told_in_a_line(values: dict[str, Any]) -> None:
    with pytest.raises(RunError, match="the journal has a"):
        of_json(values)


def test_looking_in_vain_says_nothing_of_a_place_where_the_thing_was_seen_meanwhile() -> None:
    graph = grid()
    belief = SceneBelief.of(graph, team(anna=(0, 0)), {"anna": "(safe O3)"})
    before = tuple(graph.position("O3").tolist())
    assert belief.see(1.0, "anna", Sighting("O3", at(2, 4))) is not None
    assert belief.see(2.0, "anna", Sighting("O3", before, absent=True)) is None
    assert belief.host("O3") == place(2, 4) and not belief.gone
    assert belief.see(3.0, "anna", Sighting("O3", at(2, 4), absent=True)) is not None
    assert "O3" in belief.gone


def test_a_way_begins_at_the_free_end_of_an_edge() -> None:
    """Another robot may have broken down by the place that was passed last."""
    goal = {"anna": f"(visited-place {place(0, 0)})"}
    belief = SceneBelief.of(grid(), team(anna=(2, 2), bert=(4, 4)), goal)
    belief.state.robots["anna"].places.append(place(2, 2))
    here, broken = (4.0, 3.1, 0.0), View((4.4, 4.0, 0.0), fit=False, why="is broken")
    for bert, first in ((View(at(4, 4)), at(2, 2)), (broken, at(2, 1))):
        views = {"anna": View(here), "bert": bert}
        tasks = ScenePlanner().plan(belief, Ask(1, "replan", ""), views).tasks
        assert [t.path[1] for t in tasks if t.robot == "anna"] == [first]


def test_a_robot_without_a_part_goes_to_the_place_where_plans_have_it() -> None:
    robots = team(anna=(0, 0), bert=(3, 3))
    belief = SceneBelief.of(grid(), robots, {"anna": f"(visited-place {place(0, 3)})"})
    between = (6.0, 5.2, 0.0)
    belief.stand("bert", at(3, 3))
    views = {"anna": View(at(0, 0)), "bert": View(between)}
    planned = ScenePlanner().plan(belief, Ask(1, "replan", ""), views)
    (way,) = [t.path for t in planned.tasks if t.robot == "bert"]
    assert way == (between, at(3, 3))


coordinate = st.floats(-5.0, 5.0).map(lambda x: round(x, 3))
point = st.tuples(coordinate, coordinate)


@given(point, point, point, point)
def test_distances_of_ways_are_those_of_their_nearest_points(
    a: Any, b: Any, c: Any, d: Any
) -> None:
    one, two = (np.array([[[*p, 0.0], [*q, 0.0]]]) for p, q in ((a, b), (c, d)))
    found = gaps(one, two)
    share = np.linspace(0.0, 1.0, 101)[:, None]
    first, second = (np.array(p) + share * (np.array(q) - p) for p, q in ((a, b), (c, d)))
    least = np.linalg.norm(first[:, None] - second[None], axis=2).min()
    step = (np.linalg.norm(np.subtract(b, a)) + np.linalg.norm(np.subtract(d, c))) / 100
    assert found.meters[0, 0] <= least + 1e-9
    assert found.meters[0, 0] >= least - step - 1e-9
    u, v = found.on_first[0, 0], found.on_second[0, 0]
    there = np.subtract(np.array(a) + u * np.subtract(b, a), np.array(c) + v * np.subtract(d, c))
    assert np.linalg.norm(there) == pytest.approx(found.meters[0, 0], abs=1e-6)


def test_robots_pass_in_the_order_of_the_plan() -> None:
    def way(key: str, robot: str, line: Any, start_s: float) -> Task:
        return Task(key, robot, "goto", "P", line, start_s=start_s, end_s=start_s + 4.0)

    one = way("a", "anna", ((-2.0, 0.0, 0.0), (2.0, 0.0, 0.0)), 0.0)
    two = way("b", "bert", ((0.0, -2.0, 0.0), (0.0, 2.0, 0.0)), 3.0)
    rules = passing_rules({"anna": [one], "bert": [two]}, {"anna": 0.4, "bert": 0.4})
    assert {name for name, _ in rules} == {"b"}, "bert comes later and waits"
    rules = passing_rules(
        {"anna": [replace(one, start_s=9.0, end_s=13.0)], "bert": [two]}, {"anna": 0.4, "bert": 0.4}
    )
    assert {name for name, _ in rules} == {"a"}


def test_the_audit_finds_what_must_not_happen() -> None:
    graph, robots = grid(), team(anna=(0, 0), bert=(6, 6))
    goals = {"anna": "(and (safe O1) (not (visited-region R1)))"}

    def still(time_s: float, holding: str = "") -> list[tuple[float, str, Any, str]]:
        return [(time_s, "anna", at(0, 0), holding), (time_s, "bert", at(6, 6), "")]

    def kinds(moments: Any, deeds: Any = ()) -> set[str]:
        return {f.kind for f in audit(graph, robots, goals, moments, deeds)}

    assert kinds([*still(0.0), *still(9.0)]) == set()
    jump = [*still(0.0), (9.0, "anna", at(0, 6), ""), (9.0, "bert", at(6, 6), "")]
    assert kinds(jump) == {"speed", "keep-out"}
    near = [*still(0.0), (20.0, "anna", at(0, 0), ""), (20.0, "bert", (0.5, 0.0, 0.0), "")]
    assert kinds(near) == {"distance"}
    twice = [(1.0, "anna", "pick", "O1", HERE), (2.0, "bert", "pick", "O1", HERE)]
    assert kinds(still(0.0), twice) == {"possession"}
    assert kinds(still(0.0), [(1.0, "anna", "place", "O1", HERE)]) == {"possession"}


class SlowToStop:
    """A robot that stops only once another one has been stopped."""

    def __init__(self, robot: Any, other: threading.Event) -> None:
        self._robot, self._other = robot, other

    def stop(self) -> None:
        assert self._other.wait(10.0), "the others have to be stopped at the same time"
        self._robot.stop()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._robot, name)


class Told:
    """A robot that tells when it was stopped."""

    def __init__(self, robot: Any, stopped: threading.Event) -> None:
        self._robot, self._stopped = robot, stopped

    def stop(self) -> None:
        self._robot.stop()
        self._stopped.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._robot, name)


def test_stop_reaches_all_robots_at_once_and_no_order_follows() -> None:
    robots = team(anna=(0, 0), bert=(6, 3))
    world = SimWorld(grid(), robots)
    stopped = threading.Event()
    links = {
        "anna": SlowToStop(world.robots["anna"], stopped),
        "bert": Told(world.robots["bert"], stopped),
    }
    goals = {"anna": "(safe O0)", "bert": "(safe O1)"}
    mission = Mission(SceneBelief.of(grid(), robots, goals))

    class Stopping(SimClock):
        def wait(self, seconds: float) -> None:
            if world.now_s > 3.0 and not stopped.is_set():
                runner.stop("test")
                self.where = [r.position.copy() for r in world.robots.values()]
            super().wait(seconds)

    clock = Stopping(world)
    runner = Runner(mission, ScenePlanner(), links, clock, lambda question: True)  # type: ignore[arg-type]
    end = runner.run()
    assert (end.status, end.reason) == ("stopped", "test")
    world.advance(5.0)
    for robot, before in zip(world.robots.values(), clock.where, strict=True):
        assert robot.position.tolist() == before.tolist()
        assert robot.state == "idle"


def test_others_keep_away_from_a_robot_that_somebody_else_drives() -> None:
    crew = {
        "anna": Member("anna", 0.4, (0.0, 0.0, 0.0)),
        "bert": Member("bert", 0.4, (7.0, 0.0, 0.0)),
    }
    way = Task("k", "anna", "goto", "P9", ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0)), end_s=9.0)
    crew["anna"].give([way])
    ways = RightOfWay(crew)
    ways.work_out()
    bert = crew["bert"]
    assert not bert.locate((6.8, 0.0, 0.0), 0.0) and ways.grant(crew["anna"], way) > 2.0
    assert bert.locate((5.0, 0.0, 0.0), 1.0) and not bert.locate((4.8, 0.0, 0.0), 1.2), (
        "it is told once"
    )
    assert ways.grant(crew["anna"], way) == 0.0
    bert.orders = 1
    bert.locate((4.8, 0.0, 0.0), 1.2)
    assert ways.grant(crew["anna"], way) > 2.0, "it is driven by this mission"


def test_a_robot_has_one_commander() -> None:
    world = SimWorld(grid(), team(anna=(0, 0)))
    world.robots["anna"].take("first")
    with pytest.raises(RobotError, match="commanded by 'first'"):
        world.robots["anna"].take("second")
    world.robots["anna"].release()
    world.robots["anna"].take("second")


def test_a_robot_whose_pose_cannot_be_stands_still_and_its_work_is_shared_out() -> None:
    robots = team(anna=(0, 0), bert=(6, 3))
    world = SimWorld(grid(), robots)

    class Nowhere(Told):
        def status(self) -> Status:
            told = self._robot.status()
            return replace(told, position=(float("nan"), 0.0, 0.0)) if world.now_s > 2.0 else told

    links = {**world.robots, "anna": Nowhere(world.robots["anna"], threading.Event())}
    mission = Mission(
        SceneBelief.of(
            grid(), robots, {"anna": "(safe O0)", "bert": f"(visited-place {place(3, 3)})"}
        )
    )
    end = Runner(mission, ScenePlanner(), links, SimClock(world), lambda question: True).run(600.0)  # type: ignore[arg-type]
    assert end.status == "done"
    assert [d.robot for d in world.deeds] == ["bert"]


def test_what_is_wide_is_inspected_at_its_side() -> None:
    """From before a vehicle its middle is out of reach."""
    graph, robots = sample_scene(), sample_team()
    went = simulate_mission(graph, robots, {"husky": "(safe O13)"})
    assert went.end.status == "done"
    assert [deed.thing for deed in went.world.deeds] == ["O13"]


class Rolling:
    """A link to a robot that rolls on for a while behind a stop."""

    def __init__(self, name: str, rolls: int, linked: bool = True) -> None:
        self.name, self.rolls, self.linked, self.x = name, rolls, linked, 0.0

    def status(self) -> Status:
        if not self.linked:
            raise RobotError("no answer")
        self.rolls -= 1
        self.x += 0.5 * (self.rolls > 0)
        return Status((self.x, 0.0, 0.0))


def test_whether_robots_stand_is_told_once_they_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("commonground.planning.mission.runner.STEP_S", 0.01)
    links: dict[str, Any] = {"anna": Rolling("anna", 4), "bert": Rolling("bert", 0, linked=False)}
    assert (
        how_left(links) == "anna stands at (1.5, 0.0); bert cannot be reached, and may still drive"
    )
    monkeypatch.setattr("commonground.planning.mission.runner.STANDING_S", 0.0)
    assert how_left({"anna": Rolling("anna", 9)}) == f"anna {MOVES}"  # type: ignore[dict-item]


def test_who_interrupts_once_more_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    robots = team(anna=(0, 0))
    world = SimWorld(grid(), robots)

    class Interrupted(SimClock):
        def wait(self, seconds: float) -> None:
            super().wait(seconds)
            if world.now_s > 2.0:
                raise KeyboardInterrupt

    def again(links: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("commonground.planning.mission.runner.how_left", again)
    mission = Mission(SceneBelief.of(grid(), robots, {"anna": "(safe O0)"}))
    runner = Runner(
        mission, ScenePlanner(), world.robots, Interrupted(world), lambda question: True
    )
    with pytest.raises(KeyboardInterrupt):
        runner.run(600.0)
    assert runner.left == TOLD


def test_a_thing_by_an_obstacle_is_handled_from_where_it_is_within_reach() -> None:
    """Places may be farther apart than robots reach; what is too far from everywhere is no goal."""
    graph = grid()
    x, y, z = graph.position("O1").tolist()
    near, really = handled_from_places(graph, "surface_places", [Obstacle((x, y, z), 1.0)], 0.4)
    away_m = float(np.linalg.norm(near.position("O1")[:2] - really["O1"][:2]))
    assert 1.4 < away_m < REACH_M
    far, really = handled_from_places(graph, "surface_places", [Obstacle((x, y, z), 2.5)], 0.4)
    assert "O1" not in far and "O1" in really
