"""What is so instead, what goes along, and what says no more than the rest, in the domain of a print shop."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain print-shop)
  (:requirements :strips :typing :negative-preconditions)
  (:types room person thing cart press safe - object
    roller plate - thing)
  (:predicates
    (in-room ?p - person ?r - room) (lies-in ?t - thing ?r - room) (carries ?p - person ?t - thing)
    (stands-in ?c - cart ?r - room) (on-cart ?t - thing ?c - cart)
    (roller-in ?o - roller ?m - press) (inside ?t - thing ?s - safe)
    (door-open ?s - safe) (locked ?s - safe) (running ?m - press)
    (looks-after ?p - person ?m - press) (kept-in ?t - thing ?s - safe))
  (:action walk :parameters (?p - person ?a ?b - room) :precondition (in-room ?p ?a)
    :effect (and (in-room ?p ?b) (not (in-room ?p ?a))))
  (:action pick-up :parameters (?p - person ?t - thing ?r - room)
    :precondition (and (in-room ?p ?r) (lies-in ?t ?r))
    :effect (and (carries ?p ?t) (not (lies-in ?t ?r))))
  (:action set-down :parameters (?p - person ?t - thing ?r - room)
    :precondition (and (in-room ?p ?r) (carries ?p ?t))
    :effect (and (lies-in ?t ?r) (not (carries ?p ?t))))
  (:action load :parameters (?p - person ?t - thing ?c - cart ?r - room)
    :precondition (and (in-room ?p ?r) (stands-in ?c ?r) (carries ?p ?t))
    :effect (and (on-cart ?t ?c) (not (carries ?p ?t))))
  (:action unload :parameters (?p - person ?t - thing ?c - cart ?r - room)
    :precondition (and (in-room ?p ?r) (stands-in ?c ?r) (on-cart ?t ?c))
    :effect (and (carries ?p ?t) (not (on-cart ?t ?c))))
  (:action push :parameters (?p - person ?c - cart ?a ?b - room)
    :precondition (and (in-room ?p ?a) (stands-in ?c ?a))
    :effect (and (in-room ?p ?b) (stands-in ?c ?b) (not (in-room ?p ?a)) (not (stands-in ?c ?a))))
  (:action swap-roller :parameters (?p - person ?old ?new - roller ?m - press)
    :precondition (and (roller-in ?old ?m) (carries ?p ?new) (not (running ?m)))
    :effect (and (roller-in ?new ?m) (carries ?p ?old) (not (roller-in ?old ?m)) (not (carries ?p ?new))))
  (:action store :parameters (?p - person ?t - thing ?s - safe)
    :precondition (and (door-open ?s) (carries ?p ?t))
    :effect (and (inside ?t ?s) (not (carries ?p ?t))))
  (:action open-safe :parameters (?s - safe) :precondition (not (locked ?s)) :effect (door-open ?s))
  (:action close-safe :parameters (?s - safe) :precondition (door-open ?s) :effect (not (door-open ?s)))
  (:action unlock :parameters (?s - safe) :precondition (locked ?s) :effect (not (locked ?s)))
  (:action start :parameters (?m - press) :effect (running ?m))
  (:action stop :parameters (?m - press) :precondition (running ?m) :effect (not (running ?m))))
"""
PROBLEM = """
(define (problem p) (:domain print-shop)
  (:objects hall cellar - room ada ben - person gray-roller black-roller - roller map-plate - plate
            long-cart - cart old-press new-press - press steel-safe - safe)
  (:init (in-room ada hall) (in-room ben hall) (roller-in gray-roller old-press)
         (carries ada black-roller) (on-cart map-plate long-cart) (stands-in long-cart hall)
         (locked steel-safe) (running new-press) (looks-after ada old-press)
         (looks-after ben new-press) (kept-in map-plate steel-safe))
  (:goal (running old-press)))
"""

memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("texts", "add", "end"),
    [
        (["Ben looks after the old press instead of Ada."],
         {"looks-after ben old-press"}, {"looks-after ada old-press"}),
        (["Ada looks after the new press from now on, Ben doesn't any more."],
         {"looks-after ada new-press"}, {"looks-after ben new-press"}),
        (["Ada pulled the gray roller out of the old press, put the black roller in and kept the gray one."],
         {"carries ada gray-roller", "roller-in black-roller old-press"},
         {"roller-in gray-roller old-press", "carries ada black-roller"}),
        (["Ben went to the cellar and took the long cart along."],
         {"in-room ben cellar", "stands-in long-cart cellar"},
         {"in-room ben hall", "stands-in long-cart hall"}),
        (["Ben is waiting in the cellar."], {"in-room ben cellar"}, {"in-room ben hall"}),
        (["Ben left the hall, they're over in the cellar."], {"in-room ben cellar"}, {"in-room ben hall"}),
        (["The long cart has moved, you'll find it in the cellar now."],
         {"stands-in long-cart cellar"}, {"stands-in long-cart hall"}),
        (["Ada has put the black roller on the long cart, her hands are free again."],
         {"on-cart black-roller long-cart"}, {"carries ada black-roller"}),
        (["The new press is finished; Ben has switched it off."], set(), {"running new-press"}),
        (["If anyone is looking for Ben, he has gone to the cellar."],
         {"in-room ben cellar"}, {"in-room ben hall"}),
        (["The mechanic was here: the new press is not running any more."], set(), {"running new-press"}),
    ],
)  # fmt: skip
def test_what_is_so_instead_and_what_says_no_more_is_read(
    memory: Memory, texts: list[str], add: set[str], end: set[str]
) -> None:
    assert changed(memory, *texts) == (add, end)


def test_who_exchanges_one_thing_may_carry_others(memory: Memory) -> None:
    got = changed(
        memory, "Ada has pulled the gray roller out of the old press and she is carrying it."
    )
    assert got == ({"carries ada gray-roller"}, {"roller-in gray-roller old-press"})


@pytest.mark.parametrize(
    ("task", "goal"),
    [
        ("Put the map plate back where it's kept.", "(inside map-plate steel-safe)"),
        ("The supplier wants to count the stock; please have the steel safe open.", "(door-open steel-safe)"),
        ("Ben, take the map plate to the hall and put it down there.", "(lies-in map-plate hall)"),
    ],
)  # fmt: skip
def test_what_is_asked_for_is_read(memory: Memory, task: str, goal: str) -> None:
    wanted = memory.wanted(task)
    assert wanted.goal is not None, wanted.question
    assert to_pddl(wanted.goal) == goal


def test_what_is_to_be_brought_nowhere_known_is_asked_about(memory: Memory) -> None:
    assert memory.wanted("Bring the map plate over and start the old press.").goal is None
