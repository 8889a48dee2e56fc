"""What is described instead of named, in worlds by somebody who had not seen how descriptions are read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.planning.tasks import plan_task
from commonground.grounding.memory.questions.questioner import ask

DOMAINS = Path(__file__).parent / "domains"
NOON_NS = 1_764_158_400_000_000_000


@pytest.fixture
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.db"
    world = DOMAINS / f"{request.param}.pddl", DOMAINS / f"{request.param}.jsonl"
    create_memory(path, *world, at_ns=NOON_NS).close()
    with open_memory(path) as opened:
        yield opened


def told(memory: Memory, *texts: str) -> tuple[set[str], set[str]]:
    """Return what the last of some reports made so and what it ended."""
    before: set[Fact] = set()
    for minute, text in enumerate(texts, 1):
        before = {f for f in memory.store.facts if f.object != "false"}
        memory.tell(text, at_ns=NOON_NS + minute * 60_000_000_000)
    after = {f for f in memory.store.facts if f.object != "false"}
    return {_said(f) for f in after - before}, {_said(f) for f in before - after}


def _said(fact: Fact) -> str:
    return f"{fact.relation} {fact.subject}" + ("" if fact.is_property else f" {fact.object}")


@pytest.mark.parametrize("memory", ["brewery"], indirect=True)
@pytest.mark.parametrize(
    ("text", "add", "end"),
    [
        ("Yuki took the blue keg.", {"has yuki k3"}, {"loc k3 cel", "hf yuki"}),
        ("Ola took Mick's key.", {"has ola ky2"}, {"loc ky2 off", "hf ola"}),
        ("The red keg in the yard is spotless.", {"cln k4"}, set()),
        ("Ola took the key that belongs to Mick.", {"has ola ky2"}, {"loc ky2 off", "hf ola"}),
        ("Yuki took the keg that is blue.", {"has yuki k3"}, {"loc k3 cel", "hf yuki"}),
        ("Mick went to the room where the malt is.", {"loc mick sto"}, {"loc mick yard"}),
        ("Mick has left the yard and gone to the storeroom.", {"loc mick sto"}, {"loc mick yard"}),
        ("Mick has left the yard.", set(), set()),
        ("Ola took the key that is not Bea's.", {"has ola ky2"}, {"loc ky2 off", "hf ola"}),
        ("Yuki took the keg that was in the bar.", set(), set()),
        ("Ola took the key that Mick sang about.", set(), set()),
        ("Mick went to the room where the red keg is.", set(), set()),
        ("Yuki sniffed the blue keg.", set(), set()),
        ("The red keg was polished up.", set(), set()),
        ("Mick was going to take the blue keg to the cellar.", set(), set()),
        ("Take the blue keg to the bar.", set(), set()),
    ],
)
def test_descriptions_and_what_follows_from_actions(
    memory: Memory, text: str, add: set[str], end: set[str]
) -> None:
    assert told(memory, text) == (add, end)


@pytest.mark.parametrize("memory", ["luggage"], indirect=True)
def test_a_spot_is_put_right_by_a_part_of_it(memory: Memory) -> None:
    spot = "has-been-stowed-at suitcase-305 south-rack__shelf-"
    free = "shelf-space-is-vacant south-rack__shelf-"
    texts = ["SC-305 to south rack, level 4.", "Strike that: level 3."]
    assert told(memory, *texts) == ({f"{spot}3", f"{free}4"}, {f"{spot}4", f"{free}3"})


@pytest.mark.parametrize("memory", ["luggage"], indirect=True)
def test_a_plan_names_no_spots_that_the_domain_does_not_have(memory: Memory) -> None:
    steps = plan_task(memory, "Put SC-305 on the south rack, level 4.").steps
    assert steps and not any("__" in step for step in steps)


@pytest.mark.parametrize("memory", ["luggage"], indirect=True)
def test_two_events_with_an_owner_a_color_and_a_pronoun(memory: Memory) -> None:
    add, end = told(
        memory, "Leonie's put her red rucksack down and pulled the brown case off the carousel."
    )
    assert "has-been-left-in backpack-410 arrivals-hall" in add
    assert "is-holding-on-to leonie-brandt suitcase-302" in add
    assert "has-been-placed-on-belt suitcase-302 carousel-one" in end


@pytest.mark.parametrize("memory", ["luggage"], indirect=True)
def test_where_a_thing_is_is_told_by_what_people_call_its_place(memory: Memory) -> None:
    said = ask(memory, "Where is suitcase 301?").text
    assert said.startswith("suitcase 301: has been stowed at north rack shelf 2;")
    assert said.endswith("north rack: is situated in lost property office")
    assert "spot" not in said


@pytest.mark.parametrize("memory", ["harbor"], indirect=True)
@pytest.mark.parametrize(
    ("text", "add", "end"),
    [
        # a berth that a boat leaves is free, and the line tells when
        (
            "Marigold cast off 12:01.",
            {"at-sea marigold"},
            {"moored marigold north-berth", "occupied north-berth"},
        ),
        (
            "Sea Otter shifted, fuel berth to south berth.",
            {"moored sea-otter south-berth", "occupied south-berth"},
            {"moored sea-otter fuel-berth", "occupied fuel-berth"},
        ),
        # talk is passed over, what casts doubt is not
        (
            "Blue crate to fish market, would you believe it.",
            {"kept blue-crate fish-market"},
            {"kept blue-crate ice-house"},
        ),
        ("Blue crate to fish market, or so the story goes.", set(), set()),
        ("Blue crate to fish market, once the rain stops.", set(), set()),
        ("Blue crate to fish market, right?", set(), set()),
        ("Blue crate to fish market, not!", set(), set()),
        (
            "Agnes came out of the net loft and into the fish market.",
            {"ashore agnes fish-market"},
            {"ashore agnes net-loft"},
        ),
        ("Old Tom took the other crate to the net loft.", set(), set()),
    ],
)
def test_lines_of_a_log_and_talk(memory: Memory, text: str, add: set[str], end: set[str]) -> None:
    assert told(memory, text) == (add, end)


@pytest.mark.parametrize("memory", ["light_rig"], indirect=True)
def test_what_hangs_stays_hung_when_it_is_plugged_in(memory: Memory) -> None:
    add, end = told(memory, "W5 hung, LX3.", "W5 on C32.")
    assert (add, end) == ({"plugged w5 c32", "live w5"}, {"free c32"})
    add, end = told(memory, "Correction. W5 is on C31.")
    assert (add, end) == ({"plugged w5 c31", "free c32"}, {"plugged w5 c32", "free c31"})
