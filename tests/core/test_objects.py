"""Object maps: one small npz, nothing lost that matters, damage told in a line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import SceneError
from commonground.geometry import apply, from_xyz_yaw, inverse
from commonground.objects import ObjectMap, Submap, load_objects, save_objects


def some_objects(n: int = 50, d: int = 16, seed: int = 0) -> ObjectMap:
    rng = np.random.default_rng(seed)
    embeddings = rng.normal(size=(n, d)).astype(np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    spread = rng.normal(size=(n, 3, 3))
    submaps = tuple(
        Submap(
            i * 10**9,
            from_xyz_yaw([10 * i, 0, 0, 0.3 * i]),
            np.sort(rng.choice(n, min(n, 20), False)),
            "husky",
        )
        for i in range(n // 10)
    )
    return ObjectMap.of(
        rng.uniform(-100, 100, (n, 3)),
        sizes=rng.uniform(0.2, 3, (n, 3)),
        embeddings=embeddings,
        covariances=spread @ np.swapaxes(spread, 1, 2) * 0.01,
        shapes=rng.random((n, 4)).astype(np.float32),
        label_scores=rng.dirichlet(np.ones(4), n).astype(np.float32),
        vocabulary=("tree", "box", "sign", "car"),
        observations=rng.integers(1, 100, n),
        existence=rng.random(n).astype(np.float32),
        embedding_model="test-16",
        submaps=submaps,
        columns={"moving": rng.random(n) < 0.1},
        metadata={"robot": "husky"},
    )


def test_everything_comes_back(tmp_path: Path) -> None:
    objects = some_objects()
    save_objects(objects, tmp_path / "objects.npz")
    back = load_objects(tmp_path / "objects.npz")
    np.testing.assert_array_equal(back.ids, objects.ids)
    np.testing.assert_allclose(back.centroids, objects.centroids, atol=1e-4)
    np.testing.assert_allclose(back.covariances, objects.covariances, rtol=1e-5)
    np.testing.assert_allclose(back.boxes.sizes, objects.boxes.sizes, rtol=1e-6)
    np.testing.assert_allclose(back.label_scores, objects.label_scores, atol=1e-3)
    np.testing.assert_array_equal(back.columns["moving"], objects.columns["moving"])
    assert back.labels == objects.labels
    assert (back.vocabulary, back.embedding_model, back.frame) == (
        objects.vocabulary,
        "test-16",
        "map",
    )
    assert dict(back.metadata) == {"robot": "husky"}
    for a, b in zip(back.submaps, objects.submaps, strict=True):
        np.testing.assert_array_equal(a.rows, b.rows)
        np.testing.assert_allclose(a.T_map_submap, b.T_map_submap)
        assert (a.stamp_ns, a.robot) == (b.stamp_ns, b.robot)


def test_a_thousand_objects_fit_in_two_megabytes(tmp_path: Path) -> None:
    objects = some_objects(1000, 768)
    file = tmp_path / "objects.npz"
    save_objects(objects, file)
    assert file.stat().st_size <= 2_000_000
    back = load_objects(file).embeddings
    cosine = (back * objects.embeddings).sum(1) / np.linalg.norm(back, axis=1)
    assert (1 - cosine).max() < 0.01


def test_objects_without_embedding_or_labels(tmp_path: Path) -> None:
    objects = some_objects(12)
    rows = objects.embeddings.copy()
    rows[3] = np.nan
    from dataclasses import replace

    save_objects(replace(objects, embeddings=rows), tmp_path / "a.npz")
    back = load_objects(tmp_path / "a.npz")
    assert np.isnan(back.embeddings[3]).all()
    assert np.isfinite(np.delete(back.embeddings, 3, axis=0)).all()
    bare = ObjectMap.of(np.zeros((2, 3)))
    save_objects(bare, tmp_path / "b.npz")
    assert load_objects(tmp_path / "b.npz").labels == ["", ""]
    assert set(bare.features()) == {"shape", "size"}
    empty = ObjectMap.of(np.empty((0, 3)))
    save_objects(empty, tmp_path / "c.npz")
    assert len(load_objects(tmp_path / "c.npz")) == 0


def test_taking_and_moving_keep_submaps_consistent() -> None:
    objects = some_objects()
    keep = objects.existence > 0.5
    fewer = objects.take(keep)
    for before, after in zip(objects.submaps, fewer.submaps, strict=True):
        expected = objects.ids[before.rows][keep[before.rows]]
        np.testing.assert_array_equal(fewer.ids[after.rows], expected)
    T = from_xyz_yaw([3, 4, 5, 1])
    moved = objects.transformed(T, "elsewhere")
    np.testing.assert_allclose(moved.centroids, apply(T, objects.centroids))
    assert moved.frame == "elsewhere"
    for a, b in zip(moved.submaps, objects.submaps, strict=True):
        np.testing.assert_allclose(a.points(moved), b.points(objects), atol=1e-9)
    seen = np.arange(len(objects) * 6, dtype=np.float32).reshape(-1, 2, 3)
    whole = replace(objects, columns={**objects.columns, "points": seen, "viewpoints": seen[:, :1]})
    for name, column in whole.transformed(T).columns.items():
        if name in ("points", "viewpoints"):
            np.testing.assert_allclose(column, apply(T, whole.columns[name]), rtol=1e-5)
            assert column.dtype == np.float32
    back = moved.transformed(inverse(T))
    np.testing.assert_allclose(back.covariances, objects.covariances, atol=1e-12)


def test_files_that_are_no_object_maps(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    with pytest.raises(SceneError, match="no such file"):
        load_objects(file)
    for content in (b"", b"hello", b"PK\x03\x04garbage"):
        file.write_bytes(content)
        with pytest.raises(SceneError, match="a.npz"):
            load_objects(file)
    np.savez(file, x=np.zeros(3))
    with pytest.raises(SceneError, match="'header' is missing"):
        load_objects(file)
    np.savez(file, header=np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(SceneError, match="a.npz"):
        load_objects(file)


def rewritten(file: Path, **changes: Any) -> None:
    with np.load(file) as data:
        arrays = {k: data[k] for k in data.files}
    for key, change in changes.items():
        arrays[key] = change(arrays[key])
    np.savez(file, **arrays)


def test_damaged_object_maps(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"

    def future(raw: np.ndarray) -> np.ndarray:
        header = {**json.loads(raw.tobytes()), "schema": 99}
        return np.frombuffer(json.dumps(header).encode(), np.uint8)

    for key, change, message in (
        ("header", future, "schema 99"),
        ("centroids", lambda x: x * np.nan, "not finite"),
        ("submap_rows", lambda x: x + 1000, "not there"),
        ("observations", lambda x: x[:3], "'observations' has 3 rows, not 50"),
    ):
        save_objects(some_objects(), file)
        rewritten(file, **{key: change})
        with pytest.raises(SceneError, match=message):
            load_objects(file)
    save_objects(some_objects(), file)
    whole = file.read_bytes()
    for share in (0.2, 0.7, 0.99):
        file.write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(SceneError):
            load_objects(file)
