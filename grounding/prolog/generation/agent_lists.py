"""Agents named by two texts, compared without a language model."""

from __future__ import annotations

import re

_NAME = r"[a-z]+\d+"
_AGENTS = re.compile(
    r"\b(?i:agents?|arms?|robots?|manipulators?)\b[,:\s]+(?:(?:called|named|are|is)\s+)?"
    rf"((?:{_NAME})(?:(?:\s*,\s*and\s+|\s*,\s*|\s+and\s+){_NAME})*)"
)


def agent_complaints(high: str, low: str) -> list[str]:
    """Return a complaint where the agents that the texts list by name differ.

    A text that lists none leaves it to the other one.
    """
    first, second = _agents(high), _agents(low)
    if not first or not second or first == second:
        return []
    parts = []
    if first - second:
        parts.append(f"the low-level description says nothing of {_listed(first - second)}")
    if second - first:
        parts.append(f"the high-level description says nothing of {_listed(second - first)}")
    return [
        f"the number of agents differs: the high level has {len(first)} ({_listed(first)}), the low level "
        f"{len(second)} ({_listed(second)}); {' and '.join(parts)}"
    ]


def _agents(text: str) -> set[str]:
    return {name for listed in _AGENTS.findall(text) for name in re.findall(_NAME, listed)}


def _listed(names: set[str]) -> str:
    return ", ".join(sorted(names, key=lambda n: (len(n), n)))
