"""What travels of a map: only what is new, in few bytes, and close to what was sent."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from commonground.live.team.packets import applied, digest, packet
from commonground.live.team.tables import Table, table
from commonground.live.team.travelling import save_tables, sketch_of, tables_of
from commonground.mapping.fusion.evaluation.teams import made_up, so_far
from commonground.mapping.fusion.inputs import load_run
from commonground.mapping.fusion.robot_run import RobotRun

SEEN = {"history_stamp_ns": np.int64, "history_range_m": np.float32, "points": np.float32}


@cache
def a_run() -> RobotRun:
    """Return a map of twenty submaps."""
    return made_up(seed=8, robots=1, submaps=20, extent_m=100.0).runs[0]


def glances() -> dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]:
    """Columns of objects as perception gives them."""
    n = len(a_run().objects)
    return {k: np.ones((n, 32) + (3,) * (k == "points"), kind) for k, kind in SEEN.items()}


def test_a_map_that_travelled_is_the_map_but_for_centimeters(tmp_path: Path) -> None:
    sent = tables_of(a_run(), ended=True)
    came = applied({}, packet({}, sent))
    assert digest(came) == digest(sent)
    save_tables(came, "robot0", tmp_path / "robot0")
    back = load_run(tmp_path / "robot0")
    assert np.abs(back.objects.centroids - a_run().objects.centroids).max() <= 0.005 + 1e-6
    assert np.abs(back.poses - a_run().poses).max() < 0.01
    assert np.abs(back.odometry.T - a_run().odometry.T).max() < 1e-3
    ratio = np.linalg.inv(back.odometry.covariances) @ a_run().odometry.covariances
    np.testing.assert_allclose(ratio, np.broadcast_to(np.eye(6), ratio.shape), atol=0.1)
    for one, two in zip(back.objects.submaps, a_run().objects.submaps, strict=True):
        assert one.rows.tolist() == two.rows.tolist()
    ground, before = back.graph.surface_places, a_run().graph.surface_places
    assert ground.names == before.names and len(ground.edges) == len(before.edges)
    assert ground.boundaries is not None and before.boundaries is not None
    assert np.abs(ground.boundaries.points[:, :2] - before.boundaries.points[:, :2]).max() < 0.11


def test_of_many_glances_some_travel_and_what_did_not_is_unknown(tmp_path: Path) -> None:
    objects = replace(a_run().objects, columns={**a_run().objects.columns, **glances()})
    sent = tables_of(replace(a_run(), objects=objects), ended=True)
    save_tables(applied({}, packet({}, sent)), "robot0", tmp_path / "robot0")
    back = load_run(tmp_path / "robot0").objects.columns
    assert back["points"].shape == objects.columns["points"].shape
    assert (back["history_stamp_ns"] > 0).sum() < objects.columns["history_stamp_ns"].size
    assert np.isfinite(back["history_range_m"]).any()


def test_ground_that_still_changes_does_not_travel_yet(tmp_path: Path) -> None:
    early = so_far(a_run(), 1)
    sent = tables_of(early, ended=False)
    save_tables(applied({}, packet({}, sent)), "robot0", tmp_path / "robot0")
    assert (
        len(load_run(tmp_path / "robot0").graph.surface_places)
        == 0
        < len(early.graph.surface_places)
    )


def _raised(fixed: bytes) -> bytes:
    return (np.frombuffer(fixed, "<i4") + np.int32(1)).astype(np.int32).tobytes()


def test_only_what_is_new_travels() -> None:
    early, late = (sketch_of(so_far(a_run(), submaps)) for submaps in (19, 20))
    step, whole = packet(early, late), packet({}, late)
    assert digest(applied(early, step)) == digest(late)
    assert len(step) < 0.35 * len(whole)
    assert len(packet(late, late)) < 150
    # of what changed only the difference travels
    moved = {
        k: Table(t.meta, {n: (_raised(row[0]), *row[1:]) for n, row in t.rows.items()})
        for k, t in late.items()
    }
    step = packet(late, moved)
    assert digest(applied(late, step)) == digest(moved)
    assert len(step) < 0.15 * len(whole)
    # what is gone is gone there too
    assert digest(applied(late, packet(late, early))) == digest(early)


def test_what_is_no_packet_is_told() -> None:
    cut_off = packet({}, sketch_of(a_run()))[:-30]
    for spoiled in (b"", b"\xff" * 40, cut_off):
        with pytest.raises(ValueError, match="packet"):
            applied({}, spoiled)


def test_what_is_not_known_stays_so() -> None:
    sent = {
        "a": table([3, 7], {"sizes": np.array([[np.nan], [2.0]]), "seen_ns": np.array([5, 10**18])})
    }
    came = applied({}, packet({}, sent))
    assert digest(came) == digest(sent)
