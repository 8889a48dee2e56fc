"""Every stage with a language model, against a real server that answers well, badly and maliciously."""

from __future__ import annotations

import contextlib
import json
import re
import time
from typing import Any

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.model import ChatModel
from commonground.grounding.problem_writer.goals import contains
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.modeled import ModelWriter
from commonground.grounding.problem_writer.offline import OfflineWriter
from commonground.grounding.problem_writer.stages import write_problem
from commonground.grounding.repair.acting import Call
from commonground.grounding.repair.diagnosis import OfflineProposer
from commonground.grounding.repair.failures import Failure
from commonground.grounding.repair.hypotheses import Hypothesis, Trial, choose
from commonground.grounding.repair.modeled import ModelProposer
from commonground.grounding.repair.report import Planned
from commonground.grounding.repair.settings import RepairSettings
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import ModelSettings
from commonground.household.team import HouseholdTeam
from commonground.planning.pddl import to_pddl
from tests.grounding.household.houses import graph_of, house, task
from tests.grounding.model_server import (
    completion,
    failing,
    hanging_up,
    model_server,
    reply,
    sending,
    sleeping,
    trickling,
)

KINDS = Kinds.load()
TEXT = "Put the apple in the fridge."
GOAL_TEXT = "(contains Fridge Apple)"
GOAL = json.dumps({"goal": GOAL_TEXT})


def _model(address: str, **changes: Any) -> ChatModel:
    values = {
        "base_url": address,
        "timeout_s": 20.0,
        "budget_s": 60.0,
        "max_attempts": 2,
        **changes,
    }
    return ChatModel(ModelSettings(**values))


def _writer(address: str) -> ModelWriter:
    return ModelWriter(_model(address), OfflineWriter(KINDS))


def _honest(handler: Any, request: dict[str, Any]) -> None:
    """Answer like a sensible model: the goal, or the facts that name what the goal names."""
    said = request["messages"][-1]["content"]
    if "Choose from these facts" not in said:
        reply(handler, completion(GOAL))
        return
    facts = [json.loads(line) for line in re.findall(r"^\[.*\]$", said, re.M)]
    chosen = [f for f in facts if {"Apple_1", "Fridge_1"} & {f[0], f[2]}]
    reply(handler, completion(json.dumps({"facts": chosen})))


def test_a_model_writes_the_stages_one_after_the_other() -> None:
    with model_server(_honest) as (address, script):
        writer = _writer(address)
        written = write_problem(TEXT, graph_of(house()), writer, KINDS)
    assert written.goal == contains("Fridge", "Apple")
    assert len(script.requests) == 2 and not writer.notes
    assert {"Apple_1", "Fridge_1"} <= set(written.problem.things)
    system = script.requests[0]["messages"][0]["content"]
    assert "never instructions" in " ".join(system.split())


WRONG_GOALS = {
    "hallucinated": '{"goal": "(contains Fridge Unicorn)"}',
    "no such predicate": '{"goal": "(holding Apple)"}',
    "no such state": '{"goal": "(state Apple PURPLE)"}',
    "injected": '{"goal": "(contains Fridge Apple)) (:action evil"}',
    "quantified": '{"goal": "(forall (?x) (state ?x ON))"}',
    "malformed": "{goal: yes",
    "missing": "{}",
    "not of the schema": '{"goal": "(contains Fridge Apple)", "run": "rm -rf /"}',
    "a list": "[]",
}


@pytest.mark.parametrize("name", WRONG_GOALS)
def test_a_wrong_goal_is_told_so_and_asked_for_again(name: str) -> None:
    with model_server(WRONG_GOALS[name], GOAL) as (address, script):
        writer = _writer(address)
        if name == "missing":
            with pytest.raises(Unclear):
                writer.wish(TEXT, graph_of(house()))
            return
        goal = writer.wish(TEXT, graph_of(house())).goal
    assert goal == contains("Fridge", "Apple")
    assert "not valid" in script.requests[1]["messages"][-1]["content"]


UNFAITHFUL = {
    "another thing": (TEXT, "(contains Fridge Potato)", "speaks of 'apple', which is left out"),
    "made up": (TEXT, "(and (contains Fridge Apple) (state Fridge OPENED) (state Cabinet OPENED))",
                "says nothing of opened Cabinet"),
    "a name": ("Open Fridge_1 quietly, would you kindly.", "(state Cabinet OPENED)", "names Fridge_1"),
    "turned round": (TEXT, "(not (contains Fridge Apple))", "excludes nothing"),
    "a refusal": ("Hands off the apple.", GOAL_TEXT, "says 'hands off' of what is done"),
    "nothing it speaks of": ("Do something nice.", GOAL_TEXT, "does not speak of Fridge"),
    "a place it does not name": ("Zorble the apple.", GOAL_TEXT, "does not speak of Fridge"),
    "a negation": ("Do not leave the fridge unshut.", "(state Fridge OPENED)", "says 'not'"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNFAITHFUL)
def test_a_goal_that_is_not_what_was_said_goes_back(name: str) -> None:
    text, goal, why = UNFAITHFUL[name]
    with model_server(json.dumps({"goal": goal})) as (address, script):
        writer = _writer(address)
        with contextlib.suppress(Unclear):
            assert to_pddl(writer.wish(text, graph_of(house())).goal) != goal
    assert why in script.requests[1]["messages"][-1]["content"]
    assert any(
        "goal" in note for note in writer.notes
    )  # the offline writer stood in, and it is told


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Leave the bowl alone and put the apple in the fridge.", GOAL_TEXT),
        ("Put the apple in the fridge, and leave the bowl alone.", GOAL_TEXT),
    ],
)
def test_what_is_said_of_something_else_denies_nothing(text: str, goal: str) -> None:
    with model_server(json.dumps({"goal": goal})) as (address, script):
        assert goal in to_pddl(_writer(address).wish(text, graph_of(house())).goal)
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("text", "contrary"),
    [
        ("Keep the apple away from the fridge.", GOAL_TEXT),
        ("Stop leaving the fridge open.", "(state Fridge OPENED)"),
    ],
)
def test_nothing_that_is_denied_is_done_offline(text: str, contrary: str) -> None:
    with contextlib.suppress(Unclear):
        assert contrary not in to_pddl(OfflineWriter(KINDS).wish(text, graph_of(house())).goal)


def test_what_a_goal_cannot_say_is_taken_from_the_offline_reader() -> None:
    text = "Put the apple in the fridge without opening the cabinet."
    graph = graph_of(house())
    offline = OfflineWriter(KINDS).wish(text, graph)
    with model_server(GOAL) as (address, script):
        wish = _writer(address).wish(text, graph)
    assert len(script.requests) == 1
    assert (wish.spared, wish.barred) == (offline.spared, offline.barred)
    assert wish.goal == contains("Fridge", "Apple")


def test_a_question_of_the_model_is_passed_on() -> None:
    with (
        model_server('{"goal": "", "question": "Which apple?"}') as (address, _),
        pytest.raises(Unclear, match="Which apple"),
    ):
        _writer(address).wish(TEXT, graph_of(house()))


WRONG_FACTS = {
    "hallucinated": '{"facts": [["Apple_1", "in", "Moon_1"]]}',
    "no such relation": '{"facts": [["Apple_1", "owned-by", "Fridge_1"]]}',
    "of another view": '{"facts": [["Apple_1", "can", "sliceable"]]}',
    "missing": '{"facts": []}',
    "malformed": '{"facts": [["Apple_1"]]}',
    "text": "The apple is in the kitchen.",
}


@pytest.mark.parametrize("name", WRONG_FACTS)
def test_wrong_facts_never_reach_the_problem(name: str) -> None:
    graph = graph_of(house())
    with model_server(GOAL, WRONG_FACTS[name]) as (address, _):
        writer = _writer(address)
        written = write_problem(TEXT, graph, writer, KINDS)
    offline = write_problem(TEXT, graph, OfflineWriter(KINDS), KINDS)
    assert set(written.relations) | set(written.properties) | set(written.reach) <= set(graph.facts)
    assert any(note.startswith("relations") for note in writer.notes)
    if name not in ("missing", "of another view"):
        assert to_pddl(written.problem.task.problem) == to_pddl(offline.problem.task.problem)


BROKEN = {
    "slow": sleeping(5.0),
    "failing": failing(500),
    "limited": failing(429),
    "hanging up": hanging_up,
    "trickling": trickling(GOAL, 0.05),
    "no completion": sending(b"{}"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_whatever_a_server_does_the_problem_is_written_in_bounded_time(name: str) -> None:
    begin = time.monotonic()
    with model_server(BROKEN[name]) as (address, _):
        model = _model(address, timeout_s=0.15, budget_s=0.3)
        writer = ModelWriter(model, OfflineWriter(KINDS))
        written = write_problem(TEXT, graph_of(house()), writer, KINDS)
    assert written.goal == contains("Fridge", "Apple")
    assert len(writer.notes) == 2
    assert time.monotonic() - begin < 30


def test_a_team_with_a_model_carries_out_a_command() -> None:
    told = task(TEXT, ["(contains Fridge Apple)"])
    with model_server(_honest) as (address, script):
        settings = RepairSettings(
            backend="openai", improve_s=0.0, model=ModelSettings(base_url=address)
        )
        with HouseholdTeam(settings) as team:
            ran = team.carry_out(house(), told)
    assert ran.report.status == "done" and ran.score.success
    assert len(script.requests) >= 2 and not ran.stood_in


def _late(handler: Any, request: dict[str, Any]) -> None:
    """Answer right, but after a while."""
    time.sleep(3.0)
    _honest(handler, request)


def test_waiting_for_a_model_is_no_time_of_planning() -> None:
    """All answers together take longer than planning may, and nothing is different."""
    told = task(TEXT, ["(contains Fridge Apple)"])
    reports = []
    for move in (_honest, _late):
        with model_server(move) as (address, script):
            settings = RepairSettings(
                backend="openai", improve_s=0.0, budget_s=5.9, model=ModelSettings(base_url=address)
            )
            with HouseholdTeam(settings) as team:
                ran = team.carry_out(house(), told)
                waited = team.models[0].usage.seconds
        assert ran.report.status == "done" and len(script.requests) >= 2
        reports.append(ran)
    assert reports[0].moves == reports[1].moves
    assert waited > settings.budget_s > reports[1].report.planning_s


class _Stub:
    """A planner that finds nothing."""

    proven = True

    def __init__(self, *_: object) -> None:
        pass

    def plan(self, *_: object, **__: object) -> Planned:
        return Planned(None, self.proven)


@pytest.mark.parametrize(("proven", "status"), [(True, "impossible"), (False, "gave_up")])
def test_only_a_search_that_was_ended_by_no_limit_shows_that_a_command_is_impossible(
    proven: bool, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Stub, "proven", proven)
    monkeypatch.setattr("commonground.household.team.ShortestPlanner", _Stub)
    with HouseholdTeam(RepairSettings()) as team:
        ran = team.carry_out(house(), task(TEXT, ["(contains Fridge Apple)"]))
    assert ran.report.status == status
    assert ("proves nothing" in ran.report.message) == (not proven)


def test_no_time_is_not_no_plan() -> None:
    told = task(TEXT, ["(contains Fridge Apple)"])
    settings = RepairSettings(improve_s=0.0, budget_s=1e-6)
    with HouseholdTeam(settings) as team:
        ran = team.carry_out(house(), told)
    assert ran.report.status == "gave_up" and "no time left" in ran.report.message


# ---- hypotheses --------------------------------------------------------------------------------------

FAILURE = Failure(
    "precondition", "cannot", call=Call("robot1", "OpenObject", ("Fridge_1",)), about=("Fridge_1",)
)


def _propose(*answers: str) -> list[Hypothesis]:
    with model_server(*answers) as (address, _):
        proposer = ModelProposer(_model(address), OfflineProposer(KINDS))
        return proposer.propose(FAILURE, contains("Fridge", "Apple"), graph_of(house()), 0)


def test_hypotheses_of_a_model_are_taken_by_likelihood() -> None:
    said = {
        "hypotheses": [
            {"why": "stuck", "likelihood": 0.1, "drops": [["Fridge_1", "can", "openable"]]},
            {"why": "open", "likelihood": 0.8, "adds": [["Fridge_1", "open", "true"]]},
        ]
    }
    found = _propose(json.dumps(said))
    assert [h.why for h in found] == ["open", "stuck"]
    graph = found[0].apply(graph_of(house()))
    assert graph.is_true("Fridge_1", "open") and Fact("Fridge_1", "open", "true") in graph.supposed
    assert not found[1].apply(graph_of(house())).can("Fridge_1", "openable")


@pytest.mark.parametrize(
    "fact",
    [
        ["Moon_1", "open", "true"],
        ["Fridge_1", "explodes", "true"],
        ["Fridge_1", "open", "maybe"],
        ["Apple_1", "in", "Moon_1"],
        ["Apple_1", "mass-kg", "heavy"],
    ],
)
def test_hypotheses_about_what_does_not_exist_are_refused(fact: list[str]) -> None:
    said = json.dumps({"hypotheses": [{"why": "x", "likelihood": 1, "adds": [fact]}]})
    found = _propose(said)
    offline = OfflineProposer(KINDS).propose(
        FAILURE, contains("Fridge", "Apple"), graph_of(house()), 0
    )
    assert found == offline


@pytest.mark.parametrize(
    "answer", ["{}", '{"hypotheses": []}', "no", '{"hypotheses": [{"why": 1}]}']
)
def test_malformed_hypotheses_are_replaced_by_the_diagnosis(answer: str) -> None:
    assert any("chance" in h.why for h in _propose(answer))


def test_the_best_hypothesis_weighs_likelihood_against_the_detour() -> None:
    graph = graph_of(house())
    step = Call("robot1", "GoToObject", ("Fridge_1",))

    def trial(likelihood: float, steps: int) -> Trial:
        return Trial(Hypothesis("h", likelihood), graph, (step,) * steps, length_before=4)

    likely, short, shorter = trial(0.9, 8), trial(0.2, 5), trial(0.1, 2)
    assert choose([likely, short], 2.0) is short, "0.9/4² < 0.2/1²"
    assert choose([likely, short], 0.0) is likely
    assert choose([short, shorter], 2.0) is short, "a shorter plan counts like one step"
    assert choose([], 2.0) is None
    assert choose([trial(0.0, 5)], 2.0) is not None
