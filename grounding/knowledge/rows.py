"""Rows of the memory's database and what they stand for; a file may hold anything, so all is checked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import Thing
from commonground.grounding.knowledge.records import ChangeRecord, Record, Source
from commonground.reasons import reason


def source_row(source: Source) -> tuple[str, str, str]:
    """Return the columns of a source."""
    return source.kind, source.name, source.words


def thing_of(row: Sequence[Any]) -> Thing:
    """Return the thing of a row; GroundingError if the memory is damaged."""
    try:
        traits = {} if row[3] == "{}" else json.loads(row[3])
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
