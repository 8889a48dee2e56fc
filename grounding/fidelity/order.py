"""The order in which a text puts what is done: the same in its meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from commonground.grounding.english.parts import parts_of
from commonground.grounding.fidelity.clauses import is_put_off, sentence_at
from commonground.grounding.fidelity.phrases import phrases_in
from commonground.grounding.fidelity.symbols import symbols_in
from commonground.grounding.fidelity.verbs import BEING
from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.meaning import TOLD, Act, Instruction, Plan, Thing
from commonground.grounding.words.nouns import word_set

_ORDERING = frozenset(["then", "before", "after", "afterwards", "afterward"])
_DONE = frozenset(["there", "that", "done", "finished", "it", "ready"])
"""``once you have been there`` says no more than ``then``."""
_IT = frozenset(["that", "this", "which", "it"])
"""``after that`` comes what follows, ``before that`` what was said comes later."""
_ONE_TIME = frozenset(
    ["again", "more", "", ".", ",", ";", "!", "?", "\n", "and", "or", "only", "over"]
)
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
_OPENING = frozenset(["and", ",", "but", "also"])
_AVOIDING = frozenset(["avoid", "keep_away", "leave_alone"])
_IN_ORDER = re.compile(
    r"\bin (?:(?:the )?(?P<back>reverse|reversed|opposite|inverse)"
    r"|(?:exactly )?(?:this|that|the following|the given)(?: exact| very)?) order\b"
)
"""What is told of a whole list, and is only kept where the list is read in turn."""


class Mark(NamedTuple):
    """A word that puts what is named on one side of it before what is named on the other."""

    word: str
    start: int
    first: Literal["left", "right"]
    reach: tuple[int, int]
    """From where to where in the text it joins what is named."""
    joins: bool = False
    """``then`` and ``after that`` stand between; others may also open a sentence (``after A, B``)."""


def orders(text: str) -> list[str]:
    """Return the words of a text that put what is done in order."""
    return [t.text for t in tokenize(text) if t.text in _ORDERING]


def wrong_order(meaning: Instruction, tokens: Sequence[Token]) -> Iterator[str]:
    """Yield where a meaning has an order that its text has not."""
    for one in meaning.assignments:
        if one.then and isinstance(one.task, Act) and one.task.do in TOLD:
            yield "the answer only speaks of what comes then"
    rows = _rows(meaning)
    yield from _lost_order(tokens, rows)
    marks = list(_marks(tokens))
    if not marks or _is_single(meaning):
        return
    if not rows:
        yield f"the text says '{marks[0].word}', and nothing comes after anything"
    for row in rows:
        yield from _wrong_turns(_places(row, tokens), marks, tokens)


def _lost_order(tokens: Sequence[Token], rows: Sequence[Any]) -> Iterator[str]:
    """Yield the order of a whole list, where nothing comes after anything or it is the other way round."""
    told = _IN_ORDER.search(" ".join(token.text for token in tokens))
    if told and (told["back"] or not rows):
        yield f"the text says '{told[0]}', and the answer does not"


def _is_single(meaning: Instruction) -> bool:
    """Return whether one thing is done, by one robot."""
    acts = [a for a in parts_of(meaning, Act) if a.do not in TOLD and a.do not in _AVOIDING]
    each = (one.who for one in meaning.assignments if one.who.choose == "each")
    return len(acts) < 2 and len({name for who in each for name in who.names}) < 2


def _wrong_turns(
    turn: Mapping[int, int], marks: Sequence[Mark], tokens: Sequence[Token]
) -> Iterator[str]:
    onward = all(mark.joins and mark.first == "left" for mark in marks)
    if onward and not _is_sorted(turn):
        yield "what comes first in the text comes later in the answer"
    for mark in marks:
        pair = _joined(mark, sorted(turn), tokens)
        if pair and turn[pair[0]] > turn[pair[1]]:
            yield f"the text says '{mark.word}', and the answer has it the other way round"


def may_order(text: str) -> bool:
    """Return whether a text has any word that may put things in order; ``inspect the first`` has none."""
    tokens = tokenize(text)
    said = [s for s in phrases_in(tokens, _CUES) if s.words not in _RANKS | BEING]
    words = [token.text for token in tokens]
    alone = any(
        word in _RANKS and before not in ("the", "of") for before, word in pairwise(["", *words])
    )
    return bool(said) or alone or not _CUED.isdisjoint(words)


# ---- what the text says --------------------------------------------------------------------------


def _marks(tokens: Sequence[Token]) -> Iterator[Mark]:
    for at, token in enumerate(tokens):
        before, after = _beside(tokens, at)
        if before in ("look", "at"):  # to look after somebody, at once
            continue
        whole = (0, tokens[-1].end)
        if token.text == "before" and after in _IT:
            yield Mark("before", token.start, "right", whole, joins=True)
        elif _is_then(tokens, at, after):
            yield Mark("then", token.start, "left", whole, joins=True)
        elif _orders(tokens, at, after):
            later = token.text in ("after", "once") or is_put_off(tokens, at)
            first: Literal["left", "right"] = "right" if later else "left"
            yield Mark(token.text, token.start, first, sentence_at(tokens, at))


def _beside(tokens: Sequence[Token], at: int) -> tuple[str, str]:
    """Return the words before and behind a token."""
    before = tokens[at - 1].text if at else ""
    return before, tokens[at + 1].text if at + 1 < len(tokens) else ""


def _is_then(tokens: Sequence[Token], at: int, after: str) -> bool:
    word = tokens[at].text
    done = word == "once" and not _DONE.isdisjoint(t.text for t in tokens[at + 1 : at + 6])
    return done or word.startswith(("then", "afterward")) or (word == "after" and after in _IT)


def _orders(tokens: Sequence[Token], at: int, after: str) -> bool:
    word = tokens[at].text
    waits = word in ("until", "till") and is_put_off(tokens, at)
    return waits or word in ("before", "after") or (word == "once" and after not in _ONE_TIME)


def _joined(mark: Mark, named: Sequence[int], tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return where that is named which a mark puts first, and where that which it puts second."""
    here = [at for at in named if mark.reach[0] <= at < mark.reach[1]]
    left, right = [at for at in here if at < mark.start], [at for at in here if at > mark.start]
    if _opens(mark, left, right, tokens):
        # 'after A, B' has A first, 'before A, B' has B first
        pair = right[0], right[1]
        return pair if mark.first == "right" else pair[::-1]
    if not left or not right:
        return None
    pair = left[-1], right[0]
    return pair if mark.first == "left" else pair[::-1]


def _opens(mark: Mark, left: Sequence[int], right: Sequence[int], tokens: Sequence[Token]) -> bool:
    """Return whether a mark opens a clause of its own: ``go to A, and after B, to C``."""
    if mark.joins or len(right) < 2:
        return False
    last = [t.text for t in tokens if t.start < mark.start][-1:]
    commas = any(t.text == "," and right[0] < t.start < right[1] for t in tokens)
    return not left or (commas and not _OPENING.isdisjoint(last))


# ---- what the meaning says -----------------------------------------------------------------------


def _rows(meaning: Instruction) -> list[tuple[Any, ...]]:
    """Return the rows of tasks that are to be done one after the other."""
    rows = [p.tasks for p in parts_of(meaning, Plan) if p.order == "sequence"]
    if any(one.then for one in meaning.assignments):
        rows.append(tuple(one.task for one in meaning.assignments))
    return rows


def _places(row: Sequence[Any], tokens: Sequence[Token]) -> Mapping[int, int]:
    """Return where the text names what the tasks of a row are about, with the turn of each.

    What is named twice, in the text or in the row, has no one place.
    """
    turns: dict[int, set[int]] = {}
    for turn, task in enumerate(row):
        for act in parts_of(task, Act):
            for thing in [act.what] if isinstance(act.what, Thing) else []:
                for at in _named_at(thing, tokens):
                    turns.setdefault(at, set()).add(turn)
    return {at: min(turn) for at, turn in turns.items() if len(turn) == 1}


def _named_at(thing: Thing, tokens: Sequence[Token]) -> Iterator[int]:
    for key in thing.ids:
        meant = next(symbols_in(key), None)
        said = [t for t in tokens for s in symbols_in(t.text) if meant and meant.is_like(s)]
        yield from [t.start for t in said] if len(said) == 1 else []
    head = thing.noun.lower().split()[-1:]
    found = [*_extremes(thing, tokens)] or [t.start for t in tokens if t.text in head]
    yield from found if len(found) == 1 else []


def _extremes(thing: Thing, tokens: Sequence[Token]) -> Iterator[int]:
    """Yield where a superlative stands that picks a thing out: ``the northernmost one``."""
    hows = {relation.how for relation in thing.where}
    for said in phrases_in(tokens, frozenset(["COMPASS_MOST", "SIZE"])):
        if not hows.isdisjoint(value for _, value in said.senses):
            yield said.start


def _is_sorted(turn: Mapping[int, int]) -> bool:
    return all(turn[a] <= turn[b] for a, b in pairwise(sorted(turn)))
