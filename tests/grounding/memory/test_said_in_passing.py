"""What reports leave out, hint at or say with any verb, in a domain of a ferry that nobody described."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.memory import Memory
from commonground.planning.pddl import to_pddl
from commonground.planning.pddl.logic import conjuncts
from tests.grounding.memory.worlds import changed, memory_of

DOMAIN = """
(define (domain ferry)
  (:requirements :strips :typing :negative-preconditions)
  (:types deck crew cargo hatch - object)
  (:predicates
    (crew-on ?c - crew ?d - deck)
    (lies-on ?g - cargo ?d - deck)
    (carrying ?c - crew ?g - cargo)
    (hatch-on ?h - hatch ?d - deck)
    (shut ?h - hatch)
    (wet ?g - cargo)
    (belongs-to ?g - cargo ?c - crew)
    (watches ?c - crew ?h - hatch))
  (:action walk :parameters (?c - crew ?a ?b - deck) :precondition (crew-on ?c ?a)
    :effect (and (crew-on ?c ?b) (not (crew-on ?c ?a))))
  (:action lift :parameters (?c - crew ?g - cargo ?d - deck)
    :precondition (and (crew-on ?c ?d) (lies-on ?g ?d))
    :effect (and (carrying ?c ?g) (not (lies-on ?g ?d))))
  (:action lower :parameters (?c - crew ?g - cargo ?d - deck)
    :precondition (and (crew-on ?c ?d) (carrying ?c ?g))
    :effect (and (lies-on ?g ?d) (not (carrying ?c ?g))))
  (:action shut :parameters (?c - crew ?h - hatch ?d - deck)
    :precondition (and (crew-on ?c ?d) (hatch-on ?h ?d)) :effect (shut ?h))
  (:action open :parameters (?c - crew ?h - hatch ?d - deck)
    :precondition (and (crew-on ?c ?d) (hatch-on ?h ?d) (shut ?h)) :effect (not (shut ?h))))
"""
PROBLEM = """
(define (problem p) (:domain ferry)
  (:objects car-deck sun-deck bridge - deck
            edda finn gert - crew            ; two mates, the purser
            mail-sack ice-chest tool-bag - cargo
            ht1 ht2 - hatch                  ; trapdoors
  )
  (:init (crew-on edda car-deck) (crew-on finn sun-deck) (crew-on gert bridge)
         (lies-on mail-sack car-deck) (lies-on ice-chest sun-deck) (carrying gert tool-bag)
         (hatch-on ht1 car-deck) (hatch-on ht2 sun-deck) (shut ht2)
         (belongs-to tool-bag gert) (belongs-to mail-sack edda) (belongs-to ice-chest finn)
         (watches edda ht1) (watches finn ht2))
  (:goal (and (crew-on edda bridge))))
"""


memory = memory_of(DOMAIN, PROBLEM)


@pytest.mark.parametrize(
    ("texts", "add", "end"),
    [
        (["Edda clambered to the bridge."], {"crew-on edda bridge"}, {"crew-on edda car-deck"}),
        (["Edda lifted the mail sack.", "Lugged it to the sun deck."],
         {"carrying edda mail-sack", "crew-on edda sun-deck"},
         {"lies-on mail-sack car-deck", "crew-on edda car-deck"}),
        (["Edda is on the bridge, not on the sun deck."], {"crew-on edda bridge"}, {"crew-on edda car-deck"}),
        (["Edda and Finn strolled to the bridge.", "They are both on the sun deck now."],
         {"crew-on edda sun-deck"}, {"crew-on edda car-deck"}),
        (["The purser has gone to the car deck."], {"crew-on gert car-deck"}, {"crew-on gert bridge"}),
        (["Edda has shut trapdoor 1."], {"shut ht1"}, set()),
        (["Finn no longer watches trapdoor 2."], set(), {"watches finn ht2"}),
        (["Gert has sold his tool bag to Finn."], {"belongs-to tool-bag finn"}, {"belongs-to tool-bag gert"}),
        (["Gert took over trapdoor 2 from Finn."], {"watches gert ht2"}, {"watches finn ht2"}),
        (["The ice chest is in Finn's hands."], {"carrying finn ice-chest"}, {"lies-on ice-chest sun-deck"}),
        (["Finn is somewhere odd and blorps the fnord.", "He lifted the ice chest."],
         {"carrying finn ice-chest"}, {"lies-on ice-chest sun-deck"}),
        (["Gert went to the sun deck, where he lowered the tool bag."],
         {"crew-on gert sun-deck", "lies-on tool-bag sun-deck"},
         {"crew-on gert bridge", "carrying gert tool-bag"}),
        (["Edda went to the sun deck.", "Edda lifted the only cargo there."],
         {"crew-on edda sun-deck", "carrying edda ice-chest"},
         {"crew-on edda car-deck", "lies-on ice-chest sun-deck"}),
        (["Finn has got it blorping."], set(), set()),
        (["They are all wet."], set(), set()),
        (["Hand it to her."], set(), set()),
    ],
)  # fmt: skip
def test_reports_follow_from_what_is_believed_and_was_spoken_of(
    memory: Memory, texts: list[str], add: set[str], end: set[str]
) -> None:
    assert changed(memory, *texts) == (add, end)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("Open task: hatch 1 shut, Edda on the bridge.", {"(shut ht1)", "(crew-on edda bridge)"}),
        ("Job for Finn: mail sack on the sun deck.", {"(lies-on mail-sack sun-deck)"}),
        ("I want both trapdoors shut, and not open.", {"(shut ht1)", "(shut ht2)"}),
        ("Edda must have colour on back, and Finn should not be on the sun deck.", set()),
        ("The sack and the chest on the bridge, and not wet.",
         {"(lies-on mail-sack bridge)", "(lies-on ice-chest bridge)", "(not (wet mail-sack))",
          "(not (wet ice-chest))"}),
    ],
)  # fmt: skip
def test_tasks_ask_for_all_that_is_said_or_for_nothing(
    memory: Memory, text: str, goal: set[str]
) -> None:
    wanted = memory.wanted(text)
    assert {to_pddl(c) for c in (conjuncts(wanted.goal) if wanted.goal else ())} == goal
