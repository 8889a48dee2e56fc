"""Merges do not last longer than what speaks for them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import MappingError
from commonground.mapping.fusion.merge_objects import merge_objects
from commonground.mapping.fusion.undone import sources_before, undone_merges
from commonground.objects import ObjectMap

S = 10**9


def seen(xyz: list[list[float]], sigma_m: float) -> ObjectMap:
    n = len(xyz)
    return ObjectMap.of(
        xyz,
        sizes=np.full((n, 3), 0.5),
        covariances=np.tile(np.eye(3) * sigma_m**2, (n, 1, 1)),
        last_seen_ns=np.full(n, 10 * S),
        observations=np.full(n, 5),
    )


def made_of(maps: list[ObjectMap], names: list[str]) -> dict[str, list[tuple[str, str]]]:
    """Return the sources of each fused object, as provenance.json holds them."""
    fused = merge_objects(maps, names)
    out: dict[str, list[tuple[str, str]]] = {f"O{k}": [] for k in range(len(fused.objects))}
    for name, into in zip(names, fused.into, strict=True):
        for own, row in enumerate(into.tolist()):
            out[f"O{row}"].append((name, f"O{own}"))
    return out


def test_a_merge_is_undone_when_another_robot_sees_two_things() -> None:
    a, b = seen([[0, 0, 0]], 0.2), seen([[0.8, 0, 0]], 0.2)
    before = made_of([a, b], ["a", "b"])
    assert len(before) == 1  # uncertain enough to be one thing
    c = seen([[0, 0, 0], [0.8, 0, 0]], 0.02)
    after = made_of([a, b, c], ["a", "b", "c"])
    assert sorted(map(sorted, after.values())) == [
        [("a", "O0"), ("c", "O0")],
        [("b", "O0"), ("c", "O1")],
    ]
    (undone,) = undone_merges(before, after)
    assert {undone.one, undone.two} == {("a", "O0"), ("b", "O0")}
    assert undone.why == "c saw two things there"
    assert "fell apart" in str(undone)


def test_a_merge_is_undone_when_the_paths_move_apart() -> None:
    before = made_of([seen([[0, 0, 0]], 0.2), seen([[0.3, 0, 0]], 0.2)], ["a", "b"])
    after = made_of([seen([[0, 0, 0]], 0.2), seen([[2.5, 0, 0]], 0.2)], ["a", "b"])
    (undone,) = undone_merges(before, after)
    assert "lie apart" in undone.why


def test_what_stays_together_is_not_told() -> None:
    a, b = seen([[0, 0, 0], [5, 0, 0]], 0.1), seen([[0.1, 0, 0]], 0.1)
    before = made_of([a, b], ["a", "b"])
    after = made_of([a, b, seen([[0.1, 0, 0], [9, 0, 0]], 0.1)], ["a", "b", "c"])
    assert undone_merges(before, after) == []


@given(st.permutations([0, 1, 2]), st.integers(0, 10))
def test_merging_does_not_depend_on_the_order_of_robots(order: list[int], seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = rng.uniform(0, 6, (8, 3)) * [1, 1, 0.1]
    maps = [seen((world + rng.normal(0, 0.2, world.shape)).tolist(), 0.2) for _ in range(3)]
    names = ["a", "b", "c"]
    one = made_of(maps, names)
    two = made_of([maps[k] for k in order], [names[k] for k in order])
    assert sorted(map(sorted, one.values())) == sorted(map(sorted, two.values()))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"objects": {"O1": [3]}}'])
def test_a_provenance_that_cannot_be_read_is_told(tmp_path: Path, text: str) -> None:
    (tmp_path / "provenance.json").write_text(text)
    with pytest.raises(MappingError, match=r"provenance\.json: cannot be read"):
        sources_before(tmp_path)
