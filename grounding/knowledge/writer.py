"""One change of the knowledge graph: decides what each assertion does, and writes it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from commonground.arguments import whole
from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.index import Draft
from commonground.grounding.knowledge.past import Past
from commonground.grounding.knowledge.records import SECOND_NS, Outcome, Record, Source
from commonground.grounding.knowledge.stored import record_of

if TYPE_CHECKING:
    from commonground.grounding.knowledge.store import KnowledgeStore

SIMULTANEOUS_S = 5.0
"""Sensors that disagree within this time contradict each other; later ones report a change."""


@dataclass(slots=True)
class _Log:
    """What happened to each fact of a change, in the order of `Outcome`'s fields."""

    confirmed: list[Fact] = field(default_factory=list)
    late: list[Fact] = field(default_factory=list)
    held: list[Fact] = field(default_factory=list)
    kept: list[Fact] = field(default_factory=list)


class Change:
    """Collects assertions within `KnowledgeStore.change`; they are written together or not at all."""

    def __init__(
        self, store: KnowledgeStore, tx: int, source: Source, at_ns: int, recorded_ns: int
    ) -> None:
        self.store = store
        self.tx = tx
        self.source = source
        self.at_ns = at_ns = whole(at_ns, "at_ns", GroundingError)
        self.recorded_ns = recorded_ns = whole(recorded_ns, "recorded_ns", GroundingError)
        self.draft = Draft(store.facts)
        """What is believed if the change is committed."""
        self.outcome = Outcome(tx)
        self.new_things: dict[str, Thing] = {}
        self.undoes: int | None = None
        self._log = _Log()
        self._past = Past(store, tx, at_ns)
        self._confidence: dict[Fact, float] = {}
        self._restored: dict[Fact, Record] = {}
        self._never: set[Fact] = set()
        store.connection.execute(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, NULL)",
            (tx, recorded_ns, at_ns, source.kind, source.name, source.words),
        )

    # ---- what callers say ---------------------------------------------------------------------

    def thing(self, thing: Thing) -> None:
        """Make a new thing known, or replace what is known of it."""
        if thing.kind not in self.store.vocabulary.types:
            raise GroundingError(f"'{thing.id}' has the unknown type '{thing.kind}'")
        self.new_things[thing.id] = thing

    def add(self, fact: Fact, confidence: float = 1.0) -> None:
        """Claim that a fact holds: believed, kept aside, or only of the past."""
        confidence = self._check(fact, confidence)
        if fact in self.draft:
            self._confirm(fact, confidence)
            return
        sure = confidence * self.store.trust(self.source, fact.relation)
        rivals = self.store.groups.rivals(self.draft, fact)
        known = [record for f in rivals if (record := self._record(f)) is not None]
        if self._is_late(fact, known):
            self._log.late.append(fact)
            self._past.add(fact, known, confidence)
        elif self._total(fact, confidence) < self.store.settings.commit_from:
            self._hold(fact, True, confidence, "not certain enough")
        elif self._contradicted(known, sure):
            self._hold(fact, True, confidence, "another sensor says otherwise at the same moment")
        else:
            self.store.groups.add(self.draft, fact)
            self._confidence[fact] = confidence
            self._settle(fact)

    def retract(self, fact: Fact, confidence: float = 1.0) -> None:
        """Claim that a fact does not hold, whatever holds instead."""
        confidence = self._check(fact, confidence)
        if fact not in self.draft:
            return
        record = self._record(fact)
        if record is not None and record.confirmed_ns > self.at_ns:
            self._log.late.append(fact)
        elif confidence < self.store.settings.commit_from:
            self._hold(fact, False, confidence, "not certain enough")
        else:
            self.store.groups.remove(self.draft, fact)

    def held_until_now(self, fact: Fact) -> None:
        """Enter into the history that a fact held up to this change, whatever was believed."""
        self._check(fact)
        at = self.at_ns
        self._past.enter(Record(fact, at, at, at, 1.0, self.tx, None, self.tx))

    def hold(self, fact: Fact, confidence: float, reason: str) -> None:
        """Keep a claim aside without believing it, such as hearsay."""
        self._hold(fact, True, self._check(fact, confidence), reason)

    def weaken(self, fact: Fact, confidence: float) -> None:
        """Believe a fact less, because it should have been seen and was not; below doubt, not at all."""
        confidence = self._check(fact, confidence)
        record = self._record(fact)
        if fact not in self.draft or record is None or record.confirmed_ns > self.at_ns:
            return
        if confidence < self.store.settings.doubt_below:
            self.store.groups.remove(self.draft, fact)
            return
        self.store.connection.execute(
            "UPDATE current SET confirmed_ns = ?, confidence = ? WHERE s = ? AND r = ? AND o = ?",
            (self.at_ns, min(confidence, record.confidence), *fact),
        )

    def undo(self, tx: int) -> None:
        """Take back an earlier change, where nothing newer has replaced what it did."""
        if not 1 < tx < self.tx:
            why = ", which is how the memory began" if tx == 1 else ""
            raise GroundingError(
                f"there is no change {tx} to undo{why}; see 'commonground memory changes'"
            )
        self.undoes = tx
        store = self.store
        for row in store._rows("SELECT s, r, o FROM current WHERE tx = ?1 OR origin = ?1", tx):
            self.draft.discard(Fact(*row))
            self._never.add(Fact(*row))
        rows = store._rows(
            "SELECT s, r, o, valid_ns, NULL, confirmed_ns, confidence, tx, tx_end, origin FROM history"
            " WHERE tx_end = ? AND ended_ns IS NULL ORDER BY id",
            tx,
        )
        for row in rows:
            self._reinstate(Record(Fact(*row[:3]), *row[3:]))
        rows = store._rows(
            "SELECT s, r, o, valid_ns, ended_ns, confirmed_ns, confidence, tx, tx_end, origin FROM history"
            " WHERE tx_end = ? AND ended_ns IS NOT NULL",
            tx,
        )
        for row in rows:  # what a late report had cut short
            self._past.enter(replace(record_of(row), tx=self.tx, tx_end=None))
        end = "UPDATE history SET tx_end = ? WHERE tx = ? AND tx_end IS NULL"
        store.connection.execute(end, (self.tx, tx))
        store.connection.execute("UPDATE claim SET status = 'withdrawn' WHERE tx = ?", (tx,))

    # ---- deciding -----------------------------------------------------------------------------

    def _check(self, fact: Fact, confidence: float = 1.0) -> float:
        """Refuse what cannot be so; return the confidence as the file has numbers."""
        kinds = {
            term: thing.kind
            for term in (fact.subject, fact.object)
            if (thing := self.new_things.get(term) or self.store.things.get(term)) is not None
        }
        problem = self.store.vocabulary.problem(fact, kinds)
        if problem is not None:
            raise GroundingError(f"fact {fact}: {problem}")
        if not 0 <= confidence <= 1:
            raise GroundingError(f"fact {fact}: a confidence is from 0 to 1, not {confidence}")
        return float(confidence)

    def _record(self, fact: Fact) -> Record | None:
        """Return what is known about a fact from before this change."""
        return None if fact in self.draft.added else self.store.record(fact)

    def _is_late(self, fact: Fact, rivals: Sequence[Record]) -> bool:
        """Return whether something newer is known of what a fact is about."""
        if any(record.confirmed_ns > self.at_ns for record in rivals):
            return True
        return not rivals and self._unknown_since(fact) > self.at_ns

    def _unknown_since(self, fact: Fact) -> int:
        """Return when the last fact that excludes this one ended; before all times if none has."""
        ended = -(2**63)
        for group, part in self.store.groups.of(fact.relation):
            for other in group.parts:
                column = "s" if part.order == other.order == (0,) else "o"
                key = fact.subject if part.order == (0,) else fact.object
                if column == "o" or other.arity == 1:
                    continue
                rows = self.store._rows(
                    "SELECT max(ended_ns) FROM history WHERE s = ? AND r = ? AND tx_end IS NULL",
                    *(key, other.predicate),
                )
                ended = max(ended, rows[0][0] if rows[0][0] is not None else ended)
        return ended

    def _total(self, fact: Fact, confidence: float) -> float:
        """Return the confidence of this claim together with open claims of other sources (noisy or)."""
        doubt = 1.0 - confidence
        rows = self.store._rows(
            "SELECT max(claim.confidence) FROM claim JOIN change USING (tx) WHERE s = ? AND r = ? AND o = ?"
            " AND holds AND status = 'open' AND (source, name) != (?, ?) AND claim.observed_ns >= ?"
            " GROUP BY source, name",
            *(*fact, self.source.kind, self.source.name, self._last_settled(fact)),
        )
        for (other,) in rows:
            doubt *= 1.0 - other
        return 1.0 - doubt

    def _last_settled(self, fact: Fact) -> int:
        """Return when what excludes a fact was last observed: older open claims no longer count."""
        rivals = self.store.groups.rivals(self.draft, fact)
        times = [r.confirmed_ns for f in rivals if (r := self._record(f)) is not None]
        return max(times, default=-(2**63))

    def _contradicted(self, rivals: Sequence[Record], sure: float) -> bool:
        """Return whether a sensor's claim meets as credible a one of another source at the same moment."""
        if self.source.kind != "sensor":
            return False
        window = SIMULTANEOUS_S * SECOND_NS
        for record in rivals:
            before = self.store.change_record(record.origin)
            if before is None or self.at_ns - record.confirmed_ns > window:
                continue
            same = (before.source.kind, before.source.name) == (self.source.kind, self.source.name)
            if before.source.kind in ("sensor", "person") and not same:
                trusted = record.confidence * self.store.trust(before.source, record.fact.relation)
                if sure < trusted + self.store.settings.margin:
                    return True
        return False

    # ---- writing ------------------------------------------------------------------------------

    def _confirm(self, fact: Fact, confidence: float) -> None:
        """Note that a believed fact was heard again: it is fresh, and its first source was right."""
        if fact in self.draft.added:
            return
        record = self.store.record(fact)
        self._log.confirmed.append(fact)
        if record is None or self.at_ns < record.confirmed_ns:
            return
        self.store.connection.execute(
            "UPDATE current SET confirmed_ns = ?, confidence = max(confidence, ?)"
            " WHERE s = ? AND r = ? AND o = ?",
            (self.at_ns, confidence, *fact),
        )
        self._count(record, right=True)

    def _count(self, record: Record, *, right: bool) -> None:
        """Count for the source of a fact that another one confirms or contradicts it."""
        change = self.store.change_record(record.origin)
        if change is None or change.source.kind not in ("person", "sensor"):
            return
        source = change.source
        if (source.kind, source.name) != (self.source.kind, self.source.name):
            self.store.connection.execute(
                "INSERT INTO trust VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
                " right = right + excluded.right, wrong = wrong + excluded.wrong",
                (source.kind, source.name, record.fact.relation, int(right), int(not right)),
            )

    def _hold(self, fact: Fact, holds: bool, confidence: float, reason: str) -> None:
        if confidence < self.store.settings.ignore_below:
            return
        self._log.held.append(fact)
        self.store.connection.execute(
            "INSERT INTO claim (s, r, o, holds, observed_ns, confidence, tx, status, reason)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, 'open', ?)",
            (*fact, int(holds), self.at_ns, confidence, self.tx, reason),
        )

    def _settle(self, fact: Fact) -> None:
        """Close the open claims that agree with what is believed now, or that it replaces."""
        rivals = self.store.groups.rivals
        rows = self.store._rows(
            "SELECT id, s, r, o, holds FROM claim WHERE s = ? AND status = 'open' AND observed_ns <= ?",
            *(fact.subject, self.at_ns),
        )
        alone = Draft(self.store.facts)
        alone.add(fact)
        for key, *triple, holds in rows:
            claimed = Fact(*triple)
            if claimed == fact:
                status = "accepted" if holds else "rejected"
            elif fact in rivals(alone, claimed):
                status = "rejected" if holds else "accepted"
            else:
                continue
            self.store.connection.execute("UPDATE claim SET status = ? WHERE id = ?", (status, key))

    def _reinstate(self, record: Record) -> None:
        """Believe a fact again that an undone change had retired, unless it was replaced since."""
        if record.fact in self.draft:
            return
        if self.store.groups.rivals(self.draft, record.fact):
            self._log.kept.append(record.fact)
            return
        self.draft.add(record.fact)
        self._restored[record.fact] = record

    def write(self) -> Outcome:
        """Write the difference between the draft and what was believed; called at the end of the block."""
        connection = self.store.connection
        write_things(connection, self.new_things.values(), self.tx)
        removed, added = sorted(self.draft.removed), sorted(self.draft.added)
        for fact in removed:
            self._retire(connection, fact)
        for fact in added:
            old = self._restored.get(fact)
            values = (
                (old.valid_ns, old.confirmed_ns, old.confidence, self.tx, old.origin)
                if old is not None
                else (self.at_ns, self.at_ns, self._confidence.get(fact, 1.0), self.tx, self.tx)
            )
            connection.execute(
                "INSERT INTO current VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*fact, *values)
            )
        if self.undoes is not None:
            connection.execute("UPDATE change SET undoes = ? WHERE tx = ?", (self.undoes, self.tx))
        log = self._log
        self.outcome = Outcome(
            self.tx,
            tuple(added),
            tuple(removed),
            *map(tuple, (log.confirmed, log.late, log.held, log.kept)),
        )
        return self.outcome

    def _retire(self, connection: sqlite3.Connection, fact: Fact) -> None:
        """Move a fact to the history: what was believed until now, and how long it held."""
        record = self.store.record(fact)
        if record is None:
            raise GroundingError(f"fact {fact} is in the index but not in {self.store.path}")
        connection.execute("DELETE FROM current WHERE s = ? AND r = ? AND o = ?", fact)
        values = (record.confirmed_ns, record.confidence)
        self._past.enter(
            Record(fact, record.valid_ns, None, *values, record.tx, self.tx, record.origin)
        )
        if fact not in self._never:
            end = max(self.at_ns, record.valid_ns)
            self._past.enter(
                Record(fact, record.valid_ns, end, *values, self.tx, None, record.origin)
            )


def write_things(connection: sqlite3.Connection, things: Iterable[Thing], tx: int) -> None:
    """Write things; one that is known is replaced."""
    connection.executemany(
        "INSERT OR REPLACE INTO thing VALUES (?, ?, ?, ?, ?)",
        ((t.id, t.kind, t.name, json.dumps(dict(t.traits)), tx) for t in things),
    )
