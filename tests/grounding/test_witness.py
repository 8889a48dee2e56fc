"""What the words of a text say of ways to read it, and what a text says need not be done."""

import re

import pytest

from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import Clause, Crew, Part, Phrase, Span, Utterance
from commonground.grounding.english.witness import Witness
from commonground.grounding.fidelity.waivers import contradicted, waived

WITNESS = Witness()
NAMES = Names({"noun": ["bench"], "robot": ["Anna"]})


def told(text: str, sense: str, noun: str, crew: str = "named") -> Utterance:
    def span(word: str) -> Span:
        at = text.index(word)
        return Span(at, at + len(word), word)

    clause = Clause(sense, theme=Phrase(noun=span(noun)))  # type: ignore[arg-type]
    names = (span("Anna"),) if crew == "named" else ()
    return Utterance((Part(clause, Crew(crew, names)),))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "noun", "right", "wrong"),
    [
        ("Anna is to pick the loaf up and hang on to it.", "loaf", "hold", "end up at"),
        ("Anna, just swing by the kiosk on your round.", "kiosk", "go to", "inspect"),
        ("Might Anna be so good as to give the kiosk a thorough once-over?", "kiosk", "inspect", "go to"),
        ("Final positions. Anna: at the kiosk.", "kiosk", "end up at", "hold"),
    ],
)  # fmt: skip
def test_the_words_around_a_thing_tell_what_is_done_with_it(
    text: str, noun: str, right: str, wrong: str
) -> None:
    good, bad = WITNESS.judge(text, [told(text, sense, noun) for sense in (right, wrong)])
    assert good.share > 2 * bad.share
    assert not good.unspoken


def test_a_deed_that_nothing_speaks_for_is_told() -> None:
    text = "Anna, pick up the kiosk key and keep it in your gripper."
    good, bad = WITNESS.judge(text, [told(text, s, "kiosk key") for s in ("hold", "explore")])
    assert not good.unspoken
    assert [span.text for span in bad.unspoken] == ["kiosk key"]


def test_all_words_tell_who_is_meant() -> None:
    text = "One of you, I don't mind who, is to inspect the kiosk. Anna knows it."
    one, named = WITNESS.judge(
        text, [told(text, "inspect", "kiosk", c) for c in ("any one", "named")]
    )
    assert one.share > named.share


def test_what_need_not_be_done_is_not_read() -> None:
    text = "Anna, drop by the bench. You needn't stay there, we only want it seen."
    said = waived(text, NAMES)
    assert len(said.text) == len(text)
    assert "needn't" not in said.text and "drop by the bench" in said.text
    assert contradicted({"anna": "(at-object O1)"}, said) == "You needn't stay there"
    assert not contradicted({"anna": "(visited-object O1)"}, said)


def test_the_opposite_denied_says_the_same_again() -> None:
    said = waived("Anna picks up the bench and doesn't let go of it till morning.", NAMES)
    assert "bench" in said.text and "let go" not in said.text
    assert not contradicted({"anna": "(holding O1)"}, said)
    assert contradicted({"anna": "(safe O1)"}, said)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Anna, never mind the bench, go to the kiosk.", "Anna go to the kiosk"),
        ("Anna, don't bother with the bench and go to the kiosk.", "Anna and go to the kiosk"),
        ("Go to the kiosk. The bench can wait.", "Go to the kiosk"),
        ("There's no need to check the bench. Go to the kiosk.", "Go to the kiosk"),
    ],
)
def test_a_thing_that_is_only_left_out_need_not_be_heard_of(text: str, rest: str) -> None:
    said = waived(text, NAMES, lambda _: False).text
    assert " ".join(re.findall(r"\w+", said)) == rest


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget the bench, and go to the kiosk.",
        "Check everything, but skip the bench.",
        "Check the bench and the kiosk. Forget the bench.",
        "Never go near the bench. Go to the kiosk.",
        "Anna can ignore the bench. Check all of them.",
    ],
)
def test_what_excepts_or_forbids_is_heard(text: str) -> None:
    assert waived(text, NAMES, lambda _: False).text == text


def test_an_area_that_is_left_out_may_be_an_exception() -> None:
    text = "Skip the kiosk and check the bench."
    assert waived(text, NAMES, lambda words: words == "kiosk").text == text


@pytest.mark.parametrize(
    "text",
    [
        "There is no need to inspect the bench.",
        "You need not go to O12 first.",
        "You don't have to wait until it is dark.",
        "Anna must not stay.",
        "Never stop there.",
    ],
)
def test_what_names_things_or_limits_or_forbids_is_read(text: str) -> None:
    assert waived(text, NAMES).text == text
