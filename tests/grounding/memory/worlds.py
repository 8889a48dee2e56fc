"""Memories of worlds that a test module describes itself, and what reports change in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory


def memory_of(domain: str, problem: str) -> Callable[[Path], Iterator[Memory]]:
    """Return a fixture: a new memory of a world for each test."""

    @pytest.fixture
    def memory(tmp_path: Path) -> Iterator[Memory]:
        files = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
        for file, text in zip(files, (domain, problem), strict=True):
            file.write_text(text, encoding="utf-8")
        create_memory(tmp_path / "memory.db", *files).close()
        with open_memory(tmp_path / "memory.db") as opened:
            yield opened

    return memory


def held(memory: Memory) -> set[str]:
    """Return what is so, as ``relation subject object``; of a property without the object."""
    facts = (f for f in memory.store.facts if f.object != "false")
    return {
        " ".join((f.relation, f.subject, *([] if f.is_property else [f.object]))) for f in facts
    }


def changed(memory: Memory, *texts: str) -> tuple[set[str], set[str]]:
    """Tell reports; return what is so now that was not, and what is so no more."""
    before = held(memory)
    for text in texts:
        memory.tell(text)
    after = held(memory)
    return after - before, before - after
