"""Made-up drives err as mapped ones do."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.localization.evaluation.traverses import route, simulate_traverse
from commonground.localization.evaluation.worlds import campus


@pytest.mark.parametrize(
    ("turns", "drift", "doubled"), [(1, 0.015, False), (3, 0.1, True)], ids=["short", "long"]
)
def test_what_drift_moved_is_mapped_anew_when_seen_again(
    turns: int, drift: float, doubled: bool
) -> None:
    rng = np.random.default_rng(3)
    world = campus(rng, 160.0)
    to_and_fro = route([(x, 32) for _ in range(turns) for x in (-70, 70)])
    driven = simulate_traverse(world, to_and_fro, rng, drift=drift)
    known = driven.truth[driven.truth >= 0]
    share = 1.0 - len(np.unique(known)) / len(known)
    assert (share > 0.1) if doubled else (share < 0.02)
