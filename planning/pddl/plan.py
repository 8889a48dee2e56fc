"""Plans: ground steps, with or without times, and their text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from commonground.planning.pddl.formula_syntax import as_number
from commonground.planning.pddl.printer import number_text
from commonground.planning.pddl.source import Source

_LINE = re.compile(
    r"(?:(?P<start>[-+.\de]+)\s*:)?\s*\((?P<body>[^()]*)\)\s*(?:\[(?P<duration>[^\]]*)\])?"
)


@dataclass(frozen=True, slots=True)
class Step:
    """One ground action."""

    action: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"({' '.join((self.action, *self.args))})"


@dataclass(frozen=True, slots=True)
class TimedStep:
    """One ground action with its start and duration in seconds; an instantaneous one takes none."""

    start: float
    step: Step
    duration: float = 0.0

    def __str__(self) -> str:
        return f"{number_text(self.start)}: {self.step} [{number_text(self.duration)}]"


Plan: TypeAlias = "tuple[Step, ...]"
TimedPlan: TypeAlias = "tuple[TimedStep, ...]"


def plan_text(steps: Iterable[Step | TimedStep]) -> str:
    """Return a plan as a text with one step a line."""
    return "".join(f"{step}\n" for step in steps)


def parse_plan(text: str, *, source: str = "plan", fold_case: bool = True) -> Plan:
    """Read a sequential plan, ``(move a b)`` a line; times are ignored, ``;`` starts a comment."""
    return tuple(timed.step for timed in parse_timed_plan(text, source=source, fold_case=fold_case))


def parse_timed_plan(text: str, *, source: str = "plan", fold_case: bool = True) -> TimedPlan:
    """Read a plan of lines ``0.5: (move a b) [3.25]``; time 0 and no duration where they are missing."""
    origin = Source(source, text)
    steps: list[TimedStep] = []
    at = 0
    for line in text.splitlines(keepends=True):
        content = line.split(";")[0].strip()
        if content:
            steps.append(_step(content, origin, at + len(line) - len(line.lstrip()), fold_case))
        at += len(line)
    return tuple(steps)


def _step(content: str, origin: Source, at: int, fold_case: bool) -> TimedStep:
    match = _LINE.fullmatch(content)
    words = (match["body"].lower() if fold_case else match["body"]).split() if match else []
    if match is None or not words:
        origin.fail(
            f"expected '(action object …)' or '0.5: (action object …) [2]', found '{content}'", at
        )
    start, duration = (_time(match[key], origin, at) for key in ("start", "duration"))
    return TimedStep(start, Step(words[0], tuple(words[1:])), duration)


def _time(word: str | None, origin: Source, at: int) -> float:
    value = 0.0 if word is None else as_number(word.strip() or "?")
    if value is None or not 0 <= value < float("inf"):
        origin.fail(f"expected a time of at least 0, found '{word}'", at)
    return value
