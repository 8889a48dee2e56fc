"""The trained network: what its files say of tokens, spans and the next symbol. Runs on onnxruntime alone."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np

from commonground.errors import GroundingError
from commonground.grounding.english.graphs import session
from commonground.grounding.english.names import Hint, marks
from commonground.grounding.english.spans import Segment, tags_of
from commonground.grounding.english.symbols import all_symbols
from commonground.grounding.english.tokens import pieces, shape
from commonground.grounding.english.writer import Floats, Told, Writer, told
from commonground.reading import NETWORK_MB, read_arrays, read_bytes
from commonground.reasons import reason

DOMAINS = ("scene", "household", "memory")
_WORD_SCALE = 32.0


class Network:
    """The graphs and tables of one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        where = folder if folder is not None else Path(str(files(__package__) / "data"))
        try:
            tables = read_arrays(where / "tables.npz") | read_arrays(where / "words.npz")
            if tables["symbols"].tobytes().decode().split("\n") != list(all_symbols()):
                raise GroundingError(
                    f"{where}: was trained for other meanings; please train it again"
                )
            self._encode = session(read_bytes(where / "encode.onnx", NETWORK_MB))
            self._look = session(read_bytes(where / "look.onnx", NETWORK_MB))
            write = read_bytes(where / "write.onnx", NETWORK_MB)
            self.writer = Writer(write, *map(int, tables["shape"]))
        except (OSError, ValueError, RuntimeError) as error:
            raise GroundingError(
                f"{where}: cannot be read as a reader of English: {reason(error)}"
            ) from error
        self._pieces, self._piece_scale = tables["pieces"], tables["pieces_scale"]
        self._whole, self._whole_scale = tables["whole"], tables["whole_scale"]
        self._vectors = tables["vectors"]
        self._names: bytes = tables["words"].tobytes()
        self._known = lru_cache(maxsize=4096)(self._known_by)  # people say the same words again

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self._names.decode().split("\n"))}

    # ---- tokens -----------------------------------------------------------------------------------

    def known(self, words: Sequence[str], domain: str, hints: Sequence[Hint] = ()) -> Floats:
        """Return what the words are known by: letters, meaning, looks, domain, and names of the world."""
        rows = [self._known(word) for word in words]
        told = np.zeros(len(DOMAINS), np.float32)
        told[DOMAINS.index(domain)] = 1
        hinted = marks(hints, len(words))
        found = [np.concatenate([row, told, hint]) for row, hint in zip(rows, hinted, strict=True)]
        return np.array(found, np.float32)[None]

    def _known_by(self, word: str) -> Floats:
        whole, *parts = pieces(word)
        mean = (self._pieces[parts] * self._piece_scale[parts, None].astype(np.float32)).mean(0)
        row = self._words.get(word.lower())
        meant = self._vectors[row] / _WORD_SCALE if row is not None else self._vectors[0] * 0.0
        itself = self._whole[whole] * np.float32(self._whole_scale[whole])
        return np.concatenate([mean, itself, meant, shape(word)]).astype(np.float32)

    def encode(self, known: Floats) -> tuple[Floats, Floats]:
        """Return states (1, T, W) and log probabilities of tags (T, tags)."""
        states, tags = self._encode.run(None, {"known": known})
        return states, tags[0]

    # ---- symbols ----------------------------------------------------------------------------------

    def look(self, states: Floats, ways: Sequence[Sequence[Segment]]) -> Told:
        """Return what rows are written about where the spans of a text are marked in these ways."""
        return told([self._look_at(states, segments) for segments in ways])

    def _look_at(self, states: Floats, segments: Sequence[Segment]) -> tuple[Floats, Floats]:
        count = states.shape[1]
        members = np.zeros((1, max(2, len(segments)), count), np.float32)
        for row, (start, end, _) in enumerate(segments):
            members[0, row, start:end] = 1 / (end - start)
        tags = np.array([tags_of(segments, count)], np.int64)
        spans, seen = self._look.run(None, {"states": states, "tags": tags, "members": members})
        return spans, seen
