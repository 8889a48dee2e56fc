"""A share of the attacks of tools/attack; the whole of them is one command."""

from __future__ import annotations

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
