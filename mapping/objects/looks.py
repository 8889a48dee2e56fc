"""How objects look, as scene graphs keep it: Spark-DSG's ``semantic_feature`` and what made it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from commonground.arrays import Floats32
from commonground.looks import SPREAD, WEIGHT
from commonground.objects import ObjectMap
from commonground.scene import SceneGraph

LEARNED = ("open_clip/", "transformers/")
"""How the names of models begin that tell kinds of things apart, not colors and sizes alone."""
LENGTH = 1000.0
"""Of vectors as they are written, in whole numbers: 1.7 kB of text an object at 512 numbers, 2.5 kB at 768,
and cosines of two of them within 2e-3, 3e-4 on average. Who compares them goes by their directions."""
DIGITS = 3
LEAST_SEEN = 3
"""Things with looks that a region needs for looks of its own: fewer tell of themselves, not of the region."""


def looks_of(objects: ObjectMap) -> Floats32 | None:
    """Return the embeddings (n, d) as they are written, None where the perception gives none."""
    if not objects.embeddings.shape[1]:
        return None
    return np.asarray(np.round(LENGTH * objects.embeddings), np.float32)


def look_columns(objects: ObjectMap) -> dict[str, Any]:
    """Return the columns of a layer that say how sure the looks are, empty where there are none."""
    if not objects.embeddings.shape[1]:
        return {}
    unseen = {SPREAD: 1.0, WEIGHT: 0.0}
    return {
        name: np.round(np.nan_to_num(objects.columns[name].astype(float), nan=worst), DIGITS)
        for name, worst in unseen.items()
        if name in objects.columns
    }


def looks_made_by(objects: ObjectMap) -> dict[str, str]:
    """Return the metadata that names the model of the embeddings, empty where there are none."""
    known = objects.embedding_model and objects.embeddings.shape[1]
    return {"embedding_model": objects.embedding_model} if known else {}


def with_region_looks(graph: SceneGraph) -> SceneGraph:
    """Return a graph whose regions look like what was seen in them: the unit mean over their objects."""
    features = graph.objects.features if graph.has("objects") else None
    if features is None or not graph.has("regions"):
        return graph
    rows = graph.ancestors("objects", "regions")
    seen = np.isfinite(features).all(axis=1) & (rows >= 0)
    n, count = len(graph.regions), np.bincount(rows[seen], minlength=len(graph.regions))
    sums = np.zeros((n, features.shape[1]))
    np.add.at(sums, rows[seen], features[seen])
    length = np.linalg.norm(sums, axis=1)
    known = (count >= LEAST_SEEN) & (length > 0)
    if not known.any():
        return graph
    looks = np.full((n, features.shape[1]), np.nan, np.float32)
    looks[known] = np.round(LENGTH * sums[known] / length[known, None])
    return graph.with_layer("regions", replace(graph.regions, features=looks))
