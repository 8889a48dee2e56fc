"""A small flat: a domain, its things and a few facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.knowledge import Fact, KnowledgeStore, Thing

DOMAIN = """
(define (domain flat)
  (:requirements :strips :typing :negative-preconditions)
  (:types room piece agent - object  table box - piece  thing cup - piece  human bot - agent  juice - object)
  (:predicates
    (within ?p - piece ?r - room) (on_top ?x - thing ?t - table) (put_in ?x - thing ?b - box)
    (carried ?x - thing ?b - bot) (idle ?b - bot) (bot_in ?b - bot ?r - room) (human_in ?h - human ?r - room)
    (ajar ?b - box) (void ?c - cup) (has_juice ?c - cup ?j - juice) (likes ?h - human ?x - piece))
  (:action grab :parameters (?b - bot ?r - room ?x - thing ?t - table)
    :precondition (and (bot_in ?b ?r) (within ?t ?r) (on_top ?x ?t) (idle ?b))
    :effect (and (not (on_top ?x ?t)) (not (idle ?b)) (carried ?x ?b)))
  (:action lay :parameters (?b - bot ?r - room ?x - thing ?t - table)
    :precondition (and (bot_in ?b ?r) (within ?t ?r) (carried ?x ?b))
    :effect (and (on_top ?x ?t) (idle ?b) (not (carried ?x ?b))))
  (:action stow :parameters (?b - bot ?r - room ?x - thing ?c - box)
    :precondition (and (bot_in ?b ?r) (within ?c ?r) (carried ?x ?b) (ajar ?c))
    :effect (and (put_in ?x ?c) (idle ?b) (not (carried ?x ?b))))
  (:action go :parameters (?b - bot ?from ?to - room)
    :precondition (bot_in ?b ?from) :effect (and (not (bot_in ?b ?from)) (bot_in ?b ?to)))
  (:action open :parameters (?b - bot ?c - box) :precondition (not (ajar ?c)) :effect (ajar ?c))
  (:action pour :parameters (?c - cup ?j - juice)
    :precondition (void ?c) :effect (and (not (void ?c)) (has_juice ?c ?j)))
  (:action spill :parameters (?c - cup ?j - juice)
    :precondition (has_juice ?c ?j) :effect (and (void ?c) (not (has_juice ?c ?j)))))
"""
KINDS = {
    "kitchen": "room", "hall": "room", "desk": "table", "shelf": "table", "crate": "box", "pen": "thing",
    "book": "thing", "mug": "cup", "eva": "human", "rob": "bot", "apple": "juice", "pear": "juice",
}  # fmt: skip
FACTS = [
    Fact("desk", "within", "kitchen"), Fact("shelf", "within", "hall"), Fact("crate", "within", "hall"),
    Fact("pen", "on_top", "desk"), Fact("book", "on_top", "shelf"), Fact("rob", "bot_in", "kitchen"),
    Fact("rob", "idle", "true"), Fact("eva", "human_in", "hall"), Fact("crate", "ajar", "false"),
    Fact("mug", "void", "true"), Fact("eva", "likes", "pen"), Fact("eva", "likes", "book"),
]  # fmt: skip
MINUTE = 60_000_000_000


@pytest.fixture
def things() -> list[Thing]:
    return [Thing(key, kind, key) for key, kind in KINDS.items()]


@pytest.fixture
def store(tmp_path: Path, things: list[Thing]) -> KnowledgeStore:
    return KnowledgeStore.create(tmp_path / "flat.db", DOMAIN, things, FACTS, at_ns=0)
