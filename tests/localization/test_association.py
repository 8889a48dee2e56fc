"""Which objects are the same: what a user hands in, and what must never come out."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import LocalizationError
from commonground.geometry import apply, exp_so3, from_xyz_yaw, inverse, log_se3, transform
from commonground.localization.association import Association, Verdict, associate
from commonground.localization.evaluation.problems import Known, point_sets, scattered_maps


def solve(known: Known, *, appearance: bool = True, **options: object) -> Association:
    features = {"features1": known.features1, "features2": known.features2} if appearance else {}
    return associate(known.points1, known.points2, known.pairs, **features, **options)  # type: ignore[arg-type]


def right(known: Known, answer: Association) -> bool:
    turn, miss = known.error(answer.T_2_1)
    return turn < 5 and miss < 1


def precision_recall(known: Known, answer: Association) -> tuple[float, float]:
    assert known.right is not None
    hits = int(known.right[answer.rows].sum())
    return hits / max(len(answer.rows), 1), hits / max(known.shared, 1)


# ---- what it finds ----


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize(("shared", "least"), [(20, 1.0), (8, 0.95), (6, 0.8)])
def test_finds_the_few_objects_that_two_maps_share(
    shared: int, least: float, upright: bool
) -> None:
    found = accepted = 0
    for seed in range(20):
        known = scattered_maps(
            np.random.default_rng([1, seed, shared]), 40, shared, upright=upright
        )
        answer = solve(known, gravity=upright)
        found += right(known, answer)
        accepted += answer.accepted
        assert right(known, answer) or not answer.accepted
    assert found >= 20 * least
    assert accepted >= round(20 * (least - 0.1))


@pytest.mark.parametrize("upright", [True, False])
@pytest.mark.parametrize("appearance", [True, False])
def test_accepts_nothing_where_nothing_is_shared(upright: bool, appearance: bool) -> None:
    for seed in range(25):
        known = scattered_maps(np.random.default_rng([2, seed]), 40, 0)
        answer = solve(known, appearance=appearance, gravity=upright)
        assert not answer.accepted
        assert answer.confidence < 0.9


@pytest.mark.parametrize("wrong", [0.8, 0.95])
def test_separates_right_pairs_from_many_wrong_ones(wrong: float) -> None:
    known = point_sets(np.random.default_rng(3), 1000, wrong, 0.003)
    answer = solve(known, appearance=False, noise_m=0.01)
    precision, recall = precision_recall(known, answer)
    assert precision > 0.99
    assert recall > 0.95
    assert answer.accepted
    assert known.error(answer.T_2_1)[0] < 0.3


def test_the_bunny_with_nine_of_ten_pairs_wrong(shared: Path) -> None:
    open3d = pytest.importorskip("open3d")
    surface = np.asarray(open3d.io.read_point_cloud(str(shared / "data/bun10k.ply")).points)
    rng = np.random.default_rng(4)
    p1 = surface[rng.choice(len(surface), 1000, replace=False)]
    T = transform(exp_so3(np.array([0.4, -1.0, 2.0])), np.array([3.0, -1.0, 0.5]))
    p2 = apply(T, p1) + rng.uniform(-0.005, 0.005, p1.shape)
    i = rng.permutation(1000)
    j = np.where(np.arange(1000) < 100, i, rng.integers(1000, size=1000))
    for noise_m in (0.003, 0.01):  # half a dozen per cent of the bunny: the given noise is generous
        answer = associate(p1, p2, np.stack([i, j], axis=1), noise_m=noise_m)
        hits = (i == j)[answer.rows]
        assert hits.mean() > 0.93
        assert hits.sum() > 95
        assert np.degrees(np.linalg.norm(log_se3(inverse(T) @ answer.T_2_1)[3:])) < 2.0


def test_an_association_refers_to_the_given_rows() -> None:
    known = scattered_maps(np.random.default_rng(5), 30, 15)
    answer = solve(known, gravity=True)
    assert (answer.rows == answer.pairs[:, 0] * 30 + answer.pairs[:, 1]).all()
    assert (np.diff(answer.rows) > 0).all()
    assert len(set(answer.pairs[:, 0])) == len(set(answer.pairs[:, 1])) == len(answer)
    shuffled = np.random.default_rng(0).permutation(900)
    pairs = np.stack([shuffled // 30, shuffled % 30], axis=1)
    same = solve(dataclasses.replace(known, pairs=pairs), gravity=True)
    assert sorted(map(tuple, pairs[same.rows])) == sorted(map(tuple, answer.pairs))
    np.testing.assert_allclose(same.T_2_1, answer.T_2_1, atol=1e-6)


def test_two_runs_give_the_same_answer() -> None:
    known = scattered_maps(np.random.default_rng(6), 40, 8)
    one, two = solve(known, gravity=True), solve(known, gravity=True)
    assert (one.T_2_1 == two.T_2_1).all() and (one.rows == two.rows).all()
    assert one.confidence == two.confidence


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.floats(-np.pi, np.pi), st.floats(-100, 100), st.floats(-100, 100))
def test_the_answer_moves_with_the_maps(seed: int, yaw: float, x: float, y: float) -> None:
    known = scattered_maps(np.random.default_rng(seed), 30, 15)
    T = from_xyz_yaw(np.array([x, y, 3.0, yaw]))
    plain = solve(known, gravity=True)
    moved = solve(dataclasses.replace(known, points1=apply(T, known.points1)), gravity=True)
    assert (moved.rows == plain.rows).all()
    # the last reweighting stops on a threshold, far below the noise of 0.3 m
    np.testing.assert_allclose(moved.T_2_1 @ T, plain.T_2_1, atol=5e-3)
    assert moved.confidence == pytest.approx(plain.confidence, abs=1e-2)


# ---- how sure it says it is ----


@pytest.mark.parametrize("upright", [True, False])
def test_the_covariance_tells_the_error(upright: bool) -> None:
    squares = []
    for seed in range(40):
        known = scattered_maps(np.random.default_rng([8, seed]), 40, 15, upright=upright)
        answer = solve(known, gravity=upright)
        xi = log_se3(inverse(answer.T_2_1) @ known.T_2_1)
        squares.append(xi @ np.linalg.solve(answer.covariance, xi))
        assert (np.linalg.eigvalsh(answer.covariance) > 0).all()
    free = 4 if upright else 6
    assert 0.6 * free < np.mean(squares) < 1.6 * free


def test_confidence_is_how_often_it_is_right() -> None:
    confidence, correct = [], []
    for seed in range(150):
        rng = np.random.default_rng([9, seed])
        known = scattered_maps(rng, 40, int(rng.choice([0, 4, 6, 8, 12])))
        answer = solve(known, gravity=True)
        confidence.append(answer.confidence)
        correct.append(right(known, answer))
    p, y = np.array(confidence), np.array(correct)
    bins = np.minimum((p * 5).astype(int), 4)
    gap = sum(
        abs(p[bins == b].mean() - y[bins == b].mean()) * (bins == b).mean() for b in np.unique(bins)
    )
    assert gap < 0.08  # of which about half is the luck of 150 draws


def test_the_noise_is_estimated() -> None:
    known = scattered_maps(np.random.default_rng(10), 60, 50, noise_m=0.08)
    assert solve(known, gravity=True, noise_m=0.2).noise_m == pytest.approx(0.08, rel=0.25)


# ---- what it must refuse ----


def grid_of_lamps(n: int, rng: np.random.Generator) -> Known:
    x, y = np.meshgrid(np.arange(n) * 4.0, np.arange(n) * 4.0)
    p = np.stack([x.ravel(), y.ravel(), np.full(n * n, 1.0)], axis=1)
    T = from_xyz_yaw(np.array([3.0, 2.0, 0.0, rng.uniform(-3, 3)]))
    look = [{"embedding": 1.0 + 0.1 * rng.normal(size=(n * n, 8))} for _ in range(2)]
    noisy1, noisy2 = p + rng.normal(0, 0.1, p.shape), apply(T, p) + rng.normal(0, 0.1, p.shape)
    return Known(noisy1, noisy2, T, features1=look[0], features2=look[1])


@pytest.mark.parametrize("gravity", [True, None])
@pytest.mark.parametrize("appearance", [True, False])
@pytest.mark.parametrize("n", [3, 6])
def test_a_grid_of_equal_things_is_ambiguous(
    n: int, appearance: bool, gravity: bool | None
) -> None:
    answer = solve(
        grid_of_lamps(n, np.random.default_rng(11)), appearance=appearance, gravity=gravity
    )
    assert answer.ambiguous and not answer.accepted


def test_a_row_of_posts_may_be_shifted() -> None:
    posts = np.stack([np.arange(10) * 5.0, np.zeros(10), np.zeros(10)], axis=1)
    answer = associate(posts, posts[:8] + [40.0, 7.0, 0.0], gravity=True)
    assert answer.ambiguous


def test_a_mirrored_street_is_told_by_what_stands_beside_it() -> None:
    """Posts along a street agree with their mirror image; only what stands to the side does not."""
    rng = np.random.default_rng(21)
    along = np.sort(rng.uniform(-25, 25, 8))
    posts = np.stack([along, rng.normal(0, 0.1, 8), rng.uniform(1, 6, 8)], axis=1)
    aside = np.stack(
        [rng.uniform(-25, 25, 6), rng.uniform(4, 9, 6), rng.uniform(0.5, 2, 6)], axis=1
    )
    street = np.concatenate([posts, aside])
    seen = street + rng.normal(0, 0.05, street.shape)
    T = from_xyz_yaw(np.array([4.0, -2.0, 0.0, 0.7]))
    assert associate(seen, apply(T, street), gravity=True).accepted
    answer = associate(seen * [1.0, -1.0, 1.0], apply(T, street), gravity=True)
    assert answer.verdict is Verdict.INCONSISTENT


@pytest.mark.parametrize("gravity", [True, None])
@pytest.mark.parametrize("appearance", [True, False])
def test_a_mirrored_layout_is_never_accepted(appearance: bool, gravity: bool | None) -> None:
    for seed in range(6):
        known = scattered_maps(np.random.default_rng([12, seed]), 40, 30)
        mirrored = dataclasses.replace(known, points2=known.points2 * [1.0, -1.0, 1.0])
        assert not solve(mirrored, appearance=appearance, gravity=gravity).accepted


@pytest.mark.parametrize("scale", [0.8, 1.1, 1.5])
def test_a_map_of_another_scale_is_never_accepted(scale: float) -> None:
    for gravity in (True, None):
        known = scattered_maps(np.random.default_rng(13), 40, 30)
        answer = solve(dataclasses.replace(known, points2=known.points2 * scale), gravity=gravity)
        assert not answer.accepted


@pytest.mark.parametrize("tilt_deg", [6.0, 10.0, 20.0])
def test_a_map_that_is_not_upright_is_never_accepted_as_upright(tilt_deg: float) -> None:
    R = exp_so3(np.array([np.radians(tilt_deg), 0, 0]))
    for seed in range(4):
        known = scattered_maps(np.random.default_rng([14, seed]), 40, 30)
        tipped = dataclasses.replace(known, points2=known.points2 @ R.T)
        assert not solve(tipped, gravity=True).accepted
        assert right(
            dataclasses.replace(known, T_2_1=transform(R, np.zeros(3)) @ known.T_2_1), solve(tipped)
        )


def test_embeddings_of_different_models_are_refused() -> None:
    known = scattered_maps(np.random.default_rng(15), 40, 8)
    assert known.features1 is not None and known.features2 is not None
    other = dict(known.features2, embedding=known.features2["embedding"][:, :32])
    with pytest.raises(LocalizationError, match="different models"):
        solve(dataclasses.replace(known, features2=other), gravity=True)
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(48, 48)))[0]
    other = {"embedding": known.features2["embedding"] @ turned}
    one = {"embedding": known.features1["embedding"]}
    answer = solve(dataclasses.replace(known, features1=one, features2=other), gravity=True)
    assert not answer.accepted


@pytest.mark.parametrize("gravity", [True, None])
@pytest.mark.parametrize(("n1", "n2"), [(0, 0), (0, 5), (1, 1), (1, 40), (2, 2), (3, 3)])
def test_too_few_objects_are_no_error_and_no_answer(n1: int, n2: int, gravity: bool | None) -> None:
    p = np.random.default_rng(16).uniform(-10, 10, (40, 3))
    answer = associate(p[:n1], p[:n2], gravity=gravity)
    assert not answer.accepted
    assert np.isfinite(answer.T_2_1).all() and np.isfinite(answer.covariance).all()
    assert 0.0 <= answer.confidence <= 0.9


def test_objects_on_a_line_do_not_fix_a_free_rotation() -> None:
    rng = np.random.default_rng(17)
    line = np.stack([np.cumsum(rng.uniform(2, 8, 14)), np.zeros(14), np.zeros(14)], axis=1)
    noisy = [line + rng.normal(0, 0.1, line.shape) for _ in range(2)]
    assert not associate(*noisy).accepted
    assert associate(*noisy, gravity=True).accepted  # upright, a line has a heading


def test_rows_that_are_not_finite_are_left_out() -> None:
    known = scattered_maps(np.random.default_rng(18), 40, 20)
    assert known.features1 is not None
    p, embedding = known.points1.copy(), known.features1["embedding"].copy()
    p[3], p[5, 1], embedding[7] = np.nan, np.inf, np.nan
    broken = dataclasses.replace(
        known, points1=p, features1={**known.features1, "embedding": embedding}
    )
    answer = solve(broken, gravity=True)
    assert answer.accepted
    assert right(dataclasses.replace(broken, points1=known.points1), answer)
    assert not {3, 5} & set(answer.pairs[:, 0].tolist())


def test_all_objects_in_one_place_say_nothing() -> None:
    for gravity in (True, None):
        assert (
            associate(np.zeros((10, 3)), np.zeros((10, 3)), gravity=gravity).verdict
            is Verdict.CHANCE
        )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"points1": np.zeros((3, 40))}, "transpose"),
        ({"points1": [["a", "b", "c"]]}, "numbers"),
        ({"pairs": [[0, 99]]}, "40 objects"),
        ({"pairs": [[0.5, 1.0]]}, "whole numbers"),
        ({"noise_m": 0.0}, "noise_m"),
        ({"noise_m": float("nan")}, "noise_m"),
        ({"features1": {"embeding": np.ones((40, 2))}}, "Did you mean 'embedding'"),
        ({"features1": {"embedding": np.ones((39, 2))}}, "39 rows for 40 objects"),
        ({"features1": {"covariance": np.ones((40, 3))}}, "covariance"),
    ],
)
def test_a_mistake_is_told_in_one_line(change: dict[str, object], message: str) -> None:
    arguments: dict[str, object] = {
        "points1": np.zeros((40, 3)),
        "points2": np.zeros((40, 3)),
        **change,
    }
    with pytest.raises(LocalizationError, match=message) as error:
        associate(**arguments)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


# ---- what else it takes ----


def test_a_covariance_weighs_the_objects() -> None:
    rng = np.random.default_rng(19)
    known = scattered_maps(rng, 40, 30, noise_m=0.05)
    assert known.features1 is not None and known.right is not None
    loose = rng.random(40) < 0.5
    wander = rng.normal(0, 1.0, (40, 3)) * loose[:, None]
    covariance = np.where(loose[:, None, None], np.eye(3), np.eye(3) * 1e-4)
    blurred = dataclasses.replace(known, points1=known.points1 + wander)
    told = dataclasses.replace(blurred, features1={**known.features1, "covariance": covariance})
    answer = solve(told, gravity=True, noise_m=0.05)
    assert answer.accepted
    assert known.error(answer.T_2_1)[1] < 0.1


@pytest.mark.parametrize("form", ["words", "numbers", "scores"])
def test_labels_in_any_form_help(form: str) -> None:
    rng = np.random.default_rng(20)
    gains = []
    for seed in range(8):
        known = scattered_maps(np.random.default_rng([20, seed]), 40, 10)
        assert known.right is not None
        kinds = rng.integers(12, size=(2, 40))
        for i, j in np.argwhere(known.right.reshape(40, 40)):
            kinds[1, j] = kinds[0, i]
        words = np.array([f"kind {k}" for k in range(12)])
        label = {
            "words": words[kinds],
            "numbers": kinds,
            "scores": np.eye(12)[kinds] * 0.8 + 0.2 / 12,
        }[form]
        plain = solve(known, appearance=False, gravity=True)
        one, two = ({"label": label[s]} for s in range(2))
        labeled = solve(dataclasses.replace(known, features1=one, features2=two), gravity=True)
        gains.append(labeled.log_evidence - plain.log_evidence)
    assert np.median(gains) > 5.0


def test_a_large_problem_without_features_stays_affordable() -> None:
    known = scattered_maps(np.random.default_rng(21), 250, 200, radius_m=60.0)
    answer = solve(known, appearance=False, gravity=True)
    assert answer.accepted
    assert right(known, answer)


def test_looks_of_one_map_alone_are_no_use_and_told() -> None:
    points, looks = np.random.default_rng(0).normal(size=(6, 3)), {"embedding": np.eye(6)}
    for alone in ({"features1": looks}, {"features2": looks}):
        with pytest.raises(LocalizationError, match="embedding: given for one map"):
            associate(points, points, **alone)
