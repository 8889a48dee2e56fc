"""One text being taken in: what each of its segments tells, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, product

from commonground.grounding.knowledge.facts import FALSE, TRUE
from commonground.grounding.memory.english.lexicon import is_past
from commonground.grounding.memory.interpretation.unclear import NOTHING, WHAT_TO_DO, Unclear
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    TRANSFERS,
    Word,
    classes_of,
    is_going_on,
    is_participle,
    lemmas,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.accounted import Accounted
from commonground.grounding.memory.readers.domain.described.doers import SOMEBODY
from commonground.grounding.memory.readers.domain.described.ellipsis import filled_in
from commonground.grounding.memory.readers.domain.described.going_on import GoingOn
from commonground.grounding.memory.readers.domain.described.leaving import Leaving
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.rewording import Rewording
from commonground.grounding.memory.readers.domain.described.said import Said
from commonground.grounding.memory.readers.domain.described.segment import Segment, segment
from commonground.grounding.memory.readers.domain.described.sentences import Sentences
from commonground.grounding.memory.readers.domain.described.state_words import EitherState
from commonground.grounding.memory.readers.domain.described.text import may_order
from commonground.grounding.memory.readers.domain.described.variants import Variants, needed
from commonground.grounding.memory.readers.domain.described.wishes import is_told_too
from commonground.grounding.memory.readers.domain.finding import Found

_MOST = 5
_NOW = frozenset(["is", "are", "am"])
"""So many segments of a sentence may not be understood by themselves."""


class Account(Sentences, GoingOn, Leaving, Variants, Rewording, Accounted):
    """Takes in one text, sentence by sentence."""

    def take_in(self, sentence: Sequence[Word]) -> None:
        """Take in one sentence; what a segment leaves open may be told together with the next one."""
        segments = self.segments(sentence)
        self.sentence, self.segmented = sentence, segments
        self.opening = segments[0] if segments else []
        pending: list[Part] = []
        question: Unclear | None = None
        left_open = 0
        for said in self._asked_for(segments) if self.task else segments:
            parts = filled_in(said, self._told_before(pending, said), self._kin)
            made = segment(parts, self.reader.sayings.is_deed)
            self._check_begun(pending, made, question)
            self.several_left = bool(pending) and made.is_clause
            pending = self._to_tell([*pending, *parts], parts, made)
            try:
                if pending:
                    self._segment(pending)
                    self.told, pending = pending, []
            except Unclear as unclear:
                if self._comes(made):
                    pending = []
                    continue
                question, left_open = unclear, left_open + 1
                if left_open > (0 if self.task and self.likely is not None else _MOST):
                    raise  # what is only likely asked for is asked for in one segment
                pending = self._undenied(made, pending)
        if pending:
            raise question or Unclear(NOTHING)
        self._check_gone()
        self.read += segments

    def _told_before(self, pending: Sequence[Part], said: Sequence[Part]) -> Sequence[Part]:
        """Return what a segment may go on with; a value alone is no other thing: ``full tank``."""
        alone = len(said) == 1 and self._is_value(said[0])
        return [] if pending or alone else self.told

    def _undenied(self, made: Segment, pending: list[Part]) -> list[Part]:
        """Return what is still to be told without what denies what was said before."""
        if not (self.denying and made.negated):
            return pending
        self.doer = next((r.phrase for r in made.subjects()), self.doer)
        return []

    def check_new(self) -> None:
        """Raise Unclear where all that was told is so already: then nothing is asked for."""
        base = self.changes.base
        if not any(f not in base for found in self.found for f in found.made if f.object != FALSE):
            raise Unclear(WHAT_TO_DO)

    def has_news(self) -> bool:
        """Return whether anything that was told is not so already."""
        base = self.changes.base
        gone = any(f in base for f in self.changes.retracted)
        return gone or any(f not in base for f in self.changes.asserted)

    def _to_tell(self, pending: list[Part], last: Sequence[Part], made: Segment) -> list[Part]:
        """Return what is to be told without the last segment where that tells nothing by itself."""
        if self._leaves(made):
            return []
        remark = self.reader.wording.is_remark(made) and not is_told_too(made)
        remark = remark and (self.task or not (made.roles or self._goes_on_of_thing(made)))
        remark = remark or self._is_aside(made)
        return pending[: -len(last)] if remark else pending

    def _goes_on_of_thing(self, made: Segment) -> bool:
        """Return whether a segment tells more of a thing spoken of, in words of its own: ``and humming``."""
        works = made.words[:1] == made.verbs[:1] != [] and not self.agents
        return works and bool(self.found) and is_going_on(made.verb)

    def _is_aside(self, made: Segment) -> bool:
        """Return whether a segment tells of those spoken of what is none of what may happen here."""
        if self.task or not self.found:
            return False
        if self.reader.sayings.lacks_in([*map(text_of, made.parts)]):
            return False
        not_yet = made.negated and made.words[-1:] == ["yet"]  # "but it isn't on yet"
        advice = made.words[:2] in (["do", "not"], ["never"])  # "do not use it"
        return not_yet or (advice and not made.subjects())

    def _check_begun(
        self, pending: Sequence[Part], made: Segment, question: Unclear | None
    ) -> None:
        """Raise the question about what was not understood where a segment does not go on with that."""
        if question is not None and pending and self._begins_anew(pending, made):
            raise question

    def _begins_anew(self, pending: Sequence[Part], made: Segment) -> bool:
        """Return whether a segment is about something else than one that was not understood."""
        subjects, before = made.subjects(), segment(pending, self.reader.sayings.is_deed)
        if _moves_on(made, before) if self.task else _stands_alone(made, before):
            return True
        if all(r.phrase.pronoun for r in subjects):
            return False
        state = not before.roles and any(map(states_of, before.words))  # "gripper empty"
        if self.task and before.roles and (before.words or before.leading):
            return not subjects[0].phrase.every  # "Ann off the ladder, lamp 6 on the stage"
        return state or (before.is_clause and _tells(made))

    def _segment(self, parts: Sequence[Part]) -> None:
        first: Unclear | None = None
        variants = [*self._variants(parts)]
        variants += map(needed, variants[:1] if self.task else ())
        variants += (v for said in self._reworded(parts) for v in self._variants(said))
        for lately, variant in product((False, True), variants):
            self.referents.lately = lately
            made = self._completed(variant)
            agents = self._agents(made)
            self._check_told(made, agents)
            try:
                said = self.telling.tell(made, agents)
                self._check_done(said)
            except EitherState:
                raise
            except Unclear as unclear:
                first = first or unclear
                continue
            self._take(said)
            return
        single = not self.several_left and _clauses(variants[0]) < 2
        if self.likely is None or not (single and self._guessed(variants)):
            raise first or Unclear(NOTHING)

    def _guessed(self, variants: Sequence[Sequence[Part]]) -> bool:
        """Take in what a segment most likely tells; tell whether that is clear."""
        several = self._several(variants[0])
        if several:
            return self._each_guessed(several)
        for variant in variants:
            made = self._completed(variant)
            agents = self._agents(made) or ([] if made.subjects() else self.agents)
            try:
                said = self.likely.tell(made, agents) if self.likely is not None else None
            except Unclear:
                continue
            news = said is not None and not all(f in self.changes.draft for f in said.found.made)
            if said is not None and (self.found or news or said.found.ended):
                self._take(said)
                return True
        return False

    def _each_guessed(self, several: Sequence[Sequence[Part]]) -> bool:
        """Take in what is likely told of each: ``Ann and Bo have eaten``; tell whether all is clear."""
        before = len(self.found)
        told = all(self._guessed([one]) for one in several)
        if self.task and len({*map(_ways, self.found[before:])}) > 1:
            raise Unclear("what should be so of all of them?")  # each would be turned round
        return told

    def _several(self, parts: Sequence[Part]) -> list[list[Part]]:
        """Return a segment for each that its subject lists, in a task of all: ``fix all the bikes``."""
        every = [p for p in parts if isinstance(p, Phrase) and p.every and p.things]
        if not self.task or len(every) != 1:
            return _each_of(parts)
        ones = [replace(every[0], things={t: 0}, every=False) for t in every[0].things]
        return [[one if p is every[0] else p for p in parts] for one in ones]

    def _check_done(self, said: Said) -> None:
        """Raise Unclear where an act tells only what lasts and was so: she took away what she had ordered."""
        changing, base = self.meant.roles.vocabulary.changing, self.changes.base
        known = all(f.relation not in changing and f in base for f in said.found.made)
        if self.task and self._is_wanted_already(said):
            raise Unclear("what more should be done?")
        self._check_still(said)
        acts = said.agents and said.segment.verbs and not said.segment.copula
        if acts and known and not (self.task or said.found.ended):
            raise Unclear(NOTHING)

    def _check_still(self, said: Said) -> None:
        """Raise Unclear where somebody is said to have still what he had not: another one may be meant."""
        had = {s.relation for s in self.meant.roles.holding}
        news = any(f.relation in had and f not in self.changes.draft for f in said.found.made)
        if news and "still" in said.segment.words and not (self.task or self.denying):
            raise Unclear("was that so before?")

    def _is_wanted_already(self, said: Said) -> bool:
        """Return whether a segment of a task would ask for no more than those before it."""
        wanted = {f for found in self.found for f in (*found.made, *found.ended)}
        put = {"place", "release", "leave"} & said.verbs  # "take it to the hall and put it there"
        again = said.segment.verbs and not said.segment.negated and not put
        return bool(again) and wanted.issuperset((*said.found.made, *said.found.ended))

    def _check_told(self, made: Segment, agents: list[str]) -> None:
        """Raise Unclear for what may be an order: a plain verb, and nobody who does it."""
        bare = made.verbs and AUXILIARIES.isdisjoint(made.words)  # "the break is over"
        known = may_order(made.verb) or made.verb in self.reader.sayings.deed_words
        if self.task or not (bare and known):
            return
        if self._is_called(made):
            raise Unclear("is that so, or to be done?")
        subject = any(r.before_verb for r in made.roles[:1]) or SOMEBODY & {*made.words}
        begins = [*made.parts[:1]] == [*self.opening[:1]]
        reports = self._is_diary(made)
        if not (subject or reports or (agents and not begins)):
            raise Unclear("is that so, or to be done?")

    def _is_called(self, made: Segment) -> bool:
        """Return whether a sentence calls somebody who is to do what follows: ``Ann, put it back``."""
        first = self.opening[0] if self.opening else None
        words = [w.text for w in self.sentence]
        size = len(first.source) if isinstance(first, Phrase) and self._calls([first]) else 0
        return bool(size) and words[size : size + 2] == [",", made.verb]

    def _is_diary(self, made: Segment) -> bool:
        """Return whether a text tells what was done but not who did it: ``put it away, fed the cat``."""
        if not is_participle(made.verb):
            return False
        if _is_done_of(made):
            return True
        firsts = [text_of(p) for parts in self.segmented for p in parts[:1]]
        firsts += [sentence[0].text for sentence in self.sentences if sentence]
        told = (v for found in self.found for v in found.words)
        return self.meant.dated or any(map(is_past, (*firsts, *told)))

    def _take(self, said: Said) -> None:
        found = said.found
        found.made = self.changes.carried(found.made)
        self._check_hand(said)
        self.found.append(found)
        for fact in found.ended:
            self.changes.retract(fact)
        self._note_gone(said)
        self.changes.assert_all(found.made)
        self._note_now(said)
        for role in said.segment.roles:
            self.referents.note(role)
        self.agents = said.agents or self.agents
        self.referents.several = None
        doers = [r.phrase for r in said.segment.subjects() if said.agents]
        self.doer = doers[0] if doers else self.doer
        themes = self.telling.themes(said.segment)
        about = found.made[0].subject if found.made else None
        told = [r for r in said.segment.roles if about in r.phrase.things]
        self.theme = next((r.phrase for r in (*told, *themes)), None)
        self.subject = themes[0].phrase if themes and not said.agents else self.subject
        self.meant.note(self._spoken(said), said.agents)
        self.meant.group = self._together(said) or self.meant.group

    def _note_now(self, said: Said) -> None:
        """Note what is told to be so, and not what was done, and what of that this segment excludes."""
        made = said.segment
        if made.verbs and _NOW.isdisjoint(made.words):
            return
        self.changes.clash += (f for f in self.changes.now if f not in self.changes.draft)
        self.changes.now += said.found.made

    def _check_hand(self, said: Said) -> None:
        """Raise Unclear where a thing would come into the hand of a robot that a report does not speak of."""
        taken = [f for f in said.found.made if f.relation in self.meant.roles.in_hand]
        if (
            not self.task
            and not self.telling.is_robots(said)
            and any(f.object == TRUE for f in taken)
        ):
            raise Unclear("who has it now?")

    def _together(self, said: Said) -> list[str]:
        """Return what was spoken of together: who acted, else several things of one kind of facts."""
        about: dict[str, list[str]] = {}
        for fact in said.found.made or said.found.ended:
            about.setdefault(fact.relation, []).append(fact.subject)
        groups = ([*dict.fromkeys(things)] for things in (said.agents, *about.values()))
        return next((things for things in groups if len(things) > 1), [])

    def _spoken(self, said: Said) -> list[str]:
        things = said.found.things()
        themes = [
            t
            for role in self.telling.themes(said.segment)
            for t in role.phrase.things
            if t in things
        ]
        beside = [
            t for r in said.segment.roles if len(r.phrase.things) == 1 for t in r.phrase.things
        ]
        beside = [t for t in beside if t not in things and t not in said.agents]
        return [*beside, *(t for t in things if t not in themes), *themes]


def _is_done_of(made: Segment) -> bool:
    """Return whether a participle follows the noun of what was done to: ``tag removed``."""
    plain = made.verb in lemmas(made.verb) and not made.verb.endswith("ed")
    return made.words.index(made.verb) > 0 and not plain


def _ways(found: Found) -> frozenset[tuple[str, bool]]:
    """Return which relations and states a change begins, and which it ends."""
    ended = {(f.relation, True) for f in found.ended}
    return frozenset({(f.relation, f.object == FALSE) for f in found.made} | ended)


def _each_of(parts: Sequence[Part]) -> list[list[Part]]:
    """Return a segment for each of those that its subject lists; nothing where that is one."""
    end = 1
    while text_of(parts[end] if end < len(parts) else None) == "and" and end + 1 < len(parts):
        if not isinstance(parts[end + 1], Phrase):
            break
        end += 2
    listed = [p for p in parts[:end] if isinstance(p, Phrase)]
    rest = [p for p in parts[end:] if text_of(p) not in ("both", "all")]
    return [[one, *rest] for one in listed] if len(listed) > 1 and rest else []


def _clauses(parts: Sequence[Part]) -> int:
    """Return how many subjects with a verb of their own there are: ``Ann got off, she is in the hall``."""
    return sum(
        isinstance(a, Phrase) and text_of(b) in COPULAS | {"has", "have"}
        for a, b in pairwise(parts)
    )


def _tells(made: Segment) -> bool:
    """Return whether a segment tells something by itself."""
    return made.is_clause or (bool(made.verbs) and not made.passive)


def _stands_alone(made: Segment, before: Segment) -> bool:
    """Return whether a segment says all of what it tells: ``ironed it and hung it up``, ``they moved it``."""
    acts = before.is_clause and bool(made.subjects() and made.objects())
    named = made.verbs and any(not r.phrase.pronoun for r in made.subjects())
    acts = acts or bool(before.verbs and named and made.is_clause and not made.passive)
    acts = acts or [t for t in map(text_of, made.parts) if t != "and"][:2] == ["there", "is"]
    return acts or _goes_on(made, before) or all(map(_is_done_to, (made, before)))


def _goes_on(made: Segment, before: Segment) -> bool:
    """Return whether a segment begins with its verb behind one in which somebody did something."""
    begins = made.verbs and text_of(made.parts[0]) == made.verb
    return bool(begins and before.subjects() and _is_done_to(before))


def _moves_on(made: Segment, before: Segment) -> bool:
    """Return whether a task goes on to ask for more than to bring a thing: ``bring it over and light it``."""
    brings = any("transport" in classes_of(v, before.particles) for v in before.verbs)
    begins = made.verbs and text_of(made.parts[0]) == made.verb
    turns = not any(classes_of(v, made.particles) & TRANSFERS for v in made.verbs)
    return bool(brings and before.objects() and begins and made.objects() and turns)


def _is_done_to(made: Segment) -> bool:
    """Return whether a segment tells what is done to what was spoken of."""
    return bool(made.verbs) and any(r.phrase.pronoun for r in made.objects())
