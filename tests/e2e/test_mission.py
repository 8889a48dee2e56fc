"""The mission command: carried out, killed and resumed to the same bytes, replayed, explained, refused."""

from __future__ import annotations

import io
import json
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from commonground.cli.main import run
from commonground.live import explain_mission
from commonground.planning.behavior import parse_tree

SCENE = Path(__file__).resolve().parents[2] / "commonground/data/courtyard.json"
ROBOTS = """robots:
  spot: {pose: [6, 30, 0, 0], capabilities: [goto, inspect, pick, place]}
  husky: {pose: [60, 20, 0, 3.1], capabilities: [goto, inspect], speed_mps: 1.5}
"""
FAULTS = "faults: [{kind: grasp, robot: spot, times: 1}, {kind: slow, robot: husky, at_s: 4}]\n"
TEXT = "Husky, inspect the tree nearest to the flag, and Spot, bring the bag nearest to the flag to the path."


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("robots.yaml").write_text(ROBOTS)
    Path("faults.yaml").write_text(FAULTS)
    return tmp_path


def mission(*more: str) -> int:
    return run(["mission", str(SCENE), *more, "--robots", "robots.yaml"])


def test_a_killed_mission_goes_on_to_the_same_end(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mission(TEXT, "--yes", "--id", "one", "--faults", "faults.yaml") == 0
    said = capsys.readouterr().out
    assert "spot: place" in said and "done after" in said
    journal = here / "runs/missions/one/events.jsonl"
    whole = journal.read_bytes()
    for share in (0.2, 0.6, 0.95):
        journal.write_bytes(whole[: int(len(whole) * share)])
        assert run(["mission", "--resume", "one", "--yes"]) == 0
        assert journal.read_bytes() == whole
    assert run(["mission", "--replay", "one"]) == 0
    capsys.readouterr()
    assert run(["mission", "--explain", "one"]) == 0
    said = capsys.readouterr().out
    assert "it tries again" in said and "over: done" in said
    assert mission(TEXT, "--yes", "--id", "one") == 1, "a name is used once"
    capsys.readouterr()
    assert run(["mission", "--tree", "one"]) == 0
    printed = capsys.readouterr()
    assert parse_tree(printed.out).parts() and "tree.xml" in printed.err
    tree = parse_tree((here / "runs/missions/one/tree.xml").read_text())
    assert {part.name for part in tree.parts()} == {"spot", "husky"}


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["x", "--backend", "spt"], 1, "no such backend"),
        (["--goal", "spot=(safe O1)", "--yes", "--id", "../../x"], 1, "is no name"),
        (["--goal", "rex=(safe O1)"], 1, "unknown robot 'rex'"),
        (["--goal", "spot=(safe O999)"], 1, "no object O999"),
        (["--goal", "spot=(safe O1)", "--faults", "bad.yaml"], 1, "kind"),
        (["--goal", "spot=(safe O1)", "--faults", "nowhere.yaml"], 1, "needs position"),
        (["--goal", "rex=(safe O1)", "--faults", "ghost.yaml"], 1, "unknown robot 'rex'"),
        (["--goal", "spot=(safe O1)", "--faults", "ghost.yaml"], 1, "no robot rex"),
        (["--goal", "spot=(and (safe O1) (not (safe O1)))", "--yes"], 1, "contradicts itself"),
        (["--goal", "spot=(safe O1)", "--yes", "--memory", "no.db"], 1, "there is no memory"),
        (["gibberish gabberish", "--yes"], 3, "No robot here can do"),
        (["Spot, inspect the tree", "--yes"], 3, "Say it again with the one that is meant"),
    ],
)
def test_bad_input_is_told_in_a_line(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, words: str
) -> None:
    Path("bad.yaml").write_text("faults: [{kind: meteor}]\n")
    Path("ghost.yaml").write_text("faults: [{kind: stuck, robot: rex}]\n")
    Path("nowhere.yaml").write_text("faults: [{kind: blocked, robot: spot}]\n")
    assert mission(*arguments) == code
    captured = capsys.readouterr()
    assert words in captured.err and captured.err.count("\n") == 1
    assert not Path("runs").exists(), "nothing began"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([str(SCENE), "Spot, inspect the flag", "--goal", "spot=(safe O1)"], "either an"),
        (["--resume", "one", "--backend", "nav2"], "--backend: not with --resume"),
        (["--resume", "one", "--faults", "faults.yaml"], "--faults: not with --resume"),
        (["--resume", "one", "--tree", "one"], "--resume and --tree"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    assert run(["mission", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_nobody_at_the_terminal_is_no_interruption(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert mission("--goal", "spot=(safe O1)") == 1
    assert "nobody answers" in capsys.readouterr().err
    assert not list(Path("runs/missions").iterdir()), "nobody answered: that is no mission"


@pytest.mark.parametrize(
    ("answers", "code"), [("y\n", 0), ("maybe\nYES\n", 0), ("n\n", 3), ("\n", 3), ("Stop!\n", 3)]
)
def test_a_plan_is_approved_by_yes_and_nothing_else(
    here: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    answers: str,
    code: int,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    assert mission("--goal", "spot=(visited-object O1)", "--id", "one") == code
    capsys.readouterr()
    assert run(["mission", "--explain", "one"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"\S+@\S+ wants spot: go to O1", said)
    assert bool(re.search(r"\S+@\S+ says yes", said)) == (code == 0)
    assert run(["mission", "--resume", "one", "--yes"]) == code
    capsys.readouterr()
    assert run(["mission", "--explain", "one"]) == 0
    assert capsys.readouterr().out == said, "it had ended: nobody took anything up"


def test_stop_where_nothing_is_under_way_is_no_instruction(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mission("everybody stop", "--yes") == 1
    assert "Ctrl-C" in capsys.readouterr().err and not Path("runs").exists()


def test_what_came_of_a_mission_is_written_where_it_is_wanted(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = ["--goal", "spot=(visited-object O1)", "--yes", "--id", "one", "--json"]
    for nowhere in (".", "robots.yaml/of.json"):
        assert mission(*wanted, "--out", nowhere) == 2, "before anything is driven"
    assert not Path("runs").exists()
    capsys.readouterr()
    assert mission(*wanted, "--out", "came/of.json") == 0
    printed = capsys.readouterr().out
    written = json.loads(Path("came/of.json").read_text())
    assert written == json.loads(printed) and written["status"] == "done"
    assert run(["mission", "--resume", "one", "--out", "again.json"]) == 0
    assert json.loads(Path("again.json").read_text())["ended_before"]
    assert run(["mission", "--explain", "one", "--out", "again.json"]) == 2


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_mission_tells_how_robots_stand_and_notes_it(
    here: Path, sent: signal.Signals
) -> None:
    command = [sys.executable, "-m", "commonground", "mission", str(SCENE), "--yes"]
    command += ["--robots", "robots.yaml", "--goal", "spot=(safe O1)", "--pace", "2", "--id", "one"]
    journal = here / "runs/missions/one/events.jsonl"
    heard = partial(signal.signal, sent, signal.SIG_DFL)  # nohup has it ignored
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=heard
    ) as program:
        until_s = time.monotonic() + 120
        while not journal.exists() or '"do"' not in journal.read_text():
            assert time.monotonic() < until_s and program.poll() is None
            time.sleep(0.05)
        program.send_signal(sent)
        told, _ = program.communicate(timeout=120)
    assert program.returncode == 130
    assert re.search(r"spot stands at \(.*; husky stands at \(60.0, 20.0\)", told)
    assert "--resume one" in told
    last = list(explain_mission(journal.parent))[-1]
    assert re.search(r"\S+@\S+ \(--yes\) interrupts it; spot stands at ", last)
    assert run(["mission", "--resume", "one", "--yes"]) == 0


def test_what_is_missing_or_changed_is_told(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mission", "--resume", "nobody"]) == 1
    assert "no mission of that name" in capsys.readouterr().err
    assert mission("--goal", "spot=(visited-object O1)", "--yes", "--id", "two") == 0
    file = here / "runs/missions/two/events.jsonl"
    file.write_text(file.read_text().replace('"status": "done"', '"status": "failed"'))
    assert run(["mission", "--replay", "two"]) == 1
    assert "decided otherwise" in capsys.readouterr().err
    whole = file.read_text()
    file.write_text(whole.replace('"backend": "sim"', '"backend": "warp"'))
    assert run(["mission", "--resume", "two", "--yes"]) == 1
    assert "'backend': has to be one of sim, nav2, spot" in capsys.readouterr().err
    file.write_text(whole.partition("\n")[2])
    assert run(["mission", "--resume", "two", "--yes"]) == 1
    assert "not the begin of a mission" in capsys.readouterr().err
    file.write_text("")
    assert run(["mission", "--resume", "two", "--yes"]) == 1
    assert "never began" in capsys.readouterr().err


def test_ctrl_c_says_how_to_go_on(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("commonground.live.terminal.Terminal._answer", interrupted)
    assert mission("--goal", "spot=(visited-object O1)") == 130
    (folder,) = Path("runs/missions").iterdir()
    assert f"commonground mission --resume {folder.name} goes on" in capsys.readouterr().err
    assert run(["mission", "--resume", folder.name, "--yes"]) == 0
    assert "ended before" not in capsys.readouterr().out
    assert run(["mission", "--resume", folder.name, "--yes"]) == 0
    assert "ended before, and nothing was driven" in capsys.readouterr().out


def test_a_mission_without_steps_is_explained_as_one(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mission("--goal", "spot=(visited-object O1)", "--yes", "--id", "one") == 0
    file = here / "runs/missions/one/events.jsonl"
    first, *_ = file.read_text().splitlines(keepends=True)
    capsys.readouterr()
    file.write_text(first)
    assert run(["mission", "--explain", "one"]) == 0
    assert "before its first step" in capsys.readouterr().out
    file.write_text("")
    assert run(["mission", "--explain", "one"]) == 1
    assert "never began" in capsys.readouterr().err


def test_random_missions_are_held_against_the_world(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["eval", "missions", "--missions", "3", "--places", "120", "--json"]) == 0
    import json

    answer = json.loads(capsys.readouterr().out)
    assert answer["summary"]["missions"] == 3 == answer["summary"]["honest"]
    assert answer["spread"]["missions"] == 3 and answer["spread"]["plans"]["least"] >= 1
    assert answer["summary"]["violations"] == 0
