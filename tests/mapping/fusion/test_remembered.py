"""A run added to a fused map gives what fusing all at once gives, without matching the others again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.evaluation.teams import made_up
from commonground.mapping.fusion.remembered import FILE, recall, remember


def test_adding_a_robot_is_as_good_as_beginning_anew(tmp_path: Path) -> None:
    runs = made_up(seed=8, robots=3, submaps=10, extent_m=100.0).runs
    settings = LocalizationSettings()
    two = align(runs[:2], settings, np.random.default_rng(0))
    remember(tmp_path, runs[:2], two.blind)
    memory = recall(tmp_path)
    assert [f.name for f in memory.folders] == ["robot0", "robot1"]
    assert memory.known(runs[0], runs[1]) is not None
    assert memory.known(runs[0], runs[2]) is None
    added = align(runs, settings, np.random.default_rng(0), known=memory.known)
    anew = align(runs, settings, np.random.default_rng(0))
    np.testing.assert_allclose(added.optimized.poses, anew.optimized.poses, atol=1e-9)
    assert [c.submaps for c in added.closures] == [c.submaps for c in anew.closures]


def test_a_run_that_was_mapped_again_is_matched_again(tmp_path: Path) -> None:
    runs = made_up(seed=8, robots=2, submaps=3, extent_m=100.0).runs
    remember(tmp_path, runs, [])
    moved = replace(runs[1], poses=runs[1].poses + 1e-3)
    assert recall(tmp_path).known(runs[0], runs[1]) == []
    assert recall(tmp_path).known(runs[0], moved) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_version": 1, "runs": [{}]}'])
def test_a_memory_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(MappingError, match="is no fused map"):
        recall(tmp_path)
    (tmp_path / FILE).write_text(text)
    with pytest.raises(MappingError, match=r"matching\.json: cannot be read"):
        recall(tmp_path)
    (tmp_path / FILE).write_text('{"schema_version": 99}')
    with pytest.raises(MappingError, match="newer version"):
        recall(tmp_path)
