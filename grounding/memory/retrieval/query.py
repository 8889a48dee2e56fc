"""Query graphs: what a text speaks of, as nodes in its own words and how it relates them."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.report import ReportReader

_SPOKEN = frozenset(["thing", "person", "value", "unknown"])


@dataclass(frozen=True, slots=True)
class Edge:
    """That a text relates two of its nodes, and in which word."""

    start: int
    word: str
    end: int


@dataclass(slots=True)
class QueryGraph:
    """Phrases and the relations between them, to be found again in the knowledge graph."""

    nodes: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def node(self, words: str) -> int:
        """Return the number of a phrase, a new one where it has not been said yet."""
        if words not in self.nodes:
            self.nodes.append(words)
        return self.nodes.index(words)


def query_of(text: str, reader: ReportReader) -> QueryGraph:
    """Return the query graph of a text: its noun phrases, joined where a clause or phrase joins them."""
    query = QueryGraph()
    for tokens in reader.tokens(text):
        for clause in reader.clauses(reader.cleaner.clean(tokens)):
            _add_clause(clause, query)
    return query


def _add_clause(clause: Clause, query: QueryGraph) -> None:
    themes = [_add(m, query) for m in clause.objects] or [_add(clause.subject, query)]
    places = [(prep, _add(m, query)) for prep, m in clause.places]
    _add(clause.subject, query)
    _add(clause.agent, query)
    for theme in themes:
        for prep, place in places:
            if theme is not None and place is not None and theme != place:
                query.edges.append(Edge(theme, prep, place))


def _add(mention: Mention | None, query: QueryGraph) -> int | None:
    """Add a phrase with what describes it; return its node, if it names anything."""
    if mention is None:
        return None
    for part in (*mention.parts, *mention.excluding):
        _add(part, query)
    node = query.node(mention.words) if mention.kind in _SPOKEN and mention.words else None
    inner = [("of", mention.owner), ("with", mention.holder), ("of", mention.content)]
    for word, other in (*inner, *mention.where):
        end = _add(other, query)
        if node is not None and end is not None and node != end:
            query.edges.append(Edge(node, word, end))
    return node
