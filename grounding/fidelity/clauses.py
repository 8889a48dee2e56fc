"""Where words of a text stand, and how far they reach: their sentence, and whether that is put off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.language.tokens import Token

_ENDS = frozenset([".", ";", "!", "?", "\n"])
_PAUSES = _ENDS | {","}
_PUTTING_OFF = frozenset(["before", "until", "till"])


def sentence_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return where in the text the sentence of a token begins and ends."""
    begins = [t.end for t in tokens[:at] if t.text in _ENDS]
    ends = [t.start for t in tokens[at:] if t.text in _ENDS]
    return max(begins, default=0), min(ends, default=tokens[-1].end)


def clause_at(tokens: Sequence[Token], at: int) -> tuple[int, int]:
    """Return from which token to which the words around one reach, up to marks."""
    begin = next((k + 1 for k in range(at - 1, -1, -1) if tokens[k].text in _PAUSES), 0)
    end = next((k for k in range(at, len(tokens)) if tokens[k].text in _PAUSES), len(tokens))
    return begin, end


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


def named_once(words: Iterable[str], tokens: Sequence[Token]) -> Iterator[int]:
    """Yield which tokens are these words, of those that a text has once."""
    for word in words:
        found = [at for at, token in enumerate(tokens) if token.text == word]
        yield from found if len(found) == 1 else []
