"""The tables of assembly: given cases, and blocks worlds of growing size, beside what was published.

The published system (Saccon et al. 2025, "A Temporal Planning Framework for Multi-Agent Systems via LLM-Aided
Knowledge Base Management") states for 20 blocks, 24 positions and 3 agents: 39 s when told to leave most of
them out of account, and nothing within 60 s when everything is considered.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from commonground.errors import MALFORMED, GroundingError
from commonground.grounding.prolog.assembly import Assembly
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.load import read_text
from commonground.grounding.prolog.evaluation.blocks_worlds import tower_world
from commonground.grounding.prolog.plans.plan_file import plan_json
from commonground.grounding.prolog.settings import PrologSettings
from commonground.grounding.prolog.solve import solve_program

PUBLISHED = {(20, 24, 3): "39 s with most left out, > 60 s with all"}
"""(blocks, positions, agents) → what the publication says of planning time."""
SIZES = ((4, 8), (8, 12), (12, 16), (16, 20), (20, 24), (30, 36), (50, 60))


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
    published: str


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


def sweep_rows(
    sizes: Sequence[tuple[int, int]] = SIZES,
    agents: int = 3,
    settings: PrologSettings | None = None,
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """Yield a row and the plan for blocks worlds in which three of so many blocks become a tower."""
    for blocks, positions in sizes:
        program = tower_world(blocks, positions, agents).program()
        name = f"{blocks} blocks, {positions} positions"
        published = PUBLISHED.get((blocks, positions, agents), "")
        yield _measured(name, program, agents, settings, None, published)


def _measured(
    name: str,
    program: str,
    agents: int,
    settings: PrologSettings | None,
    reference: float | None,
    published: str = "",
) -> tuple[Row, dict[str, Any]]:
    begin = time.monotonic()
    base, found = solve_program(program, name, agents, settings)
    total = time.monotonic() - begin
    return _row(name, base, found, agents, reference, total, published), plan_json(base, found)


def _row(
    name: str,
    base: Base,
    found: Assembly,
    agents: int,
    reference: float | None,
    total: float,
    published: str,
) -> Row:
    schedule = found.schedule
    return Row(
        name,
        agents,
        len(base.facts) + len(base.init) + len(base.goal),
        found.status.value,
        len(found.total_order),
        None if schedule is None else schedule.makespan_s,
        found.optimal,
        None if reference is None else float(reference),
        round(found.time_s.get("search", 0.0), 3),
        round(found.time_s.get("schedule", 0.0), 3),
        round(total, 3),
        published,
    )
