"""What the table of fusion measures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.geometry import exp_se3
from commonground.mapping.fusion.evaluation.ate import evo_ate, joint_ate, own_ate


@given(st.integers(0, 1000))
def test_the_error_of_paths_is_that_of_evo(seed: int) -> None:
    pytest.importorskip("evo")
    rng = np.random.default_rng(seed)
    true = exp_se3(rng.normal(size=(20, 6)) * [5, 5, 1, 0.1, 0.1, 2])
    found = exp_se3(rng.normal(size=6)) @ true @ exp_se3(rng.normal(size=(20, 6)) * 0.1)
    assert own_ate(found, true) == pytest.approx(evo_ate(found, true), abs=1e-9)


def test_robots_are_aligned_together_not_one_by_one() -> None:
    rng = np.random.default_rng(0)
    true = [exp_se3(rng.normal(size=(20, 6)) * [5, 5, 1, 0.1, 0.1, 2]) for _ in range(2)]
    moved = true[1].copy()
    moved[:, 0, 3] += 4.0
    assert joint_ate(true, true) == pytest.approx(0.0, abs=1e-9)
    assert joint_ate([true[0], moved], true) > 0.5
