"""A memory that a program calls: its numbers are kept as they are read, and misuse is told as what it is."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.errors import CommongroundError, GroundingError
from commonground.grounding.knowledge import Fact, Source
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.questions.questioner import ask

MUG = "Ivo put his mug on the kitchen table."
LIES = Fact("ivo_red_mug", "resting_on", "kitchen_table")
HOUR_NS = 3600 * 10**9


def test_numbers_of_numpy_are_kept_as_numbers(house: Path) -> None:
    now_ns = time.time_ns()
    file = house / "m.db"
    past = np.int64(now_ns - HOUR_NS)
    create_memory(file, house / "house.pddl", house / "house.jsonl", at_ns=past).close()  # type: ignore[arg-type]
    with open_memory(file) as memory:
        assert memory.tell(MUG, at_ns=np.int64(now_ns)).status == "ok"  # type: ignore[arg-type]
        camera = Source("sensor", "camera")
        lit = Fact("den_lamp", "lit", "true")
        memory.store.assert_facts([lit], camera, confidence=np.float32(0.9))
    with open_memory(file) as memory:
        assert {LIES, lit} <= set(memory.store.facts)
        records = {r.fact: r for r in memory.store.history("ivo_red_mug")}
        assert records[LIES].valid_ns == now_ns
        assert ask(memory, "Where is Ivo's red mug?").status == "ok"


@pytest.mark.parametrize(
    ("at_ns", "told"),
    [
        (time.time(), "a whole number is needed"),
        (int(time.time()), "is in seconds"),
        (int(time.time() * 1e3), "is in milliseconds"),
        (time.time_ns() + 1000 * HOUR_NS, "lies ahead"),
        ("14:30", "a whole number is needed"),
    ],
    ids=["seconds", "whole seconds", "milliseconds", "ahead", "words"],
)
def test_times_of_another_unit_or_to_come_leave_nothing(
    memory: Memory, at_ns: Any, told: str
) -> None:
    before = memory.store.tx
    with pytest.raises(GroundingError, match=told):
        memory.tell(MUG, at_ns=at_ns)
    with pytest.raises(GroundingError, match="confidence"):
        memory.store.assert_facts([LIES], Source("sensor"), confidence=float("nan"))
    assert memory.store.tx == before
    assert LIES not in memory.store.facts


def test_a_speaker_is_known_by_name_as_by_id(memory: Memory) -> None:
    assert memory.tell("I put my mug on the kitchen table.", speaker="Ivo").status == "ok"
    assert LIES in memory.store.facts
    for call in (memory.tell, memory.wanted):
        with pytest.raises(GroundingError, match="there is no person 'Zed'"):
            call("I put my mug on the counter.", speaker="Zed")


def test_misuse_is_not_told_as_damage(memory: Memory) -> None:
    told: list[str] = []

    def elsewhere() -> None:
        with pytest.raises(GroundingError) as caught:
            memory.tell(MUG)
        told.append(str(caught.value))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join()
    path = memory.store.path
    with open_memory(path, read_only=True) as other, pytest.raises(GroundingError) as caught:
        other.tell(MUG)
    told.append(str(caught.value))
    with pytest.raises(GroundingError) as caught:
        other.tell(MUG)
    told.append(str(caught.value))
    for text, why in zip(told, ("the thread", "read only", "been closed"), strict=True):
        assert why in text
        assert "damaged" not in text
    assert memory.tell(MUG).status == "ok"
    with pytest.raises(CommongroundError, match="a str is needed, not None"):
        memory.tell(None)  # type: ignore[arg-type]


def test_no_memory_is_told_before_it_is_entered(tmp_path: Path) -> None:
    with pytest.raises(GroundingError, match="there is no memory"):
        open_memory(tmp_path / "none.db")
