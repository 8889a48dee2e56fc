"""The simulator's own masks and classes as perception: the best any segmenter could do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from commonground.arrays import Floats32, Ints, Ints32
from commonground.errors import MappingError
from commonground.frame import Frame
from commonground.mapping.perception.descriptor import MODEL, color_descriptors
from commonground.mapping.perception.segments import NO_SURFACE, FrameSegments, Perception
from commonground.mapping.perception.vectors import ImageVectors

Spoil = Callable[[Frame], Frame]
"""Returns a frame with imperfect instance and label images."""


class GroundTruthPerception:
    """Reads segments off the instance and label images of a frame.

    ``labels`` maps the numbers of the label image to words. Words in ``surface_words`` become surfaces;
    the rest, but for ``ignored``, are the vocabulary of objects. ``spoil`` makes the images imperfect,
    as a real segmenter's would be. With an encoder segments are embedded as where FastSAM finds them. With
    ``geometry``, that tells the surfaces of what has no label.
    """

    name: str = "ground-truth"

    def __init__(
        self,
        labels: Mapping[int, str],
        surface_words: Sequence[str],
        *,
        ignored: Sequence[str] = (),
        spoil: Spoil | None = None,
        with_embeddings: bool = True,
        encoder: ImageVectors | None = None,
        geometry: Perception | None = None,
    ) -> None:
        here = set(labels.values())
        told = () if geometry is None else geometry.surface_words
        self._geometry = geometry
        self.surface_words = (*told, *(w for w in surface_words if w in here and w not in told))
        left_out = {*self.surface_words, *ignored, "unknown"}
        self.vocabulary = tuple(w for _, w in sorted(labels.items()) if w not in left_out)
        self.embedding_model = MODEL if with_embeddings else ""
        self._encoder = encoder
        if encoder is not None:
            self.embedding_model = encoder.name
        self._spoil = spoil
        size = max(labels, default=0) + 1
        self._word_of = np.full(size, -1, np.int32)
        self._surface_of = np.full(size, NO_SURFACE, np.int32)
        self._ignored = np.zeros(size, bool)
        for number, word in labels.items():
            if word in self.surface_words:
                self._surface_of[number] = self.surface_words.index(word)
            elif word in self.vocabulary:
                self._word_of[number] = self.vocabulary.index(word)
            self._ignored[number] = word in ignored

    def segment(self, frame: Frame) -> FrameSegments:
        """Return a segment for every instance in the frame, and the surfaces of the label image."""
        from commonground.mapping.perception import _masks

        if self._spoil is not None:
            frame = self._spoil(frame)
        if frame.instances is None or frame.labels is None:
            raise MappingError(
                f"frame {frame.stamp_ns} of {frame.robot}/{frame.camera.name} has no instance and label "
                "images: choose another perception back end, or data with ground truth"
            )
        masks, count = np.empty_like(frame.instances), int(frame.instances.max(initial=0))
        number = np.zeros(count + 1, np.int32)
        k = _masks.renumber(frame.instances, number, masks)
        votes = np.zeros((k + 1, len(self._word_of)), np.int32)
        _masks.count_labels(masks, frame.labels, votes)
        words = self._word_of[votes[1:].argmax(axis=1)]
        if self._ignored.any():
            masks, words = self._without_ignored(masks, votes, words)
        k = len(words)
        return FrameSegments(
            masks=masks,
            scores=np.ones(k, np.float32),
            embeddings=self._embeddings(frame, masks, k),
            label_scores=self._scores(words),
            vocabulary=self.vocabulary,
            embedding_model=self.embedding_model,
            surfaces=self._surfaces(frame, frame.labels, masks),
            surface_words=self.surface_words,
            glance=None if self._encoder is None else partial(_looks, self._encoder, frame, masks),
        )

    def _without_ignored(
        self, masks: Ints32, votes: Ints32, words: Ints32
    ) -> tuple[Ints32, Ints32]:
        """Return masks, changed in place, and words without segments of an ignored class."""
        from commonground.mapping.perception import _masks

        kept = ~self._ignored[votes[1:].argmax(axis=1)]
        new = np.zeros(len(kept) + 1, np.int32)
        new[1:][kept] = 1 + np.arange(kept.sum())
        _masks.look_up(masks, new, 0, masks)
        return masks, words[kept]

    def _embeddings(self, frame: Frame, masks: Ints32, count: int) -> Floats32:
        if not self.embedding_model:
            return np.empty((count, 0), np.float32)
        if self._encoder is not None:
            return np.full((count, self._encoder.dimension), np.nan, np.float32)
        return color_descriptors(frame, masks, count)

    def _scores(self, words: Ints32) -> Floats32:
        out = np.zeros((len(words), len(self.vocabulary)), np.float32)
        known: Ints = np.flatnonzero(words >= 0)
        out[known, words[known]] = 1.0
        out[words < 0] = 1.0 / max(len(self.vocabulary), 1)
        return out

    def _surfaces(self, frame: Frame, labels: Ints32, masks: Ints32) -> Ints32:
        from commonground.mapping.perception import _masks

        out = np.empty_like(labels)
        _masks.look_up(labels, self._surface_of, NO_SURFACE, out)
        found = None if self._geometry is None else self._geometry.segment(frame).surfaces
        if found is None:
            return out
        bare = (out == NO_SURFACE) & (masks == 0)
        return np.where(bare, found, out).astype(np.int32)


def _looks(encoder: ImageVectors, frame: Frame, masks: Ints32, numbers: Ints) -> Floats32:
    """Return a unit vector (n, d) for each of the segments by its cut-out; NaN for one without pixels."""
    from scipy.ndimage import find_objects

    out = np.full((len(numbers), encoder.dimension), np.nan, np.float32)
    windows = find_objects(masks, int(numbers.max(initial=0)))
    found = [(row, n, windows[n - 1]) for row, n in enumerate(numbers.tolist()) if windows[n - 1]]
    if found:
        inside = np.array([masks == n for _, n, _ in found])
        boxes = np.array([(x.start, y.start, x.stop, y.stop) for _, _, (y, x) in found])
        out[[row for row, *_ in found]] = encoder.images(frame.rgb, inside, boxes)
    return out
