"""Errors of Python and of libraries come out as reasons in words, wherever they are told."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pydantic import BaseModel

from commonground.errors import SceneError
from commonground.reading import NotTextError, parse_json
from commonground.reading_yaml import parse_yaml
from commonground.reasons import LONGEST, reason

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("commonground", "datasets", "mapping", "localization", "planning", "grounding")
OF_PYTHON = {"MALFORMED", "OSError", "ValueError", "TypeError", "KeyError", "IndexError", "LookupError",
             "AttributeError", "ArithmeticError", "UnicodeDecodeError", "EOFError"}  # fmt: skip
OF_CODE = ("planning/streams/", "planning/downward/_service.py", "commonground/cli/endings.py")
"""Where code that a user wrote is called: whoever wrote it wants Python's own words."""
BY_HAND = {"commonground/installation.py", "datasets/ros1bag.py", "planning/robots/spot/machine.py"}
"""Where a system or a device is asked, which says what is wrong with it."""


class Place(BaseModel):
    x: int


@pytest.mark.parametrize(
    ("failing", "told"),
    [
        (lambda: {}["nodes"], "'nodes' is missing"),
        (lambda: float("steep"), "'steep' is no number"),
        (lambda: int("1.5.2"), "'1.5.2' is no number"),
        (lambda: [].x, "a value is of another kind than it has to be"),
        (lambda: sum(None), "a value is of another kind than it has to be"),
        (
            lambda: np.array([-1], object).astype(np.uint64)[0] + np.uint64(2**70),
            "a number is too large",
        ),
        (lambda: np.array([[1.0], [1.0, 2.0]], float), "a list is not as long as it has to be"),
        (lambda: b"ab\xe9".decode(), "byte 3 is 0xe9, which is no UTF-8 text"),
        (lambda: json.loads('{"a": 1,'), "not valid JSON at line 1, column 9"),
        (
            lambda: parse_yaml("a: b: c", "a.yaml"),
            "not valid YAML at line 1, column 5 (mapping values",
        ),
        (lambda: Path("/nowhere/at/all").read_text(), "no such file or directory"),
        (lambda: Place.model_validate({"x": "y"}), "x: input should be a valid integer"),
        (lambda: Place.model_validate({}), "'x' is missing"),
    ],
)
def test_python_errors_are_worded(failing: Callable[[], object], told: str) -> None:
    with pytest.raises(Exception) as caught:
        failing()
    said = reason(caught.value)
    assert said.startswith(told)
    assert "/nowhere" not in said  # whoever tells it has named the place


def test_a_known_error_keeps_its_words_in_one_line_of_some_length() -> None:
    assert reason(SceneError("a.json:\n  is\tcut off")) == "a.json: is cut off"
    assert len(reason(SceneError("x" * 20_000))) < LONGEST + 3


def test_the_place_is_told_once() -> None:
    with pytest.raises(NotTextError) as caught:
        parse_json(b'{"\xff": 1}', "a.json")
    assert str(caught.value) == "a.json: byte 3 is 0xff, which is no UTF-8 text"
    assert reason(caught.value) == "byte 3 is 0xff, which is no UTF-8 text"


def told_raw(file: Path) -> Iterator[int]:
    """Yield the lines on which an error of Python is put into a text as it is."""
    for handler in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(handler, ast.ExceptHandler) or not handler.name or not handler.type:
            continue
        caught = {n.id for n in ast.walk(handler.type) if isinstance(n, ast.Name)}
        if not caught & OF_PYTHON:
            continue
        for node in ast.walk(handler):
            value = node.value if isinstance(node, ast.FormattedValue) else None
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id == "str"
            ):
                value = node.args[0]
            if isinstance(value, ast.Name) and value.id == handler.name:
                yield node.lineno


def test_errors_of_python_are_told_through_reasons_alone() -> None:
    found = [
        f"{name}:{line}"
        for part in PARTS
        for file in (ROOT / part).rglob("*.py")
        if not (name := file.relative_to(ROOT).as_posix()).startswith(OF_CODE)
        and name not in BY_HAND
        for line in told_raw(file)
    ]
    assert found == []
