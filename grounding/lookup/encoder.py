"""What turns words into vectors of the space that a map's looks lie in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonground.arrays import Floats32
from commonground.looks import Calibration
from commonground.scene import SceneGraph

PROMPTS = ("a photo of a {}", "a {} seen by a robot", "a cropped image of a {}")
"""Sentences the words are put in, as where maps are made."""


class TextEncoder(Protocol):
    """What turns words into vectors of the space a map's embeddings lie in."""

    @property
    def name(self) -> str:
        """As in the map's ``embedding_model``."""
        ...

    @property
    def scale(self) -> float:
        """The model's own factor from cosines to logits."""
        ...

    @property
    def bias(self) -> float | None:
        """What a model adds that judges each word by itself, as SigLIP does; None for one that chooses."""
        ...

    @property
    def taught(self) -> Sequence[str]:
        """Nouns and attributes that a model of a small world was taught; none for one of the open world."""
        ...

    @property
    def calibration(self) -> Calibration:
        """How sure its answers make one."""
        ...

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word."""
        ...


def model_of(graph: SceneGraph) -> str:
    """Return the name of the model that made a map's embeddings, '' where nobody wrote it down."""
    return str(graph.metadata.get("embedding_model", ""))
