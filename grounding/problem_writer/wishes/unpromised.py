"""What a command says beside what is to be done, and no household holds: ``unless she is asleep``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from commonground.grounding.fidelity.tails import Tail, asked_of_order, tails_of_orders
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.home import Home

_ENDS = frozenset(".;!?")
_WHY = re.compile(r"[^.;!?,]*,?\s*\bso\b", re.IGNORECASE)
"""Behind why something is wanted comes what is: ``a call at 3, so leave the phone on``."""
_PHRASES = frozenset(["later", "often", "share"])
"""Kinds that belong to the clause in which they stand; the others are clauses beside it."""
_FEW = 2
"""So many words beside a tail are no sentence: ``Not too hot, mind``."""


def unpromised(text: str, home: Home) -> Iterator[str]:
    """Yield what to ask about a command; when people tell that something is so is no part of it."""
    accounts = Accounts(text, home)
    for tail in tails_of_orders(text, lambda words: bool(Accounts(words, home).named)):
        if not (_is_told(tail, accounts) or _WHY.match(text, tail.end)):
            yield asked_of_order(tail)


def _is_told(tail: Tail, accounts: Accounts) -> bool:
    """Return whether nothing is asked for where a tail is said."""
    starts = [token.start for token in accounts.tokens]
    inside = [at for at, start in enumerate(starts) if tail.start <= start < tail.end]
    beside = _sentence(inside, accounts)
    if tail.kind in _PHRASES:
        told = any(accounts.acts.told[at] for at in inside)
    else:
        told = all(accounts.acts.told[at] for at in beside)
    return told and len(beside) > _FEW


def _sentence(inside: Collection[int], accounts: Accounts) -> list[int]:
    """Return the words of a sentence beside some of it."""
    ends = [-1, *(at for at, word in enumerate(accounts.words) if word in _ENDS)]
    begin = max(at for at in ends if at < min(inside, default=0))
    end = min((at for at in ends if at > max(inside, default=0)), default=len(accounts.words))
    return [at for at in range(begin + 1, end) if at not in inside]
