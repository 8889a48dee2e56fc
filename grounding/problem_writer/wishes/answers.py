"""What is answered where a command asks for nothing: questions by how the house is, and what is let be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.acts import ASKING, Said
from commonground.grounding.problem_writer.wishes.heads import ENDS, JOINTS, PREPOSITIONS
from commonground.grounding.problem_writer.wishes.likeness import likeness, said_so

_BACK = frozenset(["it", "them", "they", "there", "that", "these", "those", "both", "one", "ones", "rest", "other", "others"])
_PLACES = frozenset(["where", "find", "seen"])
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
    asked = next((known for word in reversed(words) if (known := likeness(word)) is not None), None)
    kinds = {kind for one in accounts.named if said.start <= one.start < said.end for kind in one.types}
    things = accounts.home.things(accounts.home.switches(sorted(kinds)) if asked and asked.relation == "on" else kinds)
    if asked is not None:
        lines = [*_states(things, asked.relation, accounts)]
    elif words[0] == "what" and not _INSIDE.isdisjoint(words):
        lines = [f"In {thing}: {', '.join(accounts.home.contents([thing])) or 'nothing'}." for thing in things]
    elif not _PLACES.isdisjoint(words):
        lines = [f"{thing} is in {place}." for thing in things if (place := next(accounts.home.around(thing), None))]
    else:
        lines = []
    question = " ".join(accounts.written(said.start, said.end))
    return " ".join(lines) or f"I do not know that: '{question}'. What should be done?"


def _states(things: list[str], relation: str, accounts: Accounts) -> Iterator[str]:
    for thing in things:
        now = accounts.home.is_like(thing, relation, "true")
        value = accounts.home.graph.value(thing, relation)
        word = said_so(relation, value or "false") if relation == "temperature" or now is not None else ""
        yield f"{thing} is {word}." if word else f"Nobody knows that of {thing}."


def without_remarks(text: str, accounts: Accounts) -> str:
    """Return a text without clauses that only tell, but for those that a pronoun behind them may go back to."""
    told, words, named = accounts.acts.told, accounts.words, {one.start for one in accounts.named}
    kept: list[Said] = []
    back = False
    for one in reversed(accounts.acts.said):
        places = range(one.start, one.end)
        if all(told[at] for at in places) and not (back and not named.isdisjoint(places)):
            continue
        kept.insert(0, one)
        back = back or any(_goes_back(words, at) for at in places)
    if not any(one.act in ASKING for one in kept):
        return text
    if len(kept) == len(accounts.acts.said):
        return text
    found = ""
    for before, one in zip([None, *kept], kept):
        start = one.start
        gap = text[accounts.tokens[before.end - 1].end : accounts.tokens[start].start] if before else ""
        whole = before is not None and (before, one) in pairwise(accounts.acts.said)
        while not whole and start < one.end - 1 and words[start] in JOINTS | {","}:
            start += 1
        found += (gap if whole else ". " if before else "") + text[accounts.tokens[start].start : accounts.tokens[one.end - 1].end]
    last = accounts.tokens[kept[-1].end :][:1]
    return found + (last[0].text if last and last[0].text in ENDS else ".")


def _goes_back(words: Sequence[str], at: int) -> bool:
    """Return whether a word may stand for what was told before; ``one more`` does not."""
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] in _BACK and (words[at] not in ("one", "both", "that") or after in PREPOSITIONS or not after.isalpha())
