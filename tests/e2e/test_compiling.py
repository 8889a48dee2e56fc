"""The parts that ``doctor --compile`` runs to compile their loops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commonground.story import compiling


@pytest.mark.parametrize("part", compiling.PARTS.values(), ids=compiling.PARTS)
def test_every_part_runs(part: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FRAMES", 4)  # enough to call everything once
    part()
