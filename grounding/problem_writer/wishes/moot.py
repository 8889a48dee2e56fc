"""A command without conditions that change nothing: ``turn it off if it's on``, ``if the box is open, shut it``.

What is to be in a state is in it afterwards, whether it was before or not; and a condition that is known to hold
need not be waited for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.problem_writer.wishes.demands import Asked, Named
from commonground.grounding.problem_writer.wishes.heads import ADVERBS, BE, ENDS, JOINTS, sentences
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import Likeness, likeness

_BACK = ("it", "they", "that", "them")
_ONLY = ("only", "just", "but", ",")
_RELATION = {"OPENED": "open", "ON": "on", "CLEAN": "clean", "FILLED": "filled", "COOKED": "cooked"}
_RELATION |= {OPPOSITE[state]: word for state, word in _RELATION.items() if state in OPPOSITE}


class _If(NamedTuple):
    """A condition: its words, what it is said of if it says so, and the state."""

    start: int
    end: int
    of: Named | None
    state: Likeness


def unconditional(text: str, home: Home) -> str:
    """Return a text without conditions that need not be waited for."""
    accounts = Accounts(text, home)
    for begin, end in reversed([*sentences(accounts.words)]):
        found = next((c for at in range(begin, end) if (c := _condition(at, end, accounts))), None)
        if found is not None:
            text = _without(found, begin, end, text, accounts)
    return text


def _condition(at: int, end: int, accounts: Accounts) -> _If | None:
    """Return the condition that begins at a word: that something is in a state."""
    words = accounts.words
    if words[at] != "if" or at + 3 > end:
        return None
    one = accounts.object_at(at + 1)
    verb = one.end if one is not None else at + 2
    if one is None and words[at + 1] not in _BACK:
        return None
    last = verb + 1
    while last < end and words[last] in ADVERBS - {"n't", "not"}:
        last += 1
    state = likeness(words[last]) if last < end and words[verb] in BE | {"'s"} else None
    ends = words[last + 1 : last + 2] == [] or words[last + 1] in ENDS | JOINTS | {",", "then"}
    return _If(at, last + 1, one, state) if state is not None and ends else None


def _without(cond: _If, begin: int, end: int, text: str, accounts: Accounts) -> str:
    """Return a text without a condition, if it is moot."""
    words, tokens = accounts.words, accounts.tokens
    start = cond.start
    while start > begin and words[start - 1] in _ONLY:
        start -= 1
    trails = start > begin
    others = [n for n in accounts.named if begin <= n.start < end and n != cond.of]
    before = [n for n in others if n.end <= start]
    one = cond.of or (before[-1] if before else None)
    same = cond.of is None or not trails or any(n.types == cond.of.types for n in before)
    asked = [a for at, a in accounts.asked if begin <= at < (start if trails else end)]
    asked = [a for at, a in accounts.asked if a in asked and not cond.start <= at < cond.end]
    names = accounts.home.things(sorted(one.types)) if one is not None else []
    so = {accounts.home.is_like(name, cond.state.relation, cond.state.value) for name in names}
    if not same or not (_is_moot(cond, asked, alone=trails or not others) or so == {True}):
        return text
    if trails:
        return text[: tokens[start - 1].end] + text[tokens[cond.end - 1].end :]
    behind = cond.end + (words[cond.end : cond.end + 1] == [","])
    rest = [text[t.start : t.end] for t in tokens[behind:end]]
    at = next((n for n in range(behind, end) if words[n] in _BACK), None)
    if cond.of is None or at is None:
        return text[: tokens[start].start] + text[tokens[behind].start :] if rest else text
    named = " ".join(accounts.written(cond.of.start, cond.of.end))
    middle = text[tokens[behind].start : tokens[at].start]
    return f"{text[: tokens[start].start]}{middle}the {named}{text[tokens[at].end :]}"


def _is_moot(cond: _If, asked: Sequence[Asked], *, alone: bool) -> bool:
    """Return whether what a condition is about is to be so or otherwise by what is asked right beside it."""
    return bool(asked) and alone and _RELATION.get(asked[-1].state) == cond.state.relation
