"""A perception of one's own: what is wrong with what it gives is said at once, by class, frame and field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from commonground.errors import MappingError
from commonground.mapping import Mapper, MappingSettings, make_perception
from commonground.mapping.locating import Observer
from commonground.mapping.perception import FrameSegments

WORDS = ("crate", "drum", "cone")
FLOOR = 1


class Eyes:
    """A detector as somebody would write it; ``spoil`` makes what it gives another thing."""

    name, embedding_model, vocabulary = "eyes", "eyes-1", WORDS

    def __init__(
        self,
        spoil: Callable[[FrameSegments], Any] = lambda s: s,
        words: tuple[str, ...] = ("floor",),
    ) -> None:
        self.spoil, self.surface_words = spoil, words

    def segment(self, frame: Any) -> Any:
        k = int(frame.instances.max())
        surfaces = np.where((frame.labels == FLOOR) & (frame.instances == 0), 0, -1)
        return self.spoil(
            FrameSegments(
                masks=frame.instances,
                scores=np.full(k, 0.9, np.float32),
                embeddings=np.eye(k, 4, dtype=np.float32),
                label_scores=np.eye(k, 3, dtype=np.float32),
                vocabulary=WORDS,
                embedding_model="eyes-1",
                surfaces=surfaces.astype(np.int32),
                surface_words=self.surface_words,
            )
        )


@pytest.fixture(scope="module")
def frames(stage: Any, block: Any, looking: Any) -> list[Any]:
    things = [
        block(1, (3.0, 0.8, 0.3), (0.5, 0.4, 0.6)),
        block(2, (3.5, -0.9, 0.4), (0.6, 0.6, 0.8)),
    ]
    poses = [looking((x, 0, 0.8), (x + 3, 0, 0.5)) for x in np.arange(0, 1.5, 0.25)]
    return [stage.frame(things, T, (i + 1) * 250_000_000) for i, T in enumerate(poses)]


def over(**fields: Any) -> Callable[[FrameSegments], FrameSegments]:
    """Put other values into fields; a function is of the field's own."""
    return lambda s: replace(
        s, **{k: v(getattr(s, k)) if callable(v) else v for k, v in fields.items()}
    )


WRONG = {
    "segment": lambda s: None,
    "masks hold -3": over(masks=lambda m: m - 3),
    "masks hold 5 … 7": over(masks=lambda m: m + 5),
    "masks of float64": over(masks=lambda m: m.astype(float)),
    "masks of bool": over(masks=lambda m: m > 0),
    "masks of shape (60, 80)": over(masks=lambda m: m[::2, ::2]),
    "surfaces of shape (60, 80)": over(surfaces=lambda m: m[::2, ::2]),
    "surfaces hold -1 … 7": over(surfaces=lambda m: np.where(m == 0, 7, m)),
    "surfaces hold -2": over(surfaces=lambda m: m - 1),
    "scores hold 90": over(scores=lambda s: 100 * s),
    "scores of shape (2, 1)": over(scores=lambda s: s[:, None]),
    "scores hold nan": over(scores=lambda s: np.nan * s),
    "embeddings[0] is of length 37": over(embeddings=lambda e: 37 * e),
    "embeddings[1] is of length 0": over(embeddings=lambda e: e * [[1], [0]]),
    "embeddings[0] is of length inf": over(embeddings=lambda e: e + np.inf),
    "embeddings of shape (1, 4)": over(embeddings=lambda e: e[:1]),
    "embeddings of shape (8,)": over(embeddings=lambda e: e.ravel()),
    "label_scores hold 0 … 72": over(label_scores=lambda s: 72 * s),
    "label_scores hold -1": over(label_scores=lambda s: -s),
    "label_scores hold nan": over(label_scores=lambda s: s * np.nan),
    "label_scores of shape (2, 2)": over(label_scores=lambda s: s[:, :2]),
    "label_scores of <U": over(label_scores=lambda s: s.astype(str)),
    "vocabulary ('crate', 'drum')": over(vocabulary=WORDS[:2], label_scores=lambda s: s[:, :2]),
    "embedding_model 'another'": over(embedding_model="another"),
    "surface_words ('wall', 'floor')": over(surface_words=("wall", "floor")),
    "flat of shape (3,)": over(flat=np.zeros(3, bool)),
    "unsure of float64": over(unsure=lambda _: np.zeros((120, 160))),
}  # fmt: skip


@pytest.mark.parametrize("told", WRONG)
def test_what_is_outside_the_contract_is_one_line(frames: list[Any], told: str) -> None:
    for taker in (Mapper(Eyes(WRONG[told]), robot="r"), Observer(Eyes(WRONG[told]))):
        with pytest.raises(MappingError) as caught:
            taker.integrate(frames[0])
        line = str(caught.value)
        assert "\n" not in line and told in line
        assert line.startswith("Eyes, frame 250000000 of r/cam: ")


def test_the_length_of_embeddings_stays(frames: list[Any]) -> None:
    lengths = iter((4, 5))
    mapper = Mapper(Eyes(over(embeddings=lambda e: np.eye(len(e), next(lengths)))), robot="r")
    mapper.integrate(frames[0])
    with pytest.raises(MappingError, match="frame 500000000 .* length 5, and of 4 in earlier"):
        mapper.integrate(frames[1])


def mapped(see: Any, frames: list[Any], settings: MappingSettings | None = None) -> Any:
    mapper = Mapper(see, settings, robot="r")
    for frame in frames:
        mapper.integrate(frame)
    return mapper.finish()


def test_other_types_of_the_same_numbers_make_the_same_map(frames: list[Any]) -> None:
    wide = over(
        masks=lambda m: m.astype(np.uint8), surfaces=lambda m: np.asfortranarray(m.astype(np.int64)),
        scores=lambda s: s.tolist(), embeddings=lambda e: e.astype(np.float64),
        label_scores=lambda s: s.astype(np.float16), surface_words=["floor"],
    )  # fmt: skip
    one, two = mapped(Eyes(), frames), mapped(Eyes(wide), frames)
    assert len(one.objects) == 2 and {*one.objects.labels} == {"crate", "drum"}
    assert [*one.objects.labels] == [*two.objects.labels]
    assert np.array_equal(one.objects.centroids, two.objects.centroids)
    assert len(one.graph.surface_places) == len(two.graph.surface_places) > 0


def test_frames_in_which_nothing_is_seen_need_no_shapes(frames: list[Any]) -> None:
    def late(s: FrameSegments) -> FrameSegments:
        seen.append(s)
        if len(seen) > 2:
            return s
        none = np.empty((0, 0), np.float32)
        masks = np.zeros_like(s.masks)
        return replace(s, masks=masks, scores=none.ravel(), embeddings=none, label_scores=none)

    seen: list[FrameSegments] = []
    assert mapped(Eyes(late), frames).objects.embeddings.shape == (2, 4)


def test_a_language_without_a_word_of_ground_is_told_at_once(
    frames: list[Any], caplog: Any
) -> None:
    found = mapped(Eyes(words=("Boden",)), frames)
    assert "no surface word of Eyes is one of ground ('Boden')" in caplog.messages[0]
    assert "surface.ground_words" in caplog.messages[0]
    assert any("'Boden'" in line for line in found.metrics["warnings"])
    caplog.clear()
    own = MappingSettings.model_validate({"surface": {"ground_words": ["boden"]}})
    found = mapped(Eyes(words=("Boden",)), frames, own)
    assert not caplog.messages and {*found.graph.surface_places.names} == {"Boden"}
    mapped(Eyes(lambda s: replace(s, surfaces=None), words=()), frames)
    assert not caplog.messages  # without words, ground is what the robot drives over


def test_labels_of_a_language_whose_words_of_ground_are_set_are_believed() -> None:
    labels = {1: "Boden", 2: "Kiste"}
    told = make_perception(labels=labels)
    assert told.surface_words == ("ground", "wall")
    assert "Boden" in told.vocabulary
    assert make_perception(labels=labels, ground_words=["Boden"]).surface_words == ("Boden",)
