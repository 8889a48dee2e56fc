"""Reports that were asked back about and never answered: what they name may no longer be as believed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.reasons import reason

_KEY = "unsettled"
MOST = 200
"""Older ones are forgotten."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """A report that nothing was made of."""

    text: str
    at_ns: int
    things: tuple[str, ...]
    """What it may speak of."""
    may: tuple[Fact, ...] = ()
    """What all likely ways to read it tell or end; empty where there are none."""


def unsettled(store: KnowledgeStore) -> list[Unsettled]:
    """Return the reports that were not understood, oldest first."""
    text = store.note(_KEY)
    try:
        return [
            Unsettled(
                str(row["text"]),
                int(row["at_ns"]),
                tuple(map(str, row["things"])),
                tuple(Fact(*map(str, fact)) for fact in row.get("may", ())),
            )
            for row in json.loads(text or "[]")
        ]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise GroundingError(
            f"the memory is damaged: reports that wait for an answer cannot be read: {reason(error)}"
        ) from error


def settle(store: KnowledgeStore, text: str) -> None:
    """Forget the newest report of these words: somebody said what was meant."""
    kept = unsettled(store)
    rows = [k for k, report in enumerate(kept) if report.text == text]
    if rows:
        del kept[rows[-1]]
        store.keep_note(_KEY, json.dumps([asdict(report) for report in kept]))


def leave_unsettled(
    store: KnowledgeStore, text: str, at_ns: int, things: Iterable[str], may: Iterable[Fact] = ()
) -> None:
    """Keep a report that was not understood, if it names anything."""
    named = tuple(things)
    if named:
        kept = [*unsettled(store), Unsettled(text, at_ns, named, tuple(may))][-MOST:]
        store.keep_note(_KEY, json.dumps([asdict(report) for report in kept]))
