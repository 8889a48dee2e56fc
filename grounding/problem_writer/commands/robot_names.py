"""Robots that a command names: by their name, by number, or as the first, the second …"""

from __future__ import annotations

import re
from collections.abc import Sequence

from commonground.grounding.resolver.choice import Unclear
from commonground.reading import whole_number

_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_SEVERAL = re.compile(r"\brobots\s+(\w+)\s+and\s+(\w+)\b", re.I)
_NUMBERED = re.compile(
    rf"\brobot[\s_#-]*(?:number\s+|no\.?\s*)?(\d+|{'|'.join(_NUMBERS)})\b"
    rf"|\b(?:the\s+)?({'|'.join(_ORDINALS)})\s+robot\b(?!\s+(?:that|which|who|free|available)\b)",
    re.I,
)
_ASKED = re.compile(r"\b(?:ask|tell|use|instruct|order|request|direct|assign|send)\s+$", re.I)
_TO = re.compile(r"\s+to\b", re.I)
Span = tuple[int, int, str]


def spelled_out(text: str, robots: Sequence[str]) -> str:
    """Return a text with ``robots 1 and 2`` as ``robot 1 and robot 2``, if there are such numbers."""

    def each(match: re.Match[str]) -> str:
        known = all(
            whole_number(word) is not None or word.lower() in _NUMBERS for word in match.groups()
        )
        return f"robot {match[1]} and robot {match[2]}" if known and robots else match[0]

    return _SEVERAL.sub(each, text)


def robots_named(text: str, robots: Sequence[str]) -> list[Span]:
    """Return where a text names robots, in order; raises `Unclear` for a number that no robot has."""
    found: list[Span] = []
    for robot in sorted(robots, key=len, reverse=True):
        pattern = rf"\b(?:robot\s+)?{re.escape(robot)}\b"
        found += _apart(found, [(*m.span(), robot) for m in re.finditer(pattern, text, re.I)])
    numbered = [(*m.span(), m[0], _number(m)) for m in _NUMBERED.finditer(text)]
    for begin, end, words, number in numbered if robots else ():
        if any(begin < other_end and start < end for start, other_end, _ in found):
            continue
        name = _numbered(number, robots)
        if name is None:
            raise Unclear(
                f"There is no '{words}'; the robots are {', '.join(robots)}. Who is meant?"
            )
        found.append((begin, end, name))
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


def _number(match: re.Match[str]) -> int:
    word = (match[1] or match[2]).lower()
    number = whole_number(word)
    if number is not None:
        return number
    return 1 + (_NUMBERS if word in _NUMBERS else _ORDINALS).index(word)


def _numbered(number: int, robots: Sequence[str]) -> str | None:
    """Return the robot whose name ends with a number; if no name does, the one at that place."""
    ends = {int(m[1]): robot for robot in robots if (m := re.search(r"(\d+)$", robot))}
    if ends:
        return ends.get(number)
    return robots[number - 1] if 0 < number <= len(robots) else None
