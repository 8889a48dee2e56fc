"""A command made ready for reading, and what its words have against a wish."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import NamedTuple

from commonground.grounding.english.weighing import NO_OR_BUT
from commonground.grounding.fidelity.corrections import taken_back
from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.answers import answered
from commonground.grounding.problem_writer.wishes.contrast import excluded
from commonground.grounding.problem_writer.wishes.forbidden import (
    contrary,
    forbidden,
    let_be,
    only_own,
)
from commonground.grounding.problem_writer.wishes.framed import adrift
from commonground.grounding.problem_writer.wishes.heeding import unasked, unheeded
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.quotations import quoted
from commonground.grounding.problem_writer.wishes.sequence import Sequence_, in_sequence
from commonground.grounding.problem_writer.wishes.strangers import strangers
from commonground.grounding.problem_writer.wishes.unpromised import kindly, unpromised
from commonground.grounding.problem_writer.wishes.untouched import EXCEPT
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.shorthand import written_out

_STRICT = NO_OR_BUT | EXCEPT | word_set("but others rest")
"""What denies something, leaves it out, or is left then."""


class Objection(NamedTuple):
    """What the words of a command have against a wish."""

    check: str
    """What kind of objection it is."""
    question: str


class Told(NamedTuple):
    """A command, and what is known of it before it is read."""

    text: str
    """As it was said, shorthand and numbers written out."""
    order: Sequence_
    plain: str
    """As readers take it: misspelt words are put right."""
    accounts: Accounts
    """What its words ask for, less what it takes back."""
    gone: frozenset[str]
    """The types of things that are only named in what is taken back."""

    def objections(self, wish: Wish) -> Iterator[Objection]:
        """Yield what the words of the command have against a wish."""
        accounts = self.accounts
        home, team = accounts.home, accounts.home.graph.robots()
        account = accounts.of(wish)
        robots = {"robot", *map(str.casefold, team)}
        for word in account.lost:
            yield Objection(_kind_of_loss(word, robots), f"What about '{word}'?")
        found: dict[str, Iterable[str]] = {
            "invented": account.invented,
            "unheeded": unheeded(wish, accounts),
            "unasked": unasked(wish, accounts),
            "forbidden": forbidden(wish, accounts),
            "contrary": contrary(wish, accounts),
            "own": only_own(wish, accounts),
            "excluded": (*excluded(wish, accounts), *self._taken_back(wish)),
            "both": let_be(wish, accounts),
            "quoted": quoted(wish, accounts),
            "untouched": () if wish.vague else accounts.untouched(wish),
            "unknown": strangers(accounts.text, home, team),
        }
        for check, clauses in found.items():
            yield from (Objection(check, f"What about '{clause}'?") for clause in clauses)
        yield from (Objection("unpromised", each) for each in unpromised(self.text, wish, home))

    def _taken_back(self, wish: Wish) -> Iterator[str]:
        """Yield what a wish does something with, where it is only named in what is taken back."""
        touched = {self.accounts.home.type_of(word) for word in words_of(wish.goal)}
        yield from sorted(touched & self.gone)


def _kind_of_loss(said: str, robots: Set[str]) -> str:
    """Return what is lost with words: who shall do it, what is denied or left out, or anything else."""
    words = said.casefold()
    if words in robots:
        return "unmanned"
    return "lost" if _STRICT.isdisjoint(words.split()) else "undenied"


def told(text: str, home: Home) -> Told:
    """Return a command made ready; raises the answer to what only asks, and what takes up nothing."""
    team = home.graph.robots()
    text = written_out(text, team, {*home.nouns.all(), *map(str.casefold, team)})
    text = home.in_digits(kindly(text, home))
    order = in_sequence(text, home)
    plain, unclear, _ = home.typed.right(order.plainly)
    if unclear:
        raise Unclear(unclear)
    accounts = accounts_of(plain, home)
    gone = _types_named(Accounts(plain, home)) - _types_named(accounts)
    if answer := answered(accounts):
        raise Unclear(answer)
    if lone := adrift(accounts):
        raise Unclear(f"What does '{lone}' mean here? Nothing said before fits.")
    return Told(text, order, plain, accounts, gone)


def _types_named(accounts: Accounts) -> frozenset[str]:
    return frozenset(kind for one in accounts.named for kind in one.types)


def accounts_of(text: str, home: Home) -> Accounts:
    """Return what the words of a text ask for, less what it takes back."""
    said = Accounts(text, home)
    nouns = [said.said(one) for one in said.named]
    taken = [(one.start, one.end) for one in taken_back(text, nouns, home.graph.robots())]
    return Accounts(blanked(text, taken), home) if taken else said
