"""Texts in plainer words: what is put right, dealt out by name, or stands for what was just named."""

from __future__ import annotations

import pytest

from commonground.demo import sample_scene
from commonground.geometry import from_xyz_yaw
from commonground.grounding.grounder import Grounder
from commonground.grounding.language.partners import partners_named
from commonground.grounding.language.rewording import Rewording
from commonground.robots import Robot, Team

HANDS = frozenset({"goto", "inspect", "pick", "place"})


@pytest.fixture(scope="module")
def grounder() -> Grounder:
    spot = Robot("spot", from_xyz_yaw([6, 30, 0, 0]), HANDS)
    husky = Robot("husky", from_xyz_yaw([60, 20, 0, 3.1]), HANDS - {"pick", "place"})
    return Grounder(sample_scene(), Team({"spot": spot, "husky": husky}))


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Husky, check the rock, oops, sorry, the flag.", "Husky, check the flag."),
        (
            "Get the red bicycle, Spot. No, leave that, get the blue one.",
            "Get the blue bicycle, Spot.",
        ),
        ("Spot, check the rock, no, pardon the mess, I mean the flag.", "Spot, check the flag."),
        (
            "Spot, go to the bag in the bus shelter, no, in the plaza.",
            "Spot, go to the bag in the plaza.",
        ),
        ("Go to the flag no wait not the flag go to the rock", "Go to the rock"),
        ("Husky, go to the rock. Scratch that, inspect the flag.", "Husky, inspect the flag."),
        ("Husky, go to the plaza, or rather the bus shelter.", "Husky, go to the bus shelter."),
        ("Husky, check the flag. Sorry, I meant Spot.", "Spot, check the flag."),
        (
            "Spot checks the flag and Husky the rock. No, hang on, other way round.",
            "Husky checks the flag and Spot the rock.",
        ),
        ("Husky, check the flag. Not you, I mean Spot.", "Spot, check the flag."),
        ("Husky, check the flag. No, Spot.", "Spot, check the flag."),
        ("Spot, check the flag - oh, hang on, Husky should do that.", "Husky, check the flag."),
        ("Husky, check the flag.. wait no not husky, Spot do it", "Spot, check the flag"),
        ("Husky, no, both of you, check the flag.", "both of you, check the flag."),
        ("Husky, check the rock, no, I tell a lie, it's the flag.", "Husky, check the flag."),
        (
            "Husky, check the red bicycle for me, no, he sold that one, check the flag.",
            "Husky, check the flag.",
        ),
        (
            "Check the white box. Hang on, no, the brown one, leave the white one.",
            "Check the brown box.",
        ),
        (
            "Spot, would you check the rock? Oh, never mind, check the flag.",
            "Spot, would you check the flag.",
        ),
        (
            "Husky, check the signs, both... no, only the yellow one.",
            "Husky, check the yellow sign.",
        ),
        (
            "Husky ends in the bus shelter, no, not the bus shelter, the plaza.",
            "Husky ends in the plaza.",
        ),
        (
            "Check the flag and the rock, sorry, the flag and the barrel.",
            "Check the flag and the barrel.",
        ),
    ],
)
def test_what_is_put_right_takes_the_place_of_what_was_said(
    grounder: Grounder, text: str, plain: str
) -> None:
    assert grounder.rewording.plainer(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        "Check the rock, and, actually, the flag.",
        "Check the rock. Sorry, the flag is gone.",
        "Check the flag, no need for the rock.",
        "Put the bag by the box, no, the barrel.",  # which of the two is taken back?
        "Go to the flag, wait. No, the rock.",
        "Check the flag. Actually, check the rock, too.",
        "Spot, get the bag. No, Husky, check it.",
        "Spot, check the flag. Husky can do that too.",
        "There's a bag by the flag. It's Spot's.",  # and what is to be done with it?
        "Check the flag. The rock is for Husky.",
        "Do not check the rock. The flag is Husky's.",
        "Check the signs and go to the plaza, but not the blue one.",
        "Check the sign by the road. Not the blue one.",
        "Check the signs. The blue one.",  # those, or that?
        "Check the flag. Not you, Spot.",
        "Check the signs. Spot takes the barrel, Husky the rock.",
        "Check the five signs. Spot takes the ones by the road, Husky the rest.",
        "Check the signs unless it rains. Spot takes the yellow ones, Husky the rest.",
        "Go to the flag and the rock. Then check the first one.",
        "Bring the bag to the plaza and wait with it.",
        "Don't take the bag and wait by the flag with it.",
        "Husky must not check the flag. Spot should do that.",
        "Husky, check the flag unless Spot can do it.",
        "Husky, check the flag. Not you, Spot.",
        "Husky, check the flag, no Spot.",
        "Spot, go to the plaza or rather do not.",
        "Spot, avoid the bicycles, no signs.",
        "Spot, check all signs but O38, sorry, O39.",  # all, or all but another?
        "Husky and, sorry, Spot, check the flag.",
        "Spot, stay on the farm.",
        "Spot, put the bag on the farm.",
        "Husky, check every sign on the road.",
        "Spot, first check the flag.",
        "There's a flag and a rock. Check the third.",
        "Spot, tell Husky to check the flag.",
        "Why don't you check the flag?",
        "Check the flag as long as it is dry.",
        "Husky, go to the sign in the plaza by the flag, no, in the bus shelter.",
        "Spot and Husky, Husky is to check the flag.",
        "Husky, go to the sign by the road, no, by Monday.",
    ],
)
def test_what_may_mean_something_else_stays_as_it_is(grounder: Grounder, text: str) -> None:
    assert grounder.rewording.plainer(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("There's a flag and a rock. Spot, go to the latter.", "Spot, go to the rock."),
        ("Spot, there's a flag and a rock here, go to the former.", "Spot, go to the flag."),
        (
            "you know the red bag and the black bag right husky check the former",
            "husky check the red bag",
        ),
        (
            "There's a flag and there's a rock. Spot, check the first one and wait at the other.",
            "Spot, check the flag and wait at the rock.",
        ),
        (
            "Check the four signs: Spot takes the ones by the road, Husky the rest.",
            "Spot, inspect the signs by the road. Husky, inspect the other signs.",
        ),
        (
            "flag and rock need a check. husky takes the first, spot the other",
            "husky, inspect the flag. spot, inspect the rock.",
        ),
        (
            "Of the two bicycles the northern is Spot's to check, the southern Husky's.",
            "Spot, inspect the northern bicycle. Husky, inspect the southern bicycle.",
        ),
        (
            "Of the two bicycles, Spot is to go to the red one and Husky the blue one.",
            "Spot, visit the red bicycle. Husky, visit the blue bicycle.",
        ),
        (
            "The plaza and the bus shelter need a visit. The former is Spot's, the latter falls to Husky.",
            "Spot, visit the plaza. Husky, visit the bus shelter.",
        ),
        (
            "Check the signs. Spot takes the blue ones and the rest belong to Husky.",
            "Spot, inspect the blue signs. Husky, inspect the other signs.",
        ),
        (
            "The bicycles are Spot's to inspect, the signs Husky's.",
            "Spot is to inspect The bicycles, Husky is to inspect the signs.",
        ),
        (
            "Spot takes O38, Husky takes O39. Just inspect them.",
            "Spot, inspect O38. Husky, inspect O39.",
        ),
        (
            "Go to the bus shelter and check the bag in there.",
            "Go to the bus shelter and check the bag in the bus shelter.",
        ),
        (
            "Spot and Husky, check the signs. Spot the nearest one, Husky everything else.",
            "Spot, inspect the nearest sign. Husky, inspect the other signs.",
        ),
        (
            "Husky, go to the plaza. No, hang on, that's shut today. Go to the bus shelter instead.",
            "Husky, go to the bus shelter.",
        ),
        (
            "Husky, check the rock... no, I'm getting muddled, not the rock at all, the flag.",
            "Husky, check the flag.",
        ),
        ("Husky, check the bicycle. The red one.", "Husky, check The red bicycle."),
        (
            "Of the flag and the bag in the plaza, Spot is to check the former and take the latter.",
            "Spot is to check the flag in the plaza and take the bag in the plaza.",
        ),
        (
            "Share the signs between you, so that one checks the blue one and the other the yellow one.",
            "one of you checks the blue one and the other the yellow one.",
        ),
        (
            "Husky, check the bicycles; Spot's are the signs by the road.",
            "Husky, check the bicycles; Spot is to inspect the signs by the road.",
        ),
        (
            "Check the signs, Husky, all but the blue one.",
            "Check the signs except the blue one, Husky.",
        ),
        (
            "Husky, check the signs by the road. But not the blue one, mind.",
            "Husky, check the signs by the road except the blue one.",
        ),
        (
            "The signs are to be checked by Husky, except the blue ones; the latter are Spot's job.",
            "The signs except the blue ones are to be checked by Husky; Spot is to inspect the blue signs.",
        ),
        ("Get the bag that is off the plaza.", "Get the bag that is off the plaza."),
        ("Get the bag out of the bus shelter.", "Get the bag from the bus shelter."),
        ("Get the bag off the road.", "Get the bag from the road."),
        (
            "Get the bag out of the bus shelter and into the plaza.",
            "Get the bag from the bus shelter into the plaza.",
        ),
        ("Check the signs, no, only the blue one.", "Check the blue sign."),
        (
            "Husky, check the bus shelter. Spot, keep out of there.",
            "Husky, check the bus shelter. Spot, keep out of the bus shelter.",
        ),
        ("Get the bag and wait by the flag with it.", "Get the bag and wait by the flag."),
        ("Get the bag and, with it in hand, wait by it.", "Get the bag and wait by it."),
        (
            "Get the bag and wait by the flag with the bag in your gripper.",
            "Get the bag and wait by the flag.",
        ),
        ("There's a flag, a rock and a barrel. Check the third.", "Check the barrel."),
        ("Husky, check every sign on the whole farm.", "Husky, check every sign."),
        (
            "Go to the flag, the rock and the bag, in that order.",
            "Go to the flag, then the rock, then the bag.",
        ),
        ("Check O38 and O39 in reverse order.", "Check O39, then O38."),
        (
            "Check the following in this order: the flag, the rock.",
            "Check the flag, then the rock.",
        ),
        ("Check the signs one after the other.", "Check the signs."),
        ("Spot, check any bag as long as it isn't red.", "Spot, check any bag that is not red."),
        (
            "Check the flag as long as you keep out of the plaza.",
            "Check the flag. Always keep out of the plaza.",
        ),
    ],
)
def test_what_stands_for_what_was_named_is_said_in_full(
    grounder: Grounder, text: str, plain: str
) -> None:
    assert grounder.rewording.plainer(text) == plain


@pytest.mark.parametrize(
    "text",
    [
        f"Spot, check the flag{' ' * 3900}x",
        "any rock, " * 390,
        "the rock, no, " * 280,
        "Spot. " * 600,
    ],
)
def test_a_text_that_is_too_long_or_full_of_room_is_looked_through_once(
    grounder: Grounder, text: str
) -> None:
    assert " ".join(grounder.rewording.plainer(text).split()) == " ".join(text.split())
    assert grounder.ground(text).message.count("Read as") <= 1


@pytest.mark.parametrize(
    "text",
    [
        "Husky, go to the flag, sorry, I mean inspect it.",
        "Spot, go to the bag, no, pick it up.",
        "Husky, check the bicycles, but leave the red one to me.",
        "Husky, check one bicycle. No, both.",
        "Any bag by the flag, put it near the rock.",
        "All robots with wheels, go to the plaza.",
        "Every robot that can fly, go to the plaza.",
    ],
)
def test_what_may_be_for_another_or_for_more_is_asked(grounder: Grounder, text: str) -> None:
    assert grounder.ground(text).goals is None


def test_what_is_said_of_one_and_the_other_is_done_with_each(grounder: Grounder) -> None:
    found = grounder.ground("Spot, take one of the bags to the flag and the other to the rock.")
    goal = "" if found.goals is None else found.goals["spot"]
    assert all(f"object-in-place {bag}" in goal for bag in ("O36", "O37"))


def test_an_answer_says_how_its_text_was_read(grounder: Grounder) -> None:
    answer = grounder.ground("Husky, check the rock, sorry, I mean the flag.")
    assert answer.goals == {"husky": "(safe O38)"}
    assert "Read as: Husky, check the flag." in answer.message


def test_an_answer_tells_all_that_was_done_to_its_words_in_that_order(grounder: Grounder) -> None:
    text = "Husky, check the rock, sorry, I mean the flag, by noon. Spot may check the rock."
    said = grounder.passes.through(text)
    allowed, read, late = said.notes
    assert allowed == "Only allowed, so no goal: Spot may check the rock."
    assert read.startswith("Read as: Husky, check the flag, by noon")
    assert late == "No plan is held to 'by noon'."
    answer = grounder.ground(text)
    assert answer.goals == {"husky": "(safe O38)"}
    assert answer.message.endswith(" ".join(said.notes))
    taken = grounder.ground("Husky, check something to sit on.")
    assert "took 'something to sit on' for" in taken.message


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Spot may check the rock.", "Is that an order: 'Spot may check the rock'?"),
        ("Husky, fetch something to frobnicate with.", "Please name the thing."),
    ],
)
def test_what_cannot_be_an_order_is_asked_about_before_it_is_read(
    grounder: Grounder, text: str, question: str
) -> None:
    answer = grounder.ground(text)
    assert answer.goals is None and not answer.understood
    assert question in answer.message


def test_whom_one_waits_for_is_no_place(grounder: Grounder) -> None:
    assert grounder.rewording.unwaited("Wait at the flag for the driver to come.") == (
        "Wait at the flag.",
        ["for the driver to come"],
    )
    known = "Wait at the flag for the bus shelter."
    assert grounder.rewording.unwaited(known) == (known, [])


def test_what_the_grammar_reads_is_not_put_into_words_that_it_does_not_read(
    grounder: Grounder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for plain, kept in (("Gribble the flag.", True), ("Inspect the flag.", False)):
        monkeypatch.setattr(Rewording, "_reworded", lambda *_, plain=plain: plain)
        text = "Go to the flag."
        assert grounder.rewording.plainer(text) == (text if kept else plain)


def test_nothing_is_made_safe_by_going_there(grounder: Grounder) -> None:
    goals = grounder.ground("Make sure all benches that are in the plaza are safe.").goals or {}
    assert all("(safe" in goal for goal in goals.values())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Husky, check the rock, and could your colleague go to the flag?", "Spot"),
        ("Let your partner take the flag, Husky.", "Spot"),
        ("Spot and Husky, ask your partner.", "your partner"),  # each has another
        ("Husky, your partner's flag is up.", "your partner's"),
    ],
)
def test_a_partner_is_the_other_robot(text: str, plain: str) -> None:
    named = partners_named(text, ["spot", "husky"])
    assert plain in named and (named != text) is (plain == "Spot")
