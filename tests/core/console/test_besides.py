"""What is said while robots drive joins the mission under way once it is approved, or leaves it as it was."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from commonground.console import words
from commonground.console.board import Refused
from commonground.console.plan_shown import queued
from commonground.console.station import Station
from commonground.live.folders import LETTER
from commonground.live.joining import leave
from commonground.live.missions import explain_mission, replay_mission
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Answered, Ask, Join, Planned
from commonground.planning.mission.journal import FILE, read_steps
from commonground.planning.mission.scene_planner import ScenePlanner
from tests.core.console.stations import ERRAND, SLOW, until, until_besides

MORE = "Spot, inspect the flag."


def driving(station: Station, text: str = ERRAND, at_s: float = 1.0) -> None:
    """Let a mission be under way for so long."""
    station.say(text, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    while station.now_s() < at_s:
        time.sleep(0.01)


def done(station: Station) -> list[str]:
    """Return what came of each part, once the mission is over."""
    assert until(station, "done", "partly", "failed", "stopped").state == "done"
    return [e.text for e in station.events if re.search(": done at|: it is so", e.text)]


def test_words_for_one_that_stands_idle_join_the_mission(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    heard: list[str] = []
    station.minutes.herald = heard.append
    driving(station)
    draft = station.say(MORE, "bob")
    assert draft.state == "grounded" and draft.goals == {"spot": "(safe O38)"}
    planned = until_besides(station, "planned")
    assert {task.robot for task in planned.tasks} == {"spot", "husky"}
    assert station.record is not None and station.record.state == "running"
    still = station.now_s()
    time.sleep(0.2)
    assert station.now_s() == still, "all stand until somebody approves"
    told = station.status()["mission"]["besides"]
    assert told["state"] == "planned" and told["said"] == MORE
    station.launcher.drive._pace = 0.0  # type: ignore[union-attr]
    station.approve(planned.number, "ada", plans=planned.plans)
    came = done(station)
    assert station.joining is None and station.record.joined == (MORE,)
    assert "“Husky" in words.status(station.record, -1.0, 2) and MORE in words.status(
        station.record, -1.0, 2
    )
    assert any("spot" in line for line in came) and any("husky" in line for line in came)
    assert any("spot now has to" in event.text for event in station.events)
    assert heard[1:3] == [f"mission 1: bob says: {MORE}", f"mission 1: ada approves “{MORE}”"]
    folder = station.missions / station.record.name
    lines = "\n".join(explain_mission(folder))
    assert f"bob says: {MORE}" in lines and f"bob says “{MORE}”, while robots drive" in lines
    assert replay_mission(folder) == len(list(read_steps(folder)))
    assert station.team is not None and station.team["spot"].position[0] > 10


def test_a_no_a_question_and_no_plan_leave_it_as_it_was(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    drive = station.drive
    assert drive is not None and drive.mission is not None
    keys = [task.key for task in (*drive.mission.done, *queued(drive.mission))]
    asked = station.say("Spot, inspect the bench and go to the plaza.", "bob")
    assert asked.state == "draft" and "O22" in asked.answer.candidates  # type: ignore[union-attr]
    assert station.draft == asked and "besides" in words.besides(asked)
    before = station.now_s()
    time.sleep(0.3)
    assert station.now_s() > before, "robots drive on while it is asked back"
    station.choose("O23", "bob", number=asked.number)
    planned = until_besides(station, "planned")
    with pytest.raises(Refused, match="another mission is shown"):
        station.approve(asked.number)
    station.discard("bob", number=planned.number)
    assert until_besides(station, "discarded").reason == "bob discarded it"
    drive._pace = 0.0
    until(station, "done")
    assert [task.key for task in drive.mission.done] == keys
    assert not any("O23" in task.target for task in drive.mission.done)


def test_what_there_is_no_plan_for_is_told(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station, "Spot, pick up O36.")
    station.say("Spot, pick up O37.", "bob")
    failed = until_besides(station, "failed")
    assert "what was under way goes on as it was" in failed.reason
    assert station.record is not None and station.record.state == "running"
    assert failed.reason in [event.text for event in station.events]


def test_stop_in_between_ends_all(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    station.say(MORE, "bob")
    planned = until_besides(station, "planned")
    drive = station.drive
    station.stop("ada")
    assert until(station, "stopped").reason == "ada pressed Stop"
    assert until_besides(station, "discarded").reason == "the mission is over"
    assert drive is not None and drive.wait(60)
    with pytest.raises(Refused, match="another mission is shown"):
        station.approve(planned.number, "bob")
    assert station.say(ERRAND).state == "grounded" and station.joining is None


def test_two_operators_want_more(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    station.say(MORE, "ada")
    until_besides(station, "planned")
    station.say("Spot, inspect the rock.", "bob")
    planned = until_besides(station, "planned")
    assert planned.said == "Spot, inspect the rock."
    told = f"bob replaces “{MORE}” of ada"
    assert planned.reason == told and told in [event.text for event in station.events]
    with pytest.raises(Refused, match="press again"):
        station.approve(planned.number, "ada")
    station.approve(planned.number, "ada")
    with pytest.raises(Refused):
        station.approve(planned.number, "bob")
    station.drive._pace = 0.0  # type: ignore[union-attr]
    came = done(station)
    assert any("O39" in line for line in came) and not any("O38" in line for line in came)


def test_words_before_and_new_ones_are_read_together(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station, "Husky, inspect the tree nearest to the flag and stay away from the plaza.")
    draft = station.say("Then go to the rock, husky.", "bob")
    assert draft.goals is not None
    rock = next(
        goal for goal in ("(at-object O39)", "(visited-object O39)") if goal in draft.goals["husky"]
    )
    assert draft.goals == {"husky": f"(and {rock} (not (visited-region R4)))"}
    assert [str(pair) for pair in draft.order] == [f"husky (safe O7) before husky {rock}"]
    planned = until_besides(station, "planned")
    assert [t.target for t in planned.tasks if t.robot == "husky"] == ["O7", "O7", "O39"]
    station.discard("bob")
    until_besides(station, "discarded")
    while station.drive is not None and station.drive.joining:
        time.sleep(0.01)
    other = station.say(MORE, "bob")
    assert other.goals == {"spot": "(safe O38)"}, "the ban was husky's"


def test_a_station_that_was_killed_asks_again(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    station.say(MORE, "bob")
    planned = until_besides(station, "planned")
    assert station.record is not None
    folder = station.missions / station.record.name
    station.drive._pace = 0.0  # type: ignore[union-attr]
    station.approve(planned.number, "ada")
    done(station)
    journal = folder / FILE
    lines = journal.read_bytes().splitlines(keepends=True)
    joins = [
        k for k, s in enumerate(read_steps(folder)) if any(isinstance(t, Join) for t in s.told)
    ]
    answers = [
        k for k, s in enumerate(read_steps(folder)) if any(isinstance(t, Answered) for t in s.told)
    ]
    # before a plan is asked for, while somebody is asked about it, and long after it was taken in
    for cut in (joins[0] + 2, answers[-1], joins[0] + 40):
        journal.write_bytes(b"".join(lines[: cut + 1]))
        other = make()
        record = other.reopen(folder, "bob")
        assert record.said == ERRAND and record.again
        if (
            cut > answers[-1]
        ):  # what was driven of a way that was cut off counts, and no time begins anew
            (cut_off,) = record.driven
            assert cut_off.robot == "husky" and cut_off.length_m > 0.5
            assert record.joined == (MORE,) and set(record.goals or {}) == {"husky", "spot"}
            assert min(task.start_s for task in record.tasks) >= cut_off.end_s > 0.5
            meters = cut_off.length_m + sum(t.length_m for t in record.tasks if t.moves)
            shown = words.timeline(record, ["spot", "husky"], {}, cut_off.end_s)
            assert f"{meters:.0f} m and about" in shown and 'class="now"' in shown
        other.approve(record.number, "bob")
        if cut <= answers[-1]:
            again = until_besides(other, "planned")
            assert again.said == MORE and again.by == "bob" and again.tasks
            other.approve(again.number, "ada")
        assert any("spot" in line for line in done(other))


def test_words_of_another_program_are_asked_about_here(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    drive = station.drive
    assert drive is not None
    more = Join(MORE, "eve@base", {"spot": "(safe O38)"})
    asked = station.say("Spot, inspect the bench.", "ada")
    leave(drive.folder, more)
    time.sleep(0.3)
    assert station.draft == asked, "what is asked back comes first"
    station.discard("ada")
    for _ in range(2):  # who was told no may say it again
        planned = until_besides(station, "planned")
        assert planned.by == "eve@base" and planned.said == MORE and planned.tasks
        station.discard("ada", number=planned.number)
        if not any(drive.folder.glob(LETTER)):
            leave(drive.folder, more)
    station.approve(until_besides(station, "planned").number, "ada")
    drive._pace = 0.0
    assert any("O38" in line for line in done(station))


def test_only_a_no_answers_what_joins_with_no(
    make: Callable[..., Station], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned_on, plan = threading.Event(), ScenePlanner.plan

    def slowly(self: ScenePlanner, belief: SceneBelief, ask: Ask, views: Any) -> Planned:
        assert ask.rung != "join" or planned_on.wait(60)
        return plan(self, belief, ask, views)

    monkeypatch.setattr(ScenePlanner, "plan", slowly)
    station = make(SLOW)
    driving(station)
    drive = station.drive
    assert drive is not None
    leave(drive.folder, Join(MORE, "eve@base", {"spot": "(safe O38)"}))
    shown = until_besides(station, "grounded")
    assert shown.by == "eve@base" and station.draft == shown
    for words_ in ("yes", "Spot, inspect the bench."):
        with pytest.raises(Refused, match="a plan is made with"):
            station.say(words_, "ada")
    planned_on.set()
    planned = until_besides(station, "planned")
    with pytest.raises(Refused, match="press Approve"):
        station.say("Yes, please.", "ada")
    assert station.draft == planned
    station.say("no", "ada")
    assert until_besides(station, "discarded").reason == "ada discarded it"
    leave(drive.folder, Join(MORE, "eve@base", {"spot": "(safe O38)"}))
    until_besides(station, "planned")
    station.say("stop", "ada")
    assert until(station, "stopped").reason == "ada said “stop”"


def test_a_yes_to_a_question_back_answers_no_other(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    driving(station)
    asked = station.say("Spot, inspect the bench.", "ada")
    assert asked.state == "draft" and asked.answer is not None
    record = station.record
    assert record is not None
    with station._board.lock:
        station._board.change(replace(record, question="spot is stuck: plan anew?"))
    for word in ("yes", "no"):
        with pytest.raises(Refused, match="two things are asked"):
            station.say(word, "ada")
    assert station.record is not None and station.record.question
    station.discard("ada")
    station.say("no", "ada")
    assert not station.record.question
    station.stop("ada")


def test_words_that_had_no_plan_before_are_asked_about_when_another_program_has_them(
    make: Callable[..., Station],
) -> None:
    station = make(SLOW)
    driving(station)
    drive = station.drive
    assert drive is not None
    # an operator said the same in vain, or left it
    draft = station.say("Spot, inspect the bench.", "ada")
    station.discard("ada")
    more = Join(draft.said, "eve@base", {"spot": "(safe O38)"})
    leave(drive.folder, more)
    planned = until_besides(station, "planned")
    assert planned.number != draft.number and planned.by == "eve@base"


def test_what_is_said_in_a_pause_is_planned_once_somebody_goes_on(
    make: Callable[..., Station],
) -> None:
    station = make(SLOW)
    driving(station)
    station.pause("ada")
    assert station.say(MORE, "bob").state == "grounded"
    time.sleep(0.3)
    assert station.joining is not None and station.joining.state == "grounded"
    station.go_on("ada")
    until_besides(station, "planned")
