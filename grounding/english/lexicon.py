"""Which words English has, as far as the network's own list goes."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from commonground.reading import archive

_LENGTH = slice(8, 10)
"""Where an array's file says how much stands between there and its values."""


@cache
def _words() -> frozenset[str]:
    file = Path(str(files(__package__) / "data" / "words.npz"))
    with archive(file) as pack:  # read without NumPy, which takes longer to load than the words
        kept = pack.read("words.npy")
    begin = _LENGTH.stop + int.from_bytes(kept[_LENGTH], "little")
    return frozenset(kept[begin:].decode().split("\n"))


def is_english(word: str) -> bool:
    """Return whether a word is one of English, in its base form."""
    return word in _words()
