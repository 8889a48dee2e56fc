"""A share of the attacks and kills of tools/attack; the whole of them is a command each."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WARM = """
import importlib, json, os, sys
from tools.attack.warmth import warm_up

warm_up()
for line in sys.stdin:
    tool, output, *words = json.loads(line)
    number = os.fork()
    if number == 0:
        os.dup2(os.open(output, os.O_WRONLY | os.O_CREAT), 1)
        os.dup2(1, 2)
        sys.argv = [tool, *words]
        sys.exit(importlib.import_module(tool).main())
    print(os.waitstatus_to_exitcode(os.waitpid(number, 0)[1]), flush=True)
"""
"""Has loaded once what each tool and every command under attack loads, and becomes each of them."""
Attack = Callable[..., str]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of all tools: honest files are made once."""
    return tmp_path_factory.mktemp("attack")


@pytest.fixture(scope="module")
def attack(work: Path) -> Iterator[Attack]:
    """What runs one of the tools, which has to find nothing broken, and returns what it said."""
    call, pipe = [sys.executable, "-c", WARM], subprocess.PIPE
    with subprocess.Popen(call, stdin=pipe, stdout=pipe, text=True, cwd=ROOT) as warm:

        def attacked(tool: str, *words: str) -> str:
            assert warm.stdin is not None and warm.stdout is not None
            output = work / f"{tool}.txt"
            line = [f"tools.attack.{tool}", str(output), *words, "--work", str(work)]
            warm.stdin.write(json.dumps(line) + "\n")
            warm.stdin.flush()
            code, said = warm.stdout.readline(), output.read_text()
            assert code == "0\n", said
            return said

        yield attacked


def test_hostile_files_and_words_break_nothing(attack: Attack) -> None:
    kinds = ("--kinds", "scene,settings,pddl,house,memory")
    said = attack("__main__", "--count", "1000", "--slice", "5/100", *kinds, "--wait-s", "300")
    assert "10 attacks, 0 broke something" in said


def test_killed_commands_lose_nothing_and_end_the_same(attack: Attack) -> None:
    said = attack("kills", "--kills", "4", "--only", "memory,solve")
    assert [line.split()[2] for line in said.splitlines()[-3:]] == ["2", "2", "4"]


def test_readers_refuse_what_is_spoiled_in_a_line(attack: Attack) -> None:
    said = attack("fuzz", "--runs", "20", "--only", "robots,pddl")
    head, *_, total = (line.split() for line in said.splitlines())
    found = dict(zip(head, total, strict=True))
    assert found["inputs"] == "40" and found["broke"] == "0"
    assert int(found["refused"]) > 10 and int(found["kept"]) > 2


def test_commands_in_trouble_end_well_in_the_end(attack: Attack, work: Path) -> None:
    said = attack("soak", "--seconds", "0", "--only", "solve", "--seed", "1")
    report = json.loads((work / "soak.json").read_text())["solve"]
    assert report["rounds"] == 1 and report["troubles"] and not report["broke"], said
