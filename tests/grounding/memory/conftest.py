"""A small house: two rooms, two people, a robot and a few things, with doors and lids in the way."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.settings import MemorySettings

DOMAIN = """
(define (domain house)
  (:requirements :strips :typing :negative-preconditions)
  (:types room fixture item actor liquid colour - object  spot door lamp shelf - fixture
    surface receptacle tier basin - spot  closable box - receptacle  cup phone - item
    person robot - actor)
  (:predicates (in_room ?f - fixture ?r - room) (tier_of ?t - tier ?s - shelf) (opens_to ?d - door ?r - room)
    (owned_by ?x - item ?p - person) (coloured ?x - item ?c - colour)
    (resting_on ?x - item ?s - surface) (stowed_in ?x - item ?c - receptacle)
    (shelved_at ?x - item ?t - tier) (lying_in ?x - item ?b - basin)
    (held_by ?x - item ?p - person) (gripped_by ?x - item ?a - robot)
    (person_at ?p - person ?r - room) (robot_at ?a - robot ?r - room) (hand_free ?a - robot)
    (door_open ?d - door) (lid_open ?c - closable) (lit ?l - lamp) (clean ?x - cup)
    (empty ?v - cup) (filled_with ?v - cup ?l - liquid) (ringing ?p - phone))
  (:action pass :parameters (?a - robot ?from ?to - room ?d - door)
    :precondition (and (robot_at ?a ?from) (opens_to ?d ?from) (opens_to ?d ?to) (door_open ?d))
    :effect (and (not (robot_at ?a ?from)) (robot_at ?a ?to)))
  (:action unlock :parameters (?a - robot ?r - room ?d - door)
    :precondition (and (robot_at ?a ?r) (opens_to ?d ?r) (not (door_open ?d))) :effect (door_open ?d))
  (:action lift :parameters (?a - robot ?r - room ?x - item ?s - surface)
    :precondition (and (robot_at ?a ?r) (in_room ?s ?r) (resting_on ?x ?s) (hand_free ?a))
    :effect (and (not (resting_on ?x ?s)) (not (hand_free ?a)) (gripped_by ?x ?a)))
  (:action lower :parameters (?a - robot ?r - room ?x - item ?s - surface)
    :precondition (and (robot_at ?a ?r) (in_room ?s ?r) (gripped_by ?x ?a))
    :effect (and (not (gripped_by ?x ?a)) (hand_free ?a) (resting_on ?x ?s)))
  (:action stow :parameters (?a - robot ?r - room ?x - item ?c - closable)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (lid_open ?c) (gripped_by ?x ?a))
    :effect (and (not (gripped_by ?x ?a)) (hand_free ?a) (stowed_in ?x ?c)))
  (:action unstow :parameters (?a - robot ?r - room ?x - item ?c - closable)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (lid_open ?c) (stowed_in ?x ?c) (hand_free ?a))
    :effect (and (not (stowed_in ?x ?c)) (not (hand_free ?a)) (gripped_by ?x ?a)))
  (:action unlid :parameters (?a - robot ?r - room ?c - closable)
    :precondition (and (robot_at ?a ?r) (in_room ?c ?r) (not (lid_open ?c))) :effect (lid_open ?c))
  (:action hand :parameters (?a - robot ?r - room ?x - item ?p - person)
    :precondition (and (robot_at ?a ?r) (person_at ?p ?r) (gripped_by ?x ?a))
    :effect (and (not (gripped_by ?x ?a)) (hand_free ?a) (held_by ?x ?p)))
  (:action shelve :parameters (?a - robot ?r - room ?x - item ?t - tier)
    :precondition (and (robot_at ?a ?r) (in_room ?t ?r) (gripped_by ?x ?a))
    :effect (and (not (gripped_by ?x ?a)) (hand_free ?a) (shelved_at ?x ?t)))
  (:action dip :parameters (?a - robot ?r - room ?x - item ?b - basin)
    :precondition (and (robot_at ?a ?r) (in_room ?b ?r) (gripped_by ?x ?a))
    :effect (and (not (gripped_by ?x ?a)) (hand_free ?a) (lying_in ?x ?b)))
  (:action light :parameters (?a - robot ?r - room ?l - lamp)
    :precondition (and (robot_at ?a ?r) (in_room ?l ?r) (not (lit ?l))) :effect (lit ?l))
  (:action fill :parameters (?a - robot ?v - cup ?l - liquid)
    :precondition (and (gripped_by ?v ?a) (empty ?v)) :effect (and (not (empty ?v)) (filled_with ?v ?l)))
  (:action spill :parameters (?a - robot ?v - cup ?l - liquid)
    :precondition (and (gripped_by ?v ?a) (filled_with ?v ?l)) :effect (and (not (filled_with ?v
      ?l)) (empty ?v))))
"""
OBJECTS = {
    "kitchen": "room", "den": "room", "den_door": "door", "counter": "surface", "kitchen_table": "surface",
    "den_table": "surface", "chest": "closable", "rack": "shelf", "rack_1": "tier", "rack_2": "tier",
    "kitchen_lamp": "lamp", "den_lamp": "lamp", "red": "colour", "green": "colour", "tea": "liquid",
    "ivo_red_mug": "cup", "una_red_mug": "cup", "una_phone": "phone", "stone": "item",
    "ivo": "person", "una": "person", "robo": "robot",
}  # fmt: skip
NAMES = {
    "den_door": "door of the den", "kitchen_table": "table in the kitchen", "den_table": "table in the den",
    "rack_1": "first level of the rack", "rack_2": "second level of the rack",
    "kitchen_lamp": "lamp in the kitchen", "den_lamp": "lamp in the den", "ivo_red_mug": "Ivo's red mug",
    "una_red_mug": "Una's red mug", "una_phone": "Una's phone", "stone": "stone",
}  # fmt: skip
PEOPLE = {"ivo": {"name": "Ivo", "pronoun": "he"}, "una": {"name": "Una", "pronoun": "she"}}
FACTS = [
    *([f, "in_room", "kitchen"] for f in ("counter", "kitchen_table", "kitchen_lamp")),
    *([f, "in_room", "den"] for f in ("den_table", "chest", "rack", "rack_1", "rack_2", "den_lamp")),
    ["rack_1", "tier_of", "rack"], ["rack_2", "tier_of", "rack"],
    ["den_door", "opens_to", "kitchen"], ["den_door", "opens_to", "den"], ["den_door", "door_open", False],
    ["chest", "lid_open", False], ["kitchen_lamp", "lit", True], ["den_lamp", "lit", False],
    ["ivo_red_mug", "owned_by", "ivo"], ["una_red_mug", "owned_by", "una"],
    ["una_phone", "owned_by", "una"],
    ["ivo_red_mug", "coloured", "red"], ["una_red_mug", "coloured", "red"],
    ["una_phone", "coloured", "green"],
    ["ivo_red_mug", "resting_on", "counter"], ["una_red_mug", "stowed_in", "chest"],
    ["una_phone", "resting_on", "den_table"], ["stone", "shelved_at", "rack_1"],
    *([m, r, True] for m in ("ivo_red_mug", "una_red_mug") for r in ("clean", "empty")),
    ["una_phone", "ringing", False], ["ivo", "person_at", "kitchen"], ["una", "person_at", "den"],
    ["robo", "robot_at", "kitchen"], ["robo", "hand_free", True],
]  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A folder with the house's domain and facts."""
    return written_house(tmp_path)


@pytest.fixture
def memory(house: Path) -> Iterator[Memory]:
    """The house's memory, read offline."""
    with _opened(house) as memory:
        yield memory


@pytest.fixture(scope="module")
def quiet_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """The house's memory for tests that change no fact of it."""
    with _opened(written_house(tmp_path_factory.mktemp("house"))) as memory:
        yield memory


def written_house(folder: Path) -> Path:
    """Write the house's domain and facts into a folder."""
    (folder / "house.pddl").write_text(DOMAIN)
    header = {"objects": OBJECTS, "names": NAMES, "people": PEOPLE, "facts": FACTS}
    (folder / "house.jsonl").write_text(json.dumps(header) + "\n")
    return folder


@contextmanager
def _opened(house: Path) -> Iterator[Memory]:
    path, began_ns = house / "memory.db", time.time_ns() - 72 * 3_600_000_000_000
    create_memory(path, house / "house.pddl", house / "house.jsonl", at_ns=began_ns).close()
    with open_memory(path, MemorySettings(utc_offset_h=0)) as memory:
        yield memory
