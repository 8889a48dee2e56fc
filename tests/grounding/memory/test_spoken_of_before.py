"""What ordinary sentences leave to what was said before, in a domain that nobody described: a pottery.

Pots stand on boards, and only boards and boxes are moved, by a robot that has no name.
"""

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
    world = DOMAINS / "pottery.pddl", DOMAINS / "pottery.jsonl"
    create_memory(path, *world, at_ns=NOON_NS).close()
    with open_memory(path) as opened:
        yield opened


def told(memory: Memory, *texts: str) -> set[str]:
    """Return how reports by Ben changed what holds: ``+`` before what is so now, ``-`` before what was."""
    before = {f for f in memory.store.facts if f.object != "false"}
    for minute, text in enumerate(texts, 1):
        memory.tell(text, "ben", at_ns=NOON_NS + minute * 60_000_000_000)
    after = {f for f in memory.store.facts if f.object != "false"}
    return {f"+{_said(f)}" for f in after - before} | {f"-{_said(f)}" for f in before - after}


def _said(fact: Fact) -> str:
    return f"{fact.relation} {fact.subject}" + ("" if fact.is_property else f" {fact.object}")


_BOARD_1 = {"-at board_1 left", "+at board_1 big_kiln"}
_LET_GO = {"-holding board_3", "+handempty world"}


@pytest.mark.parametrize(
    ("text", "change"),
    [
        # what goes only by what carries it is moved by that
        ("The mugs are in the big kiln.", _BOARD_1),
        ("The mugs are fired, I've slid them onto the right shelf.",
         {"+fired mugs", "-at board_1 left", "+at board_1 right"}),
        ("The jug is on the right shelf.", {"-at jug bench", "+at jug right"}),
        # it is one thing and they are several; the kiln is the one spoken of
        ("The bowls are on board 1 now and I've put it in the big kiln.",
         _BOARD_1 | {"-on bowls board_2", "+on bowls board_1"}),
        ("Board 1 isn't on the left shelf any more, I've put it on the bench.",
         {"-at board_1 left", "+at board_1 bench"}),
        # to the robot, and into its hand
        ("I've taken board 3 off you.", {"+has ben board_3"} | _LET_GO),
        ("Ada's got board 1.", {"-at board_1 left", "+has ada board_1"}),
        # what is left out is that of the clause before
        ("The small kiln is on, and so is the big one.", {"+switched_on small_kiln"}),
        ("Board 1 is dirty, and board 3 as well.", {"+dirty board_1", "+dirty board_3"}),
        # why it was done, and what for
        ("I needed the bench, so I've put the museum's box on the right shelf.",
         {"-at box_1 bench", "+at box_1 right"}),
        ("I put board 1 in the big kiln so I can get at the wall.", _BOARD_1),
        ("Board 1 needs a scrub.", {"+dirty board_1"}),
        ("Every board but board 3 is on the bench.",
         {"-at board_1 left", "+at board_1 bench", "-at board_2 right", "+at board_2 bench"}),
        # names of small words, and what is owned by nobody named
        ("I've put Out in the Open's box on the left shelf.", {"-at box_2 bench", "+at box_2 left"}),
    ],
)  # fmt: skip
def test_reports_say_little_of_what_is_known(memory: Memory, text: str, change: set[str]) -> None:
    assert told(memory, text) == change


@pytest.mark.parametrize(
    "text",
    [
        "The mugs are in the big kiln, I hope.",
        "Ada wants the mugs in the big kiln.",
        "Ada wants the mugs in the big kiln, so she says.",
        "I think the mugs are fired, so to speak.",
        "The mugs may be in the big kiln, and so may the bowls.",
        "If the small kiln is on, so is the big kiln.",
        "Ben wanted to put board 1 on the bench.",
        "Board 1 goes where it belongs, if you can.",
        "All the boards except one are on the bench.",
        "Ben wants board 1 scrubbed.",
        "Ada never swapped the boards: board 1 is on the bench.",
        "I think Ada swapped the boards: board 1 is on the bench.",
    ],
)
def test_no_wish_doubt_or_reason_becomes_a_fact(memory: Memory, text: str) -> None:
    assert told(memory, text) == set()


@pytest.mark.parametrize(
    ("report", "correction", "change"),
    [
        ("I've wrapped the mugs into the museum's box.", "Sorry, no, I meant Out in the Open's.",
         {"-on mugs board_1", "+wrapped mugs box_2"}),
        ("Ada's got board 1.", "No, wait, it's board 2 she's got. Board 1 is still on the left shelf.",
         {"-at board_2 right", "+has ada board_2"}),
        ("I've put board 1 on the right shelf and switched the small kiln on.",
         "No, I put board 1 on the bench.",
         {"-at board_1 left", "+at board_1 bench", "+switched_on small_kiln"}),
        ("Board 1 is on the right shelf.", "Oops, the wrong one. Board 1 is still on the left shelf.", set()),
    ],
)  # fmt: skip
def test_a_correction_puts_right_only_what_was_wrong(
    memory: Memory, report: str, correction: str, change: set[str]
) -> None:
    assert told(memory, report, correction) == change


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Put the mugs in the big kiln.", "(at board_1 big_kiln)"),
        ("Scrub every board except board 1 and board 3.", "(not (dirty board_2))"),
        ("Take Ada board 1, she's asking for it.", "(has ada board_1)"),
        ("Board 2 isn't scrubbed yet, could you do that?", None),
        ("Put board 3 on the shelf where it belongs.", None),
        ("Fire the mugs and leave the board on the bench.", None),
        ("Put the boards on the bench.", None),
        ("See to that dirt.", None),
    ],
)  # fmt: skip
def test_tasks_name_things_by_what_is_known_of_them(
    memory: Memory, text: str, goal: str | None
) -> None:
    wanted = memory.wanted(text, "ben")
    assert (None if wanted.goal is None else to_pddl(wanted.goal)) == goal
