"""Check what people wrote freely and marked themselves: no sheet told them what to say.

    python tools/reading/free.py VOICE.txt [--shown]

Sheets are drawn by chance and say odd things; what people really ask for is told by people. How they mark it
is told in `wordings/free.md`. This prints what is wrong with a file, a line each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from examples import example_of, scopes_of
from freely import lines_of, wording_of
from meanings import EVENTS, HEDGES, JOINS, ORDERS, REMARKS, STANDS, told
from sheets import used

from commonground.grounding.english.saying import said_back
from commonground.grounding.english.spans import FIELD_KINDS
from commonground.grounding.english.utterance import Span

PLAIN = """noun name symbol person again take det count of color attribute best where except owner
level room place everything beside is to distance how other rank parts who do what manner not with at wanted
verb routine never every unnamed asks state reports order when wants event by from truth"""
JOINED = (
    "nearest to", "same noun", "the speaker", "everybody here", "levels counted", "where it is",
    "only what is", "slip of the tongue, corrected at once", "all of", "one of", "only if", "each of",
    "any one", "the other", "one of, free choice", "every robot except", "whichever robot can",
    "whichever robot is nearest to", "shared out among them", "as it was before", "heard from",
    "mentioned first, in a statement of its own", "only after the part before is finished", "no content",
    "about the report before", "asks the robot to leave as it is",
)  # fmt: skip
KEYS = frozenset([*PLAIN.split(), *JOINED, *JOINS, *STANDS])
WORDS = {
    "event": frozenset(EVENTS),
    "truth": frozenset(HEDGES),
    "order": frozenset(ORDERS),
    "about the report before": frozenset(REMARKS) | {"the same thing is in a state"},
}
"""What the words behind a key may be."""


def keys_of(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield each key of a meaning with what it holds."""
    for inner in value if isinstance(value, list) else ():
        yield from keys_of(inner)
    for key, inner in value.items() if isinstance(value, dict) else ():
        yield key, inner
        yield from keys_of(inner)


def spans_of(value: Any, at: str = "") -> Iterator[tuple[str, Span]]:
    """Yield each span of an utterance with the field that holds it."""
    if isinstance(value, Span):
        yield at, value
    elif isinstance(value, tuple):
        for inner in value:
            yield from spans_of(inner, at)
    elif is_dataclass(value):
        for field in fields(value):
            yield from spans_of(getattr(value, field.name), field.name)


def checked(line: str, domain: str) -> dict[str, Any]:
    """Return the wording that a line holds; ValueError says what is wrong with it."""
    made = wording_of(line, domain)
    marks = set(range(1, len(made["slots"]) + 1))
    if marks != used(made["meaning"]):
        raise ValueError(
            f"the meaning speaks of {sorted(used(made['meaning']))}, not {sorted(marks)}"
        )
    check(made)
    return made


def check(wording: dict[str, Any]) -> None:
    """Raise ValueError if a meaning has an unknown word, or what no row of symbols can say."""
    for key, value in keys_of(wording["meaning"]):
        if key not in KEYS:
            raise ValueError(f"no such key: {key}")
        if isinstance(value, str) and value not in WORDS.get(key, {value}):
            raise ValueError(f"{key}: no such word: {value}")
    _, said, slots, _ = told(wording)
    kinds = {(s.start, s.end): wording["slots"][n - 1][0] for n, s in slots.items()}
    for field, span in spans_of(said):
        kind = kinds[span.start, span.end]
        if kind not in FIELD_KINDS[field]:
            raise ValueError(
                f"{span.text}: a {kind} where {' or '.join(FIELD_KINDS[field])} belongs"
            )
    example = example_of(wording)
    if example is None:
        raise ValueError("marks overlap, or cut a word")
    scopes_of(example.items)


def main() -> int:
    """Check a file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument(
        "--shown", action="store_true", help="print what each was understood to say"
    )
    asked = parser.parse_args()
    right, faults = 0, 0
    for number, line, domain in lines_of(asked.file):
        try:
            wording = checked(line, domain)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as err:
            faults += 1
            print(f"line {number}: {type(err).__name__}: {err}")
            continue
        right += 1
        if asked.shown:
            print(f"{number}: {wording['text']}\n    {said_back(told(wording)[1])}")
    print(f"{right} right, {faults} faults")
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
