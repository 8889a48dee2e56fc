"""A question that a report left open is answered by what is told next, or dropped by it."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.cli import main
from commonground.grounding.knowledge import Fact
from commonground.grounding.memory.beliefs.pending import how_to_answer
from commonground.grounding.memory.beliefs.unanswered import unsettled
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import open_memory

MOVED = Fact("stone", "resting_on", "counter")
HEDGED = "I think the stone is on the counter."


@pytest.mark.parametrize("answer", ["Yes.", "yes, that's right", "Certainly!", "I'm quite sure."])
def test_yes_vouches_for_the_report(memory: Memory, answer: str) -> None:
    assert memory.tell(HEDGED).status == "ask"
    assert MOVED not in memory.store.facts
    told = memory.tell(answer)
    assert told.status == "ok"
    assert told.added == (MOVED,)
    assert MOVED in memory.store.facts
    assert not unsettled(memory.store)
    assert memory.tell("Strike that.").removed == (MOVED,)


def test_no_leaves_everything_as_it_was(memory: Memory) -> None:
    memory.tell(HEDGED)
    told = memory.tell("No.")
    assert told.status == "none"
    assert HEDGED in told.question
    assert MOVED not in memory.store.facts
    assert memory.tell("Yes.").added == ()


def test_another_report_drops_the_question(memory: Memory) -> None:
    memory.tell(HEDGED)
    memory.tell("Ivo went to the den.")
    memory.tell("Yes.")
    assert MOVED not in memory.store.facts


@pytest.mark.parametrize("other", ["Yes, but Ivo is in the den.", "Sure is cold today.", "Hm."])
def test_more_than_an_answer_is_none(memory: Memory, other: str) -> None:
    memory.tell(HEDGED)
    memory.tell(other)
    assert MOVED not in memory.store.facts


def test_which_of_several_is_said_by_a_part_of_its_name(memory: Memory) -> None:
    asked = memory.tell("Una put the mug on the kitchen table.")
    assert asked.status == "ask"
    assert "such as" in how_to_answer(asked)
    assert memory.tell("Ivo's.").added == (
        Fact("ivo_red_mug", "resting_on", "kitchen_table"),
        Fact("una", "person_at", "kitchen"),
    )


def test_what_all_of_them_are_called_says_not_which(memory: Memory) -> None:
    before = frozenset(memory.store.facts)
    memory.tell("Una put the mug on the kitchen table.")
    memory.tell("The red one.")
    assert frozenset(memory.store.facts) == before


def test_the_question_outlives_the_program(
    house: Path, memory: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(house)
    assert main.run(["memory", "tell", HEDGED]) == 3
    asked = capsys.readouterr().err
    assert "that the stone is on the counter" in asked and "“Yes.”" in asked
    assert "“No.”" in asked
    assert main.run(["memory", "tell", "Yes."]) == 0
    with open_memory(house / "memory.db") as again:
        assert MOVED in again.store.facts


def test_what_cannot_be_answered_so_says_it(memory: Memory) -> None:
    asked = memory.tell("The unicorn is on the counter.")
    assert asked.status == "ask"
    assert "the whole report again" in how_to_answer(asked)


def test_why_a_plan_is_impossible_names_what_cannot_be_reached(
    memory: Memory, house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    memory.tell("Ivo has the stone.")
    monkeypatch.chdir(house)
    text = "Put the stone on the counter and turn on the lamp in the den."
    assert main.run(["memory", "plan", text]) == 3
    told = capsys.readouterr().err
    assert "(resting_on stone counter)" in told
    assert "stone held_by ivo" in told
    assert "lit" not in told


def test_a_task_about_what_nobody_knows_says_so(
    memory: Memory, house: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(house)
    assert main.run(["memory", "plan", "Water the flowers."]) == 3
    assert "nothing that “Water the flowers” names is known here" in capsys.readouterr().err
