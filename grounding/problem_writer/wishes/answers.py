"""What is answered where a command asks for nothing: questions by how the house is, and what is let be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.knowledge.facts import FALSE, TRUE
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.demands import DETERMINERS
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import likeness, said_so

_INSIDE = frozenset(["in", "on", "inside"])


def answered(accounts: Accounts) -> str:
    """Return what to say to a text that only asks or is content; nothing where anything is to be done."""
    acts = accounts.acts
    if acts.does(*ASKING, "complaint") or (acts.does("own") and not acts.does("leave")):
        return ""
    questions = [one for one in acts.said if one.act == "question"]
    if questions:
        return " ".join(_answer(one, accounts) for one in questions)
    return "Then nothing is to be done. What else?" if acts.does("leave") else ""


def _answer(said: Said, accounts: Accounts) -> str:
    """Return what is known of the things that a question names."""
    words, home = accounts.words[said.start : said.end], accounts.home
    asked = next(filter(None, map(likeness, _free(words))), None)
    kinds = _kinds(said, accounts)
    things = home.things(home.switches(kinds) if asked and asked.relation == "on" else kinds)
    if asked is not None:
        lines = [_state(thing, asked.relation, home) for thing in things]
    elif words[0] == "what" and not _INSIDE.isdisjoint(words):
        held = ((thing, ", ".join(home.contents([thing]))) for thing in things)
        lines = [f"In {thing}: {inside or 'nothing'}." for thing, inside in held]
    else:
        lines = [*_places(things, home)]
    question = " ".join(accounts.written(said.start, said.end))
    return " ".join(lines) or f"I do not know that: '{question}'. What should be done?"


def _kinds(said: Said, accounts: Accounts) -> list[str]:
    named = [one for one in accounts.named if said.start <= one.start < said.end]
    return sorted({kind for one in named for kind in one.types})


def _free(words: Sequence[str]) -> list[str]:
    """Return the words that are no prepositions before something."""
    return [a for a, b in zip(words, [*words[1:], ""], strict=True) if b not in DETERMINERS]


def _state(thing: str, relation: str, home: Home) -> str:
    now = home.is_like(thing, relation, TRUE)
    known = relation == "temperature" or now is not None
    so = said_so(relation, home.graph.value(thing, relation) or FALSE) if known else ""
    return f"{thing} is {so}." if so else f"Nobody knows that of {thing}."


def _places(things: Iterable[str], home: Home) -> Iterator[str]:
    for thing in things:
        place = next(home.around(thing), None) if home.graph.can(thing, "pickupable") else None
        yield from () if place is None else (f"{thing} is in {place}.",)
