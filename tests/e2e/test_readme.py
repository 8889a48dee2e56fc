"""What the README says is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).resolve().parents[2] / "README.md").read_text()


def test_the_python_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert shown.returncode == 0, shown.stderr
    assert "inspect O" in shown.stdout


def test_the_python_example_passes_a_question_on() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    unclear = code.replace("the tree closest to the flag", "the tree")
    assert unclear != code
    with pytest.raises(SystemExit, match="Which tree is meant"):
        exec(unclear, {})  # noqa: S102


def test_the_demo_prints_what_the_readme_shows() -> None:
    from commonground.story import scoring

    shown = re.findall(r"^│ (.*?) +│", README, re.MULTILINE)
    known = Path(scoring.__file__).read_text()
    assert len(shown) > 8
    for measure in shown:
        words = re.sub(r"\b(spot|husky)('s)?\b", "", measure).split()
        assert measure == "time" or all(word in known for word in words), measure


def test_every_command_of_the_readme_exists() -> None:
    from commonground.cli.main import COMMANDS

    table = README.split("## Commands")[1].split("##")[0]
    named = {
        w.split()[0]
        for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
        for w in re.findall(r"`([^`]+)`", row)
    }
    assert named == set(COMMANDS)
