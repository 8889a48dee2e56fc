"""What all networks that embed things have in common: cut-outs and sentences in, unit vectors out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np

from commonground.arrays import Bools, Bytes, Floats32, Ints
from commonground.looks import Calibration
from commonground.mapping.perception.cutouts import cut_out
from commonground.mapping.perception.settings import FastSamSettings

DIM_BACKGROUND = 0.5
"""How far what is not the thing is dimmed in its cut-out."""


class ImageVectors(ABC):
    """Looks of things as unit vectors."""

    settings: FastSamSettings
    device: str
    name: str
    """What maps call the model."""
    kind: str
    """The family, as the name of a back end has it."""
    _mean: Sequence[float]
    """Color of the images it was trained on."""

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Length of the vectors."""

    @abstractmethod
    def _looks(self, crops: list[Floats32]) -> Floats32:
        """Return the features (k, d) of crops (3, side, side) in [0, 1], of any length."""

    def images(self, rgb: Bytes, masks: Bools, boxes: Ints) -> Floats32:
        """Return a unit vector (k, d) for each mask (k, h, w): its box cut out, the rest of it dimmed.

        ``boxes`` (k, 4) is x, y of the first and behind the last pixel.
        """
        s = self.settings
        rows = []
        for start in range(0, len(masks), s.batch):
            part = slice(start, start + s.batch)
            crops = [
                cut_out(rgb, mask, box, margin=s.margin, dim=DIM_BACKGROUND, gray=self._mean)
                for mask, box in zip(masks[part], boxes[part], strict=True)
            ]
            rows.append(_unit(self._looks(crops)))
        return np.concatenate(rows) if rows else np.empty((0, self.dimension), np.float32)

    def picture(self, rgb: Bytes) -> Floats32:
        """Return the unit vector (d,) of a whole picture (h, w, 3)."""
        height, width = rgb.shape[:2]
        every = np.ones((1, height, width), bool)
        return np.asarray(self.images(rgb, every, np.array([[0, 0, width, height]]))[0])


class WordVectors(ImageVectors):
    """Looks of things and words in one space."""

    scale: float
    """The model's own factor from cosines to logits."""
    bias: float | None
    """What a model adds that judges each word by itself, as SigLIP does; None for one that chooses."""
    taught: Sequence[str]
    """Nouns and attributes that a model of a small world was taught; none for one of the open world."""
    calibration: Calibration
    weights: Path | None
    """The file of its weights, if there is one."""

    @abstractmethod
    def _said(self, sentences: list[str]) -> Floats32:
        """Return the features (n, d) of sentences, of any length."""

    @cached_property
    def dimension(self) -> int:
        return int(self.words(["a"], ["{}"]).shape[1])

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word: the mean over the sentences it is put in."""
        rows = []
        batch = max(1, 2 * self.settings.batch // max(1, len(prompts)))
        for start in range(0, len(words), batch):
            said = [p.format(word) for word in words[start : start + batch] for p in prompts]
            each = _unit(self._said(said))
            rows.append(_unit(each.reshape(-1, len(prompts), each.shape[1]).mean(axis=1)))
        return np.concatenate(rows) if rows else np.empty((0, 1), np.float32)


def _unit(vectors: Floats32) -> Floats32:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-12), np.float32)
