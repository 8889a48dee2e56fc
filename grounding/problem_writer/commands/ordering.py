"""In which order the clauses of a command are to be done: what joins them tells."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.commands.mentions import Clause

_AFTERWARDS = frozenset(
    ["then", "and then", "after that", "afterwards", "next", "finally", "followed by", "lastly",
     "subsequently",
     "thereafter", "once done", "when done", "before", "prior to", "just before"]
)  # fmt: skip
_FIRST = frozenset(
    ["after", "once", "as soon as", "only after", "only once", "right after", "when"]
)
_DELAYED = frozenset(["before", "prior to", "just before"])


def in_order(clauses: Sequence[Clause]) -> list[tuple[int, bool]]:
    """Return the places of clauses in the order in which they happen, and whether each has to wait.

    ``slice it before you put it away``, ``after slicing it, put it away``, ``put it away after slicing it``.
    """
    order: list[tuple[int, bool]] = []
    delayed: int | None = None
    for i, clause in enumerate(clauses):
        links = set(clause.links)
        begins = i == 0 or "." in links
        if delayed is not None:
            order += [(i, False), (delayed, True)]
            delayed = None
        elif begins and links & _DELAYED and i + 1 < len(clauses):
            delayed = i
        elif links & _FIRST and not begins:
            last, waits = order.pop()
            order += [(i, waits), (last, True)]
        else:
            waits = bool(links & _AFTERWARDS) or (
                i > 0 and "." not in links and bool(set(clauses[i - 1].links) & _FIRST)
            )
            order.append((i, waits and i > 0))
    return order
