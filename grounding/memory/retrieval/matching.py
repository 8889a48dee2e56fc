"""Finding a query graph in the knowledge graph by depth-first search (L3M+P, Algorithms 1 and 2).

Agarwal et al., "L3M+P: Lifelong Planning with Large Language Models", 2025. The published search tries
every combination of candidates. Here the same best mappings are found with a bound: what the nodes still
open could add at most. The cutoff is relative to each node's best candidate, as published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.memory.retrieval.query import QueryGraph

Candidates = Sequence[Sequence[tuple[str, float]]]
"""For each node of a query, the things it may be with their similarity, best first."""


@dataclass(slots=True)
class Matching:
    """A search for the best mappings of query nodes to things."""

    query: QueryGraph
    candidates: Candidates
    facts: FactIndex
    edge_score: float = 0.6
    """What a relation of the query that the graph has too is worth beside a node of similarity 1."""
    margin: float = 0.05
    """Mappings that score as little below the best count as well: their things are retrieved too."""
    max_visits: int = 20_000
    best: float = 0.0
    kept: list[tuple[float, dict[int, str]]] = field(default_factory=list)
    visits: int = 0
    _related: dict[str, frozenset[str]] = field(default_factory=dict)

    def run(self) -> list[dict[int, str]]:
        """Algorithm 1: assign nodes depth first; return the mappings within the margin of the best."""
        order = sorted(range(len(self.candidates)), key=lambda n: len(self.candidates[n]))
        order = [n for n in order if self.candidates[n]]
        self._extend(order, 0, {}, 0.0)
        return [m for score, m in self.kept if score >= self.best - self.margin]

    def _extend(self, order: list[int], depth: int, mapping: dict[int, str], score: float) -> None:
        self.visits += 1
        if self.visits > self.max_visits or score + self._bound(order, depth) < self.best:
            return
        if depth == len(order):
            self.best = max(self.best, score)
            self.kept.append((score, dict(mapping)))
            return
        node = order[depth]
        for thing, similarity in self.candidates[node]:
            if thing in mapping.values():
                continue
            mapping[node] = thing
            gained = self.gain(node, similarity, mapping)
            self._extend(order, depth + 1, mapping, score + gained)
            del mapping[node]

    def _bound(self, order: Sequence[int], depth: int) -> float:
        """Return the most that the nodes still open can add, the margin included."""
        left = set(order[depth:])
        nodes = sum(self.candidates[n][0][1] for n in left)
        edges = sum(e.start in left or e.end in left for e in self.query.edges)
        return nodes + self.edge_score * edges + self.margin

    def gain(self, node: int, similarity: float, mapping: Mapping[int, str]) -> float:
        """Algorithm 2: the score a node adds: its similarity, and every relation that holds in the graph."""
        score = similarity
        for edge in self.query.edges:
            if node in (edge.start, edge.end) and edge.start in mapping and edge.end in mapping:
                held = mapping[edge.end] in self._around(mapping[edge.start])
                score += self.edge_score * held
        return score

    def _around(self, thing: str) -> frozenset[str]:
        if thing not in self._related:
            near = {
                end for fact in self.facts.one_hop(thing) for end in (fact.subject, fact.object)
            }
            self._related[thing] = frozenset(near)
        return self._related[thing]


def candidates(
    things: Sequence[str], scores: Sequence[Sequence[float]], cutoff: float, most: int
) -> Candidates:
    """Return for each node the things at least ``cutoff`` times as similar as its most similar one."""
    found = []
    for row in scores:
        ranked = sorted(zip(things, row, strict=True), key=lambda pair: (-pair[1], pair[0]))
        best = ranked[0][1] if ranked else 0.0
        found.append([(t, s) for t, s in ranked[:most] if s > 0 and s >= cutoff * best])
    return found
