"""Commands in plain English as wishes: all ways to read a command are weighed, and the likeliest is taken."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Protocol

from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.reader import (
    MAX_CHARACTERS,
    THOROUGH,
    USUAL,
    Domain,
    Effort,
    Reading,
    unreadable,
)
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Mood, Span, Utterance
from commonground.grounding.english.weighing import (
    MOST,
    RULES,
    WORTH,
    Evidence,
    Weighed,
    is_senseless,
    weigh,
)
from commonground.grounding.english.weighing import heard as heard_as
from commonground.grounding.problem_writer.commands.reader import UnknownWord
from commonground.grounding.problem_writer.goals import Wish, WishSource, is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.wishes.account import Account, Accounts
from commonground.grounding.problem_writer.wishes.answers import answered
from commonground.grounding.problem_writer.wishes.asked import Asked
from commonground.grounding.problem_writer.wishes.contrast import contrasted
from commonground.grounding.problem_writer.wishes.joining import carried, joined, restored
from commonground.grounding.problem_writer.wishes.omissions import (
    named_with,
    says_light,
    unmanned,
    verbs_passed_over,
)
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.plainer import plainer
from commonground.grounding.problem_writer.wishes.senses import Way, absorbed, sense_of, told_apart
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import to_pddl
from commonground.planning.pddl.strata import literals

SURE = 0.6
"""What is less probable than this is asked about."""


VAGUE = 0.5
"""How much is made up where a wish was worked out from what things are for."""


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


class Unsure(Unclear):
    """The reader is not sure what was said."""


class WishReader:
    """Reads commands by rules and with the network: all ways are weighed, and the likeliest is taken."""

    def __init__(self, rules: WishSource, reader: TextReader, table: WishTable) -> None:
        self.rules, self.reader, self.table = rules, reader, table

    def wish(self, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for; raises the likelier question, or which one is meant."""
        if len(text) > MAX_CHARACTERS:
            raise Unclear(unreadable(text, []))
        home = self.table.home(graph)
        said = contrasted(plainer(text, home))
        accounts = Accounts(said.text, home)
        answer = answered(accounts)
        if answer:
            raise Unclear(answer)
        wish = restored(carried(self._asked_for(accounts, said.text, graph), home), home)
        for words in said.excluded:
            if named_with(words, self.table.names(graph), wish, self.table.home(graph)):
                raise Unsure(f"What is meant by 'not {words}'?")
        return wish

    def _asked_for(self, accounts: Accounts, text: str, graph: HouseGraph) -> Wish:
        """Return what a command asks for, without what it only tells, if it can be told so."""
        rest = Asked(text, accounts).plain()
        if rest != text:
            with contextlib.suppress(Unclear):
                return self._likeliest(rest, graph)
        return self._likeliest(text, graph)

    def _likeliest(self, text: str, graph: HouseGraph, *, divided: bool = False) -> Wish:
        """Return the likeliest of all that a command may ask for, if that is likely enough."""
        accounts = Accounts(text, self.table.home(graph))
        alone = divided or _robots(text, graph)
        pieces = None if alone else self._in_pieces(accounts, text, graph)
        parsed, heard = self._parsed(text, graph), self._ways(text, accounts, graph)
        if isinstance(parsed, Unclear) and not (pieces and accounts.is_whole(pieces)):
            self._check_sense(parsed, heard, text, graph)
        weighed = self._weighed(parsed, pieces, heard, accounts, graph)
        senses = told_apart(absorbed(weigh(weighed), graph), graph)
        likely = [s for s in senses if s.share >= WORTH and isinstance(s.ways[0].found, Wish)]
        if not likely:
            raise _question(parsed, [s.ways[0] for s in senses if s.share >= WORTH])
        return _borne_out(_surest(senses, likely, graph), accounts)

    def _parsed(self, text: str, graph: HouseGraph) -> Wish | Unclear:
        try:
            return self.rules.wish(text, graph)
        except Unclear as unclear:
            return unclear

    def _ways(self, text: str, accounts: Accounts, graph: HouseGraph) -> list[Way]:
        """Return all that a command may ask for, or what to ask, with what is passed over."""
        names = self.table.names(graph)
        first = self.reader.read(text, "household", names, None, THOROUGH)
        return [
            Way(
                *self._heard(reading, reading.utterance, text, accounts, graph),
                reading.confidence,
                reading.chatter,
            )
            for reading in (first, *first.others)
            if reading.utterance is not None
        ]

    def _heard(
        self,
        reading: Reading,
        utterance: Utterance,
        text: str,
        accounts: Accounts,
        graph: HouseGraph,
    ) -> tuple[Wish | Unclear, tuple[str, ...], tuple[str, ...]]:
        """Return what a reading asks for or a question, what it passes over, and what it makes up."""
        wordless = reading.confidence < SURE and not any(parts_of(utterance, Span))
        if wordless or not says_light(text, utterance):
            return Unclear("What should be done?"), (), ()
        robots = Names({"robot": graph.robots()})
        spans = (*reading.unsure, *unheard(text, utterance, reading.chatter, robots))
        passed = unmanned(text, utterance, robots)
        left = tuple(dict.fromkeys([*(span.text for span in spans), *passed]))
        try:
            wish = self.table.wish(utterance, text, graph)
        except Unclear as unclear:
            return (_about(left, utterance) if left else unclear), left, ()
        account = accounts.of(wish)
        heard = [*parts_of(utterance, Span), *reading.chatter]
        left = (
            left
            or tuple(accounts.untouched(wish, heard))
            or tuple(verbs_passed_over(text, reading))
        )
        return wish, tuple(dict.fromkeys([*left, *account.lost])), account.invented

    def _check_sense(
        self, parsed: Unclear, heard: Sequence[Way], text: str, graph: HouseGraph
    ) -> None:
        """Raise a question, whatever else a command may mean, where what is surely heard makes no sense.

        Who does what is asked as well where the patterns know the words and a robot is named.
        """
        named = _robots(text, graph) and not isinstance(parsed, UnknownWord)
        if named or is_senseless(
            (way.probability, isinstance(way.found, Unclear) and not way.left_out) for way in heard
        ):
            raise _question(parsed, heard)

    def _weighed(
        self,
        parsed: Wish | Unclear,
        pieces: Wish | None,
        heard: Sequence[Way],
        accounts: Accounts,
        graph: HouseGraph,
    ) -> Iterator[tuple[Way, Hashable, Evidence]]:
        """Yield all ways to read a command with what each comes to and what speaks for it."""
        others = [wish for wish in (parsed, pieces) if isinstance(wish, Wish)]
        senses = [sense_of(wish, graph) for wish in others]
        chances = [way.probability for way in heard]
        for at, way in enumerate(heard):
            sense = sense_of(way.found, graph)
            alike = isinstance(way.found, Wish) and sense in senses
            found = heard_as(chances, at, way.left_out, alike=alike)
            yield (
                way,
                sense,
                found._replace(unclear=isinstance(way.found, Unclear), unnamed=_made_up(way)),
            )
        for wish, sense in zip(others, senses, strict=True):
            account = accounts.of(wish)
            left = tuple(dict.fromkeys([*accounts.untouched(wish), *account.lost]))
            evidence = RULES._replace(untouched=min(len(left), MOST))
            way = Way(
                wish, left, account.invented, whole=not (left or account.invented or wish.vague)
            )
            yield way, sense, evidence._replace(unnamed=_made_up(way))

    def _in_pieces(self, accounts: Accounts, text: str, graph: HouseGraph) -> Wish | None:
        """Return what the pieces of a command ask for together, each read by itself."""
        found: list[tuple[Wish, bool]] = []
        pieces = Pieces(text, accounts).all()
        if pieces:
            accounts.plain = Accounts(". ".join(piece.text for piece in pieces), accounts.home)
        for piece in pieces:
            try:
                found.append((self._likeliest(piece.text, graph, divided=True), piece.waits))
            except Unclear:
                return None
        return joined(found, accounts.home) if found else None


def _surest(
    senses: Sequence[Weighed[Way]], likely: Sequence[Weighed[Way]], graph: HouseGraph
) -> Weighed[Way]:
    """Return the likeliest sense if it is likely enough; what is so already is rather not meant."""
    idle = [s for s in senses if any(_is_so(s, other, graph) for other in likely)]
    first, *others = [s for s in likely if s not in idle]
    share = first.share + sum(sense.share for sense in idle)
    if first is not next(s for s in senses if s not in idle) or share < SURE:
        raise _which([first, *others])
    return first


def _is_so(sense: Weighed[Way], other: Weighed[Way], graph: HouseGraph) -> bool:
    """Return whether all is so that a sense asks for, and not what another asks for in the same states."""
    wishes = sense.ways[0].found, other.ways[0].found
    if not all(isinstance(wish, Wish) and not (wish.before or wish.spared) for wish in wishes):
        return False
    goals = [wish.goal for wish in wishes if isinstance(wish, Wish)]
    states = [{atom.args[-1] for atom, so in literals(goal) if so} for goal in goals]
    return (
        states[0] == states[1] and is_reached(goals[0], graph) and not is_reached(goals[1], graph)
    )


def _borne_out(sense: Weighed[Way], accounts: Accounts) -> Wish:
    """Return the strictest wish of a sense that the words bear out; raises what is amiss with it."""
    found = [way.found for way in sense.ways if isinstance(way.found, Wish)]
    fitting = [
        way.found for way in sense.ways if isinstance(way.found, Wish) if _fits(way, accounts)
    ]
    if fitting:
        return max(fitting, key=_strictness)
    amiss = accounts.of(found[0])
    lost = (*amiss.lost, *accounts.passed_over(found[0]))
    raise _which([Weighed((Way(found[0], lost, amiss.invented),), 1.0)])


def _fits(way: Way, accounts: Accounts) -> bool:
    """Return whether a way has to do with all that is named; what things are for was held against that."""
    wish = way.found
    if not isinstance(wish, Wish) or accounts.of(wish) != Account():
        return False
    return wish.vague or not any(accounts.passed_over(wish, way.talk))


def _made_up(way: Way) -> float:
    """Return how much of a way no word asks for; what things are for is less than what was said."""
    vague = isinstance(way.found, Wish) and way.found.vague
    return min(len(way.made_up), MOST) + VAGUE * vague


def _robots(text: str, graph: HouseGraph) -> bool:
    """Return whether a text names any robot, of this team or not."""
    words = [token.text for token in tokens_of(text)]
    named = Names({"robot": graph.robots()}).hints(words)
    return bool(named) or any(a.lower() == "robot" and b.isdigit() for a, b in pairwise(words))


def _question(parsed: Wish | Unclear, asked: Sequence[Way]) -> Unclear:
    """Return what to ask where nothing that a command may ask for is likely."""
    heard = [way.found for way in asked if isinstance(way.found, Unclear)]
    if isinstance(parsed, Unclear) and not (isinstance(parsed, UnknownWord) and heard):
        return parsed
    return heard[0] if heard else Unsure("What should be done?")


def _which(likely: Sequence[Weighed[Way]]) -> Unsure:
    """Return the question which of two goals is meant, or whether the only one is."""
    found = [(sense.ways[0].found, sense.ways[0].left_out) for sense in likely]
    goals = [" ".join(to_pddl(w.goal).split()) for w, _ in found if isinstance(w, Wish)]
    if len(goals) > 1:
        return Unsure(f"I can read that in two ways: {' or '.join(goals[:2])}. Which is meant?")
    words = "', '".join((*found[0][1], *likely[0].ways[0].made_up))
    about = f"What about '{words}'? " if words else ""
    return Unsure(f"{about}Is this what should be done: {goals[0]}?")


def _about(left: Sequence[str], utterance: Utterance) -> Unsure:
    words = "', '".join(left)
    return Unsure(f"What about '{words}'? I understand: {said_back(utterance)}.")


def _strictness(wish: Wish) -> int:
    """Return how much a wish says: a reader may pass over an order, a ban, or where something is done."""
    asked = {
        (atom.predicate, atom.args[-1 if atom.predicate == "contains" else 0 :], so)
        for atom, so in literals(wish.goal)
    }
    return len(asked) + len(wish.before) + len(wish.spared) + len(wish.barred)
