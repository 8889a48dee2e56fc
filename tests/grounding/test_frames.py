"""Orders without the frames that people put around them."""

from __future__ import annotations

import pytest

from commonground.grounding.language.frames import unframed, untimed


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("I could murder a biscuit.", "I want a biscuit."),
        ("We're dying for some soup.", "We want some soup."),
        ("I wouldn't say no to a biscuit.", "I want a biscuit."),
        ("I don't suppose you could shut the gate?", "shut the gate?"),
        ("Greta would like the gate shut.", "I want the gate shut."),
        ("If you could shut the gate, that'd be lovely.", "shut the gate."),
        ("If one of you would shut the gate I'd be much obliged.", "shut the gate."),
        (
            "It's cold, so if you could just shut the gate, thank you.",
            "It's cold, so shut the gate.",
        ),
        ("If you wouldn't mind shutting the gate.", "would you mind shutting the gate."),
        ("I'd be ever so glad if you'd shut the gate.", "shut the gate."),
        ("When you've got a minute, shut the gate.", "shut the gate."),
        ("Shut the gate as soon as you get a chance.", "Shut the gate."),
        ("Shut the gate, if you would.", "Shut the gate."),
    ],
)
def test_what_is_longed_for_or_asked_politely_is_said_plainly(text: str, plain: str) -> None:
    assert unframed(text, ["Rex", "Ida"]) == plain


@pytest.mark.parametrize(
    "text",
    [
        "I use a ladder for the gutter.",
        "I'd love to see the gate.",
        "If you see the dog, shut the gate.",
        "I love a good biscuit, shut the tin.",
        "Ida would like the gate shut.",
        "Nobody would like the gate shut.",
        "If you can reach the gate, I would appreciate a look at the tin.",
        "If you could find the tin, it would be good to shut the gate.",
        "If you could open the gate, shut the tin.",
        "If you could open the gate I would shut the tin.",
        "If you can reach the gate.",
        "When you've got the tin, shut the gate.",
        "Shut the gate if you have the time, otherwise the tin.",
        "Shut the gate if you get a chance. If not, shut the tin.",
    ],
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert unframed(text, ["Rex", "Ida"]) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Wash the cup while you're at it.", "Wash the cup."),
        ("Put it on the shelf when it's done.", "Put it on the shelf."),
        (
            "Bake the pie. And when it's ready, open the tin.",
            "Bake the pie. And then open the tin.",
        ),
        ("Shut the gate again when you've got them out.", "Shut the gate again."),
    ],
)
def test_times_that_only_say_what_comes_first_are_left_out(text: str, plain: str) -> None:
    assert untimed(text) == plain


@pytest.mark.parametrize(
    "text", ["Open the gate when the dog is home.", "Shut it when you've painted the door."]
)
def test_other_times_are_kept(text: str) -> None:
    assert untimed(text) == text
