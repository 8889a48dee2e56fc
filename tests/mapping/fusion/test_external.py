"""Closures found elsewhere are read with care, and join robots that share no objects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from commonground.arrays import Floats
from commonground.errors import MappingError
from commonground.geometry import (
    exp_so3,
    from_xyz_yaw,
    interpolate,
    inverse,
    log_se3,
    quat_xyzw,
    transform,
)
from commonground.localization.settings import LocalizationSettings
from commonground.mapping.fusion.align import Aligned, align
from commonground.mapping.fusion.closures import Closure
from commonground.mapping.fusion.denied import Denied
from commonground.mapping.fusion.evaluation.teams import Team, made_up
from commonground.mapping.fusion.external import (
    COLUMNS,
    measured_here,
    read_closures,
    told_of_given,
)
from commonground.mapping.fusion.fuse import FusedMap, fuse
from commonground.mapping.fusion.g2o import write_g2o
from commonground.mapping.fusion.output import closure_table
from commonground.mapping.fusion.overlap import Shown
from commonground.mapping.fusion.posegraph import mahalanobis2, residuals
from commonground.mapping.fusion.robust import optimize
from commonground.mapping.fusion.team_graph import team_graph
from commonground.tum import write_tum

HEAD = ",".join(COLUMNS)
SETTINGS = LocalizationSettings()


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


@pytest.mark.parametrize("tilted", [True, False])
def test_closures_between_keyframes_are_carried_to_them(
    blind: Team, tmp_path: Path, tilted: bool
) -> None:
    """Times halfway between keyframes, 1 m or more from them, and bodies whose noses point down."""
    tilt = transform(exp_so3(np.array([0.03, 0.09, 0.0])), np.zeros(3))
    runs, true, halfway = [], [], []
    for run, world in zip(blind.runs, blind.paths, strict=True):
        middle = (run.stamps_ns[:-1] + run.stamps_ns[1:]) // 2
        stamps = np.concatenate([run.stamps_ns, middle])
        order = np.argsort(stamps)
        folder = tmp_path / run.name
        folder.mkdir()
        keys = inverse(world[0]) @ world
        poses = np.concatenate([keys, interpolate(keys[:-1], keys[1:], 0.5)])
        write_tum(folder / "trajectory.tum", stamps[order], (poses @ tilt)[order])
        runs.append(replace(run, folder=folder, poses=keys))
        true.append(interpolate(world[:-1], world[1:], 0.5) @ (tilt if tilted else np.eye(4)))
        halfway.append(middle)
    lines = []
    for i in range(8):
        T = inverse(true[0][i]) @ true[1][i]
        numbers = ",".join(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))
        lines.append(f"robot0,{halfway[0][i]},robot1,{halfway[1][i]},{numbers},0.1,1")
    file = tmp_path / "closures.csv"
    file.write_text("\n".join([f"{HEAD},sigma_m,sigma_deg", *lines]) + "\n")
    given, told = read_closures(file, runs)
    assert told == [] and len(given) == 8
    for closure in given:
        i, j = closure.keyframes
        away = log_se3(inverse(inverse(blind.paths[0][i]) @ blind.paths[1][j]) @ closure.T)
        assert np.linalg.norm(away[:3]) < 0.01 and np.linalg.norm(away[3:]) < 1e-3
        assert closure.covariance[0, 0] > 0.1**2  # the odometry on the way adds its own


GOOD = "robot0,0,robot1,0,0,0,0,0,0,0,1"
BAD = [
    ("robot_1,stamp_1_ns\nrobot0,0\n", "column robot_2 is missing"),
    ("", "the file is empty"),
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


@pytest.fixture(scope="module")
def lookalikes() -> Team:
    """Two robots that never came near one another and passed places that look alike."""
    team = made_up(seed=0, robots=4, submaps=14, extent_m=160.0)
    return replace(team, runs=team.runs[:3:2], paths=team.paths[:3:2])


def claims(team: Team, folder: Path, count: int, error: Floats | None = None) -> list[Closure]:
    """Return closures of a table: the true ones, a little off, or such as are all wrong in the same way."""
    rng = np.random.default_rng(7)
    error = np.eye(4) if error is None else error
    lines = [HEAD]
    one, two = team.runs
    for k in range(count):
        i, j = k % len(one.poses), 5 * k % len(two.poses)
        T = inverse(team.paths[0][i]) @ error @ team.paths[1][j]
        T = T @ from_xyz_yaw([*rng.normal(0, 0.1, 3), rng.normal(0, 0.01)])
        numbers = ",".join(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))
        lines.append(f"{one.name},{one.stamps_ns[i]},{two.name},{two.stamps_ns[j]},{numbers}")
    file = folder / "claims.csv"
    file.write_text("\n".join(lines) + "\n")
    return read_closures(file, team.runs)[0]


def aligned(team: Team, given: list[Closure]) -> Aligned:
    return align(team.runs, SETTINGS, np.random.default_rng(0), given)


def is_joined(found: Aligned) -> bool:
    return len(set(found.optimized.component.tolist())) == 1


@pytest.mark.parametrize("turned", [False, True])
def test_a_wrong_row_lets_no_refused_join_in(
    lookalikes: Team, tmp_path: Path, turned: bool
) -> None:
    alone = aligned(lookalikes, [])
    assert not is_joined(alone) and "look alike" in alone.notes[0]
    one, two = (run.name for run in (lookalikes.runs[::-1] if turned else lookalikes.runs))
    file = tmp_path / "claims.csv"
    file.write_text(f"{HEAD}\n{one},0,{two},0,400,300,0,0,0,0,1\n")
    given, _ = read_closures(file, lookalikes.runs)
    found = aligned(lookalikes, given)
    assert not is_joined(found) and found.notes == alone.notes
    np.testing.assert_allclose(found.optimized.poses, alone.optimized.poses, atol=1e-6)
    told = told_of_given(given, found.closures, found.optimized)
    assert told.startswith("0 of 1 closures are used; 1 do not prove")


def test_right_closures_join_though_what_looks_alike_says_otherwise(
    lookalikes: Team, tmp_path: Path
) -> None:
    given = claims(lookalikes, tmp_path, 14)
    found = aligned(lookalikes, given)
    assert is_joined(found)
    for closure, used in zip(found.closures, found.optimized.accepted, strict=True):
        one, two = (p[k] for p, k in zip(lookalikes.paths, closure.keyframes, strict=True))
        off = np.linalg.norm((inverse(closure.T) @ inverse(one) @ two)[:3, 3])
        assert not used or off < 2.0
    assert told_of_given(given, found.closures, found.optimized) == ""
    (told,) = [str(refused) for refused in found.refused]
    assert "not joined as their maps say, but as closures from elsewhere do" in told


@pytest.mark.parametrize("count", [1, 30])
def test_wrong_closures_that_agree_undo_no_sound_join(
    team: Team, tmp_path: Path, count: int
) -> None:
    two = replace(team, runs=team.runs[:2], paths=team.paths[:2])
    given = claims(two, tmp_path, count, from_xyz_yaw([25.0, 10.0, 0.0, 1.0]))
    found = aligned(two, given)
    assert is_joined(found)
    used = [c for c, yes in zip(found.closures, found.optimized.accepted, strict=True) if yes]
    assert len(used) > 20 and not any(c.given for c in used)
    told = told_of_given(given, found.closures, found.optimized)
    assert (
        told == f"0 of {count} closures are used; {count} contradict the map that the others make"
    )


def test_where_only_what_is_given_joined_robots_wrongly_what_was_found_stays(
    team: Team, tmp_path: Path
) -> None:
    two = replace(team, runs=team.runs[:2], paths=team.paths[:2])
    own = [c for c in aligned(two, []).blind if c.evidence > 0]
    wrong = claims(two, tmp_path, 9, from_xyz_yaw([25.0, 10.0, 0.0, 1.0]))
    shown, denied = Shown((0, 1), 40, 2), Denied(two.runs)
    for joining, left in ((wrong, own), (own, wrong)):
        optimized = optimize(team_graph(two.runs, joining), np.random.default_rng(0))
        assert len(set(optimized.component.tolist())) == 1
        assert denied.first_without(shown, [*own, *wrong], joining, optimized) == left


def test_a_row_says_the_same_whichever_robot_it_names_first(team: Team, tmp_path: Path) -> None:
    two = replace(team, runs=team.runs[:2], paths=team.paths[:2])
    (ahead,) = claims(two, tmp_path, 1)
    names = [run.name for run in two.runs]
    T = inverse(ahead.T)
    numbers = ",".join(f"{v:.9g}" for v in (*T[:3, 3], *quat_xyzw(T)))
    file = tmp_path / "turned.csv"
    file.write_text(f"{HEAD},sigma_m\n{names[1]},0,{names[0]},0,{numbers},0.2\n")
    ((back,), _) = read_closures(file, two.runs)
    assert (back.robots, back.submaps) == (ahead.robots, ahead.submaps) == ((0, 1), (0, 0))
    np.testing.assert_allclose(back.T, ahead.T, atol=1e-6)
    graph = team_graph(two.runs, [back])
    off = graph.poses @ from_xyz_yaw([0.0, 0.0, 0.0, 0.0])
    off[len(two.runs[0].poses)] = off[0] @ back.T @ from_xyz_yaw([0.0, 0.0, 0.4, 0.0])
    square = mahalanobis2(residuals(graph.closures, off), graph.closures.covariances)
    assert square[0] == pytest.approx(4.0), "0.4 m are two standard deviations from either side"
