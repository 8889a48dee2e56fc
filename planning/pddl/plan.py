"""Plans: ground steps and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from commonground.planning.pddl.source import Source

_LINE = re.compile(r"(?:[-+.\de]+\s*:)?\s*\(([^()]*)\)\s*(?:\[[^\]]*\])?")
"""A step; a time before it and a duration behind it are passed over."""


@dataclass(frozen=True, slots=True)
class Step:
    """One ground action."""

    action: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.args))})"


Plan: TypeAlias = "tuple[Step, ...]"


def plan_text(steps: Iterable[Step]) -> str:
    """Return a plan as a text with one step a line."""
    return "".join(f"{step}\n" for step in steps)


def parse_plan(text: str, *, source: str = "plan", fold_case: bool = True) -> Plan:
    """Read a plan, ``(move a b)`` a line; times are ignored, ``;`` starts a comment."""
    origin = Source(source, text)
    steps: list[Step] = []
    at = 0
    for line in text.splitlines(keepends=True):
        content = line.split(";")[0].strip()
        if content:
            steps.append(_step(content, origin, at + len(line) - len(line.lstrip()), fold_case))
        at += len(line)
    return tuple(steps)


def _step(content: str, origin: Source, at: int, fold_case: bool) -> Step:
    match = _LINE.fullmatch(content)
    words = (match[1].lower() if fold_case else match[1]).split() if match else []
    if not words:
        origin.fail(f"expected '(action object …)', found '{content}'", at)
    return Step(words[0], tuple(words[1:]))
