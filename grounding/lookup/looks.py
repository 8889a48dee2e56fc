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
    bias: float | None
    """What a model adds that judges each word by itself, as SigLIP does; None for one that chooses."""

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
    """Return how likely each vector (n, d) shows what was asked for, NaN for none.

    A model that judges each word by itself is taken at its word. Of one that chooses among words it is the
    softmax over the words asked for, the words of the map and a bank of everyday ones, without those that
    the words asked for imply (a red car is a car): a cosine alone says nothing, as most pictures lie near
    most words.
    """
    if encoder.bias is not None:
        cosines = np.asarray(features @ encoder.words([asked], PROMPTS)[0], float)
        return np.asarray(1 / (1 + np.exp(-encoder.scale * cosines - encoder.bias)))
    said = set(asked.split())
    others = sorted(w for w in known | set(_bank()) if not set(w.split()) <= said)
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
