"""Word pieces of the small dual encoder: what its text tower reads instead of letters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Ints
from commonground.reading import read_bytes, unpacked

MOST_BYTES = 1 << 20
START, END = "<start_of_text>", "<end_of_text>"
LAST = "</w>"
"""The end of a word, as its last piece has it."""
WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"


class Pieces:
    """Sentences as rows of numbers, by merges of letters in the format of CLIP (Radford et al. 2021)."""

    def __init__(self, file: Path, length: int) -> None:
        from tokenizers import Regex, Tokenizer, models, pre_tokenizers

        lines = unpacked(read_bytes(file), file, MOST_BYTES).decode().splitlines()[1:]
        merges = [(first, second) for first, _, second in (line.partition(" ") for line in lines)]
        letters = sorted(pre_tokenizers.ByteLevel.alphabet())
        joined = [first + second for first, second in merges]
        names = [*letters, *(letter + LAST for letter in letters), *joined, START, END]
        number = {name: k for k, name in enumerate(names)}
        self._ends, self.length = (number[START], number[END]), length
        self._pieces: Any = Tokenizer(models.BPE(number, merges, end_of_word_suffix=LAST))
        split = pre_tokenizers.Split(Regex(WORD), "removed", invert=True)
        spelled = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        self._pieces.pre_tokenizer = pre_tokenizers.Sequence([split, spelled])

    def __call__(self, sentences: Sequence[str]) -> Ints:
        """Return a row (n, length) for each sentence; its end has the highest number, 0 follows."""
        start, end = self._ends
        rows = np.zeros((len(sentences), self.length), np.int64)
        for row, sentence in zip(rows, sentences, strict=True):
            read = self._pieces.encode(sentence.lower()).ids[: self.length - 2]
            row[: len(read) + 2] = [start, *read, end]
        return rows
