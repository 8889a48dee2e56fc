"""Weights on the places in which something names an object, such that nothing that happens adds weight.

They are chosen by linear programming. What would weigh more than what is said of the object at the beginning
never comes about.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from commonground.arrays import Floats

Places = tuple[Hashable, ...]
"""Where something names an object; a place stands there as often as it does."""
Change = tuple[Places, Places]
"""Where an object is named more often, and where less often."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The places that can have weight, and rows of what changes there, one for each object that changes."""

    columns: Mapping[Hashable, int]
    rows: Floats
    known: dict[Change, bool] = field(default_factory=dict)
    """What was found out about sums of weights."""

    @classmethod
    def of(cls, changes: Iterable[Change], further: Iterable[Hashable] = ()) -> Weights:
        """Return what changes let weights be; ``further`` are places that nothing may change."""
        given = list(dict.fromkeys(changes))
        named = (place for change in given for places in change for place in places)
        columns = {p: n for n, p in enumerate(dict.fromkeys([*named, *further]))}
        rows = {_row(columns, change).tobytes() for change in given}
        return cls(columns, np.frombuffer(b"".join(sorted(rows))).reshape(len(rows), len(columns)))

    def exceeded(self, more: Places, less: Places) -> bool:
        """Return whether some weights, of which nothing adds any, are more in some places than in others."""
        key = more, less
        if key not in self.known:
            gain = _row(self.columns, key)
            self.known[key] = bool((gain > 0).any()) and _exceeds(self.rows, gain)
        return self.known[key]


def _row(columns: Mapping[Hashable, int], change: Change) -> Floats:
    row = np.zeros(len(columns))
    for sign, places in zip((1.0, -1.0), change, strict=True):
        for place in places:
            if place in columns:
                row[columns[place]] += sign
    return row


def _exceeds(rows: Floats, gain: Floats) -> bool:
    from scipy.optimize import linprog

    found = linprog(-gain, A_ub=rows, b_ub=np.zeros(len(rows)), bounds=(0, 1), method="highs")
    # weights are 0, 1 or simple fractions, so an excess is never as small as this
    return bool(found.status == 0 and -found.fun > 1e-3)
