"""The nodes of a map that words name: by their own names, their classes, and kinds of things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from commonground.grounding.linking import EXACT, HEAD, MENDED, Linker, Pool
from commonground.grounding.lookup.colored import of_color
from commonground.grounding.lookup.hits import CLASS, KIND, MAYBE, NAME, Mark, Marks
from commonground.grounding.lookup.where import LAYERS
from commonground.grounding.nodes import Nodes
from commonground.grounding.words.concepts import ClassIndex, artifacts
from commonground.scene import SceneGraph
from commonground.scene.layer import NO_LABEL

NAMED_SO = "the map calls it so"


class Named:
    """Finds nodes by words; what many questions share is worked out once.

    Words are linked to classes and names as instructions are.
    """

    def __init__(self, graph: SceneGraph, layers: Sequence[Nodes]) -> None:
        """``layers`` are those of ``LAYERS``."""
        self._graph, self._layers = graph, layers
        self._linker = Linker(layers)
        self._wide = [ClassIndex(filter(None, n.by_class), artifacts()) for n in layers]

    def marks(self, names: Sequence[str]) -> tuple[Marks, str]:
        """Return the nodes that some name means, each as near as the nearest; and words that none has."""
        out: dict[str, dict[int, Mark]] = {layer: {} for layer in LAYERS}
        unread = ""
        for name in names:
            marks, unread = self._by_words(name)
            for layer, own in marks.items():
                for row, mark in own.items():
                    out[layer][row] = min(mark, out[layer].get(row, mark))
        return out, unread

    def _by_words(self, asked: str) -> tuple[Marks, str]:
        """Return the nodes the words name, and the words in front that no class and no name has.

        The longest end of the phrase that names something counts: a noun's attributes stand before it.
        """
        said = asked.split()
        for start in range(len(said)):
            noun = " ".join(said[start:])
            marks = {LAYERS[at]: dict(self._named(at, noun)) for at in range(len(LAYERS))}
            if any(marks.values()):
                return of_color(marks, said[:start], self._layers)
        return {}, ""

    def _named(self, at: int, noun: str) -> Iterator[tuple[int, Mark]]:
        """Yield the nodes of a layer that a noun names, by the linker that instructions go through.

        What WordNet knows is asked where that finds nothing: it is wide and counts as "may be" only.
        """
        nodes = self._layers[at]
        named = self.called(nodes, noun)
        yield from named.items()
        pool = self._linker.pool(noun, nodes) if nodes.by_class else None
        if pool is not None and pool.grade != HEAD:
            yield from _linked(pool.of(pool.rows[~np.isin(pool.rows, sorted(named))]), noun)
        elif not named:
            wide, _ = self._wide[at].matches(noun.lower())
            for word in sorted(wide):
                why = f"a {word} may be meant by '{noun}'"
                yield from ((row, (MAYBE, why)) for row in nodes.by_class[word].tolist())

    def called(self, nodes: Nodes, noun: str) -> dict[int, Mark]:
        """Return the nodes that bear the very words as their name."""
        if nodes.layer not in self._graph.layers:
            return {}
        names, said = self._graph.layer(nodes.layer).names, noun.lower().strip()
        rows = (row for row, name in enumerate(names) if name and name.lower() == said)
        return {row: (self._rank(nodes, row), NAMED_SO) for row in rows}

    def _rank(self, nodes: Nodes, row: int) -> int:
        """A node that is called like its class has no name of its own."""
        layer = self._graph.layer(nodes.layer)
        same = nodes.words[row].lower() == layer.names[row].lower()
        return CLASS if same and layer.labels[row] != NO_LABEL else NAME


def _linked(pool: Pool, noun: str) -> Iterator[tuple[int, Mark]]:
    rank = CLASS if pool.grade == EXACT else KIND
    spelled = f"; {pool.note}" if pool.grade == MENDED else ""
    for row in pool.rows.tolist():
        why = "its class" if rank == CLASS else f"a {pool.nodes.words[row]} goes with '{noun}'"
        yield row, (rank, why + spelled)
