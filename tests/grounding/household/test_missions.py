"""Missions in houses that are not as believed: failures, unseen states, honest answers, bounded time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.datasets.household import House, RobotSpec
from commonground.datasets.household.tasks import SKILLS
from commonground.datasets.household.worlds import Floor
from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import FALSE, Fact
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.problem_writer.keeping import HouseStore
from commonground.grounding.repair.acting import Call
from commonground.grounding.repair.assumptions import assume_usual, sure_part
from commonground.grounding.repair.hypotheses import Hypothesis, Trial, no_better
from commonground.grounding.repair.settings import RepairSettings
from commonground.household.team import HouseholdTeam
from tests.grounding.household.houses import HANDY, PATIENT, graph_of, house, task


def _with_state(name: str, **state: bool) -> Floor:
    floor = dict(house())
    floor[name] = replace(floor[name], state={**floor[name].state, **state})
    return floor


# ---- states nobody has looked at ----------------------------------------------------------------------


def test_what_nobody_has_looked_at_is_supposed_to_be_closed_and_off() -> None:
    graph = graph_of(house())
    seen = Fact("LightSwitch_1", "on", "true")
    assume_usual(graph)
    assert seen in graph.facts, "what is known is not supposed"
    for fact in list(graph.supposed):
        graph.tell(fact)
    graph.retract(Fact("Fridge_1", "open", FALSE))
    assume_usual(graph)
    assert set(graph.supposed) == {Fact("Fridge_1", "open", FALSE)}
    calls = [
        Call("robot1", "GoToObject", ("Fridge_1",)),
        Call("robot1", "OpenObject", ("Fridge_1",)),
    ]
    assert sure_part(calls, graph) == 1, "the first call is to look"


@pytest.mark.parametrize(
    ("text", "goal", "name", "state"),
    [
        ("Put the apple in the fridge.", "(contains Fridge Apple)", "Fridge_1", {"open": True}),
        ("Switch off the television.", "(state Television OFF)", "Television_1", {"on": True}),
        ("Turn on the television.", "(state Television ON)", "Television_1", {"on": True}),
        ("Close the fridge.", "(state Fridge CLOSED)", "Fridge_1", {"open": True}),
        ("Wash the apple.", "(state Apple CLEAN)", "Faucet_1", {"on": True}),
    ],
)
def test_a_state_that_is_otherwise_is_noticed_before_anything_fails(
    text: str, goal: str, name: str, state: dict[str, bool]
) -> None:
    with HouseholdTeam(PATIENT) as team:
        ran = team.carry_out(_with_state(name, **state), task(text, [goal]), states=False)
    assert ran.report.status == "done" and ran.score.success
    assert not ran.score.failures


# ---- actions that fail --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_actions_that_slip_are_tried_again(seed: int) -> None:
    told = task(
        "Slice the apple and put it in the fridge.",
        ["(state Apple SLICED)", "(contains Fridge Apple)"],
    )
    rng = np.random.default_rng(seed)
    with HouseholdTeam(PATIENT) as team:
        ran = team.carry_out(house(), told, failure_rate=0.25, rng=rng)
    assert ran.score.success and ran.score.failures, "some actions have failed"


class _Stubborn(House):
    """A house in which one robot never manages one skill."""

    robot, skill = "robot1", "OpenObject"

    def do(self, move):  # type: ignore[no-untyped-def]
        from commonground.datasets.household.moves import Outcome

        if (move.robot, move.action) == (self.robot, self.skill):
            return Outcome(False, "did not work", move.args)
        return super().do(move)


@pytest.mark.parametrize("skill", ["OpenObject", "PickupObject", "PutObject", "GoToObject"])
def test_what_one_robot_never_manages_another_one_does(
    skill: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Stubborn, "skill", skill)
    monkeypatch.setattr("commonground.household.team.House", _Stubborn)
    robots = [RobotSpec(f"robot{i}", frozenset(SKILLS), 3.0) for i in (1, 2)]
    told = task("Put the apple in the fridge.", ["(contains Fridge Apple)"], robots)
    with HouseholdTeam(PATIENT) as team:
        ran = team.carry_out(house(), told)
    assert ran.score.success, ran.report.message


def test_a_likelier_explanation_at_the_least_cost_need_not_be_compared() -> None:
    graph = graph_of(house())
    step = Call("robot1", "GoToObject", ("Fridge_1",))
    likely = Trial(Hypothesis("chance", 0.6), graph, (step,), length_before=1)
    detour = Trial(Hypothesis("chance", 0.6), graph, (step,) * 4, length_before=1)
    assert no_better([likely], Hypothesis("rare", 0.3), 2.0)
    assert not no_better([detour], Hypothesis("rare", 0.3), 2.0)
    assert not no_better([], Hypothesis("rare", 0.0001), 2.0)


# ---- honest answers -----------------------------------------------------------------------------------

_WALK = frozenset({"GoToObject", "PickupObject", "PutObject"})


@pytest.mark.parametrize(
    ("text", "robot", "said"),
    [
        ("Slice the apple.", RobotSpec("a", _WALK, 3.0), "no robot has the skill SliceObject"),
        ("Put the apple in the fridge.", RobotSpec("a", _WALK, 3.0), "Fridge_1 is closed, and no robot"),
        ("Put the laptop on the sofa.", RobotSpec("a", _WALK, 0.5), "lifts 0.5 kg"),
        ("Put the apple on the bed.", RobotSpec("a", frozenset({"GoToObject"}), 3.0), "PickupObject"),
        ("Put the apple on the bed.", RobotSpec("a", _WALK - {"GoToObject"}, 3.0), "cannot go anywhere"),
        ("Wash the apple.", RobotSpec("a", _WALK, 3.0), "skill SwitchOn"),
        ("Put the plate in the bowl.", RobotSpec("a", frozenset(SKILLS), 3.0), "does not take"),
        ("Break the mirror.", RobotSpec("a", frozenset(SKILLS), 3.0), "no Mirror"),
    ],
)  # fmt: skip
def test_an_impossible_goal_names_what_is_missing(text: str, robot: RobotSpec, said: str) -> None:
    with HouseholdTeam(PATIENT) as team:
        ran = team.carry_out(house(), task(text, ["(state Apple CLEAN)"], [robot]))
    assert ran.report.status == "impossible" and said in ran.report.message


def test_water_that_is_not_there_is_missed() -> None:
    floor = {name: thing for name, thing in house().items() if thing.type != "Faucet"}
    with HouseholdTeam(PATIENT) as team:
        ran = team.carry_out(floor, task("Wash the apple.", ["(state Apple CLEAN)"]))
    assert ran.report.message == "(state Apple CLEAN) needs running water, and there is none here"


def test_planning_ends_when_its_time_is_up() -> None:
    """A goal no plan reaches and no reason explains is given up within the time given for planning."""
    settings = RepairSettings(budget_s=0.5, improve_s=0.0)
    told = task("Put the egg in the microwave and the microwave on the sofa.", ["(state Egg HOT)"])
    with HouseholdTeam(settings) as team:
        ran = team.carry_out(house(), told)
    assert ran.report.status in ("impossible", "gave_up", "ask")


# ---- memory -------------------------------------------------------------------------------------------


def test_what_was_believed_is_kept_with_its_history(tmp_path: Path) -> None:
    told = task("Put the apple in the fridge.", ["(contains Fridge Apple)"])
    with HouseholdTeam(PATIENT, keep=tmp_path) as team:
        assert team.carry_out(house(), told, states=False).score.success
    with HouseStore.open(tmp_path / "t.db") as kept:
        graph = kept.graph()
        assert graph.value("Apple_1", "in") == "Fridge_1" and graph.is_true("Fridge_1", "open")
        before = [
            r for r in kept.store.history("Apple_1") if r.fact.relation == "in" and r.ended_ns
        ]
        assert before, "where it was is part of the history"
        accepted = {claim.fact for claim in kept.hypotheses("accepted")}
        assert Fact("Fridge_1", "open", FALSE) in accepted, "it was supposed to be closed, and was"
    assert HANDY.name == "robot1"


def test_what_was_kept_is_replaced_at_the_end_and_other_memories_never_are(tmp_path: Path) -> None:
    graph = graph_of(house())
    file = tmp_path / "t.db"
    with HouseStore.replacing(file, graph):
        assert not file.exists(), "a killed command leaves nothing that looks complete"
    first = file.read_bytes()
    running = HouseStore.replacing(file, graph)
    running.__enter__().store.close()  # ends here, as if it were killed
    assert file.read_bytes() == first
    with HouseStore.replacing(file, graph):
        pass
    assert [each.name for each in tmp_path.iterdir()] == ["t.db"]
    other = tmp_path / "other.db"
    KnowledgeStore.create(other, "(define (domain home) (:predicates (lit ?x)))", [], []).close()
    with (
        pytest.raises(GroundingError, match="no household's"),
        HouseStore.replacing(other, graph),
    ):
        pass
