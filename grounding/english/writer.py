"""Writes the next symbol of many rows at once: the graph of ``write.onnx`` drawn anew with few large nodes.

The graph of the file has 300 small nodes, and runs for one text with its spans marked in one way: handing on
costs more there than arithmetic. Here a node is a whole product, attention or norm, the rows of all ways to
mark the spans go through together, and what rows have in common is kept once. The weights are the file's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from commonground.grounding.english.graphs import (
    CONTRIB,
    Array,
    Graph,
    Node,
    Shape,
    read_graph,
    session,
)
from commonground.grounding.english.symbols import MAX_SYMBOLS, POINTER, all_symbols
from commonground.reasons import reason

Floats = npt.NDArray[np.float32]
_EPSILON = 1e-5
"""Of the norms, as in training."""
_HIDDEN = -1e9
"""What is added to the score of what may not be looked at, or pointed at."""
_POINTER = all_symbols().index(POINTER)


@dataclass(frozen=True, slots=True)
class Told:
    """What rows are written about: one text, its spans marked in one way or several."""

    spans: Floats
    """(1, all spans, width): those of the first way to mark the text, then those of the next."""
    firsts: tuple[int, ...]
    """Where those of each way begin."""
    absent: Floats
    """(ways to mark, all spans): what is added to the scores of spans."""
    seen: tuple[Floats, ...]
    """Keys and values of the tokens as each way marks them, by layer: (1, all tokens, width)."""
    unseen: Floats
    """(ways to mark, all tokens): what is added where a row of each way looks."""


def told(ways: Sequence[tuple[Floats, Floats]]) -> Told:
    """Put together what the network says of each way to mark a text: its spans, and its tokens."""
    spans = np.concatenate([spans for spans, _ in ways], 1)
    seen = np.concatenate([seen for _, seen in ways], 4)
    counts, tokens = [len(one[0]) for one, _ in ways], seen.shape[4] // len(ways)
    layers, _, _, heads, _, each = seen.shape
    rows = seen.transpose(0, 1, 2, 4, 3, 5).reshape(2 * layers, 1, -1, heads * each)
    firsts = tuple(np.cumsum([0, *counts[:-1]]).tolist())
    return Told(spans, firsts, _others(counts), tuple(rows), _others([tokens] * len(ways)))


def _others(counts: Sequence[int]) -> Floats:
    """Return for each of several rows of things what hides those of the others."""
    hidden = np.full((len(counts), sum(counts)), _HIDDEN, np.float32)
    owner = np.repeat(np.arange(len(counts)), counts)
    hidden[owner, np.arange(len(owner))] = 0
    return hidden


@cache
def _apart(rows: int) -> Floats:
    """Return what hides rows from each other."""
    return _others([1] * rows)


class Written(NamedTuple):
    """The rows under way."""

    last: npt.NDArray[np.int64]
    """The number of the symbol that was written last in each."""
    scopes: npt.NDArray[np.int64]
    """The symbol of the value that is open."""
    pointed: npt.NDArray[np.int64]
    """The span that was pointed at, among all, if one was."""
    used: Floats
    """(rows, all spans): 1 for each that was pointed at."""
    ways: npt.NDArray[np.int64]
    """How the text is marked that each is about."""
    came: npt.NDArray[np.int64]
    """Which of the rows before each goes on."""


class Kept(NamedTuple):
    """The memory of rows: what was written is kept once, however many rows go on from there."""

    cells: tuple[Floats, ...]
    """Keys and values of what was written, by layer: (1, cells, width)."""
    closed: Floats
    """(rows, cells): what is added where a row looks, for it has only those of its own past."""

    def onwards(self, came: npt.NDArray[np.int64]) -> Kept:
        """Return the memory of rows that go on from these; what none of them came by is forgotten."""
        closed = self.closed[came]
        needed = np.logical_or.reduce(closed == 0, 0)
        if np.logical_and.reduce(needed):
            return Kept(self.cells, closed)
        return Kept(tuple(cell[:, needed] for cell in self.cells), closed[:, needed])


class Writer:
    """The decoder of a network, from its file."""

    def __init__(self, data: bytes, layers: int, heads: int, each: int) -> None:
        self._layers, self._heads, self._width = layers, heads, heads * each
        nodes, constants = read_graph(data)
        try:
            weights = {name.removeprefix("net."): values for name, values in constants.items()}
            self._symbols, self._scopes = (_table(weights, of) for of in ("symbol_in", "scope_in"))
            self._used = np.float32(weights["used"])
            drawn = self._drawn(weights, _products(nodes, constants))
            # sum and norm in one node, as onnxruntime would have it, take longer than apart
            self._session = session(drawn, fuse=False)
        except KeyError as error:
            raise ValueError(f"it has no {reason(error)}") from error

    def nothing_yet(self, rows: int) -> Kept:
        """Return the memory of rows in which nothing is written."""
        nothing = np.zeros((1, 0, self._width), np.float32)
        return Kept((nothing,) * (2 * self._layers), np.zeros((rows, 0), np.float32))

    def write(self, rows: Written, about: Told, kept: Kept, place: int) -> tuple[Floats, Kept]:
        """Return log probabilities, (rows, symbols and all spans), and the rows' memory."""
        x = self._symbols[rows.last] + self._scopes[rows.scopes]
        points = rows.last == _POINTER
        x[points] += about.spans[0, rows.pointed[points]]
        cells, closed = kept.onwards(rows.came)
        closed = np.concatenate([closed, _apart(len(x))], 1)
        scores, *more = self._session.run(
            None,
            {
                "x": x[None],
                "places": np.full((1, len(x)), place),
                "closed": self._each_head(closed),
                "unseen": self._each_head(about.unseen[rows.ways]),
                "spans": about.spans,
                "used": (rows.used * self._used + about.absent[rows.ways])[None],
                **{f"cells{k}": one for k, one in enumerate(cells)},
                **{f"seen{k}": one for k, one in enumerate(about.seen)},
            },
        )
        return scores[0], Kept(tuple(more), closed)

    def _each_head(self, added: Floats) -> Floats:
        return added[None, None].repeat(self._heads, 1)

    def _drawn(self, weights: Mapping[str, Array], products: Mapping[str, _Product]) -> bytes:
        """Return the graph as one file."""
        graph, width = Graph(), self._width
        turns = np.arange(MAX_SYMBOLS)[:, None] * weights["exp"]
        cos, sin = (graph.constant(f(turns).astype(np.float32)) for f in (np.cos, np.sin))

        def times(x: str, *names: str) -> str:
            found = zip(*(products[name] for name in names), strict=True)
            numbers = (graph.constant(np.concatenate(parts, -1)) for parts in found)
            return graph.node("DynamicQuantizeMatMul", x, *numbers, domain=CONTRIB)

        def normed(x: str, name: str) -> str:
            scale, bias = (graph.constant(weights[f"{name}.{of}"]) for of in ("weight", "bias"))
            return graph.node("LayerNormalization", x, scale, bias, axis=-1, epsilon=_EPSILON)

        def added(x: str, more: str, name: str) -> tuple[str, str]:
            """Return the sum, normed and as it is."""
            plain = graph.node("Add", x, more)
            return normed(plain, name), plain

        def split(x: str, *sizes: int) -> tuple[str, ...]:
            parts = graph.constant(np.array(sizes))
            return graph.nodes("Split", x, parts, gives=len(sizes), axis=-1)

        def attention(query: str, keys: str, values: str, hidden: str) -> str:
            return graph.node(
                "MultiHeadAttention", query, keys, values, "", "", hidden,
                domain=CONTRIB, num_heads=self._heads,
            )  # fmt: skip

        x = "x"
        y = normed(x, "layers.0.n1")
        kept: list[str] = []
        for k in range(self._layers):
            at, after = f"layers.{k}", f"layers.{k + 1}.n1" if k + 1 < self._layers else "norm"
            both = times(y, f"{at}.attend.q", f"{at}.attend.kv")
            turning, value = split(both, 2 * width, width)
            turned = graph.node("RotaryEmbedding", turning, "places", cos, sin, domain=CONTRIB)
            query, key = split(turned, width, width)
            keys = graph.node("Concat", f"cells{2 * k}", key, axis=1)
            values = graph.node("Concat", f"cells{2 * k + 1}", value, axis=1)
            kept += keys, values
            heard = attention(query, keys, values, "closed")
            y, x = added(x, times(heard, f"{at}.attend.out"), f"{at}.n2")
            query = times(y, f"{at}.look.q")
            looked = attention(query, f"seen{2 * k}", f"seen{2 * k + 1}", "unseen")
            y, x = added(x, times(looked, f"{at}.look.out"), f"{at}.n3")
            fed = graph.node("Gelu", times(y, f"{at}.feed.0"))
            y, x = added(x, times(fed, f"{at}.feed.2"), after)
        symbols, points = split(times(y, "symbols", "point"), len(all_symbols()), width)
        fits = graph.node(
            "FusedMatMul", points, "spans", domain=CONTRIB, transB=1, alpha=width**-0.5
        )
        every = graph.node("Concat", symbols, graph.node("Add", fits, "used"), axis=-1)
        scores = graph.node("LogSoftmax", every, axis=-1)
        takes: dict[str, Shape] = {
            "x": (1, "rows", width),
            "places": (1, "rows"),
            "closed": (1, self._heads, "rows", "cells and rows"),
            "unseen": (1, self._heads, "rows", "tokens"),
            "spans": (1, "spans", width),
            "used": (1, "rows", "spans"),
        }
        for k in range(2 * self._layers):
            takes |= {f"cells{k}": (1, "cells", width), f"seen{k}": (1, "tokens", width)}
        gives: dict[str, Shape] = {scores: (1, "rows", "all")}
        gives |= dict.fromkeys(kept, (1, "cells and rows", width))
        return graph.drawn(takes, gives, whole=("places",))


class _Product(NamedTuple):
    """A matrix of small numbers, what its columns count, which numbers stand for zero, and what is added."""

    rows: Array
    scale: Array
    zero: Array
    bias: Array


def _products(nodes: Sequence[Node], constants: Mapping[str, Array]) -> dict[str, _Product]:
    """Return the products of a graph that was made smaller: by the name of what is added to each."""
    matrix = {n.gives[0]: n.takes[1] for n in nodes if n.kind == "MatMulInteger"}
    found = {}
    for node in nodes:
        for x, bias in (node.takes, node.takes[::-1]) if node.kind == "Add" else ():
            rows = matrix.get(f"{x}_output_quantized")
            if rows is not None and bias.endswith(".bias"):
                base, name = rows.removesuffix("quantized"), bias.removeprefix("net.")
                of = (constants[one] for one in (rows, f"{base}scale", f"{base}zero_point", bias))
                found[name.removesuffix(".bias")] = _Product(*of)
    return found


def _table(weights: Mapping[str, Array], name: str) -> Floats:
    """Return a table of small numbers as what they stand for."""
    rows, zero = (
        weights[f"{name}.weight_{part}"].astype(np.float32) for part in ("quantized", "zero_point")
    )
    found: Floats = (rows - zero) * weights[f"{name}.weight_scale"]
    return found
