"""What a command forbids, refuses or leaves, and a wish brings about all the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import takewhile

from commonground.grounding.fidelity.clauses import Wording
from commonground.grounding.fidelity.denials import Denial, denials
from commonground.grounding.problem_writer.goals import SLICED, Wish
from commonground.grounding.problem_writer.wishes.account import OPPOSITE, Accounts
from commonground.grounding.words.tokens import tokenize
from commonground.planning.pddl import Atom
from commonground.planning.pddl.strata import literals

_ENDS = frozenset([",", ".", ";", ":", "!", "?", "-", "and", "but", "so", "by", "just"])
"""Here the reach of a denial is over, as far as a wish is held against it."""
_DONE_BY = {
    "contains": "PickupObject", "SLICED": "SliceObject", "BROKEN": "BreakObject", "OPENED": "OpenObject",
    "CLOSED": "CloseObject", "ON": "SwitchOn", "OFF": "SwitchOff",
}  # fmt: skip
"""The skills by which something comes to be so."""
_IT = frozenset(["it", "them"])


def named_in(atom: Atom, accounts: Accounts) -> Iterator[tuple[str, str]]:
    """Yield the things of a part of a goal, each with its type."""
    home = accounts.home
    for thing in atom.args[: 2 if atom.predicate == "contains" else 1]:
        kind = home.type_of(thing) if thing in home.there else thing
        yield thing, kind.removesuffix(SLICED)


def forbidden(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield words that deny what a wish does with things that are named behind them alone.

    Where they deny a state, its opposite is what is asked for: ``stop leaving it open``.
    """
    said = Wording(tokenize(accounts.text))
    found = [*denials(said)]
    barred = _only_behind(said, found)
    if not barred:
        return
    denied = _types(accounts, barred, inside=True) - _types(accounts, barred, inside=False)
    turned = {OPPOSITE.get(ask.state, "") for _, ask in accounts.asked if ask.word in barred}
    parts = (part for goal in (wish.goal, *wish.before) for part in literals(goal))
    for atom in (atom for atom, wanted in parts if wanted and atom.args[-1] not in turned):
        if not denied.isdisjoint(kind for _, kind in named_in(atom, accounts)):
            yield found[0].words


def _only_behind(said: Wording, found: Sequence[Denial]) -> set[str]:
    """Return the words that stand behind denials alone; none where ``it`` may be what is denied."""
    reach = (
        takewhile(lambda at: said.words[at] not in _ENDS, range(d.first, d.end)) for d in found
    )
    inside = {at for each in reach for at in each}
    free = {word for at, word in enumerate(said.words) if at not in inside}
    return {said.words[at] for at in inside} - free if _IT.isdisjoint(free) else set()


def _types(accounts: Accounts, barred: Set[str], *, inside: bool) -> set[str]:
    """Return the types of the things that are named by some words, or by others."""
    named = (one for one in accounts.named if (accounts.words[one.end - 1] in barred) is inside)
    return {kind for one in named for kind in one.types}


def let_be(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield words that leave or forbid a thing with which a wish does something."""
    said = Wording(tokenize(accounts.text))
    touched = {
        kind
        for atom, wanted in literals(wish.goal)
        if wanted
        for _, kind in named_in(atom, accounts)
    }
    for one in denials(said):
        reach = {said.words[at] for at in range(one.first, one.end)}
        kinds = _types(accounts, reach, inside=True)
        if not touched.isdisjoint(kinds):
            yield one.words


def contrary(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what a wish both spares from something and has that done with."""
    home = accounts.home
    for atom in (atom for atom, wanted in literals(wish.goal) if wanted):
        skill = _DONE_BY.get("contains" if atom.predicate == "contains" else atom.args[-1], "")
        thing = atom.args[1 if atom.predicate == "contains" else 0]
        for fact in wish.spared:
            if fact.object == skill and thing in (fact.subject, home.type_of(fact.subject)):
                yield fact.subject


def only_own(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what a wish has to do with, where only what somebody will do himself speaks of it."""
    touched = {
        kind for a, wanted in literals(wish.goal) if wanted for _, kind in named_in(a, accounts)
    }
    own, others = set[str](), set[str]()
    for said in accounts.acts.said:
        kinds = {
            kind
            for one in accounts.named
            if said.start <= one.start < said.end
            for kind in one.types
        }
        (own if said.act == "own" else others).update(kinds)
    yield from sorted(touched & own - others)
