"""How far in a text a word reaches: its sentence, and whether what it says is put off or forbidden."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.language.tokens import Token

_ENDS = frozenset([".", ";", "!", "?", "\n"])
_PAUSES = _ENDS | {","}
_PUTTING_OFF = frozenset(["before", "until", "till"])


def sentence_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return where in the text the sentence of a token begins and ends."""
    begins = [t.end for t in tokens[:at] if t.text in _ENDS]
    ends = [t.start for t in tokens[at:] if t.text in _ENDS]
    return max(begins, default=0), min(ends, default=tokens[-1].end)


def puts_off(tokens: Sequence[Token], at: int) -> bool:
    """Return whether a negation only puts off: ``do not enter before it is light``."""
    for token in tokens[at + 1 :]:
        if token.text in _PAUSES:
            return False
        if token.text in _PUTTING_OFF:
            return True
    return False


def is_put_off(tokens: Sequence[Token], at: int) -> bool:
    """Return whether something is not to be done before what follows a token."""
    for token in reversed(tokens[:at]):
        if token.text in _PAUSES:
            return False
        if token.text in ("not", "never"):
            return True
    return False
