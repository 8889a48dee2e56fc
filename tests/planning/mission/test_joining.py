"""More is wanted of a mission under way: it joins by a plan that is approved, or leaves all as it was."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Answered, End, Join, StopPressed, of_json, to_json
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import FILE, Journal, Step, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.mission.runner import Runner, replayed
from commonground.planning.mission.scene_planner import ScenePlanner
from commonground.planning.mission.simulation import SimClock, reenacted
from commonground.planning.robots.faults import Fault
from commonground.planning.robots.protocol import RobotLink, Status
from commonground.planning.robots.simulated import SimRobot, SimWorld
from commonground.planning.scene.precedence import Before
from commonground.planning.scene.precedence import Step as Part
from commonground.scene import SceneGraph
from tests.planning.mission.scenes import grid, place, team

STARTS = {"anna": (0, 0), "bert": (6, 3)}
AT_S = 3.0
"""When more is said."""


class Went(NamedTuple):
    """How a mission went."""

    end: End
    mission: Mission
    world: SimWorld
    asked: list[str]
    steps: list[Step]

    @property
    def deeds(self) -> list[tuple[str, str, str]]:
        return [(d.robot, d.kind, d.thing) for d in self.world.deeds]

    @property
    def told(self) -> str:
        return "\n".join(explained(self.steps))


def carried(
    folder: Path,
    goals: dict[str, str],
    *more: Join,
    says: Callable[[str], bool] = lambda question: True,
    at_s: float = AT_S,
    graph: SceneGraph | None = None,
    order: tuple[Before, ...] = (),
    faults: tuple[Fault, ...] = (),
    mind: Callable[[Mission], None] = lambda mission: None,
    links: Callable[[SimWorld], Mapping[str, RobotLink]] = lambda world: world.robots,
) -> Went:
    """Carry goals out, to which more is added while robots drive, and check that all of it replays."""
    graph = graph or grid()
    world = SimWorld(graph, team(**STARTS), faults)
    waiting, asked = list(more), list[str]()

    def begun() -> Mission:
        return Mission(SceneBelief.of(graph, team(**STARTS), goals, order))

    def next_words() -> Join | None:
        return waiting.pop(0) if waiting and world.now_s >= at_s else None

    def operator(question: str) -> bool:
        asked.append(question)
        mind(mission)
        return says(question)

    mission, journal = begun(), Journal(folder, {"mission": "test"})
    runner = Runner(
        mission, ScenePlanner(), links(world), SimClock(world), operator, journal, more=next_words
    )
    end = runner.run(900.0)
    journal.close()
    steps = list(read_steps(folder))
    assert replayed(begun(), steps) == -1
    return Went(end, mission, world, asked, steps)


def wants(robot: str, goal: str, text: str = "and that", *order: Before, by: str = "ada") -> Join:
    return Join(text, by, {robot: goal}, order)


def no_to_more(question: str) -> bool:
    return "Take it in?" not in question


def test_words_for_one_that_stands_idle_join_what_another_one_does(tmp_path: Path) -> None:
    went = carried(tmp_path, {"anna": "(safe O0)"}, wants("bert", "(safe O3)", "Bert, look at O3"))
    assert went.end.status == "done"
    assert sorted(went.deeds) == [("anna", "inspect", "O0"), ("bert", "inspect", "O3")]
    assert went.asked[1].startswith("ada says “Bert, look at O3”. With that, ")
    assert "bert: inspect O3" in went.asked[1] and "anna: inspect O0" in went.asked[1]
    assert [str(one) for one in went.end.accounts][1].startswith("bert, “inspect O3”: done at ")
    assert "ada says “Bert, look at O3”, while robots drive" in went.told
    assert "plans for what is left and what is new, because ada says" in went.told


class ToTheMillimeter:
    """A link whose robot tells its meters rounded down."""

    def __init__(self, robot: SimRobot) -> None:
        self._robot = robot

    def __getattr__(self, name: str) -> Any:
        return getattr(self._robot, name)

    def status(self) -> Status:
        told = self._robot.status()
        return replace(told, gone_m=max(0.0, round(told.gone_m - 9e-4, 3)))


def test_who_tells_its_meters_rounded_stands_where_its_grant_ends(tmp_path: Path) -> None:
    goals = {"anna": "(safe O0)", "bert": f"(visited-place {place(0, 3)})"}
    more = wants("bert", "(safe O3)")
    exact, rounded = (
        carried(tmp_path / str(k), goals, more, links=links)
        for k, links in enumerate(
            (
                lambda world: world.robots,
                lambda world: {n: ToTheMillimeter(r) for n, r in world.robots.items()},
            )
        )
    )
    assert rounded.end.status == exact.end.status == "done"
    assert "does not get on" not in rounded.told and "is late" not in rounded.told
    asked_s = [
        [s.time_s for s in went.steps if any(d["kind"] == "ask" for d in s.decided)]
        for went in (exact, rounded)
    ]
    assert asked_s[1] == pytest.approx(asked_s[0], abs=0.5)


def test_a_ban_for_one_that_stands_there_is_taken_in_and_it_leaves(tmp_path: Path) -> None:
    ban = "(not (visited-region R0))"
    more = Join("nobody goes in there", "ada", {"anna": ban, "bert": ban})
    went = carried(tmp_path, {"anna": "(safe O2)", "bert": "(and (safe O0) (safe O3))"}, more)
    assert "“inspect O3” is given up: O3 lies in R0, which is to be avoided" in went.asked[1]
    assert "anna stands in R0, which it keeps out of: it may only leave" in went.asked[1]
    kept = [one for one in went.end.accounts if one.goal.startswith("never")]
    assert [one.done for one in kept] == [True, True], went.end.accounts
    assert {d[2] for d in went.deeds} == {"O2", "O0"} and "is not taken in" not in went.told


def test_all_stand_until_somebody_answers(tmp_path: Path) -> None:
    going: list[bool] = []
    world: list[SimWorld] = []

    def look(question: str) -> bool:
        if "Take it in?" in question:
            before = {n: r.position.copy() for n, r in world[0].robots.items()}
            world[0].advance(2.0)
            going.extend((before[n] != r.position).any() for n, r in world[0].robots.items())
        return True

    def kept(self: SimWorld, *rest: object) -> None:
        world.append(self)
        real(self, *rest)  # type: ignore[arg-type]

    real = SimWorld.__init__
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SimWorld, "__init__", kept)
        carried(tmp_path, {"anna": "(safe O0)"}, wants("bert", "(safe O3)"), says=look)
    assert going == [False, False]


def test_a_no_leaves_all_as_it_was(tmp_path: Path) -> None:
    goals = {"anna": f"(and (safe O0) (visited-place {place(0, 6)}))", "bert": "(safe O1)"}
    plain = carried(tmp_path / "plain", goals)
    refused = carried(tmp_path / "no", goals, wants("bert", "(safe O3)"), says=no_to_more)
    assert len(refused.asked) == 2
    assert refused.deeds == plain.deeds and refused.end.status == "done"
    tasks = [task.key for task in plain.mission.done]
    assert [task.key for task in refused.mission.done] == tasks, "not a task is planned anew"
    assert "is not taken in: it was not approved; what was under way goes on" in refused.told
    assert refused.end.accounts and not any("O3" in str(one) for one in refused.end.accounts)
    # and nothing is found wrong with ways that were driven in two parts
    assert "although" not in refused.told
    for name in STARTS:
        ways = (went.mission.belief.state.robots[name].places for went in (plain, refused))
        assert len({tuple(way) for way in ways}) == 1


@pytest.mark.parametrize(
    ("more", "why"),
    [
        (wants("bert", "(safe O99)"), "O99"),
        (wants("carl", "(safe O3)"), "carl"),
        (wants("bert", "(and (safe O3) (not (safe O3)))"), "contradict"),
        (wants("bert", "(or)"), "contradict"),
        (
            wants(
                "bert",
                "(safe O3)",
                "x",
                Before(Part("carl", "(safe O1)"), Part("bert", "(safe O3)")),
            ),
            "carl",
        ),
        (wants("bert", f"(and (at-place {place(0, 6)}) (at-place {place(6, 6)}))"), "bert"),
    ],
)
def test_what_cannot_be_leaves_all_as_it_was(tmp_path: Path, more: Join, why: str) -> None:
    went = carried(tmp_path, {"anna": "(safe O0)"}, more)
    assert went.end.status == "done" and went.deeds == [("anna", "inspect", "O0")]
    assert len(went.asked) == 1, "nobody is asked for what there is no plan for"
    (left_out,) = [line for line in went.told.splitlines() if "is not taken in" in line]
    assert why in left_out


def test_one_under_way_does_what_it_has_left_and_what_is_new(tmp_path: Path) -> None:
    went = carried(tmp_path, {"anna": "(safe O0)"}, wants("anna", "(safe O1)"))
    assert went.end.status == "done"
    assert sorted(went.deeds) == [("anna", "inspect", "O0"), ("anna", "inspect", "O1")]


def test_what_comes_then_comes_after_what_was_said_first(tmp_path: Path) -> None:
    first, then = Part("anna", "(safe O0)"), Part("anna", "(safe O1)")
    more = wants("anna", "(safe O1)", "then", Before(first, then))
    went = carried(tmp_path, {"anna": "(safe O0)"}, more, at_s=0.5)
    assert went.deeds == [("anna", "inspect", "O0"), ("anna", "inspect", "O1")]


def test_one_that_is_sent_on_goes_first_where_it_was_to_end(tmp_path: Path) -> None:
    went = carried(
        tmp_path,
        {"anna": f"(at-place {place(0, 6)})"},
        wants("anna", f"(at-place {place(6, 6)})"),
    )
    assert went.end.status == "done"
    been = went.mission.belief.state.robots["anna"].places
    assert place(0, 6) in been and been[-1] == place(6, 6)
    assert "end at" in str(went.end.accounts[0]) and went.end.accounts[0].done


def test_one_that_has_arrived_is_free_to_go_and_has_arrived_all_the_same(tmp_path: Path) -> None:
    goals = {"anna": f"(at-place {place(0, 1)})", "bert": f"(at-place {place(0, 6)})"}
    went = carried(tmp_path, goals, wants("anna", "(safe O1)"), at_s=8.0)
    assert went.end.status == "done"
    assert all(one.done for one in went.end.accounts)
    assert went.mission.belief.state.robots["anna"].places[-1] != place(0, 1)


def test_a_thing_that_one_holds_as_it_was_told_may_be_put_down(tmp_path: Path) -> None:
    goals = {"anna": "(holding O1)", "bert": f"(at-place {place(0, 6)})"}
    goal = f"(object-in-place O1 {place(2, 1)})"
    went = carried(tmp_path, goals, wants("anna", goal), at_s=11.0)
    assert went.end.status == "done"
    assert went.deeds == [("anna", "pick", "O1"), ("anna", "place", "O1")]
    assert [one.done for one in went.end.accounts] == [True, True, True]


def test_another_one_takes_over_what_one_holds(tmp_path: Path) -> None:
    goals = {"anna": "(holding O1)", "bert": f"(at-place {place(0, 6)})"}
    went = carried(tmp_path, goals, wants("bert", "(holding O1)"), at_s=11.0)
    assert went.end.status == "done"
    assert went.deeds == [
        ("anna", "pick", "O1"),
        ("anna", "place", "O1"),
        ("bert", "pick", "O1"),
    ]


def test_one_that_carries_something_goes_on_with_it(tmp_path: Path) -> None:
    goals = {"anna": f"(object-in-place O1 {place(0, 6)})"}
    went = carried(tmp_path, goals, wants("bert", "(safe O3)"), at_s=14.0)
    assert went.mission.joined and went.end.status == "done"
    assert [deed for deed in went.deeds if deed[0] == "anna"] == [
        ("anna", "pick", "O1"),
        ("anna", "place", "O1"),
    ]
    assert "although" not in went.told, "what it holds is where it is"


def test_what_was_seen_of_a_region_counts_on() -> None:
    belief = SceneBelief.of(grid(), team(anna=(0, 0)), {"anna": "(explored-region R0)"})
    own = belief.state.robots["anna"]
    own.places += [place(0, 1), place(0, 3), place(1, 3), place(1, 2)]
    other = belief.copied()
    other.take_in(5.0, wants("anna", f"(visited-place {place(0, 3)})"))
    seen = other.state.robots["anna"].places
    assert set(seen) == {place(0, 0), place(0, 1), place(1, 2)} and seen[-1] == place(1, 2)
    assert not other.holds("anna", other.goals["anna"]), "it has to go there again"
    assert own.places[-2:] == [place(1, 3), place(1, 2)], "the copy is one"
    assert belief.goals != other.goals and len(belief.score.spoken) == 1


def test_bans_and_orders_of_the_first_words_stay_in_force(tmp_path: Path) -> None:
    first, then = Part("bert", "(safe O3)"), Part("anna", "(safe O0)")
    goals = {"anna": "(and (safe O0) (not (visited-object O2)))", "bert": "(safe O3)"}
    went = carried(
        tmp_path,
        goals,
        wants("anna", "(safe O4)"),
        wants("anna", "(safe O2)", by="bob"),
        order=(Before(first, then),),
        at_s=1.0,
    )
    assert went.end.status == "done"
    kinds = [(robot, thing) for robot, _, thing in went.deeds]
    assert kinds.index(("bert", "O3")) < kinds.index(("anna", "O0"))
    assert ("anna", "O4") in kinds and ("anna", "O2") not in kinds


def test_a_new_ban_counts_from_when_it_is_said_and_so_does_a_new_visit(tmp_path: Path) -> None:
    there = place(1, 0)
    goals = {"anna": f"(and (visited-place {there}) (at-place {place(6, 0)}))"}
    ban = carried(
        tmp_path / "ban", goals, wants("anna", f"(not (visited-place {there}))"), at_s=6.0
    )
    assert ban.end.status == "done", "it was there before, as it was told"
    again = carried(tmp_path / "visit", goals, wants("anna", f"(visited-place {there})"), at_s=6.0)
    assert again.mission.belief.state.robots["anna"].places.count(there) >= 1
    assert again.mission.belief.state.robots["anna"].places[-1] == place(6, 0)


def test_a_ban_that_was_broken_before_stays_broken(tmp_path: Path) -> None:
    belief = SceneBelief.of(
        grid(), team(anna=(0, 0)), {"anna": f"(not (visited-place {place(1, 0)}))"}
    )
    belief.state.robots["anna"].places += [place(1, 0), place(2, 0)]
    belief.take_in(5.0, wants("anna", "(safe O1)"))
    assert [one.done for one in belief.accounts(9.0)] == [False, False]


def test_all_are_told_more(tmp_path: Path) -> None:
    more = Join("both", "ada", {"anna": "(safe O1)", "bert": "(safe O3)"})
    went = carried(tmp_path, {"anna": "(safe O0)"}, more)
    assert sorted(went.deeds) == [
        ("anna", "inspect", "O0"),
        ("anna", "inspect", "O1"),
        ("bert", "inspect", "O3"),
    ]


def test_what_is_wanted_of_anybody_is_shared_out(tmp_path: Path) -> None:
    went = carried(tmp_path, {"anna": "(safe O0)"}, wants("team", "(safe O3)"))
    assert went.end.status == "done"
    assert ("bert", "inspect", "O3") in went.deeds or ("anna", "inspect", "O3") in went.deeds


def test_what_goes_wrong_later_is_repaired_for_both(tmp_path: Path) -> None:
    went = carried(
        tmp_path,
        {"anna": f"(object-in-place O1 {place(0, 3)})"},
        wants("bert", "(safe O3)"),
        faults=(Fault("grasp", robot="anna", times=1), Fault("battery", robot="bert", at_s=8.0)),
    )
    assert went.end.status == "done"
    assert {thing for _, _, thing in went.deeds} == {"O1", "O3"}


def test_what_has_to_be_repaired_is_asked_first(tmp_path: Path) -> None:
    offered: list[bool] = []
    went = carried(
        tmp_path,
        {"anna": "(safe O0)", "bert": "(safe O3)"},
        wants("anna", "(safe O1)"),
        at_s=2.0,
        faults=(Fault("battery", robot="bert", at_s=2.0),),
        mind=lambda mission: offered.append(mission.offered is not None),
    )
    assert [("in place of bert" in one, "Take it in?" in one) for one in went.asked[1:]] == [
        (True, False),
        (False, True),
    ]
    assert offered == [False, False, True]
    assert went.end.status == "done" and len(went.deeds) == 3


def test_a_stop_in_between_ends_all(tmp_path: Path) -> None:
    def stops(question: str) -> bool:
        if "Take it in?" in question:
            raise KeyboardInterrupt
        return True

    with pytest.raises(KeyboardInterrupt):
        carried(tmp_path, {"anna": "(safe O0)"}, wants("bert", "(safe O3)"), says=stops)
    mission = Mission(SceneBelief.of(grid(), team(**STARTS), {"anna": "(safe O0)"}))
    steps = list(read_steps(tmp_path))
    assert replayed(mission, steps) == -1 and mission.phase == "asking"
    decided = mission.step(steps[-1].time_s, (StopPressed(), Answered(True)))
    assert mission.end is not None and mission.end.status == "stopped"
    assert not any("do" in type(one).__name__.lower() for one in decided)


def test_words_that_come_as_the_last_task_is_done_are_taken_in(tmp_path: Path) -> None:
    plain = carried(tmp_path / "plain", {"anna": "(safe O1)"})
    last_s = plain.steps[-1].time_s
    went = carried(
        tmp_path / "more", {"anna": "(safe O1)"}, wants("bert", "(safe O3)"), at_s=last_s
    )
    assert went.end.status == "done" and len(went.deeds) == 2
    refused = carried(
        tmp_path / "no",
        {"anna": "(safe O1)"},
        wants("bert", "(safe O3)"),
        at_s=last_s,
        says=no_to_more,
    )
    assert refused.end.status == "done" and len(refused.deeds) == 1


@pytest.mark.parametrize("says", [True, False])
@pytest.mark.parametrize("simulated", [True, False])
def test_a_killed_station_goes_on_between_words_and_answer_and_after(
    tmp_path: Path, says: bool, simulated: bool
) -> None:
    goals = {"anna": "(safe O0)", "bert": "(safe O1)"}
    more = wants("bert", "(safe O3)")
    answer: Callable[[str], bool] = (lambda _: True) if says else no_to_more
    whole = carried(tmp_path / "whole", goals, more, says=answer)
    lines = (tmp_path / "whole" / FILE).read_bytes().splitlines(keepends=True)
    steps = whole.steps
    told = next(k for k, s in enumerate(steps) if any(isinstance(t, Join) for t in s.told))
    last = [k for k, s in enumerate(steps) if any(isinstance(t, Answered) for t in s.told)][-1]
    for cut in (told + 1, last - 1, last, last + 1, last + 3):
        folder = tmp_path / f"{cut}"
        folder.mkdir()
        (folder / FILE).write_bytes(b"".join(lines[: cut + 1]))
        world = SimWorld(grid(), team(**STARTS))
        mission = Mission(SceneBelief.of(grid(), team(**STARTS), goals))
        journal = Journal(folder)
        runner = Runner(mission, ScenePlanner(), world.robots, SimClock(world), answer, journal)
        if simulated:
            reenacted(runner, world, steps[:cut])
        else:  # robots went on, and stand where they may
            other = Mission(SceneBelief.of(grid(), team(**STARTS), goals))
            again = Runner(other, ScenePlanner(), world.robots, SimClock(world), answer)
            reenacted(again, world, steps[:cut])
            assert replayed(mission, steps[:cut]) == -1
            world.advance(6.0)
        end = runner.resume(900.0)
        journal.close()
        assert end.status == "done"
        assert sorted((d.robot, d.kind, d.thing) for d in world.deeds) == sorted(whole.deeds)


def test_more_is_a_line_of_the_journal() -> None:
    pair = Before(Part("anna", "(safe O0)"), Part("bert", "(safe O3)"))
    more = Join("then look", "ada", {"bert": "(safe O3)"}, (pair,), {"bert": "(safe O3)"})
    assert of_json(to_json(more)) == more
