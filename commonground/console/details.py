"""What is known of one thing or region: its class, who saw it when, and what the memory says of it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from commonground.console.opening import missions_in
from commonground.console.record import MissionRecord
from commonground.console.words import when
from commonground.errors import CommongroundError
from commonground.names import within
from commonground.planning.mission.explain import explained
from commonground.planning.mission.journal import Step, read_steps
from commonground.scene import SceneGraph

MOST_FACTS, MOST_CHANGES, MOST_MISSIONS = 12, 6, 8
NEAR_M = 8.0
_WORD = re.compile(r"\w+")
NOT_OF_A_THING = ("the plan:", "asked:", "the mission ", "no plan ", "over:")
"""What a journal tells of a mission as a whole."""
COLUMNS = {"existence": "existence", "observations": "seen in", "area_m2": "area"}


def details_of(
    graph: SceneGraph,
    symbol: str,
    facts: Iterable[str] = (),
    record: MissionRecord | None = None,
    changes: Iterable[str] = (),
) -> list[tuple[str, str]]:
    """Return names and values of what is known of a node; SceneError for an unknown symbol."""
    name, row = graph.find(symbol)
    layer = graph.layers[name]
    word = graph.label_words(name)[row]
    proper = graph.proper_names(name)[row]
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
    rows += [("change", change) for change in changes]
    return rows + [("memory", fact) for fact in list(facts)[:MOST_FACTS]]


def named_of(graph: SceneGraph, symbol: str) -> str:
    """Return how a node is offered to choose from: what it is, and where."""
    name, row = graph.find(symbol)
    found = f"{graph.label_words(name)[row] or 'unnamed'} {symbol}{_near(graph, name, row)}"
    return ", ".join(
        [found, *(f"{relation} {where}" for relation, where in _within(graph, name, row))]
    )


def _near(graph: SceneGraph, name: str, row: int) -> str:
    """Return the nearest thing of another class, by which one of several of a class is known."""
    if name != "objects":
        return ""
    words = np.array(graph.label_words(name))
    at = graph.objects.positions
    gaps = np.linalg.norm(at - at[row], axis=1)
    gaps[(words == words[row]) | (words == "")] = np.inf
    k = int(gaps.argmin())
    return f" near {words[k]} {graph.objects.symbols[k]}" if gaps[k] < NEAR_M else ""


def _within(graph: SceneGraph, name: str, row: int) -> list[tuple[str, str]]:
    """Return the region that a node is in."""
    if name == "regions" or not graph.has("regions"):
        return []
    up = int(graph.ancestors(name, "regions")[row])
    if up < 0:
        return []
    called = graph.titles("regions")[up]
    return [("in", f"{called} {graph.regions.symbols[up]}")]


def _seen(graph: SceneGraph, name: str, row: int) -> list[tuple[str, str]]:
    """Return who saw it, how often and when, as far as the map tells."""
    layer, rows = graph.layers[name], []
    for column, said in (("seen_by", "seen by"), ("seen_absent_by", "missed by")):
        robots = _robots(graph, name, row, column)
        if robots:
            rows.append((said, ", ".join(robots)))
    for column, said in COLUMNS.items():
        if column in layer.columns:
            value = float(layer.columns[column][row])
            rows.append(
                (said, f"{value:.0f} images" if column == "observations" else f"{value:.2f}")
            )
    for column, said in (("first_seen_ns", "first seen"), ("last_seen_ns", "last seen")):
        if column in layer.columns:
            rows.append((said, when(int(layer.columns[column][row]))))
    return rows


def _robots(graph: SceneGraph, name: str, row: int, column: str) -> list[str]:
    """Return the robots that a column of the fused map tells of; of a map of one, that one."""
    layer = graph.layers[name]
    names = graph.metadata.get("robots") or layer.metadata(row).get("robots") or ()
    names = [str(n) for n in names] if isinstance(names, list | tuple) else []
    told = np.asarray(layer.columns.get(column, ()))
    if told.ndim == 2 and told.shape[1] == len(names):
        return [n for n, yes in zip(names, told[row].tolist(), strict=True) if yes]
    return names if column == "seen_by" and len(names) == 1 else []


def changes_of(missions: Path, symbol: str) -> list[str]:
    """Return what the last missions did to a thing and noticed about it, the newest first."""
    found: list[str] = []
    for mission in missions_in(missions)[:MOST_MISSIONS]:
        with contextlib.suppress(CommongroundError, OSError):
            lines = list(_told_of(read_steps(within(missions, mission)), symbol))
            found += [f"{line}, in mission {mission}" for line in lines[::-1]]
    return found[:MOST_CHANGES]


def _told_of(steps: Iterable[Step], symbol: str) -> Iterator[str]:
    """Yield what a mission tells of a thing: what was finished with it, and what it noticed."""
    tasks = dict[str, str]()
    for step in steps:
        for line in explained([step], tasks):
            text = line.partition(" s  ")[2]
            if symbol in _WORD.findall(text) and not text.startswith(NOT_OF_A_THING):
                yield f"{text} ({step.time_s:.0f} s)"
