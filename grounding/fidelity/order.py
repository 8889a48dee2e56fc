"""The order in which a text puts what is done: the same in its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import Any, Literal, NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.held import Held
from commonground.grounding.fidelity.symbols import symbols_in
from commonground.grounding.fidelity.verbs import BEING
from commonground.grounding.meaning import AVOIDING, TOLD, Act, Plan, Thing
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.tokens import tokenize

_ORDERING = frozenset(["then", "before", "after", "afterwards", "afterward"])
_PAUSES = frozenset(["", *".,;!?\n", "or"])
_DONE = frozenset(["there", "that", "done", "finished", "it", "ready"])
_BARELY = _DONE | word_set("you have 've are 're is 's has been this they all of get got with")
"""``once you have been there`` says no more than ``then``."""
_IT = word_set("that this which it them these those so anything everything")
"""``after that`` comes what follows, ``before that`` what was said comes later."""
_SO_FAR = _IT | word_set("you do doing all of else going there to either any")
_ONE_TIME = frozenset(["", *".,;!?\n"]) | word_set("again more and or only over by per each with")
"""``once`` before these is one time: ``pass it once, and stop``."""
_CUES = frozenset(
    ["THEN", "LAST", "FIRST", "ONCE", "AFTER", "BEFORE", "VIA", "ON_WAY", "HAVE_DONE", "START_BY", "END",
     "STAY", "RETURN", "GRIPPER"]
)  # fmt: skip
_RANKS = frozenset(["first", "second", "last"])
_CUED = word_set(
    "next finally lastly later subsequently followed following order sequence row turn when until till "
    "finish finishing end ending start starting begin beginning stop only way back ready done over rest "
    "from now follow follows succession"
)
_ON_WAY = frozenset(("way", whose) for whose in ["the", "your", "its"])
"""What is done ``on the way`` comes before where that leads."""
_ON = frozenset(["on", "along"])
_OPENING = frozenset(["and", ",", "but", "also"])
_IN_ORDER = re.compile(
    r"\bin (?:(?:the )?(?P<back>reverse|reversed|opposite|inverse)"
    r"|(?:exactly )?(?:this|that|the following|the given)(?: exact| very)?) order\b"
)
"""What is told of a whole list, and is only kept where the list is read in turn."""


class Mark(NamedTuple):
    """A word that puts what is named on one side of it before what is named on the other."""

    word: str
    at: int
    first: Literal["left", "right"]
    reach: tuple[int, int]
    """From which token to which it joins what is named."""
    joins: bool = False
    """``then`` and ``after that`` stand between; others may also open a sentence (``after A, B``)."""


def orders(text: str) -> list[str]:
    """Return the words of a text that put what is done in order."""
    return [t.text for t in tokenize(text) if t.text in _ORDERING]


def may_order(text: str) -> bool:
    """Return whether a text has any word that may put things in order; ``inspect the first`` has none."""
    said = Wording(tokenize(text))
    cues = any(s.words not in _RANKS | BEING for s in said.phrases(_CUES))
    alone = any(w in _RANKS and a not in ("the", "of") for a, w in pairwise(["", *said.words]))
    return cues or alone or not _CUED.isdisjoint(said.words)


def wrong_order(held: Held) -> Iterator[str]:
    """Yield where a meaning has an order that its text has not."""
    for one in held.meaning.assignments:
        if one.then and isinstance(one.task, Act) and one.task.do in TOLD:
            yield "the answer only speaks of what comes then"
    rows = _rows(held)
    yield from _lost_order(held, rows)
    marks = list(_marks(held))
    if not marks or _is_single(held):
        return
    in_order = [mark.word for mark in marks if mark.word != "on the way"]
    if in_order and not rows:
        yield f"the text says '{in_order[0]}', and nothing comes after anything"
    for row in rows:
        yield from _wrong_turns(held, _places(held, row), marks)


def _lost_order(held: Held, rows: Sequence[Any]) -> Iterator[str]:
    """Yield the order of a whole list, where nothing comes after anything or it is the other way round."""
    told = _IN_ORDER.search(held.line)
    if told and (told["back"] or not rows):
        yield f"the text says '{told[0]}', and the answer does not"


def _is_single(held: Held) -> bool:
    """Return whether one thing is done, by one robot."""
    acts = [a for a in held.parts(Act) if a.do not in TOLD and a.do not in AVOIDING]
    each = (one.who for one in held.meaning.assignments if one.who.choose == "each")
    return len(acts) < 2 and len({name for who in each for name in who.names}) < 2


def _wrong_turns(held: Held, turn: Mapping[int, int], marks: Sequence[Mark]) -> Iterator[str]:
    onward = all(mark.joins and mark.first == "left" for mark in marks)
    if onward and not all(turn[a] <= turn[b] for a, b in pairwise(sorted(turn))):
        yield "what comes first in the text comes later in the answer"
    for mark in marks:
        pair = _joined(held, mark, sorted(turn))
        if pair and turn[pair[0]] > turn[pair[1]]:
            yield f"the text says '{mark.word}', and the answer has it the other way round"


# ---- what the text says --------------------------------------------------------------------------


def _marks(held: Held) -> Iterator[Mark]:
    for at, word in enumerate(held.words):
        before, after = held.word(at - 1), held.word(at + 1)
        if before in ("look", "at"):  # to look after somebody, at once
            continue
        whole = (0, len(held.words))
        if word == "before" and taken_up(held, at) > at:
            yield Mark("before", at, "right", whole, joins=True)
        elif (word, before) in _ON_WAY and held.word(at - 2) in _ON and after != "to":
            yield Mark("on the way", at, "right", whole, joins=True)
        elif is_then(held, at):
            yield Mark("then", at, "left", whole, joins=True)
        elif _orders(held, at):
            later = word in ("after", "once") or held.is_put_off(at)
            yield Mark(word, at, "right" if later else "left", held.sentence(at))


def taken_up(said: Wording, at: int) -> int:
    """Return where ``before that`` or ``before you do all that`` ends; where it begins, if it is none."""
    end = at + 1
    while said.word(end) in _SO_FAR:
        end += 1
    return end if not _IT.isdisjoint(said.words[at + 1 : end]) else at


def _orders(held: Held, at: int) -> bool:
    """Return whether a word puts what stands on one side of it first."""
    word = held.words[at]
    if word == "once":
        return held.word(at + 1) not in _ONE_TIME
    alone = held.word(at + 1) in _PAUSES or held.word(at - 1) == "or"  # before or after
    return (word in ("before", "after") and not alone) or (
        word in ("until", "till") and held.is_put_off(at)
    )


def is_then(said: Wording, at: int) -> bool:
    """Return whether a word says ``then``: ``once that is done``, but not ``once the shed is done``."""
    word = said.words[at]
    done = [*takewhile(_BARELY.__contains__, said.words[at + 1 : at + 7])]
    once = word == "once" and not _DONE.isdisjoint(done)
    listed = said.word(at + 1) == "there" and said.word(at + 2) in BEING | {"'s"}
    return (
        once
        or (word.startswith(("then", "afterward")) and not listed)
        or (word == "after" and said.word(at + 1) in _IT)
    )


def _joined(held: Held, mark: Mark, named: Sequence[int]) -> tuple[int, int] | None:
    """Return where that is named which a mark puts first, and where that which it puts second."""
    here = [at for at in named if mark.reach[0] <= at < mark.reach[1]]
    left, right = [at for at in here if at < mark.at], [at for at in here if at > mark.at]
    if _opens(held, mark, left, right):
        # 'after A, B' has A first, 'before A, B' has B first
        pair = right[0], right[1]
        return pair if mark.first == "right" else pair[::-1]
    if not left or not right:
        return None
    pair = left[-1], right[0]
    return pair if mark.first == "left" else pair[::-1]


def _opens(held: Held, mark: Mark, left: Sequence[int], right: Sequence[int]) -> bool:
    """Return whether a mark opens a clause of its own: ``go to A, and after B, to C``."""
    if mark.joins or len(right) < 2:
        return False
    commas = "," in held.words[right[0] + 1 : right[1]]
    return not left or (commas and held.word(mark.at - 1) in _OPENING)


# ---- what the meaning says -----------------------------------------------------------------------


def _rows(held: Held) -> list[tuple[Any, ...]]:
    """Return the rows of tasks that are to be done one after the other."""
    rows = [p.tasks for p in held.parts(Plan) if p.order == "sequence"]
    if any(one.then for one in held.meaning.assignments):
        rows.append(tuple(one.task for one in held.meaning.assignments))
    return rows


def _places(held: Held, row: Sequence[Any]) -> Mapping[int, int]:
    """Return where the text names what the tasks of a row are about, with the turn of each.

    What is named twice, in the text or in the row, has no one place.
    """
    turns: dict[int, set[int]] = {}
    for turn, task in enumerate(row):
        for act in parts_of(task, Act):
            for at in _named_at(held, act.what) if isinstance(act.what, Thing) else ():
                turns.setdefault(at, set()).add(turn)
    return {at: min(turn) for at, turn in turns.items() if len(turn) == 1}


def _named_at(held: Held, thing: Thing) -> Iterator[int]:
    for key in thing.ids:
        meant = next(symbols_in(key), None)
        said = [
            at
            for at, w in enumerate(held.words)
            for s in symbols_in(w)
            if meant and meant.is_like(s)
        ]
        yield from said if len(said) == 1 else []
    head = thing.noun.lower().split()[-1:]
    found = [*_extremes(held, thing)] or [at for at, w in enumerate(held.words) if w in head]
    yield from found if len(found) == 1 else []


def _extremes(held: Held, thing: Thing) -> Iterator[int]:
    """Yield where a superlative stands that picks a thing out: ``the northernmost one``."""
    hows = {relation.how for relation in thing.where}
    for said in held.phrases(frozenset(["COMPASS_MOST", "SIZE"])):
        if not hows.isdisjoint(value for _, value in said.senses):
            yield held.at(said)
