"""How words sound, roughly: who writes by ear writes ``shud``, ``wich``, ``nite``."""

from __future__ import annotations

import re
from functools import lru_cache

_RULES = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("^kn", "n"), ("^wr", "r"), ("^who", "ho"), ("wh", "w"), ("ph", "f"), ("oul(?=d)", "u"),
        ("eigh", "a"), ("igh", "i"), ("gh", ""), ("tch", "ch"), ("ck", "k"), ("sc(?=[eiy])", "s"),
        ("c(?=[eiy])", "s"), ("c(?!h)", "k"), ("dg", "j"), ("qu", "kw"), ("x", "ks"), ("z", "s"),
        ("mb$", "m"), ("(?<=[^aeiou])e$", ""), ("ie|ei|ee|ea|ey$|y(?![aeiou])", "i"), ("oo|ou|ue|ew", "u"),
        ("ai|ay", "a"), ("oa|ow", "o"), ("[eo]r$", "r"), (r"(.)\1", r"\1"),
    )
]  # fmt: skip


@lru_cache(65536)
def sounded(word: str) -> str:
    """Return a word as it sounds; words of the same sound have the same."""
    for pattern, sound in _RULES:
        word = pattern.sub(sound, word)
    return word
