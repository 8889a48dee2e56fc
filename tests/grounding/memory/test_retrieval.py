"""What is retrieved: the best match of a query graph, and all a report needs within its tokens."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from commonground.grounding.knowledge import Fact, FactIndex, Source, Thing
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.linking import Calling
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.readers.language_model.answers import GoalAnswer, UpdateAnswer
from commonground.grounding.memory.readers.language_model.prompt import Heard, PromptWriter
from commonground.grounding.memory.readers.language_model.reader import ModelReader
from commonground.grounding.memory.retrieval.matching import Matching, candidates
from commonground.grounding.memory.retrieval.query import Edge, QueryGraph, query_of
from commonground.grounding.memory.retrieval.retriever import Retriever
from commonground.grounding.memory.retrieval.similarity import NameVectors
from commonground.grounding.model.client import ChatModel
from commonground.grounding.model.form import form_of
from commonground.grounding.model.tokens import estimate_messages
from commonground.grounding.settings import ModelSettings

THINGS = [f"t{n}" for n in range(6)]


def exhaustive(found: Matching, rows: Sequence[Sequence[tuple[str, float]]]) -> float:
    """Return the best score of any mapping of different things, tried one by one."""
    best = 0.0
    for chosen in itertools.product(*rows):
        things = [thing for thing, _ in chosen]
        if len(set(things)) < len(things):
            continue
        score, mapping = 0.0, dict[int, str]()
        for node, (thing, similarity) in enumerate(chosen):
            mapping[node] = thing
            score += found.gain(node, similarity, mapping)
        best = max(best, score)
    return best


@given(
    scores=st.lists(st.lists(st.floats(0, 1), min_size=6, max_size=6), min_size=1, max_size=4),
    links=st.lists(st.tuples(st.sampled_from(THINGS), st.sampled_from(THINGS)), max_size=8),
    edges=st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=4),
)
def test_the_bounded_search_finds_what_trying_everything_finds(
    scores: list[list[float]], links: list[tuple[str, str]], edges: list[tuple[int, int]]
) -> None:
    facts = FactIndex(Fact(a, "near", b) for a, b in links)
    size = len(scores)
    query = QueryGraph(
        [str(n) for n in range(size)],
        [Edge(a, "near", b) for a, b in edges if a != b and max(a, b) < size],
    )
    rows = candidates(THINGS, scores, cutoff=0.0, most=6)
    full = [row for row in rows if row]
    found = Matching(query, rows, facts)
    found.run()
    if len(full) == len(rows):
        assert abs(found.best - exhaustive(found, rows)) < 1e-9


def test_relations_decide_between_things_of_the_same_name() -> None:
    facts = FactIndex([Fact("mug_1", "on", "desk"), Fact("mug_2", "on", "sofa")])
    query = QueryGraph(["mug", "sofa"], [Edge(0, "on", 1)])
    rows = [[("mug_1", 0.9), ("mug_2", 0.9)], [("sofa", 1.0)]]
    assert Matching(query, rows, facts).run() == [{1: "sofa", 0: "mug_2"}]


def test_candidates_are_cut_off_relative_to_the_best() -> None:
    rows = candidates(["a", "b", "c"], [[0.4, 0.31, 0.1]], cutoff=0.75, most=8)
    assert [[thing for thing, _ in row] for row in rows] == [["a", "b"]]


def test_names_are_alike_despite_endings_and_misspellings() -> None:
    names = {
        "kettle": ["kettle in the kitchen"],
        "book": ["Una's cookbook"],
        "lamp": ["reading lamp"],
    }
    vectors = NameVectors(names)
    for phrase, thing in [("the ketle", "kettle"), ("cook book", "book"), ("lamps", "lamp")]:
        scores = vectors.similarities(phrase)
        assert vectors.things[int(scores.argmax())] == thing
        assert scores.max() <= 1 + 1e-9


def test_a_report_becomes_a_query_graph(memory: Memory) -> None:
    query = query_of("Ivo put Una's green phone on the counter.", memory.retriever.calling)
    assert query.nodes == ["ivo", "una 's green phone", "counter"]
    pairs = {(query.nodes[e.start], e.word, query.nodes[e.end]) for e in query.edges}
    assert ("una 's green phone", "on", "counter") in pairs


def test_the_published_ways_find_what_is_named(memory: Memory) -> None:
    calling = memory.retriever.calling
    search = memory.retriever.search(query_of("Ivo put Una's phone on the counter.", calling))
    assert search.things is not None
    assert {"una_phone", "counter"} <= search.things
    listed = memory.retriever.entities(["una_phone"])
    assert Fact("den_table", "in_room", "den") in listed.facts
    assert memory.retriever.everything().facts == tuple(sorted(memory.store.facts))


def test_a_prompt_stays_within_its_tokens_however_large_the_graph(memory: Memory) -> None:
    with memory.store.change(Source("file")) as change:
        for n in range(2000):
            change.thing(Thing(f"marble_{n}", "item", f"marble {n}"))
    facts = [Fact(f"marble_{n}", "resting_on", "den_table") for n in range(2000)]
    memory.store.assert_facts(facts, Source("file"))
    prompts = PromptWriter(memory.store.vocabulary, memory.store.kinds)
    heard = Heard("Una put her phone on the kitchen table.", None, "It rains.")
    room = prompts.room_for_facts(heard, 2200)
    retriever = Retriever(memory.retriever.calling, memory.store.facts)
    shown = retriever.relevant(heard.text, Discourse(), None, room)
    assert estimate_messages(prompts.update(heard, shown)) <= 2200
    assert Fact("una_phone", "resting_on", "den_table") in shown.facts
    assert Fact("kitchen_table", "in_room", "kitchen") in shown.facts
    assert shown.left_out > 0


TEXTS = (
    "Una put her phone on the kitchen table.",
    "Somebody moved the thing over there.",
    "All the marbles are on the den table, and marble 7 is clean.",
    "Marble 1, marble 2, marble 3 and every other item went to Ivo. " * 8,
)


def test_reports_and_tasks_take_at_most_2500_tokens_with_5000_things(memory: Memory) -> None:
    """The schema and the answer included."""
    with memory.store.change(Source("file")) as change:
        for n in range(5000):
            change.thing(Thing(f"marble_{n}", "item", f"marble {n}"))
    facts = [Fact(f"marble_{n}", "resting_on", "den_table") for n in range(5000)]
    memory.store.assert_facts(facts, Source("file"))
    model = ChatModel(ModelSettings(base_url="http://127.0.0.1:9/v1"))
    prompts = PromptWriter(memory.store.vocabulary, memory.store.kinds)
    retriever = Retriever(Calling(Names(memory.store.things.values(), memory.store.facts,
                                        memory.meanings)), memory.store.facts)  # fmt: skip
    reader = ModelReader(memory.store, retriever, model, prompts, memory.believing.verify)
    other = prompts.update(Heard("Ivo left."), retriever.everything())
    for text in TEXTS:
        heard = Heard(text, None, "It rains.", now="Sunday 2026-11-22 16:30")
        retrieved, _ = reader.retrieve(heard, Discourse())
        for messages, kind in (
            (prompts.update(heard, retrieved), UpdateAnswer),
            (prompts.goal(heard, retrieved, reader._most_for(GoalAnswer)), GoalAnswer),
        ):
            schema = form_of(kind).schema
            assert estimate_messages(messages, schema) + reader.answer_tokens <= 2500, text
            if kind is UpdateAnswer:  # servers keep what is the same in every prompt
                assert messages[0] == other[0]


def test_words_for_anything_bring_nothing(memory: Memory) -> None:
    with memory.store.change(Source("file")) as change:
        for n in range(300):
            change.thing(Thing(f"marble_{n}", "item", f"marble {n}"))
    names = Names(memory.store.things.values(), memory.store.facts, memory.meanings)
    retriever = Retriever(Calling(names), memory.store.facts)
    for text in ("Somebody moved the thing.", "The item is gone.", "There is an object here."):
        assert len(retriever.spoken_of(text, Discourse(), None)) < 24
