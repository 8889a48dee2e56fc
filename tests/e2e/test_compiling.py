"""The parts that ``doctor --compile`` runs to compile their loops."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from commonground.story import compiling


@pytest.mark.parametrize("part", compiling.PARTS.values(), ids=compiling.PARTS)
def test_every_part_runs(part: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "FRAMES", 4)  # enough to call everything once
    part()


def test_each_part_is_told_with_how_many_are_done(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {name: compiling.PARTS[name] for name in ("recordings", "tilted")}
    monkeypatch.setattr(compiling, "PARTS", few)
    told: list[str] = []
    took = compiling.compile_loops(told.append)
    assert list(took) == list(few) and "recordings, tilted" in told[0]
    assert [line.partition(":")[0] for line in told[1:]] == ["1 of 2", "2 of 2"]
    assert {line.split(": ")[1].split(",")[0] for line in told[1:]} == set(few)
