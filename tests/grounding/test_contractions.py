"""Contracted words written out, as notes, reports and commands have them."""

from __future__ import annotations

import pytest

from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.words.contractions import written_out
from commonground.grounding.words.tokens import tokenize


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("can't", "can not"),
        ("shouldn't've", "should not have"),
        ("theyre", "they are"),
        ("someone's", "someone is"),
        ("ann's", "ann 's"),
        ("dishes'", "dishes 's"),
        ("em", "them"),
        ("tent", "tent"),
    ],
)
def test_what_a_contracted_word_stands_for(word: str, words: str) -> None:
    assert " ".join(written_out(word)) == words


def test_a_word_of_nothing_but_endings_ends() -> None:
    endless = "n't" * 50_000
    assert tokenize(endless)[-1].text == sentences(endless)[0][-1].text == "not"
