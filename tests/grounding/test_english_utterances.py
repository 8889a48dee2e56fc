"""Utterances are rows of symbols and back, tokens lose nothing, any walk through the grammar ends well."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonground.errors import GroundingError
from commonground.grounding.english.spans import (
    CHATTER,
    KINDS,
    TAGS,
    likely_tags,
    segments_of,
    tags_of,
    titled,
)
from commonground.grounding.english.symbols import (
    BEGIN,
    CLOSE,
    POINTER,
    Item,
    Place,
    all_symbols,
    read,
    written,
)
from commonground.grounding.english.tokens import MAX_PIECES, pieces, tokens_of
from commonground.grounding.english.utterance import (
    Best,
    Clause,
    Crew,
    Group,
    Part,
    Phrase,
    Relation,
    Span,
    Steps,
    Utterance,
)
from commonground.grounding.words.numbers import count_of

SPOT, BENCH, DOOR, SHED = (
    Span(0, 4, "Spot"), Span(10, 15, "bench"), Span(20, 24, "door"), Span(30, 34, "shed"),
)  # fmt: skip
SAID = Utterance(
    (
        Part(
            Steps(
                "in order",
                (
                    Clause("inspect", theme=Phrase(BENCH, best=Best("nearest", to=Phrase(DOOR)))),
                    Clause(
                        "go to",
                        goal=Group("one of", (Phrase(SHED, det="any one"), Phrase(symbol=DOOR))),
                    ),
                ),
            ),
            Crew("named", (SPOT,)),
        ),
        Part(
            Clause("enter", "never", theme=Phrase(SHED, where=(Relation("in", (Phrase(DOOR),)),)))
        ),
    )
)


def test_an_utterance_is_a_row_and_back() -> None:
    row = written(SAID)
    assert row[-1] == CLOSE and row.count(SPOT) == 1
    assert read(row) == SAID


@pytest.mark.parametrize("cut", [1, 5, 12])
def test_a_row_that_ends_early_is_no_utterance(cut: int) -> None:
    with pytest.raises(GroundingError, match="too early"):
        read(written(SAID)[:-cut])


def test_what_may_not_stand_somewhere_is_named() -> None:
    with pytest.raises(GroundingError, match="'det=all' may not stand here"):
        read(["parts", "det=all"])


@pytest.mark.parametrize("seed", range(60))
def test_any_walk_through_the_grammar_ends_in_an_utterance(seed: int) -> None:
    chance = random.Random(seed)
    place: Place | None = BEGIN
    row: list[Item] = []
    while place is not None and len(row) < 3000:
        allowed = place.allowed()
        ends = len(row) > 60 and CLOSE in allowed
        pick = CLOSE if ends else chance.choice(allowed)
        row.append(Span(len(row), len(row) + 1, "x") if pick == POINTER else pick)
        place = place.after(pick)
    assert place is None
    utterance = read(row)
    assert read(written(utterance)) == utterance


def test_symbols_are_named_once() -> None:
    assert len(set(all_symbols())) == len(all_symbols()) < 300


@given(st.text(max_size=300))
def test_tokens_leave_out_nothing_but_spaces(text: str) -> None:
    tokens = tokens_of(text)
    assert all(
        t.text in (text[t.start : t.end], str(count_of(text[t.start : t.end]))) for t in tokens
    )
    covered = {i for t in tokens for i in range(t.start, t.end)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)


def test_a_number_of_several_words_is_one_token() -> None:
    text = "Twenty-five m, two hundred and five, not one hundred, twenty, two"
    tokens = [(text[t.start : t.end], t.text) for t in tokens_of(text)]
    assert [both for both in tokens if both[0] != both[1]] == [
        ("Twenty-five", "25"),
        ("two hundred and five", "205"),
        ("one hundred", "100"),
    ]


@given(st.text(min_size=1, max_size=200))
def test_a_word_has_few_pieces(word: str) -> None:
    assert 1 <= len(pieces(word)) <= MAX_PIECES


def test_segments_are_tags_and_back() -> None:
    segments = [(0, 2, 3), (2, 3, 3), (5, 9, CHATTER)]
    assert segments_of(tags_of(segments, 10)) == segments


def test_a_noun_right_before_a_symbol_says_what_it_is() -> None:
    noun, symbol = KINDS.index("noun"), KINDS.index("symbol")
    said = [(2, 3, noun), (3, 4, symbol), (5, 6, noun), (7, 8, symbol), (8, 9, symbol)]
    assert titled(said) == [(2, 4, symbol), *said[2:]]


def test_the_likely_tags_are_the_best_of_all() -> None:
    scores = np.full((3, TAGS), -20.0, np.float32)
    scores[:, :5] = np.random.default_rng(3).normal(size=(3, 5))
    whole = [
        tags
        for tags in product(range(5), repeat=3)
        if all(t in (0, 1, 3) or b in (t, t - 1) for b, t in zip((0, *tags), tags, strict=False))
    ]
    best = sorted(whole, key=lambda tags: -sum(scores[at, t] for at, t in enumerate(tags)))
    assert [tuple(tags) for _, tags in likely_tags(scores, 5)] == best[:5]


@pytest.mark.parametrize("seed", range(10))
def test_the_likely_tags_never_go_on_with_what_did_not_begin(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(14, TAGS)).astype(np.float32)
    found = likely_tags(scores, 4)
    assert [total for total, _ in found] == sorted((t for t, _ in found), reverse=True)
    assert len({tuple(tags) for _, tags in found}) == 4
    for total, tags in found:
        assert total == pytest.approx(sum(scores[at, tag] for at, tag in enumerate(tags)), rel=1e-5)
        for before, tag in zip([0, *tags], tags, strict=False):
            if tag and tag % 2 == 0:
                assert before in (tag, tag - 1)
    assert len(KINDS) * 2 + 1 == TAGS
