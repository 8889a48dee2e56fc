"""A world of many things that are called alike: answers and plans are those of a small one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.index import Draft, FactIndex
from commonground.grounding.knowledge.stored import StoredFacts
from commonground.grounding.memory import ask, create_memory, open_memory, plan_task
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.noun_table import NounTable
from commonground.grounding.memory.planning.planner import TaskPlanner
from commonground.grounding.memory.planning.problem import speaks_of_all
from commonground.grounding.memory.planning.slicing import Slicer
from commonground.grounding.memory.planning.subgoals import Ahead, parts_of, some_of
from commonground.grounding.memory.readers.domain.lookalikes import Kindred
from commonground.planning.downward import shared_planner
from commonground.planning.pddl import Atom, parse_domain, parse_formula

DOMAIN = """
(define (domain lending) (:requirements :strips :typing :negative-preconditions :derived-predicates)
  (:types hall shelf locker tool clerk cart - object)
  (:predicates (stands_in ?s - (either shelf locker) ?h - hall) (lies_on ?t - tool ?s - shelf)
    (clerk_in ?c - clerk ?h - hall) (cart_in ?a - cart ?h - hall) (held_by ?t - tool ?a - cart)
    (free_arm ?a - cart) (locker_open ?l - locker) (charged ?t - tool) (at_hand ?t - tool))
  (:derived (at_hand ?t - tool) (exists (?s - shelf) (lies_on ?t ?s)))
  (:action go :parameters (?a - cart ?from ?to - hall)
    :precondition (cart_in ?a ?from) :effect (and (not (cart_in ?a ?from)) (cart_in ?a ?to)))
  (:action close :parameters (?a - cart ?h - hall ?l - locker)
    :precondition (and (cart_in ?a ?h) (stands_in ?l ?h) (locker_open ?l)) :effect (not (locker_open ?l)))
  (:action open :parameters (?a - cart ?h - hall ?l - locker)
    :precondition (and (cart_in ?a ?h) (stands_in ?l ?h) (not (locker_open ?l))) :effect (locker_open ?l))
  (:action charge :parameters (?a - cart ?t - tool)
    :precondition (held_by ?t ?a) :effect (charged ?t))
  (:action take :parameters (?a - cart ?h - hall ?t - tool ?s - shelf)
    :precondition (and (cart_in ?a ?h) (stands_in ?s ?h) (lies_on ?t ?s) (free_arm ?a))
    :effect (and (not (lies_on ?t ?s)) (not (free_arm ?a)) (held_by ?t ?a)))
  (:action put :parameters (?a - cart ?h - hall ?t - tool ?s - shelf)
    :precondition (and (cart_in ?a ?h) (stands_in ?s ?h) (held_by ?t ?a))
    :effect (and (lies_on ?t ?s) (free_arm ?a) (not (held_by ?t ?a)))))
"""
SHELVES, TOOLS = 60, 240


def lending() -> dict[str, object]:
    objects = {"cart_1": "cart", "ines": "clerk", "old_hall": "hall", "new_hall": "hall"}
    names = {"ines": "Ines"}
    facts: list[list[object]] = [["cart_1", "cart_in", "old_hall"], ["cart_1", "free_arm", True]]
    facts.append(["ines", "clerk_in", "new_hall"])
    for n in range(SHELVES):
        hall = "old_hall" if n % 2 else "new_hall"
        objects |= {f"shelf_{n}": "shelf", f"locker_{n}": "locker"}
        facts += [[f"shelf_{n}", "stands_in", hall], [f"locker_{n}", "stands_in", hall]]
        facts.append([f"locker_{n}", "locker_open", n % 3 != 0])
    for n in range(TOOLS):
        objects[f"tool_{n}"], names[f"tool_{n}"] = (
            "tool",
            f"{'long' if n % 4 else 'short'} drill {n}",
        )
        facts += [
            [f"tool_{n}", "lies_on", f"shelf_{n % SHELVES}"],
            [f"tool_{n}", "charged", n % 5 == 0],
        ]
    return {"objects": objects, "names": names, "facts": facts}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    folder: Path = tmp_path_factory.mktemp("lending")
    (folder / "domain.pddl").write_text(DOMAIN)
    (folder / "world.jsonl").write_text(json.dumps(lending()) + "\n")
    create_memory(folder / "m.db", folder / "domain.pddl", folder / "world.jsonl", at_ns=10).close()
    with open_memory(folder / "m.db") as opened:
        yield opened


def test_what_is_called_alike_is_looked_at_as_one() -> None:
    own = {
        "a1": ("red", "box", "1"),
        "a2": ("red", "box", "2"),
        "b": ("red", "box"),
        "c": ("box", "x7"),
    }
    kindred = Kindred(dict.fromkeys(own, "box"), own, {}, {})
    assert [kin.things for kin in kindred.all] == [["a1", "a2"], ["b"], ["c"]]
    assert kindred.having("box") == ["a1", "a2", "b", "c"] and kindred.having("2") == ["a2"]
    assert kindred.having("x7") == ["c"] and not kindred.having("7")


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("Where is the long drill 7?", "long drill 7: lies on shelf 7"),
        ("Where is drill 8?", "short drill 8: lies on shelf 8"),
        ("How many drills are charged?", "48: "),
        ("How many lockers are open?", "40: "),
        ("How many drills are there?", "240: "),
        ("Which drills are on shelf 3?", "long drill 123: lies on shelf 3"),
        ("What is on shelf 3?", "long drill 183: lies on shelf 3"),
        ("Is drill 10 charged?", "yes: long drill 10: charged"),
    ],
)
def test_answers_of_many_things(memory: Memory, question: str, wanted: str) -> None:
    answer = ask(memory, question, now_ns=20)
    assert answer.status == "ok" and wanted in answer.text


@pytest.mark.parametrize(
    "question", ["What is on shelf 7?", "Is locker 8 open?", "Where is the long drill 9?"]
)
def test_nothing_is_looked_up_of_what_a_number_leaves_out(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, question: str
) -> None:
    looked: list[str] = []
    subjects = StoredFacts.subjects

    def seen(self: StoredFacts, relation: str, value: str) -> Collection[str]:
        looked.append(value)
        return subjects(self, relation, value)

    monkeypatch.setattr(StoredFacts, "subjects", seen)
    assert ask(memory, question, now_ns=20).status == "ok"
    assert len({v for v in looked if v.startswith(("shelf_", "locker_", "tool_"))}) < 9


def test_a_noun_names_what_is_called_so_before_what_may_be() -> None:
    table = NounTable({"a": 0, "b": 1, "c": 2, "d": 3})
    table.tell(("cup",), ["a", "d"], 2, behind=True)
    table.tell(("cup",), ["c"], 0)
    table.tell(("cup",), ["b", "d"], 3)
    assert [*table["cup",].items()] == [("b", 3), ("c", 0), ("d", 2), ("a", 2)]
    table.tell(("cup",), ["a"], 1)
    assert [*table["cup",]] == ["a", "b", "c", "d"] and table["cup",]["a"] == 1
    assert ("mug",) not in table and len(table) == 1


def test_what_is_so_of_many_is_so_of_each_of_them(memory: Memory) -> None:
    told = {k.fact for k in ask(memory, "Which drills are charged?", now_ns=20).known}
    assert told == {Fact(f"tool_{n}", "charged", TRUE) for n in range(0, TOOLS, 5)}
    on_shelf = {
        k.fact.subject for k in ask(memory, "Which drills are on shelf 3?", now_ns=20).known
    }
    assert on_shelf == {f"tool_{n}" for n in range(3, TOOLS, SHELVES)}


def test_a_long_list_is_cut_where_people_read_it(memory: Memory) -> None:
    long, short = (ask(memory, f"Which drills are {on}?") for on in ("charged", "on shelf 3"))
    assert long.brief.endswith("; and 38 more") and "drill 95: charged" in long.text
    assert len(long.known) == 48 and not short.brief


def test_a_hall_of_many_shelves_makes_no_large_part(memory: Memory) -> None:
    kinds = {**memory.store.kinds}
    goal = Atom("lies_on", ("tool_7", "shelf_8"))
    found = Slicer(memory.store.vocabulary).objects(goal, memory.store.facts, kinds)
    assert {"tool_7", "shelf_7", "shelf_8", "cart_1"} <= found and len(found) < 20


def test_a_goal_of_many_parts_is_reached_in_parts(memory: Memory) -> None:
    planned = plan_task(memory, "Close all lockers.")
    closed = {step for step in planned.steps if step.startswith("(close")}
    assert planned.status == "solved" and len(closed) == 40
    assert len(planned.steps) - len(closed) < 4  # what stands in one hall is closed together
    planner = TaskPlanner(memory.store, shared_planner())
    several = [f"(not (locker_open locker_{n}))" for n in range(SHELVES)] + ["(charged tool_1)"]
    whole = planner.plan(parse_formula(f"(and {' '.join(several)} (cart_in cart_1 new_hall))"))
    assert whole.status == "ok" and whole.steps[-1].args[-1] != "old_hall"


def test_what_later_parts_undo_is_brought_about_again() -> None:
    facts = FactIndex([Fact(f"p{n}", "at", "x") for n in range(40)])
    goal = parse_formula(f"(and {' '.join(f'(at p{n} y)' for n in range(40))})")
    parts = parts_of(goal, facts)
    ahead = Ahead(facts)
    rounds = some_of(parts, ahead)
    assert len(next(rounds)) == 40
    ahead.become(
        [Atom("at", (f"p{n}", "x")) for n in range(39)],
        [Atom("at", (f"p{n}", "y")) for n in range(39)],
    )
    assert next(rounds) == [Atom("at", ("p39", "y"))]
    assert Fact("p3", "at", "y") in ahead.one_hop("y") and Fact("p3", "at", "x") not in {*ahead}
    assert not parts_of(parse_formula("(at p1 y)"), facts)


def test_a_derived_predicate_counts_where_steps_need_it() -> None:
    domain = parse_domain(DOMAIN)
    assert not speaks_of_all(domain, Atom("charged", ("a",)), ["charge", "go"])
    assert speaks_of_all(domain, Atom("at_hand", ("a",)), ["charge"])


def test_what_held_is_looked_up_when_it_is_asked_for(memory: Memory) -> None:
    held, before = memory.store.as_of(20), memory.store.as_of(5)
    assert held and not before and len(held) == len(memory.store.facts)
    assert {*held.facts_of("charged")} == {*memory.store.facts.facts_of("charged")}
    assert Fact("tool_5", "charged", TRUE) in held.one_hop("tool_5")
    assert held.subjects("lies_on", "shelf_3") == {f"tool_{n}" for n in range(3, TOOLS, SHELVES)}


def test_a_draft_knows_all_facts_of_a_relation() -> None:
    draft = Draft(FactIndex([Fact("a", "on", "b"), Fact("c", "wet", FALSE)]))
    draft.discard(Fact("a", "on", "b"))
    draft.add(Fact("a", "on", "d"))
    assert {*draft.facts_of("on")} == {Fact("a", "on", "d")} and not draft.facts_of("dry")
