"""Worlds as PDDL problems: objects, what is so at first, and what comments call the objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from commonground.grounding.words.nouns import singular
from commonground.planning.pddl import Problem, parse_problem

_CODE = re.compile(r"([a-z_-]+?)(\d+)", re.IGNORECASE)
_RANGE = re.compile(r"([a-z_]+)(\d+)\s*(?:-|–|to|\.\.)\s*(?:\1)?(\d+)\b", re.IGNORECASE)


def read_problem(text: str, source: str) -> tuple[Problem, dict[str, str]]:
    """Return a problem and what its comments call its objects: ``; c1 c2 watering cans, kn knife``."""
    problem = parse_problem(text, source=source)
    return problem, names_in(text, [typed.name for typed in problem.objects])


def names_in(text: str, objects: Iterable[str]) -> dict[str, str]:
    """Return the names that comments give to objects by their ids, or by what these begin with."""
    ids = {name.lower(): name for name in objects}
    stems: dict[str, list[str]] = {}
    for low, name in ids.items():
        code = _CODE.fullmatch(low)
        if code is not None:
            stems.setdefault(code[1], []).append(name)
    found: dict[str, str] = {}
    for line in text.split("\n"):
        for clause in re.split(r"[,;]", line.partition(";")[2]):
            named, name = _told(_RANGE.sub(_spread, clause).split(), ids, stems)
            for thing in named if name else ():
                found.setdefault(thing, _numbered(thing, name, alone=len(named) == 1))
    return found


def _spread(found: re.Match[str]) -> str:
    """Return all ids of a range: ``n1-n3``."""
    first, last = int(found[2]), int(found[3])
    return " ".join(f"{found[1]}{n}" for n in range(first, min(last, first + 99) + 1))


def _told(
    words: list[str], ids: dict[str, str], stems: dict[str, list[str]]
) -> tuple[list[str], str]:
    """Return the things that a comment begins with, and what it says of them."""
    named: list[str] = []
    for at, word in enumerate(words):
        low = word.strip(":=").lower()
        if low in ids:
            named.append(ids[low])
        elif low in stems and not named:
            named += stems[low]
        elif named and low not in ("", "-", "–", "and", "is", "are"):
            return named, " ".join(words[at:])
        elif not named:
            break
    return [], ""


def _numbered(thing: str, name: str, *, alone: bool) -> str:
    """Return the name of one of several things: with the number of its id."""
    code = _CODE.fullmatch(thing)
    said = [*_singular(name.lower().strip(" .").split())]
    if alone or code is None or code[2] in said:
        return " ".join(said if not alone else name.strip(" .").split())
    return " ".join((*said, code[2]))


def _singular(words: list[str]) -> Iterator[str]:
    yield from words[:-1]
    yield from (singular(word) for word in words[-1:])
