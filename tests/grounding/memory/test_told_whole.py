"""All that a report tells is believed or asked about, and nothing is asked that it tells plainly."""

from __future__ import annotations

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.beliefs.unanswered import leave_unsettled
from commonground.grounding.memory.checks.coverage import Speech, collects
from commonground.grounding.memory.checks.goal_checks import is_impossible
from commonground.grounding.memory.checks.presuppositions import Premises
from commonground.grounding.memory.english.time_phrases import without_times
from commonground.grounding.memory.interpretation.events import Swap
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.planning.assumptions import Doubts
from commonground.grounding.memory.rewriting.apposition import in_usual_order
from commonground.planning.pddl import parse_formula

CLEAN = Fact("una_red_mug", "clean", "true")


@pytest.fixture
def both(memory: Memory) -> Memory:
    """The small house, read by both readers."""
    return memory


@pytest.mark.parametrize(
    "said",
    [
        "Una put the mug back where she'd got it from.",
        "Una put the mug back to where it had been.",
        "Una put the mug back where she found it.",
    ],
)
def test_where_a_thing_was_got_from_is_where_it_was_before(said: str) -> None:
    assert in_usual_order(said, lambda _: False) == "Una put the mug back where it was before."


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("What used to be on the rack is in the chest.", "What was on the rack is in the chest."),
        (
            "Where the cup, the red one, was there's the hat, and where the hat was there's the red cup.",
            "the red cup and the hat swapped places.",
        ),
        ("Una used to be on the team.", "Una used to be on the team."),
        ("The hat fell from its usual place on the rack.", "The hat fell from the rack."),
    ],
)
def test_what_was_somewhere_tells_which_thing_is_meant(said: str, meant: str) -> None:
    assert in_usual_order(said, lambda _: False) == meant


def test_where_a_thing_belongs_is_another_place() -> None:
    said = "Una put the mug back where it belongs."
    assert in_usual_order(said, lambda _: False) == said


def test_what_is_put_back_is_not_where_it_was_told_to_be_just_now(both: Memory) -> None:
    both.tell("Ivo took the stone off the rack.")
    both.tell("Una's phone is on the den table.")
    assert both.tell("Ivo put the stone back where he'd got it from.").status == "ok"
    assert Fact("stone", "shelved_at", "rack_1") in both.store.facts


def test_what_was_asked_about_a_state_leaves_no_doubt_about_a_place(both: Memory) -> None:
    swapped = "Una swapped her mug and the stone."
    for may, asked in (([CLEAN], False), ([Fact("stone", "held_by", "ivo")], True), ([], True)):
        leave_unsettled(both.store, "What of that?", 2**62, ["una_red_mug", "stone"], may)
        doubts = Premises(both.store.facts, both.names, Doubts(both.store, 2**62))
        why = doubts.doubtful([Swap("una_red_mug", "stone")], (), swapped)
        assert bool(why) == asked
        both.store.keep_note("unsettled", "[]")


def test_a_meal_in_words_for_a_time_is_no_food() -> None:
    assert "lunch" not in without_times("Once lunch was over, Una left.")
    assert without_times("Lunch is on the table.") == "Lunch is on the table."


def test_a_state_that_one_reader_passes_over_is_asked_about(quiet_memory: Memory) -> None:
    speech = Speech("Una washed the mug and put it on the table.", quiet_memory)
    there = Fact("una_red_mug", "resting_on", "den_table")
    assert speech.passes_over([CLEAN, there], [there])
    assert not speech.passes_over([CLEAN, there], [CLEAN])
    assert not speech.passes_over([there], [CLEAN])


def test_a_place_that_is_wanted_already_is_not_all_that_a_word_for_a_state_asks_for(
    quiet_memory: Memory,
) -> None:
    there = Fact("una_red_mug", "resting_on", "den_table")
    assert Speech("The mug should be on the table washed.", quiet_memory).wants_more([there])
    assert not Speech("Wash the mug.", quiet_memory).wants_more([CLEAN])


def test_one_thing_in_two_places_is_no_goal(quiet_memory: Memory) -> None:
    groups = quiet_memory.store.groups
    apart = "(and (resting_on stone den_table) (resting_on una_phone den_table))"
    assert not is_impossible(parse_formula(apart), groups)
    twice = "(and (resting_on stone den_table) (resting_on stone counter))"
    assert is_impossible(parse_formula(twice), groups)


def test_what_needs_a_wash_is_dirty(both: Memory) -> None:
    told = both.tell("Una's mug needs a wash.")
    assert told.status == "ask" or CLEAN not in both.store.facts
    assert both.tell("Una's mug got a wash.").status == "ok"
    assert CLEAN in both.store.facts


def test_all_but_one_are_moved_and_what_all_but_happened_did_not(both: Memory) -> None:
    missed = both.grammar.reader.assertions.is_missed
    assert not missed("Una moved everything, all but the stone.")
    assert not missed("All but Una's mug were moved.")
    assert missed("Una all but moved the stone.")


def test_who_leaves_with_what_she_has_keeps_it(both: Memory) -> None:
    both.tell("Una took the stone.")
    assert both.tell("Una went to the kitchen with the stone in her hand.").status == "ok"
    facts = {*both.store.facts}
    assert {Fact("stone", "held_by", "una"), Fact("una", "person_at", "kitchen")} <= facts


def test_the_place_of_several_is_a_name() -> None:
    assert words_of("the parents' room") == ("the", "parents", "'s", "room")
    assert words_of("the 'parents'") == ("the", "parents")


def test_all_that_was_somewhere_is_told_by_few_words() -> None:
    assert collects("Everything on the desk is in the chest.")
    assert not collects("The mug on the desk is in the chest.")


def test_where_a_thing_comes_from_is_where_it_was_whatever_was_believed(both: Memory) -> None:
    both.tell("Ivo moved the stone from the den table to the counter.")
    assert Fact("stone", "resting_on", "counter") in both.store.facts
    both.tell("Una's phone is ringing.")
    assert both.tell("Ivo put the stone back.").status == "ok"
    assert Fact("stone", "resting_on", "den_table") in both.store.facts


def test_what_is_taken_back_leaves_nothing_of_where_a_thing_came_from(both: Memory) -> None:
    both.tell("Ivo moved the stone from the den table to the counter.")
    both.store.undo(both.newest_change())
    assert Fact("stone", "shelved_at", "rack_1") in both.store.facts
    both.tell("Una took the stone.")
    both.tell("Una put the stone back.")
    assert Fact("stone", "shelved_at", "rack_1") in both.store.facts


def test_of_several_places_called_so_a_thing_comes_from_where_it_is(both: Memory) -> None:
    assert both.tell("I took Una's phone off the table.", "ivo").status == "ok"
    assert {Fact("una_phone", "held_by", "ivo"), Fact("ivo", "person_at", "den")} <= {
        *both.store.facts
    }


@pytest.mark.parametrize(
    ("said", "holds"),
    [
        ("Una washed her mug, it was filthy.", CLEAN),
        ("Una opened the den door because it was shut.", Fact("den_door", "door_open", "true")),
        ("Ivo turned off the kitchen lamp, it had been on all night.",
         Fact("kitchen_lamp", "lit", "false")),
        ("I shut the den door, somebody'd left it open.", Fact("den_door", "door_open", "false")),
        ("Una turned the lamp on in the den.", Fact("den_lamp", "lit", "true")),
        ("Una washed her mug, but it is dirty again.", CLEAN.opposite),
    ],
)  # fmt: skip
def test_how_a_thing_had_been_is_not_how_it_is(both: Memory, said: str, holds: Fact) -> None:
    both.tell(said)
    assert holds in both.store.facts


def test_a_word_for_what_became_of_a_thing_is_heeded(both: Memory) -> None:
    both.tell("Una's phone is ringing.")
    assert both.tell("Una picked up her phone and answered it.").status == "ok"
    assert Fact("una_phone", "ringing", "false") in both.store.facts
