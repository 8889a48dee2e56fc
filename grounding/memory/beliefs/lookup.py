"""Things of a memory found by the id or name a person types."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from commonground.errors import GroundingError, did_you_mean

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


def person_named(memory: Memory, name: str) -> str:
    """Return the person a name belongs to; GroundingError if there is none."""
    meanings, things = memory.meanings, memory.store.things
    people = [k for k, thing in things.items() if meanings.is_a(thing.kind, meanings.person_types)]
    return _one(memory, name, people, "person")


def thing_named(memory: Memory, name: str) -> str:
    """Return the thing an id or name belongs to; GroundingError if there is none."""
    return _one(memory, name, memory.store.things, "thing")


def _one(memory: Memory, name: str, keys: Collection[str], what: str) -> str:
    if name in keys:
        return name
    spoken = {memory.store.things[key].name.lower(): key for key in keys}
    if name.lower() in spoken:
        return spoken[name.lower()]
    hint = did_you_mean(name.lower(), [*spoken, *keys])
    raise GroundingError(f"there is no {what} '{name}' in this memory.{hint}")
