"""What is left out of all, said where readers take it: ``all on the shelf, except the pair on the desk``."""

from __future__ import annotations

from collections.abc import Sequence

from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS, Named
from commonground.grounding.problem_writer.wishes.heads import ENDS
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.untouched import EVERY
from commonground.grounding.problem_writer.wishes.where import IN
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.numbers import count_of

_ONES = word_set("one ones those pair couple")
_PUTTING = word_set(
    "i we want need 'd like would have put move bring carry store pack place so now please and is are be "
    "to get them goes go come comes belongs belong should must shall can packed put moved all up down over "
    "away of both"
)
"""What is said with these of things and a place puts them there."""
_HOW = {"into": "in", "onto": "on", "to": "to"}


def left_out_first(text: str, home: Home) -> str:
    """Return a text in which what is left out of some things stands by their name."""
    accounts = Accounts(text, home)
    for at in range(2, len(accounts.words) - 2):
        found = _moved(at, accounts)
        if found:
            return found
    return text


def _moved(at: int, accounts: Accounts) -> str:
    """Return the text with what a word leaves out by the name of what that is of."""
    words = accounts.words
    begin = at - 1 if words[at] == "but" and words[at - 1] == "all" else at
    every = not EVERY.isdisjoint(words[:begin])
    if not (accounts.is_exception(at) or (words[at] == "but" and every)):
        return ""
    start = max((n + 1 for n in range(at) if words[n] in ENDS | {":", ";"}), default=0)
    named = [one for one in accounts.named if start <= one.start < begin]
    spot = _where(at, accounts)
    if len(named) != 2 or spot is None or not _fits(at, spot, named[0], accounts):
        return ""
    how = _goes((start, begin), named[0], named[1], accounts)
    return _said_so(start, how, named, (at, spot), accounts) if how else ""


def _goes(span: tuple[int, int], things: Named, place: Named, accounts: Accounts) -> str:
    """Return how things go to a place, if words say that and nothing else."""
    words, (start, end) = accounts.words, span
    said = words[start : things.start] + words[things.end : place.start]
    rest = [w for w in said if w not in IN | DETERMINERS | EVERY and count_of(w) is None]
    how = [w for w in words[things.end : place.start] if w in IN | {"to"}]
    ends = all(words[n] == "," for n in range(place.end, end))
    return how[0] if len(how) == 1 and ends and _PUTTING.issuperset(rest) else ""


def _said_so(
    start: int, how: str, named: Sequence[Named], out: tuple[int, Named], accounts: Accounts
) -> str:
    """Return the text with an order for what is left of all."""
    tokens, text, (things, place), (at, spot) = accounts.tokens, accounts.text, named, out
    name, inside = accounts.said(things), accounts.words[_how(at, spot, accounts)]
    order = (
        f"put all the {name}{'' if name.endswith('s') else 's'} except the ones {inside} "
        f"the {accounts.said(spot)} {_HOW.get(how, how)} the {accounts.said(place)}"
    )
    behind = text[tokens[spot.end - 1].end :].lstrip(" ,")
    mark = "" if behind[:1] in (".", "!", "?", ";", ":") else ". "
    return f"{text[: tokens[start].start]}{order}{mark}{behind}"


def _where(at: int, accounts: Accounts) -> Named | None:
    """Return where what is left out is: ``the pair on the desk``."""
    near = [one for one in accounts.named if at < one.start <= at + 9]
    how = [n for n in range(at + 1, min(at + 8, len(accounts.words))) if accounts.words[n] in IN]
    behind = [one for one in near if how and how[0] < one.start <= how[0] + 3]
    return behind[0] if behind else None


def _how(at: int, spot: Named, accounts: Accounts) -> int:
    return next(n for n in range(at, spot.start) if accounts.words[n] in IN)


def _fits(at: int, spot: Named, things: Named, accounts: Accounts) -> bool:
    """Return whether so many of some things are there as are left out."""
    said = accounts.words[at + 1 : _how(at, spot, accounts)]
    there = accounts.home.inside(
        accounts.home.things(sorted(things.types)), accounts.home.things(sorted(spot.types))
    )
    same = any(one.start > at and one.types == things.types for one in accounts.named)
    stands = same or not _ONES.isdisjoint(said) or any(count_of(w) for w in said)
    return stands and len(there) == _amount(said, len(there))


def _amount(said: Sequence[str], there: int) -> int:
    """Return how many are left out, where that is said."""
    if not {"pair", "couple", "two"}.isdisjoint(said):
        return 2
    numbers = [count for w in said if w != "one" and (count := count_of(w))]
    return numbers[0] if numbers else 1 if "one" in said else max(there, 1)
