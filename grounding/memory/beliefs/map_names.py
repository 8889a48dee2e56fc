"""Names that people give to nodes of a map, as things of a memory: ``that is the charging bay``."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs.sightings import tied
from commonground.grounding.words.concepts import ClassIndex
from commonground.scene import SceneGraph

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


def call_thing(memory: Memory, graph: SceneGraph, symbol: str, name: str) -> str:
    """Give the thing that a node of a map is a name, as a change of the memory; return the thing.

    It is the thing tied to the node, else the one that is called so already, else a new one: a room for a
    region, what the node's class is among the domain's types for an object.
    """
    layer, row = graph.find(symbol)
    things = memory.names.things
    rows = tied(graph.layer(layer), memory.names)
    here = next((key for key, at in rows.items() if at == row), None)
    if here is None:
        alike = [key for key, t in things.items() if name.lower() in (t.name.lower(), key.lower())]
        free = [key for key in alike if "node" not in things[key].traits]
        here = free[0] if len(free) == 1 else None
    if here is not None:
        old = things[here]
        new = old._replace(name=name, traits={**old.traits, "node": symbol})
    else:
        new = Thing(_unused(name, things), _type(memory, graph, layer, row), name, {"node": symbol})
    with memory.store.change(Source("person", words=f"{symbol} is the {name}")) as change:
        change.thing(new)
    memory.things_changed()
    return new.id


def _unused(name: str, taken: Collection[str]) -> str:
    """Return a key for a new thing: its name in one word, with a number where that is taken."""
    word = "_".join("".join(c if c.isalnum() else " " for c in name.lower()).split())
    number = 2
    key = word
    while key in taken:
        key, number = f"{word}_{number}", number + 1
    return key


def _type(memory: Memory, graph: SceneGraph, layer: str, row: int) -> str:
    """Return the type of a new thing; GroundingError where the domain has none for it."""
    types = memory.store.vocabulary.types.parents
    if layer == "regions":
        rooms = sorted(memory.names.meanings.room_types)
        if rooms:
            return rooms[0]
        raise GroundingError("the memory's domain has no type for rooms and areas")
    word = graph.label_words(layer)[row]
    fitting, _ = ClassIndex(types).matches(word)
    if len(fitting) == 1:
        return next(iter(fitting))
    raise GroundingError(
        f"the memory has nothing at {graph.layer(layer).symbols[row]} and no type for '{word or 'unknown'}': "
        "make the thing known to it first, by a line of its facts"
    )
