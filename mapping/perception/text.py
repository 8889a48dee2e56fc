"""The text encoder of what a map keeps of looks, by the model's name in the map; loaded when it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from commonground.arrays import Bytes, Floats32
from commonground.mapping.perception.clip import Clip, name_of
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.small import simulated
from commonground.scene import SceneGraph


class LazyClip:
    """A text encoder that is loaded by the first word it is asked about."""

    def __init__(self, settings: FastSamSettings) -> None:
        self.name, self._settings = name_of(settings), settings

    @cached_property
    def _clip(self) -> Clip:
        return Clip(self._settings)

    def load(self) -> None:
        """Load it now; MappingError where it cannot be had."""
        _ = self._clip

    @property
    def scale(self) -> float:
        """The model's own factor from cosines to logits."""
        return self._clip.scale

    @property
    def bias(self) -> float | None:
        """What a model adds that judges each word by itself."""
        return self._clip.bias

    @property
    def taught(self) -> Sequence[str]:
        """Nouns and attributes that a model of a small world was taught."""
        return self._clip.taught

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word."""
        return self._clip.words(words, prompts)

    def picture(self, rgb: Bytes) -> Floats32:
        """Return the unit vector (d,) of a whole picture (h, w, 3)."""
        return self._clip.picture(rgb)


def encoder_of(graph: SceneGraph, settings: FastSamSettings) -> LazyClip | None:
    """Return the encoder for what a map keeps of looks; None for a map that names no model of them.

    A map of the small model that ships needs no setting.
    """
    made_by = graph.metadata.get("embedding_model")
    if not made_by:
        return None
    ships = simulated()
    return LazyClip(ships if made_by == name_of(ships) else settings)
