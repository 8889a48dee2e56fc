"""Reads household commands offline: words → clauses → utterance; vague ones by what things are for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from commonground.errors import did_you_mean
from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Crew, Part, Span, Steps, Utterance
from commonground.grounding.problem_writer.commands.chunks import Chunker
from commonground.grounding.problem_writer.commands.clauses import clauses_of
from commonground.grounding.problem_writer.commands.mentions import Clause
from commonground.grounding.problem_writer.commands.ordering import in_order
from commonground.grounding.problem_writer.commands.uttering import Uttering
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.serving import Serving
from commonground.grounding.problem_writer.wishes.wishing import WishTable, words_for
from commonground.grounding.resolver.choice import Unclear

MAX_CHARACTERS = 2000


class UnknownWord(Unclear):
    """A command has a word that the patterns do not know."""


class CommandReader:
    """Turns commands into goals; it asks rather than pass over words it does not know."""

    def __init__(self, kinds: Kinds, purposes: Purposes | None = None) -> None:
        self.table = WishTable(kinds, purposes)
        self._chunkers: dict[frozenset[str], Chunker] = {}

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for, or raise `Unclear` with a question."""
        if not text.strip() or len(text) > MAX_CHARACTERS:
            raise Unclear("What should be done?" if not text.strip() else "Please say it in parts.")
        try:
            clauses = self._without_headline(text, graph)
            return self.table.wish(self._utterance(clauses, text, graph), text, graph)
        except Unclear:
            named = self._named(self._clauses(text, graph), graph)
            vague = self._serving(graph).find(text, named)
            if vague is None:
                raise
            return Wish(vague, vague=True)

    def _chunker(self, graph: HouseGraph) -> Chunker:
        """Return what knows the words for the things of a house."""
        types = frozenset(graph.types().values())
        if types not in self._chunkers:
            self._chunkers[types] = Chunker(self.table.home(graph))
        return self._chunkers[types]

    def _utterance(self, clauses: Sequence[Clause], text: str, graph: HouseGraph) -> Utterance:
        """Return what clauses say, in the order in which it is to be done."""
        if all(_only_spares(clause) for clause in clauses):
            raise Unclear(f"What should be true once this is done: '{text.strip()}'?")
        uttering = Uttering(self.table.home(graph))
        said = [self._said(clause, uttering, text, graph) for clause in clauses]
        parts = []
        for at, waits in in_order(clauses):
            robots = tuple(Span(0, 0, robot) for robot in clauses[at].robots)
            crew = Crew("named", robots) if robots else None
            if said[at]:
                parts.append(Part(Steps("any order", tuple(said[at])), crew, then=waits))
        return Utterance(tuple(parts))

    def _said(
        self, clause: Clause, uttering: Uttering, text: str, graph: HouseGraph
    ) -> Sequence[Said]:
        """Return what a clause says; where that is not understood, what it is about as a whole."""
        try:
            if clause.unknown:
                raise self._unknown(clause.unknown[0], text, graph)
            return uttering.said(clause)
        except Unclear:
            vague = self._serving(graph).find(clause.text, self._named([clause], graph))
            if vague is None or clause.denied:
                raise
            return [Said("routine", verb=Span(0, 0, clause.text))]

    def _unknown(self, word: str, text: str, graph: HouseGraph) -> UnknownWord:
        near = did_you_mean(word, self._chunker(graph).phrases)
        return UnknownWord(f"I do not know '{word}' in '{text.strip()}'.{near}")

    def _without_headline(self, text: str, graph: HouseGraph) -> list[Clause]:
        """Return the clauses of a text; ``do the laundry: …`` only says what the rest is for."""
        headline, colon, rest = text.partition(":")
        clauses = self._clauses(text, graph)
        if not (colon and rest.strip()):
            return clauses
        before = self._clauses(headline, graph)
        says = any(c.objects or c.places or c.states or c.denied for c in before)
        return clauses if says or not before else self._clauses(rest, graph)

    def _serving(self, graph: HouseGraph) -> Serving:
        return Serving(self.table.purposes, self.table.home(graph).kinds, graph)

    def _named(self, clauses: Sequence[Clause], graph: HouseGraph) -> list[frozenset[str]]:
        """Return the words for each thing that clauses name."""
        mentions = [m for c in clauses for m in (*c.objects, *(place for _, place in c.places))]
        inner = [held for m in mentions for held in (*m.holding, *m.but)]
        home = self.table.home(graph)
        return [words_for(m.said, home) for m in (*mentions, *inner) if not m.back]

    def _clauses(self, text: str, graph: HouseGraph) -> list[Clause]:
        text = _plainly(text)
        chunks = self._chunker(graph).chunks(text, graph.types(), graph.robots())
        clauses = clauses_of(chunks)
        if clauses and clauses[0].frame == "ensure" and not clauses[0].objects:
            clauses = clauses[1:] or clauses
        return [self._resolved(clause) for clause in _topics(clauses)]

    def _resolved(self, clause: Clause) -> Clause:
        """Forget what only leads up to the rest: ``I want you to``."""
        if clause.frame in ("ensure", "take_up") and not (clause.objects or clause.unknown):
            return replace(clause, frame="", places=clause.places)
        return clause


_ONE = r"((?:the|a|an|my) [\w ]{2,30}?)"
_REWRITTEN = tuple(
    (re.compile(pattern, re.I), plain)
    for pattern, plain in (
        (
            r"\b(?:make sure|ensure|see to it|see)(?: that)? (?:nothing|no thing)"
            r" (?:is|remains|stays|lies|stands)(?: left)? (?:on|in) ",
            "clear ",
        ),
        (
            r"\bnothing (?:should|shall|must|may|is to) (?:be left|remain|stay|lie|be)(?: left)? (?:on|in) ",
            "clear ",
        ),
        (
            r"(?<!from )\b(?:wherever|whatever place) ([\w ]{2,40}?) (?:is|are|may be|might be)\b,?",
            r"find \1,",
        ),
        (
            rf"\b(?:on which|in which|where) {_ONE} (?:is|are)(?: (?:kept|now))?\b",
            r"with \1",
        ),
        (rf"\bthat {_ONE} (?:is|are) (?:on|in)(?=\s*(?:[.,;!?]|and\b|$))", r"with \1"),
    )
)
"""Relative clauses said more plainly."""


def _only_spares(clause: Clause) -> bool:
    """``do not touch the vase``: alone, that is nothing to do."""
    return clause.frame in ("spare", "intact") or (clause.denied and clause.frame != "ensure")


def _topics(clauses: Sequence[Clause]) -> list[Clause]:
    """Return clauses without topics: ``the tomato: slice it``."""
    out: list[Clause] = []
    for clause in clauses:
        before = out[-1] if out else None
        back = clause.objects and clause.objects[0].back in ("it", "them", "both")
        if (
            before is not None
            and back
            and before.objects
            and not (
                before.frame or before.places or before.states or before.unknown or before.denied
            )
        ):
            out.pop()
            clause.objects = [*before.objects, *clause.objects[1:]]
            clause.links = before.links
        out.append(clause)
    return out


def _plainly(text: str) -> str:
    for pattern, plain in _REWRITTEN:
        text = pattern.sub(plain, text)
    return text
