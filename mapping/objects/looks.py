"""How objects look, as scene graphs keep it: Spark-DSG's ``semantic_feature`` and what made it."""

from __future__ import annotations

from typing import Any

import numpy as np

from commonground.arrays import Floats32
from commonground.objects import ObjectMap

SPREAD = "look_spread"
"""Column: how far an object's views differ in looks, 0 if all are alike, 1 if it has none."""
DIGITS = 3
"""Decimals of a unit vector's numbers: 3 kB of text an object at 512 numbers, cosines within about 1e-4."""


def looks_of(objects: ObjectMap) -> Floats32 | None:
    """Return the embeddings (n, d) as they are written, None where the perception gives none."""
    if not objects.embeddings.shape[1]:
        return None
    return np.asarray(np.round(objects.embeddings, DIGITS), np.float32)


def look_columns(objects: ObjectMap) -> dict[str, Any]:
    """Return the columns of a layer that say how sure the looks are, empty where there are none."""
    known = objects.embeddings.shape[1] and SPREAD in objects.columns
    if not known:
        return {}
    spread = np.nan_to_num(objects.columns[SPREAD].astype(float), nan=1.0)
    return {SPREAD: np.round(spread, DIGITS)}


def looks_made_by(objects: ObjectMap) -> dict[str, str]:
    """Return the metadata that names the model of the embeddings, empty where there are none."""
    known = objects.embedding_model and objects.embeddings.shape[1]
    return {"embedding_model": objects.embedding_model} if known else {}
