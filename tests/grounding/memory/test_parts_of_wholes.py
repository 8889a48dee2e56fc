"""Parts that are named beside their whole, and speakers who say their names, in a domain nobody described."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.memory.opening import create_memory, open_memory

DOMAIN = """
(define (domain boilers)
  (:types room stoker tank valve tool - object)
  (:predicates
    (valve-open ?v - valve)  ; end position open
    (valve-shut ?v - valve)  ; end position shut
    (lid-on ?t - tank)
    (stoker-in ?s - stoker ?r - room)
    (tool-in ?t - tool ?r - room)
    (holding ?s - stoker ?t - tool))
  (:action go :parameters (?s - stoker ?a ?b - room) :precondition (stoker-in ?s ?a)
    :effect (and (stoker-in ?s ?b) (not (stoker-in ?s ?a))))
  (:action grab :parameters (?s - stoker ?t - tool ?r - room)
    :precondition (and (stoker-in ?s ?r) (tool-in ?t ?r))
    :effect (and (holding ?s ?t) (not (tool-in ?t ?r))))
  (:action fit-lid :parameters (?s - stoker ?t - tank) :precondition (and) :effect (lid-on ?t))
  (:action turn-open :parameters (?v - valve) :precondition (valve-shut ?v)
    :effect (and (valve-open ?v) (not (valve-shut ?v))))
  (:action turn-shut :parameters (?v - valve) :precondition (valve-open ?v)
    :effect (and (valve-shut ?v) (not (valve-open ?v)))))
"""
PROBLEM = """
(define (problem p) (:domain boilers)
  (:objects cellar loft - room olga pavel - stoker tank-1 tank-2 - tank
            valve-1u valve-1l valve-2u valve-2l - valve wrench lantern - tool)
  (:init (stoker-in olga cellar) (stoker-in pavel loft) (tool-in wrench cellar) (tool-in lantern loft)
         (valve-shut valve-1u) (valve-shut valve-1l) (valve-open valve-2u) (valve-open valve-2l))
  (:goal (and (valve-open valve-1u))))
"""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("boilers")
    (folder / "domain.pddl").write_text(DOMAIN, encoding="utf-8")
    (folder / "problem.pddl").write_text(PROBLEM, encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("texts", "new"),
    [
        (["Tank 2 sealed."], {"tank-2 lid-on true"}),
        (["Olga here. I grabbed the wrench."], {"wrench"}),
        (["Olga here, grabbed the wrench."], {"wrench"}),
        (["Olga here, all quiet.", "I went to the loft."], {"olga stoker-in loft"}),
        (["Sam here.", "I went to the loft."], set()),
        (["Olga here.", "Sam here.", "I went to the loft."], set()),
    ],
)  # fmt: skip
def test_reports_speak_of_parts_and_of_who_speaks(
    world: Path, tmp_path: Path, texts: list[str], new: set[str]
) -> None:
    path = tmp_path / "memory.db"
    create_memory(path, world / "domain.pddl", world / "problem.pddl").close()
    with open_memory(path) as memory:
        before = {*memory.store.facts}
        for text in texts:
            memory.tell(text)
        told = [f for f in {*memory.store.facts} - before if f.object != "false"]
    lines = {f"{f.subject} {f.relation} {f.object}" for f in told}
    if new == {"wrench"}:
        assert ["olga" in f"{f.subject} {f.object}" for f in told if f.relation == "holding"] == [
            True
        ]
    else:
        assert lines == new
