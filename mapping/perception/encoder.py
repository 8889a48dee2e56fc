"""What makes unit vectors of things, and of words where it knows any: networks behind one protocol."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from commonground.arrays import Bools, Bytes, Floats32, Ints
from commonground.mapping.perception.settings import FastSamSettings


class Encoder(Protocol):
    """Looks of things as unit vectors."""

    @property
    def name(self) -> str:
        """What maps call the model; vectors of different models cannot be compared."""
        ...

    @property
    def kind(self) -> str:
        """The family, as the name of a back end has it."""
        ...

    def images(self, rgb: Bytes, masks: Bools, boxes: Ints) -> Floats32:
        """Return a unit vector (k, d) for each mask (k, h, w) with its box (k, 4)."""
        ...


@runtime_checkable
class WordEncoder(Encoder, Protocol):
    """One that puts words into the same space."""

    @property
    def scale(self) -> float:
        """The model's own factor from cosines to logits."""
        ...

    @property
    def weights(self) -> Path | None:
        """The file of its weights, if there is one."""
        ...

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word: the mean over the sentences it is put in."""
        ...


def open_encoder(settings: FastSamSettings) -> Encoder:
    """Return the encoder that the settings name."""
    if settings.embedder:
        from commonground.mapping.perception.hub_encoder import open_hub_encoder

        return open_hub_encoder(settings)
    from commonground.mapping.perception.clip import Clip

    return Clip(settings)
