"""What texts refer to and put right, and which of all things a task is about, in an undescribed domain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import to_pddl

DOMAINS = Path(__file__).parent / "domains"
NOON_NS = 1_764_158_400_000_000_000


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.db"
    create_memory(path, DOMAINS / "tailor.pddl", DOMAINS / "tailor.jsonl", at_ns=NOON_NS).close()
    with open_memory(path) as opened:
        yield opened


def told(memory: Memory, *texts: str) -> set[str]:
    """Return how reports by Nora changed what holds: ``+`` before what is so now, ``-`` before what was."""
    before = {f for f in memory.store.facts if f.object != "false"}
    for minute, text in enumerate(texts, 1):
        memory.tell(text, "nora", at_ns=NOON_NS + minute * 60_000_000_000)
    after = {f for f in memory.store.facts if f.object != "false"}
    return {f"+{_said(f)}" for f in after - before} | {f"-{_said(f)}" for f in before - after}


def _said(fact: Fact) -> str:
    return f"{fact.relation} {fact.subject}" + ("" if fact.is_property else f" {fact.object}")


@pytest.mark.parametrize(
    ("text", "change"),
    [
        # people are in rooms; only racks are said to stand there, and where somebody changes is no news
        ("Ida and Otto are both in room 2 now.", {"-in ida room_1", "+in ida room_2"}),
        ("I've dusted the red gown.", {"-dusty red"}),
        # the rack that was spoken of is no gown, and "it" is one thing in all that a clause tells
        ("I've pushed rack 1 into room 2, and the green gown is on it.",
         {"-stands-in rack_1 room_1", "+stands-in rack_1 room_2", "-at green rack_2", "+at green rack_1"}),
        ("The red gown isn't dusty any more either.", {"-dusty red"}),
        ("Ida hasn't taken on the red gown.", set()),
        ("I am about to dust the red gown.", set()),
        ("Ida is going to wipe rack 1.", set()),
        ("The white gown never left rack 3.", set()),
        ("Racks 1 and 3 are greasy no more.", {"-greasy rack_1", "-greasy rack_3"}),
    ],
)  # fmt: skip
def test_a_report_is_of_what_may_be_so(memory: Memory, text: str, change: set[str]) -> None:
    assert told(memory, text) == change


@pytest.mark.parametrize(
    ("report", "correction", "change"),
    [
        ("I've put the chalk on rack 1.", "No, on rack 3, I mixed up the numbers.",
         {"-has otto chalk", "+at chalk rack_3"}),
        ("I've put the chalk on rack 1.", "Sorry, no, what am I saying, in room 2, I meant.",
         {"-has otto chalk", "+at chalk room_2"}),
        ("I've dusted the red gown and the blue gown.", "No, not the blue one, I meant the green gown.",
         {"-dusty red", "-dusty green"}),
        ("Otto has given the chalk to Ida.", "No, he gave it to Nora, not Ida.",
         {"-has otto chalk", "+has nora chalk"}),
        ("I've hung the red gown on rack 2.",
         "Not the red one, I meant the blue gown. The red gown never left rack 1.",
         {"-at blue rack_1", "+at blue rack_2"}),
        ("I've dusted the red gown.", "No, I meant the blue one. The red one is fine.", {"-dusty blue"}),
        # what has nothing to do with the last report puts none of it right
        ("I've dusted the red gown.", "No, sorry, I meant Otto is in room 1.", {"-dusty red"}),
    ],
)  # fmt: skip
def test_a_correction_is_put_in_place_of_what_it_denies(
    memory: Memory, report: str, correction: str, change: set[str]
) -> None:
    assert told(memory, report, correction) == change


def test_it_is_open_after_a_report_of_several_that_was_not_understood(memory: Memory) -> None:
    told(memory, "The red gown and the white gown have both shrivelled.")
    assert told(memory, "It's torn.") == set()


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Take the red gown to Ida.", "(has ida red)"),
        ("Give Ida her shears.", "(has ida shears_1)"),
        ("Bring Ida the red gown, she'll put it on herself.", "(has ida red)"),
        ("Dust the red gown and mend it.", "(and (not (dusty red)) (not (torn red)))"),
        # which of all are meant
        ("Dust all the gowns on rack 1 and rack 2.",
         "(and (not (dusty blue)) (not (dusty red)) (not (dusty green)))"),
        ("Dust all the gowns on racks 1 and 3.",
         "(and (not (dusty blue)) (not (dusty red)) (not (dusty white)))"),
        ("Mend every gown that's on one of the racks and isn't dusty.", "(not (torn white))"),
        ("Hang everything Otto has on rack 2.", "(and (at chalk rack_2) (at shears_2 rack_2))"),
        ("Hang all the gowns that are torn on rack 2.", "(and (at blue rack_2) (at white rack_2))"),
        ("Hang all the gowns on rack 2 on rack 3, except the green one, leave that there.", None),
        # an action of the domain is no order to the memory
        ("Wipe the rack in room 2.", "(not (greasy rack_3))"),
        ("Hang the red gown in room 2 and shut the door.", "(and (at red room_2) (not (open room_2)))"),
    ],
)  # fmt: skip
def test_a_task_is_of_all_that_it_tells_of(memory: Memory, text: str, goal: str | None) -> None:
    wanted = memory.wanted(text, "nora")
    assert (None if wanted.goal is None else to_pddl(wanted.goal)) == goal


def test_what_is_too_long_is_asked_about_at_once(memory: Memory) -> None:
    asked = memory.tell("Ida, " * 600, "nora", at_ns=NOON_NS + 1)
    assert asked.status == "ask"
    assert "too long" in asked.question
