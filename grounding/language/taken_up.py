"""What an order takes up of what was told before it: ``there's a red van here. Anna, check it``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.language.mentions import Mention, refers_back
from commonground.grounding.language.put_right import Find
from commonground.grounding.language.tellings import Known, named_in
from commonground.grounding.language.tokens import tokenize
from commonground.grounding.meaning import Reference, Thing, things_in
from commonground.grounding.words.closed import BE, MODALS
from commonground.grounding.words.nouns import singular

_BEHIND = (
    "up|down|out|off|away|back|over|there|here|to|in|into|on|onto|at|by|for|from|with|and|then|first|too|now"
    "|please|if|when|while|instead"
)
"""Before these ``that`` stands alone: ``pick that up``."""
_BACK = re.compile(
    r"\b(?P<one>it)\b|\b(?P<many>them(?P<all>\s+all)?)\b|\b(?:there(?!['’]s)|ones?|those|these|this|former|latter|others?|same"
    rf"|rest|both|each|either|mine|ours|hers|theirs|that(?=\s*(?:[.,;!?]|$)|\s+(?:one|{_BEHIND})\b)"
    r"|the\s+(?:first|second|third|last)(?=\s*(?:[.,;!?]|$)|\s+and\b))\b",
    re.IGNORECASE,
)
"""What may stand for something that was named before."""
_THAT = re.compile(r"\b(?:that|this|these|those)(?P<what>(?:\s+\w+){1,3})", re.IGNORECASE)
_DETERMINED = re.compile(r"^(?:an?|the|this|that|some|my|our|his|her|their)\s+", re.IGNORECASE)
_WHERE = re.compile(r"\s+(?=(?:in|on|at|inside|within)\s)", re.IGNORECASE)
"""What stands behind a noun before it is told where that is."""
_TAKING = frozenset(["PICK_OR_PLACE"])
"""With these a thing is taken up, or put where a place is named behind it."""
_SYMBOL = re.compile(r"\b[A-Za-z]\d+\b")


class TakenUp(NamedTuple):
    """Finds what orders take up in one world."""

    known: Known
    find: Find
    number_of: Callable[[str], int]

    def named(self, order: str, told: Sequence[str], *, here: bool = False) -> str | None:
        """Return an order with the name of what it takes up; None where it may hang on more that is told.

        What was told ``here``, in the sentence of the order, is not named again in it.
        """
        things = [*self._things(order)]
        before = [(one, named) for one in told for named in self._things(one)]
        if self._hangs(order, things, told, [named for _, named in before]):
            return None
        back = _back(order, things)
        if back is None or not (before or self._names_any(told)):
            return order
        return None if here or len(before) != 1 else _renamed(order, back, *before[0])

    def _hangs(
        self, order: str, things: Sequence[Mention], told: Sequence[str], before: Sequence[Mention]
    ) -> bool:
        """Return whether what is told may say which things are meant."""
        ordered = [one.what for one in things]
        narrowed = any(self._narrows(one.what, ordered) for one in before)
        return narrowed or self._points(order) or not _symbols(" ".join(told)) <= _symbols(order)

    def _names_any(self, told: Sequence[str]) -> bool:
        return any(named_in(tokens_of(one), self.known) for one in told)

    def _things(self, text: str) -> Iterator[Mention]:
        """Yield what a text names that the world has."""
        for one in self.find(text):
            nouns = filter(None, map(_noun, things_in(one.what)))
            modal = text[one.start : one.end].casefold() in MODALS  # Anna, can you check it
            if not modal and any(map(self.number_of, nouns)):
                yield one

    def _points(self, order: str) -> bool:
        """Return whether an order points at one of several things: ``check that van``."""
        pointed = (word for that in _THAT.finditer(order) for word in that["what"].split())
        return any(self.number_of(singular(word)) > 1 for word in pointed)

    def _narrows(self, told: Reference, ordered: Sequence[Reference]) -> bool:
        """Return whether what is told of a thing may say which of its kind are meant."""
        others = [thing for what in ordered for thing in things_in(what)]
        return any(
            _noun(one) == _noun(other) != "" and self._may_narrow(one, other)
            for one in things_in(told)
            for other in others
        )

    def _may_narrow(self, told: Thing, ordered: Thing) -> bool:
        if self.number_of(ordered.noun) == 1:
            return False
        says_which = bool(ordered.color or ordered.where)
        if ordered.amount == "the" and ordered.count in (None, 1):
            return not (says_which or ordered.among or ordered.ids)
        if told.amount != "all" or told.count is not None:
            return True
        return bool(told.color or told.where) and not says_which


def _back(order: str, things: Sequence[Mention]) -> re.Match[str] | None:
    """Return the first word of an order that stands for something, before it names anything itself."""
    first = min((one.start for one in things if not refers_back(one.what)), default=len(order))
    return next((b for b in _BACK.finditer(order, 0, first) if _stands_for(order, b)), None)


def _renamed(order: str, back: re.Match[str], source: str, named: Mention) -> str | None:
    """Return an order with the name of a thing for what stands for it."""
    what = named.what
    single = isinstance(what, Thing) and what.amount != "all" and what.count in (None, 1)
    if not (back["one"] or back["many"]) or single != bool(back["one"]):
        return None
    name = _DETERMINED.sub("", source[named.start : named.end], count=1)
    if not BE.isdisjoint(name.casefold().split()):  # on the shore a bag was left
        return None
    every = "all " if back["all"] else ""  # visit them all
    if phrases_in(tokenize(order[: back.start()]), _TAKING):  # nothing is put where a thing is
        name = _WHERE.sub(" that is " if single else " that are ", name, count=1)
    return f"{order[: back.start()]}{every}the {name}{order[back.end() :]}"


def _symbols(text: str) -> set[str]:
    return {symbol.upper() for symbol in _SYMBOL.findall(text)}


def _noun(thing: Thing) -> str:
    """Return what a thing is called: ``one of the benches`` is a bench."""
    if thing.noun or thing.among is None:
        return thing.noun
    return next((_noun(one) for one in things_in(thing.among)), "")


def _stands_for(order: str, back: re.Match[str]) -> bool:
    """Return whether a word stands for a thing: not ``that'd be it``, ``there's a dear``, ``one of you``."""
    behind = order[back.end() :]
    return behind.split()[:2] != ["of", "you"] and not behind.startswith(("'", "’"))
