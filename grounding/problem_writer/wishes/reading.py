"""Commands in plain English as wishes: what each way to read one comes to is judged by evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from commonground.grounding.english.asides import without
from commonground.grounding.english.faithful import NEGATIONS, unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import is_no_order, mapped, parts_of
from commonground.grounding.english.reader import (
    MAX_CHARACTERS,
    THOROUGH,
    USUAL,
    Domain,
    Effort,
    Reading,
    load_reader,
    unreadable,
)
from commonground.grounding.english.utterance import UNMEANT, Clause, Mood, Span, Utterance
from commonground.grounding.problem_writer.goals import Wish
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.wishes.account import Accounts
from commonground.grounding.problem_writer.wishes.joining import restored, stood
from commonground.grounding.problem_writer.wishes.judging import (
    Candidate,
    Version,
    candidates,
    likeliest,
)
from commonground.grounding.problem_writer.wishes.omissions import says_light, verbs_passed_over
from commonground.grounding.problem_writer.wishes.questions import WHAT, as_people_ask, what_about
from commonground.grounding.problem_writer.wishes.senses import Way
from commonground.grounding.problem_writer.wishes.told import Told, accounts_of, told
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear

DIM = 0.6
"""A reading of no words at all that is less probable means nothing."""


BRIEF = 16
"""Who says more words than these says what is to be done."""
UNHEARD = 0.1
"""What is less probable was hardly said."""


class TextReader(Protocol):
    """Reads English."""

    def read(
        self,
        text: str,
        domain: Domain,
        names: Names,
        mood: Mood | None = None,
        effort: Effort = USUAL,
    ) -> Reading:
        """Return what a text says."""
        ...


class WishReader:
    """Reads commands as they stand and without talk, and judges what all ways to read them come to."""

    def __init__(self, reader: TextReader, table: WishTable) -> None:
        self.reader, self.table = reader, table

    @classmethod
    def load(
        cls, kinds: Kinds, purposes: Purposes | None = None, weights: Path | None = None
    ) -> WishReader:
        """Return a reader with the network of a folder, or the one that comes with the program."""
        return cls(load_reader(weights), WishTable(kinds, purposes))

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises the likelier question, or which one is meant."""
        if len(text) > MAX_CHARACTERS:
            raise Unclear(unreadable(text, []))
        try:
            return self._wish(text, graph)
        except Unclear as unclear:
            home = self.table.home(graph)
            raise as_people_ask(unclear, text, home, lambda part: self._wish(part, graph)) from None

    def candidates(self, text: str, graph: HouseGraph) -> list[Candidate]:
        """Return all that a command may come to, with what speaks for and against each."""
        command = told(text, self.table.home(graph))
        return candidates([*self._ways(command, graph)], command)

    def _wish(self, text: str, graph: HouseGraph) -> Wish:
        command = told(text, self.table.home(graph))
        ways = [*self._ways(command, graph)]
        try:
            wish = likeliest(candidates(ways, command), ways, command.accounts)
        except Unclear:
            vague = self._by_purpose(command, ways)
            if vague is None:
                raise
            return vague
        return command.order.ordered(wish)

    def _by_purpose(self, command: Told, ways: Sequence[tuple[Version, Way]]) -> Wish | None:
        """Return what a few words want that name no deed: things serve what they speak of."""
        plain = max((w.probability for _, w in ways if isinstance(w.found, Wish)), default=0.0)
        words = command.accounts.words
        brief = len(words) <= BRIEF and NEGATIONS.isdisjoint(words)
        goal = self.table.purpose(command.accounts) if brief and plain < UNHEARD else None
        wish = None if goal is None else Wish(goal, vague=True)
        return None if wish is None or any(command.objections(wish)) else wish

    def _ways(self, command: Told, graph: HouseGraph) -> Iterator[tuple[Version, Way]]:
        """Yield all that a command may ask for, as it stands and without talk."""
        text, accounts = command.plain, command.accounts
        talk = self._read(text, graph)[0].talk
        quiet = without(text, [(one.start, one.end) for one in talk])
        yield from (("whole", way) for way in self._heard(text, accounts))
        yield from (("quiet", way) for way in self._heard(quiet, accounts_of(quiet, accounts.home)))

    def _read(self, text: str, graph: HouseGraph) -> list[Reading]:
        """Return all ways to read a text, the likeliest first; its things have the names it calls them by."""
        plain, named = self.table.home(graph).unnamed(text)
        names = self.table.names(graph)
        first = self.reader.read(plain, "household", names, None, THOROUGH)
        return [
            replace(one, utterance=_with_names(one.utterance, text, named))
            if one.utterance is not None
            else one
            for one in (first, *first.others)
        ]

    def _heard(self, text: str, accounts: Accounts) -> Iterator[Way]:
        """Yield what each way to read a text asks for, or what to ask, and what it passes over."""
        for reading in self._read(text, accounts.home.graph):
            said = reading.utterance
            if said is not None:
                idle, bound = is_no_order(said), _is_bound(said)
                way = self._meant(reading, said, text, accounts)
                yield way._replace(probability=reading.confidence, idle=idle, bound=bound)

    def _meant(self, reading: Reading, said: Utterance, text: str, accounts: Accounts) -> Way:
        """Return what a reading asks for or a question, and what it passes over."""
        wordless = reading.confidence < DIM and not any(parts_of(said, Span))
        if wordless or not says_light(text, said):
            return Way(Unclear(WHAT))
        robots = Names({"robot": accounts.home.graph.robots()})
        spans = (*reading.unsure, *unheard(text, said, reading.chatter, robots))
        left = tuple(dict.fromkeys(span.text for span in spans))
        try:
            plain = self.table.wish(said, accounts)
        except Unclear as unclear:
            return Way(what_about(left, said) if left else unclear, left)
        wish = stood(plain, accounts)
        if wish != plain:
            stand = {accounts.said(spot) for _, spot in accounts.stands()}
            left = tuple(words for words in left if words.casefold() not in stand)
        heard = [*parts_of(said, Span), *reading.chatter]
        left = left or tuple(accounts.untouched(wish, heard))
        left = left or tuple(verbs_passed_over(text, reading))
        return Way(restored(wish, accounts.home), left)


def _is_bound(said: Utterance) -> bool:
    """Return whether something asked for depends on anything that a house does not hold."""
    held = (part for part in said.parts if part.stands not in UNMEANT)
    conditions = any(clause.condition is not None for clause in parts_of(said, Clause))
    return conditions or any(part.stands or part.when is not None for part in held)


def _with_names(said: Utterance, text: str, named: Sequence[tuple[int, int]]) -> Utterance:
    """Return an utterance in which things have the names that a text calls them by."""

    def widened(part: Any) -> Any:
        if not isinstance(part, Span):
            return part
        at = next((at for at in named if at[0] < part.end and part.start < at[1]), None)
        end = part.end if at is None else max(part.end, at[1])
        return part if end == part.end else Span(part.start, end, text[part.start : end])

    return mapped(said, widened) if named else said
