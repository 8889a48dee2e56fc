"""Robust optimization: right closures used, wrong ones not, in one frame or honestly in several."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from commonground.config import load_config
from commonground.errors import ConfigError, MappingError
from commonground.geometry import (
    align_points,
    apply,
    exp_se3,
    from_xyz_yaw,
    inverse,
    relative,
)
from commonground.mapping.fusion import Constraints, PoseGraph, optimize, read_g2o, write_g2o
from commonground.mapping.fusion.graphs import counted_once, solve_graph
from commonground.mapping.fusion.posegraph import cost, g2o_cost
from commonground.mapping.fusion.solver import Problem
from commonground.story.config import Config
from commonground.tum import read_tum

SIGMA = np.array([0.05, 0.05, 0.05, 0.005, 0.005, 0.005])


def noisy(T: np.ndarray, rng: np.random.Generator, scale: float = 1.0) -> np.ndarray:
    return T @ exp_se3(rng.normal(size=(len(T), 6)) * SIGMA * scale)


def team_graph(
    seed: int, wrong: float, robots: int = 2, poses: int = 120
) -> tuple[PoseGraph, np.ndarray, np.ndarray]:
    """Robots on overlapping loops; closures where they pass the same place; a share of them is wrong."""
    rng = np.random.default_rng(seed)
    s = np.linspace(0, 4 * np.pi, poses)
    true, odometry, estimate, robot = [], [], [], []
    for r in range(robots):
        path = from_xyz_yaw(np.c_[20 * np.cos(s) + 8 * r, 20 * np.sin(s), 0 * s, s + np.pi / 2])
        steps = noisy(relative(path[:-1], path[1:]), rng)
        start = len(estimate)
        own = [from_xyz_yaw([0.0, 0, 0, 0])]
        for step in steps:
            own.append(own[-1] @ step)
        odometry.append(
            Constraints(
                start + np.c_[np.arange(poses - 1), np.arange(1, poses)],
                steps,
                np.tile(np.diag(SIGMA**2), (poses - 1, 1, 1)),
            )
        )
        true += list(path)
        estimate += own
        robot += [r] * poses
    T = np.array(true)
    near = np.linalg.norm(T[:, None, :3, 3] - T[None, :, :3, 3], axis=2) < 4
    i, j = np.nonzero(np.triu(near, 10))
    pick = rng.choice(len(i), min(80, len(i)), replace=False)
    rows = np.c_[i[pick], j[pick]]
    right = noisy(relative(T[rows[:, 0]], T[rows[:, 1]]), rng)
    count = int(len(rows) * wrong / (1 - wrong))
    bad_rows = np.sort(rng.integers(0, len(T), (count, 2)), axis=1)
    bad = from_xyz_yaw(
        np.c_[rng.uniform(-30, 30, (count, 2)), np.zeros(count), rng.uniform(-3, 3, count)]
    )
    apart = np.abs(bad_rows[:, 0] - bad_rows[:, 1]) > 1
    all_rows = np.concatenate([rows, bad_rows[apart]])
    closures = Constraints(
        all_rows,
        np.concatenate([right, bad[apart]]),
        np.tile(np.diag(SIGMA**2), (len(all_rows), 1, 1)),
    )
    order = rng.permutation(len(all_rows))
    graph = PoseGraph(
        np.arange(len(T)),
        np.array(estimate),
        Constraints.joined(odometry),
        closures.take(order),
        np.array(robot),
        tuple(f"r{k}" for k in range(robots)),
    )
    return graph, T, (np.arange(len(all_rows)) < len(rows))[order]


def ate(found: np.ndarray, true: np.ndarray) -> float:
    T = align_points(found[:, :3, 3], true[:, :3, 3])
    return float(np.sqrt(((apply(T, found[:, :3, 3]) - true[:, :3, 3]) ** 2).sum(axis=1).mean()))


@pytest.mark.parametrize("wrong", [0.0, 0.3, 0.6, 0.9])
@pytest.mark.parametrize("seed", [0, 1])
def test_wrong_closures_are_left_out(seed: int, wrong: float) -> None:
    graph, true, right = team_graph(seed, wrong)
    clean = optimize(replace(graph, closures=graph.closures.take(right)), np.random.default_rng(0))
    result = optimize(graph, np.random.default_rng(0))
    assert not result.accepted[~right].any()
    assert result.accepted[right].mean() > 0.9
    assert ate(result.poses, true) < 1.1 * ate(clean.poses, true) + 0.02
    assert len(set(result.component.tolist())) == 1


def test_for_an_ablation_all_closures_are_used_under_one_kernel() -> None:
    graph, true, right = team_graph(1, 0.3)
    rng = np.random.default_rng(0)
    decided = optimize(graph, rng)
    found = {kernel: optimize(graph, rng, kernel) for kernel in ("gauss", "cauchy", "truncated")}
    assert found["gauss"].accepted.all() and found["cauchy"].accepted.all()
    assert not found["truncated"].accepted.all()
    errors = {kernel: ate(result.poses, true) for kernel, result in found.items()}
    assert errors["gauss"] > 10 * ate(decided.poses, true), "wrong ones pull as they like"
    assert errors["cauchy"] < errors["gauss"]
    assert not found["gauss"].consensus and any("no consensus" in n for n in found["gauss"].notes)
    assert found["truncated"].consensus and not found["truncated"].notes
    clean = replace(graph, closures=graph.closures.take(right))
    plain = optimize(clean, rng, "gauss")
    assert ate(plain.poses, true) < 1.1 * ate(optimize(clean, rng).poses, true) + 0.02
    with pytest.raises(ConfigError, match="outliers"):
        load_config(Config, None, ["localization.outliers=huber"])


@pytest.mark.parametrize("wrong", [0.0, 0.1, 0.5, 0.8])
def test_truncated_least_squares_begins_where_the_decision_does(wrong: float) -> None:
    graph, true, right = team_graph(3, wrong)
    found = optimize(graph, np.random.default_rng(0), "truncated")
    assert found.accepted[right].mean() > 0.9 and not found.accepted[~right].any()
    decided = optimize(graph, np.random.default_rng(0))
    assert ate(found.poses, true) < 1.1 * ate(decided.poses, true) + 0.02


@pytest.mark.parametrize("outliers", ["decided", "truncated"])
def test_robots_whose_closures_all_fall_are_apart_again(outliers: str) -> None:
    graph, _, right = team_graph(3, 0.5)
    # closures that agree on the frames well enough to begin with, and on no path within their covariances
    between = np.ptp(graph.robot[graph.closures.rows], axis=1) > 0
    chosen = graph.closures.take(right & between)
    rng, n = np.random.default_rng(1), len(chosen)
    off = from_xyz_yaw(np.c_[rng.normal(0, 1.0, (n, 2)), np.zeros(n), np.zeros(n)])
    tight = np.tile(np.diag(np.array([1e-3] * 3 + [1e-4] * 3) ** 2), (n, 1, 1))
    closures = Constraints(chosen.rows, chosen.T @ off, tight)
    evidence = np.full(n, 60.0)
    result = optimize(
        replace(graph, closures=closures, evidence=evidence), np.random.default_rng(0), outliers
    )
    tied = np.ptp(graph.robot[closures.rows[result.accepted]], axis=1) > 0
    assert (len(set(result.component.tolist())) == 1) == bool(tied.any())
    assert np.isfinite(result.poses).all()


def test_the_solver_holds_what_no_used_closure_ties() -> None:
    graph, _, _ = team_graph(3, 0.0)
    problem = Problem(graph, np.zeros(2, np.int64))
    poses = problem.solved(graph.poses, np.zeros(len(graph.closures), bool))
    np.testing.assert_allclose(poses, graph.poses, atol=1e-6)


def test_without_a_consensus_it_says_so() -> None:
    graph, _, right = team_graph(4, 0.6, robots=1)
    result = optimize(
        replace(graph, closures=graph.closures.take(~right)), np.random.default_rng(0)
    )
    assert not result.accepted.any()
    assert any("no consensus" in note for note in result.notes)


def test_robots_without_closures_stay_in_their_frames() -> None:
    graph, _, _ = team_graph(5, 0.0)
    alone = replace(graph, closures=Constraints.none())
    result = optimize(alone, np.random.default_rng(0))
    assert len(set(result.component.tolist())) == 2
    np.testing.assert_allclose(result.poses[0], graph.poses[0], atol=1e-6)
    (note,) = result.notes
    longer = alone.largest(result.component)
    assert note.startswith(f"r{1 - longer}: in a frame of its own") and note.endswith(
        f"to r{longer}"
    )
    # whichever is called what
    other = replace(alone, robot=1 - alone.robot)
    assert other.largest(result.component) == 1 - longer


def test_the_first_pose_of_a_group_stays() -> None:
    graph, _, _ = team_graph(6, 0.3)
    result = optimize(graph, np.random.default_rng(0))
    np.testing.assert_allclose(result.poses[0], graph.poses[0], atol=1e-3)


def pairs_swapped(count: int) -> np.ndarray:
    """Ids of poses in the order driven, every other pair of them the wrong way round."""
    ids = np.arange(count)
    ids[1::4], ids[2::4] = np.arange(2, count, 4), np.arange(1, count, 4)
    return ids


def test_odometry_of_a_file_whose_ids_come_out_of_order_is_one_chain(tmp_path: Path) -> None:
    driven = pairs_swapped(80)
    edge = "EDGE_SE2 {} {} 1 0 0 100 0 0 100 0 100\n"
    steps = [edge.format(a, b) for a, b in pairwise(driven.tolist())]
    again = edge.format(driven[0], driven[9])
    poses = "".join(f"VERTEX_SE2 {k} 0 0 0\n" for k in range(80))
    (tmp_path / "a.g2o").write_text(poses + "".join([*steps[:20], again, *steps[20:]]))
    graph = read_g2o(tmp_path / "a.g2o")
    assert len(graph.names) == 1 and len(graph.odometry) == 79 and len(graph.closures) == 1
    assert graph.ids.tolist() == driven.tolist()
    np.testing.assert_allclose(graph.chained()[:, 0, 3], np.arange(80.0), atol=1e-9)
    assert graph.ids[graph.closures.rows].tolist() == [[driven[0], driven[9]]]


def test_g2o_comes_back(tmp_path: Path) -> None:
    graph, _, _ = team_graph(7, 0.2, robots=1)
    write_g2o(graph, tmp_path / "a.g2o")
    back = read_g2o(tmp_path / "a.g2o")
    np.testing.assert_allclose(back.poses, graph.poses, atol=1e-6)
    np.testing.assert_allclose(back.odometry.T, graph.odometry.T, atol=1e-6)
    np.testing.assert_allclose(back.closures.covariances, graph.closures.covariances, rtol=1e-5)


PLANAR = """\
VERTEX_SE2 0 0 0 0
VERTEX_SE2 1 1.2 0.1 1.5
VERTEX_SE2 2 1 1 3
EDGE_SE2 0 1 1 0 1.57 100 0 1 90 2 400
EDGE_SE2 1 2 1 0 1.57 100 0 0 100 0 400
EDGE_SE2 2 0 1 1 3.14 50 0 0 50 0 200
"""


def test_what_was_planar_is_written_planar(tmp_path: Path) -> None:
    (tmp_path / "a.g2o").write_text(PLANAR)
    graph = read_g2o(tmp_path / "a.g2o")
    write_g2o(graph, tmp_path / "b.g2o")
    text = (tmp_path / "b.g2o").read_text()
    tags = [line.split()[0] for line in text.splitlines()]
    assert tags == ["VERTEX_SE2"] * 3 + ["EDGE_SE2"] * 3
    for one, two in zip(PLANAR.splitlines(), text.splitlines(), strict=True):
        numbers = [[float(v) for v in row.split()[1:]] for row in (one, two)]
        np.testing.assert_allclose(*numbers, atol=1e-6)


def test_the_cost_is_what_edges_and_poses_differ_by(tmp_path: Path) -> None:
    (tmp_path / "a.g2o").write_text(
        "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1.5 0 0\nEDGE_SE2 0 1 1 0 0 100 0 0 100 0 400\n"
    )
    graph = read_g2o(tmp_path / "a.g2o")
    assert cost(graph, graph.poses) == pytest.approx(0.5**2 * 100)
    assert cost(graph, graph.chained()) == pytest.approx(0.0, abs=1e-9)


BAD = [
    ("", "no poses and no edges"),
    ("hello\n", "no poses and no edges"),
    ("VERTEX_SE3:QUAT 0 1 2\n", r"a.g2o:1: .*is it cut off"),
    ("VERTEX_SE2 0 1 2 x\n", r"a.g2o:1"),
    ("VERTEX_SE2 0 nan 0 0\n", "not finite"),
    ("VERTEX_SE2 0 0 0 0\nVERTEX_SE2 0 0 0 0\n", "pose 0 is there twice"),
    ("VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 0 0 0\n", "has no edges between its 2 poses"),
    ("VERTEX_SE2 0 0 0 0\nEDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n", "no pose of the file"),
    (
        "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 0 0 0\nEDGE_SE2 0 1 1 0 0 0 0 0 0 0 0\n",
        "a.g2o:3: .*positive definite",
    ),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_g2o_files(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.g2o").write_text(text)
    with pytest.raises(MappingError, match=message):
        read_g2o(tmp_path / "a.g2o")


def test_one_pose_needs_no_edge(tmp_path: Path) -> None:
    (tmp_path / "a.g2o").write_text("VERTEX_SE2 0 1 2 0\n")
    assert read_g2o(tmp_path / "a.g2o").poses[0, :2, 3].tolist() == [1, 2]


def test_what_an_edge_does_not_tell_is_uncertain_and_no_matrix_is_refused_for_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As in published files: nothing known of the heading; and numbers in places that make no covariance."""
    poses = "".join(f"VERTEX_SE2 {i} {i} 0 0\n" for i in range(3))
    blind, wrong = "EDGE_SE2 0 1 1 0 0 100 0 0 100 0 0\n", "EDGE_SE2 1 2 1 0 0 4 9 0 4 0 4\n"
    (tmp_path / "a.g2o").write_text(poses + blind + wrong)
    graph = read_g2o(tmp_path / "a.g2o")
    sigma = np.sqrt(np.diagonal(graph.odometry.covariances, axis1=1, axis2=2))[:, [0, 1, 5]]
    assert sigma[0, :2] == pytest.approx(0.1) and sigma[0, 2] > np.pi
    assert sigma[1] == pytest.approx(0.5)
    assert "a.g2o:5: the information matrix of this edge has negative directions" in caplog.text


def drifting(seed: int) -> PoseGraph:
    """One robot whose heading drifts by more than a radian; a dozen closures, each near another one."""
    rng = np.random.default_rng(seed)
    n, sigma = 300, np.array([0.2, 0.1, 0.001, 0.001, 0.001, 0.05])
    s = np.linspace(0, 4 * np.pi, n)
    path = from_xyz_yaw(np.c_[60 * np.cos(s), 40 * np.sin(s), 0 * s, s + np.pi / 2])
    steps = relative(path[:-1], path[1:]) @ exp_se3(rng.normal(size=(n - 1, 6)) * sigma)
    i = np.sort(rng.choice(n // 2 - 10, 12, replace=False))
    rows = np.c_[i, i + n // 2 + rng.integers(-3, 4, 12)]
    T = relative(path[rows[:, 0]], path[rows[:, 1]]) @ exp_se3(rng.normal(size=(12, 6)) * sigma)
    C = np.diag(sigma**2)
    odometry = Constraints(np.c_[: n - 1, 1:n].astype(np.int64), steps, np.tile(C, (n - 1, 1, 1)))
    closures = Constraints(rows.astype(np.int64), T, np.tile(C, (12, 1, 1)))
    graph = PoseGraph(np.arange(n), path, odometry, closures, np.zeros(n, np.int64))
    return replace(graph, poses=graph.chained())


def with_wrong(graph: PoseGraph, count: int, seed: int) -> PoseGraph:
    """Return the graph with so many more closures that claim the relative pose of two others."""
    rng = np.random.default_rng(seed)
    m, n = len(graph.closures), len(graph)
    rows = np.sort(rng.integers(0, n, (count, 2)), axis=1)
    rows = rows[rows[:, 1] - rows[:, 0] > 1]
    chain = graph.chained()
    p, q = rng.integers(0, n, (2, len(rows)))
    C = graph.closures.covariances[rng.integers(0, m, len(rows))]
    wrong = Constraints(rows, inverse(chain[p]) @ chain[q], C)
    return replace(graph, closures=Constraints.joined([graph.closures, wrong]))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_few_closures_of_a_robot_that_drifted_far_are_found_among_many(seed: int) -> None:
    graph = drifting(seed)
    clean = optimize(graph, np.random.default_rng(0))
    assert clean.accepted.all()
    result = optimize(with_wrong(graph, 48, seed), np.random.default_rng(0))
    assert result.accepted[:12].sum() >= 11
    assert result.accepted[12:].sum() <= 1  # one in many comes near the truth by chance
    assert ate(result.poses, clean.poses) < 0.25 * ate(graph.poses, clean.poses)


@pytest.mark.parametrize(
    ("name", "times"),
    [("CSAIL", 9), ("smallGrid3D", 4), ("MIT", 4), ("intel", 1), ("rpgo_ordered", 4)],
)
def test_published_graphs_with_most_closures_wrong(shared: Path, name: str, times: int) -> None:
    graph = read_g2o(shared / "data" / "g2o" / f"{name}.g2o")
    m = len(graph.closures)
    clean = optimize(graph, np.random.default_rng(0))
    assert clean.accepted.mean() > 0.97
    result = optimize(with_wrong(graph, times * m, 2), np.random.default_rng(0))
    assert result.consensus
    assert result.accepted[:m].mean() > 0.97
    assert result.accepted[m:].sum() <= 1  # one in many comes near the truth by chance
    assert ate(result.poses, clean.poses) < 0.3


@pytest.mark.parametrize(("closure", "used"), [("20 0 1.5707963", 1), ("3 9 0.2", 0)])
def test_one_closure_that_says_what_odometry_says_is_no_doubt(
    tmp_path: Path, closure: str, used: int
) -> None:
    square = [
        f"EDGE_SE2 {k} {k + 1} 5 0 {1.5707963 if k % 4 == 3 else 0} 100 0 0 100 0 1000"
        for k in range(16)
    ]
    file = tmp_path / "square.g2o"
    # from the corner where it turned for the third time straight back to where it began
    file.write_text("\n".join([*square, f"EDGE_SE2 12 0 {closure} 100 0 0 100 0 1000"]) + "\n")
    optimized = optimize(read_g2o(file), np.random.default_rng(0))
    assert int(optimized.accepted.sum()) == used
    assert optimized.consensus == bool(used)
    assert bool(optimized.notes) == (not used)


@pytest.mark.parametrize("planar", [True, False])
def test_costs_are_told_as_g2o_counts_them_too(tmp_path: Path, planar: bool) -> None:
    file = tmp_path / "turn.g2o"
    if planar:
        lines = ["VERTEX_SE2 0 0 0 0", "VERTEX_SE2 1 2 0 1", "EDGE_SE2 0 1 1 0 0 1 0 0 1 0 1"]
        angle = 1.0
    else:
        identity = " ".join("1" if i == j else "0" for i in range(6) for j in range(i, 6))
        s, c = np.sin(0.5), np.cos(0.5)
        lines = [
            "VERTEX_SE3:QUAT 0 0 0 0 0 0 0 1",
            f"VERTEX_SE3:QUAT 1 2 0 0 0 0 {-s} {-c}",
            f"EDGE_SE3:QUAT 0 1 1 0 0 0 0 0 1 {identity}",
        ]
        angle = s  # the quaternion's z
    file.write_text("\n".join(lines) + "\n")
    graph = read_g2o(file)
    assert g2o_cost(graph, graph.poses) == pytest.approx(1.0 + angle**2)
    # along the screw: the shift is that of an arc
    assert cost(graph, graph.poses) == pytest.approx((0.5 / np.sin(0.5)) ** 2 + 1.0)


def test_what_a_file_says_twice_counts_once_and_is_told(tmp_path: Path) -> None:
    graph, _, _ = team_graph(1, 0.0)
    closures = graph.closures
    back = Constraints(closures.rows[:5, ::-1], inverse(closures.T[:5]), closures.covariances[:5])
    itself = Constraints(np.array([[7, 7]]), np.eye(4)[None], closures.covariances[:1])
    doubled = Constraints.joined([closures, closures, back, itself])
    once, notes = counted_once(replace(graph, closures=doubled))
    np.testing.assert_array_equal(once.closures.rows, closures.rows)
    assert [note.split()[0] for note in notes] == [str(len(closures) + 5), "1"]
    same, none = counted_once(graph)
    assert same is graph and none == []


def test_paths_of_symbols_are_numbered_by_pose(tmp_path: Path) -> None:
    graph, _, _ = team_graph(1, 0.0)
    ids = (ord("a") + graph.robot).astype(np.int64) * 2**56 + np.tile(np.arange(120), 2)
    write_g2o(replace(graph, ids=ids), tmp_path / "team.g2o")
    solve_graph(tmp_path / "team.g2o", tmp_path / "out")
    for robot in "ab":
        stamps, poses = read_tum(tmp_path / "out" / "fused" / "trajectories" / f"{robot}.tum")
        np.testing.assert_array_equal(stamps, np.arange(120) * 10**9)
        assert len(poses) == 120


def test_an_edge_to_no_pose_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mixed.g2o"
    lines = [f"VERTEX_SE3:QUAT {10 + k} {k} 0 0 0 0 0 1" for k in range(2)]
    file.write_text("\n".join([*lines, "EDGE_SE2 10 9 1 0 0 1 0 0 1 0 1"]) + "\n")
    with pytest.raises(
        MappingError, match=r"mixed.g2o:3: .* 9 is no pose .* in 2D and poses are in 3D"
    ):
        read_g2o(file)


def test_what_a_file_says_of_other_things_is_counted_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "graph.g2o"
    write_g2o(drifting(0), file)
    file.write_text(f"# made by hand\nFIX 0\nPARAMS_SE3OFFSET 0 0 0 0 0 0 0 1\n{file.read_text()}")
    read_g2o(file)
    assert not caplog.messages
    marks = "VERTEX_TRACKXYZ 900 1 2 3\n" + "EDGE_SE3_TRACKXYZ 0 900 0 1 2 3\n" * 2
    file.write_text(file.read_text() + marks)
    read_g2o(file)
    assert "2 × EDGE_SE3_TRACKXYZ, 1 × VERTEX_TRACKXYZ" in caplog.text


@pytest.mark.parametrize("steps", [(1,), (10,), (3, 4, 9, 2)], ids=str)
def test_poses_that_count_in_wider_steps_are_one_path(
    tmp_path: Path, steps: tuple[int, ...]
) -> None:
    graph = drifting(0)
    ids = np.cumsum(np.resize(steps, len(graph)))
    write_g2o(replace(graph, ids=ids), tmp_path / "graph.g2o")
    found = read_g2o(tmp_path / "graph.g2o")
    assert found.names == ("robot",) and len(found.odometry) == len(graph) - 1
    assert np.array_equal(found.ids, ids)
    two = np.where(np.arange(len(ids)) < 40, ids, ids + 10**6)  # nothing joins what lies apart
    write_g2o(replace(graph, ids=two), tmp_path / "two.g2o")
    assert len(read_g2o(tmp_path / "two.g2o").names) == 2


def test_poses_that_closures_alone_join_do_not_follow_one_another(tmp_path: Path) -> None:
    graph = drifting(0)
    far = graph.closures.take(graph.closures.rows[:, 1] - graph.closures.rows[:, 0] > 1)
    rows = np.arange(4).reshape(-1, 2)
    few = Constraints(rows, far.T[:2], far.covariances[:2])
    ids, robot = np.array([3, 17, 40, 90]), np.arange(4)
    names = ("a", "b", "c", "d")
    write_g2o(
        PoseGraph(ids, graph.poses[:4], Constraints.none(), few, robot, names),
        tmp_path / "few.g2o",
    )
    assert len(read_g2o(tmp_path / "few.g2o").closures) == 2
    solved = solve_graph(tmp_path / "few.g2o", tmp_path / "out")
    assert any("the 4 poses are taken for 4 robots" in note for note in solved.notes)
