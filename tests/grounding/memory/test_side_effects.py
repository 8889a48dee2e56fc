"""Of equally long plans the one that leaves more as it was."""

from __future__ import annotations

from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.planning.tasks import plan_task
from tests.grounding.memory.worlds import memory_of

DOMAIN = """(define (domain paddock)
  (:requirements :typing :negative-preconditions)
  (:types field lamp robot pony - object)
  (:predicates (joined ?a ?b - field) (robot_in ?r - robot ?f - field) (pony_in ?p - pony ?f - field)
    (hung_in ?l - lamp ?f - field) (lit ?l - lamp))
  (:action guide :parameters (?r - robot ?p - pony ?from ?to - field)
    :precondition (and (robot_in ?r ?from) (pony_in ?p ?from) (joined ?from ?to))
    :effect (and (robot_in ?r ?to) (pony_in ?p ?to) (not (robot_in ?r ?from)) (not (pony_in ?p ?from))))
  (:action walk :parameters (?r - robot ?from ?to - field)
    :precondition (and (robot_in ?r ?from) (joined ?from ?to))
    :effect (and (robot_in ?r ?to) (not (robot_in ?r ?from))))
  (:action light :parameters (?r - robot ?l - lamp ?f - field)
    :precondition (and (robot_in ?r ?f) (hung_in ?l ?f)) :effect (lit ?l)))"""
PROBLEM = """(define (problem now) (:domain paddock)
  (:objects north south - field lantern - lamp tess - robot dapple - pony)
  (:init (joined north south) (joined south north) (robot_in tess north) (pony_in dapple north)
    (hung_in lantern south))
  (:goal (lit lantern)))"""


memory = memory_of(DOMAIN, PROBLEM)


def test_who_has_to_go_somewhere_takes_nobody_along(memory: Memory) -> None:
    plan = plan_task(memory, "Light the lantern.")
    assert plan.steps == ("(walk tess north south)", "(light tess lantern south)")


def test_what_is_asked_for_is_taken_along(memory: Memory) -> None:
    plan = plan_task(memory, "Light the lantern and guide Dapple to the south.")
    assert "(guide tess dapple north south)" in plan.steps
