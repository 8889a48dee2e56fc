"""Reads English: text → what was said, how sure that is, and which words were not understood."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from commonground.grounding.english.decoder import Way, decode
from commonground.grounding.english.model import Network
from commonground.grounding.english.names import ROBOT, Hint, Names
from commonground.grounding.english.pronouns import settled
from commonground.grounding.english.spans import (
    CHATTER,
    Segment,
    likely_tags,
    segments_of,
    sure_talk,
    titled,
)
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import Mood, Span, Utterance

Domain = Literal["scene", "household", "memory"]
MAX_TOKENS = 160
MAX_CHARACTERS = 4000


class Effort(NamedTuple):
    """How many ways to read a text are looked at."""

    beam: int = 3
    segmentations: int = 3
    """Ways to mark the spans of a text that are tried; the best whole says which was meant."""
    doubt: float = 3.0
    """A way to mark the spans is tried if it is at most e to this less likely than the likeliest."""
    hopeless: float = 7.0
    """What to make of the spans is given up once it is more than e to this less likely than the likeliest."""


USUAL = Effort()
THOROUGH = Effort(beam=6, segmentations=4, doubt=4.0, hopeless=9.0)
"""For a listener who judges by more than the network's word."""
NO_NAMES = Names()
KEPT = 128
"""Readings that are kept; each takes a few kilobytes."""
SURE = 0.7
"""Readings less probable than this are asked about."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says."""

    utterance: Utterance | None
    """The likeliest; None where the text is empty or too long."""
    confidence: float = 0.0
    """How probable the utterance is, as the network sees it."""
    unsure: tuple[Span, ...] = ()
    """Words that are no part of the utterance and no chatter."""
    chatter: tuple[Span, ...] = ()
    problem: str = ""
    """Why there is no utterance."""
    others: tuple[Reading, ...] = ()
    """What else the text may say, the likeliest first. Two utterances may mean the same to a listener."""
    talk: tuple[Span, ...] = ()
    """What is chatter for sure, however the rest is read; who is called in it is not."""

    @property
    def sure(self) -> bool:
        """Whether the utterance may be acted on."""
        return self.utterance is not None and self.confidence >= SURE and not self.unsure


class Reader:
    """Reads texts with one trained network."""

    def __init__(self, folder: Path | None = None) -> None:
        self.network = Network(folder)
        # who judges a reading, or listens twice, reads the same text again
        self._kept = lru_cache(maxsize=KEPT)(self._read)

    def read(
        self,
        text: str,
        domain: Domain,
        names: Names = NO_NAMES,
        mood: Mood | None = None,
        effort: Effort = USUAL,
    ) -> Reading:
        """Return what a text says.

        The names of the world it is about help to find its spans; a listener who is told a report, or an
        order, gives the mood.
        """
        tokens = tokens_of(text) if len(text) <= MAX_CHARACTERS else []
        problem = unreadable(text, tokens)
        if problem:
            return Reading(None, problem=problem)
        hints = names.hints([t.text for t in tokens])
        return self._kept(text, domain, tuple(hints), mood, effort)

    def _read(
        self, text: str, domain: Domain, hints: tuple[Hint, ...], mood: Mood | None, effort: Effort
    ) -> Reading:
        """Return what a text says in which these names were found."""
        tokens = tokens_of(text)
        states, tags = self.network.encode(
            self.network.known([t.text for t in tokens], domain, hints)
        )
        likely = likely_tags(tags, effort.segmentations)
        totals = [total for total, _ in likely if total >= likely[0][0] - effort.doubt]
        marked = [titled(segments_of(one)) for _, one in likely[: len(totals)]]
        decoded = decode(self.network, states, marked, effort.beam, effort.hopeless, mood)
        found = []
        for total, segments, ways in zip(totals, marked, decoded, strict=True):
            spans = [_span(text, tokens[s:e]) for s, e, _ in segments]
            found += [_reading(total + way.score, way, segments, spans) for way in ways]
        if not found:
            return Reading(None, problem="I do not understand that.")
        goes_on = domain == "memory"  # elsewhere nobody is spoken of before
        best, *others = _merged([_settled(reading, text, goes_on=goes_on) for reading in found])
        sure = sure_talk(tags, likely[0][1], [t.text for t in tokens])
        talk = tuple(_span(text, tokens[s:e]) for s, e in sure if not _calls(hints, s, e))
        return replace(best, others=tuple(others), talk=talk)


def _calls(hints: Sequence[Hint], first: int, end: int) -> bool:
    """Return whether a robot is named in some tokens."""
    return any(group == ROBOT and s < end and first < e for s, e, group in hints)


def _span(text: str, tokens: Sequence[Token]) -> Span:
    start, end = tokens[0].start, tokens[-1].end
    return Span(start, end, text[start:end])


def unreadable(text: str, tokens: Sequence[Token]) -> str:
    """Return why a text is not read; empty where it is."""
    if len(text) > MAX_CHARACTERS:
        return f"That is too long ({len(text)} characters). Please say it in parts."
    if not any(c.isalnum() for t in tokens for c in t.text):
        return "Nothing was said."
    if len(tokens) > MAX_TOKENS:
        return f"That is too long ({len(tokens)} words). Please say it in parts."
    return ""


def _settled(reading: Reading, text: str, *, goes_on: bool) -> Reading:
    said = reading.utterance
    return (
        reading
        if said is None
        else replace(reading, utterance=settled(text, said, goes_on=goes_on))
    )


def _merged(readings: Sequence[Reading]) -> list[Reading]:
    """Return readings, the likeliest first, those that say the same as one."""
    found: dict[tuple[Utterance | None, tuple[Span, ...]], Reading] = {}
    for reading in sorted(readings, key=lambda r: -r.confidence):
        key = reading.utterance, reading.unsure
        same = found.get(key)
        more = 0.0 if same is None else same.confidence
        found[key] = replace(same or reading, confidence=more + reading.confidence)
    return sorted(found.values(), key=lambda r: -r.confidence)


def _reading(sure: float, best: Way, segments: Sequence[Segment], spans: Sequence[Span]) -> Reading:
    """Return what a way says, and the spans of which it says nothing."""
    talk = [k for k, s in enumerate(segments) if s[2] == CHATTER]
    left = [k for k in range(len(spans)) if k not in best.used and k not in talk]
    return Reading(
        best.utterance(spans),
        math.exp(sure),
        tuple(spans[k] for k in left),
        tuple(spans[k] for k in talk),
    )


@cache
def load_reader(folder: Path | None = None) -> Reader:
    """Return the reader of a folder, that of the package by default; loaded once."""
    return Reader(folder)
