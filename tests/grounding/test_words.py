"""Words, numbers, sentences, and the taxonomy of classes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.grounding.words.concepts import ClassIndex, read_concepts
from commonground.grounding.words.nouns import plural, singulars
from commonground.grounding.words.tokens import sentences, tokenize
from commonground.grounding.words.verbs import verb_forms

# ---- tokens and words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Go to O44.", ["go", "to", "O44"]),
        ("o(7) and P12,", ["O7", "and", "P12", ","]),
        ("it's within 2.5m", ["it", "is", "within", "2.5", "m"]),
        ("don't can't won't", ["do", "not", "can", "not", "will", "not"]),
        ("Spot’s left-hand side", ["spot", "'s", "left", "hand", "side"]),
        ("twenty-five metres", ["twenty five", "metres"]),
        ("boxes & bags", ["boxes", "and", "bags"]),
        ("the 2nd box", ["the", "2nd", "box"]),
        ("Spot — go", ["spot", ",", "go"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert [t.text for t in tokenize(text) if t.text not in ".!?"] == expected


@given(st.text(max_size=200))
@settings(max_examples=200, deadline=None)
def test_any_text_has_tokens_inside_it(text: str) -> None:
    for token in tokenize(text):
        assert 0 <= token.start <= token.end <= len(text) * 8


@given(st.integers(1, 199))
def test_number_words_are_read(n: int) -> None:
    ones = str.split(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen"
    )
    tens = str.split("_ _ twenty thirty forty fifty sixty seventy eighty ninety")
    words = ["one", "hundred"] if n >= 100 else []
    rest = n % 100
    if rest >= 20:
        words.append(tens[rest // 10] + (f"-{ones[rest % 10]}" if rest % 10 else ""))
    elif rest:
        words.append(ones[rest])
    tokens = tokenize(" ".join(words))
    assert [t.value for t in tokens] == [float(n)]


def test_sentences_end_at_stops_and_semicolons() -> None:
    found = sentences(tokenize("Spot, go. Husky, stay; and wait!\n\nNow?"))
    assert [s[0].text for s in found] == ["spot", "husky", "and", "now"]


@pytest.mark.parametrize(
    ("one", "many"),
    [("box", "boxes"), ("bush", "bushes"), ("city", "cities"), ("quay", "quays"), ("shelf", "shelves"),
     ("parking lot", "parking lots"), ("person", "people"), ("trash", "trash"), ("bus", "buses")],
)  # fmt: skip
def test_plurals_and_back(one: str, many: str) -> None:
    assert plural(one) == many
    assert one in singulars(many)


def test_verb_forms() -> None:
    assert [*verb_forms("grab")] == ["grab", "grabs", "grabbed", "grabbing"]
    assert "past" in verb_forms("carry")["carried"]
    assert "participle" in verb_forms("take")["taken"]
    assert "gerund" in verb_forms("examine")["examining"]
    assert "third" in verb_forms("go")["goes"]


def test_the_taxonomy_finds_the_nearest_class() -> None:
    concepts = read_concepts(
        "[things]\n  vehicle\n    car, automobile\n      taxi\n    truck\n  boat\n  helicopter\n"
    )
    index = ClassIndex(["vehicle", "boat"], concepts)
    assert index.matches("cars") == (frozenset({"vehicle"}), False)
    assert index.matches("vehicles") == (frozenset({"vehicle"}), True)
    assert index.matches("helicopter") == (frozenset(), False)
    finer = ClassIndex(["car", "truck", "boat"], concepts)
    assert finer.matches("vehicle")[0] == {"car", "truck"}
    assert finer.matches("taxi")[0] == {"car"}
