"""What a command says beside what is to be done, and no household holds: ``unless she is asleep``."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from commonground.grounding.fidelity.tails import (
    Tail,
    asked_of_order,
    tails_of_orders,
    without_courtesies,
)
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import word_set

_ENDS = frozenset(".;!?")
_PHRASES = frozenset(["later", "often", "share"])
"""Kinds that belong to the clause in which they stand; the others are clauses beside it."""
_TELLING = word_set("where who which that how when what")
_FEW = 2
"""So many words beside a tail are no sentence: ``Not too hot, mind``."""


def unpromised(text: str, wish: Wish, home: Home) -> Iterator[str]:
    """Yield what to ask about a command; when people tell that something is so is no part of it.

    ``Without opening the fridge`` is kept to where a wish spares that.
    """
    accounts = Accounts(text, home)
    for tail in tails_of_orders(text, lambda words: bool(Accounts(words, home).named)):
        held = tail.kind == "joined" and bool(Accounts(tail.words, home).asked)
        held = held or (tail.kind == "manner" and bool(wish.spared))
        if not (held or _is_told(tail, accounts)):
            yield asked_of_order(tail)


def kindly(text: str, home: Home) -> str:
    """Return a command without the kind words at its end."""
    return without_courtesies(text, lambda words: bool(Accounts(words, home).named))


def _is_told(tail: Tail, accounts: Accounts) -> bool:
    """Return whether nothing is asked for where a tail is said."""
    starts = [token.start for token in accounts.tokens]
    inside = [at for at, start in enumerate(starts) if tail.start <= start < tail.end]
    beside = _sentence(inside, accounts)
    if tail.kind == "joined":
        return not any(_orders_before(one, inside, accounts) for one in accounts.acts.said)
    if tail.kind in _PHRASES and min(inside, default=0) > min(beside, default=0):
        told = any(accounts.acts.told[at] for at in inside)
    else:
        told = all(accounts.acts.told[at] for at in beside)
    return told and len(beside) > _FEW


def _orders_before(one: Said, inside: Collection[int], accounts: Accounts) -> bool:
    """Return whether a clause in which something is joined on orders; ``where people sit and read`` tells."""
    first = min(inside, default=0)
    before = accounts.words[one.start : first]
    return one.act in ASKING and one.start <= first < one.end and _TELLING.isdisjoint(before)


def _sentence(inside: Collection[int], accounts: Accounts) -> list[int]:
    """Return the words of a sentence beside some of it."""
    ends = [-1, *(at for at, word in enumerate(accounts.words) if word in _ENDS)]
    begin = max(at for at in ends if at < min(inside, default=0))
    end = min((at for at in ends if at > max(inside, default=0)), default=len(accounts.words))
    return [at for at in range(begin + 1, end) if at not in inside]
