"""The small dual encoder that ships: open_clip's interface, trained on simulated things alone.

It is used where CLIP's weights are missing: in tests, demonstrations and simulated worlds. It knows nothing
of the real world. ``tools/looks/train.py`` trains it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats32, Ints
from commonground.looks import Calibration
from commonground.mapping.perception.cutouts import resized
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.small_net import IMAGE_PX, SmallNet
from commonground.names import within
from commonground.reading import read_bytes, read_text, unpacked

NAME = "simulated"
"""As ``perception.fastsam.clip_model``."""
WEIGHTS = "simulated.safetensors"
"""As ``perception.fastsam.clip_weights``."""
NEEDS = ("tokenizers", "safetensors")
MEAN, STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)
"""The colors that it takes for usual: those of CLIP (Radford et al. 2021)."""
MOST_BYTES = 1 << 20
START, END = "<start_of_text>", "<end_of_text>"
LAST = "</w>"
"""The end of a word, as its last piece has it."""
WORD = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+"


def shipped(name: str) -> Path:
    """Return the path of a file of the small model."""
    return within(Path(str(files("commonground.mapping.perception").joinpath("data"))), name)


class Small:
    """The small model with its weights; LookupError and ValueError for weights that are not its own."""

    def __init__(self, weights: Path) -> None:
        from safetensors.numpy import load_file

        text = json.loads(read_text(shipped(f"{NAME}.json")))["text_cfg"]
        self._net = SmallNet(load_file(weights), text["heads"])
        self._pieces = Pieces(shipped(f"{NAME}.pieces.gz"), text["context_length"])
        self.weights, self.mean = str(weights), MEAN
        self.scale, self.bias = self._net.scale, self._net.bias
        (
            self.said([""]),
            self.looks([np.zeros((3, 1, 1), np.float32)]),
        )  # fails where they are not its own

    def looks(self, crops: Sequence[Floats32]) -> Floats32:
        """Return the features (k, d) of crops (3, side, side) in [0, 1], of any length."""
        mean, std = (np.array(v, np.float32)[:, None, None] for v in (MEAN, STD))
        return self._net.seen((np.stack([resized(c, IMAGE_PX) for c in crops]) - mean) / std)

    def said(self, sentences: Sequence[str]) -> Floats32:
        """Return the features (n, d) of sentences, of any length."""
        return self._net.read(self._pieces(sentences))


def taught(model: str) -> tuple[str, ...]:
    """Return the nouns and attributes that the small model was taught; none for any other model."""
    if model != NAME:
        return ()
    return tuple(read_text(shipped(f"{NAME}.words.txt")).splitlines())


def calibration(model: str) -> Calibration:
    """Return how sure the small model makes one; any other is taken at its word."""
    return Calibration.read(shipped(f"{NAME}.calibration.json")) if model == NAME else Calibration()


def simulated() -> FastSamSettings:
    """Return the settings that take the small model instead of CLIP."""
    return FastSamSettings(clip_model=NAME, clip_weights=WEIGHTS)


# ---- word pieces ----


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
