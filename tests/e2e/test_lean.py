"""What runs without any extra, and that a missing one is a line with the command that brings it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from commonground.cli.main import COMMANDS
from commonground.demo import sample_scene
from commonground.installation import LIBRARIES
from commonground.scene import save_scene

EXTRAS = {module for _, module, extra in LIBRARIES if extra}
END = "-- end of a command --"
LEAN = """
import sys

BLOCKED = set({blocked!r})
END = {end!r}


class Lean:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            return None
        return self.finder.find_spec(name, path, target)

    def __getattr__(self, name):
        return getattr(self.finder, name)


sys.meta_path[:] = [Lean(finder) for finder in sys.meta_path]

from commonground.cli.main import run

for line in sys.stdin.read().splitlines():
    code = run(line.split("\\t"))
    for stream, last in ((sys.stdout, str(code)), (sys.stderr, "")):
        print(last, END, sep="\\n", file=stream, flush=True)
"""
"""Runs commands, one a line, in one process that finds no extra."""
ROBOTS = "robots:\n  husky: {pose: [0, 0, 0, 0], capabilities: [inspect]}\n"
DOMAIN = """(define (domain rooms) (:requirements :typing) (:types item place - object)
 (:predicates (at ?i - item ?p - place)))"""
FACTS = """{"objects": {"cup": "item", "hall": "place"}, "facts": [["cup", "at", "hall"]]}"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with small inputs, and the program without the extras."""
    (tmp_path / "lean.py").write_text(LEAN.format(blocked=sorted(EXTRAS), end=END))
    save_scene(sample_scene(), tmp_path / "scene.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "facts.jsonl").write_text(FACTS)
    (tmp_path / "base.pl").write_text("part(wheel).\n")
    return tmp_path


def run(place: Path, *calls: tuple[str, ...]) -> list[subprocess.CompletedProcess[str]]:
    """Run commands one after the other; return what became of each."""
    call = [sys.executable, str(place / "lean.py")]
    lines = "".join("\t".join(words) + "\n" for words in calls)
    ended = subprocess.run(
        call, input=lines, cwd=place, capture_output=True, text=True, check=True, timeout=600
    )
    said = [text.split(f"\n{END}\n")[:-1] for text in (ended.stdout, ended.stderr)]
    return [
        subprocess.CompletedProcess(words, int(out.rpartition("\n")[2]), out, err)
        for words, out, err in zip(calls, *said, strict=True)
    ]


def test_every_command_shows_its_help(place: Path) -> None:
    for shown in run(place, *((name, "--help") for name in COMMANDS)):
        assert shown.returncode == 0 and "Usage" in shown.stdout, shown


def test_the_core_works_without_extras(place: Path) -> None:
    goal = "husky=(visited-object O1)"
    files = ("--domain", "domain.pddl", "--facts", "facts.jsonl", "--memory", "memory.db")
    ended = run(
        place,
        ("ground", "scene.json", "husky, go to O1", "--robots", "robots.yaml"),
        ("plan", "scene.json", "--robots", "robots.yaml", "--goal", goal),
        ("memory", "init", *files),
        ("memory", "ask", "where is the cup?", "--memory", "memory.db"),
    )
    assert [shown.returncode for shown in ended] == [0, 0, 0, 0], ended
    assert "hall" in ended[-1].stdout


def test_what_compiles_nothing_loads_no_compiler(place: Path) -> None:
    """Loading one takes longer than most commands."""
    blocked = sorted({*EXTRAS, "numba"})
    (place / "lean.py").write_text(LEAN.format(blocked=blocked, end=END))
    ended = run(
        place,
        ("find", "scene.json", "flag", "--json"),
        ("export", "scene.json", "--to", "graphml", "--out", "scene.graphml"),
    )
    assert [shown.returncode for shown in ended] == [0, 0], ended


NEEDS = {
    "mapping": ("demo", "--out", "out"),
    "language": ("assemble", "kb", "check", "base.pl"),
}


def test_a_missing_extra_is_one_line(place: Path) -> None:
    for extra, shown in zip(NEEDS, run(place, *NEEDS.values()), strict=True):
        assert shown.returncode == 1
        assert "Traceback" not in shown.stderr
        assert shown.stderr.strip().endswith(f"pip install 'commonground[{extra}]'")
