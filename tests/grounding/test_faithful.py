"""What a text says and its utterance does not is found: names, numbers, symbols, negations."""

from __future__ import annotations

import pytest

from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.utterance import Crew, Part, Span
from tests.grounding.said import a, at, both, by, do, never, node, said, then, words

NAMES = Names({"robot": ["spot", "husky"], "noun": ["box", "bench"], "area": ["north lot"]})
BOX = by("Spot", do("inspect", a("box")))
LEFT_OUT: list[tuple[str, list[Part], list[str]]] = [
    ("Spot and Husky, inspect the box.", [BOX], ["Husky"]),
    ("Spot, inspect the box in the north lot.", [BOX], ["north lot"]),
    ("Spot, inspect the box by the benches.", [BOX], ["benches"]),
    ("Spot, do not inspect the box.", [BOX], ["not"]),
    ("Spot, don't touch it; just inspect the box.", [BOX], ["n't"]),
    ("Whoever isn't Spot should inspect the box.", [BOX], ["n't"]),
    ("Spot, inspect the three box shelves.", [BOX], ["three"]),
    ("Spot, inspect one of the box pair.", [BOX], ["one"]),
    ("Spot, inspect the box and O17.", [BOX], ["O17"]),
    (
        "Spot, objects 44, 194, and 81.",
        [by("Spot", do("inspect", both(node("44"), node("81"))))],
        ["194"],
    ),
    ("Anyone but Spot inspects the box.", [BOX], ["but"]),
    ("Spot, inspect everything apart from the box.", [BOX], ["apart"]),
    ("Spot, avoid the box.", [by("Spot", do("go to", a("box")))], ["avoid"]),
    (
        "All but Husky avoid the box.",
        [Part(do("go to", a("box")), Crew("all but", (words("Husky"),)))],
        ["avoid"],
    ),
    ("Spot, inspect the pair of boxes.", [by("Spot", do("inspect", a("boxes")))], ["pair"]),
    ("Spot, don't clear the bench.", [by("Spot", do("clear", a("bench")))], ["n't"]),
    (
        "Spot, two boxes and the bench.",
        [by("Spot", do("inspect", both(a("boxes"), a("bench"))))],
        ["two"],
    ),
    ("To the bench, the pair of you.", [by("any one", do("go to", a("bench")))], ["pair"]),
    (
        "Three boxes there are; Spot checks two of them.",
        [by("Spot", do("inspect", a("boxes", count="Three")))],
        ["two"],
    ),
    ("Spot, regions 7, 12 and 11.", [by("Spot", do("go to", node("11")))], ["7", "12"]),
]
HEARD: list[tuple[str, list[Part]]] = [
    ("Spot, inspect the box, make sure there's nothing wrong with it.", [BOX]),
    ("Spot, inspect the box. Thank you, Spot!", [BOX]),
    ("Spot, inspect the box; I don't mind when.", [BOX]),
    ("Spot, inspect the box, no hurry.", [BOX]),
    ("I need Spot to be at each one of the boxes.", [by("Spot", do("go to", a("boxes", "each")))]),
    ("Spot, avoid the box.", [by("Spot", never("enter", a("box")))]),
    ("Inspect the box, but Spot takes the bench.",
     [by("unnamed", do("inspect", a("box"))), by("Spot", do("hold", a("bench")))]),
    ("A good spot for lunch, this. Spot, inspect the box.",
     [by("Spot#2", do("inspect", a("box")))]),
    ("Spot, two jobs, any order: inspect the box and the bench.",
     [by("Spot", do("inspect", both(a("box"), a("bench"))))]),
    ("1. Spot inspects the box. 2. Husky, the bench.",
     [BOX, by("Husky", do("inspect", a("bench")))]),
    ("Spot, inspect the box no more than 5 m from the bench.",
     [by("Spot", do("inspect", a("box", "the", at("within", a("bench"), far="5 m"))))]),
    ("Spot, inspect the box but never go near the bench.",
     [BOX, by("", never("come near", a("bench")))]),
    ("Whoever isn't Spot inspects the box.",
     [Part(do("inspect", a("box")), Crew("all but", (words("Spot"),)))]),
    ("Two items for Spot to look at, namely the box and the bench.",
     [by("Spot", do("inspect", both(a("box"), a("bench"))))]),
    ("Spot looks at these: 1) box, 2) bench.",
     [by("Spot", do("inspect", both(a("box"), a("bench"))))]),
    ("Spot, I want nothing left on the bench.", [by("Spot", do("clear", a("bench")))]),
    ("Spot, don't leave a single thing on the bench.", [by("Spot", do("clear", a("bench")))]),
    ("No water at the bench, please.", [by("", do("stop water", a("bench")))]),
    ("Spot, inspect one of the boxes, then the two benches.",
     [by("Spot", then(do("inspect", a("boxes", "any one")), do("inspect", a("benches", "the two"))))]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts", "missing"), LEFT_OUT, ids=[row[0] for row in LEFT_OUT])
def test_what_is_left_out_is_found(text: str, parts: list[Part], missing: list[str]) -> None:
    found = unheard(text, said(text, *parts), (), NAMES)
    assert [span.text for span in found] == missing
    assert all(text[s.start : s.end] == s.text for s in found)


@pytest.mark.parametrize(("text", "parts"), HEARD, ids=[row[0] for row in HEARD])
def test_nothing_is_missed_where_all_was_heard(text: str, parts: list[Part]) -> None:
    assert not unheard(text, said(text, *parts), (), NAMES)


def test_a_noun_of_the_world_that_was_passed_over_is_found() -> None:
    text = "There are seats by the bench, Spot, inspect the box, then back to your post. Seating is dull."
    talk = [Span(77, 93, text[77:93])]
    found = unheard(
        text, said(text, BOX), talk, Names(), lambda word: word in ("seats", "seating", "there")
    )
    assert [span.text for span in found] == ["seats"]
    assert not unheard(text, said(text, BOX), talk, Names(), lambda word: word in ("back", "boxes"))


def test_talk_that_names_a_thing_is_no_talk() -> None:
    text = "The bench looks fine to me. Spot, inspect the box. Lovely day."
    talk = [Span(0, 27, text[:27]), Span(50, 61, text[50:61])]
    found = unheard(text, said(text, BOX), talk, NAMES)
    assert [span.text for span in found] == [text[:27]]
