"""The small dual encoder that ships: open_clip's interface, trained on simulated things alone.

It is used where CLIP's weights are missing: in tests, demonstrations and simulated worlds. It knows nothing
of the real world. ``tools/looks/train.py`` trains it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from commonground.arrays import Floats32, Ints
from commonground.looks import Calibration
from commonground.mapping.perception.cutouts import resized
from commonground.mapping.perception.settings import FastSamSettings
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


IMAGE_PX = 48
DIRECTIONS = 8
CELLS = (6, 12)
"""Edge lengths in pixels, of fine cells in the crop and of coarse ones."""
MIXED = np.array([[1 / 3, 1 / 3, 1 / 3], [0.5, -0.5, 0], [0.25, 0.25, -0.5]], np.float32)
"""Lightness and two opponent colors, of red, green and blue."""
_TURNED = 2 * np.pi * np.arange(DIRECTIONS // 2) / DIRECTIONS
_EPSILON = 1e-5
_IMAGE, _TEXT = "visual.trunk.meaning", "transformer.resblocks"


def edges(crops: Floats32) -> Floats32:
    """Return edges and colors (n, f) of crops (n, 3, 48, 48) in their cells; nothing of it is learned."""
    n = len(crops)
    colors = (MIXED @ crops.reshape(n, 3, -1)).reshape(crops.shape)
    wide = np.pad(colors, ((0, 0), (0, 0), (1, 1), (1, 1)))
    down = (wide[:, :, :-2] + 2 * wide[:, :, 1:-1] + wide[:, :, 2:]) / 4
    along = (wide[..., :-2] + 2 * wide[..., 1:-1] + wide[..., 2:]) / 4
    across, upward = down[..., :-2] - down[..., 2:], along[:, :, :-2] - along[:, :, 2:]
    cos, sin = (f(_TURNED).astype(np.float32)[:, None, None] for f in (np.cos, np.sin))
    turned = cos * across[:, :, None] + sin * upward[:, :, None]
    turned = np.concatenate([np.maximum(turned, 0), np.maximum(-turned, 0)], axis=2)
    strong = turned[:, 0] + (turned[:, 1] + turned[:, 2]) / 2
    colorful = np.sqrt((colors[:, 1:] ** 2).sum(axis=1, keepdims=True))
    colors = np.concatenate([colors, colorful], axis=1)
    cells = []
    for cell in CELLS:
        strength = _pooled(strong, cell)
        square = np.pad((strength**2).sum(axis=1), ((0, 0), (1, 1), (1, 1)))
        rows = square[:, :-2] + square[:, 1:-1] + square[:, 2:]
        around = (rows[..., :-2] + rows[..., 1:-1] + rows[..., 2:]) / 9
        cells.append(np.sqrt(strength / np.sqrt(around + 0.01)[:, None]).reshape(n, -1))
        cells.append(_pooled(colors, cell).reshape(n, -1))
    return np.concatenate(cells, axis=1)


def _pooled(images: Floats32, cell: int) -> Floats32:
    """Return the means (n, c, h / cell, w / cell) of cells of images."""
    n, channels, high, wide = images.shape
    rows = images.reshape(n, channels, high, wide // cell, cell).mean(axis=4, dtype=np.float32)
    both = rows.reshape(n, channels, high // cell, cell, -1).mean(axis=3, dtype=np.float32)
    return np.asarray(both, np.float32)


class SmallNet:
    """Both towers, with weights by the names that open_clip gives them.

    Edges by direction in cells, normalized among neighbors (Dalal and Triggs 2005), are fixed, so that little
    is left to learn, and a processor learns it in minutes. ``tools/looks`` trains it with torch, as a model
    of open_clip; here its few layers are worked out without either, which take seconds to import.
    """

    def __init__(self, weights: Mapping[str, Floats32], heads: int) -> None:
        self._weights = {name: np.asarray(value, np.float32) for name, value in weights.items()}
        self._heads = heads
        self.scale = float(np.exp(self._weights["logit_scale"]))
        self.bias = float(self._weights["logit_bias"])

    def seen(self, crops: Floats32) -> Floats32:
        """Return the vectors (n, d) of crops (n, 3, 48, 48), of any length."""
        x = self._usual(edges(crops), 0)
        for layer in (1, 5):
            x = np.maximum(self._usual(self._linear(x, f"{_IMAGE}.{layer}."), layer + 1), 0)
        return self._linear(x, f"{_IMAGE}.9.")

    def read(self, rows: Ints) -> Floats32:
        """Return the vectors (n, d) of rows of word pieces: what is read at the end of each sentence.

        A transformer reads them from left to right.
        """
        w = self._weights
        x = w["token_embedding.weight"][rows] + w["positional_embedding"]
        layers = {name.split(".")[2] for name in w if name.startswith(_TEXT)}
        for layer in sorted(layers, key=int):
            at = f"{_TEXT}.{layer}"
            x = x + self._attended(self._level(x, f"{at}.ln_1."), f"{at}.attn.")
            inner = _gelu(self._linear(self._level(x, f"{at}.ln_2."), f"{at}.mlp.c_fc."))
            x = x + self._linear(inner, f"{at}.mlp.c_proj.")
        ends = x[np.arange(len(rows)), rows.argmax(axis=1)]
        return self._level(ends, "ln_final.") @ w["text_projection"]

    def _linear(self, x: Floats32, name: str) -> Floats32:
        return x @ self._weights[f"{name}weight"].T + self._weights[f"{name}bias"]

    def _usual(self, x: Floats32, layer: int) -> Floats32:
        """Return features by how they were while it was trained."""
        weight, bias, mean, var = (
            self._weights[f"{_IMAGE}.{layer}.{of}"]
            for of in ("weight", "bias", "running_mean", "running_var")
        )
        gain = weight / np.sqrt(var + np.float32(_EPSILON))
        return np.asarray(x * gain + (bias - mean * gain), np.float32)

    def _level(self, x: Floats32, name: str) -> Floats32:
        """Return features by the others of the same piece."""
        off = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((off**2).mean(axis=-1, keepdims=True) + np.float32(_EPSILON))
        weight, bias = self._weights[f"{name}weight"], self._weights[f"{name}bias"]
        return np.asarray(off / spread * weight + bias, np.float32)

    def _attended(self, x: Floats32, name: str) -> Floats32:
        """Return what each piece takes from those up to it."""
        n, length, _ = x.shape
        three = self._linear(x, f"{name}in_proj_").reshape(n, length, 3, self._heads, -1)
        query, key, value = three.transpose(2, 0, 3, 1, 4)
        fit = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(query.shape[-1]))
        fit = np.where(np.tri(length, dtype=bool), fit, np.float32(-np.inf))
        share = np.exp(fit - fit.max(axis=-1, keepdims=True))
        taken = share / share.sum(axis=-1, keepdims=True) @ value
        return self._linear(taken.transpose(0, 2, 1, 3).reshape(x.shape), f"{name}out_proj.")


def _gelu(x: Floats32) -> Floats32:
    from scipy.special import erf

    return np.asarray(x * (1 + erf(x / np.float32(np.sqrt(2)))) / 2, np.float32)
