"""What runs without any extra, and that a missing one is a line with the command that brings it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from commonground.cli.main import COMMANDS
from commonground.demo import sample_scene
from commonground.installation import LIBRARIES
from commonground.scene import save_scene

EXTRAS = {module for _, module, extra in LIBRARIES if extra}
LEAN = """
import sys

BLOCKED = set({blocked!r})


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
if __name__ == "__main__":
    from commonground.cli.main import main

    main()
"""
ALL = """
import sys

import lean
from commonground.cli.main import run

sys.exit(max(run([name, "--help"]) for name in {commands!r}))
"""
"""Shows the help of all commands in one process."""
ROBOTS = "robots:\n  husky: {pose: [0, 0, 0, 0], capabilities: [inspect]}\n"
DOMAIN = """(define (domain rooms) (:requirements :typing) (:types item place - object)
 (:predicates (at ?i - item ?p - place)))"""
FACTS = """{"objects": {"cup": "item", "hall": "place"}, "facts": [["cup", "at", "hall"]]}"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with small inputs, and the program without the extras."""
    (tmp_path / "lean.py").write_text(LEAN.format(blocked=sorted(EXTRAS)))
    save_scene(sample_scene(), tmp_path / "scene.json")
    (tmp_path / "robots.yaml").write_text(ROBOTS)
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "facts.jsonl").write_text(FACTS)
    (tmp_path / "base.pl").write_text("part(wheel).\n")
    return tmp_path


def run(place: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, str(place / "lean.py"), *arguments]
    return subprocess.run(call, cwd=place, capture_output=True, text=True, check=False, timeout=600)


def test_every_command_shows_its_help(place: Path) -> None:
    (place / "all.py").write_text(ALL.format(commands=COMMANDS))
    call = [sys.executable, "all.py"]
    beside = {**os.environ, "PYTHONSAFEPATH": ""}  # it imports what is beside it
    shown = subprocess.run(call, cwd=place, env=beside, capture_output=True, text=True, check=False)
    assert shown.returncode == 0, shown.stderr
    assert shown.stdout.count("Usage") == len(COMMANDS)


def test_the_core_works_without_extras(place: Path) -> None:
    asked = run(place, "ground", "scene.json", "husky, go to O1", "--robots", "robots.yaml")
    assert asked.returncode == 0, asked.stderr
    goal = "husky=(visited-object O1)"
    planned = run(place, "plan", "scene.json", "--robots", "robots.yaml", "--goal", goal)
    assert planned.returncode == 0, planned.stderr
    files = ("--domain", "domain.pddl", "--facts", "facts.jsonl", "--memory", "memory.db")
    made = run(place, "memory", "init", *files)
    assert made.returncode == 0, made.stderr
    told = run(place, "memory", "ask", "where is the cup?", "--memory", "memory.db")
    assert told.returncode == 0, told.stderr
    assert "hall" in told.stdout


NEEDS = {
    "demo": (("demo", "--out", "out"), "mapping"),
    "assemble": (("assemble", "kb", "check", "base.pl"), "language"),
}


@pytest.mark.parametrize(("arguments", "extra"), NEEDS.values(), ids=NEEDS)
def test_a_missing_extra_is_one_line(place: Path, arguments: tuple[str, ...], extra: str) -> None:
    shown = run(place, *arguments)
    assert shown.returncode == 1
    assert "Traceback" not in shown.stderr
    assert shown.stderr.strip().endswith(f"pip install 'commonground[{extra}]'")
