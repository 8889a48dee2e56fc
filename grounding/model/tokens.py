"""How many tokens a text takes, estimated on the high side without any model's vocabulary."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

_PIECE = re.compile(r"\d{1,3}|[A-Za-z']+|[^\w\s]{1,3}|[^\W\d_A-Za-z']|\n")
_PER_MESSAGE = 4
"""Tokens that frame a message."""


def estimate_tokens(text: str) -> int:
    """Return about how many tokens common models take for a text.

    Words of up to seven letters are one token, longer ones one more for every six letters; digits and
    punctuation go in threes, and anything beyond ASCII counts one a character.
    """
    return sum(1 + max(0, (len(m[0]) - 2) // 6) for m in _PIECE.finditer(text))


def estimate_messages(messages: Sequence[Mapping[str, str]], schema: Any = None) -> int:
    """Return about how many tokens a conversation takes, with the schema that goes with it."""
    spoken = sum(_PER_MESSAGE + estimate_tokens(m["content"]) for m in messages)
    return spoken + (estimate_tokens(json.dumps(schema, separators=(",", ":"))) if schema else 0)
