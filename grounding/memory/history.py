"""Everything ever believed about a thing, and why, as rows."""

from __future__ import annotations

from typing import Any

from commonground.grounding.memory.clock import shown
from commonground.grounding.memory.memory import Memory

HISTORY_COLUMNS = ("fact", "from", "until", "believed", "change", "source", "words")


def history_rows(memory: Memory, thing: str) -> list[dict[str, Any]]:
    """Return a row for each belief about a thing: when it held, who said so, whether it still stands."""
    rows = []
    for record in memory.store.history(thing):
        change = memory.store.change_record(record.tx)
        cells = (
            " ".join(record.fact),
            shown(record.valid_ns),
            "" if record.ended_ns is None else shown(record.ended_ns),
            "yes" if record.tx_end is None else f"until change {record.tx_end}",
            record.tx,
            f"{change.source.kind} {change.source.name}".strip() if change else "",
            change.source.words if change else "",
        )
        rows.append(dict(zip(HISTORY_COLUMNS, cells, strict=True)))
    return rows
