"""How objects look, as scene graphs keep it: Spark-DSG's ``semantic_feature`` and what made it."""

from __future__ import annotations

import numpy as np

from commonground.arrays import Floats32
from commonground.objects import ObjectMap

DIGITS = 3
"""Decimals of a unit vector's numbers: 3 kB of text an object at 512 numbers, cosines within about 1e-4."""


def looks_of(objects: ObjectMap) -> Floats32 | None:
    """Return the embeddings (n, d) as they are written, None where the perception gives none."""
    if not objects.embeddings.shape[1]:
        return None
    return np.asarray(np.round(objects.embeddings, DIGITS), np.float32)


def looks_made_by(objects: ObjectMap) -> dict[str, str]:
    """Return the metadata that names the model of the embeddings, empty where there are none."""
    known = objects.embedding_model and objects.embeddings.shape[1]
    return {"embedding_model": objects.embedding_model} if known else {}
