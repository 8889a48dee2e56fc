"""What a command only quotes: ``our cook shouts "Scrub that pot!" all day`` asks for nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.account import Accounts

_SAID = re.compile(r"(?<![\w'’])[\"“‘'](?P<said>\w[^\"“”]*?[\w!?.,])[\"”’'](?!\w)")
_FEW = 3
"""Fewer words are a name."""


def quoted(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what is quoted, where a wish has to do with things that are named nowhere else."""
    home = accounts.home
    touched = {home.type_of(word) for word in words_of(wish.goal)}
    for found in _SAID.finditer(accounts.text):
        inside = {
            one.start
            for one in accounts.named
            if found.start() <= accounts.tokens[one.start].start < found.end()
        }
        elsewhere = {
            kind for one in accounts.named if one.start not in inside for kind in one.types
        }
        named = {kind for one in accounts.named if one.start in inside for kind in one.types}
        if len(found["said"].split()) >= _FEW and touched & named - elsewhere:
            yield found["said"]
