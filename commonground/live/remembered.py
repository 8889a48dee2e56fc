"""What a mission found otherwise than the map has it, taken into the memory with who saw it and when."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from commonground.grounding.memory import changes_of, observe
from commonground.live.folders import LEARNED
from commonground.scene import load_scene

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory
    from commonground.live.missions import Carried


def remember(memory: Memory, carried: Carried) -> Iterator[str]:
    """Take in what a mission that is just over has found; yield what is new and what is gone, a line each."""
    begin_ns = time.time_ns() - int(carried.lasted_s * 1e9)
    graph = load_scene(carried.folder / LEARNED)
    for seen in changes_of(graph, memory.names, begin_ns):
        found = observe(memory.store, memory.names, seen)
        yield from (f"+ {fact} ({seen.sensor})" for fact in found.added)
        yield from (f"not seen: {fact} ({seen.sensor})" for fact in found.missed)
