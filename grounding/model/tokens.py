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


_PER_IMAGE = 765
"""What a picture of about a megapixel takes."""


def estimate_messages(messages: Sequence[Mapping[str, Any]], schema: Any = None) -> int:
    """Return about how many tokens a conversation takes, with the schema that goes with it."""
    spoken = sum(_PER_MESSAGE + _estimate_content(m["content"]) for m in messages)
    return spoken + (estimate_tokens(json.dumps(schema, separators=(",", ":"))) if schema else 0)


def _estimate_content(content: Any) -> int:
    if isinstance(content, str):
        return estimate_tokens(content)
    texts = [part["text"] for part in content if part.get("type") == "text"]
    return sum(map(estimate_tokens, texts)) + _PER_IMAGE * (len(content) - len(texts))
