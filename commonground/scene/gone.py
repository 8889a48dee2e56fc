"""Things that are known to be gone: a map keeps them, with who saw so, in case they are met elsewhere.

Whoever looks for things, plans or draws takes the map without them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.scene.graph import SceneGraph

GONE, SEARCHED = "gone", "searched"
"""What the metadata of such a thing tell: that it is gone, and the regions in which it was looked for."""


def gone_things(graph: SceneGraph) -> dict[str, str]:
    """Return the things of a map that are gone, each with how that is known."""
    found = {}
    for row in _rows(graph):
        symbol, name = graph.objects.symbols[row], graph.proper_names("objects")[row]
        who = graph.objects.metadata(row).get("seen_by")
        seen = f"was not there when {who} looked" if who else "is gone, as the map tells"
        found[symbol] = f"{name} ({symbol}) {seen}" if name else f"{symbol} {seen}"
    return found


def searched_for(graph: SceneGraph) -> dict[str, list[str]]:
    """Return thing that is gone → the regions in which it was looked for in vain."""
    told = {graph.objects.symbols[k]: graph.objects.metadata(k).get(SEARCHED) for k in _rows(graph)}
    return {s: list(map(str, found)) for s, found in told.items() if isinstance(found, list)}


def without_gone(graph: SceneGraph) -> SceneGraph:
    """Return a map without the things that are gone; the same where there are none."""
    rows = _rows(graph)
    keep = ~np.isin(np.arange(len(graph.objects)), rows) if rows else ()
    return graph.take("objects", keep) if rows else graph


def with_gone(graph: SceneGraph, searched: Mapping[str, Sequence[str]]) -> SceneGraph:
    """Return a map that tells of certain things, and no others, that they are gone, and where one looked."""
    before, layer = set(_rows(graph)), graph.objects
    now = set(layer.rows(list(searched)).tolist()) if searched else set()
    if not before and not now:
        return graph
    extras = list(layer.extras) or [{}] * len(layer)
    for row in sorted(before | now):
        metadata = {k: v for k, v in layer.metadata(row).items() if k != SEARCHED} | {
            GONE: row in now
        }
        looked = searched.get(layer.symbols[row])
        extras[row] = {
            **extras[row],
            "metadata": metadata | ({SEARCHED: list(looked)} if looked else {}),
        }
    return graph.with_layer("objects", replace(layer, extras=tuple(extras)))


def gone_and_said(text: str, graph: SceneGraph) -> Iterator[str]:
    """Yield how it is known that things are gone that a text may mean: by symbol, name or class."""
    for symbol, told in gone_things(graph).items():
        row = graph.objects.row(symbol)
        names = (symbol, graph.proper_names("objects")[row], graph.label_words("objects")[row])
        if any(name and re.search(rf"\b{re.escape(name)}s?\b", text, re.I) for name in names):
            yield told


def _rows(graph: SceneGraph) -> list[int]:
    if not graph.has("objects") or not graph.objects.extras:
        return []
    layer = graph.objects
    return [row for row in range(len(layer)) if layer.metadata(row).get(GONE) is True]
