"""What a scene graph holds, in the few numbers a person asks for first."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from commonground.scene.gone import gone_things
from commonground.scene.graph import SceneGraph, is_symbol


def summarize(graph: SceneGraph) -> dict[str, Any]:
    """Return JSON values: per layer nodes, edges, extent, commonest classes; links; mesh; what is odd."""
    layers = {name: _layer(graph, name) for name in graph.layers if len(graph.layers[name])}
    links = {
        f"{child} → {parent}": len(edges)
        for (child, parent), edges in graph.links.items()
        if len(edges)
    }
    mesh = None
    if graph.mesh is not None:
        mesh = {"vertices": len(graph.mesh.vertices), "triangles": len(graph.mesh.faces)}
    return {"layers": layers, "links": links, "mesh": mesh, "notes": notes(graph)}


MOST = 12
"""Classes that are listed, the most frequent ones."""


def _layer(graph: SceneGraph, name: str) -> dict[str, Any]:
    layer = graph.layers[name]
    words = Counter(_classes(graph, name))
    low, high = layer.positions.min(axis=0), layer.positions.max(axis=0)
    return {
        "nodes": len(layer),
        "edges": len(layer.edges),
        "extent_m": np.round(high - low, 2).tolist(),
        "classes": dict(sorted(words.most_common(MOST), key=lambda x: (-x[1], x[0]))),
        "more_classes": max(len(words) - MOST, 0),
        "embedding_size": 0 if layer.features is None else int(layer.features.shape[1]),
        "columns": sorted(layer.columns),
    }


def notes(graph: SceneGraph) -> list[str]:
    """Return what a user of this graph should know before relying on it."""
    from scipy.sparse.csgraph import connected_components

    found = []
    for name in ("surface_places", "places"):
        if graph.has(name):
            count, part = connected_components(graph.adjacency(name), directed=False)
            if count > 1:
                sizes = np.sort(np.bincount(part))[::-1]
                found.append(
                    f"{name} fall into {count} unconnected parts (largest {sizes[0]} of {sizes.sum()} nodes)"
                )
    if not graph.has("surface_places") and not graph.has("places"):
        found.append("no places: nothing can be planned on this graph")
    if graph.has("objects") and graph.has("surface_places"):
        loose = int((graph.parents("objects", "surface_places") < 0).sum())
        if loose:
            found.append(
                f"{loose} of {len(graph.objects)} objects are attached to no surface place"
            )
    found += gone_things(graph).values()
    if graph.has("objects") and not _classes(graph, "objects"):
        found.append("objects have no class names; 'labelspaces' in the metadata gives them words")
    return found


def _classes(graph: SceneGraph, name: str) -> list[str]:
    """Return the class words of a layer's nodes; a symbol, as Hydra names them, is none."""
    words = zip(graph.label_words(name), graph.layers[name].symbols, strict=True)
    return [word for word, symbol in words if word and not is_symbol(word, symbol)]
