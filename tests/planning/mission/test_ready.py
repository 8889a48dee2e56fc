"""What repairs need is there before robots drive."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from commonground.planning.mission import ready
from commonground.planning.team import settling
from commonground.planning.temporal import search


def test_the_search_past_others_and_the_sharing_out_are_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A site on which the two robots never meet would load nothing of what repairs wait for."""
    used = set()

    def spied(where: Any, name: str) -> None:
        was = getattr(where, name)

        def spy(*args: Any, **more: Any) -> Any:
            used.add(name)
            return was(*args, **more)

        monkeypatch.setattr(where, name, spy)

    spied(settling, "soonest")
    spied(settling, "safe_intervals")
    spied(search, "anneal")
    ready.get_ready()
    assert used == {"soonest", "safe_intervals", "anneal"}


def test_a_program_that_ends_meanwhile_waits_for_it() -> None:
    """Python aborts a program whose thread is in the midst of compiled code when it ends."""
    code = (
        "import sys, time\n"
        "from commonground.planning.mission import ready\n"
        "def plan(*_, **__): time.sleep(0.3); print('got ready', flush=True)\n"
        "ready.plan_scene = plan\n"
        "ready.get_ready_meanwhile()\n"
        "sys.exit(130)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, timeout=60, check=False
    )
    assert ended.returncode == 130, ended.stderr
    assert ended.stdout == b"got ready\n"
