"""Word pieces of the small dual encoder: merges in the format of open_clip's tokenizer."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path


def merges_for(words: Iterable[str]) -> list[tuple[str, str]]:
    """Return the merges, most frequent pairs first, after which each word is one piece."""
    spelled = {w: (*w[:-1], f"{w[-1]}</w>") for w in sorted(set(words))}
    merges: list[tuple[str, str]] = []
    while True:
        pairs = Counter(pair for s in spelled.values() for pair in pairwise(s))
        if not pairs:
            return merges
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        spelled = {w: merged(s, best) for w, s in spelled.items()}


def merged(pieces: tuple[str, ...], pair: tuple[str, str]) -> tuple[str, ...]:
    """Return the pieces with each occurrence of a pair made one."""
    out: list[str] = []
    for piece in pieces:
        if out and (out[-1], piece) == pair:
            out[-1] += piece
        else:
            out.append(piece)
    return tuple(out)


def write_merges(merges: list[tuple[str, str]], file: Path) -> int:
    """Write merges as open_clip reads them and return the number of tokens there are."""
    lines = ["#version: 0.2", *(" ".join(pair) for pair in merges)]
    file.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    return 2 * 256 + len(merges) + 2
