"""Why reading failed, in words for people: the one place where Python's own errors are put into a sentence.

Whoever raises a known error names the place; what is said here is only the reason. Python's words for kinds
of values, and paths that are named already, are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from commonground.errors import CommongroundError

LONGEST = 300
"""Characters of a reason; libraries sometimes print all that they were given."""
_NUMBER = re.compile(
    r"(?:could not convert string to float: |invalid literal for int\(\) with base \d+: )(.*)"
)
_LENGTHS = (
    "inhomogeneous", "cannot reshape", "broadcast", "unpack", "dimension", "argument 2 is shorter",
)  # fmt: skip
_FITS = (
    "too large to convert", "out of bounds for", "out of range", "int too big",
    "cannot convert float",
)  # fmt: skip

_TABLES = ("model_type", "model_attributes_type", "dataclass_type", "dict_type", "mapping_type")
_LISTS = ("tuple_type", "list_type", "set_type", "frozen_set_type", "iterable_type")


def reason(error: BaseException) -> str:
    """Return why something failed, in a line."""
    return line(_reason(error))


def line(text: str, most: int = LONGEST) -> str:
    """Return a text of others as a line of a length that can be read."""
    joined = " ".join(text.split())
    return joined if len(joined) <= most else f"{joined[:most]} …"


def _reason(error: BaseException) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.start + 1} is {error.object[error.start]:#04x}, which is no UTF-8 text"
    if isinstance(error, json.JSONDecodeError):
        return f"not valid JSON at line {error.lineno}, column {error.colno} ({_lower(error.msg)})"
    if isinstance(error, CommongroundError):
        return str(error)
    if isinstance(error, OSError):
        return _lower(error.strerror or str(error) or "the system refuses it")
    mark = getattr(error, "problem_mark", None)
    if mark is not None:  # PyYAML's, which quotes what it was given besides
        problem = getattr(error, "problem", None) or "it is cut off"
        return f"not valid YAML at line {mark.line + 1}, column {mark.column + 1} ({problem})"
    if hasattr(error, "errors"):  # pydantic's, which tells the places in what it was given
        return _first_place(error)
    if isinstance(error, KeyError):
        return f"'{error.args[0]}' is missing" if error.args else "a part is missing"
    return _of_value(error)


def _of_value(error: BaseException) -> str:
    """Return what Python's and NumPy's errors about a value mean."""
    said = str(error)
    number = _NUMBER.match(said)
    if number:
        return f"{number[1]} is no number"
    if isinstance(error, OverflowError) or any(word in said for word in _FITS):
        return "a number is too large or not finite"
    if any(word in said for word in _LENGTHS):
        return "a list is not as long as it has to be"
    if isinstance(error, (TypeError, AttributeError)):
        return "a value is of another kind than it has to be"
    known = {IndexError: "a list is too short", ZeroDivisionError: "a number is 0 that may not be",
             RecursionError: "it is nested too deeply", EOFError: "it is cut off"}  # fmt: skip
    for kind, words in known.items():
        if isinstance(error, kind):
            return words
    return said or "no reason is given"


def _first_place(error: Any) -> str:
    details = error.errors()[0]
    place = ".".join(map(str, details["loc"]))
    if details["type"] == "missing":
        return f"'{place}' is missing"
    return f"{place}: {of_field(details)}" if place else of_field(details)


def of_field(details: Mapping[str, Any]) -> str:
    """Return what pydantic finds wrong with a value, without Python's kinds of values."""
    kind, context = details["type"], details.get("ctx", {})
    if kind in _TABLES:
        return "has to be a table of values"
    if kind in _LISTS:
        return "has to be a list"
    if kind == "too_short":
        return f"needs at least {context['min_length']} of them"
    if kind == "too_long":
        return f"has more than the {context['max_length']} that are possible"
    return _lower(details["msg"].removeprefix("Value error, "))


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text
