"""Effective resistances: the dense Laplacian's, those of known networks, and of what nothing joins."""

from __future__ import annotations

import numpy as np
import pytest

from commonground.mapping.fusion.resistance import Resistances


def dense(nodes: int, rows: np.ndarray, conductances: np.ndarray, pairs: np.ndarray) -> np.ndarray:
    d = conductances.shape[1]
    ends = np.zeros((len(rows), nodes))
    ends[np.arange(len(rows)), rows[:, 0]] = 1
    ends[np.arange(len(rows)), rows[:, 1]] -= 1
    L = np.einsum("ei,eab,ej->iajb", ends, conductances, ends).reshape(nodes * d, nodes * d)
    between = np.zeros((len(pairs), nodes))
    between[np.arange(len(pairs)), pairs[:, 0]] = 1
    between[np.arange(len(pairs)), pairs[:, 1]] -= 1
    e = np.einsum("ki,ab->kiab", between, np.eye(d)).reshape(len(pairs), nodes * d, d)
    return np.einsum("kia,ij,kjb->kab", e, np.linalg.pinv(L), e)


@pytest.mark.parametrize("d", [1, 2, 6])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_resistances_are_those_of_the_dense_laplacian(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = 40
    rows = np.r_[np.c_[np.arange(nodes - 1), np.arange(1, nodes)], rng.integers(0, nodes, (15, 2))]
    rows = rows[rows[:, 0] != rows[:, 1]]
    A = rng.normal(size=(len(rows), d, d))
    conductances = A @ np.swapaxes(A, 1, 2) + 0.1 * np.eye(d)
    pairs = rng.integers(0, nodes, (60, 2))
    found = Resistances.of(nodes, rows, conductances)
    assert found.joined(pairs).all()
    np.testing.assert_allclose(
        found.between(pairs), dense(nodes, rows, conductances, pairs), rtol=1e-6, atol=1e-8
    )


def test_resistors_in_a_row_add_up_and_side_by_side_divide() -> None:
    rows = np.array([[0, 1], [1, 2], [0, 2], [3, 4]])
    found = Resistances.of(6, rows, np.array([1.0, 1.0, 0.5, 2.0])[:, None, None])
    pairs = np.array([[0, 2], [2, 0], [3, 4], [1, 1]])
    np.testing.assert_allclose(found.between(pairs)[:, 0, 0], [1.0, 1.0, 0.5, 0.0], atol=1e-12)
    assert found.joined(np.array([[0, 2], [0, 3], [4, 5], [5, 5]])).tolist() == [
        True,
        False,
        False,
        True,
    ]


def test_a_direction_that_nothing_holds_is_an_error() -> None:
    with pytest.raises(np.linalg.LinAlgError):
        Resistances.of(3, np.array([[0, 1], [1, 2]]), np.tile(np.diag([1.0, 0.0]), (2, 1, 1)))
