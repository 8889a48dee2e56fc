"""A model that answers the opposite of its text, or out of nothing, is never believed."""

from __future__ import annotations

from typing import Any

import pytest

from commonground.grounding.fidelity.check import Fidelity
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.denials import denials
from commonground.grounding.grounder import Grounder
from commonground.grounding.meaning import Instruction
from commonground.grounding.model.form import read_as
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.words.languages import is_foreign
from commonground.grounding.words.tokens import tokenize
from commonground.grounding.world import World
from tests.grounding.sites import STYLES, make_site


@pytest.fixture(scope="module")
def site_world() -> World:
    site = make_site(STYLES["harbour"], 1)
    return World(site.graph, site.team)


@pytest.fixture(scope="module")
def harbor() -> Grounder:
    site = make_site(STYLES["harbour"], 1)
    return Grounder(site.graph, site.team, GroundingSettings())


def _told(do: str, **what: Any) -> Instruction:
    task = {"do": do, "what": what}
    return read_as(Instruction, {"assignments": [{"who": {"names": ["anna"]}, "task": task}]})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("On no account is Anna to inspect the flag.", ["no account"]),
        ("At no point may Anna inspect the flag.", ["no point"]),
        ("The flag has been declared out of bounds, Anna.", ["out of bounds"]),
        ("Anna is prohibited from inspecting the flag.", ["prohibited"]),
        ("Anna, you are to be kept away from the flag.", ["kept", "away from"]),
        ("Anna, forgo the flag and inspect the crane.", ["forgo"]),
        ("Anna, paws off the flag.", ["paws off"]),
        ("No entry to the dock, Anna.", ["no entry"]),
        ("Anna, the flag must stay unchecked.", ["unchecked"]),
        ("Anna, cease inspecting the flag.", ["cease"]),
        ("Anna, turn away from the flag.", ["away from"]),
        ("Anna, dismiss the thought of going to the flag.", ["thought of"]),
        ("It would be foolish to go to the flag, Anna.", ["foolish to"]),
        ("It would be foolish not to go to the flag, Anna.", []),
        ("Anna, do not skip the flag.", []),
        ("The dock is no longer off limits, Anna.", []),
        ("Anna, by no means forget the flag.", []),
        ("Anna, empty the skip by the flag.", []),
        ("Anna, stop at the flag in no time.", []),
        ("Anna, go to the forbidden dock.", []),
    ],
)
def test_denials_of_all_shapes_are_found(text: str, words: list[str]) -> None:
    assert [one.words for one in denials(Wording(tokenize(text), ["anna"]))] == words


@pytest.mark.parametrize(
    "text",
    [
        "By no means should Anna inspect the flag.",
        "Anna, abstain from inspecting the flag.",
        "Anna, skip the flag.",
        "Anna, inspecting the flag is off limits.",
        "Anna, forgo the flag and inspect the crane.",
        "Anna, steer well clear of the flag.",
        "Anna, let the flag be.",
        "What a lovely flag, Anna.",
    ],
)
def test_what_a_text_denies_is_not_done(site_world: World, text: str) -> None:
    assert Fidelity(site_world).doubts(_told("inspect", noun="flag"), text)


@pytest.mark.parametrize(
    "text",
    [
        "Anna, don't forget to inspect the flag.",
        "Anna, make sure not to miss the flag: inspect it.",
        "Anna, abandon the crane and inspect the flag instead.",
        "Anna, never mind the wind, inspect the flag.",
        "It would be a shame if nobody looked at the flag, Anna.",
        "Nobody has inspected the flag yet, so inspect it, Anna.",
        "Anna, inspect the banner.",
        "Anna, peruse the flag.",
        "Anna, can't you just inspect the flag?",
    ],
)
def test_what_is_wanted_near_such_words_is_done(site_world: World, text: str) -> None:
    meaning = _told("inspect", noun="flag")
    assert not [
        *Fidelity(site_world).doubts(meaning, text),
        *Fidelity(site_world).strange(text, meaning),
    ]


@pytest.mark.parametrize(
    "text",
    ["Halt!", "Good evening, everybody.", "Anna, okay.", "blorp quux", "Anna is a good girl."],
)
def test_a_text_without_things_has_no_goal(site_world: World, text: str) -> None:
    assert Fidelity(site_world).doubts(_told("inspect", noun="flag"), text)


def test_only_what_nobody_knows_stands_for_what_a_model_says(site_world: World) -> None:
    doubts = Fidelity(site_world).doubts
    assert not doubts(_told("inspect", noun="flag"), "Anna, inspect that fluttery thing.")
    assert doubts(_told("inspect", noun="flag"), "Anna, inspect the crane.")
    assert doubts(
        _told("inspect", noun="obey me and go to o1"), "Anna, inspect that fluttery thing."
    )


def test_a_verb_is_a_deed_only_where_it_means_about_that(site_world: World) -> None:
    fidelity = Fidelity(site_world)
    assert fidelity.doubts(_told("go", noun="flag"), "Anna, resist going to the flag.")
    assert fidelity.strange("Anna, varnish the flag.", _told("inspect", noun="flag"))
    assert not fidelity.strange("Anna, peruse the flag.", _told("inspect", noun="flag"))


@pytest.mark.parametrize(
    ("verb", "do"),
    [
        ("re-stitch", "inspect"), ("hand-wash", "pick"), ("x-ray", "inspect"), ("open", "pick"),
        ("empty", "pick"), ("roll", "pick"), ("sort out", "pick"), ("wipe down", "inspect"),
        ("haul", "inspect"), ("sample", "inspect"), ("tow", "pick"), ("snap", "pick"),
    ],
)  # fmt: skip
def test_a_model_does_only_what_a_verb_can_mean(site_world: World, verb: str, do: str) -> None:
    fidelity, told = Fidelity(site_world), _told(do, noun="flag")
    for text in (
        f"Anna, {verb} the flag.",
        f"Could you {verb} that flag, Anna?",
        f"Anna, go to the crane and {verb} the flag.",
    ):
        assert fidelity.doubts(told, text) or fidelity.strange(text, told), text


@pytest.mark.parametrize(
    ("text", "do"),
    [
        ("Anna, double-check the flag.", "inspect"),
        ("Anna, re-inspect the flag.", "inspect"),
        ("Anna, have the flag looked at.", "inspect"),
        ("Anna, give the flag a check.", "inspect"),
        ("Anna, pick that flag up.", "pick"),
        ("Anna, find the flag and inspect it.", "inspect"),
        ("Anna, choose a flag, any flag, and inspect it.", "inspect"),
        ("Morning both. Anna, grab the flag.", "pick"),
        ("Keep the noise down and inspect the flag, Anna.", "inspect"),
    ],
)
def test_what_a_verb_can_mean_is_left_to_a_model(site_world: World, text: str, do: str) -> None:
    fidelity, told = Fidelity(site_world), _told(do, noun="flag")
    assert not fidelity.strange(text, told)
    assert not [
        doubt for doubt in fidelity.doubts(told, text) if "nothing that the answer" in doubt
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Anna, {0} the flag.", "Anna, go to the flag and {0} it.", "Send Anna to {0} the flag.",
        "It is time to {0} the flag.", "Anna, go to the flag so that you can {0} it.",
        "Anna, inspect the crane, {0} the flag, and go to the statue.", "I want the flag {1}.",
        "The flag needs to be {1}.", "Anna should {0} the flag and then inspect the crane.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", [("drive", "driven"), ("burn", "burned"), ("wash", "washed")])
def test_what_no_robot_can_do_is_no_visit(
    harbor: Grounder, text: str, verb: tuple[str, str]
) -> None:
    assert harbor.ground(text.format(*verb)).goals is None


def test_a_deed_done_to_what_the_map_has_not_is_not_passed_over(harbor: Grounder) -> None:
    assert harbor.ground("Anna, inspect the flag and repair the generator.").goals is None


@pytest.mark.parametrize(
    "text",
    [
        "Anna, inspect the boat nearest to the {}.", "Anna, inspect the flag, the sign and the {}.",
        "Anna, inspect all boats in the {}.", "Anna, inspect the flag and end at the {}.",
        "Anna, inspect the {} as well as the flag.", "Anna, go past the {} to the flag.",
    ],
)  # fmt: skip
@pytest.mark.parametrize("noun", ["mayor", "cave", "big black cat"])
def test_what_the_map_has_not_is_not_left_out(harbor: Grounder, text: str, noun: str) -> None:
    assert harbor.ground(text.format(noun)).goals is None


def test_a_joined_verb_of_a_second_deed_is_not_passed_over(harbor: Grounder) -> None:
    assert harbor.ground("Anna, go to the flag and re-tie it.").goals is None


def test_what_is_excluded_by_another_word_for_it_is_asked_about(harbor: Grounder) -> None:
    assert harbor.ground("Anna, inspect the banner, not the flag.").goals is None


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("Anna, prüfe niemals die Statue.", True),
        ("Anna, n'inspecte pas la grue.", True),
        ("Anna, no toques la grúa.", True),
        ("Anna, raak de vlag niet aan.", True),
        ("Анна, не трогай флаг.", True),
        ("Anna, inpsect teh statuue.", False),
        ("No lihts on, please.", False),
        ("Anna, die Hard is a film; inspect the flag.", False),
        ("", False),
    ],
)
def test_other_languages_are_told_from_misspelt_english(text: str, foreign: bool) -> None:
    assert is_foreign(text, frozenset(["anna"])) is foreign
