"""Everything ever believed about a thing, and why, as rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from commonground.grounding.memory.english.clock import shown

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


CHANGE_COLUMNS = ("change", "when", "source", "words", "brought", "replaced")
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


def change_rows(memory: Memory, limit: int = 20) -> list[dict[str, Any]]:
    """Return a row for each of the newest changes: who made it, what it brought and what it replaced."""
    rows = []
    for change in memory.store.changes(limit):
        # the first change is the world itself
        brought, replaced = memory.store.effect(change.tx) if change.tx > 1 else ([], [])
        words = change.source.words
        cells = (
            change.tx,
            shown(change.observed_ns),
            f"{change.source.kind} {change.source.name}".strip(),
            words if change.undoes is None else f"{words} (takes back {change.undoes})".strip(),
            [" ".join(fact) for fact in brought],
            [" ".join(fact) for fact in replaced],
        )
        rows.append(dict(zip(CHANGE_COLUMNS, cells, strict=True)))
    return rows
