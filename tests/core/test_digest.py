"""Names of values: equal for equal ones, and others for whatever differs."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commonground.digest import digest


@dataclass
class Pair:
    one: Any
    two: Any


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 1.0),
        (["ab", "c"], ["a", "bc"]),
        ([[1], 2], [1, [2]]),
        ({"a": 1}, {"a": 2}),
        (None, ""),
        (np.zeros(4), np.zeros((2, 2))),
        (np.zeros(2, np.float32), np.zeros(1)),
        (Pair(1, np.eye(2)), Pair(1, np.eye(2) * 2)),
    ],
)
def test_values_that_differ_have_names_that_differ(a: Any, b: Any) -> None:
    assert digest(a) == digest(a) != digest(b)


def test_a_path_stands_for_what_lies_there(tmp_path: Path) -> None:
    file = tmp_path / "data" / "one.png"
    none = digest(file)
    file.parent.mkdir()
    file.write_bytes(b"12")
    before = digest(file)
    assert before == digest(file) != none
    file.write_bytes(b"34")
    os.utime(file, ns=(0, 0))
    assert digest(file) != before


def test_what_has_no_value_has_no_name() -> None:
    with pytest.raises(TypeError):
        digest(object())
