"""Closures found elsewhere are read with care, and join robots that share no objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.geometry import from_xyz_yaw, inverse, quat_xyzw
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import align
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.mapping.fusion.external import COLUMNS, measured_here, read_closures
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.output import closure_table

HEAD = ",".join(COLUMNS)


@pytest.fixture(scope="module")
def blind() -> Team:
    """Two robots that passed the same streets and saw no objects."""
    team = made_up(seed=5, robots=2, submaps=12, extent_m=100.0)
    runs = [replace(r, objects=r.objects.take([])) for r in team.runs]
    return replace(team, runs=runs)


def line(team: Team, i: int, j: int) -> str:
    T = inverse(team.paths[0][i]) @ team.paths[1][j]
    stamps = [int(team.runs[k].stamps_ns[n]) for k, n in ((0, i), (1, j))]
    numbers = ",".join(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))
    return f"robot0,{stamps[0]},robot1,{stamps[1]},{numbers}"


def test_closures_from_a_table_join_robots(blind: Team, tmp_path: Path) -> None:
    file = tmp_path / "closures.csv"
    lines = [line(blind, i, i) for i in range(12)]
    file.write_text("\n".join([HEAD, *lines]) + "\n")
    given, told = read_closures(file, blind.runs)
    assert told == []
    assert [c.keyframes for c in given] == [(i, i) for i in range(12)]
    found = align(blind.runs, LocalizationSettings(), np.random.default_rng(0), given)
    assert found.optimized.accepted.all()
    assert len(set(found.optimized.component.tolist())) == 1


GOOD = "robot0,0,robot1,0,0,0,0,0,0,0,1"
BAD = [
    ("robot_1,stamp_1_ns\nrobot0,0\n", "column robot_2 is missing"),
    (f"{HEAD}\n{GOOD.replace('robot1', 'rover')}\n", "no robot 'rover'; there are robot0, robot1"),
    (f"{HEAD}\n{GOOD}\n{GOOD.replace(',1', ',one')}\n", r"\.csv:3: qw = 'one' is no number"),
    (f"{HEAD}\nrobot0,x,robot1,0,0,0,0,0,0,0,1\n", "no whole number"),
    (f"{HEAD}\nrobot0,0,robot1,0,nan,0,0,0,0,0,1\n", "x is not finite"),
    (f"{HEAD}\nrobot0,0,robot1,0,0,0,0,0,0,0,0\n", "no rotation"),
    (f"{HEAD}\nrobot0,999999999999999,robot1,0,0,0,0,0,0,0,1\n", "no keyframe within 5 s"),
    (f"{HEAD},sigma_m\n{GOOD},-1\n", "must be positive"),
    (f"{HEAD},covariance\n{GOOD},1 0 0\n", "21 numbers"),
    (f"{HEAD},covariance\n{GOOD},{'-1 ' * 21}\n", "not positive definite"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_tables_are_told(blind: Team, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "closures.csv"
    file.write_text(text)
    with pytest.raises(MappingError, match=message):
        read_closures(file, blind.runs)


def test_a_table_that_is_not_there(blind: Team, tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="cannot be read"):
        read_closures(tmp_path / "none.csv", blind.runs)


def test_closures_with_robots_that_were_left_out_are_passed_over(
    blind: Team, tmp_path: Path
) -> None:
    file = tmp_path / "closures.csv"
    file.write_text("\n".join([HEAD, line(blind, 3, 3), GOOD.replace("robot1", "broken")]) + "\n")
    given, told = read_closures(file, blind.runs, {"broken"})
    assert len(given) == 1
    assert told == [f"{file}: 1 closures are with robots that were left out"]
    graph = tmp_path / "closures.g2o"
    graph.write_text("")
    given, told = read_closures(graph, blind.runs, {"broken"})
    assert given == []
    assert "without broken nobody knows which are whose" in told[0]


def test_closures_of_a_keyframe_with_itself_are_told(blind: Team, tmp_path: Path) -> None:
    file = tmp_path / "closures.csv"
    file.write_text("\n".join([HEAD, line(blind, 3, 3), GOOD.replace("robot1", "robot0")]) + "\n")
    given, told = read_closures(file, blind.runs)
    assert len(given) == 1
    assert told == [f"{file}: 1 closures join a keyframe to itself"]


def test_a_table_without_rows_is_told(blind: Team, tmp_path: Path) -> None:
    file = tmp_path / "closures.csv"
    file.write_text(HEAD + "\n")
    assert read_closures(file, blind.runs) == ([], [f"{file}: holds no closures"])


def test_closures_of_a_robot_whose_odometry_jumped_find_its_parts(
    blind: Team, tmp_path: Path
) -> None:
    one, two = blind.runs
    early = replace(one, stamps_ns=one.stamps_ns[:5], poses=one.poses[:5])
    late = replace(early, name="robot0-2", part_of="robot0", stamps_ns=one.stamps_ns[5:])
    file = tmp_path / "closures.csv"
    file.write_text("\n".join([HEAD, line(blind, 4, 4), line(blind, 5, 5)]) + "\n")
    given, _ = read_closures(file, [early, late, two])
    assert [(c.robots, c.keyframes) for c in given] == [((0, 2), (4, 4)), ((1, 2), (0, 5))]


@pytest.fixture(scope="module")
def solved() -> FusedMap:
    """Two robots that were joined by what they saw."""
    team = made_up(seed=5, robots=2, submaps=8, extent_m=100.0)
    return fuse(team.runs, LocalizationSettings(), np.random.default_rng(0))


def given_back(solved: FusedMap, tmp_path: Path, form: str) -> list[Closure]:
    file = tmp_path / form
    if form == "closures.csv":
        file.write_text(closure_table(solved))
    else:
        write_g2o(solved.posegraph, file)
    given, told = read_closures(file, solved.runs)
    assert told == []
    return given


def test_the_table_of_closures_reads_back_as_it_was(solved: FusedMap, tmp_path: Path) -> None:
    given = given_back(solved, tmp_path, "closures.csv")
    assert len(given) == len(solved.closures) > 0
    for back, own in zip(given, solved.closures, strict=True):
        assert (back.robots, back.keyframes) == (own.robots, own.keyframes)
        np.testing.assert_allclose(back.T, own.T, atol=1e-6)
        np.testing.assert_allclose(back.covariance, own.covariance, rtol=1e-4, atol=1e-9)


@pytest.mark.parametrize("form", ["closures.csv", "closures.g2o"])
def test_what_was_found_here_counts_once_though_it_is_given_again(
    solved: FusedMap, tmp_path: Path, form: str
) -> None:
    given = given_back(solved, tmp_path, form)
    again = align(solved.runs, LocalizationSettings(), np.random.default_rng(0), given)
    assert len(again.closures) == len(solved.closures)
    assert not any(c.given for c in again.closures)
    np.testing.assert_allclose(again.optimized.poses, solved.optimized.poses, atol=1e-6)


def test_what_contradicts_a_closure_found_here_is_no_repetition(solved: FusedMap) -> None:
    own = solved.closures[0]
    same = replace(own, given=True)
    turned = replace(
        same,
        robots=own.robots[::-1],
        keyframes=own.keyframes[::-1],
        T=inverse(own.T),
    )
    elsewhere = replace(same, T=from_xyz_yaw([30.0, 0, 0, 0]) @ own.T)
    assert measured_here(same, [own]) and measured_here(turned, [own])
    assert not measured_here(elsewhere, [own])
    assert not measured_here(own, [own])
    assert not measured_here(same, [same])
