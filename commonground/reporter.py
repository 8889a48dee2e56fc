"""Where the words of a long call go: lines, phases and progress, or nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar

Item = TypeVar("Item")


class Reporter(Protocol):
    """Takes what a long call says while it works; a command prints it."""

    def note(self, text: str) -> None:
        """Take a line of plain text."""

    def phase(self, label: str) -> AbstractContextManager[object]:
        """Return a context that lasts as long as a phase."""

    def track(self, items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
        """Pass items on and show how many of them were taken."""


class Silent:
    """Says nothing: what a call from Python does unless it is given somebody to speak to."""

    def note(self, text: str) -> None:
        """Drop a line."""

    def phase(self, label: str) -> AbstractContextManager[None]:
        """Return a context that does nothing."""
        return nullcontext()

    def track(self, items: Iterable[Item], label: str, total: int | None = None) -> Iterator[Item]:
        yield from items


SILENT = Silent()
