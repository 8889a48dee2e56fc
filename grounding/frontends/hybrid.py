"""The learned reader and the grammar together: what either understands, weighed by its fit to the text.

The reader reads nearly everybody and errs now and then; the grammar reads few and seldom errs. What the
grammar makes of a text is one more way to read it: it decides where what the reader has is in doubt, and
where both are likely and differ, it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Protocol

from commonground.grounding.answers import Grounding
from commonground.grounding.frontends.each_alone import each_alone

HowSure = Callable[[str, Grounding], float]
"""How probable it is that a text means what was made of it."""


def sureness(text: str, found: Grounding, how_sure: HowSure) -> float:
    """Return how sure an answer is: the number that it shows, else what a judge of it says."""
    return how_sure(text, found) if found.confidence is None else found.confidence


class Offline(Protocol):
    """Grounds instructions without a server."""

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question."""
        ...


class Covering(Offline, Protocol):
    """Also reads the orders in a text, and passes over words between them."""

    def cover(self, text: str) -> Grounding | None:
        """Return goals, where there is one way to them."""
        ...


class Listening(Protocol):
    """Grounds instructions without a server, with what another made of them beside."""

    def ground(self, text: str, beside: Grounding | None = None) -> Grounding:
        """Return goals, or a question."""
        ...


class HybridBackend:
    """Reads with both."""

    def __init__(self, grammar: Covering, reading: Listening, robots: Collection[str] = ()) -> None:
        self.grammar, self.reading, self.robots = grammar, reading, robots

    def ground(self, text: str) -> Grounding:
        """Return what both make of a text, or of its sentences where the whole is not sure."""
        found = self._whole(text)
        unsure = not (found.goals or found.understood)
        return (each_alone(text, self.robots, self._whole) if unsure else None) or found

    def _whole(self, text: str) -> Grounding:
        parsed = self.grammar.ground(text)
        return self.reading.ground(text, parsed if parsed.goals else self.grammar.cover(text))
