"""Reads texts by noun phrases that are held against what is believed, segment by segment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, product, takewhile

from commonground.grounding.knowledge.facts import FALSE
from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.clauses import Clause
from commonground.grounding.memory.domain.described.circumstances import without_circumstances
from commonground.grounding.memory.domain.described.denoting import NAME, Denoting
from commonground.grounding.memory.domain.described.phrases import Part, Phrase, Phrases
from commonground.grounding.memory.domain.described.plain import plain_parts, plain_words
from commonground.grounding.memory.domain.described.quantified import Quantifiers, without_counts
from commonground.grounding.memory.domain.described.referents import Referents
from commonground.grounding.memory.domain.described.relative import Relatives, tells_more
from commonground.grounding.memory.domain.described.said import GOING, NotSo, Said
from commonground.grounding.memory.domain.described.segments import (
    PREPOSITIONS,
    Role,
    Segment,
    segment,
    segments_of,
)
from commonground.grounding.memory.domain.described.talk import Talk
from commonground.grounding.memory.domain.described.telling import Telling
from commonground.grounding.memory.domain.described.wishes import about, is_order, is_topic, wished
from commonground.grounding.memory.domain.described.wording import Wording
from commonground.grounding.memory.domain.finding import Found
from commonground.grounding.memory.domain.meant import Meant
from commonground.grounding.memory.domain.states import Sayings
from commonground.grounding.memory.domain.words import (
    AUXILIARIES,
    FILLING,
    FROM,
    Word,
    is_going_on,
    is_participle,
    is_verb,
    lemmas,
    says_nothing,
    sentences_of,
    states_of,
)
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.unclear import Unclear

_MOST = 3
"""So many phrases of one segment are tried as telling which thing another one means."""


class DescribedReader:
    """Reads what is said of one world by descriptions of its things."""

    def __init__(self, calling: Calling, sayings: Sayings, groups: Groups) -> None:
        self.denoting = Denoting(calling, sayings)
        self.wording = Wording(sayings, self.denoting, groups)
        self.sayings = sayings
        self.talk = Talk(self.wording)

    def take_in(
        self,
        sentences: Sequence[Sequence[Word]],
        meant: Meant,
        *,
        task: bool = False,
        denying: bool = False,
    ) -> list[Found]:
        """Take in sentences; return what each segment tells. Unclear where one is not understood.

        ``denying``: what is denied may be what was said before, which is taken back.
        """
        reading = _Text(self, meant, task=task, denying=denying)
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
        right, wrong = _told_apart(self._parts(correction, meant))
        parts = [*self._parts(text, meant)]
        if len(right) != 1:
            return None
        may = [n for n, p in enumerate(parts) if self._may_replace(meant, p, right[0])]
        places = [n for n in may if wrong and self._speaks_of(parts[n], wrong)] or may
        if len(places) != 1:
            return None
        parts[places[0]] = right[0]
        return " ".join(" ".join(p.source) if isinstance(p, Phrase) else p.text for p in parts)

    def tells_more(self, sentence: Sequence[Word], meant: Meant) -> bool:
        """Return whether a sentence has a relative clause, which only this reader understands."""
        return tells_more(Phrases(self.denoting, meant.changes).parts(sentence))

    def names_things(self, text: str, meant: Meant) -> bool:
        """Return whether a text names or describes anything of the world."""
        parts = self._parts(text, meant)
        return any(isinstance(p, Phrase) and not p.pronoun for p in parts)

    def note_named(self, text: str, meant: Meant) -> None:
        """Keep what a text names, what it names first as what was spoken of last."""
        referents = Referents(meant, self.denoting)
        for part in reversed([*self._parts(text, meant)]):
            if isinstance(part, Phrase) and not part.pronoun:
                things = referents.candidates(part, lambda _: True)
                if len(things) == 1:
                    meant.spoke_of(things[0])
        meant.remember()

    def passed_over(
        self, sentences: Iterable[Sequence[Word]], meant: Meant, *, task: bool = False
    ) -> Phrase | None:
        """Return a phrase that names one thing which nothing was told of, nor of what it is in or with."""
        told = {*meant.agents} if not task else set()
        changed = (*meant.changes.asserted, *meant.changes.retracted)
        told |= {t for fact in changed for t in (fact.subject, fact.object)}
        phrases = Phrases(self.denoting, meant.changes)
        for at, part in (p for s in sentences for p in enumerate(phrases.parts(s))):
            if not isinstance(part, Phrase) or len(part.things) != 1:
                continue
            ((thing, rank),) = part.things.items()
            called = task and at == 0 and meant.is_somebody(thing)  # "Ann, open the door"
            if rank <= NAME and not called and not self._is_near(thing, told, meant, task=task):
                return part
        return None

    @staticmethod
    def _is_near(thing: str, told: set[str], meant: Meant, *, task: bool) -> bool:
        """Return whether a thing is one of some, or is where one of them is, or with it."""
        changes = meant.changes
        if thing in told or thing in {changes.zone_of(t) for t in told if t in meant.kinds}:
            return True
        owns = task and meant.is_somebody(thing)
        return not owns and any(changes.related(thing, t, moved=True) for t in told)

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

    @staticmethod
    def _speaks_of(part: Part, wrong: Sequence[Phrase]) -> bool:
        return isinstance(part, Phrase) and any(
            part.things.keys() & w.things.keys() or (w.rank is not None and part.rank == w.rank)
            for w in wrong
        )


class _Text:
    """One text being read."""

    def __init__(self, reader: DescribedReader, meant: Meant, *, task: bool, denying: bool) -> None:
        self.reader, self.meant, self.changes, self.task = reader, meant, meant.changes, task
        self.denying = denying
        self.referents = Referents(meant, reader.denoting, task=task)
        self.telling = Telling(self.referents, reader.wording, task=task)
        self.relatives = Relatives(self.referents, reader.wording)
        self.found: list[Found] = []
        self.agents: list[str] = []
        self.subject: Phrase | None = None
        """What the segment before was about, where nobody did it."""
        self.theme: Phrase | None = None
        """What the segment before was about."""
        self.doer: Phrase | None = None
        """Who did something in the segment before."""
        self.gone: set[str] = set()
        """Who left a place, and where to is still to be said."""
        self.labelled: list[str] = []
        """Whose doings a line lists: ``Ann: keys down, tray up``."""
        self.lead: Phrase | None = None
        """What a segment of a task began with."""
        self.framed = False
        """All that is told is wanted."""
        self.told: Sequence[Part] = ()
        """The parts of the segment before."""

    def take_in(self, sentence: Sequence[Word]) -> None:
        """Take in one sentence."""
        phrases = Phrases(self.reader.denoting, self.changes)
        parts = plain_parts(phrases.parts(without_counts(plain_words(sentence))), self._kin)
        parts = self.relatives.resolved(Quantifiers(self.reader.denoting).resolved(parts))
        if self.task:
            parts, beside = without_circumstances(parts)
            if beside:
                self._speak_of(beside)
        self.labelled = self._label(parts)
        if self.labelled:
            parts, self.agents = parts[2:], self.labelled
        segments = self._named_after(segments_of(parts, self.reader.sayings.is_deed, self._kin))
        pending: list[Part] = []
        question: Unclear | None = None
        for found in self._asked_for([*_apart(segments)]) if self.task else segments:
            found = self._instead(found) if self.task else found
            pending = [*pending, *found]
            made = segment(found, self.reader.sayings.is_deed)
            pending = self._to_tell(pending, found, made)
            try:
                if pending:
                    self._segment(pending)
                self.told, pending = pending, []
            except Unclear as unclear:
                question = unclear
                if self.denying and made.negated:
                    pending = []
                    self.doer = next((r.phrase for r in made.subjects()), self.doer)
        if pending:
            raise question or Unclear("nothing in that was understood to be a change")
        self._check_gone()

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
        return pending[: -len(last)] if self.reader.wording.is_remark(made) or beside else pending

    def _instead(self, parts: list[Part]) -> list[Part]:
        """Return the segment before with what is not wanted in place of what is: ``by Ann, not Bo``."""
        name = parts[1] if len(parts) == 2 and _text(parts[0]) == "not" else None
        at = [
            n for n, p in enumerate(self.told) if isinstance(p, Phrase) and isinstance(name, Phrase)
        ]
        alike = [n for n in at if isinstance(name, Phrase) and self._same_kind(self.told[n], name)]
        if name is None or len(alike) != 1:
            return parts
        return [*self.told[: alike[0]], name, Word("not"), *self.told[alike[0] + 1 :]]

    def _same_kind(self, one: Part, other: Phrase) -> bool:
        kinds = [
            {self.meant.kinds[t] for t in p.things} for p in (one, other) if isinstance(p, Phrase)
        ]
        return len(kinds) == 2 and bool(kinds[0] & kinds[1])

    def _leaves(self, made: Segment) -> bool:
        """Return whether a segment only tells that somebody left where he was: it goes on with where to."""
        subjects, objects = made.subjects(), made.objects()
        if self.task or made.negated or len(made.roles) != 2 or not (subjects and objects):
            return False
        agents = self._agents(made) if "leave" in lemmas(made.verb) else []
        zones = {z for agent in agents if (z := self.changes.zone_of(agent)) is not None}
        left = {*self.referents.candidates(objects[0].phrase, zones.__contains__)}
        if len(agents) != 1 or not left:
            return False
        self.gone.add(agents[0])
        self.agents, self.doer = agents, subjects[0].phrase
        return True

    def _check_gone(self) -> None:
        """Raise Unclear where somebody left a place and it was not said where to."""
        going = {s.relation for s in self.reader.wording.roles.whereabouts}
        made = {f for found in self.found for f in found.made if f.relation in going}
        for agent in self.gone:
            if not any(agent in (f.subject, f.object) for f in made):
                raise Unclear("and where is that now?")

    def _asked_for(self, segments: Sequence[list[Part]]) -> Iterator[list[Part]]:
        """Yield what segments of a task ask for; what only names or tells something is spoken of."""
        topic: list[Part] = []
        named: list[Part] = []
        framed = self.framed
        for at, parts in enumerate(segments):
            framed |= _text(parts[0]) == "please"
            said = parts
            if framed:  # "see that it is shut and Ann is in"
                said = [Word("please"), *parts]
            if _text(parts[0]) == "be" and self.lead is not None:  # "... and be in the hall"
                said = [self.lead, *parts]
            self.lead = parts[0] if isinstance(parts[0], Phrase) else self.lead
            asked = wished([*named, *said], self.telling.is_somebody)
            named = []
            if asked is None:
                self._speak_of(parts)
            elif asked and is_topic(asked) and at + 1 < len(segments):
                orders = is_order(segments[at + 1])
                self._speak_of(asked)
                topic = [] if self._calls(asked) else asked
                named = asked if self._calls(asked) and not orders else []
            elif asked:
                self._check_topic(topic, asked)
                yield about(asked, topic)

    @staticmethod
    def _check_topic(topic: Sequence[Part], asked: Sequence[Part]) -> None:
        """Raise Unclear where something was named and what is asked for does not speak of it."""
        spoken = any(isinstance(p, Phrase) and p.pronoun for p in asked)
        if topic and not spoken and about(asked, topic) == [*asked]:
            raise Unclear(f"what about '{' '.join(p.text for p in topic)}'?")

    def _calls(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment only calls somebody."""
        things = [t for p in parts if isinstance(p, Phrase) for t in p.things]
        return bool(things) and all(map(self.telling.is_somebody, things))

    def _speak_of(self, parts: Sequence[Part]) -> None:
        """Keep what a segment names: a pronoun may mean it, or one of several."""
        named = [p for p in parts if isinstance(p, Phrase) and not p.pronoun]
        before = takewhile(lambda p: isinstance(p, Word), parts)
        plain = all(_text(p) in FILLING or says_nothing(_text(p)) for p in before)
        first = [self.referents.candidates(p, lambda _: True) for p in named[:1] if plain]
        self.referents.several = first[0] if first else []
        for thing in (t for found in first if len(found) == 1 for t in found):
            known = self.meant.people if self.telling.is_somebody(thing) else self.meant.themes
            known.insert(0, thing)

    def _kin(self, one: Phrase, other: Phrase) -> bool:
        """Return whether two phrases may mean things of one type."""
        above = self.meant.roles.vocabulary.types.ancestors
        kinds = [{self.meant.kinds[t] for t in p.things} for p in (one, other)]
        lines = [{k for kind in of for k in (kind, *above(kind))} - {"object"} for of in kinds]
        return not (kinds[0] and kinds[1]) or bool(lines[0] & lines[1])

    def _named_after(self, segments: list[list[Part]]) -> list[list[Part]]:
        """Return segments with what is named after them in place of its pronoun: ``She has left, Ann.``"""
        found: list[list[Part]] = []
        renamed = False
        for segment_ in segments:
            if renamed and not isinstance(segment_[0], Phrase):
                found[-1] += segment_
                renamed = False
                continue
            renamed = bool(found) and self._renamed(found[-1]) and self._is_name(segment_)
            if renamed:
                found[-1] = [*segment_]  # "the lady by the door, Ann, ..."
                continue
            name, rest = segment_[0], [_text(p) for p in segment_[1:]]
            lone = isinstance(name, Phrase) and not name.pronoun and {*rest} <= AUXILIARIES
            at = self._pronoun(found[-1], name) if found and lone else None
            if at is None:
                found.append(segment_)
            else:
                found[-1][at] = name
        return found

    def _renamed(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment only describes somebody: ``the quiet lady by the door``."""
        first = next((p for p in parts if isinstance(p, Phrase)), None)
        verbs = any(_text(p) in AUXILIARIES for p in parts)
        people = first is not None and len(first.things) > 1 and not first.pronoun
        return (
            people
            and not verbs
            and all(map(self.telling.is_somebody, first.things if first else ()))
        )

    def _is_name(self, parts: Sequence[Part]) -> bool:
        """Return whether a segment is the name of one person and nothing else."""
        name = parts[0]
        return (
            len(parts) == 1
            and isinstance(name, Phrase)
            and len(name.things) == 1
            and self._calls(parts)
        )

    def _pronoun(self, parts: list[Part], name: Part) -> int | None:
        """Return where the pronoun stands that a name may stand for."""
        things = name.things if isinstance(name, Phrase) else ()
        person = any(map(self.telling.is_somebody, things))
        wanted = {"he", "she"} if person else {"it"}
        return next(
            (n for n, p in enumerate(parts) if isinstance(p, Phrase) and p.pronoun in wanted), None
        )

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
        raise first or Unclear("nothing in that was understood to be a change")

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
            return self._part_owner(made)
        if made.verbs:  # "lamp 5 hung on bar 2, plugged into 3"
            told = not (made.subjects() or self.agents)
            participle = is_participle(made.verb)
            goes_on = participle or not (self.task or _is_plain(made.verb))
            order = self.task and made.verb in load_lexicon().lemmas(made.verb)
            return self.theme if told and goes_on and not order else None
        placed = all(r.preposition for r in made.roles)
        return self.theme if placed and not {*made.words} & AUXILIARIES else None

    def _part_owner(self, made: Segment) -> Phrase | None:
        """Return what has a part that a segment only names: ``and shut the lid``, ``..., lid closed``."""
        if self.task and self.found and self.lead is not None and self.lead.every:
            told = dict.fromkeys(sorted({*self.found[-1].things()} & self.meant.kinds.keys()), NAME)
            return replace(self.lead, things=told)  # "all lids should be clean and closed"
        if self.task and self.found:
            things = {*self.found[-1].things(), *(self.subject.things if self.subject else ())}
            return Phrase(("it",), dict.fromkeys(sorted(things & self.meant.kinds.keys()), NAME))
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
        if made.verbs and _is_plain(made.verb) and not (self.task or agents or subject):
            raise Unclear("is that so, or to be done?")

    def _take(self, said: Said) -> None:
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
        self.meant.note(Clause(), self._spoken(said), said.agents)
        self.meant.group = self._together(said) or self.meant.group

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

    def _agents(self, made: Segment) -> list[str]:
        """Return who acts: the subject, or that of the segment before where there is none."""
        subjects = made.subjects()
        if self._is_active(made, subjects):
            made.passive = False  # "she's set it down", "Ann opened the box"
        if not subjects and made.verbs and not self.task:
            return self.agents or self._last_doer(made)
        acting = [r for r in made.roles if r.preposition == "by"] if made.passive else subjects
        named = [person for role in acting for person in self._named(role)]
        return named or (self.labelled if made.passive or not made.verbs else [])

    def _named(self, role: Role) -> list[str]:
        """Return who a phrase surely means: one, several of whom a pronoun speaks, or in a task all."""
        people, phrase = (
            self.referents.candidates(role.phrase, self.telling.is_somebody),
            role.phrase,
        )
        many = phrase.is_group or (self.task and phrase.every)
        return people if many != (len(people) == 1) or (many and not phrase.is_group) else []

    def _last_doer(self, made: Segment) -> list[str]:
        """Return who did the last thing that was told, for a line that leaves out who does the next one."""
        if _is_plain(made.verb):
            return []
        last = next(iter(self.meant.discourse.recent("people")), None)
        objects = [self.referents.candidates(r.phrase, lambda _: True) for r in made.objects()]
        here = None if last is None else self.changes.zone_of(last)
        near = all(any(self.changes.zone_of(t) == here for t in things) for things in objects)
        return [last] if last is not None and here is not None and near else []

    def _is_active(self, made: Segment, subjects: Sequence[Role]) -> bool:
        """Return whether what looks passive is what a subject does."""
        bare = not {*made.words} & AUXILIARIES
        acts = made.passive and (bool(made.objects()) or bare)
        return acts and any(map(self._may_act, subjects))

    def _label(self, parts: Sequence[Part]) -> list[str]:
        """Return who is named before a colon at the beginning of a sentence."""
        if len(parts) < 3 or _text(parts[1]) != ":" or not self._calls(parts[:1]):
            return []
        name, theme = parts[0], next((p for p in parts[2:] if isinstance(p, Phrase)), None)
        zones = self.reader.denoting.roles.zones
        moves = theme is None or any(
            self.meant.roles.is_a(self.meant.kinds[t], zones) for t in theme.things
        )
        return [*name.things] if isinstance(name, Phrase) and not moves else []

    def _may_act(self, role: Role) -> bool:
        """Return whether a phrase speaks of somebody."""
        phrase = role.phrase
        return phrase.pronoun in ("he", "she", "they") or any(
            map(self.telling.is_somebody, phrase.things)
        )

    # ---- what tells which one is meant --------------------------------------------------------------

    def _variants(self, parts: Sequence[Part]) -> Iterator[list[Part]]:
        """Yield a segment as it is, and with phrases that tell which thing the one before them means."""
        places = [p for p in self._places(parts) if not (self.task and _is_going(parts, p))][:_MOST]
        sure = [
            p for p in places if self.task and (_is_before_verb(parts, p) or _is_taken(parts, p))
        ]
        ways = [c for size in range(len(places) + 1) for c in combinations(places, size)]
        for chosen in sorted(ways, key=lambda way: not {*sure} <= {*way}):
            made = self._merged(parts, chosen)
            if made is not None:
                yield made

    @staticmethod
    def _places(parts: Sequence[Part]) -> Iterator[tuple[int, int]]:
        """Yield where a phrase is followed by another one after prepositions."""
        for at, part in enumerate(parts):
            after = at + 1
            while after < len(parts) and _text(parts[after]) in PREPOSITIONS:
                after += 1
            if (
                isinstance(part, Phrase)
                and at + 1 < after < len(parts)
                and isinstance(parts[after], Phrase)
            ):
                yield at, after

    def _merged(
        self, parts: Sequence[Part], chosen: Sequence[tuple[int, int]]
    ) -> list[Part] | None:
        made: list[Part | None] = [*parts]
        for at, after in reversed(chosen):
            one, other = made[at], made[after]
            if not (isinstance(one, Phrase) and isinstance(other, Phrase)):
                return None
            things = self.referents.narrowed(one, other, self.agents)
            if not things:
                return None
            made[at] = replace(one, things=things, rank=None if not one.things else one.rank)
            made[at + 1 : after + 1] = [None] * (after - at)
        return [part for part in made if part is not None]


def _is_before_verb(parts: Sequence[Part], place: tuple[int, int]) -> bool:
    """Return whether a phrase and what is after its preposition are before a verb: ``nets in the loft``."""
    at, after = place
    began = any(_text(p) in AUXILIARIES or is_verb(_text(p)) for p in parts[:at] if _text(p))
    return not began and any(
        _text(p) in AUXILIARIES or is_participle(_text(p)) for p in parts[after:]
    )


def _is_going(parts: Sequence[Part], place: tuple[int, int]) -> bool:
    """Return whether what stands between two phrases only says where something is to go: ``onto``."""
    return not GOING.isdisjoint(map(_text, parts[place[0] + 1 : place[1]]))


def _is_taken(parts: Sequence[Part], place: tuple[int, int]) -> bool:
    """Return whether a phrase means all that is taken from somewhere: ``all the cups from the hall``."""
    phrase = parts[place[0]]
    return isinstance(phrase, Phrase) and phrase.every and _text(parts[place[0] + 1]) in FROM


def _apart(segments: Sequence[Sequence[Part]]) -> Iterator[list[Part]]:
    """Yield segments with what is to be so beside them in one of its own: ``..., with the lid shut``."""
    for parts in segments:
        at = next((n for n in range(1, len(parts) - 2) if _text(parts[n]) == "with"), 0)
        beside, state = parts[at + 1 :], _text(parts[-1])
        named = sum(isinstance(p, Phrase) for p in beside) < 2
        whole = named and PREPOSITIONS.isdisjoint(map(_text, beside))
        if at and whole and (states_of(state) or is_participle(state)):
            yield [*parts[:at]]
            yield [*beside]
        else:
            yield [*parts]


def _told_apart(parts: Iterable[Part]) -> tuple[list[Phrase], list[Phrase]]:
    """Return what a correction names, and what it names after ``not``."""
    right, wrong, denied = list[Phrase](), list[Phrase](), False
    for part in parts:
        if isinstance(part, Word):
            denied = part.text == "not" or (denied and part.text not in (",", "but", ";"))
        elif not part.pronoun:
            (wrong if denied else right).append(part)
    return right, wrong


def _is_plain(verb: str) -> bool:
    """Return whether a verb has the form of an order."""
    return verb in load_lexicon().lemmas(verb) and not is_participle(verb)


def _text(part: Part) -> str:
    return part.text if isinstance(part, Word) else ""
