"""The ways to read what is said to a memory, and what speaks for and against each."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations, product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from commonground.grounding.english.faithful import CERTAIN_OR_MAYBE
from commonground.grounding.english.parts import in_words, parts_of
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.english.utterance import Clause, Phrase
from commonground.grounding.english.weighing import MOST, RULES, Evidence, Weighed, heard, weigh
from commonground.grounding.knowledge.facts import Fact, fact_of
from commonground.grounding.memory.checks.coverage import EXCLUDING, Speech
from commonground.grounding.memory.checks.goal_checks import (
    entails,
    facts_of,
    further,
    is_so,
    on_the_way,
)
from commonground.grounding.memory.interpretation.events import (
    Become,
    Deed,
    Drain,
    Event,
    Fill,
    Somewhere,
)
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.planning.slicing import Slicer
from commonground.grounding.memory.retrieval.query import named_in
from commonground.grounding.words.numbers import count_of, rank_of
from commonground.planning.pddl import Formula, to_pddl
from commonground.planning.pddl.logic import conjuncts

if TYPE_CHECKING:
    from commonground.grounding.english.utterance import Utterance
    from commonground.grounding.memory.checks.support import Grounds
    from commonground.grounding.memory.memory import Memory
    from commonground.grounding.memory.readers.senses.trained_reader import Heard


LIMITING = EXCLUDING | frozenset(["bar", "barring"])
STOPPING = frozenset(["stop", "cease", "quit"])
NEGATING = frozenset(["not", "n't", "never"])
AS_LIKELY = 0.5
"""What is done through something else is preferred only if it is at least half as likely."""
SELDOM = 0.02
"""So likely it is at least beside what has nothing to do with something that is named."""
LIKELY = 0.3
"""What says more than another is preferred only if it is about as likely."""


class Way(NamedTuple):
    """One way to read a report."""

    reading: Reading
    utterance: Utterance | None
    """None for the grammar's."""
    probability: float = 1.0
    left_out: tuple[str, ...] = ()
    wanted: Wanted | None = None
    """What it asks for, where it is a task."""


Sense: TypeAlias = Weighed[Way]


class Weigher:
    """Weighs what readers make of what is said to one memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.slicer = Slicer(memory.store.vocabulary)

    def wishes(self, heard: Iterable[Heard], speaker: str | None, parsed: Wanted) -> list[Way]:
        """Return what a task may ask for; the grammar's way is the last."""
        wished = [(h, self.memory.wished(h.utterance, speaker)) for h in heard]
        ways = [
            Way(read, h.utterance, h.probability, tuple(self._left_out(h, read, speaker)), wanted)
            for h, wanted in wished
            for read in [self._aimed(wanted)]
        ]
        rules = [Way(self._aimed(parsed), None, wanted=parsed)] if parsed.goal is not None else []
        return [*ways, *rules]

    def _aimed(self, wanted: Wanted) -> Reading:
        """Return what a goal is about, as a report of it would be."""
        if wanted.goal is None:
            return Reading("ask", question=wanted.question)
        return Reading("ok", tuple(facts_of(wanted.goal, self.memory.names)))

    def ways(
        self, heard: Iterable[Heard], speaker: str | None, parsed: Reading, grounds: Grounds
    ) -> list[Way]:
        """Return what a report may make so; the grammar's way is the last."""
        read = [(h, grounds.under(self.memory.read(h.utterance, speaker))) for h in heard]
        ways = [
            Way(reading, h.utterance, h.probability, tuple(self._left_out(h, reading, speaker)))
            for h, reading in read
        ]
        return [*ways, Way(parsed, None)] if parsed.status == "ok" else self._without_unheard(ways)

    def _left_out(self, heard: Heard, reading: Reading, speaker: str | None) -> Iterator[str]:
        """Yield what a text says and an utterance does not, unless what changes has to do with it.

        The tea that somebody drank is no longer in the mug that is empty.
        """
        _, added, ended = self.memory.judge.change(reading)
        gone = {fact.object for fact in (*added, *ended)}
        moved = {fact.subject for fact in (*added, *ended)}
        for words in heard.left_out:
            named = {*named_in(words, self.memory.retriever.calling)}
            told = bool(named) and (named <= gone or not named.isdisjoint(moved))
            if not self._is_called(words, speaker) and not told:
                yield words

    def _without_unheard(self, ways: Sequence[Way]) -> list[Way]:
        """Return ways that need not account for what nothing here is called, where none of them does."""
        told = [{*way.left_out} for way in ways if way.reading.status == "ok"]
        calling = self.memory.retriever.calling
        unheard = {*filter(None, set[str]().union(*told[:1]).intersection(*told))}
        idle = {w for w in unheard if not named_in(w, calling) and not self._limits(w)}
        return [w._replace(left_out=tuple(x for x in w.left_out if x not in idle)) for w in ways]

    def _limits(self, words: str) -> bool:
        """Return whether words that call nothing tell of which, how many, whom or what not."""
        calling, said = self.memory.retriever.calling, words_of(words)
        ranked = any(count_of(word) is not None or rank_of(word) is not None for word in said)
        limits = not LIMITING.isdisjoint((*said, words.casefold()))
        told = ranked or limits or words != words.lower()
        return told or any(calling.quality(word) is not None for word in said)

    def _is_called(self, words: str, speaker: str | None) -> bool:
        """Return whether words only say who speaks: ``Maya here``."""
        return speaker is not None and self.memory.names.people.get(words_of(words)) == speaker

    def senses(self, text: str, ways: Sequence[Way], *, unreal: bool = False) -> list[Sense]:
        """Return what a text may mean, the likeliest first; less if the grammar takes it for unreal."""
        evidence = self.evidence(text, ways)
        weighed = weigh(zip(ways, map(self._key, ways), evidence, strict=True), unreal=unreal)
        if any(way.wanted is not None for way in ways):
            return self._fulfilling(weighed, Speech(text, self.memory))
        return not_turned_around(self._told_whole(weighed, Speech(text, self.memory)), text)

    def _told_whole(self, senses: Sequence[Sense], speech: Speech) -> list[Sense]:
        """Return senses, each with the share of those that say less, if the text names what they lack.

        Only where one reader says the one and the other the other: they agree, as far as the lesser goes.
        Or where the lesser has nothing to do with something that is named.
        """
        shares = [sense.share for sense in senses]
        for more, less, floor in self._lesser(senses, speech):
            if shares[more] >= floor * shares[less] > 0:
                shares[more], shares[less] = shares[more] + shares[less], 0.0
        return _reshared(senses, shares)

    def _lesser(self, senses: Sequence[Sense], speech: Speech) -> Iterator[tuple[int, int, float]]:
        """Yield which sense says more than which other one, and how likely it is then at least beside it."""
        changes = [self._change(sense) for sense in senses]
        whole = [self._is_whole(sense, speech) for sense in senses]
        rules = [any(way.utterance is None for way in sense.ways) for sense in senses]
        for more, less in product(range(len(senses)), repeat=2):
            besides = changes[more] - changes[less]
            within = frozenset[object]() < changes[less] < changes[more]
            agree = rules[more] != rules[less] or not whole[less]
            if whole[more] and within and agree and speech.names_all(besides):
                yield more, less, LIKELY if whole[less] else SELDOM

    def _fulfilling(self, senses: Sequence[Sense], speech: Speech) -> list[Sense]:
        """Return what a task may ask for, with the share of all that is done with it: one or all of them.

        Only where the text names what is done besides.
        """
        shares = [sense.share for sense in senses]
        for at, later in combinations(range(len(senses)), 2):
            likelier = shares[at] >= shares[later]
            if likelier and self._fulfills(senses[at], senses[later], speech):
                shares[at], shares[later] = shares[at] + shares[later], 0.0
        for at, other in permutations(range(len(senses)), 2):
            likely = shares[at] >= AS_LIKELY * shares[other] > 0
            if likely and self._passes(senses[at], senses[other]):
                shares[at], shares[other] = shares[at] + shares[other], 0.0
        return _reshared(senses, shares)

    def _passes(self, one: Sense, other: Sense) -> bool:
        """Return whether what is wished in one sense has to be done through what is wished in another."""
        more, less = goal_of(one), goal_of(other)
        if more is None or less is None:
            return False
        return on_the_way(less, more, self.memory.names, self.slicer)

    def _fulfills(self, one: Sense, other: Sense, speech: Speech) -> bool:
        """Return whether what one sense wishes holds all of another, and the rest of it is so or named."""
        more, less = goal_of(one), goal_of(other)
        if more is None or less is None or not entails(more, less):
            return False
        names, view = self.memory.names, self.memory.store.facts
        new = [part for part in conjuncts(more) if part not in conjuncts(less)]
        if all(is_so(part, names, view) for part in new):
            return True
        besides = [fact_of(atom) for atom in further(more, less)]
        known = all(fact.subject in names.things for fact in besides)
        return known and speech.names_all((fact, True) for fact in besides)

    def _is_whole(self, sense: Sense, speech: Speech) -> bool:
        """Return whether a sense has to do with all that the text names."""
        way = sense.ways[0]
        return not way.left_out and not any(
            speech.untouched((*way.reading.facts, *way.reading.retracted))
        )

    def _change(self, sense: Sense) -> frozenset[tuple[Fact, bool]]:
        """Return what a sense adds and takes away, each fact with which of both; nothing of tasks."""
        way = sense.ways[0]
        if way.wanted is not None or way.reading.status != "ok":
            return frozenset()
        _, added, removed = self.memory.judge.change(way.reading)
        return frozenset([*((f, True) for f in added), *((f, False) for f in removed)])

    def evidence(self, text: str, ways: Sequence[Way]) -> list[Evidence]:
        """Return what speaks for and against each way to read a text."""
        speech = Speech(text, self.memory)
        listed = [way for way in ways if way.utterance is not None]
        rules = {self._key(way) for way in ways if way.utterance is None}
        chances = [way.probability for way in listed]
        found = [
            heard(chances, at, way.left_out, alike=self._key(way) in rules)
            for at, way in enumerate(listed)
        ]
        found += [RULES] * (len(ways) - len(listed))
        return [self._fit(way, speech, one) for way, one in zip(ways, found, strict=True)]

    def _key(self, way: Way) -> Hashable:
        """Return what a way comes to: the same for all that change or want the same."""
        if way.wanted is not None:
            return "ask" if way.wanted.goal is None else to_pddl(way.wanted.goal)
        reading = way.reading
        return self.memory.judge.change(reading) if reading.status == "ok" else reading.status

    def _fit(self, way: Way, speech: Speech, found: Evidence) -> Evidence:
        """Return evidence with that of how a reading fits the text and what is believed."""
        reading = way.reading
        if reading.status != "ok":
            asked = reading.status == "ask"
            return found._replace(unclear=asked, no_report=not asked)
        changed = (*reading.facts, *reading.retracted)
        meant = [e.room for e in reading.events if isinstance(e, Somewhere)]
        meant += self._excepted(way)
        spared = [Fact(thing, "", thing) for thing in meant]
        _, added, removed = self.memory.judge.change(reading)
        things, people = speech.untouched((*changed, *spared), removed)
        found = found._replace(untouched=min(things, MOST), unmoved=min(people, MOST))
        if way.wanted is not None:
            goal, memory = way.wanted.goal, self.memory
            done = goal is not None and is_so(goal, memory.names, memory.store.facts)
            return found._replace(done=done)
        return found._replace(
            unnamed=min(speech.unnamed(changed), MOST),
            nothing=self._is_idle(changed, (*added, *removed)),
            lost=min(self._lost(added, removed), MOST),
            open=bool(reading.question),
            undone=not speech.acting <= {who for fact in changed for who in fact}
            and any(map(self._lacks_doer, reading.events)),
            single=speech.collects and not speech.moves_unnamed(added),
        )

    def _excepted(self, way: Way) -> list[str]:
        """Return what an utterance knows that nothing happened to: ``all but the pie``."""
        phrases = [*parts_of(way.utterance, Phrase)] if way.utterance is not None else []
        calling = self.memory.retriever.calling
        return [t for p in phrases if p.but is not None for t in named_in(in_words(p.but), calling)]

    def _lacks_doer(self, event: Event) -> bool:
        """Return whether somebody must have done an event there, and it does not say who."""
        if not isinstance(event, Deed) or event.actor is not None:
            return False
        relations = self.memory.names.meanings.relations
        if isinstance(event, Become):
            return relations[event.relation].actor == "present"
        return not isinstance(event, Fill | Drain)

    def _is_idle(self, told: Iterable[Fact], changed: Collection[Fact]) -> bool:
        """Return whether nothing changes of what is told, unless it is where somebody is.

        What somebody has goes along: that is told though it changes nothing.
        """
        names = self.memory.names
        gone = {f.subject for f in changed}
        beings = {f.subject for f in (*told, *changed) if names.is_person(f.subject)}
        beings |= {*names.robots}
        things = any(f.subject not in beings and f.object not in gone & beings for f in told)
        return not changed or (things and all(fact.subject in beings for fact in changed))

    def _lost(self, added: Iterable[Fact], removed: Iterable[Fact]) -> int:
        """Return how many things are no longer where they were, and it is not said where else."""
        relations = self.memory.names.meanings.relations
        placed, gone = (
            {f.subject for f in facts if relations[f.relation].means in ("place", "holding")}
            for facts in (added, removed)
        )
        return len(gone - placed)


def _reshared(senses: Sequence[Sense], shares: Iterable[float]) -> list[Sense]:
    """Return senses with other shares, the likeliest first."""
    found = [s._replace(share=share) for s, share in zip(senses, shares, strict=True)]
    return sorted(found, key=lambda sense: -sense.share)


def goal_of(sense: Sense) -> Formula | None:
    """Return what is wished in a sense, if it is a task."""
    wanted = sense.ways[0].wanted
    return None if wanted is None else wanted.goal


def not_turned_around(senses: Sequence[Sense], text: str) -> list[Sense]:
    """Return senses; one that turns a text around gives its share to what the network reads rather.

    News are likelier than what is known already; but not so that ``the bed is not made`` tells that it is.
    """
    if not senses or not _turns(senses[0], text):
        return [*senses]
    best, *others = senses
    kept = (o for o in others if _contrary(best, o) and not _turns(o, text))
    rather = next((other for other in kept if _chance(other) > _chance(best)), None)
    if rather is None:
        return [*senses]
    rest = [sense for sense in others if sense is not rather]
    return [rather._replace(share=rather.share + best.share), *rest]


def _contrary(one: Sense, other: Sense) -> bool:
    """Return whether one sense denies all that another says."""
    here, there = (sense.ways[0].reading for sense in (one, other))
    denied = frozenset(here.retracted) | {f.opposite for f in here.facts if f.is_property}
    return bool(there.facts) and here.status == there.status == "ok" and denied >= {*there.facts}


def _turns(sense: Sense, text: str) -> bool:
    """Return whether a sense, in all ways to read it, is denied once more or once less than its text is."""
    words = [token.text.casefold() for token in tokens_of(text)]
    ends = sum(
        a in NEGATING and b in STOPPING for a, b in pairwise(words)
    )  # "will not stop ringing"
    said = sum(word in NEGATING for word in words) + ends
    heard = [way.utterance for way in sense.ways if way.utterance is not None]
    return bool(heard) and all(_denied(utterance) % 2 != said % 2 for utterance in heard)


def _denied(utterance: Utterance) -> int:
    clauses = [*parts_of(utterance, Clause)]
    return sum(
        c.negated + (c.hedge not in CERTAIN_OR_MAYBE) + (c.sense == "be unmade") for c in clauses
    )


def _chance(sense: Sense) -> float:
    return sum(way.probability for way in sense.ways if way.utterance is not None)
