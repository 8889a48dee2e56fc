"""What the README says is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).resolve().parents[2] / "README.md").read_text()


def test_the_python_example_runs() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert shown.returncode == 0, shown.stderr
    assert "inspect O" in shown.stdout


def test_the_demo_says_what_the_readme_shows(tmp_path: Path) -> None:
    call = [sys.executable, "-m", "commonground.cli.main", "demo", "--out", str(tmp_path / "demo")]
    shown = subprocess.run(call, capture_output=True, text=True, check=True, timeout=120).stdout
    timeless = re.compile(r"grounded and planned in \d+ ms|drawn from above.*")
    blocks = re.findall(r"```\n(“.*?)```", README, re.DOTALL)
    assert len(blocks) == 1
    for line in blocks[0].splitlines():
        if not timeless.search(line):
            assert line.strip() in shown


def test_every_command_of_the_readme_exists() -> None:
    from commonground.cli.main import COMMANDS

    table = README.split("## Commands")[1].split("##")[0]
    named = {
        w.split()[0]
        for row in re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
        for w in re.findall(r"`([^`]+)`", row)
    }
    assert named == set(COMMANDS)
