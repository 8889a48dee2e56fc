"""A share of the attacks of tools/attack; the whole of them is one command."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_hostile_files_and_words_break_nothing() -> None:
    pytest.importorskip("rosbags")
    call = [sys.executable, "-m", "tools.attack", "--count", "30", "--seed", "1"]
    ended = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT, timeout=900)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "30 attacks, 0 broke something" in ended.stdout
