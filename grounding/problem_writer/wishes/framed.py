"""Verbs of commands that take something, and what they take."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.words.verbs import verb_forms

_TAKING = (
    "put", "put_away", "trash", "slice", "wash", "cook", "heat", "microwave", "chill", "fill", "break",
    "open", "close", "switch_on", "switch_off", "clear", "push", "serve",
)  # fmt: skip
"""Kinds of verbs that are said of things."""
_LONGEST = 4


def frame_at(at: int, end: int, accounts: Accounts) -> tuple[str, int]:
    """Return the kind of verb that begins at a word, and how many words it has; none where none does."""
    longest = min(_LONGEST, end - at) if at not in accounts.acts.things else 0
    for size in range(longest, 0, -1):
        frame = _frames().get(" ".join(accounts.words[at : at + size]), "")
        if frame:
            return frame, size
    return "", 0


def adrift(accounts: Accounts) -> str:
    """Return a pronoun for what is to go somewhere in a text that names nothing before it."""
    moved = _moved().search(" ".join(accounts.words))
    if moved is None:
        return ""
    said = "moved" if moved["moved"] else "goes"
    at = moved.string[: moved.start(said)].count(" ")
    return "" if any(one.start < at for one in accounts.named) else moved[said]


@cache
def _frames() -> dict[str, str]:
    verbs = command_words().verbs
    return {phrase: frame for frame in _TAKING for phrase in verbs[frame]}


@cache
def _moved() -> re.Pattern[str]:
    """Return a pattern for what is to go somewhere, said by a pronoun."""
    moving = "|".join(sorted(_forms(["put", "take_up"])))
    goes = r"it|they|those|(?:both|all) of (?:them|those)"
    return re.compile(
        rf"\b(?:(?:{moving}) (?:both of |all of )?(?P<moved>it|them|those)"
        rf"|(?P<goes>{goes}) (?:all |both )?(?:(?:can|should) )?(?:go(?:es)?|belongs?))"
        r" (?:back )?(?:in|on|into|onto|to|inside|under)\b"
    )


def _forms(frames: Iterable[str]) -> frozenset[str]:
    """Return all forms of verbs that mean nothing without a place, or another verb."""
    found = {p.partition(" ")[0] for frame in frames for p in command_words().verbs[frame]}
    return frozenset(form for base in found for form in verb_forms(base))
