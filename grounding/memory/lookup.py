"""Things of a memory found by the id or name a person types."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.errors import GroundingError, did_you_mean
from commonground.grounding.memory.memory import Memory


def person_named(memory: Memory, name: str) -> str:
    """Return the person a name belongs to; GroundingError if there is none."""
    people = [key for key in memory.names.things if memory.names.is_person(key)]
    return _one(memory, name, people, "person")


def thing_named(memory: Memory, name: str) -> str:
    """Return the thing an id or name belongs to; GroundingError if there is none."""
    return _one(memory, name, list(memory.names.things), "thing")


def _one(memory: Memory, name: str, keys: Sequence[str], what: str) -> str:
    if name in keys:
        return name
    spoken = {memory.names.things[key].name.lower(): key for key in keys}
    if name.lower() in spoken:
        return spoken[name.lower()]
    hint = did_you_mean(name.lower(), [*spoken, *keys])
    raise GroundingError(f"there is no {what} '{name}' in this memory.{hint}")
