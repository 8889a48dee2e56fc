"""Vectors of words, kept on disk: to encode a vocabulary takes seconds, and it changes seldom."""

from __future__ import annotations

import hashlib
import json
import logging
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from commonground.arrays import Floats32
from commonground.atomic import write_with
from commonground.installation import weight_folder
from commonground.mapping.perception.vectors import WordVectors
from commonground.names import within
from commonground.reading import BoundError, read_arrays

log = logging.getLogger(__name__)

MOST_MB = 64
FOLDER = "words"


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
