"""What predicates mean in domains that nobody wrote a file of meanings for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonground.config import read_yaml
from commonground.grounding.knowledge import Fact, Vocabulary
from commonground.grounding.memory.evaluation.replay import Episode, replay_episode
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.derivation import Derivation
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.opening import create_memory, meanings_of, open_memory

DOMAINS = Path(__file__).parent / "domains"
NAMES = ("home", "workshop", "ward")
SAID = read_yaml(DOMAINS / "said.yaml")[0]


def made(name: str, folder: Path) -> Path:
    path = folder / "memory.db"
    create_memory(path, DOMAINS / f"{name}.pddl", DOMAINS / f"{name}.jsonl").close()
    return path


def fact(text: str) -> Fact:
    return Fact(*text.split())


@pytest.mark.parametrize(("name", "report", "wanted"), SAID["reports"])
def test_reports_in_domains_without_meanings(
    name: str, report: str, wanted: list[str], tmp_path: Path
) -> None:
    with open_memory(made(name, tmp_path)) as memory:
        told = memory.tell(report)
        assert {*map(fact, wanted)} <= {*told.asserted}, told.question
        assert {*told.added} <= {*map(fact, wanted)}


@pytest.mark.parametrize(("name", "task", "goal"), SAID["tasks"])
def test_tasks_in_domains_without_meanings(name: str, task: str, goal: str, tmp_path: Path) -> None:
    from commonground.grounding.memory.planning.execution import carry_out
    from commonground.grounding.memory.planning.planner import TaskPlanner
    from commonground.planning.downward import shared_planner

    with open_memory(made(name, tmp_path)) as memory:
        wanted = memory.wanted(task)
        assert wanted.goal is not None, wanted.question
        planner = TaskPlanner(memory.store, shared_planner())
        plan = planner.plan(wanted.goal)
        assert plan.status == "ok", plan.reason
        assert not carry_out(planner, plan, "robot").reason
        assert fact(goal) in memory.store.facts


def test_a_domain_is_read_for_what_a_person_wrote_of_it(house: Path) -> None:
    known = meanings_of(house / "house.pddl")
    derivation = Derivation(Roles(known.vocabulary))
    for name in known.relations:
        by_hand, found = known.file.relations[name], derivation.meaning(name)
        assert (found.means, found.inverted) == (by_hand.means, by_hand.inverted), name


@pytest.mark.parametrize("name", NAMES)
def test_what_is_explained_is_a_file_of_meanings(name: str, tmp_path: Path) -> None:
    known = meanings_of(DOMAINS / f"{name}.pddl")
    (tmp_path / "m.yaml").write_text("\n".join(known.explained()) + "\n")
    again = meanings_of(DOMAINS / f"{name}.pddl", tmp_path / "m.yaml")
    assert again.relations == known.relations
    assert {again.because(relation) for relation in again.relations} == {"the file of meanings"}


@pytest.mark.parametrize("domain", sorted(DOMAINS.glob("*.pddl")), ids=lambda path: path.stem)
def test_the_reader_of_english_and_that_of_the_domain_are_told_the_same(domain: Path) -> None:
    known = Meanings.load(Vocabulary.parse(domain.read_text()))
    roles = Roles(known.vocabulary)
    someone = roles.robots | roles.people
    assert (known.robot_types, known.person_types) == (roles.robots, roles.people)
    assert known.room_types == roles.zones
    for relation in roles.binary:
        means, seat = known.relations[relation].means, Seat(relation, 0)
        subjects, objects = roles.signatures[relation].arguments
        if seat in roles.holding:
            assert means == "holding", relation
        elif means == "holding":
            assert seat in roles.positions and all(roles.is_a(t, someone) for t in objects), (
                relation
            )
        elif means == "place":
            assert seat in roles.positions, relation
            assert not all(roles.is_a(t, someone) for t in subjects), relation
        elif means == "whereabouts":
            assert seat in roles.whereabouts and any(roles.fits(t, relation, 0) for t in someone), (
                relation
            )
        elif means in ("inside", "inside_of"):
            assert Seat(relation, int(means == "inside_of")) in roles.whereabouts, relation


def test_shelves_do_not_hold_things_as_people_do() -> None:
    known = Meanings.load(Vocabulary.parse((DOMAINS / "clinic.pddl").read_text()))
    means = {name: meaning.means for name, meaning in known.relations.items()}
    assert (means["in"], means["on"], means["holding"]) == ("place", "place", "derived")
    assert "robot" in known.robot_types and "table" not in known.person_types


def test_names_do_not_decide_what_actions_tell() -> None:
    domain = """
    (define (domain d) (:requirements :typing) (:types zone mover thing spot tint - object)
      (:predicates (p ?m - mover ?z - zone) (q ?t - thing ?s - spot) (r ?t - thing ?m - mover)
        (s ?s - spot ?z - zone) (u ?t - thing ?c - tint) (v ?t ?w - thing) (w ?z - zone ?s - spot))
      (:action a :parameters (?m - mover ?x ?y - zone) :precondition (p ?m ?x)
        :effect (and (not (p ?m ?x)) (p ?m ?y)))
      (:action b :parameters (?m - mover ?t - thing ?s - spot ?z - zone)
        :precondition (and (p ?m ?z) (s ?s ?z) (q ?t ?s)) :effect (and (not (q ?t ?s)) (r ?t ?m)))
      (:action c :parameters (?m - mover ?t - thing ?s - spot ?z - zone)
        :precondition (and (p ?m ?z) (s ?s ?z) (r ?t ?m)) :effect (and (q ?t ?s) (not (r ?t ?m)))))
    """
    means = {n: m.means for n, m in Meanings.load(Vocabulary.parse(domain)).relations.items()}
    assert means == {
        "p": "whereabouts",
        "q": "place",
        "r": "holding",
        "s": "inside",
        "u": "attribute",
        "v": "derived",
        "w": "inside_of",
    }


@pytest.mark.parametrize(("means", "added"), [("place", 1), ("derived", 0)])
def test_episodes_are_lived_through_with_given_meanings(
    means: str, added: int, tmp_path: Path
) -> None:
    world = (DOMAINS / "workshop.jsonl").read_text()
    report = {"id": "1", "kind": "update", "text": "Cleo put the hammer into the scrap bin."}
    (tmp_path / "episode.jsonl").write_text(f"{world}{json.dumps(report)}\n")
    lines = meanings_of(DOMAINS / "workshop.pddl").explained()
    kept = [f"  stored_inside: {{means: {means}}}" if "stored_inside" in n else n for n in lines]
    (tmp_path / "m.yaml").write_text("\n".join(kept))
    episode = Episode(tmp_path / "episode.jsonl", DOMAINS / "workshop.pddl")
    (lived,) = replay_episode(episode, meanings=tmp_path / "m.yaml")
    assert sum("stored_inside" in fact for fact in lived["add"]) == added
