"""Why Prolog gave no table of the solutions of goals."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.prolog.base.circles import circle_of
from commonground.grounding.prolog.base.knowledge_base import Base
from commonground.grounding.prolog.base.terms import Term


def unanswered(answer: object) -> str:
    """Return why Prolog gave no table; empty where it gave one."""
    if not isinstance(answer, dict):
        return "no answer"
    return "" if "rows" in answer else str(answer["error"])


def fault_of(answer: object, what: str, limit_s: float, base: Base, goals: Sequence[Term]) -> str:
    """Return a sentence on why Prolog gave no table of the solutions of goals."""
    error = unanswered(answer)
    circle = circle_of(base, goals) if error == "time" else ""
    known = {
        "time": f"does not end within {limit_s:g} s; {circle or 'look for rules that take too long'}",
        "memory": "takes too much memory",
        "many": "has more solutions than are looked at",
    }
    return f"{what} {known.get(error, f'fails: {error}')}"
