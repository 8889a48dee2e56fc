"""Whether a model's goal is faithful to its command: the account that readers give, held against a model.

What the offline reader makes of the same command is a witness: what is amiss with that as well is not held
against the model. Where there is none the command is vague, and nobody can say what is made up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from commonground.grounding.fidelity.negation import negators
from commonground.grounding.fidelity.order import orders
from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.forbidden import forbidden, named_in
from commonground.grounding.problem_writer.wishes.heeding import unasked, unheeded
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.planning.pddl import Atom
from commonground.planning.pddl.strata import literals


def unfaithful(wish: Wish, text: str, home: Home, witness: Wish | None) -> list[str]:
    """Return what is wrong with what a model takes a command for, each in a sentence."""
    accounts = Accounts(text, home)
    found = _amiss(replace(wish, vague=wish.vague or witness is None), accounts)
    known = [] if witness is None else [*_amiss(witness, accounts)]
    return [
        *(f"the command {each}" for each in found if each not in known),
        *_lost_words(wish, text, witness),
        *_turned_round(wish, text, witness),
        *_unspoken(wish, accounts, witness),
        *([] if witness is not None else _lost_robots(text, home)),
    ]


def _amiss(wish: Wish, accounts: Accounts) -> Iterator[str]:
    """Yield what a command speaks of, names or asks for and a wish does not hold, and what that makes up."""
    account = accounts.of(wish)
    touched = _names(wish)
    for name in accounts.home.there:
        if name != accounts.home.type_of(name) and _is_named(name, accounts.text):
            yield from () if name in touched else (f"names {name}, which is left out",)
    yield from (f"speaks of '{words}', which is left out" for words in accounts.untouched(wish))
    yield from (f"asks for '{words}', and the goal does not" for words in account.lost)
    yield from (f"says '{words}', which is left out" for words in unheeded(wish, accounts))
    yield from (f"says '{words}' of what is done" for words in forbidden(wish, accounts))
    yield from (f"does not ask for '{words}'" for words in unasked(wish, accounts))
    yield from (f"says nothing of {part}" for part in account.invented)


def _lost_words(wish: Wish, text: str, witness: Wish | None) -> Iterator[str]:
    """Yield the negations and orders of a command that nothing in the wish stands for."""
    excluded = any(not wanted for _, wanted in _literals(wish))
    if negators(text) and not (excluded or wish.spared or wish.barred):
        yield f"the command says '{negators(text)[0]}', and nothing is excluded"
    steps = sum(1 for _ in literals(wish.goal))
    in_order = bool(wish.before) or (witness is not None and not witness.before)
    if orders(text) and steps > 1 and not in_order:
        yield f"the command says '{orders(text)[0]}', and nothing is listed under before"


def _turned_round(wish: Wish, text: str, witness: Wish | None) -> Iterator[str]:
    """Yield what the wish excludes and the command does not, or the other way round."""
    heard = set() if witness is None else set(_literals(witness))
    for atom, wanted in _literals(wish):
        if not (wanted or negators(text) or (atom, False) in heard):
            yield f"the command excludes nothing, and (not {atom}) does"
        if (atom, not wanted) in heard and (atom, wanted) not in heard:
            yield f"the command says the opposite of {atom if wanted else f'(not {atom})'}"


def _unspoken(wish: Wish, accounts: Accounts, witness: Wish | None) -> Iterator[str]:
    """Yield what a wish is about and a command, which nobody else understands, does not speak of."""
    spoken = {kind for one in accounts.named for kind in one.types}
    for atom, wanted in _literals(wish) if witness is None else ():
        for thing, kind in named_in(atom, accounts) if wanted else ():
            if kind not in spoken and not _is_named(thing, accounts.text):
                yield f"the command does not speak of {thing}"


def _literals(wish: Wish) -> Iterator[tuple[Atom, bool]]:
    for formula in (wish.goal, *wish.before):
        yield from literals(formula)


def _lost_robots(text: str, home: Home) -> Iterator[str]:
    for robot in home.graph.robots():
        if _is_named(robot, text):
            yield f"the command names {robot}, and a goal cannot say who does what"


def _names(wish: Wish) -> set[str]:
    """Return what the goals of a wish name, and what is not to be touched."""
    found = {name for formula in (wish.goal, *wish.before) for name in words_of(formula)}
    return found | {fact.subject for fact in wish.spared} | {fact.object for fact in wish.barred}


def _is_named(name: str, text: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
