"""What a mission is made of: tasks of robots, with the facts they need, make true and make false."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from commonground.planning.robots.protocol import Point

Fact = tuple[str, ...]
"""A word and what it is about: ``("holding", "spot", "O3")``."""


def in_a_row(texts: Iterable[str]) -> Iterator[str]:
    """Yield texts of tasks, those of which several follow each other once, with their number."""
    for text, same in itertools.groupby(texts):
        count = len(list(same))
        yield text if count == 1 else f"{text} ({count} legs)"


@dataclass(frozen=True, slots=True)
class Task:
    """One thing one robot does; the mission's loop knows no more of a domain than this."""

    key: str
    robot: str
    kind: str
    """goto, inspect, pick or place; elsewhere than on scenes, the name of a skill."""
    target: str
    path: tuple[Point, ...]
    """Way of a motion, else the one point where the thing is or is to be."""
    item: str = ""
    places: tuple[str, ...] = ()
    start_s: float = 0.0
    end_s: float = 0.0
    """As planned; only who passes first is taken from it."""
    args: tuple[str, ...] = ()
    """What a skill is called with, elsewhere than on scenes."""
    needs: frozenset[Fact] = frozenset()
    adds: frozenset[Fact] = frozenset()
    drops: frozenset[Fact] = frozenset()

    @property
    def moves(self) -> bool:
        """Whether it is a motion."""
        return self.kind == "goto"

    @property
    def thing(self) -> str:
        """What it handles, or where it goes."""
        return self.item or self.target

    @property
    def things(self) -> tuple[str, ...]:
        """What a robot is told to handle."""
        return self.args or (self.thing,)

    @property
    def deed(self) -> str:
        """What is done with what, whatever plan it is of."""
        return " ".join((self.kind, *self.things))

    @property
    def length_m(self) -> float:
        """Meters of its path."""
        line = np.array(self.path)
        return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())

    def __str__(self) -> str:
        if self.args:
            return f"{self.kind}({', '.join(self.args)})"
        to = f" to {self.target}" if self.kind == "place" else ""
        return f"{self.kind} {self.thing}{to}"

    def as_json(self) -> dict[str, Any]:
        """Return the task as JSON values."""
        return {
            "key": self.key,
            "robot": self.robot,
            "kind": self.kind,
            "target": self.target,
            "path": [list(p) for p in self.path],
            "item": self.item,
            "places": list(self.places),
            "start_s": self.start_s,
            "end_s": self.end_s,
            **({"args": list(self.args)} if self.args else {}),
            **{name: sorted(map(list, getattr(self, name))) for name in ("needs", "adds", "drops")},
        }
