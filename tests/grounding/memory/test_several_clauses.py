"""Reports of several clauses that leave out who acts, tell what is beside, or speak of what is no change."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from commonground.planning.pddl.logic import conjuncts
from tests.grounding.memory.worlds import held, memory_of

DOMAIN = """
(define (domain farmyard)
  (:requirements :strips :typing :negative-preconditions)
  (:types
    place enclosure animal thing person health - object
    stall shelf - enclosure
    goat pony - animal
    tonic tool - thing
    tractor - object
    hand boss - person)
  (:predicates
    (set_in ?e - enclosure ?p - place)
    (person_at ?w - person ?p - place)
    (parked_at ?t - tractor ?p - place)
    (housed_in ?a - animal ?s - stall)
    (led_by ?a - animal ?w - person)
    (kept_on ?i - thing ?s - shelf)
    (carried_by ?i - thing ?w - person)
    (closed ?s - stall)
    (swept ?s - stall)
    (health_is ?a - animal ?h - health)
    (assigned_to ?a - animal ?w - boss)
    (dosed_with ?a - animal ?m - tonic))
  (:action walk :parameters (?w - hand ?x ?y - place) :precondition (person_at ?w ?x)
    :effect (and (not (person_at ?w ?x)) (person_at ?w ?y)))
  (:action drive :parameters (?w - hand ?t - tractor ?x ?y - place)
    :precondition (and (person_at ?w ?x) (parked_at ?t ?x))
    :effect (and (not (person_at ?w ?x)) (not (parked_at ?t ?x)) (person_at ?w ?y) (parked_at ?t ?y)))
  (:action fetch :parameters (?w - hand ?p - place ?a - animal ?s - stall)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (housed_in ?a ?s) (not (closed ?s)))
    :effect (and (not (housed_in ?a ?s)) (led_by ?a ?w)))
  (:action house :parameters (?w - hand ?p - place ?a - animal ?s - stall)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (led_by ?a ?w) (not (closed ?s)))
    :effect (and (not (led_by ?a ?w)) (housed_in ?a ?s)))
  (:action take :parameters (?w - hand ?p - place ?i - thing ?s - shelf)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (kept_on ?i ?s))
    :effect (and (not (kept_on ?i ?s)) (carried_by ?i ?w)))
  (:action put :parameters (?w - hand ?p - place ?i - thing ?s - shelf)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (carried_by ?i ?w))
    :effect (and (not (carried_by ?i ?w)) (kept_on ?i ?s)))
  (:action close :parameters (?w - hand ?p - place ?s - stall)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (not (closed ?s))) :effect (closed ?s))
  (:action open :parameters (?w - hand ?p - place ?s - stall)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (closed ?s)) :effect (not (closed ?s)))
  (:action sweep :parameters (?w - hand ?p - place ?s - stall)
    :precondition (and (person_at ?w ?p) (set_in ?s ?p) (not (swept ?s))) :effect (swept ?s))
  (:action dose :parameters (?w - hand ?a - animal ?m - tonic)
    :precondition (and (carried_by ?m ?w) (not (dosed_with ?a ?m))) :effect (dosed_with ?a ?m))
  (:action judge :parameters (?w - hand ?a - animal ?old ?new - health)
    :precondition (and (led_by ?a ?w) (health_is ?a ?old))
    :effect (and (not (health_is ?a ?old)) (health_is ?a ?new))))
"""
PROBLEM = """
(define (problem morning) (:domain farmyard)
  (:objects barn orchard dairy - place stall_1 stall_2 - stall rack bench - shelf
    nanny billy - goat dapple - pony wormer - tonic broom halter - tool deere - tractor
    lame healthy - health greta omar - hand vera - boss)
  (:init (set_in stall_1 barn) (set_in stall_2 barn) (set_in rack dairy) (set_in bench barn)
    (person_at greta barn) (person_at omar orchard) (person_at vera dairy)
    (parked_at deere barn)
    (housed_in nanny stall_1) (housed_in billy stall_2) (led_by dapple omar)
    (kept_on wormer rack) (kept_on broom bench) (kept_on halter bench)
    (closed stall_1) (swept stall_1) (health_is nanny lame) (health_is billy healthy)
    (health_is dapple healthy) (assigned_to nanny vera))
  (:goal (and (swept stall_2))))
"""
memory = memory_of(DOMAIN, PROBLEM)


def said(memory: Memory, *reports: str) -> tuple[set[str], set[str]]:
    """Tell reports as ``who: what``; return what is so now that was not, and what is so no more."""
    before = held(memory)
    for report in reports:
        who, _, text = report.partition(": ")
        memory.tell(text, who or None)
    after = held(memory)
    return after - before, before - after


@pytest.mark.parametrize(
    ("text", "made"),
    [
        # who speaks did what leaves out who
        ("greta: fyi opened stall 1 and swept stall 2.", {"swept stall_2"}),
        ("omar: In the dairy. Dapple is with me.", {"person_at omar dairy"}),
        ("greta: Put the broom on the rack, opened stall 1.", {"kept_on broom rack"}),
        ("omar: Morning all, the broom is on the rack.", {"kept_on broom rack"}),
        # holding, though others than who acts may hold
        ("greta: Vera has Nanny now.", {"led_by nanny vera"}),
        ("greta: It's me who has Billy on a rope.", set()),
        ("omar: It's me who has Billy now.", {"led_by billy omar"}),
        ("greta: I'm holding Billy under my arm.", {"led_by billy greta"}),
        # who moves what is only moved by going along
        ("greta: I've taken the Deere to the orchard.",
         {"parked_at deere orchard", "person_at greta orchard"}),
        # what is beside tells a state of its own
        ("omar: Dapple is in stall 2 with the gate closed.", {"housed_in dapple stall_2", "closed stall_2"}),
        ("omar: I closed the gate of stall 2 on her.", {"closed stall_2"}),
        ("omar: Dapple lives in stall 2 now. He's in and the gate is closed.",
         {"housed_in dapple stall_2", "closed stall_2"}),
        # what will not happen, how something feels, what for, and a heading
        ("omar: The halter is on the rack, the broom won't fit there.", {"kept_on halter rack"}),
        ("omar: Billy is with me. Feels rather thin.", {"led_by billy omar"}),
        ("omar: The halter is on the rack, in case anybody needs one.", {"kept_on halter rack"}),
        ("omar: The halter is on the rack, where I like it.", {"kept_on halter rack"}),
        # values, and what somebody has had, in other words
        ("vera: Nanny counts as healthy from now on.", {"health_is nanny healthy"}),
        ("vera: Billy officially lame.", {"health_is billy lame"}),
        ("vera: Nanny has had her dose of the wormer.", {"dosed_with nanny wormer"}),
        ("vera: Nanny and Billy were given their wormer.",
         {"dosed_with nanny wormer", "dosed_with billy wormer"}),
        ("vera: Billy is on my list now.", {"assigned_to billy vera"}),
        # all that lies there, but for one
        ("omar: Everything on the bench, bar the broom, has gone onto the rack.", {"kept_on halter rack"}),
        ("omar: All the stuff from the bench except for the halter is on the rack now.",
         {"kept_on broom rack"}),
    ],
)  # fmt: skip
def test_what_is_told_beside_is_understood_too(memory: Memory, text: str, made: set[str]) -> None:
    assert said(memory, text)[0] == made


@pytest.mark.parametrize(
    "text",
    [
        "greta: We're out in the orchard.",  # and who else?
        "greta: Omar hung up the broom.",  # where it belongs is not said
        "greta: Put the broom on the rack.",  # may be an order
        "omar: Everything in the barn has gone onto the rack, the broom wouldn't fit.",
        "greta: Very quiet in the dairy.",
        "vera: Going to call her healthy tomorrow.",
    ],
)
def test_what_is_left_open_changes_nothing(memory: Memory, text: str) -> None:
    assert said(memory, text) == (set(), set())


def test_a_pronoun_speaks_of_its_own_text_and_of_what_may_be_driven(memory: Memory) -> None:
    assert said(memory, "greta: The Deere is in the barn, I drove her round to the orchard.")[
        0
    ] == {
        "parked_at deere orchard",
        "person_at greta orchard",
    }
    assert said(memory, "omar: Billy is lame.", "omar: Staying in the orchard with Billy.")[0] == {
        "health_is billy lame"
    }


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Dapple goes in stall 2, and with the gate closed, please.",
         {"(housed_in dapple stall_2)", "(closed stall_2)"}),
        ("Billy would be better off in stall 1, behind a closed gate.",
         {"(housed_in billy stall_1)", "(closed stall_1)"}),
        ("Put Nanny down as healthy.", {"(health_is nanny healthy)"}),
    ],
)  # fmt: skip
def test_tasks_ask_for_what_is_beside_too(memory: Memory, text: str, goal: set[str]) -> None:
    wanted = memory.wanted(text)
    assert {to_pddl(c) for c in (conjuncts(wanted.goal) if wanted.goal else ())} == goal
