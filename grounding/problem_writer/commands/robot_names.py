"""Robots that a command names: by their name, by number, or as the first, the second …"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.problem_writer.wishes.crews import robot_called

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NUMBERED = re.compile(
    rf"\brobot[\s_#-]*(?:number\s+|no\.?\s*)?(\d+|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?:the\s+)?({'|'.join(_ORDINALS)})\s+robot\b(?!\s+(?:that|which|who|free|available)\b)",
    re.I,
)
_ASKED = re.compile(r"\b(?:ask|tell|use|instruct|order|request|direct|assign|send)\s+$", re.I)
_TO = re.compile(r"\s+to\b", re.I)
Span = tuple[int, int, str]


def robots_named(text: str, robots: Sequence[str]) -> list[Span]:
    """Return where a text names robots, in order; raises `Unclear` for a number that no robot has."""
    found: list[Span] = []
    for robot in sorted(robots, key=len, reverse=True):
        pattern = rf"\b(?:robot\s+)?{re.escape(robot)}\b"
        found += _apart(found, [(*m.span(), robot) for m in re.finditer(pattern, text, re.I)])
    numbered = [(*m.span(), m[0]) for m in _NUMBERED.finditer(text)] if robots else []
    found += [
        (begin, end, robot_called(words, robots)) for begin, end, words in _apart(found, numbered)
    ]
    return sorted(_with_request(text, span) for span in found)


def _with_request(text: str, span: Span) -> Span:
    """Return where ``ask robot 2 to`` stands instead of ``robot 2`` alone."""
    begin, end, robot = span
    asked, to = _ASKED.search(text[:begin]), _TO.match(text[end:])
    return (asked.start(), end + to.end(), robot) if asked and to else span


def _apart(found: Sequence[Span], more: Sequence[Span]) -> list[Span]:
    """Return the spans that overlap none found before."""
    return [
        span
        for span in more
        if not any(span[0] < end and begin < span[1] for begin, end, _ in found)
    ]
