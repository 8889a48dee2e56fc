"""The console's rules: what a mission may become, who may approve, and that a stop sends nothing more."""

from __future__ import annotations

import contextlib
import http.client
import itertools
import json
import os
import re
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from commonground.cli.main import run
from commonground.console import standing as standing_module
from commonground.console import words
from commonground.console.board import Event, Refused
from commonground.console.launching import UNBEGUN, UNREAD
from commonground.console.logged import is_interrupted, listed
from commonground.console.offers import Offers, face_of
from commonground.console.record import NEXT, MissionRecord
from commonground.console.running import make_station, open_console
from commonground.console.site import keep_world
from commonground.console.station import Station
from commonground.errors import ConfigError, RunError
from commonground.grounding import Grounder, GroundingSettings
from commonground.grounding.answers import Grounding
from commonground.live.control import called, control
from commonground.live.folders import header
from commonground.live.missions import explain_mission
from commonground.live.pausing import Gate, PacedClock
from commonground.planning.mission.events import End
from commonground.planning.mission.journal import Journal, read_steps
from commonground.planning.mission.task import Task
from commonground.robots import Team, load_team
from commonground.scene import SceneGraph
from tests.core.console.stations import ERRAND, ROBOTS, SCENE, SLOW, until, until_besides


def test_a_mission_goes_only_forward() -> None:
    order = {s: k for k, s in enumerate(NEXT)}
    for here, there in itertools.product(NEXT, NEXT):
        record = MissionRecord(1, "x", here)
        if there in NEXT[here]:
            assert record.moved(there).state == there
            assert order[there] > order[here]
        else:
            with pytest.raises(RunError):
                record.moved(there)
    before = {here for here in NEXT if "approved" in NEXT[here]}
    assert before == {"planned"} and {h for h in NEXT if "running" in NEXT[h]} == {"approved"}


def test_from_words_to_done(make: Callable[..., Station]) -> None:
    station = make()
    record = station.say(ERRAND, "ada")
    assert record.answer is not None and record.goals == {"husky": "(safe O7)"}
    planned = until(station, "planned")
    assert [t.kind for t in planned.tasks] == ["goto", "inspect"]
    journal = station.missions / planned.name
    orders = [d for s in read_steps(journal) for d in s.decided if d["kind"] == "do"]
    assert orders == [], "nothing is sent before it is approved"
    station.approve(planned.number, "ada")
    done = until(station, "done", "failed")
    assert done.state == "done" and done.approved_by == "ada"
    assert any("husky has finished: inspect O7" in e.text for e in station.events)
    # the next mission begins where this one ended
    assert station.team is not None
    assert station.team["husky"].position[0] < 50
    again = station.say("Husky, go to the plaza.")
    assert again.number == 2
    station.approve(until(station, "planned").number)
    assert until(station, "done", "failed").state == "done"


def test_what_of_the_words_is_in_no_goal_is_told_and_noted(make: Callable[..., Station]) -> None:
    station = make()
    station.say("Husky, inspect the flag slowly.", "ada")
    record = until(station, "planned")
    told = "'slowly' is no part of the goal"
    assert told in words.answer(record, station.graph).replace("&#x27;", "'")
    assert told in [event.text for event in station.events]
    assert any(told in line for line in explain_mission(station.missions / record.name))


class Doubting:
    """Reads all for one wish, and doubts it."""

    def __init__(self, graph: SceneGraph, team: Team) -> None:
        self.meant = Grounder(graph, team).ground(ERRAND)

    def ground(self, text: str) -> Grounding:
        return Grounding("clarify", None, "Is this meant?", meant=self.meant)

    def answering(self, symbols: object) -> Doubting:
        return self


class Failing(Doubting):
    """A reader with a fault in it."""

    def ground(self, text: str) -> Grounding:
        raise IndexError(text)


def test_an_unforeseen_error_ends_a_draft(
    graph: SceneGraph, team: Team, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    station = Station(graph, team, Failing, tmp_path / "missions")
    with pytest.raises(IndexError):
        station.say(ERRAND, "ada")
    asked = station.draft
    assert asked is not None and asked.answer == UNREAD and asked.reason == UNREAD.message
    station.close()
    station = Station(graph, team, Grounder, tmp_path / "missions")
    monkeypatch.setattr("commonground.console.launching.keep_world", Failing.ground)
    with pytest.raises(TypeError):
        station.say(ERRAND, "ada")
    assert station.record is not None and station.record.state == "failed"
    assert station.record.reason == UNBEGUN
    station.close()


def test_a_yes_takes_the_one_reading_that_a_question_shows(
    graph: SceneGraph, team: Team, tmp_path: Path
) -> None:
    station = Station(graph, team, Doubting, tmp_path / "missions")
    asked = station.say("do that there", "ada")
    assert asked.state == "draft" and face_of(asked, asked, []).asks
    assert station.say("yes, please", "ada").state == "grounded"
    planned = until(station, "planned")
    assert planned.goals == {"husky": "(safe O7)"} and planned.text == "do that there"
    station.discard("ada")
    other = station.say("do that there", "ada")
    station.say("no", "bob")
    with pytest.raises(Refused):
        station.confirm("bob", number=other.number)
    assert until(station, "discarded").goals is None
    station.close()


def test_a_yes_to_another_question_replaces_nothing(make: Callable[..., Station]) -> None:
    station = make()
    asked = station.say("Spot, inspect the bench.", "ada")
    assert asked.state == "draft"
    with pytest.raises(Refused, match="no question of yes or no"):
        station.say("yes", "ada")
    assert station.draft == asked


def test_long_rows_say_what_has_room() -> None:
    way = ((0.0, 0.0, 0.0), (9.0, 0.0, 0.0))
    drawn = [
        Task(f"k{k}", "spot", kind, f"O{k}", way, start_s=at, end_s=at + long)
        for k, (kind, at, long) in enumerate(
            [("inspect", 0.0, 2.0), ("inspect", 3.0, 2.0), ("goto", 5.0, 95.0)]
        )
    ]
    record = MissionRecord(1, "x", "planned", tasks=tuple(drawn), goals={"spot": "(safe O0)"})
    shown = words.timeline(record, ["spot"], {})
    assert ">O0<" not in shown and ">to O2<" in shown, (
        "its neighbor begins where its name would stand"
    )
    other = replace(record, goals={"husky": "(safe O0)"}, tasks=(drawn[2],))
    assert "makes room for others" in words.timeline(other, ["spot"], {})
    assert "makes room" not in shown


def test_only_what_was_interrupted_is_offered() -> None:
    assert is_interrupted("20260301-101500: interrupted, “Spot, wait: stop.”")
    assert not is_interrupted("20260301-101500: done, “that was: interrupted, then”")


def test_two_operators_cannot_both_approve(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND)
    record = until(station, "planned")
    outcomes: list[str] = []
    together = threading.Barrier(8)

    def approve(name: str) -> None:
        together.wait()
        try:
            station.approve(record.number, name, plans=record.plans)
            outcomes.append(name)
        except Refused:
            outcomes.append("")

    threads = [threading.Thread(target=approve, args=(f"operator {k}",)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [name for name in outcomes if name]
    assert until(station, "done").approved_by == winner
    with pytest.raises(Refused, match="done already"):
        station.approve(record.number)
    with pytest.raises(Refused, match="another mission"):
        station.approve(record.number + 1)


def test_stop_in_mid_drive_sends_nothing_more(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    until(station, "running")
    while station.now_s() < 2.0:
        time.sleep(0.01)
    drive = station.drive
    assert drive is not None and drive.world is not None
    sent: list[str] = []
    for robot in drive.world.robots.values():
        robot.commander = "spy"  # whatever is said to a robot from here on is seen
    follow = type(robot).follow

    def spied(self: object, key: str, *rest: object) -> None:
        sent.append(key)
        follow(self, key, *rest)  # type: ignore[arg-type]

    station.stop("bob")
    assert station.record is not None and station.record.state == "stopped"
    try:
        type(robot).follow = spied  # type: ignore[method-assign, assignment]
        assert drive.wait(60)
    finally:
        type(robot).follow = follow  # type: ignore[method-assign]
    assert sent == []
    assert drive.world.robots["husky"].state == "idle"
    here = drive.world.robots["husky"].position.copy()
    drive.world.advance(10)
    assert (drive.world.robots["husky"].position == here).all(), "it stands still"
    told = [e for e in station.events if re.search("[sS]top|over", e.text)]
    assert [e.text for e in told] == [
        "bob pressed Stop; nothing more is sent",
        "husky, “inspect O7”: not done, it was stopped",
    ]
    assert told[0].time_s >= 2.0
    last = list(read_steps(station.missions / station.record.name))[-1]
    assert any(d["kind"] == "end" and d["status"] == "stopped" for d in last.decided)


def test_stop_is_told_alike_whoever_is_first(
    make: Callable[..., Station], monkeypatch: pytest.MonkeyPatch
) -> None:
    station = make(SLOW)
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    until(station, "running")
    drive = station.drive
    assert drive is not None
    stop = drive.stop

    def stop_and_end(why: str) -> None:  # the mission's thread ends before its operator is told
        stop(why)
        assert drive.wait(60)

    monkeypatch.setattr(drive, "stop", stop_and_end)
    station.stop("bob")
    assert until(station, "stopped").reason == "bob pressed Stop"
    told = [e.text for e in station.events if "Stop" in e.text]
    assert told == ["bob pressed Stop; nothing more is sent"]


def test_stop_works_at_any_moment(make: Callable[..., Station]) -> None:
    station = make()
    station.stop()
    assert station.record is None
    station.say("Spot, inspect the bench")
    station.stop()
    assert station.record is not None and station.record.state == "discarded"
    station.say(ERRAND)
    until(station, "planned")
    station.stop()
    assert until(station, "discarded").approved_by == ""
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    station.stop()
    assert station.record.state in ("stopped", "done")
    station.say(ERRAND)
    assert until(station, "planned").number == 4


def test_pause_stands_still_and_stop_ends_a_pause(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    until(station, "running")
    while station.now_s() < 1.0:
        time.sleep(0.01)
    station.pause()
    still = station.now_s()
    time.sleep(0.2)
    assert station.now_s() == still
    station.go_on()
    while station.now_s() < still + 1.0:
        time.sleep(0.01)
    station.pause()
    station.stop()
    assert until(station, "stopped").paused is False
    station.say(ERRAND)
    until(station, "planned")


def test_no_simulated_time_passes_once_a_pause_has_begun() -> None:
    class World:
        now_s, begun = 0.0, threading.Event()

        def advance(self, seconds: float) -> None:
            self.begun.set()
            time.sleep(0.1)
            self.now_s += seconds

    world, gate = World(), Gate()
    passing = threading.Thread(target=PacedClock(world, 1e6, gate).wait, args=(1.0,))  # type: ignore[arg-type]
    passing.start()
    assert world.begun.wait(60)
    gate.pause()
    assert world.now_s == 1.0
    passing.join()


def test_a_question_is_answered_by_a_candidate(make: Callable[..., Station]) -> None:
    station = make()
    record = station.say("Spot, inspect the bench and go to the plaza.")
    assert record.state == "draft" and record.answer is not None
    assert "O22" in record.answer.candidates
    with pytest.raises(Refused):
        station.choose("O7")
    chosen = station.choose("O23")
    assert chosen.goals is not None and "(safe O23)" in chosen.goals["spot"]
    station.say("Husky, inspect the tree nearest to the flag, and Spot, inspect the bench.")
    assert station.choose("O24").goals == {"husky": "(safe O7)", "spot": "(safe O24)"}


def test_discarded_and_replaced(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND)
    record = until(station, "planned")
    station.discard("ada")
    assert until(station, "discarded").reason == "ada discarded it"
    with pytest.raises(Refused):
        station.approve(record.number)
    station.say(ERRAND)
    assert until(station, "planned").number == record.number + 1
    assert station.say("Spot, go to the plaza.").number == record.number + 2
    assert until(station, "planned").goals is not None


def test_what_cannot_be_planned_fails_with_its_reason(make: Callable[..., Station]) -> None:
    station = make()
    record = station.say("Husky, bring the bag nearest to the flag to the path.")
    if record.state == "draft":
        assert record.reason
        return
    assert until(station, "failed").reason


def test_an_interrupted_mission_is_taken_up_again(
    make: Callable[..., Station], graph: SceneGraph, team: Team
) -> None:
    station = make()
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    name = until(station, "done").name
    folder = station.missions / name
    journal = folder / "events.jsonl"
    whole = journal.read_bytes()
    with pytest.raises(Refused, match="is done; only one that was interrupted"):
        make().reopen(folder, "bob")
    assert journal.read_bytes() == whole
    journal.write_bytes(whole[: len(whole) // 2])
    other = make()
    record = other.reopen(folder, "bob")
    assert record.state == "planned" and record.tasks
    other.approve(record.number, "bob")
    assert until(other, "done", "failed").state == "done"
    assert journal.read_bytes() == whole


def test_a_mission_that_ended_before_its_plan_is_planned_before_it_is_approved(
    make: Callable[..., Station],
) -> None:
    station = make()
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    folder = station.missions / until(station, "done").name
    journal = folder / "events.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    other = make()
    record = other.reopen(folder)
    assert record.tasks or record.state == "grounded"
    record = until(other, "planned")
    assert record.tasks and record.question
    other.approve(record.number)
    assert until(other, "done", "failed").state == "done"


def test_missions_of_real_robots_are_not_simulated(
    graph: SceneGraph, team: Team, tmp_path: Path, make: Callable[..., Station]
) -> None:
    folder = tmp_path / "missions" / "real"
    keep_world(folder, graph, team)
    journal = Journal(folder, header("real", {"husky": "(safe O7)"}, (), "", "spot", 0, ()))
    journal.close()
    station = make()
    with pytest.raises(RunError, match="begun on spot"):
        station.reopen(folder)
    assert station.record is None
    with pytest.raises(RunError, match="begun on spot"):
        station.reopen(folder)  # and the journal is free for others
    with pytest.raises(ConfigError, match="no such backend"):
        make_station(SCENE, None, GroundingSettings(), tmp_path, backend="sopt")


def test_all_see_every_change(make: Callable[..., Station]) -> None:
    station = make()
    seen: list[str] = []
    station.watch(lambda: seen.append("" if station.record is None else station.record.state))
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    until(station, "done")
    told = [state for state, _ in itertools.groupby(seen)]
    assert told == ["draft", "grounded", "planned", "approved", "running", "done"]


def test_without_a_team_nothing_is_told_to_anybody(graph: SceneGraph, tmp_path: Path) -> None:
    station = Station(graph, None, Grounder, tmp_path)
    with pytest.raises(Refused, match="--robots"):
        station.say(ERRAND)
    with pytest.raises(Refused):
        station.pause()
    assert replace(MissionRecord(1, "x")).over is False


def test_stop_is_pinned_where_the_panel_begins(make: Callable[..., Station]) -> None:
    pytest.importorskip("viser")
    with open_console(make(), port=0) as console:
        root = console.server.gui._container_handle_from_uuid["root"]
        first, second, *_ = sorted(root._children.values(), key=lambda handle: handle.order)
        assert "position:sticky" in first.content and second.label == "Stop"


def test_the_log_says_what_was_wanted_and_what_came_of_it(make: Callable[..., Station]) -> None:
    station = make()
    station.say("Spot, go to the plaza.")
    until(station, "planned")
    station.discard("ada", "its words are back in the box")
    assert until(station, "discarded").reason == "its words are back in the box"
    station.say(ERRAND)
    name = until(station, "planned").name
    assert next(iter(listed(station.missions))) == f"{name}: under way, “{ERRAND}”"
    station.approve(until(station, "planned").number)
    until(station, "done")
    assert listed(station.missions) == {f"{name}: done, “{ERRAND}”": name}


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("stop", "stop"),
        ("STOP!!", "stop"),
        ("Everybody stop now, please.", "stop"),
        ("Halt", "stop"),
        ("abort the mission", "stop"),
        ("Husky, freeze!", "stop"),
        ("stop, stop", "stop"),
        ("pause", "pause"),
        ("Husky and Spot, wait", "pause"),
        ("go on", "go on"),
        ("Continue, please.", "go on"),
        ("Spot, go on", ""),
        ("Don't stop", ""),
        ("Husky, stop at the flag", ""),
        ("stop and inspect the bench", ""),
        ("wait for Spot at the gate", ""),
        ("everybody", ""),
        ("oh no, stop it now", "stop"),
        ("ok, continue", "go on"),
        ("no, continue", ""),
    ],
)
def test_words_for_the_mission_itself(text: str, meant: str) -> None:
    assert control(text, ["husky", "spot"]) == meant


@pytest.mark.parametrize(
    ("meant", "texts"),
    [
        (
            "stop",
            "stop it; stopppp; No, stop; I told you to stop; can you please halt; cancel everything; "
            "Husky, stop moving; kill the motors; abort before it hits the wall; make them freeze; "
            "why don't you stop; they don't stop; Husky does not stop!; stop and inspect the bench; "
            "do not go there. Stop; stop, don't wait; don't stop Spot but stop Husky; "
            "no don't please stop; stop at once or he falls; you roll into the child stop; "
            "stop by the gate and then stop for good; Husky is at the bus stop and does not stop",
        ),
        (
            "pause",
            "do not move; don’t move; hold it; hang on; whoa; watch out, a child; no; Husky!; ¡alto!; stpo; "
            "Spot, do not go to the gate; nobody moves; somebody is in front of Spot; slow down; come back; "
            "that is the wrong bench; Husky, wait at the gate; inspect the bus stop; "
            "go to the gate and stop there; inspect the bench, but do not touch it; \N{OCTAGONAL SIGN}; !!!; "
            "?; Husky, wait at the bus stop; photograph the stop sign; Spot, stop by the gate; "
            "park at the stop; great, that was the fence; yes, a boy is in its way; "
            "look, go around the child; Danger! Move to the gate; a boy is at the gate, go around him; "
            "Spot, move back to me; inspect the bench, there is a boy on it; "
            "put an end to this; bring it to a standstill; take a break, Spot; look, he is hit; "
            "Spot, go back; inspect it; do not stop now but wait for the boy; go away from him; "
            "where is Spot going?!; why is Spot there?; what is Spot doing in the pond?; is he hurt?",
        ),
        (
            "",
            "do not stop; Spot, don't stop now!; please never stop; don’t wait; Spot, go on; thanks; "
            "Husky, inspect the bench, the bin and the flag; Then, Spot, go to the plaza; "
            "could you bring the bag to the gate; don't stop at the gate; thanks, Husky!; "
            "when that is done, go to the plaza; yes, Spot, photograph the bench; never stop, go on; "
            "Spot, inspect O7; explore R4, please; Husky! Inspect the bench, please; "
            "don´t stop; don`t stop now; what is Spot doing?; where are they now?; are you done yet?; "
            "How much battery has Husky left?",
        ),
        ("go on", "go on; keep going; go ahead; carry on, please"),
    ],
)
def test_while_robots_drive_only_an_instruction_or_going_on_lets_them(
    meant: str, texts: str
) -> None:
    found = {text: called(text, ["husky", "spot"]) for text in texts.split("; ")}
    assert found == dict.fromkeys(found, meant)
    assert called(" \n", ["husky"]) == ""
    assert called("never stop " * 2000) == ""


def test_who_asks_what_robots_do_is_told_while_they_drive_on(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    number = station.say("What is Spot doing?", "bob").number
    record = station.record
    assert record is not None and record.number == number and not record.paused
    assert station.joining is None
    assert (
        re.match(r"(spot|husky): ", station.events[-1].text)
        and "battery" in station.events[-1].text
    )
    station.stop("ada")


def test_what_is_said_to_the_mission_under_way_is_done(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    with pytest.raises(Refused, match="stand still"):
        station.say("stop")
    heard: list[str] = []
    station.minutes.herald = heard.append
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "bob")
    until(station, "running")
    assert station.say("Wait!", "bob").paused
    assert not station.say("go on", "ada").paused
    station.say("everybody stop", "bob")
    record = until(station, "stopped")
    assert record.reason == "bob said “everybody stop”" and record.text == ERRAND
    did = (
        "bob approves",
        "bob pauses, saying “Wait!”",
        "ada goes on, saying “go on”",
        "bob stops all robots, saying “everybody stop”",
    )
    assert heard == [f"mission 1: {done}" for done in did]
    assert station.drive is None or station.drive.wait(60)
    lines = explain_mission(station.missions / record.name)
    who = [line.partition("  ")[2] for line in lines if line.startswith("20")]
    assert who[0] == f"ada says: {ERRAND}"
    assert tuple(who[1:]) == did
    order = [next(k for k, line in enumerate(lines) if word in line) for word in
             ("ada says", "the plan:", "bob approves", "the operator says yes", "bob stops")]  # fmt: skip
    assert order == sorted(order)


def test_what_may_be_a_call_to_stop_holds_robots_up_and_what_is_refused_is_noted(
    make: Callable[..., Station],
) -> None:
    station = make(SLOW)
    heard: list[str] = []
    station.minutes.herald = heard.append
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    assert station.say("watch out!", "bob").paused
    asked = [event.text for event in station.events if event.kind == "question"]
    assert "“watch out!” is not understood, and nothing of it is kept to" in asked[-1]
    still = station.now_s()
    time.sleep(0.2)
    assert station.now_s() == still
    station.say("Spot, go to the plaza.", "ada")
    with pytest.raises(Refused, match="a plan is made with"):
        station.say("Husky, go to the plaza.", "bob")
    station.say("careful", "bob")
    station.go_on("ada")
    assert station.say("oh no, stop it", "bob").state == "stopped"
    expected = [
        "bob pauses, saying “watch out!” (“go on” ends it)",
        "ada says: Spot, go to the plaza.",
        "bob says “Husky, go to the plaza.”, which is refused: a plan is made with “Spot, go to the plaza.”; "
        "wait for that",
        "bob says “careful”: all robots stand already",
        "ada goes on",
    ]
    told = [event.text for event in station.events]
    assert [line for line in told if line in expected] == expected
    done = [*expected, "bob stops all robots, saying “oh no, stop it”"]
    assert heard[1:] == [f"mission 1: {line}" for line in done]
    assert station.drive is None or station.drive.wait(60)
    assert station.record is not None
    lines = explain_mission(station.missions / station.record.name)
    assert [line.partition("  ")[2] for line in lines if line.startswith("20")][2:] == done


@pytest.mark.parametrize("paused", [False, True], ids=["in mid drive", "in a pause"])
def test_a_ban_holds_robots_up_and_joins_what_they_do(
    make: Callable[..., Station], paused: bool
) -> None:
    station = make(SLOW)
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    if paused:
        station.pause("ada")
    draft = station.say("Husky, do not go into the plaza.", "bob")
    assert station.record is not None and station.record.paused
    assert draft is station.joining and draft.state == "grounded"
    assert draft.goals is not None and "(not (visited-region" in draft.goals["husky"]
    station.go_on("ada")
    assert "Take it in?" in until_besides(station, "planned").question
    station.stop("ada")


def test_a_draft_that_words_discard_is_discarded_by_them(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND)
    until(station, "planned")
    with pytest.raises(Refused, match="nobody has approved"):
        station.say("go ahead", "bob")
    told = len(station.events)
    with pytest.raises(Refused, match="say what"):
        station.say(" ", "bob")
    assert len(station.events) == told
    station.say("freeze", "bob")
    assert until(station, "discarded").reason == "bob discarded it, saying “freeze”"


def test_stop_is_noted_where_robots_stand_before_it_is(
    make: Callable[..., Station], monkeypatch: pytest.MonkeyPatch
) -> None:
    station = make(SLOW)
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    drive = station.drive
    assert drive is not None
    stop = drive.stop

    def at_once(why: str) -> None:
        stop(why)
        until(station, "stopped")

    monkeypatch.setattr(drive, "stop", at_once)
    station.stop("bob")
    record = station.record
    assert record is not None and record.reason == "bob pressed Stop"
    assert any(
        "bob presses Stop" in line for line in explain_mission(station.missions / record.name)
    )


def test_who_replaces_the_draft_of_another_is_told_to_both(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND, "ada")
    first = until(station, "planned")
    station.say("Spot, go to the plaza.", "bob")
    told = "bob replaces mission 1 of ada"
    assert until(station, "planned").reason == told
    assert told in [event.text for event in station.events]
    assert any(told in line for line in explain_mission(station.missions / first.name))
    station.discard("bob", "bob edits it: its words are back in the box")
    assert "bob edits it: its words are back in the box" in [e.text for e in station.events]
    station.say(ERRAND, "ada")
    until(station, "planned")
    station.say("Spot, go to the plaza.", "ada")
    assert until(station, "planned").reason == "", "who replaces the own is not told above the plan"


def test_who_looked_at_another_plan_approves_nothing(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND, "ada")
    first = until(station, "planned")
    station.say("Spot, go to the plaza.", "bob")
    second = until(station, "planned")
    for late in (
        lambda: station.approve(first.number, "ada", plans=first.plans),
        lambda: station.discard("ada", number=first.number),
        lambda: station.choose("O7", "ada", number=first.number),
    ):
        with pytest.raises(Refused, match="another mission is shown by now"):
            late()
    with pytest.raises(Refused, match="bob replaces mission 1 of ada, by “Spot, go to the plaza.”"):
        station.approve(second.number, "ada", plans=second.plans)
    assert until(station, "planned").number == second.number, "who replaced it saw it come"
    station.approve(second.number, "ada", plans=second.plans)
    assert until(station, "done").approved_by == "ada"


def test_a_press_is_about_what_the_page_showed_when_its_button_was_drawn() -> None:
    did: list[object] = []

    class Stand:
        def __getattr__(self, name: str) -> Callable[..., None]:
            return lambda *args, **more: did.append((name, args, more))

    buttons: dict[str, Callable[[str], object]] = {}
    hidden: list[str] = []

    def add(label: str, act: Callable[[str], object], **look: object) -> object:
        buttons[label] = act
        return type("B", (), {"__setattr__": lambda self, key, value: hidden.append(label)})()

    offers = Offers(contextlib.nullcontext(), add, Stand(), lambda who, number: None, (1.0, 2.0))
    offers.show(face_of(one := MissionRecord(1, "x", "planned", plans=1), one, []))
    early = buttons["Approve"]
    offers.show(face_of(one := MissionRecord(2, "y", "planned", plans=1), one, []))
    assert "Approve" in hidden
    early("ada")
    buttons["Approve"]("bob")
    assert did == [("approve", (1, "ada"), {"plans": 1}), ("approve", (2, "bob"), {"plans": 1})]
    offers.show(
        face_of(one := MissionRecord(2, "y", "running", plans=1, question="Go on?"), one, [])
    )
    buttons["Yes, go on"]("bob")
    assert did[-1] == ("answer", (True, "bob"), {"question": "Go on?"})


def test_what_nobody_can_do_is_asked_before_there_is_a_plan_to_approve(
    make: Callable[..., Station],
) -> None:
    station = make()
    station.say("Spot, inspect O7 and O0. Neither of you may enter the main street.", "ada")
    deadline = time.monotonic() + 60
    while not (record := station.record).asks:  # type: ignore[union-attr]
        assert time.monotonic() < deadline and record is not None and record.state == "grounded"
        time.sleep(0.01)
    assert face_of(record, record, []).state != "planned"
    shown = words.asked(record, station.graph)
    assert "the tree (O0)" in shown and "Go on with what is possible?" in shown
    station.say("yes", "bob")
    record = until(station, "planned")
    assert {task.thing for task in record.tasks} == {"O7"}
    station.discard("ada", number=record.number)
    drive = station.drive
    assert drive is None or drive.wait(60)
    assert not any("not done" in event.text or "kept to" in event.text for event in station.events)


def test_a_question_that_is_answered_is_not_replaced(make: Callable[..., Station]) -> None:
    station = make()
    station.say("Spot, inspect the bench and go to the plaza.", "ada")
    station.choose("O23", "bob")
    until(station, "planned")
    assert not any("replaces" in event.text for event in station.events)


def test_the_log_has_missions_of_other_programs_the_newest_first(
    make: Callable[..., Station], tmp_path: Path, graph: SceneGraph, team: Team
) -> None:
    missions = make().missions
    for name in ("zoo", "ant"):
        keep_world(missions / name, graph, team)
        first = header(name, {"husky": "(safe O7)"}, (), f"by {name}", "sim", 0, ())
        Journal(missions / name, first).close()
        os.utime(missions / name / "events.jsonl", ns=(0, 10**9 * len(listed(missions))))
    assert list(listed(missions).values()) == ["ant", "zoo"]
    going = Journal(missions / "zoo")
    try:
        assert "zoo: under way, “by zoo”" in listed(missions)
    finally:
        going.close()
    assert "zoo: interrupted, “by zoo”" in listed(missions)


def test_what_is_set_up_wrongly_is_no_mission(
    graph: SceneGraph, tmp_path: Path, make: Callable[..., Station]
) -> None:
    pytest.importorskip("websockets")
    (tmp_path / "real.yaml").write_text(
        ROBOTS.replace("speed_mps: 1.5", "adapter: {address: 'ws://127.0.0.1:9'}").replace(
            "  spot", "  # spot"
        )
    )
    team = load_team(tmp_path / "real.yaml")
    station = Station(graph, team, Grounder, tmp_path / "missions", backend="nav2")
    assert station.status()["robots"] == {"husky": {"position": None, "why": "not heard yet"}}
    assert "not heard yet" in words.team({}, ["husky"], heard=station.heard)
    record = station.say(ERRAND)
    assert (
        record.state == "draft" and "husky: ws://127.0.0.1:9: it cannot be reached" in record.reason
    )
    assert not (tmp_path / "missions").exists()
    station.close()
    (tmp_path / "real.yaml").write_text(
        (tmp_path / "real.yaml").read_text().replace("ws://", "http://")
    )
    with pytest.raises(ConfigError, match=r"real.yaml:3: 'address': write ws://"):
        make_station(SCENE, tmp_path / "real.yaml", GroundingSettings(), tmp_path, backend="nav2")


def test_other_programs_may_read_how_things_stand_and_do_nothing(
    make: Callable[..., Station],
) -> None:
    pytest.importorskip("viser")
    station = make()
    station.say(ERRAND, "ada")
    until(station, "planned")
    with open_console(station, port=0) as console:

        def ask(method: str, **headers: str) -> tuple[int, str, bytes]:
            link = http.client.HTTPConnection("127.0.0.1", console.address.port, timeout=60)
            link.request(method, "/status.json", b"" if method == "GET" else b"x" * 9, headers)
            answer = link.getresponse()
            return answer.status, answer.headers.get("Allow", ""), answer.read()

        code, _, body = ask("GET")
        told = json.loads(body)
        assert code == 200 and told["mission"]["state"] == "planned"
        assert told["mission"]["by"] == "ada" and told["map"]["objects"] > 0
        assert set(told["robots"]) == {"spot", "husky"}
        assert told["missions"] == [told["mission"]["name"]]
        for method in ("POST", "PUT", "DELETE", "HEAD"):
            assert ask(method) == (405, "GET", b"")
        assert ask("GET", Host="evil.example")[0] == 403


def test_what_is_done_in_part_is_called_so_everywhere(make: Callable[..., Station]) -> None:
    station = make(SLOW)
    station.say(ERRAND, "ada")
    station.approve(until(station, "planned").number, "ada")
    until(station, "running")
    conduct, drive = station.launcher._conduct, station.drive
    assert conduct is not None and drive is not None
    conduct.ended(End("partly", "husky, inspect O7: it is not there"))
    drive.stop("the test has seen enough")
    assert drive.wait(60.0)
    assert station.status()["mission"]["state"] == "partly"
    assert 'data-state="partly"' in words.status(station.record, 0.0, 2)


def test_a_slow_disk_holds_up_nobody_but_who_asks_for_the_log(
    make: Callable[..., Station], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("viser")
    station, read, going = make(), [], threading.Event()

    def slowly(missions: Path) -> dict[str, str]:
        read.append(missions)
        going.wait(60)
        return {}

    monkeypatch.setattr(standing_module, "listed", slowly)
    with open_console(station, port=0) as console, ThreadPoolExecutor(5) as pool:

        def ask(path: str) -> tuple[int, bytes]:
            link = http.client.HTTPConnection("127.0.0.1", console.address.port, timeout=60)
            link.request("GET", path)
            answer = link.getresponse()
            return answer.status, answer.read()

        asked = [pool.submit(ask, "/status.json") for _ in range(4)]
        while not read:
            time.sleep(0.01)
        assert ask("/")[0] == 200, "the page comes"
        time.sleep(0.2)
        assert not any(one.done() for one in asked) and len(read) == 1
        going.set()
        told = {one.result() for one in asked}
        assert {code for code, _ in told} == {200}
        assert len(read) <= 2, "who asked meanwhile got what was read"


def test_a_plan_is_not_said_to_be_driven() -> None:
    way = ((0.0, 0.0, 0.0), (3.0, 4.0, 0.0))
    task = Task("one", "husky", "goto", "O7", way, start_s=0.0, end_s=5.0)
    shown = words.timeline(MissionRecord(1, "x", "running", tasks=(task,)), ["husky"], {}, 1.0)
    assert "5 m and about 5 s planned in all" in shown and "driven" not in shown


def test_long_instructions_are_shown_in_short() -> None:
    shown = words.status(MissionRecord(1, "go on " * 200), -1.0, 2).partition("“")[2]
    assert len(shown) < 300 and "…" in shown
    assert len(words.events([Event(-1.0, "go on " * 200)])) < 600


def test_a_memory_that_is_not_there_is_told_at_the_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["console", str(SCENE), "--memory", str(tmp_path / "none.db")]) != 0
    told = capsys.readouterr().err
    assert "memory init" in told and "--domain" in told and "--facts" in told


def test_what_came_of_each_goal_is_told_at_the_end(make: Callable[..., Station]) -> None:
    station = make()
    station.say(ERRAND)
    station.approve(until(station, "planned").number)
    assert until(station, "done").reason == ""
    told = [e.text for e in station.events if "inspect O7" in e.text]
    assert told[-1].startswith("husky, “inspect O7”: done at ")
