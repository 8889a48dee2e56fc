"""The front end that reads: a trained reader of English, then the table of orders. No network needed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Protocol

from commonground.grounding.answers import Grounding, clarification
from commonground.grounding.english.asides import pared, without
from commonground.grounding.english.faithful import unheard
from commonground.grounding.english.indifference import bound, told_to_one
from commonground.grounding.english.names import Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.reader import MAX_CHARACTERS, Domain, Reading
from commonground.grounding.english.remarks import remarks
from commonground.grounding.english.saying import said_back
from commonground.grounding.english.utterance import Phrase, Span, Utterance
from commonground.grounding.english.witness import Witness
from commonground.grounding.fidelity.check import YES_OR_NO, Objection, doubtful
from commonground.grounding.fidelity.fine import said_fine
from commonground.grounding.fidelity.numbers import counts_of
from commonground.grounding.frontends.candidates import (
    OF_ORDERS,
    Candidate,
    Version,
    Way,
    Weighed,
    weighed,
)
from commonground.grounding.frontends.denying import denied
from commonground.grounding.frontends.following import followed
from commonground.grounding.frontends.forbidding import bans_for_all
from commonground.grounding.frontends.goal_words import in_words
from commonground.grounding.frontends.plain_text import one_line, readable
from commonground.grounding.linking import ALIKE
from commonground.grounding.orders.grounding import Orders, standing
from commonground.grounding.resolver.choice import Unclear
from commonground.grounding.settings import GroundingSettings
from commonground.grounding.words.blanks import blanked
from commonground.grounding.words.numbers import count_of
from commonground.grounding.world import World
from commonground.planning.pddl import And, Atom, Formula, Or, parse_formula

KEPT = 512
"""Texts of which is kept what they only tell, and readings whose answers are: a text may have dozens."""
NEGLIGIBLE = 0.005
"""What is less likely than this, and than two others, is not looked at."""
UNREAD = ("unheard", "unsure", "unwitnessed", "bound")
"""Objections that are words of the text: they are asked about as such."""


class TextReader(Protocol):
    """Reads English."""

    def read(self, text: str, domain: Domain, names: Names) -> Reading:
        """Return what a text says about a world with these names."""
        ...


class ReadBackend:
    """Reads what is said, and grounds it on one map for one team."""

    def __init__(
        self,
        world: World,
        settings: GroundingSettings,
        reader: TextReader,
    ) -> None:
        self.reader, self.world = reader, world
        self.orders = Orders(world, settings)
        self.names = world.spoken_names
        self.witness = Witness()
        self._pared = lru_cache(maxsize=KEPT)(self._without_talk)
        # versions of a text are often read alike
        self._answered = lru_cache(maxsize=KEPT)(self._answer)

    def ground(self, text: str) -> Grounding:
        """Return goals, or a question: what was not read for sure is never acted on."""
        if len(text) > MAX_CHARACTERS:
            return _not_understood(
                f"That is too long ({len(text)} characters). Please say it in parts."
            )
        text = readable(text, MAX_CHARACTERS)
        read = self.versions(text)
        if not read:
            problem = self.reader.read(text, "scene", self.names).problem
            return _not_understood(f"{problem} What should the robots do?")
        found = self.weighed(read, text)
        if found.best is not None and found.sure:
            return replace(found.best.way.answer, confidence=found.chance)
        return self._question(found, text)

    def versions(self, text: str) -> dict[Version, Reading]:
        """Return what a text says as it stands, and without what it only tells."""
        less = self._pared(text)
        read: dict[Version, Reading] = {"whole": self._listed(text)}
        if less != text:
            read["pared"] = self._listed(less)
        return {version: one for version, one in read.items() if one.utterance is not None}

    def _without_talk(self, text: str) -> str:
        """Return a text of the same length with blanks for what it only tells."""
        return pared(without(text, self._talk(text)), self.names)

    def _talk(self, text: str) -> list[tuple[int, int]]:
        """Return where a text is chatter for sure."""
        return [(one.start, one.end) for one in self.reader.read(text, "scene", self.names).talk]

    def weighed(self, read: Mapping[Version, Reading], text: str) -> Weighed:
        """Return what the versions of a text come to most probably."""
        return weighed(self.candidates(read, text), [*read])

    def candidates(self, read: Mapping[Version, Reading], text: str) -> list[Candidate]:
        """Return all that a text may come to."""
        ways: dict[str, list[Way]] = {}
        for version, reading in read.items():
            for one in (reading, *reading.others):
                answer, objections = self._objected(one, text)
                said = one.utterance or Utterance(())
                way = Way(version, answer, one.confidence, said, objections)
                ways.setdefault(meaning_of(answer), []).append(way)
        return [*map(Candidate, ways.values())]

    def _question(self, found: Weighed, text: str) -> Grounding:
        """Return the question that is left."""
        one = found.likeliest.way
        if not (one.answer.goals or one.objections):
            return replace(one.answer, confidence=max(found.likeliest.masses.values()))
        if found.another is not None and found.best is not None:
            return _two_ways(found.best.way.answer, found.another.way.answer)
        return self._asked(one, text)

    def _asked(self, one: Way, text: str) -> Grounding:
        """Return whether this is meant, and what the text has against it."""
        answer, utterance, objections = one.answer, one.utterance, one.objections
        refused = objections and self.orders.fidelity.refuses(standing(text, utterance))
        offered = answer if answer.goals and not refused else None
        understood = one_line(said_back(utterance))
        if unread := [one.says for one in objections if one.check in UNREAD]:
            words = " and ".join(unread[:3])
            more = f" {YES_OR_NO}" if offered else ""
            return _not_understood(
                f"What is {words} in that? I understood: {understood}.{more}", offered
            )
        if objections:
            said = [one.says for one in objections]
            return _not_understood(doubtful(said, understood, offers=bool(offered)), offered)
        return _not_understood(f"Is this meant: {understood}? I am not sure. {YES_OR_NO}", offered)

    def _listed(self, text: str) -> Reading:
        """Return all ways to read a version of a text."""
        reading = self.reader.read(text, "scene", self.names)
        if reading.utterance is None:
            return reading
        best, *others = self._judged((reading, *reading.others), text)
        return replace(best, others=tuple(others))

    def _judged(self, read: Sequence[Reading], text: str) -> list[Reading]:
        """Return readings by how probable the words around each thing make them, too; the likeliest first."""
        judged = self.witness.judge(text, [r.utterance or Utterance(()) for r in read])
        shares = [r.confidence * found.share for r, found in zip(read, judged, strict=True)]
        whole = min(1.0, sum(r.confidence for r in read)) / (sum(shares) or 1.0)
        least = min(NEGLIGIBLE, *(whole * share for share in sorted(shares)[-2:]))
        weighed = (
            self._settled(replace(r, confidence=whole * share), text, found.unspoken)
            for r, share, found in zip(read, shares, judged, strict=True)
            if whole * share >= least
        )
        return sorted(weighed, key=lambda r: -r.confidence)

    def _settled(self, reading: Reading, text: str, unspoken: tuple[Span, ...]) -> Reading:
        """Return a reading with the bans and the order that plain words of its text say; these are sure."""
        said = settled = reading.utterance or Utterance(())
        for plain in (bans_for_all, followed, denied):
            settled = plain(settled, text, self.names)
        unsure = [one for one in reading.unsure if not _is_said_again(one, settled, text)]
        if settled == said:
            return replace(reading, unsure=(*unsure, *unspoken))
        spans = [*parts_of(settled, Span)]
        rest = (
            one for one in unsure if not any(one.start < s.end and s.start < one.end for s in spans)
        )
        return replace(reading, utterance=settled, unsure=tuple(rest))

    def _is_thing(self, word: str) -> bool:
        """Return whether the map has things that a word may name."""
        found = (
            self.world.linker.pool(word, layer)
            for layer in (self.world.objects, self.world.regions)
        )
        return any(pool is not None and pool.grade <= ALIKE for pool in found)

    def _objected(self, reading: Reading, text: str) -> tuple[Grounding, tuple[Objection, ...]]:
        """Return the answer to what a reading says, and what the words of the text have against it."""
        utterance = reading.utterance or Utterance(())
        return self._answered(utterance, reading.chatter, reading.unsure, text)

    def _answer(
        self,
        utterance: Utterance,
        chatter: tuple[Span, ...],
        unsure: tuple[Span, ...],
        text: str,
    ) -> tuple[Grounding, tuple[Objection, ...]]:
        talk = self._talk_beside(utterance, text)
        asks = blanked(self._pared(text), ((one.start, one.end) for one in chatter))
        found, objections = self.orders.objected(utterance, text, asks)
        heard = without(text, talk)
        if talk:
            orders = (one for one in objections if one.check in OF_ORDERS)
            objections = (*self.orders.objected(utterance, heard, asks)[1], *orders)
        goals = [*map(parse_formula, (found.goals or {}).values())]
        needed = blanked(self._pared(text), said_fine(text))
        left_out = unheard(heard, utterance, chatter, self.names, self._is_thing)
        missed = [span for span in left_out if needed[span.start : span.end].strip()]
        return found, (
            *_unread(utterance, unsure, missed, heard, counts_of(goals)),
            *_bound(goals, heard, list(self.world.team.robots)),
            *dict.fromkeys(objections),
        )

    def _talk_beside(self, utterance: Utterance, text: str) -> list[tuple[int, int]]:
        """Return what is talk for sure and no part of an utterance."""
        spans = [*parts_of(utterance, Span)]
        talk = self._talk(text)
        return [t for t in talk if not any(s.start < t[1] and t[0] < s.end for s in spans)]


def _bound(goals: Sequence[Formula], text: str, robots: Sequence[str]) -> Iterator[Objection]:
    """Yield what goals leave open, and the text does not."""
    if goals and (kept := bound(text, goals, robots) or told_to_one(text, goals)):
        yield Objection("bound", f"'{one_line(kept, 80)}'")


def _unread(
    utterance: Utterance,
    unsure: Sequence[Span],
    missed: Sequence[Span],
    text: str,
    counted: Collection[int],
) -> Iterator[Objection]:
    """Yield words that are not sure, or missed, if they say more than how many things there are."""
    told, spoken = remarks(text), [*parts_of(utterance, Span)]
    doubted = (one for one in unsure if not (one.text.isalpha() and told(one)))
    for one in _once((*doubted, *missed)):
        if count_of(one.text.casefold()) not in {*counted} - {1}:
            yield Objection(_kind(one, missed, spoken), f"'{one_line(one.text, 80)}'")


def _kind(span: Span, missed: Collection[Span], spoken: Collection[Span]) -> str:
    """Return which check objects to words: they are in no span, or are said for another deed."""
    if span in missed:
        return "unheard"
    return "unwitnessed" if span in spoken else "unsure"


def _is_said_again(span: Span, utterance: Utterance, text: str) -> bool:
    """Return whether words name once more what an utterance names, and pick nothing else out."""
    phrases = [*parts_of(utterance, Phrase)]
    heads = {s.text.casefold() for p in phrases for s in (p.noun, p.name, p.symbol) if s}
    traits = {s.text.casefold() for p in phrases for s in (p.color, p.attribute) if s}
    word, behind = span.text.casefold(), text[span.end :].lstrip().casefold()
    return word in heads or (word in traits and any(map(behind.startswith, heads)))


def meaning_of(found: Grounding) -> str:
    """Return what tells answers apart: goals, in whatever order they are written, or the question."""
    if not found.goals:
        return found.message
    return str(
        {robot: _ordered(parse_formula(goal)) for robot, goal in sorted(found.goals.items())}
    )


def _ordered(goal: Formula) -> str:
    """Return a goal in words, the parts of it in the order of the alphabet."""
    if not isinstance(goal, And | Or):
        return str(goal)
    kept = _needed(goal.parts) if isinstance(goal, And) else goal.parts
    parts = sorted({_ordered(part) for part in kept})
    return parts[0] if len(parts) == 1 else f"({type(goal).__name__} {' '.join(parts)})"


def _needed(parts: Sequence[Formula]) -> list[Formula]:
    """Return parts without those that others say: one of all bins, beside one of the bins in the yard."""
    ways = {part: _ways(part) for part in parts}
    said = {p for p, way in ways.items() if way and any(map(partial(_is_said, way), ways.values()))}
    return [part for part in ways if part not in said]


def _is_said(way: frozenset[Atom], other: frozenset[Atom]) -> bool:
    """Return whether one of some facts is true if one of others is: what is held was gone to."""
    done = (f for f in other if f.predicate in ("holding", "at-object"))
    been = {fact: Atom("visited-object", fact.args) for fact in done}
    return bool(other) and other != way and all(f in way or been.get(f) in way for f in other)


def _ways(part: Formula) -> frozenset[Atom]:
    """Return the facts of which any makes a part true; none where it takes more."""
    facts = part.parts if isinstance(part, Or) else (part,)
    found = frozenset(fact for fact in facts if isinstance(fact, Atom))
    return found if len(found) == len(facts) else frozenset()


def _two_ways(one: Grounding, other: Grounding) -> Grounding:
    """Return the question which of two ways to read a text was meant, or whether the only one was."""
    ways = "; or ".join(dict.fromkeys(_in_words(found) for found in (one, other)))
    same = meaning_of(one) == meaning_of(other)
    return _not_understood(
        f"I am not sure that I read that rightly: {ways}. "
        f"Please {'say yes, or ' if same else ''}say it in other words.",
        one if same else None,
    )


def _in_words(found: Grounding) -> str:
    return ", ".join(
        f"{robot}: {one_line(in_words(parse_formula(goal)), 120)}"
        for robot, goal in (found.goals or {}).items()
    )


def _once(spans: Sequence[Span]) -> list[Span]:
    """Return spans in the order of the text, without those that lie in others."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if not found or span.start >= found[-1].end:
            found.append(span)
    return found


def _not_understood(question: str, meant: Grounding | None = None) -> Grounding:
    return clarification(Unclear(question), understood=False, meant=meant)
