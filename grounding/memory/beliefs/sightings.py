"""What sensors saw, from files and from scene graphs, as observations of a memory's things."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from pydantic import Field, ValidationError

from commonground.arrays import Floats
from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import read_text, triple
from commonground.grounding.memory.beliefs.sensing import Observation, Sighting
from commonground.grounding.memory.english.clock import observed_time
from commonground.grounding.memory.ontology.names import Names
from commonground.reading import parse_json
from commonground.reasons import reason
from commonground.settings import Settings

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory
    from commonground.scene import Layer, SceneGraph

Share = Annotated[float, Field(ge=0, le=1)]

_ABOVE_M, _BELOW_M = 0.35, 0.15
"""How far above or below the top of a surface the foot of what stands on it may be measured."""
_SEEN_CONFIDENCE = 0.9
"""Of a relation measured in a scene graph."""


class TripleLine(Settings):
    """One triple of an observation file."""

    subject: str
    relation: str
    object: str | bool
    confidence: Share = 1.0


class ObservationFile(Settings):
    """What one sensor saw at one time."""

    triples: list[TripleLine] = Field(default_factory=list, max_length=20_000)
    seen: list[str] = Field(default_factory=list)
    """Places, rooms or shelves that were in full view."""
    sensor: str | None = None
    at: str | None = None
    recall: Share = 0.9


def read_observation(
    path: str | Path, memory: Memory, sensor: str, at_ns: int | None
) -> Observation:
    """Return what a file of sightings, a scene graph file or a run directory says was seen."""
    path = Path(path)
    now = time.time_ns() if at_ns is None else at_ns
    if path.is_dir() or not _is_observation(path):
        from commonground.scene import load_scene
        from commonground.scene.locate import scene_file

        return observation_of(load_scene(scene_file(path)), memory.names, sensor, now)
    try:
        file = ObservationFile.model_validate_json(read_text(path))
    except ValidationError as error:
        raise GroundingError(f"{path}: {reason(error)}") from error
    strange = [key for key in file.seen if key not in memory.names.things]
    if strange:
        raise GroundingError(f"{path}: 'seen' names the unknown place '{strange[0]}'")
    when = observed_time(file.at) if file.at is not None and at_ns is None else now
    surest: dict[Fact, float] = {}  # one look sees a thing once, however often it is listed
    for line in file.triples:
        fact = triple(line.subject, line.relation, line.object)
        surest[fact] = max(line.confidence, surest.get(fact, 0.0))
    sightings = tuple(Sighting(fact, confidence) for fact, confidence in surest.items())
    return Observation(sightings, when, file.sensor or sensor, tuple(file.seen), file.recall)


def _is_observation(path: Path) -> bool:
    """Tell a file of sightings from a scene graph."""
    if path.suffix != ".json":
        return False
    text = read_text(path)
    try:
        value = parse_json(text, path)
    except json.JSONDecodeError as error:
        raise GroundingError(str(error)) from error
    return isinstance(value, dict) and "nodes" not in value


# ---- scene graphs -------------------------------------------------------------------------------


def observation_of(graph: SceneGraph, names: Names, sensor: str, at_ns: int) -> Observation:
    """Return where a scene graph has the things of a memory.

    A thing is a node if its trait ``node`` is the node's symbol, or if it is called like the node. Items are
    on the place whose top they stand on or in the place that encloses them; agents are in their region.
    """
    layer = graph.objects
    rows = tied(layer, names)
    places = {key: row for key, row in rows.items() if names.is_place(key)}
    sightings = [
        Sighting(fact, _SEEN_CONFIDENCE)
        for key, row in rows.items()
        if names.is_item(key)
        and (
            fact := _lies(
                key, _box(layer, row), {p: _box(layer, r) for p, r in places.items()}, names
            )
        )
    ]
    sightings += [Sighting(fact, _SEEN_CONFIDENCE) for fact in _whereabouts(graph, names)]
    return Observation(tuple(sightings), at_ns, sensor, tuple(places))


def changes_of(graph: SceneGraph, names: Names, begin_ns: int) -> Iterator[Observation]:
    """Yield what a mission's robots found otherwise than the map has it, by who saw it and when.

    The graph is the one that a mission leaves: its nodes tell ``seen_by``, ``seen_at_s`` and ``gone``.
    """
    layer = graph.objects
    rows = tied(layer, names)
    places = {key: _box(layer, row) for key, row in rows.items() if names.is_place(key)}
    for key, row in rows.items():
        told = layer.metadata(row)
        if "seen_by" not in told or not names.is_item(key):
            continue
        at_ns = begin_ns + int(float(told["seen_at_s"]) * 1e9)
        fact = None if told.get("gone") else _lies(key, _box(layer, row), places, names)
        seen = () if fact is None else (Sighting(fact, _SEEN_CONFIDENCE),)
        yield Observation(seen, at_ns, str(told["seen_by"]), gone=(key,))


def tied(layer: Layer, names: Names) -> dict[str, int]:
    """Return the row of each thing that a layer has as a node."""
    symbols = {symbol: row for row, symbol in enumerate(layer.symbols)}
    called: dict[str, list[int]] = {}
    for row, name in enumerate(layer.names):
        called.setdefault(name.lower(), []).append(row)
    found: dict[str, int] = {}
    for key, thing in names.things.items():
        node = thing.traits.get("node")
        same = called.get(thing.name.lower(), []) or called.get(key.lower(), [])
        if node in symbols:
            found[key] = symbols[node]
        elif node is None and len(same) == 1:
            found[key] = same[0]
    return found


def _box(layer: Layer, row: int) -> Floats:
    """Return the lowest and highest corner of a node in the map frame, (2, 3); its point without a box."""
    if layer.boxes is None or not layer.boxes.valid[row]:
        return np.stack([layer.positions[row]] * 2)
    corners = layer.boxes.take([row]).corners()[0]
    return np.stack([corners.min(axis=0), corners.max(axis=0)])


def _lies(item: str, box: Floats, places: Mapping[str, Floats], names: Names) -> Fact | None:
    """Return at which place an item is: the lowest top under its foot, or the smallest box around it."""
    middle, foot = box.mean(axis=0), box[0, 2]
    best: tuple[float, str] | None = None
    for key, (low, high) in places.items():
        within = key != item and bool(np.all((low <= middle)[:2] & (middle <= high)[:2]))
        on_top = -_BELOW_M <= foot - high[2] <= _ABOVE_M
        if not within or not (on_top or low[2] <= middle[2] <= high[2]):
            continue
        score = float(np.prod(np.maximum(high - low, 1e-3)))
        if best is None or score < best[0]:
            best = (score, key)
    if best is None:
        return None
    relation = names.relation("place", item, best[1])
    return Fact(item, relation, best[1]) if relation is not None else None


def _whereabouts(graph: SceneGraph, names: Names) -> list[Fact]:
    """Return the rooms in which the robots' last poses are."""
    if not graph.has("regions"):
        return []
    rooms = {row: key for key, row in tied(graph.regions, names).items() if names.is_room(key)}
    found: list[Fact] = []
    for layer in graph.agents.values():
        if not len(layer) or not rooms:
            continue
        _, nearest = graph.nearest("regions", layer.positions[-1:], 1)
        room = rooms.get(int(np.ravel(nearest)[0]))
        robot = _robot_of(layer, names)
        if room is None or robot is None:
            continue
        relation = names.relation("whereabouts", robot, room)
        if relation is not None:
            found.append(Fact(robot, relation, room))
    return found


def _robot_of(layer: Any, names: Names) -> str | None:
    """Return the robot a layer of poses belongs to: the one with the trait ``node``, or the only one."""
    letter = layer.symbols[-1][0]
    tagged = [r for r in names.robots if names.things[r].traits.get("node", "")[:1] == letter]
    return next(iter(tagged), names.robots[0] if len(names.robots) == 1 else None)
