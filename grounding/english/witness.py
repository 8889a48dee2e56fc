"""A witness beside the network: how well the words of a text speak for each way to read it.

The network reads whole texts, and is sure of nearly all that it reads. Two linear models, learned from the
same wordings, judge parts: by the words around each thing what it is spoken of for, by all words which
constructions a text has. They know less; but they err elsewhere. What they speak against is less likely, and
a deed that the words around its thing hardly ever tell is not done.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from commonground.grounding.english.constructions import CONSTRUCTIONS, constructions_of
from commonground.grounding.english.contexts import contexts, whole
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.purposes import DEEDS, PURPOSES, Purpose, purposes_of
from commonground.grounding.english.utterance import Crew, Span, Utterance
from commonground.reading import read_arrays

Floats = npt.NDArray[np.float32]
Likely = Mapping[Span, Floats]
"""The logarithms of the probabilities of all purposes of each thing."""
UNSPOKEN = math.log(0.03)
"""A deed is doubted if the words around its thing tell it with less than this."""
LEAST = -4.0
"""Nothing is taken to be less probable: the models are too sure of themselves there."""
OF_THINGS, OF_TEXT = 0.25, 0.8
"""What the words around things and those of the whole text are worth beside the network's probability."""


class Judged(NamedTuple):
    """What the words of a text say of a reading."""

    share: float
    """How probable they make it, beside other readings of the same text."""
    unspoken: tuple[Span, ...] = ()
    """Things of which the words around them do not tell what is to be done with them."""


class Witness:
    """Judges readings by the words of their text."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder if folder is not None else Path(str(files(__package__) / "data"))

    def judge(self, text: str, utterances: Sequence[Utterance]) -> list[Judged]:
        """Return what the words of a text say of each of several ways to read it."""
        purposes = [dict(purposes_of(utterance)) for utterance in utterances]
        things = apart(span for found in purposes for span in found)
        robots = {name for u in utterances for crew in parts_of(u, Crew) for name in crew.names}
        of_things, of_text = _weights(self._folder)
        likely = {
            thing: _of_one(of_things[np.array(rows)].sum(0))
            for thing, rows in contexts(text, things, robots)
        }
        has = _of_each(of_text[np.array(whole(text, things, robots))].sum(0))
        judged = [_judged(found, likely) for found in purposes]
        return [
            made._replace(share=made.share * _fits(utterance, has))
            for made, utterance in zip(judged, utterances, strict=True)
        ]


@cache
def _weights(folder: Path) -> tuple[Floats, Floats]:
    """Return what words speak for: things' purposes, and constructions of the whole text."""
    arrays = read_arrays(folder / "witness.npz")
    things, text = (
        arrays[name].astype(np.float32) * np.float32(arrays[f"{name}_scale"])
        for name in ("purposes", "constructions")
    )
    return things, text


def apart(spans: Iterable[Span]) -> list[Span]:
    """Return spans of which none lies in another, the longest."""
    found: list[Span] = []
    for span in sorted(set(spans), key=lambda s: (s.start - s.end, s.start)):
        if not any(_overlap(span, other) for other in found):
            found.append(span)
    return found


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _of_one(scores: Floats) -> Floats:
    """Return the logarithms of the probabilities of what excludes each other."""
    found: Floats = scores - np.logaddexp.reduce(scores)
    return found


def _of_each(scores: Floats) -> Floats:
    """Return the logarithms of the probabilities that each is so, and that it is not."""
    found: Floats = -np.logaddexp(0, np.stack([-scores, scores]))
    return found


def _judged(purposes: Mapping[Span, Purpose], likely: Likely) -> Judged:
    """Return what the words around each thing say; what a reading has no word for is only talk in it."""
    total, unspoken = 0.0, []
    for thing, scores in likely.items():
        given = next((p for span, p in [*purposes.items()][::-1] if _overlap(span, thing)), "talk")
        score = float(scores[PURPOSES.index(given)])
        total += max(score, LEAST)
        if given in DEEDS and score < UNSPOKEN:
            unspoken.append(thing)
    return Judged(math.exp(OF_THINGS * total), tuple(unspoken))


def _fits(utterance: Utterance, has: Floats) -> float:
    """Return how probable all the words of a text make the constructions of an utterance."""
    found = constructions_of(utterance)
    scores = (has[0 if name in found else 1][k] for k, name in enumerate(CONSTRUCTIONS))
    return math.exp(OF_TEXT * sum(max(float(score), LEAST) for score in scores))
