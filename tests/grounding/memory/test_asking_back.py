"""What is asked back: facts and goals in words, and the words that were not understood."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.english.asking_back import apart, asked_about, in_clause
from commonground.grounding.english.statements import Statement, in_sentences, in_two_ways
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import parse_formula
from tests.grounding.memory.worlds import held, memory_of

DOMAIN = """(define (domain pottery)
  (:requirements :typing :negative-preconditions)
  (:types room spot vessel potter glaze stage - object  kiln shelf - spot)
  (:predicates (potter_in ?p - potter ?r - room) (spot_in ?s - spot ?r - room) (leads ?a ?b - room)
    (standing_on ?v - vessel ?s - spot) (carried_by ?v - vessel ?p - potter)
    (stage_of ?v - vessel ?s - stage) (door_shut ?k - kiln) (flames_low ?k - kiln)
    (cracked ?v - vessel) (has_crust ?v - vessel))
  (:action walk :parameters (?p - potter ?a ?b - room)
    :precondition (and (potter_in ?p ?a) (leads ?a ?b))
    :effect (and (not (potter_in ?p ?a)) (potter_in ?p ?b)))
  (:action lift :parameters (?p - potter ?v - vessel ?s - spot ?r - room)
    :precondition (and (potter_in ?p ?r) (spot_in ?s ?r) (standing_on ?v ?s))
    :effect (and (not (standing_on ?v ?s)) (carried_by ?v ?p)))
  (:action stand :parameters (?p - potter ?v - vessel ?s - spot ?r - room)
    :precondition (and (potter_in ?p ?r) (spot_in ?s ?r) (carried_by ?v ?p))
    :effect (and (standing_on ?v ?s) (not (carried_by ?v ?p))))
  (:action fire :parameters (?v - vessel ?k - kiln ?a ?b - stage)
    :precondition (and (standing_on ?v ?k) (stage_of ?v ?a))
    :effect (and (not (stage_of ?v ?a)) (stage_of ?v ?b)))
  (:action shut :parameters (?k - kiln) :precondition (not (door_shut ?k)) :effect (door_shut ?k))
  (:action damp :parameters (?k - kiln) :precondition () :effect (flames_low ?k))
  (:action hit :parameters (?v - vessel) :precondition () :effect (and (cracked ?v) (has_crust ?v))))"""
PROBLEM = """(define (problem p) (:domain pottery)
  (:objects yard loft - room big-kiln - kiln oak-shelf - shelf jug vase - vessel ida - potter
    raw fired - stage)
  (:init (potter_in ida loft) (spot_in big-kiln yard) (spot_in oak-shelf loft) (standing_on jug oak-shelf)
    (standing_on vase oak-shelf) (stage_of jug raw) (stage_of vase raw)) (:goal (cracked jug)))"""
pottery = memory_of(DOMAIN, PROBLEM)

SAID = [
    ("standing_on jug oak-shelf", "the jug is standing on the oak shelf"),
    ("stage_of jug raw", "the stage of the jug is raw"),
    ("door_shut big-kiln true", "the door of the big kiln is shut"),
    ("flames_low big-kiln false", "the flames of the big kiln are not low"),
    ("cracked jug true", "the jug is cracked"),
    ("has_crust jug false", "the jug does not have crust"),
]


@pytest.mark.parametrize(("fact", "words"), SAID)
def test_a_fact_of_a_domain_that_nobody_described_is_said_in_words(
    pottery: Memory, fact: str, words: str
) -> None:
    relation, subject, value = fact.split()
    said = pottery.in_words.fact(Fact(subject, relation, value))
    assert said == words


def test_what_is_so_no_more_is_said_where_it_does_not_follow(pottery: Memory) -> None:
    on_shelf, in_kiln = (Fact("jug", "standing_on", s) for s in ("oak-shelf", "big-kiln"))
    told = pottery.in_words.told
    assert told([in_kiln], [on_shelf]) == "the jug is standing on the big kiln"
    assert told([], [on_shelf]) == "the jug is no longer standing on the oak shelf"


def test_goals_are_said_in_words(pottery: Memory) -> None:
    goal = "(and (standing_on jug big-kiln) (standing_on vase big-kiln) (not (cracked jug)))"
    said = pottery.in_words.goal(parse_formula(goal))
    assert "(" not in said and "_" not in said
    assert "the vase is standing on the big kiln" in said and "not cracked" in said
    some = "(exists (?s - shelf) (standing_on jug ?s))"
    assert pottery.in_words.goal(parse_formula(some)) == (
        "with some shelf: the jug is standing on that shelf"
    )


def test_a_question_quotes_what_was_not_understood_and_tells_the_rest(pottery: Memory) -> None:
    before = held(pottery)
    told = pottery.tell("The jug is standing on the big kiln. The vase gleams all over.")
    assert told.status == "ask" and held(pottery) == before
    assert "the jug is standing on the big kiln" in told.question
    assert "“The vase gleams all over”" in told.question
    assert "stage" in told.question  # what can be told of the vase


def test_a_part_that_is_asked_about_leaves_no_trace(pottery: Memory) -> None:
    pottery.tell("Ida shut the big kiln. The vase gleams all over.")
    assert "door_shut big-kiln" not in held(pottery)
    pottery.tell("The big kiln is shut.")
    assert "door_shut big-kiln" in held(pottery)


def test_a_task_is_asked_about_by_its_part(pottery: Memory) -> None:
    wanted = pottery.wanted("Put the jug on the big kiln. Make the vase sing opera.")
    assert wanted.goal is None and "“Make the vase sing opera”" in wanted.question


def test_a_doubt_is_quoted_and_yes_answers_it(memory: Memory) -> None:
    told = memory.tell("I think the stone is on the counter.", "una")
    assert (
        told.status == "ask" and "is it certain that the stone is on the counter" in told.question
    )
    assert "“I think the stone is on the counter”" in told.question
    memory.tell("Yes.", "ivo")
    fact = Fact("stone", "resting_on", "counter")
    assert fact in memory.store.facts
    assert memory.store.changes(1)[0].source.name == "ivo", "who vouches"


def test_only_the_part_that_cannot_be_read_is_left() -> None:
    def read(text: str) -> tuple[str | None, str]:
        return (None, "what is 'grue'?") if "grue" in text else (text, "")

    text = "The lid is off. Put the cork in, and then grue it well, please. All is fine."
    found = apart(text, read, lambda part: 1)
    assert found.found is not None and "Put the cork in" in found.found
    assert "grue" not in found.found
    assert found.left == "then grue it well, " and found.why == "what is 'grue'?"
    asked = asked_about(text, "", found._replace(found="it is corked"), ("",), str)
    assert asked == "I understood: it is corked. You said “grue it well”: what is 'grue'?"
    assert apart("The lid is off.", read, lambda part: 1).left == ""


def test_words_are_quoted_with_their_clause() -> None:
    assert in_clause("lid", "Take it. The lid is off, so hurry.") == "“lid” in “The lid is off”"
    assert in_clause("crate", "The lid is off.") == "“crate”"


def test_statements_of_the_same_are_said_together() -> None:
    said = [Statement("the fork", "clean"), Statement("the knife", "clean")]
    assert in_sentences(said) == "the fork and the knife are clean"
    said = [Statement("the fork", "clean"), Statement("the fork", "on the tray")]
    assert in_sentences(said) == "the fork is clean and on the tray"
    assert in_sentences([Statement("the oars", "on the rack", "lies", plural=True)]) == (
        "the oars lie on the rack"
    )


def test_of_two_ways_only_what_differs_is_asked() -> None:
    asked = in_two_ways(["a", "b"], ["a"], ", ".join)
    assert asked == (
        "I understood: a. I can read the rest in two ways: first, b; second, nothing more. Which is meant?"
    )


def test_a_question_names_no_predicate(tmp_path: Path, memory: Memory) -> None:
    told = memory.tell("Una may have put the stone on the counter, or on the kitchen table.")
    assert told.status == "ask" and "resting_on" not in told.question
