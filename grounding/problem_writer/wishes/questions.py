"""What is asked back about a command that was not read for sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.english.asking_back import apart, asked_about
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.statements import in_two_ways
from commonground.grounding.english.utterance import Utterance
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.in_words import HouseWords
from commonground.grounding.problem_writer.wishes.senses import Way
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And
from commonground.planning.pddl.logic import conjuncts

WHAT = "What should be done?"


class Unsure(Unclear):
    """The reader is not sure what was said."""


def first_asked(asked: Sequence[Way]) -> Unclear:
    """Return what to ask where nothing that a command may ask for is likely."""
    heard = [way.found for way in asked if isinstance(way.found, Unclear)]
    return heard[0] if heard else Unclear(WHAT)


def which_is_meant(likely: Sequence[Wish], accounts: Accounts) -> Unsure:
    """Return the question which of two goals is meant, or whether the only one is."""
    said = HouseWords(accounts.home).goal
    goals = [[*dict.fromkeys(conjuncts(wish.goal))] for wish in likely]
    if len(goals) > 1:
        return Unsure(in_two_ways(goals[0], goals[1], lambda parts: said(And(tuple(parts)))))
    return Unsure(f"Is this what should be done: {said(And(tuple(goals[0])))}?")


def what_about(left: Sequence[str], utterance: Utterance) -> Unsure:
    words = "', '".join(left)
    return Unsure(f"What about '{words}'? I understand: {said_back(utterance)}.")


def as_people_ask(
    unclear: Unclear, text: str, home: Home, reader: Callable[[str], Wish]
) -> Unclear:
    """Return a question about a command with what was understood of it, and the words that were not."""
    words = HouseWords(home)
    if isinstance(unclear, Unsure):
        return Unclear(words.said(str(unclear)), unclear.candidates)

    def read(part: str) -> tuple[str | None, str]:
        try:
            return words.wish(reader(part)) or None, ""
        except Unclear as why:
            return None, "" if isinstance(why, Unsure) else str(why)

    def matters(part: str) -> int:
        accounts = Accounts(part, home)
        asks = accounts.acts.does(*ASKING)
        return 2 * asks or (bool(accounts.named) and not accounts.acts.does("question"))

    found = apart(text, read, matters)
    question = asked_about(text, str(unclear), found, ("", WHAT), lambda _: f". {WHAT}")
    return Unclear(words.said(question), unclear.candidates, ruled_out=unclear.ruled_out)
