"""The wordings that a reader of English is trained on are whole: marks, slots and meanings fit together."""

from __future__ import annotations

import json
import lzma
import random
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "tools" / "reading" / "wordings"
FILES = {f.name.partition(".")[0]: f for f in sorted(FOLDER.glob("*.jsonl.xz"))}
FREE = sorted(FOLDER.glob("*.txt"))
MARK = re.compile(r"\{(\d+|~):([^{}]+)\}")


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lzma.decompress(file.read_bytes()).splitlines()]


def slots_in(meaning: object) -> set[int]:
    if isinstance(meaning, dict):
        return set().union(*map(slots_in, meaning.values()))
    if isinstance(meaning, list):
        return set().union(*map(slots_in, meaning))
    return {meaning} if isinstance(meaning, int) and not isinstance(meaning, bool) else set()


def test_there_are_ten_thousand_in_twenty_voices_or_more() -> None:
    voices = json.loads((FOLDER / "voices.json").read_text(encoding="utf-8"))
    assert set(voices) == set(FILES) and len(voices) >= 20
    texts = [row["text"] for file in FILES.values() for row in rows(file)]
    assert len(texts) == len(set(texts)) >= 10_000


@pytest.mark.parametrize("file", FILES.values(), ids=FILES)
def test_marks_slots_and_meanings_fit(file: Path) -> None:
    for row in rows(file):
        marks = {int(name) for name, _ in MARK.findall(row["text"]) if name != "~"}
        numbers = set(range(1, len(row["slots"]) + 1))
        assert marks == numbers == slots_in(row["meaning"]), row["id"]
        assert "{" not in MARK.sub("", row["text"]), row["id"]


def test_what_was_written_freely_is_marked_and_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(FOLDER.parent))
    from free import checked
    from freely import lines_of

    lines = [(file.name, *one) for file in FREE for one in lines_of(file)]
    assert len(FREE) >= 100 and len({line for _, _, line, _ in lines}) == len(lines) >= 10_000
    for name, number, line, domain in lines[::6]:  # all of them take half a minute
        assert domain in ("scene", "household", "memory"), (name, number)
        checked(line, domain)  # says what is wrong with it
    with pytest.raises(ValueError, match="no such kind of mark"):
        checked('{z1:Bench}\t{"parts":[{"do":"inspect","what":{"noun":1}}]}', "scene")
    with pytest.raises(ValueError, match="no such key"):
        checked('Check the {n1:bench}.\t{"parts":[{"do":"inspect","whom":{"noun":1}}]}', "scene")


def test_what_must_not_be_acted_on_is_an_utterance_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half sentences, jumbled words, conditions and withdrawals that are made of wordings can be read."""
    monkeypatch.syspath_prepend(str(FOLDER.parent))
    from examples import load
    from mishaps import Mishaps
    from oddities import Oddities
    from pieces import NAMES

    from commonground.grounding.english.symbols import read
    from commonground.grounding.english.utterance import Span

    rng = random.Random(4)
    mishaps = Mishaps(Oddities(["varnish"], [("box",)], [["Spot"]], rng), rng)
    made = [m for e in load(list(FILES.values())[:2]) if (m := mishaps(e)) is not e]
    assert len(made) > 200
    for example in made:
        # fails if the row is no utterance
        read([NAMES[item] if item >= 0 else Span(0, 0, "") for item in example.items])
        assert all(a[1] <= b[0] for a, b in pairwise(example.segments))
        assert all(end <= len(example.tokens) for _, end, _ in example.segments)
