"""A share of the attacks and kills of tools/attack; the whole of them is a command each."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_hostile_files_and_words_break_nothing(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tools.attack", "--count", "1000", "--slice", "5/100"]
    more = ["--kinds", "scene,settings,pddl,house,memory", "--wait-s", "300", "--work", tmp_path]
    ended = subprocess.run([*call, *map(str, more)], capture_output=True, text=True, cwd=ROOT)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "10 attacks, 0 broke something" in ended.stdout


def test_killed_commands_lose_nothing_and_end_the_same(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tools.attack.kills", "--kills", "4", "--only", "memory,solve"]
    ended = subprocess.run(
        [*call, "--work", str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert [line.split()[2] for line in ended.stdout.splitlines()[-3:]] == ["2", "2", "4"]


def test_readers_refuse_what_is_spoiled_in_a_line(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tools.attack.fuzz", "--runs", "20", "--only", "robots,pddl"]
    ended = subprocess.run(
        [*call, "--work", str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    head, *_, total = (line.split() for line in ended.stdout.splitlines())
    found = dict(zip(head, total, strict=True))
    assert found["inputs"] == "40" and found["broke"] == "0"
    assert int(found["refused"]) > 10 and int(found["kept"]) > 5


def test_commands_in_trouble_end_well_in_the_end(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "tools.attack.soak", "--seconds", "0", "--only", "solve"]
    ended = subprocess.run(
        [*call, "--seed", "1", "--work", str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    report = json.loads((tmp_path / "soak.json").read_text())["solve"]
    assert report["rounds"] == 1 and report["troubles"] and not report["broke"]
