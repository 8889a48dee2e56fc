"""The JSON in what a model says: with reasoning before it, words or a fence around it, small slips in it.

What is repaired has one reading only. What could mean two things, such as two different objects or a key
given twice, goes back to the model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from commonground.errors import GroundingError
from commonground.reasons import reason

_MOST_CHARACTERS = 400_000
_MOST_STARTS = 200
"""Brackets at which a value is looked for."""
_THOUGHT = re.compile(
    r"<(think|thinking|thought|reasoning|reflection|analysis)\b[^>]*>.*?</\1\s*>",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END = re.compile(
    r"\A.*</(?:think|thinking|thought|reasoning|reflection|analysis)\s*>", re.DOTALL | re.IGNORECASE
)
_THOUGHT_OPEN = re.compile(
    r"<(?:think|thinking|thought|reasoning|reflection|analysis)\b[^>]*>.*\Z",
    re.DOTALL | re.IGNORECASE,
)
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])', re.DOTALL)


def without_reasoning(text: str) -> str:
    """Return an answer without what the model thought aloud before it."""
    rest = _THOUGHT.sub(" ", text)
    rest = _THOUGHT_END.sub(" ", rest)  # the opening tag was a part of the server's template
    return _THOUGHT_OPEN.sub(" ", rest)


def json_value(text: str) -> Any:
    """Return the one JSON object (or list) in an answer; GroundingError says why there is none."""
    if len(text) > _MOST_CHARACTERS:
        raise GroundingError(f"the answer is longer than {_MOST_CHARACTERS} characters")
    said = without_reasoning(text)
    values = list(_values(said)) or list(_values(_without_trailing_commas(said)))
    objects = [v for v in values if isinstance(v, dict)] or [v for v in values if _is_list(v)]
    different: dict[str, Any] = {}
    for value in objects:
        different.setdefault(_canonical(value), value)
    if not different:
        raise GroundingError(_why_none(text, said))
    if len(different) > 1:
        raise GroundingError(
            f"the answer holds {len(different)} different JSON objects; exactly one is to be sent"
        )
    return next(iter(different.values()))


def _values(text: str) -> Iterator[Any]:
    """Yield the JSON objects and lists that stand in a text, none of them inside another."""
    decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant)
    at, whole = 0, False
    for _ in range(_MOST_STARTS):
        start = _next_bracket(text, at)
        if start < 0:
            return
        try:
            value, at = decoder.raw_decode(text, start)
        except ValueError as error:
            if not whole and text[start] == "{" and _breaks_off(text, error):
                shown = json.dumps(text.rstrip()[-40:])
                raise GroundingError(
                    f"the answer breaks off after {shown}: its JSON has no end"
                ) from error
            at = start + 1
            continue
        except RecursionError as error:
            raise GroundingError("the answer is nested too deeply") from error
        whole = whole or isinstance(value, dict)
        yield value


def _breaks_off(text: str, error: ValueError) -> bool:
    """Return whether JSON is right as far as it goes: what stands inside it is no answer of its own."""
    if not isinstance(error, json.JSONDecodeError):
        return False
    return error.msg.startswith("Unterminated") or error.pos >= len(text.rstrip("` \n\r\t"))


def _next_bracket(text: str, at: int) -> int:
    found = [i for i in (text.find("{", at), text.find("[", at)) if i >= 0]
    return min(found, default=-1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; a key that has two values means two things at once."""
    values: dict[str, Any] = {}
    for key, value in pairs:
        if key in values and values[key] != value:
            raise GroundingError(f"the key {json.dumps(key)} is there twice, with different values")
        values[key] = value
    return values


def _no_constant(name: str) -> Any:
    raise GroundingError(f"{name} is no JSON")


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda m: m[0] if m[0] != "," else "", text)


def _is_list(value: Any) -> bool:
    """Return whether a value is a list of objects; numbers in brackets may be a footnote."""
    return isinstance(value, list) and all(isinstance(v, dict) for v in value) and bool(value)


def _canonical(value: Any) -> str:
    try:
        text = json.dumps(value, sort_keys=True, ensure_ascii=False)
        text.encode()
    except RecursionError as error:
        raise GroundingError("the answer is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise GroundingError("the answer holds half a character") from error
    return text


def _why_none(text: str, said: str) -> str:
    if not said.strip() and text.strip():
        return "the answer holds nothing but reasoning"
    if "{" in said:
        return f"the answer holds no JSON object: {_first_mistake(said)}"
    return "the answer holds no JSON object"


def _first_mistake(text: str) -> str:
    """Return what is wrong with the first object, and what stands before the place."""
    start = text.find("{")
    try:
        json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError as error:
        return f"{error.msg} after {json.dumps(text[max(start, error.pos - 40) : error.pos])}"
    except (ValueError, RecursionError) as error:
        return reason(error)
    return "it is no object"
