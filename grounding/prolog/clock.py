"""Rounds in which actions can begin, some hands doing one each: what a plan costs while it is being made."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field

from commonground.grounding.prolog.instances import Op
from commonground.grounding.prolog.relations import Fact, Facts
from commonground.grounding.prolog.terms import Term


@dataclass(slots=True)
class Clock:
    """When facts came to hold, or ceased to, in actions that begin as soon as they can."""

    hands: int = 1
    changed: dict[Fact, int] = field(default_factory=dict)
    begun: Counter[int] = field(default_factory=Counter)
    """How many actions begin in each round."""
    _known: Facts = field(default_factory=Facts)

    def ready(self, needs: Iterable[Fact], forbids: Iterable[Term]) -> int:
        """Return the round by which facts hold that are needed, and those are gone that must be."""
        here = (self.changed.get(need, 0) for need in needs)
        away = (self.changed[f] for pattern in forbids for f in self._known.matching(pattern))
        return max(itertools.chain(here, away), default=0)

    def begins(self, op: Op) -> int:
        """Return the round in which an action can begin."""
        soon = self.ready(op.needs, (f.pattern for f in op.forbids))
        return next(n for n in itertools.count(soon) if self.begun[n] < self.hands)

    def follow(self, op: Op) -> int:
        """Let an action follow those before; return the round by which it is done."""
        begins = self.begins(op)
        self.begun[begins] += 1
        for fact in (op.adds | op.deletes) - (op.needs & op.adds):  # a hand is given back
            self.changed[fact] = begins + 1
            self._known.add(fact)
        return begins + 1

    def after(self, ops: Iterable[Op]) -> int:
        """Return the round by which further actions would be done."""
        other = deepcopy(self)
        return max((other.follow(op) for op in ops), default=0)

    def last(self) -> int:
        """Return the round by which all actions are done."""
        return max((number for number, count in self.begun.items() if count), default=-1) + 1
