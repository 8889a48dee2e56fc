"""Two robots that were not joined: the best way to lay their maps on one another, and what it lacks."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any, NamedTuple

from commonground.arrays import Floats


class Refused(NamedTuple):
    """The best candidate for a join, which does not hold."""

    robots: tuple[str, str]
    objects: int
    """How many objects agree on it."""
    evidence: float
    """Log evidence against chance."""
    T_1_2: Floats | None
    """(4, 4) coordinates of the second map → of the first; None where no objects agree."""
    missing: str
    """What it lacks."""
    told: bool = True
    """Whether users are told without asking: few that next to nothing speaks for are worth a line."""

    alike: bool = False
    """Whether their maps, or one of them and another robot's, look alike in more than one way."""
    along: bool = False
    """Whether it is one stretch along which they are not joined, whatever joins them elsewhere."""
    lacking: bool = False
    """Whether it only is too little that speaks for it, and nothing against it."""
    overruled: bool = False
    """Whether closures from elsewhere, which say otherwise, join them."""

    def __str__(self) -> str:
        where = " along one stretch" if self.along else ""
        if self.overruled and not self.along:
            where = " as their maps say, but as closures from elsewhere do"
        return f"{self.robots[0]} and {self.robots[1]} are not joined{where}: {self.missing}"

    def as_json(self) -> dict[str, Any]:
        return {
            "robots": list(self.robots),
            "objects": self.objects,
            "evidence": round(self.evidence, 2),
            "T_1_2": None if self.T_1_2 is None else self.T_1_2.round(4).tolist(),
            "missing": self.missing,
            "along_one_stretch": self.along,
        }


def told_of(
    notes: Sequence[str | Refused], apart: Set[str]
) -> tuple[tuple[str, ...], list[Refused]]:
    """Return what users are told, and the candidates that were refused.

    Of each robot that stays ``apart`` the best candidate is told, however little speaks for it: it says what
    is missing.
    """
    refused = [note for note in notes if isinstance(note, Refused)]
    silent = set(apart)
    for candidate in sorted(refused, key=lambda c: (not c.told, -c.evidence)):
        if silent.isdisjoint(candidate.robots):
            continue
        silent.difference_update(candidate.robots)
        refused[refused.index(candidate)] = candidate._replace(told=True)
    lines = [note for note in notes if not isinstance(note, Refused)]
    return (*lines, *(str(c) for c in refused if c.told)), refused
