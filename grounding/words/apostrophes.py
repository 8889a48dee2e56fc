"""Puts apostrophes where people who type in haste leave them out: ``dont``, ``shes``, ``ive``."""

from __future__ import annotations

import re

_CONTRACTED = re.compile(
    r"(?<![\w.'’-])"
    r"(?:(he|she|that|there|here|what|where|who)(s)|(you|they)(re|ve)|(we)(ve)|(i)(m|ve)"
    r"|(wo|do|ca|is|are|was|were|did|does|has|have|had|could|would|should)(nt))"
    r"(?![\w'’.-]*\w)",
    re.I,
)
"""``were`` is a word of its own."""


def with_apostrophes(text: str) -> str:
    """Return a text whose contracted words have their apostrophes."""
    return _CONTRACTED.sub(_contracted, text)


def _contracted(found: re.Match[str]) -> str:
    stem, ending = (part for part in found.groups() if part is not None)
    stem = "I" if stem == "i" else stem
    return f"{stem}n't" if ending.lower() == "nt" else f"{stem}'{ending}"
