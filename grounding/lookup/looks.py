"""Words against what was seen: probabilities from embeddings that a map keeps of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Protocol

import numpy as np

from commonground.arrays import Floats, Floats32
from commonground.errors import GroundingError
from commonground.grounding.words.concepts import everyday
from commonground.scene import SceneGraph

PROMPTS = ("a photo of a {}", "a {} seen by a robot", "a cropped image of a {}")
"""Sentences the words are put in, as where maps are made."""


class TextEncoder(Protocol):
    """What turns words into vectors of the space a map's embeddings lie in."""

    name: str
    """As in the map's ``embedding_model``."""
    scale: float
    """The model's own factor from cosines to logits."""

    def words(self, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
        """Return a unit vector (w, d) for each word."""
        ...


def model_of(graph: SceneGraph) -> str:
    """Return the name of the model that made a map's embeddings, '' where nobody wrote it down."""
    return str(graph.metadata.get("embedding_model", ""))


def check(graph: SceneGraph, layer: str, encoder: TextEncoder, dimension: int) -> None:
    """Raise GroundingError if a map's embeddings are not of the encoder's space."""
    made_by = model_of(graph)
    if made_by and made_by != encoder.name:
        raise GroundingError(
            f"the map's embeddings were made with '{made_by}' and the model loaded is '{encoder.name}': "
            "their vectors cannot be compared; load the same model"
        )
    features = graph.layer(layer).features
    if features is not None and features.shape[1] != dimension:
        raise GroundingError(
            f"the map's embeddings have {features.shape[1]} numbers and those of '{encoder.name}' "
            f"{dimension}: they are of different models"
        )


def probabilities(features: Floats32, encoder: TextEncoder, asked: str, known: set[str]) -> Floats:
    """Return how likely each vector (n, d) shows what was asked for rather than any other word, NaN for none.

    The model's own softmax over the words asked for, the words of the map and a bank of everyday ones: a
    cosine alone says nothing, as most pictures lie near most words.
    """
    others = sorted((known | set(_bank())) - {asked})
    vectors = encoder.words([asked, *others], PROMPTS)
    logits = encoder.scale * np.asarray(features @ vectors.T, float)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights[:, 0] / weights.sum(axis=1))


@cache
def _bank() -> tuple[str, ...]:
    """Return a word for each kind of thing that nothing else is a kind of: the leaves of the taxonomy."""
    concepts = everyday().concepts
    above = {c.parent for c in concepts}
    return tuple(sorted({c.words[0] for c in concepts if c.row not in above}))
