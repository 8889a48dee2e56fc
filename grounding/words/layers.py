"""Words for any node of a layer of the map, whatever it is: ``area``, ``item``, ``waypoint``."""

from __future__ import annotations

from collections.abc import Mapping

from commonground.grounding.meaning import Kind
from commonground.grounding.words.nouns import singulars

LAYERS: Mapping[str, Kind] = {
    "object": "object", "item": "object", "obj": "object", "region": "region", "area": "region",
    "zone": "region", "room": "region", "place": "place", "waypoint": "place", "location": "place",
    "node": "thing", "number": "thing", "no": "thing", "nr": "thing", "symbol": "thing", "id": "thing",
    "thing": "thing", "mesh": "thing",
}  # fmt: skip


def layer_of(word: str) -> Kind | None:
    """Return the layer that a word speaks of, ``thing`` for any of them; None for other words."""
    return next((LAYERS[form] for form in singulars(word) if form in LAYERS), None)
