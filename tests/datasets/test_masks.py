"""Masks spoiled on purpose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from commonground.datasets import (
    MaskSettings,
    Simulation,
    SimulationSettings,
    degraded,
    open_dataset,
)
from commonground.datasets.masks import PIECE, degraded_masks


def blocks() -> tuple[np.ndarray, np.ndarray]:
    """Four objects of 60×60 pixels, the first two touching, with a class each."""
    ids = np.zeros((240, 320), np.int32)
    for k, (y, x) in enumerate([(20, 20), (20, 80), (150, 30), (150, 200)], start=1):
        ids[y : y + 60, x : x + 60] = k
    return ids, np.where(ids > 0, ids + 2, 0).astype(np.int32)


def test_nothing_asked_for_changes_nothing() -> None:
    ids, labels = blocks()
    out, words = degraded_masks(ids, labels, MaskSettings(), np.random.default_rng(0))
    assert np.array_equal(out, ids)
    assert words is not None
    assert np.array_equal(words, labels)


def test_missed_masks_are_gone_from_both_images() -> None:
    ids, labels = blocks()
    out, words = degraded_masks(ids, labels, MaskSettings(missed=1), np.random.default_rng(0))
    assert words is not None
    assert not out.any()
    assert not words.any()
    some, _ = degraded_masks(ids, labels, MaskSettings(missed=0.5), np.random.default_rng(1))
    assert 0 < len(np.unique(some)) - 1 < 4


def test_split_masks_fall_in_two_pieces_that_tell_where_they_come_from() -> None:
    ids, labels = blocks()
    out, _ = degraded_masks(ids, labels, MaskSettings(split=1), np.random.default_rng(0))
    for k in (1, 2, 3, 4):
        first, second = (out == k).sum(), (out == k + PIECE).sum()
        assert first + second == 3600
        assert min(first, second) > 900
    assert np.array_equal(out % PIECE, ids)


def test_merged_masks_join_the_neighbor_they_touch() -> None:
    ids, labels = blocks()
    out, words = degraded_masks(ids, labels, MaskSettings(merged=1), np.random.default_rng(0))
    assert words is not None
    assert len(set(np.unique(out)) & {1, 2}) < 2 or not np.array_equal(out, ids)
    assert (out == 3).sum() == 3600  # it touches nothing
    joined = (out == 1).sum(), (out == 2).sum()
    assert sum(joined) == 7200


def test_borders_wander_but_the_masks_stay() -> None:
    ids, labels = blocks()
    out, _ = degraded_masks(ids, labels, MaskSettings(jitter_px=2), np.random.default_rng(0))
    for k in (1, 3, 4):
        overlap = ((out == k) & (ids == k)).sum() / ((out == k) | (ids == k)).sum()
        assert 0.75 < overlap < 0.999


def test_wrong_names_are_object_names() -> None:
    ids, labels = blocks()
    out, words = degraded_masks(ids, labels, MaskSettings(mislabeled=1), np.random.default_rng(3))
    assert words is not None
    assert np.array_equal(out, ids)
    assert (words != labels).any()
    assert (words[ids == 0] == 0).all()


def test_a_frame_is_spoiled_alike_when_rendered_and_when_read(
    small_settings: SimulationSettings, drive: Simulation, folder
) -> None:
    masks = MaskSettings.realistic()
    spoiled = Simulation(("husky", "spot"), small_settings.model_copy(update={"masks": masks}))
    read = open_dataset(folder)
    differs = 0
    for live, stored in zip(spoiled.frames("husky"), read.frames("husky"), strict=True):
        later = degraded(stored, masks, seed=small_settings.seed)
        assert np.array_equal(live.instances, later.instances)
        assert np.array_equal(live.labels, later.labels)
        differs += not np.array_equal(stored.instances, later.instances)
    assert differs > 2


def test_frames_without_masks_pass_through(drive: Simulation) -> None:
    frame = replace(next(drive.frames("husky")), instances=None)
    assert degraded(frame, MaskSettings.realistic()) is frame


def test_shares_are_shares() -> None:
    with pytest.raises(ValueError, match="less than or equal to 1"):
        MaskSettings(missed=2)
