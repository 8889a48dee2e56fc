"""Each used closure judged by all others: as if it had been left out, and by how others err."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.geometry import exp_se3, from_xyz_yaw, relative
from commonground.mapping.fusion import Constraints, PoseGraph, optimize, read_g2o
from commonground.mapping.fusion.chance import Chance
from commonground.mapping.fusion.doubt import log_odds_right
from commonground.mapping.fusion.marginals import LeaveOneOut, Marginals
from commonground.mapping.fusion.posegraph import mahalanobis2, residuals
from commonground.mapping.fusion.solver import solve

SIGMA = np.array([0.1, 0.05, 0.05, 0.005, 0.005, 0.01])
ALL, PLANE = np.arange(6), np.array([0, 1, 5])


def graph_of(seed: int, share: float = 1.0, flat: bool = False, closures: int = 40) -> PoseGraph:
    """One robot twice round a block; errors are a ``share`` of those stated."""
    rng = np.random.default_rng(seed)
    n, s = 160, np.linspace(0, 4 * np.pi, 160)
    path = from_xyz_yaw(np.c_[30 * np.cos(s), 20 * np.sin(s), (0 if flat else 0.5) * s, s])
    free = np.array([1, 1, 0, 0, 0, 1.0]) if flat else np.ones(6)

    def noisy(T: np.ndarray) -> np.ndarray:
        return T @ exp_se3(rng.normal(size=(len(T), 6)) * SIGMA * free * share)

    i = rng.integers(0, n // 2 - 5, closures)
    rows = np.c_[i, i + n // 2 + rng.integers(-3, 4, closures)].astype(np.int64)
    C = np.tile(np.diag(SIGMA**2), (n, 1, 1))
    steps = Constraints(
        np.c_[: n - 1, 1:n].astype(np.int64), noisy(relative(path[:-1], path[1:])), C[1:]
    )
    own = Constraints(rows, noisy(relative(path[rows[:, 0]], path[rows[:, 1]])), C[:closures])
    graph = PoseGraph(np.arange(n), path, steps, own, np.zeros(n, np.int64))
    return replace(graph, poses=graph.chained())


def with_wrong(graph: PoseGraph, count: int, seed: int) -> PoseGraph:
    """Return the graph with so many more closures that claim the relative pose of two others."""
    rng = np.random.default_rng(seed)
    rows = np.sort(rng.integers(0, len(graph), (2 * count + 9, 2)), axis=1)
    rows = rows[rows[:, 1] - rows[:, 0] > 1][:count]
    p, q = rng.integers(0, len(graph), (2, count))
    C = graph.closures.covariances[rng.integers(0, len(graph.closures), count)]
    wrong = Constraints(rows, relative(graph.poses[p], graph.poses[q]), C)
    return replace(graph, closures=Constraints.joined([graph.closures, wrong]))


def cost(graph: PoseGraph, poses: np.ndarray) -> float:
    parts = (graph.odometry, graph.closures)
    return sum(float(mahalanobis2(residuals(c, poses), c.covariances).sum()) for c in parts)


def test_what_is_left_out_is_as_far_off_as_when_solved_without() -> None:
    graph = graph_of(0, closures=8)
    used, component = np.ones(8, bool), np.zeros(1, np.int64)
    poses = solve(graph, graph.poses, graph.closures, component)
    left = LeaveOneOut.of(graph, poses, used, np.zeros(8), ALL)
    assert left is not None
    assert left.rows.tolist() == list(range(8))
    for k in range(8):
        others = np.arange(8) != k
        without = solve(graph, poses, graph.closures.take(others), component)
        known = Marginals.of(graph, without, others, ALL)
        assert known is not None
        one = graph.closures.take([k])
        C = one.covariances + known.between(one.rows)
        np.testing.assert_allclose(left.covariances[k], C[0], rtol=0.1, atol=0.02)
        near2 = mahalanobis2(residuals(one, without), C)[0]
        assert left.near2[k] == pytest.approx(near2, rel=0.1, abs=0.05)
        (i, j) = one.rows[0]
        np.testing.assert_allclose(left.estimated[k], relative(without[i], without[j]), atol=0.05)


def test_in_the_plane_three_axes_say_the_same() -> None:
    graph = graph_of(1, flat=True)
    used, axes = np.ones(40, bool), PLANE
    poses = solve(graph, graph.poses, graph.closures, np.zeros(1, np.int64))
    three, six = (Marginals.of(graph, poses, used, a) for a in (axes, ALL))
    assert three is not None and six is not None
    ends = graph.closures.rows
    whole = six.between(ends)[:, axes[:, None], axes]
    np.testing.assert_allclose(three.between(ends), whole, rtol=1e-5, atol=1e-12)


def judged(near2: np.ndarray, rejected: int) -> float:
    """Return the log odds of the last of some closures, to a place the others leave uncertain by 5 m."""
    poses, chance = graph_of(2, flat=True).poses, Chance(PLANE, np.array([600.0, 600, 0, 0, 0, 3]))
    m, rng = len(near2), np.random.default_rng(0)
    C = np.tile(np.diag([0.1, 0.1, 1e-3, 1e-3, 1e-3, 0.02]) ** 2, (m, 1, 1))
    C[-1] = np.diag([5.0, 5.0, 1e-3, 1e-3, 1e-3, 0.3]) ** 2
    (i, j), (p, q) = rng.integers(0, len(poses), (2, m)), rng.integers(0, len(poses), (2, 500))
    left = LeaveOneOut(np.arange(m), near2, C, relative(poses[i], poses[j]))
    return float(log_odds_right(left, relative(poses[p], poses[q]), chance, 0.0, rejected)[-1])


def test_what_is_far_off_is_told_by_how_far_off_others_are() -> None:
    usual = np.random.default_rng(1).chisquare(3, 60)
    assert judged(np.r_[usual, 2.5], 50) > 0
    # where stated covariances are ten times too large, this one is not like the others
    assert judged(np.r_[usual / 100, 2.5], 50) < 0
    assert judged(np.r_[usual / 100, 0.03], 50) > 0
    # and where no wrong ones are about, it stays
    assert judged(np.r_[usual, 2.5], 0) > judged(np.r_[usual, 2.5], 50) + 3


@pytest.mark.parametrize(("name", "seeds"), [("intel", (6, 9)), ("CSAIL", (12, 16))])
def test_published_graphs_end_near_their_optimum_where_wrong_ones_fit(
    shared: Path, name: str, seeds: tuple[int, int]
) -> None:
    graph = read_g2o(shared / "data" / "g2o" / f"{name}.g2o")
    graph = replace(graph, poses=optimize(graph, np.random.default_rng(0)).poses)
    for seed in seeds:
        spoilt = with_wrong(graph, len(graph.closures), seed)
        result = optimize(spoilt, np.random.default_rng(0))
        assert result.consensus
        assert cost(graph, result.poses) < 1.1 * cost(graph, graph.poses)


def test_a_graph_cut_into_robots_is_joined_again(shared: Path) -> None:
    graph = read_g2o(shared / "data" / "g2o" / "MIT.g2o")
    robot = np.arange(len(graph)) * 3 // len(graph)
    i, j = graph.odometry.rows.T
    names = ("a", "b", "c")
    cut = replace(
        graph, odometry=graph.odometry.take(robot[i] == robot[j]), robot=robot, names=names
    )
    result = optimize(cut, np.random.default_rng(0))
    assert set(result.component.tolist()) == {0}
    assert result.accepted.all()
    # by wrong closures alone they are not
    lost = replace(
        with_wrong(cut, 100, 0), closures=with_wrong(cut, 100, 0).closures.take(slice(20, None))
    )
    result = optimize(lost, np.random.default_rng(0))
    assert len(set(result.component.tolist())) == 3
    assert not result.consensus
