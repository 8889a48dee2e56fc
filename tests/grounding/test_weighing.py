"""What somebody most likely says, weighed over all ways to read it."""

from __future__ import annotations

import pytest

from commonground.grounding.english.pronouns import SPOKEN_OF, settled
from commonground.grounding.english.utterance import Clause, Part, Phrase, Span, Utterance
from commonground.grounding.english.weighing import RULES, SURE, Evidence, heard, weigh


def _sure(*ways: tuple[str, Evidence]) -> tuple[str, bool]:
    best = weigh((sense, sense, evidence) for sense, evidence in ways)[0]
    return best.ways[0], best.share >= SURE


def test_what_makes_sense_is_likelier_than_what_the_network_prefers() -> None:
    odd, good = (heard([0.4, 0.2], at, (), alike=False) for at in (0, 1))
    assert _sure(("odd", odd._replace(unclear=1)), ("good", good)) == ("good", True)
    assert _sure(("odd", odd), ("good", good))[1] is False


def test_what_passes_over_words_or_things_is_not_sure() -> None:
    alone = heard([0.9], 0, (), alike=False)
    assert _sure(("all", alone)) == ("all", True)
    assert _sure(("part", alone._replace(untouched=1)))[1] is False
    assert _sure(("part", heard([0.9], 0, ("three",), alike=False)))[1] is False


def test_a_negation_that_is_passed_over_outweighs_that_nothing_else_makes_sense() -> None:
    odd, flat = (heard([0.8, 0.1], at, left, alike=False) for at, left in ((0, ("n't",)), (1, ())))
    assert _sure(("odd", odd), ("none", flat._replace(unclear=1)))[1] is False


def test_readers_that_agree_are_believed_and_that_differ_are_not() -> None:
    alike, other = (heard([0.6], 0, (), alike=same) for same in (True, False))
    assert _sure(("one", alike), ("one", RULES)) == ("one", True)
    assert _sure(("one", other), ("other", RULES))[1] is False


def _phrase(text: str, noun: str, **more: object) -> Phrase:
    at = text.index(noun)
    return Phrase(noun=Span(at, at + len(noun), noun), **more)  # type: ignore[arg-type]


def _said(text: str, *, goes_on: bool = True, **roles: object) -> Clause:
    clause = Clause("put", "tell", **roles)  # type: ignore[arg-type]
    (part,) = settled(text, Utterance((Part(clause),)), goes_on=goes_on).parts
    assert isinstance(part.step, Clause)
    return part.step


@pytest.mark.parametrize(
    ("text", "heard_owner", "owner"),
    [
        ("Una put his mug on the table", None, SPOKEN_OF),
        ("Una put the mug on the table", Phrase(speaker=True), None),
        ("I put my mug on the table", None, Phrase(speaker=True)),
        ("I put the mug on the table", Phrase(speaker=True), Phrase(speaker=True)),
    ],
)
def test_possessives_say_whose_a_thing_is(
    text: str, heard_owner: Phrase | None, owner: Phrase | None
) -> None:
    theme = _said(text, theme=_phrase(text, "mug", owner=heard_owner)).theme
    assert isinstance(theme, Phrase) and theme.owner == owner


def test_who_acts_is_the_speaker_only_where_somebody_says_i() -> None:
    speaker = Phrase(speaker=True)
    assert _said("The mug was put away", agent=speaker).agent is None
    assert _said("I put the mug away", agent=speaker).agent == speaker
    assert _said("Then she put the mug away").agent == SPOKEN_OF
    assert _said("Then she put the mug away", goes_on=False).agent is None


def test_one_of_some_things_is_any_one_of_them() -> None:
    for text, det in (("Move one of the mugs", "any one"), ("Move the mugs", "the")):
        theme = _said(text, goes_on=False, theme=_phrase(text, "mugs")).theme
        assert isinstance(theme, Phrase) and theme.det == det
