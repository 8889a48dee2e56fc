"""Orders whose verb is said once for two deeds: put the mug in the sink and the plate on the table.

Authors who word one meaning after the other seldom say it so; everybody else does.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from examples import SYMBOL, Example
from oddities import NOUN
from pieces import NAMES, opens

from commonground.grounding.english.symbols import CLOSE

SENSES = {SYMBOL[f"sense={s}"] for s in ("put", "give", "bring along", "take")}
TOO_MUCH = {SYMBOL["condition"], SYMBOL["agent"], SYMBOL["negated"], SYMBOL["mood=never"]}
PREPOSITIONS = ("in", "on", "into", "onto", "to", "under", "beside", "by", "at", "inside")
JOINING = ("and", "and", "and", ", and", ",", "then", "and also")


class Gapping:
    """Lets a second thing go to a second place without a verb of its own."""

    def __init__(self, nouns: Sequence[Sequence[str]], rng: random.Random) -> None:
        self.nouns, self.random = nouns, rng

    def __call__(self, e: Example) -> Example:
        """Return such a text made of one that ends with a thing and where it goes; else the text."""
        clause = _only_clause(e.items)
        if clause is None or not SENSES & set(e.items[clause[0] : clause[1]]):
            return e
        begin, end = clause
        bare = [SYMBOL["theme:Phrase"], SYMBOL["goal:Phrase"]]
        missing = any(e.items[begin:end].count(one) != 1 for one in bare)
        if missing or TOO_MUCH & set(e.items):
            return e
        theme, goal = (_inside(e.items, e.items.index(one, begin)) for one in bare)
        last = [e.segments[-1 - i] for i in e.items[goal[0] : goal[1]] if i < 0]
        first = [e.segments[-1 - i] for i in e.items[theme[0] : theme[1]] if i < 0]
        stop = len(e.tokens) - (e.tokens[-1] in ".!?")
        if not last or not first or max(s[1] for s in last) != stop:
            return e
        between = e.tokens[max(s[1] for s in first) : min(s[0] for s in last)]
        if not between or len(between) > 3 or between[0].lower() not in PREPOSITIONS:
            return e
        return self._gapped(e, begin, end, stop)

    def _gapped(self, e: Example, begin: int, end: int, stop: int) -> Example:
        joining = self.random.choice(JOINING).split()
        thing, place = self.random.choice(self.nouns), self.random.choice(self.nouns)
        how = self.random.choice(PREPOSITIONS)
        tokens = [*e.tokens[:stop], *joining, "the", *thing, how, "the", *place, *e.tokens[stop:]]
        at = stop + len(joining) + 1
        there = at + len(thing) + 2
        segments = [*e.segments, (at, at + len(thing), NOUN), (there, there + len(place), NOUN)]
        k = len(e.segments)
        close = SYMBOL[CLOSE]
        body = e.items[begin + 1 : end]
        sense = next(i for i in body if i in SENSES)
        kept = [
            i
            for i in body[: body.index(sense) + 2]
            if i >= 0 and NAMES[i].startswith(("sense", "mood"))
        ]
        second = [
            SYMBOL["steps:Clause"], *kept,
            SYMBOL["theme:Phrase"], SYMBOL["noun"], -1 - k, close,
            SYMBOL["goal:Phrase"], SYMBOL["noun"], -2 - k, close, close,
        ]  # fmt: skip
        join = SYMBOL["join=in order" if joining == ["then"] else "join=any order"]
        steps = [SYMBOL["step:Steps"], join, SYMBOL["steps:Clause"], *body, close, *second, close]
        items = [*e.items[:begin], *steps, *e.items[end + 1 :]]
        return Example(e.domain, tokens, segments, items, [*e.classes, "", ""], e.author, e.id)


def _only_clause(items: Sequence[int]) -> tuple[int, int] | None:
    """Return where the clause of an only part is opened and closed."""
    if items.count(SYMBOL["parts"]) != 1 or items[1] != SYMBOL["step:Clause"]:
        return None
    return 1, _inside(items, 1)[1]


def _inside(items: Sequence[int], at: int) -> tuple[int, int]:
    """Return where what is opened at a place begins and is closed."""
    depth = 0
    for k in range(at, len(items)):
        name = NAMES[items[k]] if items[k] >= 0 else ""
        depth += opens(name) - (name == CLOSE)
        if depth == 0:
            return at, k
    return at, len(items)
