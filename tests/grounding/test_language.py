"""Words, numbers, spelling, grammar notation and what the parser says when it does not understand."""

from __future__ import annotations

import inspect
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonground.errors import GroundingError
from commonground.grounding.language.chart import Chart
from commonground.grounding.language.grammar import read_grammar
from commonground.grounding.language.lexicon import Names
from commonground.grounding.language.parser import OfflineParser
from commonground.grounding.language.tokens import sentences, tokenize
from commonground.grounding.meaning import meaning_from_json, meaning_to_json
from commonground.grounding.words.concepts import ClassIndex, read_concepts
from commonground.grounding.words.nouns import plural, singulars
from commonground.grounding.words.verbs import verb_forms

NAMES = Names(
    ("box", "flag", "door", "boat", "vehicle", "parking", "shelter", "fire_extinguisher"),
    ("north parking lot",),
    ("north",),
    ("spot", "husky"),
)


PARSER = OfflineParser(NAMES)


@pytest.fixture(scope="module")
def parser() -> OfflineParser:
    """A parser for a small vocabulary."""
    return PARSER


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


# ---- the grammar and its parser -----------------------------------------------------------------------


def _chart(grammar: str, words: str) -> Chart:
    tokens = words.split()
    table = [{f"={w}": [(i + 1, w, 0.0)]} for i, w in enumerate(tokens)]
    table.append({})
    return Chart(
        read_grammar(textwrap.dedent(grammar)),
        {"pair": lambda first, second: (first, second)},
        table,
    )


def test_the_chart_finds_every_reading_cheapest_first() -> None:
    grammar = """
    s = first:a second:b -> pair | "x" "x" "x" ~1.5
    a = "x" | "x" "x" ~0.5
    b = "x" "x" | "x"
    """
    readings = _chart(grammar, "x x x").parse("s", 0)
    assert sorted((r.end, r.cost) for r in readings) == [(2, 0.0), (3, 0.0), (3, 0.5), (3, 1.5)]
    assert [r.cost for r in readings] == sorted(r.cost for r in readings)


def test_a_chart_that_gave_up_is_asked_anew() -> None:
    chart = _chart('s = t\nt = first:"a" second:"b" -> pair', "a b")
    pair = chart.actions["pair"]

    def deep(**_: object) -> object:
        raise RecursionError

    chart.actions = {"pair": deep}
    with pytest.raises(RecursionError):
        chart.parse("s", 0)
    chart.actions = {"pair": pair}
    assert [r.value for r in chart.parse("s", 0)] == [("a", "b")]


def test_options_groups_and_repetition() -> None:
    grammar = 's = "a"? more:(n:"b" | "c")* last:"d"+'
    chart = _chart(grammar, "a b c b d d")
    assert max(r.end for r in chart.parse("s", 0)) == 6


@pytest.mark.parametrize(
    "bad",
    ["s = a", 's = ("a"', 's = "a" )', "= b", 's = "a" ->', 's = "a"\ns = "b"', 's = "a" $'],
)
def test_a_broken_grammar_is_refused(bad: str) -> None:
    with pytest.raises(GroundingError):
        read_grammar(bad)


def test_actions_get_the_parts_they_ask_for(parser: OfflineParser) -> None:
    """Every action of the shipped grammar is called with labels its function has."""
    for alternatives in parser.grammar.values():
        for alternative in alternatives:
            if alternative.action:
                given = {i.label: None for i in alternative.items if i.label}
                given |= dict.fromkeys(alternative.constants or {})
                inspect.signature(parser.actions[alternative.action]).bind(**given)


def test_terminals_of_the_grammar_are_in_the_vocabulary(parser: OfflineParser) -> None:
    categories: set[str] = set()
    stack = [parser.lexicon.phrases]
    while stack:
        node = stack.pop()
        categories |= {category for category, _, _ in node.entries}
        stack += node.children.values()
    dynamic = {
        "COMMA",
        "NUM",
        "INT",
        "SYMBOL",
        "STOP",
        "ANY",
        "WILD",
        "TELLING",
        "ROBOT",
        "NOUN",
        "NAMEPART",
    }
    used = {i.name for a in parser.grammar.values() for b in a for i in b.items if i.terminal}
    assert {name for name in used if not name.startswith("=")} <= categories | dynamic


def test_a_reading_survives_its_json(parser: OfflineParser) -> None:
    parse = parser.parse(
        "Spot, inspect any two boxes near the north lot except the red one, then wait there."
    )
    for meaning, _ in parse.meanings:
        assert meaning_from_json(meaning_to_json(meaning)) == meaning


@pytest.mark.parametrize("whom", ["me", "us"])
def test_whom_a_thing_is_fetched_for_changes_nothing(parser: OfflineParser, whom: str) -> None:
    plain = parser.parse("Spot, fetch the box.")
    assert plain.meanings
    assert parser.parse(f"Spot, fetch {whom} the box.").meanings[0][0] == plain.meanings[0][0]


def test_it_says_which_words_it_does_not_know(parser: OfflineParser) -> None:
    parse = parser.parse("Spot, defenestrate the box.")
    assert not parse.meanings
    assert parse.unclear == ("defenestrate",)
    assert "'defenestrate'" in parse.message


def test_it_says_where_it_stopped_understanding(parser: OfflineParser) -> None:
    parse = parser.parse("Spot, inspect the box under the the.")
    assert not parse.meanings
    assert parse.message.startswith("I do not understand")


@pytest.mark.parametrize(
    "text",
    [
        "Spot, inspect the box under the the.",
        "The the. Spot, go to the tree behind the flag and inspect the box.",
        "Spot, inspect the box or the flag, then go to the tree. Go to the tree.",
        "Spot, defenestrate the box beside the tree.",
    ],
)
def test_who_looked_for_things_before_changes_nothing(text: str) -> None:
    """A sentence is read once for all who ask; where an unreadable one breaks is told of its own reading."""
    known = OfflineParser(NAMES)
    named = known.mentions(text)
    known.cover(text)
    assert known.parse(text) == OfflineParser(NAMES).parse(text)
    assert known.mentions(text) == named == OfflineParser(NAMES).mentions(text)


def test_threads_that_read_the_same_at_once_read_it_alike() -> None:
    text = "Spot, inspect the box or the flag, then go to the tree that is beside the box near the flag."
    shared, expected = OfflineParser(NAMES), OfflineParser(NAMES).mentions(text)
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(lambda _: shared.mentions(text), range(8))]
    assert found == [expected] * 8


@pytest.mark.parametrize("text", ["", " \n ", "...", "?!", ", ;"])
def test_nothing_said_is_asked_about(parser: OfflineParser, text: str) -> None:
    assert "no instruction" in parser.parse(text).message


def test_clauses_are_not_nested_without_end(parser: OfflineParser) -> None:
    nested = parser.parse("Spot, go to the box" + " that is by the box" * 30)
    assert not nested.meanings and "in parts" in nested.message
    assert parser.parse("Spot, go to the box" + " that is by the box" * 3).meanings
    assert parser.parse(" ".join(["Spot, go to the box that is by the tree."] * 12)).meanings


def test_a_novel_is_refused(parser: OfflineParser) -> None:
    assert "too long" in parser.parse("go to the flag and " * 200).message


@given(st.text(max_size=120))
@settings(max_examples=150, deadline=None)
def test_any_text_is_parsed_or_asked_about(text: str) -> None:
    parse = PARSER.parse(text)
    assert bool(parse.meanings) != bool(parse.message)


_WORDS = st.sampled_from(
    str.split(
        "spot husky inspect go to the box boxes nearest flag and or then not avoid shelter it them one of "
        "two closest , . is in with should be whichever by first other you both except door that are near"
    )
)


@given(st.lists(_WORDS, min_size=1, max_size=16))
@settings(max_examples=250, deadline=None)
def test_any_shuffle_of_known_words_is_parsed_or_asked_about(words: list[str]) -> None:
    parse = PARSER.parse(" ".join(words))
    assert bool(parse.meanings) != bool(parse.message)
    for meaning, _ in parse.meanings:
        assert meaning.assignments
