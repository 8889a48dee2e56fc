"""A command made ready for reading, and what its words have against a wish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from commonground.grounding.english.names import Names
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.answers import answered
from commonground.grounding.problem_writer.wishes.contrast import Contrast, contrasted
from commonground.grounding.problem_writer.wishes.forbidden import forbidden
from commonground.grounding.problem_writer.wishes.heeding import unasked, unheeded
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.omissions import named_with
from commonground.grounding.problem_writer.wishes.plainer import plainer
from commonground.grounding.problem_writer.wishes.pronouns import adrift
from commonground.grounding.problem_writer.wishes.sequence import Sequence_, in_sequence
from commonground.grounding.problem_writer.wishes.strangers import strangers
from commonground.grounding.problem_writer.wishes.unpromised import kindly, unpromised
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.words.numbers import rank_of
from commonground.grounding.words.shorthand import written_out


class Told(NamedTuple):
    """A command, and what is known of it before it is read."""

    text: str
    """As it was said, shorthand and numbers written out."""
    order: Sequence_
    said: Contrast
    """In plainer words, without what is ruled out."""
    accounts: Accounts

    def check(self, wish: Wish, names: Names) -> None:
        """Raise what the words of the command have against a wish: nothing of them may be lost."""
        for question in self._questions(wish, names):
            raise Unclear(question)

    def _questions(self, wish: Wish, names: Names) -> Iterator[str]:
        accounts = self.accounts
        home, team = accounts.home, accounts.home.graph.robots()
        for clause in (
            *unheeded(wish, accounts),
            *unasked(wish, accounts),
            *forbidden(wish, accounts),
            *(() if wish.vague else accounts.untouched(wish)),
            *strangers(self.said.text, home, team),
        ):
            yield f"What about '{clause}'?"
        for words in self.said.excluded:
            ranked = any(rank_of(word) for word in words.casefold().split())
            if (ranked and accounts.takes_all(wish)) or named_with(words, names, wish, home):
                yield f"What is meant by 'not {words}'?"
        yield from unpromised(self.text, home)


def told(text: str, home: Home) -> Told:
    """Return a command made ready; raises the answer to what only asks, and what takes up nothing."""
    team = home.graph.robots()
    text = written_out(text, team, {*home.nouns.all(), *map(str.casefold, team)})
    text = home.in_digits(kindly(text, home))
    order = in_sequence(text, home)
    said = contrasted(plainer(order.plainly, home))
    accounts = Accounts(said.text, home)
    if answer := answered(accounts):
        raise Unclear(answer)
    if lone := adrift(accounts):
        raise Unclear(f"What does '{lone}' mean here? Nothing said before fits.")
    return Told(text, order, said, accounts)
