"""What a text says only to leave a choice: ``either will do``, ``I don't care which``, ``(one suffices)``.

Such remarks name nothing and order nothing. A text is read more surely without them; what is made of it must
leave the choice then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.remarks import MARKS
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.words.nouns import word_set
from commonground.planning.pddl import Formula, Or

_PICKS = word_set(
    "one ones either any anyone whichever which who whoever whatever what choice pick call order "
    "coin lots straws"
)
_FREE = word_set(
    "enough sufficient suffices suffice plenty fine ok okay same matter matters care cares mind minds "
    "like likes free choose chooses choice pick prefer suits suit equal important importance odds fussed "
    "bothered fussy arbitrary your will toss flip draw settle decide agree convenient handiest handy easiest"
)
_SMALL = word_set(
    "i we you it is 's are of the a two three four them those these to me us by for n't do does not "
    "don't doesn't could would can may less no at all really quite just perfectly be doing gets goes "
    "takes time times robot robots machine machines and or if both between among amongst yourselves "
    "themselves out not leave leaves left open makes difference"
)
"""What else such a remark is made of."""
_BREAKS = MARKS | {"and", "but", "so", "as", "\n"}
_CREW = word_set("who whoever you robot robots machine machines unit units bot bots anyone")
_UNCHOSEN = word_set("time times order")
"""What leaves no choice among things."""
_ONE_ROBOT = re.compile(
    r"(?<!not )(?<!each )(?<!every )\b(?:any |just |only )?one (?:of (?:you|the robots)|robot)\b",
    re.I,
)
"""Who is to do something, whichever robot that is."""
_SEVERAL_ROBOTS = re.compile(
    r"\b(?:both|all|each|every\w*|others?|another|nobody|none|neither|no one|no robots?|two|second"
    r"|one\b.*\bone)\b",
    re.IGNORECASE | re.DOTALL,
)
"""With one of these, more than one robot is spoken of."""


class Remark(NamedTuple):
    """Where a remark stands, and its words."""

    start: int
    end: int
    words: frozenset[str]


@lru_cache(64)  # each reading of a text is held against it
def remarks_of_choice(text: str) -> tuple[Remark, ...]:
    """Return the remarks of a text that leave a choice."""
    tokens = tokens_of(text)
    found: list[Remark] = []
    for first, end in _runs(tokens):
        words = [token.text.casefold() for token in tokens[first:end]]
        cut = words.index("for") if "for" in words[1:] else len(words)
        goes_on = bool(found) and words[0] == "or" and (_SMALL | _PICKS).issuperset(words)
        if _is_free(words[:cut]) or goes_on:
            found.append(Remark(tokens[first].start, tokens[end - 1].end, frozenset(words)))
    return tuple(found)


def _runs(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    first = 0
    for at in range(len(tokens) + 1):
        if at == len(tokens) or tokens[at].text.casefold() in _BREAKS:
            if at > first:
                yield first, at
            first = at + 1


def _is_free(words: Sequence[str]) -> bool:
    said = {*words}
    case = "if" in said and ("or", "if") not in pairwise(words)  # not: if either is fine, ...
    if case or not said <= _PICKS | _FREE | _SMALL:
        return False
    free, picks = said & _FREE, said & _PICKS
    if free == {"will"}:  # any of them will do
        return "do" in said and bool(picks)
    return bool(free) and bool(picks - free or len(free) > 1)


def bound(text: str, goals: Sequence[Formula], robots: Sequence[str]) -> str:
    """Return the remark whose choice goals for some of the robots do not leave; empty if none is.

    Where a text offers a choice of robots, one of them is chosen.
    """
    words = {token.text.casefold() for token in tokens_of(text)}
    several = len(words.intersection(map(str.casefold, robots))) > 1 or not words.isdisjoint(_CREW)
    if len(goals) > 1 or (several and len(goals) < len(robots)):
        return ""
    for remark in remarks_of_choice(text):
        if not (remark.words & _UNCHOSEN or any(any(parts_of(goal, Or)) for goal in goals)):
            return text[remark.start : remark.end]
    return ""


def told_to_one(text: str, goals: Sequence[Formula]) -> str:
    """Return the words that leave something to any one robot, where several do the same; empty if none do."""
    one = _ONE_ROBOT.search(text)
    same = len(goals) > 1 and all(goal == goals[0] for goal in goals)
    return one[0] if one and same and not _SEVERAL_ROBOTS.search(text) else ""
