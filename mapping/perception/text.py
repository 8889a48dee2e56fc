"""The encoder of what a map keeps of looks, by the model's name in the map; loaded when it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from commonground.arrays import Bytes, Floats32
from commonground.errors import MappingError
from commonground.looks import Calibration
from commonground.mapping.perception.clip import name_of
from commonground.mapping.perception.hub_encoder import hub_name
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.small import simulated
from commonground.mapping.perception.vectors import ImageVectors, WordVectors
from commonground.mapping.perception.weights import local_clip
from commonground.scene import SceneGraph


class LazyEncoder:
    """An encoder of words and pictures that is loaded by the first it is asked about."""

    def __init__(self, settings: FastSamSettings) -> None:
        self.name = hub_name(settings) if settings.embedder else name_of(settings)
        self._settings = settings

    @cached_property
    def _loaded(self) -> WordVectors:
        encoder = open_encoder(self._settings)
        if not isinstance(encoder, WordVectors):
            raise MappingError(
                f"'{self.name}' knows no words (perception.fastsam.embedder): things are found by the looks "
                "of a model that does, as SigLIP or CLIP"
            )
        return encoder

    def is_here(self) -> bool:
        """Return whether its weights are on this machine, as far as that is known without loading them."""
        own = self._settings
        return bool(own.embedder) or local_clip(own.clip_model, own.clip_weights) is not None

    def load(self) -> None:
        """Load it now; MappingError where it cannot be had."""
        _ = self._loaded

    @property
    def scale(self) -> float:
        return self._loaded.scale

    @property
    def bias(self) -> float | None:
        return self._loaded.bias

    @property
    def taught(self) -> Sequence[str]:
        return self._loaded.taught

    @property
    def calibration(self) -> Calibration:
        return self._loaded.calibration

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        return self._loaded.words(words, prompts)

    def picture(self, rgb: Bytes) -> Floats32:
        return self._loaded.picture(rgb)


def encoder_of(graph: SceneGraph, settings: FastSamSettings) -> LazyEncoder | None:
    """Return the encoder for what a map keeps of looks; None for a map that names no model of them.

    A map of the small model that ships needs no setting.
    """
    made_by = graph.metadata.get("embedding_model")
    if not made_by:
        return None
    ships = simulated()
    return LazyEncoder(ships if made_by == name_of(ships) else settings)


def open_encoder(settings: FastSamSettings) -> ImageVectors:
    if settings.embedder:
        from commonground.mapping.perception.hub_encoder import open_hub_encoder

        return open_hub_encoder(settings)
    from commonground.mapping.perception.clip import Clip

    return Clip(settings)
