"""Domains with long names, with short ones, and with facts of three things that change, by somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonground.errors import GroundingError
from commonground.grounding.knowledge import Fact
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.opening import create_memory, open_memory
from commonground.grounding.memory.planning.tasks import plan_task
from commonground.planning.pddl import parse_domain

DOMAINS = Path(__file__).parent / "domains"


@pytest.fixture
def named(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    path = tmp_path / "memory.db"
    create_memory(
        path, DOMAINS / f"{request.param}.pddl", DOMAINS / f"{request.param}.jsonl"
    ).close()
    with open_memory(path) as memory:
        yield memory


def after(memory: Memory, report: str) -> tuple[set[str], set[str]]:
    """Return what a report makes so and what it ends."""
    before = {f for f in memory.store.facts if f.object != "false"}
    memory.tell(report)
    now = {f for f in memory.store.facts if f.object != "false"}
    return _said(now - before), _said(before - now)


def _said(facts: set[Fact]) -> set[str]:
    return {" ".join(fact).removesuffix(" true") for fact in facts}


@pytest.mark.parametrize("named", ["luggage"], indirect=True)
def test_a_level_of_a_rack_is_a_spot_that_is_taken_or_vacant(named: Memory) -> None:
    assert after(named, "Suitcase 301 is on shelf 4 of the north rack.") == (
        {
            "suitcase-301 has-been-stowed-at north-rack__shelf-4",
            "north-rack__shelf-2 shelf-space-is-vacant",
        },
        {
            "suitcase-301 has-been-stowed-at north-rack__shelf-2",
            "north-rack__shelf-4 shelf-space-is-vacant",
        },
    )


@pytest.mark.parametrize("named", ["luggage"], indirect=True)
def test_who_takes_a_thing_holds_on_to_it(named: Memory) -> None:
    new, gone = after(named, "Tomas took the tag printer.")
    assert new == {
        "tag-printer is-being-held-by tomas-reyes",
        "tomas-reyes is-holding-on-to tag-printer",
    }
    assert gone == {"tag-printer has-been-left-in sorting-room", "tomas-reyes hands-are-unoccupied"}


@pytest.mark.parametrize("named", ["luggage"], indirect=True)
def test_a_thing_is_planned_onto_a_level(named: Memory) -> None:
    planned = plan_task(named, "Put suitcase 305 on shelf 4 of the south rack.")
    assert planned.status == "solved", planned.reason
    assert any(step.startswith("(stow-on-shelf ") for step in planned.steps)


@pytest.mark.parametrize(
    ("report", "new"),
    [
        ("Ola: brewhouse to office.", {"ola loc off"}),
        ("Kettle scrubbed.", {"kt cln"}),
        ("Yuki took the wrench.", {"yuki has wr"}),
        ("Mick carried nothing.", set()),
    ],
)
@pytest.mark.parametrize("named", ["brewery"], indirect=True)
def test_shortened_names_are_understood(named: Memory, report: str, new: set[str]) -> None:
    assert after(named, report)[0] == new


@pytest.mark.parametrize("named", ["brewery"], indirect=True)
def test_a_small_word_is_no_name(named: Memory) -> None:
    assert after(named, "The fan is off.") == (set(), {"fan on"})


@pytest.mark.parametrize("named", ["brewery"], indirect=True)
def test_who_carries_a_thing_somewhere_is_there_with_it(named: Memory) -> None:
    named.tell("Ola picked up the malt.")
    named.tell("Ola went to the store.")
    new, _ = after(named, "Ola carried the malt to the brewhouse.")
    assert "ola loc brh" in new and "sk-malt loc brh" not in new


def test_conditions_that_are_not_plain_leave_a_domain_as_it_is() -> None:
    text = (
        "(define (domain d) (:requirements :adl :typing) (:types a b c)"
        " (:predicates (p ?x - a ?y - b ?z - c))"
        " (:action go :parameters (?x - a) :effect (forall (?y - b ?z - c) (p ?x ?y ?z))))"
    )
    assert Vocabulary(parse_domain(text)).spots is None
    with pytest.raises(GroundingError, match="has no fact form"):
        Vocabulary(parse_domain(text)).signature("p")
