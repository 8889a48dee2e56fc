"""What repairs need is there before robots drive."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.planning.mission import ready
from commonground.planning.team import settling
from commonground.planning.temporal import bound


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
    spied(bound, "busy_bound")
    ready.get_ready()
    assert used == {"soonest", "safe_intervals", "busy_bound"}
