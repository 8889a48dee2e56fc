"""The knowledge graph: durable, with history, quick to ask."""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from commonground.arguments import whole
from commonground.errors import GroundingError
from commonground.grounding.knowledge import database
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.knowledge.records import (
    ChangeRecord,
    Claim,
    Outcome,
    Record,
    Source,
    faded,
)
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.knowledge.stored import (
    Kinds,
    PastFacts,
    StoredFacts,
    StoredThings,
    change_of,
    record_of,
    source_row,
    thing_of,
)
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.knowledge.writer import Change, write_things
from commonground.planning.pddl import Atom

_RECORDS = """
SELECT s, r, o, valid_ns, NULL, confirmed_ns, confidence, tx, NULL, origin
FROM (VALUES {}) CROSS JOIN current ON s = column1 AND r = column2 AND o = column3"""
_AT_ONCE = 250
"""So many facts are looked up in one query."""
_HISTORY = """
SELECT s, r, o, valid_ns, ended_ns, confirmed_ns, confidence, tx, tx_end, origin
FROM history WHERE s = ?1 OR o = ?1
UNION ALL
SELECT s, r, o, valid_ns, NULL, confirmed_ns, confidence, tx, NULL, origin
FROM current WHERE s = ?1 OR o = ?1"""


class KnowledgeStore:
    """Facts typed by a PDDL domain, in an SQLite file with an index in memory.

    One process writes at a time, any number may read; each sees a change at the latest when it calls
    `refresh` (every read method but those of `facts` does). An object belongs to one thread.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, settings: KnowledgeSettings
    ) -> None:
        self.path = path
        self.settings = settings
        self.connection = connection
        self.read_only = False
        self.things = StoredThings(self._looked_up, thing_of)
        self.facts: FactIndex = StoredFacts(self._looked_up)
        """What is believed now. Read it freely; only a change writes it."""
        self._known_changes: dict[int, ChangeRecord] = {}
        self.tx = 0
        """The newest change this object has seen."""
        with database.translated(path):
            self.vocabulary = Vocabulary.parse(self.note("domain") or "", f"{path} (domain)")
            self.groups = Groups.from_json(self.note("groups") or "[]", self.kinds, self.vocabulary)
            self._load()

    # ---- opening ------------------------------------------------------------------------------

    @classmethod
    def create(
        cls,
        path: str | Path,
        domain: str,
        things: Iterable[Thing],
        facts: Iterable[Fact],
        *,
        at_ns: int | None = None,
        source: Source | None = None,
        settings: KnowledgeSettings | None = None,
        groups: Groups | None = None,
    ) -> KnowledgeStore:
        """Make a new file with a world; it appears complete or not at all.

        Which facts replace which the domain and the facts tell, unless groups are given.
        """
        target, listed = Path(path), list(facts)
        if target.exists():
            raise GroundingError(
                f"{target}: exists already; choose another file or remove it first"
            )
        vocabulary = Vocabulary.parse(domain)
        groups = groups or Groups.derive(vocabulary, listed)
        now = time.time_ns() if at_ns is None else whole(at_ns, "at_ns", GroundingError)
        partial = target.with_name(f".{target.name}.partial")
        for old in (partial, *(Path(f"{partial}{end}") for end in ("-wal", "-shm"))):
            old.unlink(missing_ok=True)
        connection = database.create(partial)
        with database.translated(partial), contextlib.closing(connection):
            with database.transaction(connection):
                notes = {"domain": domain, "groups": groups.to_json()}
                connection.executemany("INSERT INTO meta VALUES (?, ?)", notes.items())
                connection.execute(
                    "INSERT INTO change VALUES (1, ?, ?, ?, ?, ?, NULL)",
                    (now, now, *source_row(source or Source("file"))),
                )
                write_things(connection, things, 1)
                connection.executemany(
                    "INSERT OR IGNORE INTO current VALUES (?, ?, ?, ?, ?, 1.0, 1, 1)",
                    ((*fact, now, now) for fact in listed),
                )
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        partial.rename(target)
        return cls.open(target, settings=settings)

    @classmethod
    def open(
        cls, path: str | Path, *, read_only: bool = False, settings: KnowledgeSettings | None = None
    ) -> KnowledgeStore:
        """Open a file; several processes may, and one of them may be writing."""
        target = Path(path)
        connection = database.connect(target, read_only=read_only)
        try:
            store = cls(target, connection, settings or KnowledgeSettings())
        except BaseException:
            connection.close()
            raise
        store.read_only = read_only
        return store

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> KnowledgeStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- keeping the index up to date ---------------------------------------------------------

    def _load(self) -> None:
        with self._reading():
            self._seen = self._data_version()
            self.tx = self._newest()

    def refresh(self) -> None:
        """Take in what other processes have committed; costs microseconds where nothing has."""
        if self._data_version() != self._seen:
            self._catch_up()

    def _catch_up(self) -> None:
        with self._reading():
            self._seen = self._data_version()
            since, self.tx = self.tx, self._newest()
            self.things.take_in(
                map(thing_of, self._rows("SELECT * FROM thing WHERE tx > ?", since))
            )
            for row in self._rows("SELECT s, r, o FROM history WHERE tx_end > ?", since):
                self.facts.discard(Fact(*row))
            for row in self._rows("SELECT s, r, o FROM current WHERE tx > ?", since):
                self.facts.add(Fact(*row))

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Make several reads see one state, unless a change is in progress anyway."""
        if self.connection.in_transaction:
            yield
            return
        with database.translated(self.path):
            self.connection.execute("BEGIN")
            try:
                yield
            finally:
                self.connection.execute("COMMIT")

    def _data_version(self) -> int:
        return int(self._rows("PRAGMA data_version")[0][0])

    def _newest(self) -> int:
        return int(self._rows("SELECT max(tx) FROM change")[0][0] or 0)

    def _rows(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Return what a query finds; the one place where rows are read, and a damaged file is told."""
        with database.translated(self.path):
            return self.connection.execute(sql, values).fetchall()

    def _looked_up(self, sql: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Return rows of what is believed now; what was read before is brought up to them."""
        self.refresh()
        return self._rows(sql, *values)

    # ---- things -------------------------------------------------------------------------------

    @property
    def kinds(self) -> Mapping[str, str]:
        """The type of every thing."""
        return Kinds(self.things)

    def things_since(self, tx: int) -> list[str]:
        """Return the things that have become known, or known better, after a change."""
        return [row[0] for row in self._rows("SELECT id FROM thing WHERE tx > ?", tx)]

    # ---- asking -------------------------------------------------------------------------------

    def about(self, thing: str) -> list[Fact]:
        """Return the facts that mention a thing (one hop), in order."""
        self.refresh()
        return sorted(self.facts.one_hop(thing))

    def record(self, fact: Fact) -> Record | None:
        """Return when and why a fact is believed now, or None where it is not."""
        return self.records([fact]).get(fact)

    def records(self, facts: Sequence[Fact]) -> dict[Fact, Record]:
        """Return when and why facts are believed now, of those that are."""
        found: dict[Fact, Record] = {}
        for at in range(0, len(facts), _AT_ONCE):
            some = facts[at : at + _AT_ONCE]
            query = _RECORDS.format(", ".join(["(?, ?, ?)"] * len(some)))
            rows = self._rows(query, *(term for fact in some for term in fact))
            found |= {record.fact: record for record in map(record_of, rows)}
        return found

    def confidence(self, fact: Fact, now_ns: int) -> float:
        """Return how sure a fact is now, faded with its age; 0 where it is not believed."""
        record = self.record(fact)
        return 0.0 if record is None else faded(record, now_ns, self.settings.half_life_s)

    def history(self, thing: str) -> list[Record]:
        """Return everything ever believed about a thing, oldest belief first."""
        rows = self._rows(_HISTORY, thing)
        return sorted(map(record_of, rows), key=lambda r: (r.tx, r.valid_ns, r.fact))

    def as_of(
        self, valid_ns: int, believed: int | None = None, thing: str | None = None
    ) -> FactIndex:
        """Return the facts that held at a time, as believed now or after an earlier change.

        All of them, or those about one thing.
        """
        held = PastFacts(self._rows, valid_ns, self.tx if believed is None else believed)
        return held if thing is None else FactIndex(held.one_hop(thing))

    def changed_since(self, tx: int) -> set[Fact]:
        """Return the facts that became believed or ceased to be after a change."""
        with self._reading():
            rows = [
                *self._rows("SELECT s, r, o FROM current WHERE tx > ?", tx),
                *self._rows("SELECT s, r, o FROM history WHERE tx_end > ?", tx),
            ]
        return {Fact(*row) for row in rows}

    def changes(self, limit: int = 20, before: int | None = None) -> list[ChangeRecord]:
        """Return the newest changes, newest first."""
        bound = self.tx + 1 if before is None else before
        rows = self._rows(
            "SELECT tx, recorded_ns, observed_ns, source, name, words, undoes FROM change"
            " WHERE tx < ? ORDER BY tx DESC LIMIT ?",
            *(bound, limit),
        )
        return [change_of(row) for row in rows]

    def change_record(self, tx: int) -> ChangeRecord | None:
        """Return one change."""
        known = self._known_changes.get(tx)
        if known is None:
            found = self.changes(1, before=tx + 1)
            known = found[0] if found and found[0].tx == tx else None
            if known is not None and tx <= self.tx:
                self._known_changes[tx] = known
        return known

    def effect(self, tx: int) -> tuple[list[Fact], list[Fact]]:
        """Return the facts that a change brought and those that it replaced or ended, in order."""
        with self._reading():
            brought = [
                *self._rows("SELECT s, r, o FROM current WHERE tx = ?", tx),
                *self._rows("SELECT s, r, o FROM history WHERE tx = ? AND ended_ns IS NULL", tx),
            ]
            ended = self._rows(
                "SELECT s, r, o FROM history WHERE tx_end = ? AND ended_ns IS NULL", tx
            )
        return sorted({Fact(*row) for row in brought}), sorted({Fact(*row) for row in ended})

    def claims(self, subject: str | None = None, *, status: str = "open") -> list[Claim]:
        """Return what is claimed but not believed, about one subject or all."""
        rows = self._rows("SELECT * FROM claim WHERE status = ? ORDER BY id", status)
        return [
            Claim(row[0], Fact(*row[1:4]), bool(row[4]), *row[5:10])
            for row in rows
            if subject in (None, row[1])
        ]

    def trust(self, source: Source, relation: str) -> float:
        """Return how often a source has been right about a predicate: the mean of Beta(19, 1) and counts."""
        rows = self._rows(
            "SELECT right, wrong FROM trust WHERE source = ? AND name = ? AND relation = ?",
            *(source.kind, source.name, relation),
        )
        right, wrong = rows[0] if rows else (0, 0)
        return float((19 + right) / (20 + right + wrong))

    def note(self, key: str) -> str | None:
        """Return a text kept with the graph."""
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def keep_note(self, key: str, text: str) -> None:
        """Keep a text with the graph, in place of what was kept under the same key."""
        with database.translated(self.path), database.transaction(self.connection):
            self.connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, text))

    @functools.cached_property
    def fixed(self) -> tuple[Atom, ...]:
        """Facts of more than two arguments, which never change."""
        return tuple(
            Atom(name, tuple(args)) for name, args in json.loads(self.note("fixed") or "[]")
        )

    def keep_fixed(self, atoms: Iterable[Atom]) -> None:
        """Keep facts of more than two arguments."""
        self.keep_note("fixed", json.dumps([[atom.predicate, [*atom.args]] for atom in atoms]))

    # ---- changing -----------------------------------------------------------------------------

    @contextlib.contextmanager
    def change(
        self, source: Source, *, at_ns: int | None = None, recorded_ns: int | None = None
    ) -> Iterator[Change]:
        """Collect assertions and commit them as one durable change at the end of the block.

        ``at_ns`` is when it was observed; its `Change.outcome` says what became of it.
        """
        with database.translated(self.path), database.transaction(self.connection):
            if self._data_version() != self._seen:
                self._catch_up()
            now = time.time_ns() if recorded_ns is None else recorded_ns
            change = Change(self, self.tx + 1, source, now if at_ns is None else at_ns, now)
            yield change
            outcome = change.write()
        self.tx = outcome.tx
        for fact in outcome.removed:
            self.facts.discard(fact)
        for fact in outcome.added:
            self.facts.add(fact)
        self.things.take_in(change.new_things.values())

    def assert_facts(
        self,
        facts: Iterable[Fact],
        source: Source,
        *,
        at_ns: int | None = None,
        confidence: float = 1.0,
        retracted: Iterable[Fact] = (),
        until_then: Iterable[Fact] = (),
    ) -> Outcome:
        """Claim that some facts hold and others do not, or held up to then, as one change."""
        with self.change(source, at_ns=at_ns) as change:
            for fact in until_then:
                change.held_until_now(fact)
            for fact in retracted:
                change.retract(fact, confidence)
            for fact in facts:
                change.add(fact, confidence)
        return change.outcome

    def undo(self, tx: int, source: Source | None = None) -> Outcome:
        """Take back a change as if it had never been made; what has been replaced since stays."""
        with self.change(source or Source("person", words=f"undo {tx}")) as change:
            change.undo(tx)
        return change.outcome
