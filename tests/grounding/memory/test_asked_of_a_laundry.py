"""What is asked of a memory whose domain nobody described: kinds, counts, contents, and what was."""

from __future__ import annotations

import datetime
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.beliefs.sensing import Observation, Sighting, observe
from commonground.grounding.memory.english.timing import HOUR_NS
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.questions.questioner import ask

DOMAIN = """(define (domain laundry)
  (:requirements :typing :negative-preconditions)
  (:types area rack washer linen agent - object  sheet towel - linen  clerk trolley - agent)
  (:predicates (stands ?x - (either rack washer) ?a - area) (leads ?a ?b - area)
    (hangs_on ?l - linen ?r - rack) (loaded_in ?l - linen ?w - washer) (aboard ?l - linen ?t - trolley)
    (parked ?t - trolley ?a - area) (works_in ?c - clerk ?a - area) (carries ?c - clerk ?l - linen)
    (torn ?l - linen) (ironed ?l - linen) (spinning ?w - washer) (empty ?t - trolley)
    (kept_for ?l - linen ?c - clerk))
  (:action roll :parameters (?t - trolley ?a ?b - area)
    :precondition (and (parked ?t ?a) (leads ?a ?b)) :effect (and (not (parked ?t ?a)) (parked ?t ?b)))
  (:action unhang :parameters (?t - trolley ?l - linen ?r - rack ?a - area)
    :precondition (and (parked ?t ?a) (stands ?r ?a) (hangs_on ?l ?r) (empty ?t))
    :effect (and (not (hangs_on ?l ?r)) (not (empty ?t)) (aboard ?l ?t)))
  (:action hang :parameters (?t - trolley ?l - linen ?r - rack ?a - area)
    :precondition (and (parked ?t ?a) (stands ?r ?a) (aboard ?l ?t))
    :effect (and (hangs_on ?l ?r) (empty ?t) (not (aboard ?l ?t))))
  (:action load :parameters (?t - trolley ?l - linen ?w - washer ?a - area)
    :precondition (and (parked ?t ?a) (stands ?w ?a) (aboard ?l ?t))
    :effect (and (loaded_in ?l ?w) (empty ?t) (not (aboard ?l ?t))))
  (:action iron :parameters (?t - trolley ?l - linen) :precondition (aboard ?l ?t) :effect (ironed ?l))
  (:action spin :parameters (?t - trolley ?w - washer ?a - area)
    :precondition (and (parked ?t ?a) (stands ?w ?a)) :effect (spinning ?w)))"""
WORLD = """{"objects": {"attic": "area", "cellar": "area", "long_rack": "rack", "front_washer": "washer",
  "back_washer": "washer", "sheet_1": "sheet", "sheet_2": "sheet", "towel": "towel", "ines": "clerk",
  "tam": "clerk", "trolley": "trolley"},
 "names": {"sheet_1": "striped sheet", "sheet_2": "plain sheet", "towel": "hand towel"},
 "people": {"ines": {"name": "Ines", "pronoun": "she"}, "tam": {"name": "Tam", "pronoun": "he"}},
 "facts": [["long_rack", "stands", "attic"], ["front_washer", "stands", "cellar"],
  ["back_washer", "stands", "cellar"], ["attic", "leads", "cellar"], ["cellar", "leads", "attic"],
  ["sheet_1", "hangs_on", "long_rack"], ["sheet_2", "loaded_in", "front_washer"],
  ["towel", "hangs_on", "long_rack"], ["parked", "parked", "parked"], ["ines", "works_in", "attic"],
  ["tam", "works_in", "cellar"], ["sheet_1", "ironed", true], ["sheet_2", "ironed", false],
  ["sheet_1", "torn", false], ["sheet_2", "torn", false], ["towel", "torn", false],
  ["front_washer", "spinning", false], ["back_washer", "spinning", false],
  ["towel", "kept_for", "ines"], ["trolley", "parked", "attic"], ["trolley", "empty", true]]}"""


def made(folder: Path, began_ns: int | None = None) -> Path:
    (folder / "laundry.pddl").write_text(DOMAIN)
    world = WORLD.replace('["parked", "parked", "parked"], ', "").replace("\n", " ")
    (folder / "laundry.jsonl").write_text(world)
    path = folder / "m.db"
    create_memory(path, folder / "laundry.pddl", folder / "laundry.jsonl", at_ns=began_ns).close()
    return path


@pytest.fixture(scope="module")
def laundry(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with open_memory(made(tmp_path_factory.mktemp("laundry"))) as memory:
        yield memory


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Memory]:
    with open_memory(made(tmp_path)) as memory:
        yield memory


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which sheets are ironed?", "striped sheet: ironed"),
        ("Which sheets are not ironed?", "plain sheet: not ironed"),
        ("How many sheets are ironed?", "1: striped sheet: ironed"),
        ("Are both sheets ironed?", "no: plain sheet: not ironed"),
        ("Are any sheets ironed?", "yes: striped sheet: ironed"),
        (
            "Which washers are spinning?",
            "none: back washer: not spinning; front washer: not spinning",
        ),
        ("Is anything torn?", "no: hand towel: not torn; plain sheet: not torn; striped sheet: not torn"),
        (
            "What is in the cellar?",
            "back washer: stands cellar; front washer: stands cellar; plain sheet: loaded in front washer",
        ),
        ("How many sheets are on the long rack?", "1: striped sheet: hangs on long rack"),
        (
            "How many washers are there in the cellar?",
            "2: back washer: stands cellar; front washer: stands cellar",
        ),
        ("Is the plain sheet in the cellar?", "yes: plain sheet: loaded in front washer"),
        ("Is the plain sheet in the attic?", "no: plain sheet: loaded in front washer"),
        ("Where does Ines work?", "Ines: works in attic"),
        ("Who works in the cellar?", "Tam: works in cellar"),
        ("Which area leads to the attic?", "cellar: leads attic"),
        ("What is kept for Ines?", "hand towel: kept for Ines"),
        (
            "Could you tell me where the hand towel is?",
            "hand towel: hangs on long rack; long rack: stands attic",
        ),
        ("What does Tam carry?", "nothing, as far as is known"),
    ],
)  # fmt: skip
def test_each_thing_is_judged_that_may_be_meant(
    laundry: Memory, question: str, answer: str
) -> None:
    found = ask(laundry, question)
    assert (found.status, found.text) == ("ok", answer)


@pytest.mark.parametrize(
    "question",
    ["Where is Ines?", "What is in the back washer?", "Is the hand towel ironed?", "Is Tam in the cellar?"],
)  # fmt: skip
def test_where_somebody_works_and_what_nobody_told_are_not_made_up(
    laundry: Memory, question: str
) -> None:
    assert ask(laundry, question).status == "unknown"


def test_what_was_is_told_from_history_or_not_at_all(told: Memory) -> None:
    assert told.tell("Tam hung the plain sheet on the long rack.").status == "ok"
    assert "long rack" in ask(told, "Where is the plain sheet?").text
    before = ask(told, "Where was the plain sheet before?")
    assert before.text.startswith("plain sheet: loaded in front washer")
    assert ask(told, "Where was the plain sheet yesterday?").status == "unknown"
    assert ask(told, "Was the striped sheet ironed yesterday?").status == "unknown"


@pytest.mark.parametrize(
    "order",
    [
        "Put the plain sheet on the long rack.",
        "Set the plain sheet on the long rack.",
        "Hang the plain sheet on the long rack.",
        "Tam, put the plain sheet on the long rack.",
        "Ines works in the attic. Put the plain sheet on the long rack.",
    ],
)
def test_a_bare_verb_is_no_report(told: Memory, order: str) -> None:
    before = sorted(told.store.facts)
    assert told.tell(order).status == "ask"
    assert sorted(told.store.facts) == before


@pytest.mark.parametrize(
    "report",
    ["Tam put the plain sheet on the long rack.", "9:15 put the plain sheet on the long rack"],
)
def test_a_subject_or_a_time_makes_it_one(tmp_path: Path, report: str) -> None:
    # an hour of the day before the memory began would be older than what it holds
    noon = datetime.datetime.now().astimezone().replace(hour=12, minute=0) - datetime.timedelta(1)
    at_ns = int(noon.timestamp() * 1e9)
    with open_memory(made(tmp_path, at_ns - 24 * HOUR_NS)) as told:
        assert Fact("sheet_2", "hangs_on", "long_rack") in told.tell(report, at_ns=at_ns).added


def test_being_somewhere_is_not_working_there(told: Memory) -> None:
    assert told.tell("Tam is in the attic.").status == "ask"
    assert told.tell("Tam works in the attic now.").added == (Fact("tam", "works_in", "attic"),)


def test_what_a_sensor_saw_lying_nobody_has(told: Memory) -> None:
    assert told.tell("Ines is carrying the hand towel.").status == "ok"
    look = Observation(
        (Sighting(Fact("towel", "hangs_on", "long_rack"), 0.95),),
        time.time_ns() + HOUR_NS,
        "camera",
    )
    seen = observe(told.store, told.names, look)
    assert Fact("ines", "carries", "towel") in seen.removed
