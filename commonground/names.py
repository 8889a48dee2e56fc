"""Names of robots, cameras, tasks, ids and files: the one place where they are checked and become paths.

Names come from datasets, bags, YAML files and command lines that anybody may have written. One that is
checked here is a single part of a path on any system, prints as it is, and leaves room for an ending.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated, TypeVar
from unicodedata import normalize

from pydantic import AfterValidator

from commonground.errors import CommongroundError

V = TypeVar("V")
LONGEST = 120
"""Bytes of a name; file systems allow 255, of which endings and temporary names take some."""
_SEPARATORS = "/\\"


class NameProblem(CommongroundError, ValueError):
    """A name could lead out of its folder, or cannot be written or shown."""


def checked_name(text: str) -> str:
    """Return a name as it is; NameProblem says why it may not be one."""
    problem = _problem(text)
    if problem is not None:
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise NameProblem(f"{shown!a} is no name: {problem}; choose another")
    return text


Name = Annotated[str, AfterValidator(checked_name)]
"""A name in a file that pydantic checks."""


def _problem(text: str) -> str | None:
    if not text or text != text.strip():
        return "it is empty, or begins or ends with a space"
    if text in (".", "..") or any(mark in text for mark in _SEPARATORS):
        return "it would lead to another folder"
    if not text.isprintable():
        return "it has characters that cannot be shown"
    size = len(text.encode())
    return f"it takes {size} bytes, more than {LONGEST}" if size > LONGEST else None


def spoken_apart(named: Mapping[str, V]) -> Mapping[str, V]:
    """Return what has names as it is; ValueError for two names that are one when they are spoken."""
    first: dict[str, str] = {}
    for name in named:
        spoken = "".join(re.findall(r"[^\W_]+", normalize("NFKC", name).casefold()))
        if first.setdefault(spoken, name) != name:
            raise ValueError(f"'{first[spoken]}' and '{name}' are one name when they are spoken")
    return named


def within(folder: Path, *names: str) -> Path:
    """Return the path of a name in a folder, or of one below others there; never one that is elsewhere."""
    return folder.joinpath(*map(checked_name, names))


def checked_place(text: str) -> str:
    """Return a relative path as it is; NameProblem if it leads out or has a bad part."""
    place = PurePosixPath(text)
    if place.is_absolute() or not place.parts:
        raise NameProblem(f"{text[:40]!a} must be a path below the folder it is named in")
    for part in place.parts:
        checked_name(part)
    return text


Place = Annotated[str, AfterValidator(checked_place)]
"""A relative path, in a file that pydantic checks, to what lies below that file's folder."""


def below(folder: Path, place: str) -> Path:
    """Return what a relative path names below a folder."""
    return folder / checked_place(place)
