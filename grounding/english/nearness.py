"""How near two words of English lie to each other in what they mean, whichever of two opposites they are."""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from commonground.reading import read_arrays


@cache
def _table() -> tuple[dict[str, int], npt.NDArray[np.int8]]:
    arrays = read_arrays(Path(str(files(__package__) / "data" / "words.npz")))
    words = arrays["words"].tobytes().decode().split("\n")
    return {word: at for at, word in enumerate(words)}, arrays["vectors"]


@lru_cache(maxsize=1 << 14)
def nearness(one: str, other: str) -> float:
    """Return the cosine of the vectors of two words in their base forms; 0 where one is not known."""
    places, vectors = _table()
    if one not in places or other not in places:
        return 0.0
    left, right = (vectors[places[w]].astype(np.float32) for w in (one, other))
    size = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / size if size else 0.0
