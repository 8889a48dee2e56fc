"""What a message is wrapped in: references, who calls whom, sign-offs; and what only looks like that."""

from __future__ import annotations

import pytest

from commonground.grounding.words.envelope import opened

ROBOTS = ["Spot", "Husky"]
WRAPPED = {
    "Ticket 4401. Assignee: Husky. Go to the bench.": "Husky, go to the bench.",
    "TICKET 12 / SPOT / inspect O181.": "SPOT, inspect O181.",
    "[7] Spot. Inspect O524.": "Spot, inspect O524.",
    "Work order 12: Spot inspects the bench.": "Spot inspects the bench.",
    "Job #7 – Husky – go to the yard, over.": "Husky, go to the yard.",
    "Two assignees. Spot: wait. Husky: go to the bench.": "Spot: wait. Husky: go to the bench.",
    "Husky, control. Go to the bench. Over.": "Husky, go to the bench.",
    "Control to all robots. One of you inspect it. Over.": "One of you inspect it.",
    "Is Spot inspecting the bench? Over.": "Is Spot inspecting the bench?",
}
BARE = (
    "Room 12: inspect the bench, Spot.",
    "Bench 3. Spot, inspect it.",
    "Building 3: Spot, inspect the bench.",
    "Option 1: Spot waits. Option 2: Husky waits.",
    "Exception: Spot. Everyone inspects the bench.",
    "After: Spot. Husky inspects the bench.",
    "Owner: Spot. Husky, inspect the bench.",
    "Two trailers: one old, one new. Spot inspects the former, Husky the latter.",
    "Not Spot. Husky, inspect the bench.",
    "Spot, stop. Do not enter the yard.",
    "Spot, jump. Then inspect the bench.",
    "Spot, the test is over.",
    "Ticket 4401.",
    "Over.",
)


@pytest.mark.parametrize("text", WRAPPED)
def test_an_envelope_is_taken_off(text: str) -> None:
    assert opened(text, ROBOTS, {"bench", "yard"}) == WRAPPED[text]


@pytest.mark.parametrize("text", BARE)
def test_what_says_more_than_an_envelope_stays(text: str) -> None:
    assert opened(text, ROBOTS, {"bench", "yard"}) == text


def test_a_text_of_empty_lines_is_done_with() -> None:
    blank = "\n" * 3900
    assert opened(blank, ROBOTS) == blank
