"""Orders in few words: what they leave unsaid is not made up, and what they say is not dropped."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from commonground.grounding import Grounder
from commonground.grounding.fidelity.check import Fidelity
from commonground.grounding.fidelity.deeds import wrong_deeds
from commonground.grounding.fidelity.ends import lost_ends
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.narrowing import lost_others
from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.numbers import wrong_numbers
from commonground.grounding.fidelity.picks import lost_differences
from commonground.grounding.fidelity.verbs import wrong_verbs
from commonground.grounding.meaning import Act, Assignment, Instruction, Thing, Who
from tests.grounding.sites import FARM, Site, make_site

ROBOTS = ("anna", "bert")
VAN, GATE, HERE = Thing(noun="van"), Thing(noun="gate"), Thing(of="here")
VANS = Thing(noun="van", amount="all")


@pytest.fixture(scope="module")
def farm() -> Site:
    return make_site(FARM, 3)


@pytest.fixture(scope="module")
def grounder(farm: Site) -> Grounder:
    return Grounder(farm.graph, farm.team)


def _told(*acts: Act, who: Who | None = None) -> Instruction:
    return Instruction(tuple(Assignment(who or Who(("anna",)), act) for act in acts))


def _is_doubted(check: Callable[[Held], Iterator[str]], text: str, meaning: Instruction) -> bool:
    return bool([*check(Held(meaning, text, ROBOTS))])


@pytest.mark.parametrize(
    ("text", "where", "doubted"),
    [
        ("The van. Anna, stand by it until I call.", HERE, True),
        ("A van came. Anna, wait next to it.", HERE, True),
        ("The van. Anna, stand by it until I call.", VAN, False),
        ("Anna, stay where you are and stand by.", HERE, False),
        ("Anna, keep and stay out of the van.", HERE, True),
    ],
)
def test_who_stays_by_a_thing_does_not_stay_anywhere(
    text: str, where: Thing, doubted: bool
) -> None:
    assert _is_doubted(lost_ends, text, _told(Act("be", where))) == doubted


@pytest.mark.parametrize("word", ["inside", "outside", "within", "alongside"])
def test_who_waits_somewhere_ends_there(word: str) -> None:
    text = f"Anna, the gate, wait {word}."
    assert _is_doubted(lost_ends, text, _told(Act("go", GATE)))
    assert not _is_doubted(lost_ends, text, _told(Act("be", GATE)))


@pytest.mark.parametrize(
    "text",
    [
        "Anna and Bert, visit a gate, one each, the same one is fine.",
        "Each of you go to a gate, one apiece; you may both take the same.",
    ],
)
def test_who_may_take_the_same_is_not_kept_from_it(text: str) -> None:
    act = Act("go", Thing(noun="gate", amount="any"))
    assert _is_doubted(lost_differences, text, _told(act, who=Who(choose="share")))
    assert not _is_doubted(lost_differences, text, _told(act, who=Who(choose="each")))


@pytest.mark.parametrize(
    "text",
    ["Anna takes the white vans, Bert whatever is left.", "Anna checks the red van. Bert, what vans remain."],
)  # fmt: skip
def test_what_is_left_is_not_all_again(text: str) -> None:
    assert _is_doubted(lost_others, text, _told(Act("inspect", VANS)))
    others = Thing(noun="van", amount="all", of="other")
    assert not _is_doubted(lost_others, text, _told(Act("inspect", others)))


def test_two_that_are_told_of_one_and_the_other_do_not_do_the_same() -> None:
    text = "I want Anna to inspect the one by the gate and Bert the other."
    both = _told(Act("inspect", VAN), who=Who(("anna", "bert")))
    assert _is_doubted(lost_others, text, both)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Visit all gates less the east gate.", ["less"]),
        ("Check every van bar the red one.", ["bar"]),
        ("Check all vans, more or less.", []),
        ("Check both vans in less than an hour.", []),
    ],
)
def test_less_takes_something_from_all(text: str, said: list[str]) -> None:
    assert negators(text) == said


@pytest.mark.parametrize(
    ("text", "acts", "doubted"),
    [
        ("Anna, pick any van you like and wait by it.", [Act("inspect", VAN)], True),
        ("Anna, wait by the van, and make it safe.", [Act("inspect", VAN)], False),
    ],
)  # fmt: skip
def test_nothing_is_done_for_which_there_is_no_word(
    text: str, acts: list[Act], doubted: bool
) -> None:
    assert _is_doubted(wrong_deeds, text, _told(*acts)) == doubted


@pytest.mark.parametrize(
    ("text", "counted", "doubted"),
    [
        ("The vans on the lawn, Anna, inspect both.", {4}, True),
        ("The vans on the lawn, Anna, inspect both.", {2}, False),
        ("Good morning to you both. Anna, inspect the four vans.", {4}, False),
    ],
)
def test_both_are_two(text: str, counted: set[int], doubted: bool) -> None:
    meaning = _told(Act("inspect", VANS))
    assert bool([*wrong_numbers(Held(meaning, text, ROBOTS, counted))]) == doubted


def test_a_meaning_is_doubted_by_what_it_comes_to_on_the_map(grounder: Grounder) -> None:
    """What is remembered of a text and a meaning is of that count alone."""
    text, doubts = "Anna, inspect both vans.", Fidelity(grounder.world).doubts
    meaning = _told(Act("inspect", VANS))
    fitting = doubts(meaning, text, {2})
    assert set(doubts(meaning, text, {4})) > set(fitting)
    assert doubts(meaning, text, {2}) == fitting


def test_what_was_made_safe_in_the_end_is_inspected() -> None:
    text = "At the end: Anna at the gate, both vans made safe."
    assert _is_doubted(wrong_verbs, text, _told(Act("be", GATE), Act("go", VANS)))
    assert not _is_doubted(wrong_verbs, text, _told(Act("be", GATE), Act("inspect", VANS)))


@pytest.mark.parametrize(
    "text",
    [
        "Blue car, visitor parking. Spot, stand by it.",
        "Jackal, inspect the bags. Spot, inspect whatever bags are left.",
    ],
)
def test_what_is_not_plain_is_asked_about(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_all_less_one_leaves_it_out(grounder: Grounder, farm: Site) -> None:
    lower = next(symbol for symbol, _, name in farm.regions if name == "lower field")
    found = grounder.ground("Spot, visit the fields, all less the lower field, your order.")
    assert found.goals is None or lower not in found.goals["spot"]


def test_where_a_thing_is_does_not_send_a_robot_to_the_place(
    grounder: Grounder, farm: Site
) -> None:
    upper = next(symbol for symbol, _, name in farm.regions if name == "upper field")
    text = "Of the trees on the upper field, whichever's furthest from the tractor - go there, Spot"
    found = grounder.ground(text)
    assert found.goals is None or upper not in found.goals["spot"]
