from __future__ import annotations

from pathlib import Path

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge import Fact, FactIndex, Groups, Vocabulary, load_world
from commonground.grounding.knowledge.index import Draft
from commonground.grounding.knowledge.invariants import find_invariants
from commonground.planning.pddl import PddlError, parse_domain

from .conftest import DOMAIN, FACTS


def parts(domain: str) -> set[tuple[tuple[str, tuple[int, ...]], ...]]:
    found = find_invariants(parse_domain(domain))
    return {tuple(sorted((p.predicate, p.order) for p in i.parts)) for i in found}


def test_the_invariants_of_a_domain_are_found_by_balancing_actions() -> None:
    assert parts(DOMAIN) == {
        (("bot_in", (0,)),),
        (("has_juice", (0,)), ("void", (0,))),
        (("carried", (1,)), ("idle", (0,))),
        (("carried", (0,)), ("on_top", (0,)), ("put_in", (0,))),
        (
            ("carried", (0,)),
            ("on_top", (0,)),
        ),  # nothing is taken out of a box, so these two suffice
    }


@pytest.mark.parametrize(
    "action",
    [
        ":precondition (at ?x ?a) :effect (at ?x ?b)",  # nothing is deleted
        ":precondition (and) :effect (and (at ?x ?b) (not (at ?x ?a)))",  # what is deleted need not hold
        ":precondition (at ?x ?a) :effect (and (not (at ?x ?a)) (at ?x ?b) (at ?x ?c))",  # two for one
        ":precondition (at ?y ?a) :effect (and (not (at ?y ?a)) (at ?x ?b))",  # another thing's place
    ],
)
def test_what_an_action_can_break_is_no_invariant(action: str) -> None:
    domain = f"""(define (domain d) (:predicates (at ?x ?p))
      (:action a :parameters (?x ?y ?a ?b ?c) {action}))"""
    assert (("at", (0,)),) not in parts(domain)


def test_two_things_changed_at_once_keep_their_invariant() -> None:
    domain = """(define (domain d) (:predicates (at ?x ?p))
      (:action swap :parameters (?x ?y ?a ?b)
        :precondition (and (at ?x ?a) (at ?y ?b) (not (= ?x ?y)))
        :effect (and (not (at ?x ?a)) (not (at ?y ?b)) (at ?x ?b) (at ?y ?a))))"""
    assert (("at", (0,)),) in parts(domain)


def test_places_that_nothing_is_taken_from_are_counted_with_the_others() -> None:
    domain = """(define (domain d) (:requirements :strips :typing) (:types x p - object)
      (:predicates (on ?x - x ?p - p) (given ?x - x ?p - p) (binned ?x - x ?p - p) (held ?x - x ?p - p))
      (:action a :parameters (?x - x ?p - p ?q - p) :precondition (on ?x ?q)
        :effect (and (not (on ?x ?q)) (held ?x ?p)))
      (:action b :parameters (?x - x ?p - p ?q - p) :precondition (held ?x ?q)
        :effect (and (not (held ?x ?q)) (on ?x ?p)))
      (:action c :parameters (?x - x ?p - p ?q - p) :precondition (held ?x ?q)
        :effect (and (not (held ?x ?q)) (given ?x ?p)))
      (:action e :parameters (?x - x ?p - p ?q - p) :precondition (held ?x ?q)
        :effect (and (not (held ?x ?q)) (binned ?x ?p))))"""
    groups = Groups.derive(Vocabulary.parse(domain), [Fact("mug", "on", "desk")])
    assert {"on", "held", "given", "binned"} in [group.relations for group in groups.all]
    draft = Draft(FactIndex([Fact("mug", "binned", "can")]))
    assert groups.add(draft, Fact("mug", "given", "eva")) == [Fact("mug", "binned", "can")]


def test_what_a_property_does_not_take_does_not_get_it_again() -> None:
    domain = """(define (domain d) (:requirements :strips :typing)
      (:types parcel cell - thing courier - object)
      (:predicates (waits ?p - parcel) (carries ?c - courier ?x - thing) (shelved ?x - thing ?c - courier))
      (:action claim :parameters (?p - parcel ?c - courier) :precondition (waits ?p)
        :effect (and (not (waits ?p)) (carries ?c ?p)))
      (:action shelve :parameters (?x - thing ?c - courier) :precondition (carries ?c ?x)
        :effect (and (not (carries ?c ?x)) (shelved ?x ?c)))
      (:action fetch :parameters (?x - thing ?c - courier) :precondition (shelved ?x ?c)
        :effect (and (not (shelved ?x ?c)) (carries ?c ?x)))
      (:action post :parameters (?p - parcel ?c - courier) :precondition (carries ?c ?p)
        :effect (and (not (carries ?c ?p)) (waits ?p))))"""
    vocabulary, kinds = Vocabulary.parse(domain), {"box": "parcel", "aa": "cell", "ann": "courier"}
    facts = [Fact("ann", "carries", "box"), Fact("aa", "shelved", "ann")]
    derived = Groups.derive(vocabulary, facts)
    groups = Groups(derived.all, kinds, vocabulary)
    draft = Draft(FactIndex(facts))
    for fact in facts:
        groups.remove(draft, fact)
    assert Fact("box", "waits", "true") in draft
    assert Fact("aa", "waits", "true") not in draft


def test_groups_that_the_facts_break_are_left_out() -> None:
    vocabulary = Vocabulary.parse(DOMAIN)
    doubled = [*FACTS, Fact("pen", "put_in", "crate"), Fact("eva", "human_in", "kitchen")]
    relations = [sorted(group.relations) for group in Groups.derive(vocabulary, doubled).all]
    assert ["carried", "on_top", "put_in"] not in relations and ["human_in"] not in relations
    sound = Groups.derive(vocabulary, FACTS)
    assert {g.origin for g in sound.all if g.relations == {"human_in"}} == {"observed"}
    assert not [g for g in sound.all if g.relations == {"likes"}]
    assert Groups.from_json(sound.to_json(), {}).all == sound.all


def test_a_draft_leaves_what_is_below_it_alone() -> None:
    groups = Groups.derive(Vocabulary.parse(DOMAIN), FACTS)
    index = FactIndex(FACTS)
    draft = Draft(index)
    assert set(groups.add(draft, Fact("pen", "carried", "rob"))) == {
        Fact("pen", "on_top", "desk"), Fact("rob", "idle", "true")
    }  # fmt: skip
    assert Fact("pen", "on_top", "desk") not in draft and set(index) == set(FACTS)
    assert draft.subjects("carried", "rob") == {"pen"}


def test_worlds_are_read_in_both_forms_and_mistakes_have_a_line(tmp_path: Path) -> None:
    vocabulary = Vocabulary.parse(DOMAIN)
    file = tmp_path / "world.jsonl"
    file.write_text(
        '{"objects": {"desk": "table", "eva": "human"},'
        ' "people": {"eva": {"name": "Eva", "pronoun": "she"}}}\n'
        '{"id": "pen", "type": "thing", "name": "red pen"}\n\n["pen", "on_top", "desk"]\n'
        '{"subject": "eva", "relation": "likes", "object": "pen"}\n{"kind": "update", "text": "left out"}\n'
    )
    world = load_world(file, vocabulary)
    assert (
        world.things["eva"].traits == {"pronoun": "she"} and world.things["pen"].name == "red pen"
    )
    assert world.facts == [Fact("pen", "on_top", "desk"), Fact("eva", "likes", "pen")]
    for line, message in (
        ('["pen", "on_top", "eva"]', r"world.jsonl:8: .*'eva' is a human"),
        ('["pen", "on_top"]', r"world.jsonl:8: 'object'"),
        ("{not json", r"world.jsonl:8: not valid JSON"),
        ('{"id": "x", "type": "ghost"}', r"'x' has the unknown type 'ghost'"),
    ):
        broken = tmp_path / "broken" / "world.jsonl"
        broken.parent.mkdir(exist_ok=True)
        broken.write_text(file.read_text() + "\n" + line + "\n")
        with pytest.raises(GroundingError, match=message):
            load_world(broken, vocabulary)


def test_the_same_mistake_is_told_of_each_file_that_makes_it() -> None:
    for file in ("here.pddl", "there.pddl"):
        with pytest.raises(PddlError, match=file):
            Vocabulary.parse(DOMAIN.replace(":effect", ":efect", 1), file)
    assert Vocabulary.parse(DOMAIN, "here.pddl") is Vocabulary.parse(DOMAIN, "there.pddl")


def test_a_thing_in_three_places_is_one_mistake() -> None:
    facts = [
        Fact("cup", "on_top", "desk"),
        Fact("cup", "on_top", "rack"),
        Fact("cup", "put_in", "box"),
    ]
    told = Groups.broken(Vocabulary(parse_domain(DOMAIN)), facts)
    assert {fact for pair in told for fact in pair} == set(facts)
