"""A robot that no other one joins by itself is joined by what all others saw together."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion import align as aligning
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.together import joined_by_all
from commonground.scores import joint_ate

NEEDED = LocalizationSettings.model_validate({"registration": {"join_objects": 63}})
"""Of the robots below two share more things, and the third one fewer with each of them."""


def test_what_several_robots_nearly_say_joins_a_robot(monkeypatch: pytest.MonkeyPatch) -> None:
    apart: list[int] = []

    def noted(*given: Any) -> Any:
        apart.append(len({*given[4].component.tolist()}))
        return joined_by_all(*given)

    monkeypatch.setattr(aligning, "joined_by_all", noted)
    team = made_up(seed=5, robots=3, submaps=10, extent_m=100.0)
    found = align(team.runs, NEEDED, np.random.default_rng(0))
    assert apart == [2] and len({*found.optimized.component.tolist()}) == 1
    assert found.notes == () and not found.refused
    ends = np.cumsum([len(run.poses) for run in team.runs])[:-1]
    assert joint_ate(np.split(found.optimized.poses, ends), team.paths) < 0.5
