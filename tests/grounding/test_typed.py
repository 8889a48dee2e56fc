"""Slips of the fingers and of the ear are put right before anybody reads; words and names stay."""

from __future__ import annotations

import pytest

from commonground.grounding.grounder import Grounder
from commonground.grounding.words.slips import Slip, slip
from commonground.grounding.words.spelling import Speller, is_word
from commonground.grounding.words.typed import Typed
from tests.grounding.sites import FARM, make_site

TYPED = Typed(["winch", "grey crate", "west barn", "ladder"], ["Rover", "Atlas"], ["steam"])


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("rover chek teh crate", "rover check the crate"),
        ("hav a look, it dosnt matter wich", "have a look, it doesn't matter which"),
        ("u shud inpsect the wich n the lader", "you should inspect the winch and the ladder"),
        ("befor u go, tkae the grey crat", "before you go, take the grey crate"),
        ("go to the barn an then wait there", "go to the barn and then wait there"),
        ("the crate needs to be chekced", "the crate needs to be checked"),
        ("Chekc the crate. Teh barn, too.", "Check the crate. The barn, too."),
        ("Rvoer, stay thru the night", "Rover, stay through the night"),
        ("inspect evrything in the wset barn", "inspect everything in the west barn"),
        ("look at the laddrr", "look at the ladder"),
        ("take the fuor ladders to six barns", "take the four ladders to six barns"),
    ],
)
def test_slips_are_put_right(typed: str, meant: str) -> None:
    assert TYPED.right(typed)[:2] == (meant, "")


@pytest.mark.parametrize(
    "text",
    [
        "The slats are loose and the bloke from the stall is unhurried.",
        "Greta thought so, and Quist has the crates.",
        "ask karim to wait with jonah by the barn",
        "Bert reckons it was repainted, rewired and unlatched.",
        "take O12 to R3, KRATE-7 stays",
        "steamed or steaming, the barns' ladders are fine",
        "an hour, an old barn, an inspection",
        "the cooling brewhouse and the toolshed",
        "flg cbl qx",
    ],
)
def test_words_names_and_codes_stay(text: str) -> None:
    assert TYPED.right(text) == (text, "", ())


@pytest.mark.parametrize(
    "no", ["dont", "do'nt", "do’nt", "don;t", "don`t", "don t", "do nt", "donot", "dnt", "odnt"]
)
def test_a_negation_is_kept_however_it_is_typed(no: str) -> None:
    assert TYPED.right(f"Rover, {no} check the barn").text.replace("not", "n't") == (
        "Rover, don't check the barn"
    )
    assert TYPED.right("check the barn but nt the crate").text == "check the barn but not the crate"
    assert TYPED.right("can T go or do 9 knots?").text == "can T go or do 9 knots?"


def test_what_may_mean_two_words_is_asked_about() -> None:
    assert Typed(["brake", "brace"]).right("check the brae now").question == ""  # a hillside
    assert "'there' or 'three'" in TYPED.right("check thre ladders").question
    asked = Typed(["stand", "strand"]).right("check the sttrand and the stannd")
    assert asked.text == "check the strand and the stand"
    assert "'crane' or 'crate'" in Typed(["crane", "crate"]).right("check the crae").question


def test_slips_have_their_likelihood() -> None:
    slips = {
        ("chekc", "check"): Slip.LIGHT, ("laddder", "ladder"): Slip.LIGHT, ("chek", "check"): Slip.LEFT_OUT,
        ("shud", "should"): Slip.LEFT_OUT, ("nite", "night"): Slip.LEFT_OUT, ("vhrck", "check"): Slip.NONE,
        ("chrck", "check"): Slip.BESIDE, ("calendor", "calendar"): Slip.LONG, ("vegan", "began"): Slip.NONE,
    }  # fmt: skip
    assert {pair: slip(*pair) for pair in slips} == slips


def test_no_word_of_english_is_a_slip() -> None:
    speller = Speller(["inspect", "bicycle", "boat", "spot", "nearest", "flag", "shelter"])
    corrected = {
        w: speller.correct(w) for w in ("inpsect", "bycicle", "sheltar", "boot", "heaviest", "flg")
    }
    assert [*corrected.values()] == ["inspect", "bicycle", "shelter", None, None, None]
    words = (
        "rewired",
        "unlatched",
        "toddlers",
        "scissor",
        "wobbly",
        "handiest",
        "bestowed",
        "mice",
    )
    assert all(map(is_word, words)) and not any(map(is_word, ("chek", "wich", "dosnt", "bouy")))


def test_an_answer_tells_how_its_text_was_read() -> None:
    site = make_site(FARM, 1)
    grounder = Grounder(site.graph, site.team)
    told = grounder.ground("spot inpsect the bycicle")
    assert told.goals and told.goals == grounder.ground("spot inspect the bicycle").goals
    assert "Read as: spot inspect the bicycle" in told.message
    assert "Read as" not in grounder.ground("spot dont go to the boat, inspect the bicycle").message


def test_a_word_read_as_another_is_told_where_nothing_is_called_so() -> None:
    site = make_site(FARM, 1)
    robot = next(iter(site.team.robots)).capitalize()
    found = Grounder(site.graph, site.team).ground(f"{robot}, go to the alte.")
    assert not found.goals and "late" in found.message
    assert found.message.endswith("'alte' was read as 'late'.")
