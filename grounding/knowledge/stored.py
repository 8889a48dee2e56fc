"""What stands in the file of a graph, read when it is asked for: a large file opens at once."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.index import FactIndex
from commonground.grounding.knowledge.records import ChangeRecord, Record, Source
from commonground.reasons import reason

Rows: TypeAlias = Callable[..., Sequence[tuple[Any, ...]]]
"""Runs an SQL statement with its values."""
_LOOK_UPS = 1024
_WORTH = 4
"""One look-up takes as long as reading about so many rows of everything."""


_BELIEVED = "SELECT {columns} FROM current WHERE {condition}"
_HELD = """
SELECT {columns} FROM current WHERE {condition} AND valid_ns <= ? AND tx <= ?
UNION
SELECT {columns} FROM history WHERE {condition} AND valid_ns <= ? AND tx <= ?
    AND (ended_ns IS NULL OR ended_ns > ?) AND (tx_end IS NULL OR tx_end > ?)"""


_FACT: Callable[[Sequence[Any]], Fact] = partial(tuple.__new__, Fact)
"""Makes a fact of a row; a tenth of the time that calling it by its fields takes."""


class _Thrift:
    """Counts look-ups, and says when reading everything is cheaper than going on with them."""

    def __init__(self, count: Callable[[], int]) -> None:
        self._count = count
        self._done = 0

    def is_spent(self) -> bool:
        """Count one more look-up."""
        self._done += 1
        return self._done % _LOOK_UPS == 0 and self._done * _WORTH > self._count()


class StoredFacts(FactIndex):
    """The facts of a file; what was asked for once is kept in memory."""

    def __init__(self, rows: Rows) -> None:
        super().__init__()
        self._rows = rows
        self._thrift = _Thrift(self.__len__)
        self._complete = False
        self._by_relation: dict[str, list[Fact]] = {}

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM current")[0][0])

    def _selected(self, columns: str, condition: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Return columns of the facts that meet a condition."""
        return self._rows(_BELIEVED.format(columns=columns, condition=condition), *values)

    def __iter__(self) -> Iterator[Fact]:
        self._read_all()
        return super().__iter__()

    def __contains__(self, fact: object) -> bool:
        return isinstance(fact, tuple) and fact in self.about(fact[0])

    def about(self, subject: str) -> Collection[Fact]:
        if self._must_look_up(subject in self._by_subject):
            rows = self._selected("r, o", "s = ?", subject)
            self._by_subject[subject] = {Fact(subject, *row) for row in rows}
        return super().about(subject)

    def subjects(self, relation: str, value: str) -> Collection[str]:
        if self._must_look_up((relation, value) in self._by_object):
            rows = self._selected("s", "o = ? AND r = ?", value, relation)
            self._by_object[relation, value] = {row[0] for row in rows}
        return super().subjects(relation, value)

    def facts_of(self, relation: str) -> Collection[Fact]:
        if relation not in self._by_relation:
            rows = self._selected("s, r, o", "r = ?", relation)
            self._by_relation[relation] = [*map(_FACT, rows)]
        return self._by_relation[relation]

    def add(self, fact: Fact) -> bool:
        """Take in a fact that the file has now; tell whether it is new."""
        self._by_relation.pop(fact.relation, None)
        if self._complete:
            return super().add(fact)
        self._forget(fact)
        return True

    def discard(self, fact: Fact) -> bool:
        """Take in that the file has a fact no longer; tell whether it was there."""
        self._by_relation.pop(fact.relation, None)
        if self._complete:
            return super().discard(fact)
        self._forget(fact)
        return True

    def _forget(self, fact: Fact) -> None:
        """Have what a fact concerns read again; somebody may still go through what was handed out."""
        self._by_subject.pop(fact.subject, None)
        self._by_object.pop((fact.relation, fact.object), None)

    def pointing_to(self, thing: str) -> list[Fact]:
        """Return the facts whose object is a thing."""
        if self._complete:
            return super().pointing_to(thing)
        rows = self._selected("s, r", "o = ?", thing)
        return [Fact(subject, relation, thing) for subject, relation in rows]

    def _must_look_up(self, known: bool) -> bool:
        if not (known or self._complete) and self._thrift.is_spent():
            self._read_all()
        return not (known or self._complete)

    def _read_all(self) -> None:
        if not self._complete:
            self._by_subject, self._by_object, self._relations = {}, {}, {}
            self._complete = True
            for row in self._selected("s, r, o", "TRUE"):
                super().add(Fact(*row))


class PastFacts(StoredFacts):
    """The facts that held at a time, as was believed after a change; looked up when they are asked for."""

    def __init__(self, rows: Rows, valid_ns: int, tx: int) -> None:
        super().__init__(rows)
        self._when = valid_ns, tx

    def __bool__(self) -> bool:
        return bool(self._selected("1", "TRUE"))

    def __len__(self) -> int:
        return len(self._selected("s, r, o", "TRUE"))

    def __iter__(self) -> Iterator[Fact]:
        return map(_FACT, self._selected("s, r, o", "TRUE"))

    def _selected(self, columns: str, condition: str, *values: object) -> Sequence[tuple[Any, ...]]:
        """Return columns of the facts that held and meet a condition."""
        query = _HELD.format(columns=columns, condition=condition)
        return self._rows(query, *values, *self._when, *values, *self._when, *self._when)


class StoredThings(Mapping[str, Thing]):
    """The things of a file by their ids; what was asked for once is kept in memory."""

    def __init__(self, rows: Rows, made: Callable[[Sequence[Any]], Thing]) -> None:
        self._rows = rows
        self._made = made
        self._known: dict[str, Thing] = {}
        self._thrift = _Thrift(self.__len__)
        self._complete = False

    def __getitem__(self, key: str) -> Thing:
        if key not in self._known and not self._complete:
            if self._thrift.is_spent():
                self._all()
            for row in self._rows("SELECT * FROM thing WHERE id = ?", key):
                self._known[key] = self._made(row)
        return self._known[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        if self._complete:
            return len(self._known)
        return int(self._rows("SELECT count(*) FROM thing")[0][0])

    def take_in(self, things: Iterable[Thing]) -> None:
        """Take in things that are new or have changed in the file."""
        self._known.update((thing.id, thing) for thing in things)

    def _all(self) -> dict[str, Thing]:
        if not self._complete:
            self._known = {row[0]: self._made(row) for row in self._rows("SELECT * FROM thing")}
            self._complete = True
        return self._known


class Kinds(Mapping[str, str]):
    """The type of every thing."""

    def __init__(self, things: Mapping[str, Thing]) -> None:
        self._things = things

    def __getitem__(self, key: str) -> str:
        return self._things[key].kind

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)


def source_row(source: Source) -> tuple[str, str, str]:
    return source.kind, source.name, source.words


def thing_of(row: Sequence[Any]) -> Thing:
    """Return the thing of a row; GroundingError if the memory is damaged."""
    if row[3] == "{}":
        return Thing(row[0], row[1], row[2])
    try:
        traits = json.loads(row[3])
        if not isinstance(traits, dict) or not all(isinstance(t, str) for t in traits.values()):
            raise ValueError("not words by name")
    except (ValueError, TypeError, RecursionError) as error:
        raise GroundingError(
            f"the memory is damaged: traits of '{row[0]}' cannot be read: {reason(error)}; use a backup"
        ) from error
    return Thing(row[0], row[1], row[2], traits)


def change_of(row: Sequence[Any]) -> ChangeRecord:
    """Return the change of a row; GroundingError if the memory is damaged."""
    _check_numbers(row[:3], f"change {row[0]}")
    return ChangeRecord(row[0], row[1], row[2], Source(*row[3:6]), row[6])


def record_of(row: Sequence[Any]) -> Record:
    """Return the record of a row; GroundingError if the memory is damaged."""
    numbers = row[3:10]
    _check_numbers([n for n in numbers if n is not None], f"'{row[0]}'")
    if not 0.0 <= numbers[3] <= 1.0:
        raise GroundingError(
            f"the memory is damaged: confidence {numbers[3]:g} of '{row[0]}'; use a backup"
        )
    return Record(Fact(*map(str, row[:3])), *numbers)


def _check_numbers(values: Sequence[Any], what: str) -> None:
    """Refuse words where there should be times: a column of SQLite may hold any kind of value."""
    if not all(isinstance(value, int | float) for value in values):
        raise GroundingError(f"the memory is damaged: {what} has no times; use a backup")
