"""What all views of a room together must do: the same things whatever came first, each on its own."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.mapping.checkpoint import KINDS
from commonground.mapping.objects import ObjectMapper, ObjectSettings
from commonground.mapping.objects._voxels import FACTS
from commonground.mapping.objects.cloud import VoxelCloud
from commonground.mapping.objects.settings import ClosingSettings
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.perception import FrameSegments, GroundTruthPerception
from commonground.objects import ObjectMap

SECOND = 1_000_000_000
AT = [((x, 0.5, 0.3), (0.5, 0.3, 0.6)) for x in (-0.7, 0.0, 0.7)]


@pytest.fixture
def see(stage: Any) -> GroundTruthPerception:
    return GroundTruthPerception(stage.labels, ("floor", "wall"))


def mapper_of(views: int = 50) -> ObjectMapper:
    return ObjectMapper(ObjectSettings(closing=ClosingSettings(views=views)), "r")


def frames_of(stage: Any, see: Any, looking: Any, scenes: list[Any]) -> list[Any]:
    """Frames and masks of a drive past scenes, one each."""
    out = []
    for x, blocks in zip(np.linspace(-2.0, 2.0, len(scenes)), scenes, strict=True):
        frame = stage.frame(blocks, looking((x, -2.5, 0.9), (0.3 * x, 0.6, 0.3)), SECOND)
        out.append((frame, see.segment(frame)))
    return out


def mapped(mapper: ObjectMapper, frames: list[Any]) -> ObjectMap:
    for i, (frame, segments) in enumerate(frames, 1):
        mapper.integrate(replace(frame, stamp_ns=i * SECOND // 4), segments)
    mapper.conclude()
    return mapper.snapshot()


def places(objects: ObjectMap) -> Any:
    return objects.centroids[np.argsort(objects.centroids[:, 0])]


@pytest.fixture
def row(block: Any) -> tuple[list[Any], list[Any]]:
    """Three boxes under one mask, and under one each."""
    one, each = (
        [block(n, *at) for n, at in zip(ids, AT, strict=True)] for ids in ((1, 1, 1), (1, 2, 3))
    )
    return one, each


@pytest.mark.parametrize("joined", [slice(0, 5), slice(11, 16), slice(0, 15, 3)])
def test_masks_over_several_things_do_not_matter_wherever_they_come(
    stage: Any, see: Any, looking: Any, row: Any, joined: slice
) -> None:
    scenes = [row[1]] * 16
    scenes[joined] = [row[0]] * len(scenes[joined])
    frames = frames_of(stage, see, looking, scenes)
    there, back = mapped(mapper_of(), frames), mapped(mapper_of(), frames[::-1])
    assert len(there) == 3
    assert places(there) == pytest.approx(np.array([at for at, _ in AT]), abs=0.12)
    assert places(back) == pytest.approx(places(there), abs=0.01)
    assert (there.existence > 0.9).all()


@pytest.mark.parametrize(("wall_m", "least", "most"), [(0.78, 0.68, 0.86), (None, 1.1, 1.6)])
def test_what_is_round_ends_at_the_wall_it_stands_at(
    stage: Any, see: Any, looking: Any, block: Any, wall_m: float | None, least: float, most: float
) -> None:
    turns = np.deg2rad(np.arange(-58, 59, 2))  # the front of a post of 1 m
    post = [
        block(1, (0.5 * np.sin(a), 1.0 - 0.5 * np.cos(a), 0.4), (0.04, 0.04, 0.8)) for a in turns
    ]
    wall = [block(0, (0.0, wall_m + 0.05, 1.0), (6.0, 0.1, 2.0), 5)] if wall_m else []
    objects = mapped(mapper_of(), frames_of(stage, see, looking, [post + wall] * 12))
    assert len(objects) == 1
    (size,), (center,) = objects.boxes.sizes, objects.boxes.centers
    assert least < center[1] + 0.5 * min(size[:2]) < most


def as_wall(frame: Any, seen: FrameSegments) -> tuple[Any, FrameSegments]:
    """A view in which everything is taken for a piece of wall."""
    surfaces = np.where(seen.masks > 0, 1, seen.surfaces).astype(np.int32)
    none = FrameSegments.of(np.zeros_like(seen.masks))
    return frame, replace(
        none,
        surfaces=surfaces,
        surface_words=seen.surface_words,
        vocabulary=seen.vocabulary,
        embedding_model=seen.embedding_model,
        embeddings=np.empty((0, seen.embeddings.shape[1]), np.float32),
        label_scores=np.empty((0, len(seen.vocabulary)), np.float32),
    )


@pytest.mark.parametrize(("wall", "found"), [(3, 1), (13, 0)])
@pytest.mark.parametrize("last", [False, True])
def test_what_most_views_take_for_wall_is_no_thing(
    stage: Any, see: Any, looking: Any, block: Any, wall: int, found: int, last: bool
) -> None:
    frames = frames_of(stage, see, looking, [[block(1, *AT[1])]] * 16)
    rows = range(16 - wall, 16) if last else range(wall)
    frames = [as_wall(*f) if i in rows else f for i, f in enumerate(frames)]
    assert len(mapped(mapper_of(), frames)) == found


def test_things_have_pictures_names_and_numbers_of_their_own(
    stage: Any, see: Any, looking: Any, row: Any
) -> None:
    mapper = mapper_of()
    objects = mapped(mapper, frames_of(stage, see, looking, [row[1]] * 10))
    assert len(set(objects.ids.tolist())) == 3
    assert objects.labels == ["box"] * 3
    assert all(mapper.crops(objects).values()) and len(mapper.crops(objects)) == 3
    assert np.isfinite(objects.embeddings).all()


def test_a_run_that_goes_on_from_a_checkpoint_concludes_the_same(
    stage: Any, see: Any, looking: Any, row: Any
) -> None:
    frames = frames_of(stage, see, looking, [row[1]] * 10)
    whole, first = mapper_of(), mapper_of()
    for i, (frame, segments) in enumerate(frames[:6], 1):
        first.integrate(replace(frame, stamp_ns=i * SECOND // 4), segments)
    arrays, values = packed(kept_of(first))
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as loaded:
        second = ObjectMapper(first.settings)
        restore(second, unpacked(dict(loaded), json.loads(json.dumps(values)), KINDS))
    for i, (frame, segments) in enumerate(frames[6:], 7):
        second.integrate(replace(frame, stamp_ns=i * SECOND // 4), segments)
    second.conclude()
    one, two = mapped(whole, frames), second.snapshot()
    assert one.ids.tolist() == two.ids.tolist()
    assert np.array_equal(one.centroids, two.centroids)
    assert np.array_equal(one.embeddings, two.embeddings)
    assert whole.crops(one) == second.crops(two)


def test_few_views_are_kept_spread_over_the_time(
    stage: Any, see: Any, looking: Any, row: Any
) -> None:
    mapper = mapper_of(8)
    for i, (frame, segments) in enumerate(frames_of(stage, see, looking, [row[1]] * 20), 1):
        mapper.integrate(replace(frame, stamp_ns=i * SECOND), segments)
        assert len(mapper.album.pages) <= 8
    stamps = np.array([p.stamp_ns for p in mapper.album.pages]) // SECOND
    assert set(np.diff(stamps)) == {4} and stamps[0] == 1 and stamps[-1] >= 16
    mapper.conclude()
    assert len(mapper.snapshot()) == 3


def test_what_a_mask_spilled_to_far_beside_a_thing_is_dropped() -> None:
    rng = np.random.default_rng(0)
    thing, spilled = rng.uniform(0, 0.3, (300, 3)), rng.uniform(0, 0.1, (20, 3)) + [0.8, 0, 0]
    cloud = VoxelCloud(0.05, 4096)
    cloud.insert(np.concatenate([thing, spilled]), np.ones((320, FACTS), np.float32))
    cloud.drop_spill(4.0, 0.25)
    assert cloud.points[:, 0].max() < 0.35
    assert cloud.share_inside(thing, 0.01) == 1.0
    cloud.insert(thing + [0.8, 0, 0], np.ones((300, FACTS), np.float32))
    cloud.drop_spill(4.0, 0.25)  # two parts alike are both the thing
    assert cloud.points[:, 0].max() > 0.8


def test_what_all_views_so_far_say_can_be_asked_on_the_way(
    stage: Any, see: Any, looking: Any, row: Any
) -> None:
    frames = frames_of(stage, see, looking, [row[0]] * 4 + [row[1]] * 12)
    asked, other = mapper_of(), mapper_of()
    for i, (frame, segments) in enumerate(frames, 1):
        for mapper in (asked, other):
            mapper.integrate(replace(frame, stamp_ns=i * SECOND // 4), segments)
        if i % 5 == 0:
            asked.concluded()
    on_the_way = asked.concluded().snapshot()
    assert asked.snapshot().ids.tolist() == other.snapshot().ids.tolist()
    for mapper in (asked, other):
        mapper.conclude()
    assert on_the_way.ids.tolist() == other.snapshot().ids.tolist()
    assert np.array_equal(asked.snapshot().centroids, other.snapshot().centroids)
    assert np.array_equal(on_the_way.centroids, other.snapshot().centroids)
