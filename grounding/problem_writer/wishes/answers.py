"""What is answered where a command asks for nothing: questions by how the house is, and what is let be."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS
from commonground.grounding.problem_writer.wishes.likeness import likeness, said_so

_INSIDE = frozenset(["in", "on", "inside"])


def answered(accounts: Accounts) -> str:
    """Return what to say to a text that only asks or is content; nothing where anything is to be done."""
    acts = accounts.acts
    if acts.does(*ASKING, "complaint", "own"):
        return ""
    questions = [one for one in acts.said if one.act == "question"]
    if questions:
        return " ".join(_answer(one, accounts) for one in questions)
    return "Then nothing is to be done. What else?" if acts.does("leave") else ""


def _answer(said: Said, accounts: Accounts) -> str:
    """Return what is known of the things that a question names."""
    words = accounts.words[said.start : said.end]
    states = (
        likeness(word)
        for word, after in zip(words, [*words[1:], ""], strict=True)
        if after not in DETERMINERS
    )
    asked = next((known for known in states if known is not None), None)
    kinds = {
        kind for one in accounts.named if said.start <= one.start < said.end for kind in one.types
    }
    things = accounts.home.things(
        accounts.home.switches(sorted(kinds)) if asked and asked.relation == "on" else kinds
    )
    if asked is not None:
        lines = [*_states(things, asked.relation, accounts)]
    elif words[0] == "what" and not _INSIDE.isdisjoint(words):
        lines = [
            f"In {thing}: {', '.join(accounts.home.contents([thing])) or 'nothing'}."
            for thing in things
        ]
    else:
        carried = [thing for thing in things if accounts.home.graph.can(thing, "pickupable")]
        lines = [
            f"{thing} is in {place}."
            for thing in carried
            if (place := next(accounts.home.around(thing), None))
        ]
    question = " ".join(accounts.written(said.start, said.end))
    return " ".join(lines) or f"I do not know that: '{question}'. What should be done?"


def _states(things: list[str], relation: str, accounts: Accounts) -> Iterator[str]:
    for thing in things:
        now = accounts.home.is_like(thing, relation, "true")
        value = accounts.home.graph.value(thing, relation)
        word = (
            said_so(relation, value or "false")
            if relation == "temperature" or now is not None
            else ""
        )
        yield f"{thing} is {word}." if word else f"Nobody knows that of {thing}."
