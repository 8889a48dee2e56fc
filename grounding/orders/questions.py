"""Questions about a map, answered in words: where, how many, whether there is, which robot is nearest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from commonground.grounding.english.utterance import Clause
from commonground.grounding.meaning import Reference, Several, Thing
from commonground.grounding.resolver.anchors import ANY
from commonground.grounding.resolver.choice import Unclear, symbols_of
from commonground.grounding.resolver.geometry import distances, robot_anchor
from commonground.grounding.resolver.references import Resolver
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import amount_is, describe, listing


class Questions:
    """Answers questions on one map."""

    def __init__(self, resolver: Resolver) -> None:
        self.resolver, self.world = resolver, resolver.world
        self._answers: Mapping[str, Callable[[Reference, Sequence[str]], str]] = {
            "where is": self._where, "how many": self._number, "is there": self._number,
            "nearest robot": self._nearest,
        }  # fmt: skip

    def answer(self, clause: Clause, about: Reference) -> str:
        """Return the answer to a question; Unclear if the map does not tell."""
        answers = self._answers.get(clause.sense)
        if answers is None:
            raise Unclear(f"The map does not tell that of {describe(about)}.")
        return answers(about, self._symbols(about))

    def _symbols(self, about: Reference) -> list[str]:
        """Return all that a question may be about, none if there is no such thing."""
        if isinstance(about, Several):
            return [s for thing in about.things for s in self._symbols(thing)]
        robots = list(self.world.team)
        every = about if _ordered(about) else _all(about)
        try:
            return symbols_of(self.resolver.look_up(every, ANY, Scope(robots[0])))
        except Unclear as unclear:
            return list(unclear.candidates) if _ordered(about) else []

    def _where(self, about: Reference, symbols: Sequence[str]) -> str:
        if not symbols:
            return f"The map has no {_one(about)}."
        return f"{'; '.join(self._place(s) for s in symbols[:20])}."

    def _place(self, symbol: str) -> str:
        found = self.world.find(symbol)
        region = self.world.region_of(symbol)
        if found is None:
            return symbol
        nodes, row = found
        x, y = nodes.positions[row, :2]
        area = ""
        if region is not None and region != symbol:
            regions = self.world.regions
            at = regions.symbols.index(region)
            area = f" in {regions.names[at] or regions.words[at]} {region}"
        return f"{symbol} is{area} at x = {x:.1f} m, y = {y:.1f} m"

    def _number(self, about: Reference, symbols: Sequence[str]) -> str:
        if not symbols:
            return f"The map has no {_one(about)}."
        return f"There {amount_is(len(symbols))}: {listing(symbols)}."

    def _nearest(self, about: Reference, symbols: Sequence[str]) -> str:
        if not symbols:
            return f"The map has no {_one(about)}."
        best: tuple[float, str] | None = None
        for robot in self.world.team:
            for symbol in symbols:
                found = self.world.find(symbol)
                if found is None:
                    continue
                row = np.array([found[1]])
                meters = float(distances(self.world, found[0], row, robot_anchor(robot))[0])
                best = min(best or (meters, robot.name), (meters, robot.name))
        if best is None:
            raise Unclear("The map has no robots.")
        return f"{best[1]} is nearest, {best[0]:.1f} m away."


def _all(thing: Thing) -> Thing:
    return replace(thing, amount="all", count=None, total=None)


def _ordered(thing: Reference) -> bool:
    return isinstance(thing, Thing) and any(r.how.endswith("est") for r in thing.where)


def _one(about: Reference) -> str:
    if isinstance(about, Several):
        return describe(about)
    return describe(replace(about, amount="the", count=None, total=None)).removeprefix("the ")
