"""The looks of a map made anew, by another model, from the crops that lie beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import numpy as np

from commonground.arrays import Bytes, Floats32
from commonground.crops import Crops
from commonground.errors import GroundingError
from commonground.grounding.lookup.encoder import TextEncoder, model_of
from commonground.looks import WEIGHT
from commonground.scene import SceneGraph
from commonground.symbols import symbol_of


class Encoder(TextEncoder, Protocol):
    """What turns words and pictures into vectors of one space."""

    def picture(self, rgb: Bytes) -> Floats32:
        """Return the unit vector (d,) of a whole picture (h, w, 3)."""
        ...


def seen_anew(
    graph: SceneGraph, crops: Crops, encoder: Encoder, decoded: Callable[[bytes], Bytes]
) -> SceneGraph:
    """Return the graph with looks by this encoder: the unit mean over the crops of each object.

    Crops are of the best views, each of which counts in full.

    ``decoded`` makes a picture of a crop's bytes.

    GroundingError, with the names of both models, where the map has no crops.
    """
    if not len(crops):
        raise GroundingError(
            f"the map's embeddings were made with '{model_of(graph)}', the model loaded is '{encoder.name}', "
            "and there are no crops to make them anew from: only that model can compare them"
        )
    objects, rows = graph.objects, {}
    weight = np.zeros(len(graph.objects), np.float32)
    for row, node in enumerate(objects.ids.tolist()):
        own = [encoder.picture(decoded(c.jpeg)) for c in crops.of(symbol_of(node))]
        if own:
            mean = np.mean(own, axis=0)
            rows[row], weight[row] = mean / np.linalg.norm(mean), len(own)
    features = None
    if rows:
        features = np.full((len(objects), len(next(iter(rows.values())))), np.nan, np.float32)
        features[list(rows)] = list(rows.values())
    columns = {**objects.columns, WEIGHT: weight}
    graph = graph.with_layer("objects", replace(objects, features=features, columns=columns))
    if graph.has("regions"):
        graph = graph.with_layer("regions", replace(graph.regions, features=None))
    return replace(graph, metadata={**graph.metadata, "embedding_model": encoder.name})
