"""What relations are called, clauses beside what is told or wanted, and what corrects nothing, at a ferry."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from commonground.planning.pddl.logic import conjuncts
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions)
  (:types place thing trip - object
          agent rack gear engine boat - thing
          person - agent)
  (:predicates
    (at ?a - agent ?p - place) (stands ?b - boat ?p - place) (lies-on ?g - gear ?r - rack)
    (rack-in ?r - rack ?p - place) (holds ?a - agent ?g - gear) (lent-to ?g - gear ?a - person)
    (kept-in ?g - gear ?p - place) (in-charge-of ?a - person ?p - place)
    (booked-on ?a - person ?t - trip) (looks-after ?a - person ?t - trip)
    (running ?e - engine) (broken ?e - engine) (out-of-order ?e - engine)
    (fuelled ?b - boat) (chocked ?b - boat))
  (:action go :parameters (?a - agent ?x ?y - place)
    :precondition (at ?a ?x) :effect (and (at ?a ?y) (not (at ?a ?x))))
  (:action take :parameters (?a - agent ?g - gear ?r - rack ?p - place)
    :precondition (and (at ?a ?p) (rack-in ?r ?p) (lies-on ?g ?r))
    :effect (and (holds ?a ?g) (not (lies-on ?g ?r))))
  (:action put :parameters (?a - agent ?g - gear ?r - rack ?p - place)
    :precondition (and (at ?a ?p) (rack-in ?r ?p) (holds ?a ?g))
    :effect (and (lies-on ?g ?r) (not (holds ?a ?g))))
  (:action lend :parameters (?a - agent ?g - gear ?b - person)
    :precondition (holds ?a ?g) :effect (and (lent-to ?g ?b) (not (holds ?a ?g))))
  (:action start-engine :parameters (?a - agent ?e - engine) :effect (running ?e))
  (:action stop-engine :parameters (?a - agent ?e - engine) :effect (not (running ?e)))
  (:action place-chocks :parameters (?a - agent ?b - boat) :effect (chocked ?b)))"""
PROBLEM = """(define (problem now) (:domain ferry)
  (:objects shed pier office - place ida otto lea - person rail shelf - rack
    pliers scissors lantern - gear winch heater - engine swift - boat night_trip day_trip - trip)
  (:init (at ida shed) (at otto pier) (at lea office) (rack-in rail pier) (rack-in shelf shed)
    (lies-on pliers rail) (lies-on scissors shelf) (holds otto lantern) (kept-in lantern shed)
    (kept-in pliers shed) (in-charge-of ida shed) (in-charge-of otto pier) (booked-on lea day_trip)
    (booked-on otto day_trip) (stands swift pier) (running winch) (chocked swift))
  (:goal (and)))"""

ferry = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("reports", "begun", "over"),
    [
        (["Ida booked Lea on the night trip too."], "booked-on lea night_trip", ""),
        (["Otto looks after the day trip."], "looks-after otto day_trip", ""),
        (["The pliers aren't there any more."], "", "lies-on pliers rail"),
        (["The heater is out of order."], "out-of-order heater", ""),
        (["The heater has burnt out."], "broken heater", ""),
        (["Swift has all its fuel."], "fuelled swift", ""),
        (["Ida pulled the chocks away from Swift."], "", "chocked swift"),
        (["Lea borrowed the scissors."], "lent-to scissors lea", "lies-on scissors shelf"),
        (["The heater is broken, people are coming through the door."], "broken heater", ""),
        (["Swift has got its fuel, would you believe it."], "fuelled swift", ""),
        (["The winch is broken if you need it."], "broken winch", ""),
        (["The heater is broken and humming."], "", ""),
        (["Ida flurbed the winch.", "No, I meant Ida stopped the winch."], "", "running winch"),
        (["The heater is broken.", "Well, it is running now."], "broken heater, running heater", ""),
        (["The heater is broken.", "I read that out wrong, the winch is."], "broken winch", ""),
    ],
)  # fmt: skip
def test_reports(ferry: Memory, reports: list[str], begun: str, over: str) -> None:
    assert changed(ferry, *reports) == ({*filter(None, begun.split(", "))}, {*filter(None, [over])})


def test_somebody_may_be_in_charge_of_two_places_and_still_be_in_one(ferry: Memory) -> None:
    groups = ferry.store.groups
    assert [group for group, _ in groups.of("in-charge-of")] == []
    assert changed(ferry, "Ida went to the pier.") == ({"at ida pier"}, {"at ida shed"})


@pytest.mark.parametrize(
    ("task", "goal"),
    [
        ("Can you start the heater, Lea? The first guests are due in ten minutes.", "(running heater)"),
        ("Lea, would you mind starting the heater?", "(running heater)"),
        ("The heater should be running. Otto, can you see to that?", "(running heater)"),
        ("Once Swift has left, will one of you stop the winch?", "(not (running winch))"),
        ("Please stop the winch before five o'clock.", "(not (running winch))"),
        ("Otto, put the lantern on the shelf and leave it there.", "(lies-on lantern shelf)"),
    ],
)  # fmt: skip
def test_tasks(ferry: Memory, task: str, goal: str) -> None:
    wanted = ferry.wanted(task)
    assert wanted.goal is not None, wanted.question
    assert [*map(to_pddl, conjuncts(wanted.goal))] == [goal]
