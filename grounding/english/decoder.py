"""The likeliest utterances of a text: beams of rows, each of which the grammar keeps an utterance.

A text has a beam for each way to mark its spans. All beams take each step together: it costs little more than
one alone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate

import numpy as np
import numpy.typing as npt

from commonground.grounding.english.model import Network
from commonground.grounding.english.spans import FIELD_KINDS, KINDS, Segment
from commonground.grounding.english.symbols import (
    BEGIN,
    MAX_SYMBOLS,
    POINTER,
    Place,
    all_symbols,
    allowed_after,
    fields_of,
    read,
)
from commonground.grounding.english.utterance import Mood, Span, Utterance
from commonground.grounding.english.writer import Floats, Told, Written

START = len(all_symbols())
"""Stands for what is before a row; the spans are numbered from here on."""
_NUMBER = {name: number for number, name in enumerate(all_symbols())} | {"": START}
_REPEATED = {"again": (True,), "names": (False, True)}
"""Fields whose spans may have been, or must have been, used before."""


@dataclass(frozen=True, slots=True)
class Way:
    """One row under way, or whole."""

    place: Place | None = BEGIN
    """None at the end."""
    score: float = 0.0
    last: int = START
    pointed: int = 0
    used: frozenset[int] = frozenset()
    before: Way | None = None
    """The row without its last item."""

    def taking(self, item: int, score: float) -> Way:
        if self.place is None:
            raise ValueError("the row is whole")
        if item >= START:
            span, used = item - START, self.used | {item - START}
            after = self.place.after(POINTER)
            return Way(after, score, _NUMBER[POINTER], span, used, self)
        return Way(self.place.after(all_symbols()[item]), score, item, 0, self.used, self)

    def utterance(self, spans: Sequence[Span]) -> Utterance:
        """Return what a whole row says."""
        return read(reversed([*self._items(spans)]))

    def _items(self, spans: Sequence[Span]) -> Iterator[str | Span]:
        """Yield what was written, the last first."""
        way = self
        while way.before is not None:
            yield spans[way.pointed] if way.last == _POINTER else all_symbols()[way.last]
            way = way.before


_POINTER = _NUMBER[POINTER]


@dataclass(slots=True)
class _Beam:
    """The likeliest rows about one way to mark the spans."""

    kinds: tuple[int, ...]
    """Of the spans."""
    first: int
    """Where its spans begin among those of all beams."""
    live: list[Way] = field(default_factory=lambda: [Way()])
    whole: list[Way] = field(default_factory=list)

    def take(self, scores: Floats, width: int, doubt: float, mood: Mood | None) -> list[int]:
        """Go on by one symbol or span, and return which of its rows each row now goes on.

        (rows, symbols and spans of all beams) are the logarithms of what is probable.
        """
        live, came = [], []
        for at, item, score in self._best(scores, width, mood):
            way = self.live[at].taking(item, score)
            if way.place is None:
                self.whole.append(way)
            else:
                live.append(way)
                came.append(at)
        done = sorted((way.score for way in self.whole), reverse=True)
        likeliest = max((way.score for way in (*live, *self.whole)), default=0.0)
        floor = max([likeliest - doubt, *done[width - 1 : width]])
        keep = [k for k, way in enumerate(live) if way.score > floor]
        self.live = [live[k] for k in keep]
        return [came[k] for k in keep]

    def _best(
        self, scores: Floats, width: int, mood: Mood | None
    ) -> Iterator[tuple[int, int, float]]:
        """Yield the likeliest next items of all rows, the best first: row, item, score of the row with it."""
        options = [self._options(way, mood) for way in self.live]
        found = [
            own.take(items + self.first if way.place and way.place.awaits_span else items)
            + way.score
            for way, items, own in zip(self.live, options, scores, strict=True)
        ]
        total = np.concatenate(found)
        begins = [*accumulate(map(len, found), initial=0)]
        for at in (-total).argsort(kind="stable")[:width].tolist():
            row = bisect_right(begins, at) - 1
            yield row, int(options[row][at - begins[row]]), float(total[at])

    def _options(self, way: Way, mood: Mood | None) -> npt.NDArray[np.int64]:
        """Return the items that may come next in a row."""
        place = way.place or BEGIN
        if not place.awaits_span:
            return _symbols(place.cls, place.last, place.deep, None if _if(place) else mood)
        kinds, fits = _fitting(place.field), _REPEATED.get(place.field, (False,))
        spans = enumerate(self.kinds)
        found = [START + k for k, kind in spans if kind in kinds and (k in way.used) in fits]
        return np.array(found, np.int64)


def decode(
    network: Network,
    states: Floats,
    marked: Sequence[Sequence[Segment]],
    width: int,
    doubt: float,
    mood: Mood | None = None,
) -> list[list[Way]]:
    """Return the likeliest whole rows for each way to mark the spans of a text, the best first.

    The mood is known where the listener knows it. Rows that become more than e to the ``doubt`` less likely
    than the best are given up.
    """
    writer, about = network.writer, network.look(states, marked)
    beams = [
        _Beam(tuple(kind for _, _, kind in segments), first)
        for segments, first in zip(marked, about.firsts, strict=True)
    ]
    kept, came = writer.nothing_yet(len(beams)), [*range(len(beams))]
    for place in range(MAX_SYMBOLS):
        scores, kept = writer.write(_written(beams, came, about), about, kept, place)
        came, end = [], 0
        for beam in (one for one in beams if one.live):
            start, end = end, end + len(beam.live)
            came += [start + at for at in beam.take(scores[start:end], width, doubt, mood)]
        if not came:
            break
    return [sorted(beam.whole, key=lambda way: -way.score) for beam in beams]


def _written(beams: Sequence[_Beam], came: Sequence[int], about: Told) -> Written:
    """Return the rows of all beams, and which of the rows before each goes on."""
    rows = [(at, beam.first, way) for at, beam in enumerate(beams) for way in beam.live]
    used = np.zeros((len(rows), about.spans.shape[1]), np.float32)
    for row, (_, first, way) in enumerate(rows):
        used[row, [first + span for span in way.used]] = 1
    opened = [START if way.place is None else _NUMBER[way.place.opened] for _, _, way in rows]
    return Written(
        np.array([way.last for _, _, way in rows]),
        np.array(opened),
        np.array([first + way.pointed for _, first, way in rows]),
        used,
        np.array([at for at, _, _ in rows]),
        np.array(came),
    )


def _if(place: Place | None) -> bool:
    """Return whether a row stands in a condition."""
    while place is not None and place.opened != "condition":
        place = place.above
    return place is not None


@cache
def _symbols(cls: type, last: int, deep: bool, mood: Mood | None) -> npt.NDArray[np.int64]:
    """Return the symbols that may come next where the mood of all clauses is known; ``do`` is not written."""
    allowed = allowed_after(cls, last, deep)
    if mood is not None and last >= 0 and fields_of(cls)[last].name == "sense":
        others = [s for s in allowed if s not in ("mood=tell", "mood=ask")]
        allowed = tuple(others) if mood == "do" else (f"mood={mood}",)
    return np.array([_NUMBER[s] for s in allowed])


@cache
def _fitting(name: str) -> frozenset[int]:
    """Return the kinds of spans that a field may take."""
    return frozenset(KINDS.index(kind) for kind in FIELD_KINDS[name])
