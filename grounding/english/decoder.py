"""The likeliest utterances of a text: a beam of rows, each of which the grammar keeps an utterance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from commonground.grounding.english.model import Floats, Network
from commonground.grounding.english.spans import FIELD_KINDS, KINDS, Segment
from commonground.grounding.english.symbols import MAX_SYMBOLS, POINTER, Row, all_symbols
from commonground.grounding.english.utterance import Mood, Span, Utterance

START = len(all_symbols())
_NUMBER = {name: number for number, name in enumerate(all_symbols())}
_CONDITION = _NUMBER["condition"]
_REPEATED = {"again": (True,), "names": (False, True)}
"""Fields whose spans may have been, or must have been, used before."""


@dataclass(slots=True)
class Way:
    """One row under way."""

    row: Row
    score: float = 0.0
    scopes: list[int] = field(default_factory=lambda: [START])
    last: int = START
    pointed: int = 0
    used: frozenset[int] = frozenset()
    weakest: float = 0.0
    """The lowest log probability of any step."""

    def taking(self, item: int, score: float, spans: Sequence[Span]) -> Way:
        """Return this way with one item more."""
        row, scopes, used = self.row.copy(), self.scopes, self.used
        if item >= START:
            row.add(spans[item - START])
            used = used | {item - START}
            return Way(
                row, self.score + score, scopes, _NUMBER[POINTER], item - START, used,
                min(self.weakest, score),
            )  # fmt: skip
        before = row.depth
        row.add(all_symbols()[item])
        if row.depth > before:
            scopes = [*scopes, item]
        elif row.depth < before:
            scopes = scopes[:-1] or [START]
        return Way(row, self.score + score, scopes, item, 0, used, min(self.weakest, score))


def decode(
    network: Network,
    states: Floats,
    segments: Sequence[Segment],
    spans: Sequence[Span],
    width: int,
    doubt: float,
    mood: Mood | None = None,
) -> list[Way]:
    """Return the likeliest whole rows, the best first; the mood is known where the listener knows it.

    Rows that become more than e to the ``doubt`` less likely than the best are given up.
    """
    rows, seen = network.look(states, segments)
    kept = network.nothing_yet()
    ways: list[Way] = [Way(Row())]
    done: list[Way] = []
    for _ in range(MAX_SYMBOLS):
        used = np.zeros((len(ways), 1, rows.shape[1]), np.float32)
        for at, way in enumerate(ways):
            used[at, 0, list(way.used)] = 1
        scores, kept = network.write(
            symbols=np.array([[w.last] for w in ways]),
            pointers=np.array([[w.pointed] for w in ways]),
            scopes=np.array([[w.scopes[-1]] for w in ways]),
            used=used, spans=rows, seen=seen, past=kept,
        )  # fmt: skip
        best = _best(ways, scores, segments, width, mood)
        ways, done, chosen = _taken(ways, done, best, spans, width, doubt)
        if not ways:
            break
        kept = kept[:, :, chosen]
    return sorted(done, key=lambda w: -w.score)


def _best(
    ways: Sequence[Way],
    scores: Floats,
    segments: Sequence[Segment],
    width: int,
    mood: Mood | None,
) -> list[tuple[float, int, int, float]]:
    """Return the best next items over all ways: total score, way, item, its own score."""
    found = []
    for at, way in enumerate(ways):
        allowed = way.row.allowed()
        if allowed == (POINTER,):
            options = _spans_for(way.row.field, segments, way.used)
        else:
            known = None if _CONDITION in way.scopes else mood
            options = _numbers(_in_mood(allowed, way.row.field, known))
        if not len(options):
            continue
        own = scores[at, options]
        likeliest = np.argsort(-own)[:width] if len(own) > 1 else slice(None)
        for item, score in zip(options[likeliest].tolist(), own[likeliest].tolist(), strict=True):
            found.append((way.score + score, at, item, score))
    return sorted(found, key=lambda f: -f[0])[:width]


def _taken(
    ways: Sequence[Way],
    done: list[Way],
    best: Sequence[tuple[float, int, int, float]],
    spans: Sequence[Span],
    width: int,
    doubt: float,
) -> tuple[list[Way], list[Way], list[int]]:
    """Return the ways that go on, those that are whole, and where the former come from."""
    live, chosen = [], []
    for _, at, item, score in best:
        way = ways[at].taking(item, score, spans)
        if way.row.utterance is not None:
            done.append(way)
        else:
            live.append(way)
            chosen.append(at)
    scores = sorted((way.score for way in done), reverse=True)
    likeliest = max((way.score for way in (*live, *done)), default=0.0)
    floor = max([likeliest - doubt, *scores[width - 1 : width]])
    keep = [k for k, way in enumerate(live) if way.score > floor]
    return [live[k] for k in keep], done, [chosen[k] for k in keep]


@cache
def _in_mood(allowed: tuple[str, ...], field: str, mood: Mood | None) -> tuple[str, ...]:
    """Return what may come next where the mood of every clause is known; ``do`` is not written."""
    if mood is None or field != "sense":
        return allowed
    if mood != "do":
        return (f"mood={mood}",)
    return tuple(s for s in allowed if s not in ("mood=tell", "mood=ask"))


@cache
def _numbers(symbols: tuple[str, ...]) -> np.ndarray:
    return np.array([_NUMBER[s] for s in symbols])


def _spans_for(name: str, segments: Sequence[Segment], used: frozenset[int]) -> np.ndarray:
    """Return the items of the spans that a field may take: each is said once, then taken up."""
    kinds = {KINDS.index(k) for k in FIELD_KINDS[name]}
    fits = _REPEATED.get(name, (False,))
    return np.array(
        [START + k for k, s in enumerate(segments) if s[2] in kinds and (k in used) in fits],
        np.int64,
    )


def utterance_of(way: Way) -> Utterance:
    """Return what a whole way says."""
    if way.row.utterance is None:
        raise ValueError("the row is not whole")
    return way.row.utterance
