"""Names of a map mean what is called so: before indices, with all their signs, and never as a remark."""

from __future__ import annotations

import pytest

from commonground.grounding import Grounder
from commonground.grounding.english.names import Names
from commonground.grounding.passes import keeps_names
from commonground.grounding.spelled import SpelledNames, read_as
from tests.grounding.sites import Style, make_site

CLINIC = Style(
    ("anna", "bert"),
    (
        ("ward", "ward 4"), ("ward", "ward 5"), ("ward", "ward 7"), ("yard", "St. Luke's yard"),
        ("kitchen", ""), ("lab", "Dr. Adler's lab"), ("store", "Linen & Towels"), ("hall", "Noon Gate"),
        ("office", "Unit 3b"),
    ),
    (("bed", 9), ("lamp", 9), ("trolley", 9)),
)  # fmt: skip
CLINIC_SITE = make_site(CLINIC, 5)
GROUNDER = Grounder(CLINIC_SITE.graph, CLINIC_SITE.team)
TOLD = Names({"robot": ["anna"], "area": ["noon gate", "st lukes yard"], "noun": ["lamp"]})


def regions(text: str) -> set[str]:
    """Return the names and classes of the regions that a text sends somebody to."""
    goals = " ".join((GROUNDER.ground(text).goals or {}).values())
    nodes = GROUNDER.world.regions
    rows = [k for k, symbol in enumerate(nodes.symbols) if f" {symbol})" in goals]
    return {nodes.names[k] or nodes.words[k] for k in rows}


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Anna, go to ward 5.", {"ward 5"}),
        ("Anna, go to St. Luke's yard.", {"st lukes yard"}),
        ("Anna, visit the kitchen, Dr. Adler’s lab and ward 4.", {"kitchen", "dr adlers lab", "ward 4"}),
        ("Anna, visit Linen and Towels, ward 7 and the kitchen.", {"linen and towels", "ward 7", "kitchen"}),
        ("Anna, visit the kitchen, Noon Gate and Unit 3b.", {"kitchen", "noon gate", "unit 3b"}),
    ],
)  # fmt: skip
def test_a_name_of_the_map_is_that_node(text: str, wanted: set[str]) -> None:
    assert regions(text) == wanted


def test_names_whose_words_the_map_joins_are_read_in_any_place() -> None:
    plain = SpelledNames(["office_chair", "meeting_room", "trash"]).plain
    assert (
        plain("Go to the office_chair, no Meeting_rooms.")
        == "Go to the office chair, no Meeting rooms."
    )
    assert plain("spot_1, go to my_office_chair.") == "spot_1, go to my_office_chair."


@pytest.mark.parametrize(
    "text",
    [
        "Anna, go to ward 6.", "Anna, visit wards 4 to 7.", "Anna, visit ward 0 and the kitchen.",
        "Anna, check the kitchen, then go to Atlantis.", "Anna, go to Dr. Berg's lab.",
    ],
)  # fmt: skip
def test_a_name_that_the_map_has_not_is_asked_about(text: str) -> None:
    assert not GROUNDER.ground(text).goals


def test_what_is_called_by_no_number_is_known_by_its_index() -> None:
    lamp = next(s for s, w in zip(*_objects(), strict=True) if w == "lamp")
    found = GROUNDER.ground(f"Bert, inspect lamp {lamp[1:]}.")
    assert found.goals == {"bert": f"(safe {lamp})"}


def _objects() -> tuple[tuple[str, ...], tuple[str, ...]]:
    return GROUNDER.world.objects.symbols, GROUNDER.world.objects.words


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("St. Luke's yard", "St Lukes yard"), ('Saal "B"', "Saal B"), ("<b>Kiln</b>", "Kiln"),
        ("C & D", "C and D"), ("Bay 4/5", "Bay 4 5"), ("Room 1.04", "Room 1.04"), ("U.N. hall", "UN hall"),
        ("Level -1", "Level minus 1"),
    ],
)  # fmt: skip
def test_a_name_is_read_without_its_signs(name: str, read: str) -> None:
    assert read_as(name) == read
    said = SpelledNames([name]).plain(f"Go to {name}, please.")
    assert said == f"Go to {read}, please."


def test_other_texts_keep_their_signs_and_answers_have_the_names_as_written() -> None:
    spelled = SpelledNames(["St. Luke's yard", "C & D", "Bay 4/5"])
    text = "Don't go to Bay 45. Luke can't. Bring C, D and it's done."
    assert spelled.plain(text) == text
    assert spelled.as_written("Go to st lukes yard?") == "Go to St. Luke's yard?"


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("Anna, visit the lamp, the lamp is hot", "Anna, visit the lamp,", True),
        ("Anna, visit the lamp by noon", "Anna, visit the lamp", True),
        ("Anna, visit the lamp by Noon Gate", "Anna, visit the lamp Gate", False),
        ("Anna, visit the lamp and Noon Gate", "Anna, visit the lamp", False),
        ("Anna, visit the lamp, St Lukes Yard and Noon Gate", "Anna, visit the lamp,", False),
    ],
)
def test_no_name_is_cut_or_set_aside_alone(before: str, after: str, kept: bool) -> None:
    assert keeps_names(before, after, TOLD) is kept


def test_a_list_of_areas_says_where_things_are() -> None:
    found = GROUNDER.ground("Bert, inspect the beds in ward 4, ward 5 and ward 7.")
    assert "region" not in " ".join((found.goals or {}).values())
