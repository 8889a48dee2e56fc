"""What may not take long begins no sooner than what its parts wait for is done."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.arrays import Bools
from commonground.errors import PlanningError
from commonground.planning.behavior.punctual import punctual
from commonground.planning.temporal import Activity

OWNERS = [0, None, 0]
LASTS_S = np.array([1.0, 9.0, 1.0])


def before(*pairs: tuple[int, int]) -> Bools:
    relation = np.zeros((3, 3), bool)
    for pair in pairs:
        relation[pair] = True
    return relation


@pytest.mark.parametrize(("most_s", "waits"), [(np.inf, False), (11.0, False), (5.0, True)])
def test_all_parts_wait_where_one_would_keep_the_others_too_long(
    most_s: float, waits: bool
) -> None:
    short = [Activity("fix", 0, 1, longest_s=most_s)]
    ended, _ = punctual(short, OWNERS, LASTS_S, before((0, 2), (1, 2)), before())
    assert ended[1, 0] == waits


def test_what_waits_for_its_own_part_is_refused_by_name() -> None:
    short = [Activity("fix", 0, 1, longest_s=5.0)]
    with pytest.raises(PlanningError, match="fix may take 5 s, and would take 11 s"):
        punctual(short, OWNERS, LASTS_S, before((0, 1), (0, 2), (1, 2)), before())
