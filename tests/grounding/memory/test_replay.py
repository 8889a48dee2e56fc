"""Episodes that cannot be what they say are refused with the line and the reason."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commonground.errors import GroundingError
from commonground.grounding.memory.english.timing import MINUTE_NS
from commonground.grounding.memory.evaluation.replay import Episode

HOME = Path(__file__).parent / "domains"
TOLD = {"kind": "update", "id": "u1", "text": "Ann put her mug on the desk.", "time": "09:05"}


def episode(folder: Path, *lines: dict[str, Any], header: bool = True) -> Episode:
    """Return the home's world with other items."""
    first = (HOME / "home.jsonl").read_text(encoding="utf-8").splitlines()[0]
    kept = [first] if header else []
    path = folder / "episode.jsonl"
    path.write_text("\n".join([*kept, *map(json.dumps, lines)]), encoding="utf-8")
    return Episode(path, HOME / "home.pddl")


def test_a_day_has_its_hours_and_items_have_their_names(tmp_path: Path) -> None:
    late = {**TOLD, "id": "u2", "time": "23"}
    found = episode(tmp_path, TOLD, late)
    assert [found.at_ns(k, item) for k, item in enumerate(found.items)] == sorted(
        found.at_ns(k, item) for k, item in enumerate(found.items)
    )


def test_times_may_have_their_date(tmp_path: Path) -> None:
    lines = [
        {**TOLD, "time": "2027-05-31T23:50"},
        {**TOLD, "id": "u2", "time": "2027-06-01T00:10:00+02:00"},
    ]
    found = episode(tmp_path, *lines)
    first, second = (found.at_ns(k, item) for k, item in enumerate(found.items))
    assert second - first == 20 * MINUTE_NS


@pytest.mark.parametrize(
    ("lines", "header", "words"),
    [
        ([{**TOLD, "time": "25:99"}], True, "episode.jsonl:2: time: '25:99' is no time"),
        ([{**TOLD, "time": "9:5x"}], True, "is no time"),
        ([TOLD, TOLD], True, "several items are called 'u1'"),
        ([{**TOLD, "kind": "gossip"}], True, "kind: input should be 'update' or 'task'"),
        ([TOLD], False, "the header line before it is lost"),
    ],
)
def test_what_cannot_be_is_told_with_its_line(
    tmp_path: Path, lines: list[dict[str, Any]], header: bool, words: str
) -> None:
    with pytest.raises(GroundingError, match=words):
        episode(tmp_path, *lines, header=header)
