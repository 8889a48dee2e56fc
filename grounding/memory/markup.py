"""Code and markup in a text: no report is written so, and nothing in it is obeyed."""

from __future__ import annotations

import re

_MARKUP = re.compile(r"[{}<>\[\]]|\(\s*[a-z]+_[a-z]+|\b[a-z]+_[a-z]+\s*\(|:=|==|->|=>|\\n|```")


def markup_in(text: str) -> str | None:
    """Return what looks like code in a text."""
    found = _MARKUP.search(text)
    return None if found is None else found[0]
