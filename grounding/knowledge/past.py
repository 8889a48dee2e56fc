"""The past as one change of the knowledge graph leaves it: facts that held once, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from commonground.grounding.knowledge.facts import FALSE, Fact
from commonground.grounding.knowledge.records import Record
from commonground.grounding.knowledge.stored import record_of

if TYPE_CHECKING:
    from commonground.grounding.knowledge.store import KnowledgeStore

_PAST = (
    "SELECT s, r, o, valid_ns, ended_ns, confirmed_ns, confidence, tx, tx_end, origin FROM history"
    " WHERE tx_end IS NULL AND ended_ns IS NOT NULL"
)
"""What is believed of earlier times, in the columns that `record_of` reads."""


class Past:
    """Writes the history for one change."""

    def __init__(self, store: KnowledgeStore, tx: int, at_ns: int) -> None:
        self._store, self._tx, self._at_ns = store, tx, at_ns

    def add(self, fact: Fact, rivals: Sequence[Record], confidence: float) -> None:
        """Enter a fact that held once into the history, up to where newer knowledge begins.

        What was believed of that time and cannot be beside it ends there.
        """
        if any(record.valid_ns <= self._at_ns for record in rivals):
            return  # it was so before and after, as far as is known
        past = self._excluded(fact)
        over = [r for r in past if r.valid_ns <= self._at_ns < (r.ended_ns or 0)]
        ends = [r.valid_ns for r in (*rivals, *past) if r.valid_ns > self._at_ns]
        ends += [r.ended_ns for r in over if r.ended_ns is not None]
        for record in over:
            self._end(record)
        if ends:
            self.enter(
                Record(
                    fact, self._at_ns, min(ends), self._at_ns, confidence, self._tx, None, self._tx
                )
            )

    def _excluded(self, fact: Fact) -> list[Record]:
        """Return what is believed of earlier times and cannot be beside a fact."""
        rows: list[tuple[Any, ...]] = []
        if fact.is_property:
            rows += self._store._rows(_PAST + " AND s = ? AND r = ? AND o != ?", *fact)
        for group, part in self._store.groups.of(fact.relation):
            key = fact.subject if part.order == (0,) else fact.object
            for other in group.parts:
                column = "s" if other.order == (0,) else "o"
                rows += self._store._rows(
                    f"{_PAST} AND {column} = ? AND r = ?", key, other.predicate
                )
        return [r for r in map(record_of, rows) if r.fact != fact and r.fact.object != FALSE]

    def _end(self, over: Record) -> None:
        """Let a fact of the past end where this change says otherwise, also for who asks of that time."""
        self._store.connection.execute(
            "UPDATE history SET tx_end = ? WHERE s = ? AND r = ? AND o = ? AND valid_ns = ?"
            " AND ended_ns = ? AND tx = ? AND tx_end IS NULL",
            (self._tx, *over.fact, over.valid_ns, over.ended_ns, over.tx),
        )
        if over.valid_ns < self._at_ns:
            self.enter(replace(over, ended_ns=self._at_ns, tx=self._tx, tx_end=None))

    def enter(self, record: Record) -> None:
        """Write a line of the history."""
        self._store.connection.execute(
            "INSERT INTO history (s, r, o, valid_ns, ended_ns, confirmed_ns, confidence, tx, tx_end, origin)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(*record.fact, record.valid_ns, record.ended_ns, record.confirmed_ns),
                *(record.confidence, record.tx, record.tx_end, record.origin),
            ),
        )
