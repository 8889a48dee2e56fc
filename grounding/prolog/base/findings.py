"""What is wrong with a knowledge base, where, and how to mend it."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from commonground.errors import GroundingError


class Weight(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """The base cannot be used as it is."""
    WARNING = "warning"
    """It can be used, and something in it will not do what was meant."""
    NOTE = "note"
    """Nothing goes wrong, but something is superfluous."""


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing to mend, at a place in the text (line and column from 1; 0: the base as a whole)."""

    line: int
    column: int
    kind: str
    """What sort of fault: ``syntax``, ``undefined``, ``unreachable-goal`` …"""
    message: str
    weight: Weight = field(default=Weight.ERROR, compare=False)

    def sentence(self, source: str) -> str:
        """Return the finding as one line."""
        where = f"{source}:{self.line}:{self.column}" if self.line else source
        return f"{where}: {self.weight}: {self.message} [{self.kind}]"

    def as_json(self) -> dict[str, Any]:
        """Return the finding as JSON values."""
        return {
            "line": self.line,
            "column": self.column,
            "weight": self.weight.value,
            "kind": self.kind,
            "message": self.message,
        }


@dataclass(frozen=True, slots=True)
class Lines:
    """Where the lines of a text begin."""

    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Lines:
        """Return the lines of a text."""
        return cls((0, *(i + 1 for i, c in enumerate(text) if c == "\n")))

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of a character, both from 1."""
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1


def errors_of(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that keep a base from being used."""
    return [f for f in findings if f.weight is Weight.ERROR]


def refuse_errors(findings: Iterable[Finding], source: str) -> None:
    """Raise a GroundingError with the first errors, if there are any."""
    wrong = errors_of(findings)
    if wrong:
        more = f" (and {len(wrong) - 3} more; see 'assemble kb check')" if len(wrong) > 3 else ""
        raise GroundingError("; ".join(f.sentence(source) for f in wrong[:3]) + more)
