"""Which words English has, as far as the network's own list goes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from commonground.reading import read_arrays


@cache
def _words() -> frozenset[str]:
    file = Path(str(files(__package__) / "data" / "words.npz"))
    arrays = read_arrays(file, only=("words",))  # what they mean, five times as much, is not asked
    return frozenset(arrays["words"].tobytes().decode().split("\n"))


def is_english(word: str) -> bool:
    """Return whether a word is one of English, in its base form."""
    return word in _words()
