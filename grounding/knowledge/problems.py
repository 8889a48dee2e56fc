"""Worlds as PDDL problems: objects, what is so at first, and what comments call the objects."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from commonground.grounding.words.nouns import singular
from commonground.grounding.words.numbers import count_of
from commonground.planning.pddl import Problem, parse_problem

_CODE = re.compile(r"([a-z_-]+?)(\d+)", re.IGNORECASE)
_LONGEST = 3
"""Words that a comment says more in are no name."""
_RANGE = re.compile(r"([a-z_]+)(\d+)\s*(?:-|–|to|\.\.)\s*(?:\1)?(\d+)\b", re.IGNORECASE)


def read_problem(text: str, source: str) -> tuple[Problem, dict[str, str], dict[str, str]]:
    """Return a problem, and what its comments name its objects and call them besides.

    ``; c1 c2 watering cans, kn knife`` names them; ``hp1 hp2 - heater ; hotplates`` says what they are.
    """
    problem = parse_problem(text, source=source)
    objects = [typed.name for typed in problem.objects]
    return problem, names_in(text, objects), called_in(text, objects)


def called_in(text: str, objects: Iterable[str]) -> dict[str, str]:
    """Return what comments behind the objects of a line call these, in their order or all of them."""
    ids = {name.lower(): name for name in objects}
    found: dict[str, str] = {}
    for line in text.split("\n"):
        code, _, comment = line.partition(";")
        named = [ids.get(w.lower(), "") for w in code.partition(" - ")[0].split() if w[:1] != "("]
        said = re.findall(r"[\w-]+", comment.lower())
        if said[:1] and said[0] in ids:
            found |= _called_so(said, ids)
            continue
        listed = [*_listed(comment)] if named and all(named) else []
        if len(listed) == len(named):
            found.update(zip(named, listed, strict=True))
        elif len(listed) == 1 and listed[0] != " ".join(said):
            found |= {thing: _numbered(thing, listed[0], alone=False) for thing in named}
    return found


def _called_so(said: list[str], ids: dict[str, str]) -> dict[str, str]:
    """Return what words say that the things they begin with are: ``ann and bo are the cooks``."""
    at = next((n for n, word in enumerate(said) if word in ("is", "are")), len(said))
    named, words = [w for w in said[:at] if w != "and"], [*_singular(_bare(said[at + 1 :]))]
    known = words and len(words) <= _LONGEST and all(w in ids for w in named)
    return {ids[w]: " ".join(words) for w in named} if known else {}


def _bare(words: list[str]) -> list[str]:
    return words[1:] if words[:1] in (["the"], ["a"], ["an"]) else words


def _listed(comment: str) -> Iterator[str]:
    """Yield what a list names, as often as it counts it: ``two robots, the teacher``."""
    for item in re.split(r"[,;]|\band\b", comment.lower()):
        words = item.strip(" .").split()
        count = count_of(words[0]) if len(words) > 1 else None
        words = words[1:] if count is not None else _bare(words)
        if not 0 < len(words) <= _LONGEST or not all(w.isalpha() for w in words):
            return
        yield from [" ".join(_singular(words))] * min(count or 1, 99)


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
        elif low in ("is", "are"):
            break  # what they are is not what they are called
        elif named and low not in ("", "-", "–", "and"):
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
