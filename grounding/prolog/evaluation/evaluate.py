"""The table of assembly: given cases, beside the makespans that a suite states."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import MALFORMED, GroundingError
from commonground.grounding.prolog.base.load import read_text
from commonground.grounding.prolog.plans.plan_file import plan_json
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_program


@dataclass(frozen=True, slots=True)
class Row:
    """One base planned."""

    case: str
    agents: int
    facts: int
    status: str
    steps: int
    """High-level steps, starts and ends."""
    makespan_s: float | None
    proven: bool
    reference_s: float | None
    """The least makespan that a suite states."""
    search_s: float
    schedule_s: float
    total_s: float


def suite_rows(
    folder: Path, agents: Sequence[int], settings: PrologSettings | None = None
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yield a row and the plan for each case of a suite and each number of agents."""
    paths = sorted(folder.glob("*/kb_ll.pl")) or sorted(folder.glob("cases/*/kb_ll.pl"))
    if not paths:
        raise GroundingError(f"{folder}: no case with a kb_ll.pl there")
    for path in paths:
        references = _references(path.parent / "expected.yaml")
        for count in agents:
            reference = references.get(f"agents_{count}")
            yield _measured(path.parent.name, read_text(path), count, settings, reference)


def _references(path: Path) -> dict[str, float]:
    """Return the least makespans that a file states, by ``agents_N``."""
    from commonground.config import read_yaml

    if not path.is_file():
        return {}
    values, _ = read_yaml(path)
    try:
        stated = values.get("minimum_makespan") or {}
        return {name: float(seconds) for name, seconds in stated.items()}
    except MALFORMED as error:
        raise GroundingError(f"{path}: minimum_makespan: agents_N: seconds is needed") from error


def _measured(
    name: str,
    program: str,
    agents: int,
    settings: PrologSettings | None,
    reference: float | None,
) -> tuple[Row, dict[str, Any]]:
    begin = time.monotonic()
    base, found = solve_program(program, name, agents, settings)
    row = Row(
        name,
        agents,
        len(base.facts) + len(base.init) + len(base.goal),
        found.status.value,
        len(found.total_order),
        None if found.schedule is None else found.schedule.makespan_s,
        found.optimal,
        reference,
        round(found.time_s.get("search", 0.0), 3),
        round(found.time_s.get("schedule", 0.0), 3),
        round(time.monotonic() - begin, 3),
    )
    return row, plan_json(base, found)
