"""Objects of a fused map keep their symbols from one fusion to the next, so that missions keep their goals.

A fused object is known by the robots' objects it was made of, which keep their own numbers. It takes the
symbol that most of them bore before; a symbol that nothing bears any more tells what became of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from commonground.mapping.fusion.fuse import FusedMap
from commonground.mapping.fusion.output import provenance
from commonground.symbols import node_ids

LAYER = "objects"


@dataclass(frozen=True, slots=True)
class Symbols:
    """Numbers of fused objects, by what they are made of, and what became of those that are gone."""

    bearers: Mapping[str, int] = field(default_factory=dict)
    """Robot and own symbol, as ``spot:O3`` → number of the fused object it is in."""
    became: Mapping[int, int] = field(default_factory=dict)
    """Number of an object that is gone → number of the one that its parts are in now."""
    next: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return JSON values; aliases as people read them."""
        became = {str(a): b for a, b in self.became.items()}
        return {"bearers": dict(self.bearers), "became": became, "next": self.next}

    @staticmethod
    def of_json(values: Mapping[str, Any]) -> Symbols:
        """Return what ``as_json`` gave."""
        if not values:
            return Symbols()
        became = {int(a): int(b) for a, b in values["became"].items()}
        return Symbols(dict(values["bearers"]), became, int(values["next"]))


def kept(fused: FusedMap, before: Symbols) -> tuple[FusedMap, Symbols]:
    """Return a fused map whose objects bear the symbols they had before, and its symbols."""
    made_of = [
        [f"{robot}:{own}" for robot, own in sources]
        for sources in provenance(fused)[LAYER].values()
    ]
    numbers, following = _numbers(made_of, before)
    ids = node_ids("O", np.array(numbers, np.int64))
    layer = replace(fused.graph.layers[LAYER], ids=ids)
    renamed = replace(
        fused, graph=fused.graph.with_layer(LAYER, layer), objects=replace(fused.objects, ids=ids)
    )
    bearers = {s: n for sources, n in zip(made_of, numbers, strict=True) for s in sources}
    there = set(numbers)
    became = {old: new for old, new in _became(before, bearers).items() if old not in there}
    return renamed, Symbols({**before.bearers, **bearers}, became, following)


def _numbers(made_of: Sequence[Sequence[str]], before: Symbols) -> tuple[list[int], int]:
    """Return a number for each object: the one most of its parts bore, unless another has more of it."""
    claims = []
    for row, sources in enumerate(made_of):
        borne = Counter(before.bearers[s] for s in sources if s in before.bearers)
        claims += [(-count, number, row) for number, count in borne.items()]
    numbers: dict[int, int] = {}
    taken: set[int] = set()
    for _, number, row in sorted(claims):
        if row not in numbers and number not in taken:
            numbers[row] = number
            taken.add(number)
    following = before.next
    for row in range(len(made_of)):
        if row not in numbers:
            numbers[row], following = following, following + 1
    return [numbers[row] for row in range(len(made_of))], following


def _became(before: Symbols, bearers: Mapping[str, int]) -> dict[int, int]:
    """Return old number → the number that most of its parts are under now."""
    votes: dict[int, Counter[int]] = {}
    for source, old in before.bearers.items():
        if source in bearers:
            votes.setdefault(old, Counter())[bearers[source]] += 1
    moved = {old: min(count, key=lambda n: (-count[n], n)) for old, count in votes.items()}
    # what was an alias follows the object it stood for
    return {**{a: moved.get(b, b) for a, b in before.became.items()}, **moved}
