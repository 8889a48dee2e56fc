"""Questions at a memory whose domain nobody described are answered by the domain's own words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.questions.questioner import ask

DOMAIN = """(define (domain stage)
  (:requirements :typing)
  (:types crew item area - object)
  (:predicates (crew_in ?c - crew ?a - area) (item_in ?i - item ?a - area) (held ?i - item ?c - crew)
    (broken ?i - item) (curtain_down))
  (:action go :parameters (?c - crew ?from ?to - area)
    :precondition (crew_in ?c ?from) :effect (and (not (crew_in ?c ?from)) (crew_in ?c ?to)))
  (:action take :parameters (?c - crew ?i - item ?a - area)
    :precondition (and (crew_in ?c ?a) (item_in ?i ?a)) :effect (and (not (item_in ?i ?a)) (held ?i ?c)))
  (:action leave :parameters (?c - crew ?i - item ?a - area)
    :precondition (and (crew_in ?c ?a) (held ?i ?c)) :effect (and (item_in ?i ?a) (not (held ?i ?c))))
  (:action mend :parameters (?c - crew ?i - item)
    :precondition (held ?i ?c) :effect (not (broken ?i)))
  (:action lower :parameters (?c - crew) :effect (curtain_down))
  (:action raise :parameters (?c - crew) :precondition (curtain_down) :effect (not (curtain_down))))"""
PROBLEM = """(define (problem tonight) (:domain stage)
  (:objects dot femi - crew lamp_1 lamp_2 black_tabs - item wings dock - area)
  (:init (crew_in dot wings) (crew_in femi dock) (item_in lamp_1 dock) (held lamp_2 dot)
    (item_in black_tabs dock) (broken lamp_1) (curtain_down)) (:goal (broken lamp_1)))"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder = tmp_path_factory.mktemp("stage")
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "problem.pddl").write_text(PROBLEM)
    create_memory(folder / "m.db", folder / "domain.pddl", folder / "problem.pddl").close()
    with open_memory(folder / "m.db") as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is Dot?", "dot: crew in wings"),
        ("Where is lamp 2?", "lamp 2: held dot; dot: crew in wings"),
        ("Who has lamp 2?", "lamp 2: held dot"),
        ("Who is in the dock?", "femi: crew in dock"),
        (
            "What is in the dock?",
            "black tabs: item in dock; femi: crew in dock; lamp 1: item in dock",
        ),
        ("Which lamps are in the dock?", "lamp 1: item in dock"),
        ("How is lamp 1?", "lamp 1: broken; lamp 1: item in dock"),
        ("Is the curtain down?", "yes: curtain: curtain down"),
        ("Is lamp 1 broken?", "yes: lamp 1: broken"),
        ("Is Dot in the dock?", "no: dot: crew in wings"),
        ("Does Dot have lamp 2?", "yes: lamp 2: held dot"),
    ],
)
def test_what_is_believed_is_told(stage: Memory, question: str, answer: str) -> None:
    told = ask(stage, question)
    assert (told.status, told.text) == ("ok", answer)
    assert all(known.fact in stage.store.facts for known in told.known)


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Is the lamp broken?", "ask"),
        ("Is lamp 2 broken?", "unknown"),
        ("Where is the moon?", "unknown"),
        ("Where is the black umbrella?", "unknown"),
        ("What?", "ask"),
    ],
)
def test_nothing_is_made_up(stage: Memory, question: str, status: str) -> None:
    assert ask(stage, question).status == status


def test_a_question_changes_nothing(stage: Memory) -> None:
    before = stage.store.tx, sorted(stage.store.facts), stage.discourse.now
    ask(stage, "Is Femi in the wings?")
    ask(stage, "Who has lamp 2?")
    assert (stage.store.tx, sorted(stage.store.facts), stage.discourse.now) == before


def test_an_attribute_alone_names_nothing_in_a_report(stage: Memory) -> None:
    """The black umbrella is not the black tabs."""
    assert stage.tell("The black umbrella is in the wings.").status == "ask"


def test_what_a_domain_reads_is_put_right_without_the_grammar_of_houses(
    tmp_path: Path,
) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "problem.pddl").write_text(PROBLEM)
    create_memory(tmp_path / "m.db", tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(tmp_path / "m.db") as memory:
        assert memory.tell("Femi took lamp 1.").status == "ok"
        assert ask(memory, "Who has lamp 1?").text == "lamp 1: held femi"
        assert memory.tell("No, I meant the black tabs.").status == "ok"
        assert ask(memory, "Who has the black tabs?").text == "black tabs: held femi"
        assert ask(memory, "Where is lamp 1?").text == "lamp 1: item in dock"
        assert memory.tell("Scratch that.").status == "ok"
        assert ask(memory, "Where are the black tabs?").text == "black tabs: item in dock"
        assert "grammar" not in vars(memory)
