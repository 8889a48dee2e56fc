"""Words for a mission under way: read with those before them, and left for it by another program."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from commonground.cli.main import run
from commonground.demo import sample_scene
from commonground.grounding.answers import Grounding
from commonground.live import Carried, Desk, begin_mission, explain_mission, replay_mission
from commonground.live.folders import LETTER, forget_letters
from commonground.live.joining import besides, leave, said, taken
from commonground.planning.mission.belief import SceneBelief
from commonground.planning.mission.events import Join, StopPressed
from commonground.planning.mission.journal import FILE, read_steps
from commonground.planning.mission.mission import Mission
from commonground.planning.scene.precedence import Before, Step
from commonground.scene import save_scene
from tests.planning.mission.scenes import grid, team

ROBOTS = """
robots:
  spot: {pose: [6, 30, 0, 0], capabilities: [goto, inspect, pick, place]}
  husky: {pose: [60, 20, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
"""
BAN = "(not (visited-object O2))"


def under_way(goals: Mapping[str, str]) -> Mission:
    return Mission(SceneBelief.of(grid(), team(anna=(0, 0), bert=(6, 3)), goals))


def reading(
    whole: Grounding, heard: list[tuple[str, tuple[str, ...]]]
) -> Callable[[str, Sequence[str]], Grounding]:
    def read(text: str, chosen: Sequence[str]) -> Grounding:
        heard.append((text, tuple(chosen)))
        return whole

    return read


def test_all_words_are_read_at_once() -> None:
    heard: list[tuple[str, tuple[str, ...]]] = []
    pair = Before(Step("anna", "(safe O0)"), Step("bert", "(at-object O3)"))
    goals = {"anna": f"(and (safe O0) {BAN})", "bert": f"(and (at-object O3) {BAN})"}
    both = Grounding("ok", goals, "", order=(pair,))
    found = Grounding("ok", {"bert": "(visited-object O3)"}, "")
    mission = under_way({"anna": f"(and (safe O0) {BAN})"})
    first = said("Nobody passes the box. Anna, look at that one", ["O0"])
    more = besides(found, "Then go there, Bert", first, mission, reading(both, heard))
    assert heard == [
        ("Nobody passes the box. Anna, look at that one. Then go there, Bert.", ("O0",))
    ]
    assert more.goals == {"bert": f"(and (at-object O3) {BAN})"}
    assert more.order == (pair,), "what comes then comes after what was said first"


def test_where_all_words_cannot_be_read_all_bans_bind() -> None:
    mission = under_way({"anna": f"(and (safe O0) {BAN})"})
    found = Grounding("ok", {"bert": "(safe O3)"}, "")
    asked = Grounding("clarify", None, "Which?")
    more = besides(found, "Bert, look", "Anna, look", mission, reading(asked, []))
    assert more.goals == {"bert": f"(and (safe O3) {BAN})"} and more.order == ()
    plain = Grounding("ok", {"anna": f"(and (safe O0) {BAN})", "bert": "(safe O3)"}, "")
    more = besides(found, "Bert, look", "Anna, look", mission, reading(plain, []))
    assert more.goals == {"bert": "(safe O3)"}, "it was said to anna"
    more = besides(found, "Bert, look", "", mission, reading(asked, []))
    assert more.goals == {"bert": "(safe O3)"}, "goals are for whom they name"
    heard: list[tuple[str, tuple[str, ...]]] = []
    both = Grounding("ok", {"bert": f"(and (safe O3) {BAN})"}, "")
    mission.joined.append(Join("Nobody passes the box", "ada", {"anna": BAN}))
    more = besides(found, "Bert, look", "", mission, reading(both, heard))
    assert heard == [("Nobody passes the box. Bert, look.", ())]
    assert more.goals == {"bert": f"(and (safe O3) {BAN})"}, "what was said since is said to all"


def test_an_order_of_new_words_stays() -> None:
    pair = Before(Step("bert", "(safe O3)"), Step("bert", "(safe O1)"))
    found = Grounding("ok", {"bert": "(and (safe O3) (safe O1))"}, "", order=(pair,))
    mission = under_way({"anna": "(safe O0)"})
    for both in (found, Grounding("clarify", None, "Which?")):
        assert besides(found, "b", "a", mission, reading(both, [])).order == (pair,)


def test_a_letter_is_taken_once_and_what_is_none_ends_nothing(tmp_path: Path) -> None:
    more = Join("look there", "ada", {"bert": "(safe O3)"})
    assert taken(tmp_path) is None
    leave(tmp_path, more)
    leave(tmp_path, later := Join("look here", "bob", {"bert": "(safe O1)"}))
    assert [taken(tmp_path), taken(tmp_path), taken(tmp_path)] == [more, later, None]
    for spoiled in ("{", json.dumps({"kind": "answered", "yes": True}), "[]"):
        (tmp_path / LETTER.replace("*", "1")).write_text(spoiled)
        assert taken(tmp_path) is None and not any(tmp_path.glob(LETTER))


def test_what_is_no_letter_keeps_no_other_words_back(tmp_path: Path) -> None:
    (tmp_path / LETTER.replace("*", "0")).mkdir()
    with (tmp_path / LETTER.replace("*", "00")).open("wb") as file:
        file.truncate(1 << 40)  # larger than is read
    leave(tmp_path, more := Join("look there", "ada", {"bert": "(safe O3)"}))
    assert [taken(tmp_path), taken(tmp_path)] == [more, None]
    assert [file.is_dir() for file in tmp_path.glob(LETTER)] == [True]
    forget_letters(tmp_path)  # and no mission fails for what is left


LEAVING = """
import sys
from pathlib import Path
from commonground.live.joining import leave
from commonground.planning.mission.events import Join
folder, name = Path(sys.argv[1]), sys.argv[2]
(folder / f"ready-{name}").touch()
while len(list(folder.glob("ready-*"))) < 2:
    pass
for k in range(20):
    leave(folder, Join(f"{name} {k}", name, {"bert": "(safe O3)"}))
"""


def test_words_that_two_programs_leave_at_once_are_all_taken(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LEAVING, str(tmp_path)]
    both = [subprocess.Popen([*command, name]) for name in ("ada", "bob")]
    found: list[Join] = []
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        ended = all(one.poll() is not None for one in both)
        more = taken(tmp_path)
        if more is not None:
            found.append(more)
        elif ended:
            break
    assert [one.wait() for one in both] == [0, 0]
    for name in ("ada", "bob"):
        assert [one.text for one in found if one.by == name] == [f"{name} {k}" for k in range(20)]


@pytest.mark.parametrize("option", ["--join", "--resume", "--replay", "--explain", "--tree"])
def test_a_mission_without_a_name_is_asked_for(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["mission", option, "", "Spot, inspect the flag."]) == 2
    assert f"{option}: it is empty" in capsys.readouterr().err


def test_words_that_say_nothing_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for empty in ("", " "):
        assert run(["mission", "--join", "some-run", empty]) == 2
        assert "say what is wanted besides" in capsys.readouterr().err


def test_a_stop_said_to_a_question_ends_the_mission_and_is_no_answer(tmp_path: Path) -> None:
    save_scene(sample_scene(), tmp_path / "map.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    stop = StopPressed("the operator said “stop”")
    folder = tmp_path / "run"
    desk = Desk("ada", lambda question: stop, lambda line: None)
    files = (tmp_path / "map.json", tmp_path / "robots.yaml")
    carried = begin_mission(folder, *files, {"husky": "(safe O7)"}, desk)
    assert (carried.end.status, carried.end.reason) == ("stopped", stop.why)
    assert any("ada says stop" in line for line in explain_mission(folder))
    assert replay_mission(folder) == len(list(read_steps(folder)))


def test_another_program_wants_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_scene(sample_scene(), tmp_path / "map.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    folder, asked, came = tmp_path / "run", list[str](), list[Carried]()

    def carry_out() -> None:
        def answer(question: str) -> bool:
            asked.append(question)
            return len(asked) != 2  # the first words that come are not approved

        desk = Desk("ada", answer, lambda line: None)
        goals = {"husky": "(safe O7)"}
        files = (tmp_path / "map.json", tmp_path / "robots.yaml")
        text = "Husky, inspect the tree nearest to the flag."
        came.append(begin_mission(folder, *files, goals, desk, text=text, pace=4.0))

    def journal() -> str:
        return (folder / FILE).read_text() if (folder / FILE).exists() else ""

    def until(true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 120
        while not true():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    thread = threading.Thread(target=carry_out)
    thread.start()
    until(lambda: '"kind": "do"' in journal())
    assert run(["mission", "--join", str(folder), "Spot, inspect the bicycle."]) == 3
    assert "O34" in capsys.readouterr().err and not any(folder.glob(LETTER))
    for call, held in (("Spot, wait.", "stand"), ("gas leak, keep out!", "stand"), ("go on", "go")):
        assert run(["mission", "--join", str(folder), call]) == 0
        assert held in capsys.readouterr().out
    assert run(["mission", "--join", str(folder), "Spot, inspect the flag."]) == 3
    assert "is not taken in: it was not approved" in capsys.readouterr().err
    assert run(["mission", "--join", str(folder), "Spot, inspect the flag."]) == 0
    assert "it is taken in" in capsys.readouterr().out
    thread.join(120)
    assert came[0].end.status == "done"
    assert "spot: inspect O38" in came[0].done
    assert "Spot, inspect the flag." in asked[1] and "spot shall inspect the flag (O38)" in asked[1]
    told = explain_mission(folder)
    assert any("says “Spot, inspect the flag.”" in line for line in told)
    for does in (
        "pauses, saying “Spot, wait.”",
        "“gas leak, keep out!” is not understood",
        "goes on",
    ):
        assert any(does in line for line in told)
    assert replay_mission(folder) == len(list(read_steps(folder)))
    assert run(["mission", "--join", str(folder), "Spot, inspect the flag."]) == 1
    assert "it is over (done)" in capsys.readouterr().err


def test_what_was_left_for_an_interrupted_mission_is_no_longer_meant(tmp_path: Path) -> None:
    save_scene(sample_scene(), tmp_path / "map.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    folder = tmp_path / "run"
    folder.mkdir()
    leave(folder, Join("look there", "ada", {"spot": "(safe O38)"}))
    desk = Desk("ada", lambda question: True, lambda line: None)
    files = (tmp_path / "map.json", tmp_path / "robots.yaml")
    carried = begin_mission(folder, *files, {"husky": "(safe O7)"}, desk)
    assert carried.end.status == "done" and len(carried.end.accounts) == 1
