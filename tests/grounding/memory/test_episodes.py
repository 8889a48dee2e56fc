"""Episodes that are not what they should be: a line of the file is named, and nothing is scored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from commonground.cli.main import run

DOMAIN = """(define (domain rooms) (:requirements :typing) (:types item place - object)
 (:predicates (at ?i - item ?p - place)))"""
HEAD: dict[str, Any] = {
    "objects": {"cup": "item", "hall": "place", "den": "place"},
    "facts": [["cup", "at", "hall"]],
    "domain": "rooms.pddl",
}
REPORT: dict[str, Any] = {
    "kind": "update", "id": "u", "text": "The cup is in the den.",
    "add": [["cup", "at", "den"]], "remove": [["cup", "at", "hall"]],
}  # fmt: skip
TASK = {"kind": "task", "id": "t", "text": "Bring the cup.", "goal": "(at cup hall)"}


def write(folder: Path, *lines: Any) -> Path:
    (folder / "rooms.pddl").write_text(DOMAIN)
    file = folder / "episode.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_whole_episode_is_scored(tmp_path: Path) -> None:
    file = write(tmp_path, HEAD, REPORT, TASK)
    assert run(["eval", "memory", str(file), "--no-plans", "--json"]) == 0


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((HEAD, {**REPORT, "add": None}), "episode.jsonl:2: add"),
        ((HEAD, {"kind": "update", "id": "u"}), "episode.jsonl:2: 'add'"),
        ((HEAD, {**TASK, "goal": 3}), "episode.jsonl:2: goal"),
        ((HEAD, {**REPORT, "time": "noon"}), "episode.jsonl:2: time"),
        (({**HEAD, "policy": {"lunch": "\u0661x"}}, REPORT), "policy: lunch"),
        (({**HEAD, "policy": []}, REPORT), "policy"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, lines: tuple[Any, ...], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, *lines)
    assert run(["eval", "memory", str(file), "--no-plans"]) == 1
    told = capsys.readouterr().err
    assert words in told and told.count("\n") == 1


def test_a_domain_that_is_no_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(tmp_path, HEAD, REPORT)
    (tmp_path / "rooms.pddl").write_bytes(b"(define \xed\xa0\x80)")
    assert run(["eval", "memory", str(file), "--no-plans"]) == 1
    assert "rooms.pddl: cannot be read as UTF-8 text" in capsys.readouterr().err
