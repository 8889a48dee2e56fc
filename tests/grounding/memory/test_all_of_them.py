"""A task about all of a kind, some of which are already so: on a pier with kiosks and their blinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.planning.pddl import to_pddl

DOMAIN = """
(define (domain pier)
  (:requirements :strips :typing :negative-preconditions)
  (:types robot blind kiosk - object)
  (:predicates
    (robot-at ?r - robot ?k - kiosk)
    (fixed-to ?b - blind ?k - kiosk)
    (wound-out ?b - blind)
    (current-on ?k - kiosk)
    (dusted ?k - kiosk))
  (:action go :parameters (?r - robot ?a ?b - kiosk) :precondition (robot-at ?r ?a)
    :effect (and (robot-at ?r ?b) (not (robot-at ?r ?a))))
  (:action wind-out :parameters (?b - blind ?k - kiosk)
    :precondition (and (fixed-to ?b ?k) (not (wound-out ?b))) :effect (wound-out ?b))
  (:action wind-in :parameters (?b - blind) :precondition (wound-out ?b)
    :effect (not (wound-out ?b)))
  (:action dust :parameters (?k - kiosk) :precondition (not (dusted ?k)) :effect (dusted ?k))
  (:action switch-current-on :parameters (?k - kiosk) :precondition (not (current-on ?k))
    :effect (current-on ?k))
  (:action switch-current-off :parameters (?k - kiosk) :precondition (current-on ?k)
    :effect (not (current-on ?k))))
"""
PROBLEM = """
(define (problem p) (:domain pier)
  (:objects rowan - robot b1 b2 b3 - blind k1 k2 k3 - kiosk)
  (:init (robot-at rowan k1) (fixed-to b1 k1) (fixed-to b2 k2) (fixed-to b3 k3)
         (wound-out b2) (current-on k1))
  (:goal (dusted k1)))
"""


@pytest.mark.parametrize(
    ("text", "goals"),
    [
        ("Wind in blind 2.", {"(not (wound-out b2))"}),
        ("Dust all the kiosks.", {"(and (dusted k1) (dusted k2) (dusted k3))"}),
        # never one way for those that are so, and the other way for those that are not
        ("Wind in all the blinds.",
         {"", "(and (not (wound-out b1)) (not (wound-out b2)) (not (wound-out b3)))"}),
        ("Switch the current on at all the kiosks.",
         {"", "(and (current-on k1) (current-on k2) (current-on k3))"}),
        ("Switch on the current at all kiosks except kiosk 2.",
         {"", "(and (current-on k1) (current-on k3))"}),
    ],
)  # fmt: skip
def test_all_of_them_are_to_be_the_same(tmp_path: Path, text: str, goals: set[str]) -> None:
    (tmp_path / "domain.pddl").write_text(DOMAIN, encoding="utf-8")
    (tmp_path / "problem.pddl").write_text(PROBLEM, encoding="utf-8")
    path = tmp_path / "memory.db"
    create_memory(path, tmp_path / "domain.pddl", tmp_path / "problem.pddl").close()
    with open_memory(path) as memory:
        wanted = memory.wanted(text)
        assert (to_pddl(wanted.goal) if wanted.goal is not None else "") in goals
        assert wanted.goal is not None or wanted.question
