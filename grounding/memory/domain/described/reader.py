"""Reads texts by noun phrases that are held against what is believed, segment by segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product

from commonground.grounding.knowledge.facts import FALSE
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.described.asides import Asides
from commonground.grounding.memory.domain.described.asking import Asking
from commonground.grounding.memory.domain.described.circumstances import without_circumstances
from commonground.grounding.memory.domain.described.denoting import NAME, Denoting
from commonground.grounding.memory.domain.described.leaving import Leaving
from commonground.grounding.memory.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.domain.described.phrases import Phrases
from commonground.grounding.memory.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.domain.described.quantified import Quantifiers, without_counts
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.described.said import NotSo, Said
from commonground.grounding.memory.domain.described.segments import (
    Segment,
    segment,
    segments_of,
)
from commonground.grounding.memory.domain.described.talk import Talk
from commonground.grounding.memory.domain.described.text import is_plain
from commonground.grounding.memory.domain.described.variants import Variants, needed
from commonground.grounding.memory.domain.described.wishes import is_wanted_too
from commonground.grounding.memory.domain.described.wording import Wording
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.likely.evidence import Evidence
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    Word,
    is_going_on,
    is_participle,
    sentences_of,
    states_of,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.unclear import Unclear


class DescribedReader:
    """Reads what is said of one world by descriptions of its things."""

    def __init__(self, calling: Calling, sayings: Sayings, groups: Groups) -> None:
        self.denoting = Denoting(calling, sayings)
        self.wording = Wording(sayings, self.denoting, groups)
        self.sayings = sayings
        self.evidence = Evidence(self.wording.roles, sayings)
        self.talk = Talk(self.wording)

    def take_in(
        self,
        sentences: Sequence[Sequence[Word]],
        meant: Meant,
        *,
        task: bool = False,
        denying: bool = False,
        likely: bool = False,
    ) -> list[Found]:
        """Take in sentences; return what each segment tells. Unclear where one is not understood.

        ``denying``: what is denied may be what was said before, which is taken back. ``likely``: what is not
        read surely is taken for the change it most likely tells of.
        """
        reading = _Text(self, meant, task=task, denying=denying, likely=likely)
        for sentence in sentences:
            reading.take_in(sentence)
        if not reading.found and task:  # "the crate goes to the market"
            reading.framed = True
            for sentence in sentences:
                reading.take_in(sentence)
            reading.check_new()
        if not reading.found:
            raise Unclear("nothing in that was understood to be a change")
        return reading.found

    def replaced(self, text: str, correction: str, meant: Meant) -> str | None:
        """Return a text with what a correction names in place of what it is about; None if that is open."""
        right = _told(self._parts(correction, meant))
        parts = [*self._parts(text, meant)]
        if len(right) != 1:
            return None
        places = [n for n, p in enumerate(parts) if self._may_replace(meant, p, right[0])]
        if len(places) != 1:
            return None
        parts[places[0]] = right[0]
        return " ".join(" ".join(p.source) if isinstance(p, Phrase) else p.text for p in parts)

    def names_things(self, text: str, meant: Meant) -> bool:
        """Return whether a text names or describes anything of the world."""
        parts = self._parts(text, meant)
        return any(isinstance(p, Phrase) and not p.pronoun for p in parts)

    def note_named(self, text: str, meant: Meant) -> None:
        """Keep what a text names, what it names first as what was spoken of last."""
        referents, people = Referents(meant, self.denoting), dict[str, None]()
        for part in reversed([*self._parts(text, meant)]):
            if isinstance(part, Phrase) and not part.pronoun:
                things = referents.candidates(part, lambda _: True)
                if len(things) == 1:
                    meant.spoke_of(things[0])
                    people |= dict.fromkeys(filter(meant.calling.is_person, things))
        meant.group = [*people] if len(people) > 1 else meant.group
        meant.remember()

    def _parts(self, text: str, meant: Meant) -> Iterator[Part]:
        phrases = Phrases(self.denoting, meant.changes)
        for sentence in sentences_of(text):
            yield from phrases.parts(sentence)

    @staticmethod
    def _may_replace(meant: Meant, old: Part, new: Phrase) -> bool:
        """Return whether a phrase means something else of the same type as another one."""
        if not isinstance(old, Phrase):
            return False
        kinds = [{meant.kinds[t] for t in p.things} for p in (old, new)]
        return bool(kinds[0] & kinds[1]) and not {*old.things} & {*new.things}


class _Text(Leaving, Asides, Variants, Asking):
    """Takes in one text."""

    def take_in(self, sentence: Sequence[Word]) -> None:
        """Take in one sentence."""
        segments = self.segments(self.relatives.resolved(self.phrases(sentence)))
        pending: list[Part] = []
        question: Unclear | None = None
        for found in self._asked_for(segments) if self.task else segments:
            found = self._instead(found) if self.task else found
            made = segment(found, self.reader.sayings.is_deed)
            self._check_begun(pending, made, question)
            pending = [*pending, *found]
            pending = self._to_tell(pending, found, made)
            try:
                if pending:
                    self._segment(pending)
                self.told, pending = pending, []
            except Unclear as unclear:
                if self.task and self.likely is not None:
                    raise  # what is only likely asked for is asked for in one segment
                question = unclear
                if self.denying and made.negated:
                    pending = []
                    self.doer = next((r.phrase for r in made.subjects()), self.doer)
        if pending:
            raise question or Unclear("nothing in that was understood to be a change")
        self._check_gone()

    def phrases(self, sentence: Sequence[Word]) -> list[Part]:
        """Return a sentence in noun phrases and words."""
        phrases = Phrases(self.reader.denoting, self.changes)
        parts = plain_parts(phrases.parts(without_counts(plain_words(sentence))), self._kin)
        return Quantifiers(self.reader.denoting).resolved(parts)

    def segments(self, parts: list[Part]) -> list[list[Part]]:
        """Return the parts of a sentence in segments, those of a task without when and what for."""
        if self.task:
            parts, beside = without_circumstances(parts)
            if beside:
                self._speak_of(beside)
        parts = self._unlabelled(self._of_whole(parts))
        return segments_of(parts, self.reader.sayings.is_deed, self._kin)

    def _of_whole(self, parts: list[Part]) -> list[Part]:
        """Return parts with those of what is named first in its place: ``lock 1, upper gate closed``."""
        begins = next((n for n, p in enumerate(parts[:2]) if isinstance(p, Phrase)), 0)
        whole, mark, first = ([*parts, None, None, None])[begins : begins + 3]
        if not (isinstance(whole, Phrase) and isinstance(first, Phrase) and mark == Word(",")):
            return parts
        if len(whole.things) != 1 or self._calls([whole]) or not self._narrowed_to(first, whole):
            return parts
        rest = [
            replace(part, things=self._narrowed_to(part, whole) or part.things)
            if isinstance(part, Phrase) and _is_mark(parts[n - 1])
            else part
            for n, part in enumerate(parts)
        ]
        return [*rest[:begins], *rest[begins + 2 :]]

    def _narrowed_to(self, part: Phrase, whole: Phrase) -> dict[str, int]:
        """Return what is meant of the parts of a whole; nothing where it tells none apart."""
        found = {} if part.pronoun else self.referents.narrowed(part, whole, [])
        return found if len(found) < len(part.things) else {}

    def _unlabelled(self, parts: list[Part]) -> list[Part]:
        """Return parts without the name of whose doings they list."""
        self.labelled = self._label(parts)
        if self.labelled:
            self.subject = parts[0] if isinstance(parts[0], Phrase) else None
            parts, self.agents = parts[2:], self.labelled
        return parts

    def check_new(self) -> None:
        """Raise Unclear where all that was told is so already: then nothing is asked for."""
        base = self.changes.base
        if not any(f not in base for found in self.found for f in found.made if f.object != FALSE):
            raise Unclear("what should be done?")

    def _to_tell(self, pending: list[Part], last: Sequence[Part], made: Segment) -> list[Part]:
        """Return what is to be told without the last segment where that tells nothing by itself."""
        if self._leaves(made):
            return []
        beside = bool(self.found) and self.telling.is_beside(made)
        wanted = self.task and is_wanted_too(made)
        remark = self.reader.wording.is_remark(made) and not wanted
        remark = remark and (self.task or not made.roles or self._is_far(made))
        remark = remark or self._is_aside(made)
        return pending[: -len(last)] if remark or beside else pending

    def _check_begun(
        self, pending: Sequence[Part], made: Segment, question: Unclear | None
    ) -> None:
        """Raise the question about what was not understood where a segment does not go on with that."""
        if question is not None and pending and self._begins_anew(pending, made):
            raise question

    def _begins_anew(self, pending: Sequence[Part], made: Segment) -> bool:
        """Return whether a segment is about something else than one that was not understood."""
        subjects, before = made.subjects(), segment(pending, self.reader.sayings.is_deed)
        if _wants_otherwise(before, made) if self.task else _stands_alone(made, before):
            return True
        if not subjects or any(r.phrase.pronoun for r in subjects):
            return False
        state = not before.roles and any(map(states_of, before.words))  # "gripper empty"
        if self.task and before.roles and (before.words or before.leading):
            return not subjects[0].phrase.every  # "Ann off the ladder, lamp 6 on the stage"
        return state or (before.is_clause and _tells(made))

    def _kin(self, one: Phrase, other: Phrase) -> bool:
        """Return whether two phrases may mean things of one type."""
        above = self.meant.roles.vocabulary.types.ancestors
        kinds = [{self.meant.kinds[t] for t in p.things} for p in (one, other)]
        lines = [{k for kind in of for k in (kind, *above(kind))} - {"object"} for of in kinds]
        return not (kinds[0] and kinds[1]) or bool(lines[0] & lines[1])

    def _segment(self, parts: Sequence[Part]) -> None:
        first: Unclear | None = None
        variants = [*self._variants(parts)]
        for lately, variant in product((False, True), variants):
            self.referents.lately = lately
            made = self._completed(variant)
            agents = self._agents(made)
            self._check_told(made, agents)
            try:
                said = self._told(made, agents)
            except Unclear as unclear:
                first = first or unclear
                continue
            self._take(said)
            return
        if self.likely is None or not self._guessed(variants):
            raise first or Unclear("nothing in that was understood to be a change")

    def _guessed(self, variants: Sequence[Sequence[Part]]) -> bool:
        """Take in what a segment most likely tells; tell whether that is clear."""
        for variant in (*variants, *map(needed, variants[:1] if self.task else ())):
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

    def _told(self, made: Segment, agents: list[str]) -> Said:
        """Return what a segment tells, of another one whom its pronoun may mean where it cannot be so."""
        try:
            return self.telling.tell(made, agents)
        except NotSo as unclear:
            pronouns = [r.phrase.pronoun for r in made.subjects()]
            recent = [*self.meant.people, *self.meant.discourse.recent("people")]
            for other in dict.fromkeys(recent):
                if pronouns in (["he"], ["she"]) and other not in agents:
                    again = segment(made.parts, self.reader.sayings.is_deed)
                    again.passive = made.passive
                    return self.telling.tell(again, [other])
            raise unclear

    def _completed(self, parts: Sequence[Part]) -> Segment:
        """Return a segment with the subject of the one before where it has none of its own."""
        is_deed = self.reader.sayings.is_deed
        made = segment(parts, is_deed)
        subject = self._thing_meant(made) or self._doer_meant(made)
        return made if subject is None else segment([subject, *parts], is_deed)

    def _thing_meant(self, made: Segment) -> Phrase | None:
        """Return what a segment goes on about that has no subject, and no verb or only a participle."""
        if not made.roles:
            return self._bearer_meant(made)
        if made.verbs:  # "lamp 5 hung on bar 2, plugged into 3"
            told = not (made.subjects() or self.agents)
            participle = is_participle(made.verb)
            goes_on = participle or not (self.task or is_plain(made.verb))
            order = self.task and made.verb in load_lexicon().lemmas(made.verb)
            return self.theme if told and goes_on and not order else None
        placed = all(r.preposition for r in made.roles)
        return self.theme if placed and not {*made.words} & AUXILIARIES else None

    def _bearer_meant(self, made: Segment) -> Phrase | None:
        """Return what a segment is about that only names a part of it, or what states are called by."""
        bearer = self.likely.bearer(made) if self.likely is not None else None
        return bearer or self._part_owner(made)

    def _part_owner(self, made: Segment) -> Phrase | None:
        """Return what has a part that a segment only names: ``and shut the lid``, ``..., lid closed``."""
        if self.task and self.found and self.lead is not None and self.lead.every:
            told = dict.fromkeys(sorted({*self.found[-1].things()} & self.meant.kinds.keys()), NAME)
            return replace(self.lead, things=told)  # "all lids should be clean and closed"
        if self.task and self.found:
            last = self.found[-1]
            relations = [f.relation for f in (*last.made, *last.ended)]
            several = len({*relations}) < len(relations)  # "both cups in the hall, and not dirty"
            named = {} if several or self.subject is None else self.subject.things
            things = {*last.things(), *named}
            meant = dict.fromkeys(sorted(things & self.meant.kinds.keys()), NAME)
            return Phrase(("it",), meant, every=several)
        it = Phrase(("it",), pronoun="it") if self.found else None
        return None if {*made.words} & AUXILIARIES else self.subject or it

    def _doer_meant(self, made: Segment) -> Phrase | None:
        """Return who does what a segment without a subject tells: who did what the last one told."""
        along = self.task and is_going_on(made.verb)  # "to be in the hall holding the key"
        if not made.verbs or made.subjects():
            return None
        return self.doer if along or not (made.objects() and self.agents) else None

    def _check_told(self, made: Segment, agents: list[str]) -> None:
        """Raise Unclear for what may be an order: a plain verb, and nobody who does it."""
        subject = made.roles[:1] and made.roles[0].before_verb
        if made.verbs and is_plain(made.verb) and not (self.task or agents or subject):
            raise Unclear("is that so, or to be done?")

    def _take(self, said: Said) -> None:
        self._check_kept(said.found)
        found = said.found
        self.found.append(found)
        for fact in found.ended:
            self.changes.retract(fact)
        self.changes.assert_all(found.made, said.agents)
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

    def _check_kept(self, found: Found) -> None:
        """Raise Unclear where what is likely told, or was before it, would end again what was told before."""
        told = self.changes.asserted if self.likely is not None else ()
        if any(f.opposite in told for f in found.made):
            raise Unclear("is that so, or not?")

    def _together(self, said: Said) -> list[str]:
        """Return what was spoken of together: who acted, else several things of one kind of facts."""
        about: dict[str, list[str]] = {}
        for fact in said.found.made:
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
        return [*(t for t in things if t not in themes), *themes]


def _tells(made: Segment) -> bool:
    """Return whether a segment tells something by itself."""
    return made.is_clause or (bool(made.verbs) and not made.passive)


def _wants_otherwise(before: Segment, made: Segment) -> bool:
    """Return whether a segment wants a state of what the one before wants too: ``wash it and get it dry``."""
    first = made.parts[0]
    pronoun = isinstance(first, Phrase) and first.pronoun != "" and bool(made.subjects())
    stated = any(map(states_of, before.words)) and any(map(states_of, made.words))
    return pronoun and stated and bool(before.verbs)


def _stands_alone(made: Segment, before: Segment) -> bool:
    """Return whether a segment says all of what it tells: ``ironed it and hung it up``, ``they moved it``."""
    acts = before.is_clause and bool(made.subjects() and made.objects())
    return acts or all(map(_is_done_to, (made, before)))


def _is_done_to(made: Segment) -> bool:
    """Return whether a segment tells what is done to what was spoken of."""
    return bool(made.verbs) and any(r.phrase.pronoun for r in made.objects())


def _is_mark(part: Part) -> bool:
    return text_of(part) in (",", "and")


def _told(parts: Iterable[Part]) -> list[Phrase]:
    """Return what a correction names, but for what it names after ``not``."""
    told, denied = list[Phrase](), False
    for part in parts:
        if isinstance(part, Word):
            denied = part.text == "not" or (denied and part.text not in (",", "but", ";"))
        elif not (part.pronoun or denied):
            told.append(part)
    return told
