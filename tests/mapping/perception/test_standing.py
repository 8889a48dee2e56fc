"""What stands free in a room is told from the room by where it ends, whatever its faces look like."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commonground.mapping.perception.classical import ClassicalPerception
from commonground.mapping.scale import Scale, scaled
from commonground.mapping.settings import MappingSettings

WALLS = (((0, 2.5, 1.3), (6, 0.1, 2.6)), ((3.0, 0, 1.3), (0.1, 5, 2.6)))


@pytest.fixture
def seen(make_stage: Any, block: Any, looking: Any) -> Any:
    """Return what a camera at some place sees of things, numbered from 1, in the corner of a room."""

    def frame(*things: Any, eye: Any = (0.0, -0.5, 1.3), at: Any = (1.2, 1.0, 0.3)) -> Any:
        walls = [block(0, middle, size, label=5) for middle, size in WALLS]
        solid = [block(k, *thing) for k, thing in enumerate(things, start=1)]
        stage = make_stage(320, 240, noise=0.0015)
        return stage.frame([*walls, *solid], looking(eye, at), 1)

    return frame


def found(frame: Any) -> Any:
    settings = scaled(MappingSettings(), Scale(3.0, 1.2)).perception.classical
    return ClassicalPerception(settings).segment(frame)


def best(segments: Any, frame: Any, number: int) -> float:
    """Return how well the best segment fits a thing."""
    true = frame.instances == number
    return max(
        (
            float(((segments.masks == k) & true).sum() / ((segments.masks == k) | true).sum())
            for k in range(1, len(segments) + 1)
        ),
        default=0.0,
    )


@pytest.mark.parametrize(
    "thing",
    [
        ((1.2, 1.0, 0.4), (0.7, 0.7, 0.8)),  # faces as wide as what is a wall elsewhere
        ((1.3, 1.0, 0.15), (0.9, 0.6, 0.3)),
        ((1.2, 1.2, 0.3), (1.2, 0.4, 0.6)),
        ((1.0, 2.25, 0.35), (0.9, 0.4, 0.7)),  # at a wall
    ],
)
def test_a_box_is_one_thing_however_wide_its_faces_are(seen: Any, thing: Any) -> None:
    frame = seen(thing)
    segments = found(frame)
    assert best(segments, frame, 1) > 0.75
    assert (segments.surfaces[frame.instances == 1] >= 0).mean() < 0.1


def test_what_stands_on_a_box_is_a_thing_of_its_own(seen: Any) -> None:
    frame = seen(((1.2, 1.0, 0.3), (0.9, 0.6, 0.6)), ((1.2, 1.0, 0.7), (0.2, 0.2, 0.2)))
    segments = found(frame)
    assert best(segments, frame, 1) > 0.7
    assert best(segments, frame, 2) > 0.6


def test_the_corner_of_a_room_is_no_thing(seen: Any) -> None:
    frame = seen()
    segments = found(frame)
    assert len(segments) == 0
    walls = (frame.labels == 5) & np.isfinite(frame.depth_m)
    assert (segments.surfaces[walls] == segments.surface_words.index("wall")).mean() > 0.8


def test_what_the_image_cuts_off_too_much_speaks_neither_for_a_thing_nor_against_one(
    seen: Any,
) -> None:
    frame = seen(((0.9, 0.3, 0.7), (0.8, 0.8, 1.4)), eye=(0.0, -0.6, 1.0), at=(0.3, 0.9, 1.0))
    segments = found(frame)
    true = frame.instances == 1
    assert segments.unsure is not None and segments.unsure[true].mean() > 0.7
    assert not np.isfinite(segments.sure(frame).depth_m[segments.unsure]).any()
    assert np.isfinite(segments.sure(frame).depth_m[~true]).mean() > 0.9
