"""What a text only tells around an order to a robot is set aside; what may order, forbid or limit stays."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.grounding.language.stories import Stories
from commonground.robots import Robot, Team
from tests.grounding.sites import FARM, make_site

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    anna = Robot("anna", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    bert = Robot("bert", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"anna": anna, "bert": bert}))


@pytest.fixture(scope="module")
def stories(grounder: Grounder) -> Stories:
    return grounder.passes.stories


@pytest.mark.parametrize(
    ("text", "order"),
    [
        (
            "My uncle never could sit still and he lost his hat on the way. Anna, check the rock.",
            "Anna, check the rock.",
        ),
        (
            "Mr. Brand says that nobody ever told him a thing! Anna, please check the flag.",
            "Anna, please check the flag.",
        ),
        (
            "When I was young we had geese, would you believe it. Bert, go to the rock.",
            "Bert, go to the rock.",
        ),
        (
            "The rock has been wobbling, so Anna, check the rock.",
            "Anna, check the rock.",
        ),
        (
            "She wants everything perfect and nothing ever is. Anna, check the flag.",
            "Anna, check the flag.",
        ),
        (
            "My niece is six and sleeps until nine. Anna, check the bicycles.",
            "Anna, check the bicycles.",
        ),
        (
            "Bert, go to the flag, I left my glasses at home.",
            "Bert, go to the flag.",
        ),
        (
            "I can see benches on the lawn. Bert, visit them all.",
            "Bert, visit all the benches on the lawn.",
        ),
        (
            "My neighbor left a red bicycle here and his wife was furious. Anna, check it for me.",
            "Anna, check the red bicycle for me.",
        ),
    ],
)
def test_what_is_only_told_is_set_aside(stories: Stories, text: str, order: str) -> None:
    assert stories.without(text) == order


@pytest.mark.parametrize(
    "text",
    [
        "They sowed the plaza and nobody is to go on it. Anna, check the rock.",
        "Mother says nobody enters the plaza. Anna, check the rock.",
        "We never drive through the plaza. Anna, check the rock.",
        "I would not go near the flag. Anna, check the rock.",
        "The plaza was flooded last night. Anna, check the rock.",
        "If the flag is down there is trouble. Anna, check the rock.",
        "Once they are asleep we can begin. Anna, check the rock.",
        "Only the red bicycle is ours. Anna, check a bicycle.",
        "Mind the wet paint. Anna, check the rock.",
        "Keep the noise down. Anna, check the rock.",
        "We have time for two. Anna, check the bicycles.",
    ],
)
def test_bans_and_limits_stay(stories: Stories, text: str) -> None:
    assert stories.without(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "My aunt wants the flag checked as well. Anna, check the rock.",
        "The flag needs a look. Anna, check the rock.",
        "The flag can wait. Anna, check the rock and the flag.",
        "I checked the flag this morning. Anna, check the rock and the flag.",
        "You two were late. Anna, check the rock.",
        "Anna, check the rock. I mean the flag.",
        "Bert is ill. He did nothing all day. Anna, check the rock.",
    ],
)
def test_wishes_and_what_is_done_stay(stories: Stories, text: str) -> None:
    assert stories.without(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "My aunt saw a bag and a box. Anna, check it.",
        "A bicycle fell over, the red one. Anna, check the bicycle.",
        "A flag stood there and a rock. Anna, check the former.",
        "Somebody moved O14 this morning. Anna, go to O36.",
    ],
)
def test_what_an_order_takes_up_stays_where_it_is_not_one_thing(
    stories: Stories, text: str
) -> None:
    assert stories.without(text) == text


def test_a_text_without_an_order_to_a_robot_stays(stories: Stories) -> None:
    text = "My uncle lost his hat. He was furious."
    assert stories.without(text) == text


def test_an_order_is_read_without_its_story(grounder: Grounder) -> None:
    told = "I would not trust my own brother with a kettle, least of all on a Sunday. "
    assert grounder.ground(told + "Bert, check the rock.").goals == {"bert": "(safe O39)"}


def test_a_ban_in_a_story_is_kept_or_asked_about(grounder: Grounder) -> None:
    found = grounder.ground("They sowed the plaza and nobody is to go there. Anna, check the rock.")
    assert not found.goals or "(not (visited-region R4))" in found.goals["anna"]


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("On the {area} is lying one bag. Take it please, Spot.", "(holding {bag})"),
        ("On the {area} lies a bag. Spot, pick it up.", "(holding {bag})"),
        ("On the {area} a bag was left. Spot, take it.", "(holding {bag})"),
        ("The bag belongs on the {area}. Spot, take it there.", ""),
    ],
)
def test_where_a_thing_is_told_to_be_is_not_where_it_goes(text: str, does: str) -> None:
    site = make_site(FARM, 3)
    bags = [k for k, word in enumerate(site.words) if word == "bag"]
    names = [name or word for _, word, name in site.regions]
    single = [k for k in bags if [site.region[b] for b in bags].count(site.region[k]) == 1]
    k = next(k for k in single if names.count(names[site.region[k]]) == 1)
    said = text.format(area=names[site.region[k]])
    goal = (Grounder(site.graph, site.team).ground(said).goals or {}).get("spot", "")
    assert goal == does.format(bag=site.symbols[k]) or (not does and "holding" not in goal)
