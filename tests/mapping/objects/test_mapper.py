"""What a robot's object map must do: find things once, keep them, drop what is not there."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.geometry import from_xyz_yaw, inverse
from commonground.mapping.checkpoint import KINDS
from commonground.mapping.objects import ObjectMapper, ObjectSettings
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.perception import FrameSegments, GroundTruthPerception

SECOND = 1_000_000_000


@pytest.fixture
def see(stage: Any) -> GroundTruthPerception:
    return GroundTruthPerception(stage.labels, ("floor", "wall"))


def drive(stage: Any, looking: Any, steps: int = 12, side: float = -2.5) -> list[Any]:
    """Poses of a robot that passes by, its camera turned to what is around the origin."""
    return [looking((x, side, 0.9), (0.3 * x, 0.6, 0.3)) for x in np.linspace(-2.0, 2.0, steps)]


def run(mapper: ObjectMapper, see: Any, stage: Any, scenes: Any, start: int = 0) -> None:
    for i, (blocks, pose) in enumerate(scenes, start):
        frame = stage.frame(blocks, pose, (i + 1) * SECOND // 4)
        mapper.integrate(frame, see.segment(frame))


@pytest.fixture
def things(block: Any) -> list[Any]:
    return [
        block(1, (-0.8, 0.5, 0.3), (0.5, 0.4, 0.6)),
        block(2, (0.7, 0.9, 0.5), (0.6, 0.6, 1.0), label=3, color=(40, 80, 190)),
    ]


def test_things_are_found_where_they_are(stage: Any, see: Any, looking: Any, things: Any) -> None:
    mapper = ObjectMapper(robot="r")
    run(mapper, see, stage, [(things, pose) for pose in drive(stage, looking)])
    found = mapper.snapshot()
    assert len(found) == 2
    order = np.argsort(found.centroids[:, 0])
    for row, thing in zip(order, things, strict=True):
        assert np.linalg.norm(found.centroids[row] - thing.center) < 0.15
        assert np.sort(found.boxes.sizes[row]) == pytest.approx(np.sort(thing.size), abs=0.15)
    assert [found.labels[i] for i in order] == ["box", "barrel"]
    assert found.frame == "odom"
    assert (found.existence > 0.9).all()
    assert (found.observations >= 10).all()
    assert np.isfinite(found.embeddings).all()
    assert np.linalg.norm(found.embeddings, axis=1) == pytest.approx(1, abs=1e-5)
    spread = found.columns["look_spread"]
    assert ((spread >= 0) & (spread < 0.5)).all()
    assert (found.columns["look_weight"] > 0).all()
    eigen = np.linalg.eigvalsh(found.covariances)
    assert (eigen > 0).all() and (eigen < 1).all()


@pytest.mark.parametrize("several", [2.0, None])
def test_a_row_first_seen_as_one_thing_is_taken_apart(
    stage: Any, see: Any, looking: Any, block: Any, several: float | None
) -> None:
    at = [((x, 0.5, 0.3), (0.5, 0.3, 0.6)) for x in (-0.55, 0.0, 0.55)]
    row, books = (
        [block(n, *a) for n, a in zip(ids, at, strict=True)] for ids in ((1, 1, 1), (1, 2, 3))
    )
    settings = ObjectSettings()
    evidence = settings.evidence.model_copy(update={"several": several})
    mapper = ObjectMapper(settings.model_copy(update={"evidence": evidence}), "r")
    poses = drive(stage, looking, 16)
    run(mapper, see, stage, [(row if i < 5 else books, pose) for i, pose in enumerate(poses)])
    assert (len(mapper.snapshot()) == 3) == (several is not None)


@pytest.mark.parametrize(
    ("most", "flat", "found"), [(0.12, False, 0), (None, False, 1), (0.12, True, 1)]
)
def test_what_images_take_for_wall_now_and_then_is_no_thing_unless_color_says_so(
    stage: Any, see: Any, looking: Any, block: Any, most: float | None, flat: bool, found: int
) -> None:
    settings = ObjectSettings()
    evidence = settings.evidence.model_copy(update={"most_structure": most, "least_sightings": 8})
    mapper = ObjectMapper(settings.model_copy(update={"evidence": evidence}), "r")
    for i, pose in enumerate(drive(stage, looking, 14)):
        frame = stage.frame(
            [block(1, (0.0, 0.5, 0.3), (0.5, 0.3, 0.6))], pose, (i + 1) * SECOND // 4
        )
        seen = replace(see.segment(frame), flat=np.array([flat]))
        if i % 4 == 3:
            surfaces = np.where(seen.masks == 1, 1, seen.surfaces).astype(np.int32)
            seen = replace(FrameSegments.of(np.zeros_like(seen.masks)), surfaces=surfaces)
            seen = replace(
                seen, vocabulary=see.vocabulary, label_scores=np.empty((0, len(see.vocabulary)), np.float32),
                embeddings=np.empty((0, mapper.embedding_size), np.float32),
                embedding_model=see.embedding_model, surface_words=see.surface_words,
            )  # fmt: skip
        mapper.integrate(frame, seen)
    assert len(mapper.snapshot()) == found


@pytest.mark.parametrize(("stride", "wanted"), [(1, 9), (4, 5)])
def test_fewer_images_with_more_between_them_tell_as_much(
    stage: Any, see: Any, looking: Any, block: Any, stride: int, wanted: int
) -> None:
    settings = ObjectSettings()
    evidence = settings.evidence.model_copy(update={"least_change": 0.3})
    mapper = ObjectMapper(settings.model_copy(update={"evidence": evidence}), "r")
    thing = [block(1, (0.0, 0.5, 0.3), (0.5, 0.3, 0.6))]
    needed = 0
    for pose in drive(stage, looking, 80)[::stride]:
        run(mapper, see, stage, [(thing, pose)])
        needed += 1
        if len(mapper.snapshot()):
            break
    assert needed == wanted


@pytest.mark.parametrize("least", [0.5, 0.0])
def test_what_is_seen_well_does_not_take_in_its_neighbor_at_once(
    stage: Any, see: Any, looking: Any, block: Any, least: float
) -> None:
    mug, counter = ((0.0, 0.4, 0.3), (0.3, 0.3, 0.6)), ((0.75, 0.4, 0.3), (1.2, 0.3, 0.6))
    settings = ObjectSettings()
    evidence = settings.evidence.model_copy(update={"least_inside": least})
    mapper = ObjectMapper(settings.model_copy(update={"evidence": evidence}), "r")
    alone, merged = [block(1, *mug)], [block(1, *mug), block(1, *counter)]
    poses = drive(stage, looking, 12)
    run(
        mapper, see, stage, [(alone if i < 6 else merged, pose) for i, pose in enumerate(poses[:7])]
    )
    small = min(float(t.high[0] - t.low[0]) for t in mapper.tracks.values())
    assert (small < 0.5) == (least > 0)


def test_noise_and_imperfect_masks_do_not_multiply_things(
    make_stage: Any, looking: Any, things: Any
) -> None:
    stage = make_stage(noise=0.004)
    rng = np.random.default_rng(3)

    def spoil(frame: Any) -> Any:
        """Cut masks in two, leave some out, lump the two together."""
        from dataclasses import replace

        out = frame.instances.copy()
        for n in (1, 2):
            fate = rng.random()
            rows = np.flatnonzero((out == n).any(axis=1))
            if fate < 0.15:
                out[out == n] = 0
            elif fate < 0.3 and len(rows):
                half = np.zeros_like(out, bool)
                half[: int(rows.mean())] = True
                out[(out == n) & half] = n + 100
        if rng.random() < 0.1:
            out[out == 2] = 1
        return replace(frame, instances=out)

    see = GroundTruthPerception(stage.labels, ("floor", "wall"), spoil=spoil)
    mapper = ObjectMapper(robot="r")
    poses = drive(stage, looking, 20) + drive(stage, looking, 20)[::-1]
    run(mapper, see, stage, [(things, pose) for pose in poses])
    found = mapper.snapshot()
    assert len(found) == 2
    for thing in things:
        assert np.linalg.norm(found.centroids - thing.center, axis=1).min() < 0.3


def test_a_thing_survives_missed_detections_and_occlusion(
    stage: Any, see: Any, looking: Any, things: Any, block: Any
) -> None:
    mapper = ObjectMapper(robot="r")
    pose = looking((0, -2.5, 0.9), (0, 0.6, 0.3))
    screen = block(0, (0, -1.5, 0.5), (3.0, 0.05, 1.8), label=5)
    run(mapper, see, stage, [(things, pose)] * 6)
    ids = set(mapper.snapshot().ids)
    blind = GroundTruthPerception(
        {**stage.labels, 2: "ignored", 3: "ignored"}, ("floor", "wall"), ignored=("ignored",)
    )
    assert blind.vocabulary != see.vocabulary
    run(mapper, see, stage, [([*things, screen], pose)] * 20, 6)
    hidden = mapper.snapshot()
    assert set(hidden.ids) == ids, "what is hidden is not gone"
    assert (hidden.existence > 0.9).all()
    run(mapper, see, stage, [(things, pose)] * 3, 26)
    again = mapper.snapshot()
    assert set(again.ids) == ids
    assert (again.observations == 9).all()


def test_missing_detections_lower_existence_slowly_and_emptiness_fast(
    stage: Any, see: Any, looking: Any, things: Any
) -> None:
    pose = looking((0, -2.5, 0.9), (0, 0.6, 0.3))
    mapper = ObjectMapper(robot="r")
    run(mapper, see, stage, [(things, pose)] * 6)
    before = mapper.snapshot().existence.min()
    for i in range(6, 9):
        frame = stage.frame(things, pose, (i + 1) * SECOND // 4)
        nothing = FrameSegments.of(np.zeros_like(frame.instances), 0)
        words = see.segment(frame)
        empty = FrameSegments(
            nothing.masks,
            nothing.scores,
            words.embeddings[:0],
            words.label_scores[:0],
            words.vocabulary,
            words.embedding_model,
        )
        mapper.integrate(frame, empty)
    assert len(mapper.snapshot()) == 2, "three missed detections kill nothing"
    run(mapper, see, stage, [(things[:1], pose)] * 12, 9)
    left = mapper.snapshot()
    assert len(left) == 1, "a thing that was looked through is gone"
    assert np.linalg.norm(left.centroids[0] - things[0].center) < 0.2
    assert left.existence[0] >= before - 0.05


def test_a_moving_thing_is_kept_out_and_flagged(
    stage: Any, see: Any, looking: Any, things: Any, block: Any
) -> None:
    mapper = ObjectMapper(robot="r")
    pose = looking((0, -3.0, 0.9), (0, 0.6, 0.3))
    scenes = []
    for i in range(14):
        walker = block(9, (-2.2 + 0.3 * i, -0.4, 0.8), (0.35, 0.35, 1.6), label=4)
        scenes.append(([*things, walker], pose))
    run(mapper, see, stage, scenes)
    found = mapper.snapshot()
    assert len(found) == 2
    assert "person" not in found.labels
    assert len(found.metadata["moving"]) == 1
    assert found.metadata["moving"][0]["velocity"][0] == pytest.approx(1.2, abs=0.5)
    assert len(mapper.moving_segments()) == 1
    parked = block(9, (-2.2 + 0.3 * 13, -0.4, 0.8), (0.35, 0.35, 1.6), label=4)
    run(mapper, see, stage, [([*things, parked], pose)] * 40, 14)
    assert len(mapper.snapshot()) == 3, "what came to rest belongs to the map"


def test_two_cameras_see_one_thing(stage: Any, see: Any, looking: Any, things: Any) -> None:
    mapper = ObjectMapper(robot="r")
    for i in range(6):
        for name, side in (("left", -2.5), ("back", 3.4)):
            pose = looking((0.2 * i - 0.5, side, 0.9), (0, 0.6, 0.3))
            frame = stage.frame(things, pose, (i + 1) * SECOND // 4, camera=name)
            mapper.integrate(frame, see.segment(frame))
    found = mapper.snapshot()
    assert len(found) == 2
    for thing in things:
        row = np.linalg.norm(found.centroids - thing.center, axis=1).argmin()
        assert np.linalg.norm(found.centroids[row] - thing.center) < 0.06, "seen from both sides"
        assert np.trace(found.covariances[row]) < 0.02


def test_a_camera_upside_down_maps_the_same(
    stage: Any, see: Any, looking: Any, things: Any
) -> None:
    maps = []
    for upside_down in (False, True):
        mapper = ObjectMapper(robot="r")
        poses = [
            looking((x, -2.5, 0.9), (0.3 * x, 0.6, 0.3), upside_down=upside_down)
            for x in np.linspace(-2, 2, 10)
        ]
        run(mapper, see, stage, [(things, pose) for pose in poses])
        maps.append(mapper.snapshot())
    assert len(maps[0]) == len(maps[1]) == 2
    assert np.sort(maps[0].centroids, axis=0) == pytest.approx(
        np.sort(maps[1].centroids, axis=0), abs=0.05
    )
    cosine = maps[0].embeddings @ maps[1].embeddings.T
    assert np.sort(cosine.max(axis=1))[0] > 0.9


def test_a_resumed_run_is_the_same(make_stage: Any, looking: Any, things: Any) -> None:
    stage = make_stage(noise=0.003)
    see = GroundTruthPerception(stage.labels, ("floor", "wall"))
    whole, first = ObjectMapper(robot="r"), ObjectMapper(robot="r")
    poses = drive(stage, looking, 16)
    run(whole, see, stage, [(things, p) for p in poses])
    run(first, see, stage, [(things, p) for p in poses[:7]])
    arrays, values = packed(kept_of(first))
    file = io.BytesIO()
    np.savez(file, **arrays)
    file.seek(0)
    with np.load(file, allow_pickle=False) as loaded:
        second = ObjectMapper()
        restore(second, unpacked(dict(loaded), json.loads(json.dumps(values)), KINDS))
    run(second, see, stage, [(things, p) for p in poses[7:]], 7)
    a, b = packed(kept_of(whole)), packed(kept_of(second))
    assert json.dumps(a[1]) == json.dumps(b[1])
    assert a[0].keys() == b[0].keys()
    for name in a[0]:
        np.testing.assert_array_equal(a[0][name], b[0][name], err_msg=name)


def test_after_a_jump_of_the_odometry_nothing_old_is_matched(
    stage: Any, see: Any, looking: Any, things: Any
) -> None:
    mapper = ObjectMapper(robot="r")
    run(mapper, see, stage, [(things, p) for p in drive(stage, looking, 8)])
    before = mapper.snapshot()
    mapper.cut()
    T_odom_world = from_xyz_yaw([4.0, 1.0, 0.0, 0.6])
    for i, pose in enumerate(drive(stage, looking, 8), 8):
        frame = stage.frame(things, pose, (i + 1) * SECOND // 4, T_odom_world=T_odom_world)
        mapper.integrate(frame, see.segment(frame))
    after = mapper.snapshot()
    assert len(after) == 4
    old = [int(np.flatnonzero(after.ids == i)[0]) for i in before.ids]
    assert after.centroids[old] == pytest.approx(before.centroids, abs=1e-9)


def test_submaps_are_upright_and_hold_what_is_near(
    stage: Any, see: Any, looking: Any, block: Any
) -> None:
    row = [block(i + 1, (2.0 * i, 1.0, 0.4), (0.5, 0.5, 0.8)) for i in range(16)]
    mapper = ObjectMapper(ObjectSettings(), robot="r")
    for i in range(61):
        pose = looking((0.5 * i, -1.5, 0.9), (0.5 * i + 1.0, 1.0, 0.2))
        frame = stage.frame(row, pose, (i + 1) * SECOND // 2)
        mapper.integrate(frame, see.segment(frame))
    found = mapper.snapshot()
    assert len(found) == 15, "all but the one that was only seen twice"
    assert [s.robot for s in found.submaps] == ["r"] * 4
    for k, submap in enumerate(found.submaps):
        assert submap.T_map_submap[2, :3] == pytest.approx([0, 0, 1], abs=1e-9)
        assert submap.T_map_submap[0, 3] == pytest.approx(10 * k, abs=0.6)
        forward = submap.T_map_submap[:3, 0]
        assert forward[1] > 0.8, "x is where the camera looks"
        gaps = np.abs(found.centroids[submap.rows, 0] - 10 * k)
        assert len(gaps) >= 5 and gaps.max() < 15


def test_frames_that_cannot_be_used_change_nothing(
    stage: Any, see: Any, looking: Any, things: Any
) -> None:
    from dataclasses import replace

    mapper = ObjectMapper(robot="r")
    pose = looking((0, -2.5, 0.9), (0, 0.6, 0.3))
    run(mapper, see, stage, [(things, pose)] * 5)
    before = mapper.snapshot()
    frame = stage.frame(things, pose, 3 * SECOND)
    blind = replace(frame, depth_m=np.full_like(frame.depth_m, np.nan))
    mapper.integrate(blind, see.segment(blind))
    after = mapper.snapshot()
    assert after.centroids == pytest.approx(before.centroids)
    assert after.existence == pytest.approx(before.existence)
    assert after.observations.tolist() == before.observations.tolist()


def test_segments_of_another_frame_are_refused(
    stage: Any, make_stage: Any, see: Any, looking: Any, things: Any
) -> None:
    pose = looking((0, -2.5, 0.9), (0, 0.6, 0.3))
    small = make_stage(80, 60).frame(things, pose, SECOND)
    frame = stage.frame(things, pose, SECOND)
    with pytest.raises(MappingError, match="80×60"):
        ObjectMapper().integrate(frame, see.segment(small))


def test_changing_the_perception_midway_is_refused(
    stage: Any, see: Any, looking: Any, things: Any
) -> None:
    frame = stage.frame(things, looking((0, -2.5, 0.9), (0, 0.6, 0.3)), SECOND)
    mapper = ObjectMapper()
    mapper.integrate(frame, see.segment(frame))
    other = GroundTruthPerception(stage.labels, ("floor", "wall"), with_embeddings=False)
    with pytest.raises(MappingError, match="one perception throughout"):
        mapper.integrate(frame, other.segment(frame))


def test_memory_of_what_is_left_behind_is_bounded(
    stage: Any, see: Any, looking: Any, block: Any
) -> None:
    big = [block(1, (0.0, 3.0, 1.2), (2.8, 1.0, 2.4))]
    settings = ObjectSettings(voxels_per_object=500, voxels_archived=100, active_m=10.0)
    mapper = ObjectMapper(settings, robot="r")
    for i in range(8):
        pose = looking((0.4 * i - 1.0, -2.0, 1.2), (0.0, 3.0, 1.5))
        frame = stage.frame(big, pose, (i + 1) * SECOND)
        mapper.integrate(frame, see.segment(frame))
    (track,) = mapper.tracks.values()
    assert 100 < track.cloud.count <= 500
    far = inverse(from_xyz_yaw([40.0, 0, 0, 0]))
    for i in range(8, 10):
        frame = stage.frame([], looking((0, 0, 1), (1, 0, 1)), (i + 1) * SECOND, T_odom_world=far)
        mapper.integrate(frame, see.segment(frame))
    assert track.cloud.count <= 100
    found = mapper.snapshot()
    assert len(found) == 1, "left behind is not forgotten"
    assert found.boxes.sizes[0].max() == pytest.approx(2.8, abs=0.3)
