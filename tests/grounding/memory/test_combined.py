"""The trained reader and the grammar at one memory: what either understands counts, differences are asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from commonground.grounding.english import reader as english
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.checks.coverage import Speech
from commonground.grounding.memory.checks.support import Grounds
from commonground.grounding.memory.checks.weighing import Way, Weigher
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.reading import Reading as Report
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.readers.senses import trained_reader
from commonground.grounding.memory.readers.senses.trained_reader import Heard
from commonground.planning.pddl import parse_formula
from tests.grounding.memory.utterances import told, wish

PUT = told("put", agent="Una", theme="stone", goal="chest")
TAKEN = told("take", agent="Una", theme="stone")
IN_CHEST, HELD = Fact("stone", "stowed_in", "chest"), Fact("stone", "held_by", "una")
PARSED = Report("none")
TAKING = "Ivo took the stone."
SAID = "Una put the stone in the chest."
Says = Callable[..., Memory]


class Scripted:
    """A reader that always says the same."""

    def __init__(self, utterance: Utterance, confidence: float) -> None:
        self.reading = Reading(utterance, confidence)

    def read(self, *_: Any) -> Reading:
        return self.reading


@pytest.fixture
def says(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Says:
    """Let the trained reader of a memory that both read understand what a test wants."""
    monkeypatch.setattr(
        trained_reader, "unheard", lambda *_: ()
    )  # spans of a script are no places of a text

    def understand(utterance: Utterance, confidence: float = 0.99) -> Memory:
        monkeypatch.setattr(english, "load_reader", lambda: Scripted(utterance, confidence))
        return memory

    return understand


def test_what_both_understand_is_believed(says: Says) -> None:
    memory = says(PUT)
    assert memory.tell(SAID).status == "ok"
    assert IN_CHEST in memory.store.facts


def test_what_they_understand_differently_is_asked_and_not_written(says: Says) -> None:
    memory = says(told("open", agent="Una", theme="chest"), 0.9)
    before = set(memory.store.facts)
    assert memory.tell("Una closed the chest.").status == "ask"
    assert set(memory.store.facts) == before


def test_what_is_known_already_is_no_question_where_both_say_it(says: Says) -> None:
    says(PUT).tell(SAID)
    assert says(PUT).tell(SAID).status == "ok"


@pytest.mark.parametrize(
    ("when", "asked"),
    [("it was, two hours ago", True), ("yesterday that was", True), ("in no time", False)],
)
def test_an_earlier_time_that_was_passed_over_is_asked_about(
    says: Says, monkeypatch: pytest.MonkeyPatch, when: str, asked: bool
) -> None:
    memory = says(PUT)
    heard = memory.grammar.reader.read
    monkeypatch.setattr(memory.grammar.reader, "read", lambda _, *more: heard(SAID, *more))
    answer = memory.tell(f"The stone, Una put it in the chest, {when}.")
    assert (answer.status == "ask" and "when was that" in answer.question) == asked
    assert (IN_CHEST in memory.store.facts) != asked


def test_of_what_was_not_understood_it_is_known_what_was_named(says: Says) -> None:
    lost = told("other", agent="Una", theme="stone")
    assert says(lost).tell("Una hath mislaid the stone yonder, forsooth").status == "ask"
    assert says(TAKEN, 0.1).tell("She took it.").status == "ok"
    assert HELD in says(TAKEN).store.facts


@pytest.mark.parametrize(
    ("text", "utterance", "confidence", "fact"),
    [
        ("Una, she it was who gave the stone a new home: chest", PUT, 0.99, IN_CHEST),
        (SAID, TAKEN, 0.2, IN_CHEST),
        (SAID, TAKEN, 0.9, IN_CHEST),
    ],
    ids=["the reader alone", "the grammar alone", "the grammar, which leaves nothing out"],
)
def test_what_one_of_them_understands_is_believed(
    says: Says, text: str, utterance: Utterance, confidence: float, fact: Fact
) -> None:
    memory = says(utterance, confidence)
    assert memory.tell(text).status == "ok"
    assert fact in memory.store.facts


def test_a_pronoun_reaches_back_to_what_only_the_reader_understood(says: Says) -> None:
    says(told("take", agent="Una", theme="stone")).tell("Una hath the stone, verily")
    memory = says(TAKEN, 0.1)
    assert memory.tell("She put it in the chest.").status == "ok"
    assert IN_CHEST in memory.store.facts and HELD not in memory.store.facts


def test_a_wish_of_two_readings_is_asked_about(says: Says) -> None:
    memory = says(wish("open", theme="chest"))
    assert memory.wanted("Open the chest").status == "ok"
    found = memory.wanted("Close the chest")
    assert found.status == "ask" and "in two ways" in found.question


def test_a_word_that_is_written_as_two_is_one_where_the_world_knows_it(memory: Memory) -> None:
    calling = memory.retriever.calling
    assert calling.rejoined("The st one is in there.") == "The stone is in there."
    assert calling.rejoined("It is up stairs.") == "It is upstairs."


def test_who_only_says_that_he_speaks_leaves_nothing_out(memory: Memory) -> None:
    weigher = Weigher(memory)
    heard = [Heard(told("take", agent="Ivo", theme="stone"), 0.9, ("Una", "chest"))]
    (way,) = weigher.ways(heard, "una", PARSED, Grounds(TAKING, memory, "una"))
    assert way.left_out == ("chest",)
    (way,) = weigher.ways(heard, None, PARSED, Grounds(TAKING, memory, None))
    assert way.left_out == ("Una", "chest")


def test_what_a_change_has_to_do_with_is_not_left_out(memory: Memory) -> None:
    taken = Heard(told("take", agent="Ivo", theme="stone"), 0.9, ("Ivo", "Una"))
    (way,) = Weigher(memory).ways([taken], None, PARSED, Grounds(TAKING, memory, None))
    assert way.left_out == ("Una",)


def test_what_rests_on_belief_that_a_report_may_have_ended_is_asked_about(memory: Memory) -> None:
    swapped = "Ivo swapped the stone and Una's phone."
    assert memory.tell("Someone fiddled somehow with the stone, or not.").status == "ask"
    asked = memory.tell(swapped)
    assert asked.status == "ask" and "was not understood" in asked.question
    assert memory.tell("The stone is on the counter.").status == "ok"
    assert memory.tell(swapped).status == "ok"
    assert Fact("una_phone", "resting_on", "counter") in memory.store.facts


def test_slips_are_put_right_before_a_report_is_read(memory: Memory) -> None:
    assert memory.tell("Ivo putt teh stonne in the chset.").status == "ok"
    assert Fact("stone", "stowed_in", "chest") in memory.store.facts
    stored = "Una stored it well, Ino and nova say."
    assert memory.typed.right(stored).text == stored


def test_there_is_asked_about_where_a_report_in_between_may_have_moved_what_it_points_to(
    memory: Memory,
) -> None:
    memory.tell("Ivo put the stone on the counter.")
    assert memory.tell("Una's phone followed it there.").status == "ok"
    memory.tell("Ivo flumped the stone yonder.")
    asked = memory.tell("Una's mug followed it there.")
    assert asked.status == "ask" and "flumped" in asked.question
    assert Fact("una_red_mug", "resting_on", "counter") not in memory.store.facts


def test_a_state_that_the_network_alone_hears_needs_a_word_of_its_own(says: Says) -> None:
    broken = Fact("ivo_red_mug", "clean", "false")
    memory = says(told("be dirty", theme=("mug", "owner:Ivo")))
    assert not Speech("Una dropped the mug.", memory).tells_otherwise([broken])
    assert Speech("The phone of Una is ringing.", memory).tells_otherwise([broken])
    assert not Speech("The mug is filthy while the phone rings.", memory).tells_otherwise([broken])


def test_who_moved_a_thing_stays_where_he_went_when_it_is_only_put_back(memory: Memory) -> None:
    memory.tell("Una put the stone on the table in the den.")
    memory.tell("Una is in the kitchen.")
    assert memory.tell("Una put the stone on the counter.").status == "ok"
    assert memory.tell("Never mind that: it got returned to its origin.").status == "ok"
    facts = {*memory.store.facts}
    assert {Fact("stone", "resting_on", "den_table"), Fact("una", "person_at", "kitchen")} <= facts


def test_a_robot_has_to_do_with_who_has_now_what_it_held(memory: Memory) -> None:
    speech = Speech("Your claw is empty now that I have the stone.", memory)
    has, held = Fact("stone", "held_by", "una"), Fact("stone", "gripped_by", "robo")
    assert speech.untouched([has])[1] > speech.untouched([has], [held])[1]


def test_a_wish_that_holds_another_and_what_is_so_already_is_no_other_wish(memory: Memory) -> None:
    both = memory.both
    lit, all_lit = "(lit den_lamp)", "(and (lit kitchen_lamp) (lit den_lamp))"
    goals = [Wanted("ok", parse_formula(text)) for text in (all_lit, lit)]
    ways = [Way(Report("ok", ()), None, wanted=goal) for goal in goals]
    senses = both.weigher.senses("Light what is dark.", ways)
    assert {Fact("kitchen_lamp", "lit", "true")} <= {*memory.store.facts}
    assert senses[0].ways[0].wanted == goals[0] and senses[1].share == 0.0


def test_what_nothing_is_called_and_no_way_hears_leaves_nothing_out(memory: Memory) -> None:
    """``With that in her pocket`` and ``took it for the postman`` tell nothing of what is where."""
    heard = [
        Heard(told("take", agent="Ivo", theme="stone"), 0.9, ("pocket", "two", "smudge")),
        Heard(told("put", agent="Ivo", theme="stone", goal="chest"), 0.1, ("pocket", "two")),
    ]
    ground = Grounds("Ivo took the stone from the chest.", memory, None)
    ways = Weigher(memory).ways(heard, None, PARSED, ground)
    assert [way.left_out for way in ways] == [("two", "smudge"), ("two",)]
