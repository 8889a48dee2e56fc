"""What is known of one thing or region: its class, who saw it when, and what the memory says of it."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

from commonground.console.record import MissionRecord
from commonground.scene import SceneGraph

MOST_FACTS = 12
COLUMNS = {"existence": "existence", "observations": "seen in", "area_m2": "area"}


def details_of(
    graph: SceneGraph, symbol: str, facts: Iterable[str] = (), record: MissionRecord | None = None
) -> list[tuple[str, str]]:
    """Return names and values of what is known of a node; SceneError for an unknown symbol."""
    name, row = graph.find(symbol)
    layer = graph.layers[name]
    word = graph.label_words(name)[row]
    proper = str(layer.metadata(row).get("name") or "")
    x, y, z = layer.positions[row].tolist()
    rows = [("what", f"{word or 'unnamed'} {symbol}" + (f", {proper}" if proper else ""))]
    rows.append(("where", f"{x:.1f}, {y:.1f}, {z:.1f} m"))
    rows += _within(graph, name, row)
    if layer.boxes is not None and layer.boxes.valid[row]:
        a, b, c = layer.boxes.sizes[row].tolist()
        rows.append(("size", f"{a:.1f} × {b:.1f} × {c:.1f} m"))
    rows += _seen(graph, name, row)
    wanted = [r for r, goal in (record.goals or {}).items() if symbol in goal] if record else []
    if wanted:
        rows.append(("in the goal of", ", ".join(wanted)))
    return rows + [("memory", fact) for fact in list(facts)[:MOST_FACTS]]


def named_of(graph: SceneGraph, symbol: str) -> str:
    """Return how a node is offered to choose from: what it is, and where."""
    name, row = graph.find(symbol)
    found = f"{graph.label_words(name)[row] or 'unnamed'} {symbol}"
    return ", ".join(
        [found, *(f"{relation} {where}" for relation, where in _within(graph, name, row))]
    )


def _within(graph: SceneGraph, name: str, row: int) -> list[tuple[str, str]]:
    """Return the region that a node is in."""
    if name == "regions" or not graph.has("regions"):
        return []
    up = int(graph.ancestors(name, "regions")[row])
    if up < 0:
        return []
    called = graph.regions.metadata(up).get("name") or graph.label_words("regions")[up]
    return [("in", f"{called} {graph.regions.symbols[up]}")]


def _seen(graph: SceneGraph, name: str, row: int) -> list[tuple[str, str]]:
    """Return who saw it, how often and when, as far as the map tells."""
    layer, rows = graph.layers[name], []
    seen_by = layer.metadata(row).get("robots") or graph.metadata.get("robots")
    if seen_by:
        rows.append(("mapped by", ", ".join(map(str, seen_by))))
    for column, said in COLUMNS.items():
        if column in layer.columns:
            value = float(layer.columns[column][row])
            rows.append(
                (said, f"{value:.0f} images" if column == "observations" else f"{value:.2f}")
            )
    for column, said in (("first_seen_ns", "first seen"), ("last_seen_ns", "last seen")):
        if column in layer.columns:
            rows.append((said, _when(int(layer.columns[column][row]))))
    return rows


def _when(stamp_ns: int) -> str:
    """Return a date, or seconds where a recording counts from its own beginning."""
    seconds = stamp_ns / 1e9
    if seconds < 1e8:
        return f"{seconds:.1f} s"
    at = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return at.strftime("%Y-%m-%d %H:%M:%S UTC")
