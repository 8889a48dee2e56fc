"""Instructions written in many voices, on made-up sites: understood or asked about, never guessed.

Most are to be understood, hardly any may come out wrong, and little of the impossible be bent.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from commonground.config import read_yaml
from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.grounding.suites import Item, is_correct
from commonground.robots import Robot, Team
from tests.grounding.sites import STYLES, make_site

VOICES: dict[str, dict[str, Any]] = read_yaml(Path(__file__).parent / "data" / "voices.yaml")[0]


def _grounder(name: str, request: pytest.FixtureRequest) -> Grounder:
    found: Grounder = (
        request.getfixturevalue("dev_grounder") if name == "dev" else _grounder_on(name)
    )
    return found


def _grounder_on(name: str) -> Grounder:
    if name == "courtyard":
        hands = frozenset({"goto", "inspect", "pick", "place"})
        spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), hands)
        husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), hands - {"pick", "place"})
        return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))
    site = make_site(STYLES[name], 1)
    return Grounder(site.graph, site.team)


def _goal(text: str, grounder: Grounder) -> str:
    """Write out ``(put O R)``."""

    def places(match: re.Match[str]) -> str:
        found = grounder.world.places_in(match[2])
        return f"(or {' '.join(f'(object-in-place {match[1]} {place})' for place in found)})"

    return re.sub(r"\(put (\w+) (\w+)\)", places, text)


@pytest.mark.parametrize("name", VOICES)
def test_voices_are_understood(name: str, request: pytest.FixtureRequest) -> None:
    grounder = _grounder(name, request)
    asked, wrong = [], []
    entries = VOICES[name]["understood"]
    for entry in entries:
        accept = tuple({r: _goal(g, grounder) for r, g in a.items()} for a in entry["accept"])
        answer = grounder.ground(entry["text"])
        if not is_correct(Item(id="v", text=entry["text"], accept=accept), answer):
            (wrong if answer.status == "ok" else asked).append((entry["text"], answer.message))
    assert len(wrong) <= 3, wrong
    assert len(asked) <= 0.3 * len(entries), asked


@pytest.mark.parametrize(
    ("text", "robot"),
    [
        ("The robot without a gripper should inspect O9.", "husky"),
        ("The robot with a gripper should inspect O9.", "spot"),
    ],
)
def test_a_robot_is_chosen_by_what_it_cannot_do(text: str, robot: str) -> None:
    goals = _grounder_on("courtyard").ground(text).goals
    assert goals is not None and list(goals) == [robot]


def test_robots_with_and_without_hands_in_one_text_are_not_mixed_up() -> None:
    text = "The robot with a gripper inspects O9 and the one without a gripper inspects O10."
    goals = _grounder_on("courtyard").ground(text).goals
    assert goals in (None, {"spot": "(safe O9)", "husky": "(safe O10)"})


@pytest.mark.parametrize("name", VOICES)
def test_little_is_bent_of_what_cannot_be_done(name: str, request: pytest.FixtureRequest) -> None:
    grounder = _grounder(name, request)
    texts = VOICES[name]["asked_back"]
    bent = [text for text in texts if grounder.ground(text).goals]
    assert len(bent) <= 0.2 * len(texts) + 1, bent


_TELLING = re.compile(
    r"\b(are|is|stopped|was|were|look|may|might|left|lost|there|stands|lying|map|storm|if|I|we|has|have)\b",
    re.I,
)


def test_few_words_are_silently_passed_over() -> None:
    """With any one word replaced by one nobody knows, it is mostly asked about."""
    site = _grounder_on("harbour").world
    grounder = Grounder(site.graph, site.team)
    tried, passed = 0, []
    for entry in VOICES["harbour"]["understood"]:
        if _TELLING.search(entry["text"]):
            continue  # what is only said of things may be anything
        words = re.findall(r"\w+|\W+", entry["text"])
        for i, word in enumerate(words):
            if word.isalpha() and len(word) > 2:
                changed = "".join([*words[:i], "zorblax", *words[i + 1 :]])
                tried += 1
                passed += [changed] if grounder.ground(changed).goals else []
    assert len(passed) <= 0.16 * tried, passed
