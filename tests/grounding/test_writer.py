"""The graph that writes rows says what the file's own graph says, whatever rows go through together."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from commonground.errors import GroundingError
from commonground.grounding.english.decoder import START, Way, decode
from commonground.grounding.english.graphs import Graph, read_graph, session
from commonground.grounding.english.model import Network
from commonground.grounding.english.reader import load_reader
from commonground.grounding.english.spans import KINDS, Segment, likely_tags, segments_of
from commonground.grounding.english.symbols import POINTER, all_symbols
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.english.writer import Writer

DATA = Path(str(files("commonground.grounding.english") / "data"))
TEXT = "Petra set the blue lamp from the crate on the shelf, and Omar has the key."
NOUN = KINDS.index("noun")


@cache
def network() -> Network:
    return load_reader().network


@cache
def its_own_graph() -> Any:
    return session((DATA / "write.onnx").read_bytes())


def marked(most: int) -> tuple[npt.NDArray[np.float32], list[list[Segment]]]:
    known = network().known([t.text for t in tokens_of(TEXT)], "memory")
    states, tags = network().encode(known)
    return states, [segments_of(one) for _, one in likely_tags(tags, most)]


def written_by_the_file(
    states: npt.NDArray[np.float32], segments: list[Segment], way: Way
) -> list[float]:
    """Return what each item of a row scores by the graph of the file, the row alone and step by step."""
    net = network()
    spans, seen = net._look_at(states, segments)
    items: list[Way] = []
    while way.before is not None:
        items, way = [way, *items], way.before
    past = np.zeros((2, 2, 1, 4, 0, 64), np.float32)
    found = []
    for item in items:
        before = item.before
        assert before is not None and before.place is not None
        used = np.zeros((1, 1, spans.shape[1]), np.float32)
        used[0, 0, list(before.used)] = 1
        opened = before.place.opened
        scope = all_symbols().index(opened) if opened else START
        rows = {"symbols": before.last, "pointers": before.pointed, "scopes": scope}
        given = {name: np.array([[number]]) for name, number in rows.items()}
        scores, past = its_own_graph().run(
            None, given | {"used": used, "spans": spans, "seen": seen, "past": past}
        )
        pointed = item.last == all_symbols().index(POINTER)
        found.append(float(scores[0, START + item.pointed if pointed else item.last]))
    return found


def test_rows_score_what_they_do_alone_in_the_graph_of_the_file() -> None:
    states, ways = marked(3)
    decoded = decode(network(), states, ways, 4, 8.0)
    whole = [
        (segments, way) for segments, rows in zip(ways, decoded, strict=True) for way in rows[:2]
    ]
    assert len(whole) >= 3
    for segments, way in whole:
        alone = sum(written_by_the_file(states, segments, way))
        # numbers of eight bits are rounded by the largest of all rows that go through together
        assert way.score == pytest.approx(alone, abs=0.05 + 0.05 * abs(alone))


def test_ways_to_mark_a_text_do_not_see_each_other() -> None:
    states, ways = marked(3)
    together = decode(network(), states, ways, 3, 7.0)
    assert any(together)
    for segments, rows in zip(ways, together, strict=True):
        (alone,) = decode(network(), states, [segments], 3, 7.0)
        assert bool(rows) == bool(alone)
        spans = [Span(start, end, "x") for start, end, _ in segments if rows]
        if not spans:
            continue
        assert rows[0].utterance(spans) == alone[0].utterance(spans)
        assert rows[0].score == pytest.approx(alone[0].score, abs=0.1)


@pytest.mark.parametrize("segments", [[], [(0, 1, NOUN)]])
def test_a_text_may_have_hardly_any_spans(segments: list[Segment]) -> None:
    states, (usual, *_) = marked(1)
    decoded = decode(network(), states, [usual, segments], 3, 7.0)
    assert all(len(way.used) <= len(segments) for way in decoded[1])


def test_a_graph_is_drawn_and_read_again() -> None:
    graph = Graph()
    rows = graph.constant(np.arange(600, dtype=np.float32).reshape(300, 2))
    twice = graph.node("Add", graph.node("Gather", rows, "which", axis=0), "more")
    drawn = graph.drawn({"which": ("n",), "more": ("n", 2)}, {twice: ("n", 2)}, whole=("which",))
    nodes, constants = read_graph(drawn)
    assert [node.kind for node in nodes] == ["Gather", "Add"]
    assert nodes[1].takes[1] == "more" and constants[rows].shape == (300, 2)
    given = {"which": np.array([299, 0]), "more": np.full((2, 2), 0.5, np.float32)}
    (sums,) = session(drawn).run(None, given)
    assert sums.tolist() == [[598.5, 599.5], [0.5, 1.5]]


@pytest.mark.parametrize("name", ["encode", "look", "write"])
def test_every_processor_sums_the_weights_alike(name: str) -> None:
    # products of unsigned with signed bytes overflow where there is no VNNI, and texts are read otherwise
    _, constants = read_graph((DATA / f"{name}.onnx").read_bytes())
    small = [values for values in constants.values() if values.dtype in (np.int8, np.uint8)]
    assert small and all(values.dtype == np.uint8 for values in small)


@pytest.mark.parametrize("spoil", [slice(0, 1000), slice(0, 0), slice(7, None)])
def test_what_is_no_graph_is_said_to_be_none(spoil: slice) -> None:
    with pytest.raises(ValueError, match=r"graph|early|has no"):
        Writer((DATA / "write.onnx").read_bytes()[spoil], 2, 4, 64)


def test_a_folder_with_another_graph_is_no_reader(tmp_path: Path) -> None:
    for name in ("tables.npz", "words.npz", "encode.onnx", "look.onnx"):
        (tmp_path / name).symlink_to(DATA / name)
    (tmp_path / "write.onnx").symlink_to(DATA / "look.onnx")
    with pytest.raises(GroundingError, match="cannot be read as a reader of English"):
        Network(tmp_path)
