"""What each perception back end says of a frame, and what it says when its weights are missing or broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import CommongroundError, DataError, MappingError
from commonground.mapping.perception import (
    ClassicalPerception,
    PerceptionSettings,
    make_perception,
)
from commonground.mapping.perception.segments import NO_SURFACE


@pytest.fixture(scope="module")
def frame(make_stage: Any, block: Any, looking: Any) -> Any:
    things = [
        block(1, (3.0, 0.8, 0.3), (0.5, 0.4, 0.6)),
        block(2, (4.0, -0.9, 0.5), (0.6, 0.6, 1.0), label=3, color=(40, 80, 190)),
        block(0, (6.0, 0.0, 1.5), (0.2, 9.0, 3.0), label=5, color=(160, 160, 160)),
    ]
    return make_stage(320, 240, noise=0.001).frame(things, looking((0, 0, 0.8), (3, 0, 0.6)), 1)


def share(mask: Any, truth: Any) -> float:
    """Intersection over union."""
    return float((mask & truth).sum() / max((mask | truth).sum(), 1))


def test_geometry_separates_things_ground_and_walls(frame: Any) -> None:
    see = ClassicalPerception()
    found = see.segment(frame)
    assert found.vocabulary == () and found.label_scores.shape[1] == 0  # it claims no names
    for number in (1, 2):
        best = max(
            share(found.masks == s, frame.instances == number) for s in range(1, len(found) + 1)
        )
        assert best > 0.8, number
    floor = (frame.labels == 1) & np.isfinite(frame.depth_m) & (frame.depth_m < 5)
    assert (found.surfaces[floor] == see.surface_words.index("ground")).mean() > 0.9
    wall = (frame.labels == 5) & np.isfinite(frame.depth_m)
    assert (found.surfaces[wall] == see.surface_words.index("wall")).mean() > 0.8
    assert np.linalg.norm(found.embeddings, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_crease_near_by_separates_floor_and_cabinet(
    make_stage: Any, block: Any, looking: Any
) -> None:
    """Normals are taken across many pixels there, and turn only a little from one to the next."""
    cabinet = block(1, (2.2, 0.0, 0.45), (0.6, 1.2, 0.9))
    frame = make_stage(640, 480).frame([cabinet], looking((0, 0, 1.5), (2.0, 0, 0.2)), 1)
    found = ClassicalPerception().segment(frame)
    best = max(share(found.masks == s, frame.instances == 1) for s in range(1, len(found) + 1))
    assert best > 0.85
    assert (found.surfaces[frame.labels == 1] == 0).mean() > 0.85


def test_true_masks_need_label_images(frame: Any, make_stage: Any) -> None:
    settings = PerceptionSettings(backend="ground-truth")
    with pytest.raises(MappingError, match="no label images"):
        make_perception(settings)
    see = make_perception(settings, labels=make_stage().labels)
    from dataclasses import replace

    with pytest.raises(MappingError, match="choose another"):
        see.segment(replace(frame, instances=None))


def test_without_weights_geometry_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COMMONGROUND_WEIGHTS", str(tmp_path))
    assert make_perception(PerceptionSettings()).name == "classical"
    assert make_perception(PerceptionSettings(), labels={1: "box"}).name == "ground-truth"


@pytest.mark.parametrize(
    "broken", [b"<html>404 not found</html>", b"", b"PK\x03\x04 half an archive"]
)
def test_weights_that_do_not_load_are_one_clear_line(tmp_path: Path, broken: bytes) -> None:
    pytest.importorskip("ultralytics")
    file = tmp_path / "FastSAM-s.pt"
    file.write_bytes(broken)
    settings = PerceptionSettings.model_validate(
        {"backend": "fastsam+clip", "fastsam": {"segmenter": str(file)}}
    )
    with pytest.raises(CommongroundError, match=r"do not load.*classical") as caught:
        make_perception(settings)
    assert "\n" not in str(caught.value)


def test_a_damaged_image_stays_one_clear_line_beside_the_segmenter() -> None:
    """ultralytics replaces Pillow's way to open images by one that may install packages."""
    pytest.importorskip("ultralytics")
    from commonground.datasets.images import decode
    from commonground.mapping.perception.segmenter import open_segmenter
    from commonground.mapping.perception.settings import FastSamSettings

    with pytest.raises(MappingError):
        open_segmenter(FastSamSettings(segmenter="nowhere/FastSAM-s.pt"), ())
    with pytest.raises(DataError, match="damaged or of an unknown kind"):
        decode(b"no image", color=True)


def test_missing_weights_tell_where_to_put_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("ultralytics")
    monkeypatch.setenv("COMMONGROUND_WEIGHTS", str(tmp_path / "here"))
    settings = PerceptionSettings.model_validate(
        {"backend": "fastsam+clip", "fastsam": {"segmenter": "models/FastSAM-s.pt"}}
    )
    with pytest.raises(MappingError, match=r"here.*perception\.fastsam\.segmenter"):
        make_perception(settings)


def test_what_runs_out_of_the_image_upright_is_the_room(
    make_stage: Any, block: Any, looking: Any
) -> None:
    """A low wall with a corner fills the view from side to side; a bin before it stays a thing."""
    blocks = [
        block(0, (2.2, 0.0, 0.55), (0.6, 4.0, 1.1), label=5),
        block(0, (0.9, -1.4, 0.55), (2.4, 0.6, 1.1), label=5),
        block(1, (1.6, 0.3, 0.2), (0.3, 0.3, 0.4)),
    ]
    frame = make_stage(320, 240).frame(blocks, looking((0.2, 0.6, 1.0), (1.9, -0.2, 0.5)), 1)
    found = ClassicalPerception().segment(frame)
    room, thing = frame.labels == 5, frame.instances == 1
    assert room.mean() > 0.3
    things = found.masks > 0
    assert (things & room).sum() < 0.1 * room.sum()
    assert (things & thing).sum() > 0.7 * thing.sum()
    assert (found.surfaces[room] == found.surface_words.index("wall")).mean() > 0.6


def test_labels_that_name_no_ground_leave_it_to_geometry(frame: Any) -> None:
    things = {2: "box", 3: "barrel"}
    bare = replace(frame, labels=np.where(np.isin(frame.labels, [2, 3]), frame.labels, 0))
    see = make_perception(labels=things)
    segments = see.segment(bare)
    assert see.vocabulary == ("box", "barrel") and len(segments) == 2
    assert segments.surfaces is not None
    floor = (frame.labels == 1) & np.isfinite(frame.depth_m) & (frame.depth_m < 5)
    assert (segments.surfaces[floor] == see.surface_words.index("ground")).mean() > 0.9
    assert (segments.surfaces[frame.instances > 0] == NO_SURFACE).all()


def test_labels_that_name_the_floor_are_believed(frame: Any) -> None:
    see = make_perception(labels={1: "floor", 2: "box", 3: "barrel", 5: "wall"})
    assert see.surface_words == ("floor", "wall")
    surfaces = see.segment(frame).surfaces
    assert surfaces is not None and ((surfaces == 0) == (frame.labels == 1)).all()
