"""Looks that are taken one by one: of known things, from each side, within a rate, the same after a stop."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from commonground.arrays import Bools, Bytes, Floats32, Ints
from commonground.mapping.checkpoint import KINDS
from commonground.mapping.objects.mapper import ObjectMapper
from commonground.mapping.objects.settings import GlanceSettings, ObjectSettings
from commonground.mapping.packing import kept_of, packed, restore, unpacked
from commonground.mapping.perception import GroundTruthPerception
from commonground.mapping.perception.vectors import ImageVectors

SECOND = 1_000_000_000


class Red(ImageVectors):
    """An encoder that tells how red a thing is, and remembers what it was shown."""

    name, dimension = "red", 2

    def _looks(self, crops: list[Floats32]) -> Floats32:
        raise NotImplementedError

    def __init__(self) -> None:
        self.shown: list[int] = []

    def images(self, rgb: Bytes, masks: Bools, boxes: Ints) -> Floats32:
        self.shown.append(len(masks))
        red = np.array([rgb[m][:, 0].mean() > rgb[m][:, 2].mean() for m in masks])
        return np.stack([red, ~red], axis=1).astype(np.float32)


@pytest.fixture(scope="module")
def frames(stage: Any, block: Any, looking: Any) -> list[Any]:
    things = [
        block(1, (4.0, 1.0, 0.3), (0.5, 0.4, 0.6)),
        block(2, (6.0, -1.0, 0.5), (0.6, 0.6, 1.0), label=3, color=(40, 80, 190)),
    ]
    poses = [looking((x, 0.0, 0.8), (x + 3, 0.0, 0.5)) for x in np.arange(0, 3, 0.1)]
    return [stage.frame(things, T, (i + 1) * SECOND // 5) for i, T in enumerate(poses)]


def mapped(
    stage: Any, frames: list[Any], settings: GlanceSettings, stop: int | None = None
) -> tuple[ObjectMapper, Red]:
    red = Red()
    see = GroundTruthPerception(stage.labels, ("floor", "wall"), encoder=red)
    mapper = ObjectMapper(ObjectSettings(glances=settings))
    for number, frame in enumerate(frames):
        if number == stop:
            arrays, values = packed(kept_of(mapper))
            mapper = ObjectMapper(mapper.settings)
            restore(mapper, unpacked(arrays, json.loads(json.dumps(values)), KINDS))
        mapper.integrate(frame, see.segment(frame))
    return mapper, red


def test_few_views_are_looked_at_and_tell_what_things_look_like(
    stage: Any, frames: list[Any]
) -> None:
    mapper, red = mapped(stage, frames, GlanceSettings())
    seen = mapper.snapshot()
    assert len(seen.ids) == 2 and 2 <= sum(red.shown) <= 16
    by_x = seen.embeddings[np.argsort(seen.centroids[:, 0])]
    np.testing.assert_allclose(by_x, [[1, 0], [0, 1]], atol=1e-6)


def test_looks_keep_within_a_rate(stage: Any, frames: list[Any]) -> None:
    """Whatever is to be seen, one look a second is one look a second."""
    _, red = mapped(stage, frames, GlanceSettings(a_second=1.0, better=1.0))
    _, more = mapped(stage, frames, GlanceSettings(a_second=50.0, better=1.0))
    assert max(red.shown) == 1 and sum(red.shown) <= 7 < sum(more.shown)


def test_after_a_stop_the_same_is_looked_at(stage: Any, frames: list[Any]) -> None:
    settings = GlanceSettings(a_second=2.0, better=1.1)
    whole, red = mapped(stage, frames, settings)
    again, stopped = mapped(stage, frames, settings, stop=11)
    assert red.shown == stopped.shown
    np.testing.assert_array_equal(whole.snapshot().embeddings, again.snapshot().embeddings)
