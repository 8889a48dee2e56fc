"""What things in masks are called: by words of an encoder, classes of a segmenter, or not at all."""

from __future__ import annotations

import hashlib
import json
import logging
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np

from commonground.arrays import Bools, Floats32, Ints
from commonground.atomic import write_with
from commonground.frame import Frame
from commonground.installation import weight_folder
from commonground.mapping.perception.clip import Clip
from commonground.mapping.perception.mask_filters import MaskFacts
from commonground.mapping.perception.regions import Regions, Segmenter
from commonground.mapping.perception.settings import FastSamSettings
from commonground.mapping.perception.vectors import ImageVectors, WordVectors
from commonground.mapping.perception.weights import local_clip
from commonground.mapping.perception.words import Words
from commonground.names import within
from commonground.reading import BoundError, read_arrays

log = logging.getLogger(__name__)
MOST_MB = 64
FOLDER = "words"


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """What k masks are called."""

    labels: Floats32
    """(k, words) probability of each word of things."""
    surface: Ints
    """(k,) the word of surfaces it is, −1 for what is a thing."""
    ignored: Bools
    """(k,) which are to be kept out of the map."""


class Namer(Protocol):
    """Names masks."""

    @property
    def vocabulary(self) -> tuple[str, ...]:
        """Words of things."""
        ...

    @property
    def surface_words(self) -> tuple[str, ...]:
        """Words of surfaces; empty where it knows none, and geometry tells surfaces."""
        ...

    def named(
        self, frame: Frame, found: Regions, facts: MaskFacts, looks: Floats32, large: Bools
    ) -> Named:
        """Return what the masks of a frame are, by their vectors ``looks``; ``large`` can be no thing."""
        ...


def open_namer(
    settings: FastSamSettings, segmenter: Segmenter, encoder: ImageVectors | None, words: Words
) -> Namer:
    """Return what names the masks of a segmenter: its own classes, the encoder, or CLIP where it is here."""
    if segmenter.words:
        return ByClasses(segmenter.words, words.ignored)
    if isinstance(encoder, WordVectors):
        return ByWords(encoder, words, settings.ignore_above)
    if local_clip(settings.clip_model, settings.clip_weights) is not None:
        return ByWords(Clip(settings), words, settings.ignore_above, own=False)
    log.warning(
        "%s knows no words and CLIP's weights are not here: things get no names",
        segmenter.name if encoder is None else encoder.name,
    )
    return NoNames()


class ByWords:
    """By the words that are nearest to what is seen."""

    def __init__(
        self, encoder: WordVectors, words: Words, ignore_above: float, *, own: bool = True
    ) -> None:
        self.vocabulary, self.surface_words = words.objects, words.surfaces
        self._encoder, self._ignore_above, self._own = encoder, ignore_above, own
        """``own``: the encoder is the one that makes the looks of things."""
        self._text = encoded_words(encoder, words.everything, words.prompts)

    def named(
        self, frame: Frame, found: Regions, facts: MaskFacts, looks: Floats32, large: Bools
    ) -> Named:
        """Return what the masks are; one too large or flat for a thing needs only not to be ignored."""
        if not self._own:
            looks = self._encoder.images(frame.rgb, found.masks, facts.boxes)
        logits = self._encoder.scale * looks @ self._text.T
        logits = logits - logits.max(axis=1, keepdims=True, initial=-np.inf)
        shares = normalized(np.exp(logits))
        n = len(self.vocabulary)
        m = n + len(self.surface_words)
        ignored = np.asarray(shares[:, m:].sum(axis=1) > self._ignore_above)
        is_surface = ((shares[:, n:m].sum(axis=1) > 0.5) | large) & ~ignored
        best = shares[:, n:m].argmax(axis=1) if m > n else np.full(len(shares), -1)
        surface = np.where(is_surface, best, -1)
        return Named(normalized(shares[:, :n]), np.asarray(surface, np.int64), ignored)


class ByClasses:
    """By the classes that the segmenter gives."""

    surface_words: tuple[str, ...] = ()

    def __init__(self, words: tuple[str, ...], ignored: tuple[str, ...]) -> None:
        self._ignored = np.array([word in ignored for word in words], bool)
        self.vocabulary = tuple(word for word in words if word not in ignored)
        self._row = np.where(self._ignored, 0, np.cumsum(~self._ignored) - 1)

    def named(
        self, frame: Frame, found: Regions, facts: MaskFacts, looks: Floats32, large: Bools
    ) -> Named:
        """Return what the masks are: as sure as the segmenter is, the rest shared by other classes."""
        k, c = len(found.scores), len(self.vocabulary)
        rest = (1 - found.scores[:, None]) / max(c - 1, 1)
        labels = np.repeat(rest, c, axis=1).astype(np.float32)
        ignored = self._ignored[found.classes]
        rows = np.flatnonzero(~ignored)
        labels[rows, self._row[found.classes[rows]]] = found.scores[rows]
        return Named(normalized(labels), np.full(k, -1, np.int64), ignored)


class NoNames:
    """Things that nobody names."""

    vocabulary: tuple[str, ...] = ()
    surface_words: tuple[str, ...] = ()

    def named(
        self, frame: Frame, found: Regions, facts: MaskFacts, looks: Floats32, large: Bools
    ) -> Named:
        k = len(found.scores)
        return Named(np.zeros((k, 0), np.float32), np.full(k, -1, np.int64), np.zeros(k, bool))


def normalized(rows: Floats32) -> Floats32:
    """Return rows that add up to one, even ones where they add up to nothing."""
    total = rows.sum(axis=1, keepdims=True)
    even = np.full_like(rows, 1.0 / max(rows.shape[1], 1))
    return np.asarray(np.where(total > 0, rows / np.maximum(total, 1e-12), even), np.float32)


def encoded_words(encoder: WordVectors, words: Sequence[str], prompts: Sequence[str]) -> Floats32:
    """Return the unit vectors (w, d) of words; those made before with the same weights are read.

    Where the encoder tells no file of weights, as one that was just downloaded, they are made each time.
    """
    if encoder.weights is None:
        return encoder.words(words, prompts)
    key = _key(encoder.name, words, prompts, encoder.weights)
    file = within(weight_folder(), FOLDER, f"{key}.npz")
    known = _read(file, len(words))
    if known is not None:
        return known
    made = encoder.words(words, prompts)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_with(file, lambda out: np.savez(out, allow_pickle=False, vectors=made))
    except OSError as error:
        log.info("%s: vectors of words are not kept (%s)", file, error)
    return made


def _key(name: str, words: Sequence[str], prompts: Sequence[str], weights: Path) -> str:
    state = weights.stat()
    said = [name, str(weights.resolve()), state.st_size, state.st_mtime_ns, *words, "", *prompts]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:32]


def _read(file: Path, count: int) -> Floats32 | None:
    """Return the vectors of a file, None where it is missing or damaged."""
    try:
        vectors = read_arrays(file, MOST_MB)["vectors"]
    except (OSError, EOFError, ValueError, KeyError, BoundError, zipfile.BadZipFile):
        return None
    good = vectors.ndim == 2 and len(vectors) == count and np.isfinite(vectors).all()
    return np.asarray(vectors, np.float32) if good else None
