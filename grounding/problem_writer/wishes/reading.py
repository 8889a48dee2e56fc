"""Commands in plain English as wishes: all ways to read a command are weighed, and the likeliest is taken."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import mapped, parts_of
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
from commonground.grounding.problem_writer.goals import Wish, is_reached
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds
from commonground.grounding.problem_writer.purposes import Purposes
from commonground.grounding.problem_writer.wishes.account import Account, Accounts
from commonground.grounding.problem_writer.wishes.asked import Asked
from commonground.grounding.problem_writer.wishes.bans import banned
from commonground.grounding.problem_writer.wishes.crews import names_robot
from commonground.grounding.problem_writer.wishes.demands import Named
from commonground.grounding.problem_writer.wishes.joining import joined, restored, stood
from commonground.grounding.problem_writer.wishes.judging import (
    Candidate,
    Source,
    candidates,
    check,
    strictness,
)
from commonground.grounding.problem_writer.wishes.omissions import (
    says_light,
    verbs_passed_over,
)
from commonground.grounding.problem_writer.wishes.pieces import Pieces
from commonground.grounding.problem_writer.wishes.questions import (
    WHAT,
    as_people_ask,
    first_asked,
    what_about,
    which_is_meant,
)
from commonground.grounding.problem_writer.wishes.remembered import chosen_by, of_the_same
from commonground.grounding.problem_writer.wishes.restating import pushed, removed, restated
from commonground.grounding.problem_writer.wishes.senses import Way, absorbed, sense_of, told_apart
from commonground.grounding.problem_writer.wishes.told import Told, told
from commonground.grounding.problem_writer.wishes.wishing import WishTable
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import And

SURE = 0.6
"""What is less probable than this is asked about."""
FAIR = 0.05
"""What is less likely than this share of the likeliest is not borne out by taking up all words."""
VAGUE = 0.5
"""How much is made up where a wish was worked out from what things are for."""


class Worked(NamedTuple):
    """What rules and network together make of a command."""

    wish: Wish
    plain: bool = False
    """Whether each piece of it is plain, its pronouns too: no reading as a whole is evidence against that."""


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
    """Reads commands whole, in pieces and by purpose: all ways are weighed, and the likeliest is taken."""

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
        worked = None
        with contextlib.suppress(Unclear):
            worked = self._by_rules(command, graph).wish
        return self._candidates(worked, command, graph)

    def _wish(self, text: str, graph: HouseGraph) -> Wish:
        command = told(text, self.table.home(graph))
        worked = self._by_rules(command, graph)
        if not (worked.plain or worked.wish.vague):
            check(worked.wish, self._candidates(worked.wish, command, graph), command, graph)
        return command.order.ordered(worked.wish)

    def _by_rules(self, command: Told, graph: HouseGraph) -> Worked:
        """Return what rules and network together make of a command, every clause of it held against that."""
        found = self._asked_for(command.accounts, command.said.text, graph)
        wish = restored(found.wish, command.accounts.home)
        command.check(wish, self.table.names(graph))
        return Worked(wish, found.plain)

    def _candidates(self, worked: Wish | None, command: Told, graph: HouseGraph) -> list[Candidate]:
        """Return what a command may come to, as it stands, without what it only tells, and by rules."""
        text, accounts = command.said.text, command.accounts
        less = Asked(text, accounts).plain()
        ways: list[tuple[Source, Way]] = [
            ("whole", way) for way in self._ways(text, accounts, graph)
        ]
        ways += [("pared", way) for way in self._ways(less, Accounts(less, accounts.home), graph)]
        if worked is not None:
            ways.append(("worked out", Way(worked)))
        return candidates(ways, accounts, graph)

    def _asked_for(self, accounts: Accounts, text: str, graph: HouseGraph) -> Worked:
        """Return what a command asks for, without what it only tells, if it can be told so."""
        rest = Asked(text, accounts).plain()
        if rest != text:
            with contextlib.suppress(Unclear):
                return self._likeliest(rest, graph)
        return self._likeliest(text, graph)

    def _likeliest(self, text: str, graph: HouseGraph, *, divided: bool = False) -> Worked:
        """Return the likeliest of all that a command may ask for, if that is likely enough."""
        accounts = Accounts(text, self.table.home(graph))
        alone = divided or names_robot(text, graph.robots())
        pieces, settled = (None, False) if alone else self._in_pieces(accounts, text, graph)
        if pieces and settled and accounts.is_whole(pieces):
            return Worked(pieces, plain=True)
        return Worked(self._weighed_with(pieces, accounts, text, graph))

    def _weighed_with(
        self, pieces: Wish | None, accounts: Accounts, text: str, graph: HouseGraph
    ) -> Wish:
        """Return the likeliest of all ways to read a command, and of what its pieces ask for together."""
        heard = self._heard_plainly(text, accounts, graph)
        least = FAIR * max((way.probability for way in heard), default=0.0)
        fair = any(way.whole and way.probability >= least for way in heard)
        whole = fair or (pieces and accounts.is_whole(pieces))
        vague = None if whole or _asks_which(heard) else self._by_purpose(accounts)
        if not (whole or vague):
            _check_sense(heard)
        others = [wish for wish in (pieces, vague) if wish]
        weighed = weigh(_weighed(others, heard, accounts, graph))
        return _chosen(told_apart(absorbed(weighed, graph), graph), accounts, graph)

    def _by_purpose(self, accounts: Accounts) -> Wish | None:
        """Return what a command asks for by the purposes that it speaks of, and by all that it names."""
        goal = self.table.purpose(accounts)
        return None if goal is None else Wish(goal, vague=True)

    def _heard_plainly(self, text: str, accounts: Accounts, graph: HouseGraph) -> list[Way]:
        """Return all ways to read a command; those of plainer verbs as well where none takes up all of it."""
        heard = self._ways(text, accounts, graph)
        for moved in filter(None, (pushed(accounts), removed(accounts))):
            found = self._heard(Reading(moved, 1.0), moved, text, accounts, graph)
            heard.append(Way(*found, whole=_is_whole(*found, graph)))
        plain = text if any(way.whole for way in heard) else restated(text, accounts)
        if plain.casefold() == text.casefold():
            return heard
        said = self._ways(plain, Accounts(plain, accounts.home), graph)
        return said if any(way.whole for way in said) else heard

    def _ways(self, text: str, accounts: Accounts, graph: HouseGraph) -> list[Way]:
        """Return all that a command may ask for, or what to ask, with what is passed over."""
        names = self.table.names(graph)
        plain, named = accounts.home.unnamed(text)
        first = self.reader.read(plain, "household", names, None, THOROUGH)
        return [
            Way(
                *(
                    found := self._heard(
                        reading, _with_names(reading.utterance, text, named), text, accounts, graph
                    )
                ),
                reading.confidence,
                reading.chatter,
                whole=_is_whole(*found, graph),
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
            return Unclear(WHAT), (), ()
        robots = Names({"robot": graph.robots()})
        spans = (*reading.unsure, *unheard(text, utterance, reading.chatter, robots))
        left = tuple(dict.fromkeys(span.text for span in spans))
        try:
            heard_so = self.table.wish(utterance, accounts)
        except Unclear as unclear:
            return (what_about(left, utterance) if left else unclear), left, ()
        wish = stood(heard_so, accounts)
        if wish != heard_so:
            stand = {accounts.said(spot) for _, spot in accounts.stands()}
            left = tuple(words for words in left if words.casefold() not in stand)
        account = accounts.of(wish)
        heard = [*parts_of(utterance, Span), *reading.chatter]
        left = (
            left
            or tuple(accounts.untouched(wish, heard))
            or tuple(verbs_passed_over(text, reading))
        )
        return wish, tuple(dict.fromkeys([*left, *account.lost])), account.invented

    def _in_pieces(
        self, accounts: Accounts, text: str, graph: HouseGraph
    ) -> tuple[Wish | None, bool]:
        """Return what the pieces of a command ask for together, and whether their pronouns are plain."""
        found: list[tuple[Wish, bool]] = []
        meant: dict[Named, str] = {}
        divided = Pieces(text, accounts)
        pieces = divided.all()
        if pieces:
            accounts.plain = Accounts(". ".join(piece.text for piece in pieces), accounts.home)
        for piece in pieces:
            spared = banned(Accounts(piece.text, accounts.home))
            try:
                wish = spared or self._likeliest(piece.text, graph, divided=True).wish
            except Unclear:
                return None, False
            again = [meant[one] for one in piece.again if one in meant]
            wish = of_the_same(wish, again, piece.named, accounts.home)
            meant |= chosen_by(wish, piece.named, accounts.home)
            found.append((wish, piece.waits))
        together = joined(found, accounts.home) if found else None
        idle = together is None or together.goal == And()
        return (None, False) if idle else (together, not divided.open)


def _chosen(senses: Sequence[Weighed[Way]], accounts: Accounts, graph: HouseGraph) -> Wish:
    """Return the wish of the surest sense, if that is sure enough and borne out by the words."""
    worth = [s for s in senses if s.share >= WORTH]
    likely = [s for s in worth if isinstance(s.ways[0].found, Wish)]
    if not likely:
        raise first_asked([s.ways[0] for s in worth])
    return _borne_out(_surest(senses, likely, accounts), accounts)


def _asks_which(heard: Sequence[Way]) -> bool:
    """Return whether it is only open which thing is meant: what it is for does not tell."""
    first = max(heard, key=lambda way: way.probability, default=None)
    return first is not None and isinstance(first.found, Unclear) and bool(first.found.candidates)


def _check_sense(heard: Sequence[Way]) -> None:
    """Raise a question, whatever else a command may mean, where what is surely heard makes no sense."""
    if is_senseless(
        (way.probability, isinstance(way.found, Unclear) and not way.left_out) for way in heard
    ):
        raise first_asked(heard)


def _weighed(
    others: Sequence[Wish], heard: Sequence[Way], accounts: Accounts, graph: HouseGraph
) -> Iterator[tuple[Way, Hashable, Evidence]]:
    """Yield all ways to read a command with what each comes to and what speaks for it.

    A way that was heard is taken for certain where another comes to the same, or where it takes up all words.
    """
    senses = [sense_of(wish, graph) for wish in others]
    chances = [way.probability for way in heard]
    for at, way in enumerate(heard):
        sense = sense_of(way.found, graph)
        sure = way.whole and way.probability >= FAIR * max(chances)
        alike = isinstance(way.found, Wish) and (sure or sense in senses)
        found = heard_as(chances, at, way.left_out, alike=alike)
        unclear = isinstance(way.found, Unclear)
        yield (
            way._replace(whole=sure),
            sense,
            found._replace(unclear=unclear, unnamed=_made_up(way)),
        )
    for wish, sense in zip(others, senses, strict=True):
        account = accounts.of(wish)
        left = tuple(dict.fromkeys([*accounts.untouched(wish), *account.lost]))
        whole = _is_whole(wish, left, account.invented, graph)
        evidence = RULES._replace(untouched=min(len(left), MOST), alike=whole)
        way = Way(wish, left, account.invented, whole=whole)
        yield way, sense, evidence._replace(unnamed=_made_up(way))


def _is_whole(
    wish: Wish | Unclear, left: Sequence[str], made_up: Sequence[str], graph: HouseGraph
) -> bool:
    """Return whether a wish takes up all that was said and nothing else, and is not fulfilled already."""
    if not isinstance(wish, Wish) or left or made_up or wish.vague:
        return False
    return bool(wish.before or wish.spared) or not is_reached(wish.goal, graph)


def _surest(
    senses: Sequence[Weighed[Way]], likely: Sequence[Weighed[Way]], accounts: Accounts
) -> Weighed[Way]:
    """Return the likeliest sense if it is likely enough."""
    first, *others = likely
    if first is not senses[0] or first.share < SURE:
        raise which_is_meant([first, *others], accounts)
    return first


def _borne_out(sense: Weighed[Way], accounts: Accounts) -> Wish:
    """Return the strictest wish of a sense that the words bear out; raises what is amiss with it."""
    found = [way.found for way in sense.ways if isinstance(way.found, Wish)]
    fitting = [
        way.found for way in sense.ways if isinstance(way.found, Wish) if _fits(way, accounts)
    ]
    if fitting:
        return max(fitting, key=strictness)
    amiss = accounts.of(found[0])
    lost = (*amiss.lost, *accounts.untouched(found[0]))
    raise which_is_meant([Weighed((Way(found[0], lost, amiss.invented),), 1.0)], accounts)


def _fits(way: Way, accounts: Accounts) -> bool:
    """Return whether a way has to do with all that is named; what things are for was held against that."""
    wish = way.found
    if not isinstance(wish, Wish) or accounts.of(wish) != Account():
        return False
    return wish.vague or not any(accounts.untouched(wish, way.talk))


def _made_up(way: Way) -> float:
    """Return how much of a way no word asks for; what things are for is less than what was said."""
    vague = isinstance(way.found, Wish) and way.found.vague
    return min(len(way.made_up), MOST) + VAGUE * vague


def _with_names(said: Utterance, text: str, named: Sequence[tuple[int, int]]) -> Utterance:
    """Return an utterance in which things have the names that a text calls them by."""

    def widened(part: Any) -> Any:
        if not isinstance(part, Span):
            return part
        at = next((at for at in named if at[0] < part.end and part.start < at[1]), None)
        end = part.end if at is None else max(part.end, at[1])
        return part if end == part.end else Span(part.start, end, text[part.start : end])

    return mapped(said, widened) if named else said
