"""Values that callers hand over, checked once at the public door; arrays are in ``given``, with NumPy."""

from __future__ import annotations

import operator
from typing import Any, TypeVar

from commonground.errors import SceneError
from commonground.reasons import line

Kind = TypeVar("Kind")
Error = type[Exception]


def whole(given: Any, name: str, error: Error) -> int:
    """Return a whole number as Python's own, whatever library made it."""
    try:
        return operator.index(given)
    except TypeError as wrong:
        raise error(f"{name}: a whole number is needed, not {shown(given)}") from wrong


def of_kind(given: Any, kind: type[Kind], name: str, error: Error, hint: str = "") -> Kind:
    """Return a value that is of a kind; the hint says what makes one."""
    if isinstance(given, kind):
        return given
    raise error(f"{name}: a {kind.__name__} is needed, not {shown(given)}{hint and '; '}{hint}")


def words(given: Any, name: str, error: Error = SceneError) -> tuple[str, ...]:
    """Return several words; one by itself would be taken for its letters."""
    if isinstance(given, str):
        raise error(f"{name}: a list of words is needed; write [{given!r:.40}]")
    return tuple(given)


def shown(given: Any) -> str:
    """Return a value as errors quote it."""
    return line(repr(given), 60)
