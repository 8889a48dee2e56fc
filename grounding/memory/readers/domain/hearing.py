"""Reports, corrections and tasks at a memory whose domain nobody described: read by what the domain says.

What is not wholly understood this way is asked about, or left to a model where one is set up.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.english.asking_back import quoted
from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs import conversation
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.retractions import beyond, may_correct, retracts
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.interpretation.discourse import Discourse, Topic
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Offer, Reading
from commonground.grounding.memory.interpretation.unclear import CERTAIN, Unclear
from commonground.grounding.memory.readers.domain.attribution import stamped
from commonground.grounding.memory.readers.domain.reader import DomainReader
from commonground.grounding.memory.readers.domain.speakers import Speaking
from commonground.grounding.memory.rewriting.normalizing import without_arrows
from commonground.grounding.words.closed import NO_TITLE

if TYPE_CHECKING:
    from commonground.grounding.knowledge.index import View
    from commonground.grounding.memory.memory import Memory


class Hearing:
    """Takes in what the domain's own words tell."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.reader = DomainReader(memory.names, memory.store.groups)
        self.speaking = Speaking(self.reader.calling)

    def tell(self, text: str, speaker: str | None, now: int) -> Told | None:
        """Take in a report or a correction that is wholly understood; None where it is not."""
        memory, text = self.memory, self.speaking.named(without_arrows(text), speaker)
        self.reader.speaker = self.speaking.speaker
        memory.store.refresh()
        if memory.guard.commands(text, self.reader.sayings.is_deed) is not None:
            return None
        plain, _ = stamped(text)
        if retracts(plain):
            rest = _REST.sub("", beyond(plain)).strip(" .!")
            if memory.last is not None and not rest:
                return memory.putting_right.taken_back(memory.last, text, speaker)
            return self._put_right_beyond(rest, speaker)
        if memory.last is not None and self._may_correct(plain):
            put_right = self._corrected(memory.last, plain, speaker)
            if put_right is not None:
                return put_right
        elif may_correct(plain, weak=False):
            text = _without_opener(text)  # the report that it corrects was not understood
        before = copy.deepcopy(memory.discourse.now)
        talk = self._talk(before)
        reading = self.reader.read(text, memory.store.facts, talk)
        if reading.status != "ok":
            return self._asked(reading, text, talk)
        taken = memory.believing.believe(reading, Source("person", speaker or "", text), now)
        if taken.status == "ask":
            return taken
        self._keep(talk, taken, LastReport(taken.tx or 0, text, speaker, now, (), before))
        return taken

    def _corrected(self, last: LastReport, plain: str, speaker: str | None) -> Told | None:
        """Put the last report right, or ask what was meant; None for what may only go on."""
        surely = may_correct(plain, weak=False)
        weakly = not (surely or _NO.match(plain))
        put_right = self._put_right(last, plain, speaker, weakly=weakly)
        return self._asked_instead() if put_right is None and surely else put_right

    def _put_right_beyond(self, rest: str, speaker: str | None) -> Told | None:
        """Put the last report right by what is said beyond taking it back; None where nothing is."""
        memory = self.memory
        if not self.reader.named_in(rest, memory.store.facts, memory.discourse):
            return None
        put_right = self._put_right(memory.last, rest, speaker) if memory.last else None
        return put_right or self._asked_instead()

    def _may_correct(self, text: str) -> bool:
        """Return whether a text speaks of a mistake; words that may mean more only where it begins."""
        weak = load_lexicon().correct_weak
        begun = [t for s in sentences(text)[:1] for t in s]
        said = [t.text for t in begun if not t.is_mark]
        if may_correct(text, weak=False):
            return True
        denies = said[:1] == ["no"] and any(
            t.is_mark for t in begun[1:2]
        )  # not "no tray was moved"
        return denies or bool(said and weak.match(said, 0))

    def _asked_instead(self) -> Told | None:
        """Return the question of what was meant; None where a model may be asked instead of the speaker."""
        last = self.memory.last
        of = f" of {quoted(last.text)}" if last is not None else ""
        asked = Told("ask", question=f"what was meant instead{of}?")
        return asked if self.memory.modeled is None else None

    def _asked(self, reading: Reading, text: str, talk: Discourse) -> Told | None:
        """Return the question about a report; None where a model may be asked instead of the speaker."""
        memory = self.memory
        if memory.modeled is not None:
            return None
        offers = self._vouched_for(text) if reading.question.endswith(CERTAIN) else ()
        if self.reader.named_in(text, memory.store.facts, talk):
            talk.forget()  # "it" may be what was not understood, and "strike that" is about it
        self.reader.note_named(text, memory.store.facts, talk)
        memory.discourse.now, memory.discourse.before = talk.now, talk.before
        memory.last = None
        conversation.save(memory.store, memory.discourse, None)
        return replace(Told.but(reading), offers=offers)

    def _vouched_for(self, text: str) -> tuple[Offer, ...]:
        """Return what a report tells without its words of doubt, if somebody vouches for it."""
        plain = _HEDGE.sub("", text).strip(" ,")
        reading = self._again(plain) if plain != text else None
        return (reading.offered(),) if reading and reading.status == "ok" else ()

    def offline(self, text: str, speaker: str | None) -> Reading:
        """Return what a report is read to say; nothing of it is taken in."""
        return self._again(self.speaking.named(without_arrows(text), speaker))

    def _again(self, text: str) -> Reading:
        """Return what a text says as of what was spoken of before; nothing of it is kept."""
        talk = self._talk(copy.deepcopy(self.memory.discourse.now))
        return self.reader.read(text, self.memory.store.facts, talk)

    def _talk(self, before: Topic) -> Discourse:
        talk = Discourse(
            before, copy.deepcopy(self.memory.discourse.before), self.memory.discourse.previous
        )
        earlier = copy.deepcopy(talk.before)
        talk.next_report()
        if talk.before is not earlier:  # people are spoken of again after a while
            known = talk.before.people
            known += [person for person in earlier.people if person not in known][:_RECALLED]
        return talk

    def _keep(self, talk: Discourse, taken: Told, last: LastReport) -> None:
        memory = self.memory
        memory.discourse.now, memory.discourse.before = talk.now, talk.before
        memory.last = last if taken.tx is not None else memory.last
        conversation.save(memory.store, memory.discourse, memory.last)

    # ---- corrections ----------------------------------------------------------------------------

    def _put_right(
        self, last: LastReport, text: str, speaker: str | None, *, weakly: bool = False
    ) -> Told | None:
        """Believe a correction instead of the last report; None where it is not understood."""
        memory, source = self.memory, Source("person", speaker or "", text)
        talk = self._talk(copy.deepcopy(memory.discourse.now))
        said = text

        def read(view: View) -> Reading:
            nonlocal said
            plain = _without_opener(text)
            reading, said = self._instead(last, plain, talk, view, weakly=weakly)
            if reading.status != "ok":
                raise Unclear(reading.question)
            return reading

        try:
            _, taken = memory.putting_right.instead_of(last, source, read)
        except (GroundingError, Unclear):
            return None
        kept = LastReport(taken.tx or last.tx, said, last.speaker, last.at_ns, (), last.topic)
        self._keep(talk, taken, kept)
        return taken

    def _instead(
        self, last: LastReport, text: str, talk: Discourse, facts: View, *, weakly: bool
    ) -> tuple[Reading, str]:
        """Return what a correction says by itself, or the last report with what it names instead.

        What says something that has nothing to do with the last report puts right none of it.
        """
        told = self.reader.without_mistake(text, facts, talk)
        first, *after = _SENTENCES.split(told)

        def read(said: str, *, denying: bool = False) -> Reading:
            same = Discourse(copy.deepcopy(talk.now), copy.deepcopy(talk.before), talk.previous)
            return self.reader.read(said, facts, same, denying=denying)

        before = self.reader.read(last.text, facts, self._talk(copy.deepcopy(last.topic))).facts
        mistaken = {t for f in before for t in (f.subject, f.object)}
        rest = [
            s
            for s in after
            if not mistaken >= self.reader.named_in(s, facts, talk) or read(s).status == "ok"
        ]
        said = self.reader.replaced(last.text, first, before, facts, talk)
        if said is not None:
            said = ". ".join((said.rstrip(" .!"), *rest))
        whole = read(told, denying=True)
        if whole.status == "ok" and not (said is not None and _DENYING.search(first)):
            changed = read(said).facts if said is not None else ()
            if said is None or not _keeps(changed, before, whole.facts):
                said = self._by_itself(last.text, told, before, whole.facts, weakly=weakly)
        if said is None:
            raise Unclear("what was meant instead?")
        return self.reader.read(said, facts, talk, denying=said == told), said

    def _by_itself(
        self, text: str, told: str, before: Sequence[Fact], instead: Sequence[Fact], *, weakly: bool
    ) -> str:
        """Return a correction that says by itself what is so, with the report where it tells a part anew."""
        if not _is_of(before, instead, weakly=weakly):
            raise Unclear("what was meant instead?")
        return ". ".join((text.rstrip(" .!"), told)) if self._is_part(before, instead) else told

    def _is_part(self, told: Sequence[Fact], instead: Sequence[Fact]) -> bool:
        """Return whether a correction replaces only a part of what the last report told."""
        placed = {(f.subject, f.relation) for f in instead if not f.is_property}
        replaced = [f for f in told if (f.subject, f.relation) in placed]
        about = {term for f in (*instead, *replaced) for term in (f.subject, f.object)}
        about = {t for t in about if not self.reader.is_place(t)}
        rest = (f for f in told if f.subject not in about and f.object not in about)
        return bool(replaced) and any(f.subject in self.reader.calling.kinds for f in rest)

    # ---- tasks --------------------------------------------------------------------

    def wanted(self, text: str, speaker: str | None) -> Wanted | None:
        """Return the goal of a task, or what to ask back; None where a model is better asked."""
        memory, text = self.memory, self.speaking.named(without_arrows(text), speaker)
        memory.store.refresh()
        if memory.guard.commands(text, self.reader.sayings.is_deed) is not None:
            return None  # an order to the memory itself
        wanted = self.reader.wanted(text, memory.store.facts, memory.discourse)
        return wanted if wanted.status == "ok" or memory.modeled is None else None


_RECALLED = 6
"""So many of those spoken of before the last report may still be meant."""
_REST = re.compile(
    r"^(?:(?:the|that|my)\s+)?(?:last|report|line|entry|bit|part)?(?:\s+(?:one|report|line|entry|bit))?[\s,.:;]*",
    re.IGNORECASE,
)
"""What may follow "scratch that" and says no more than which report."""
_OPENERS = sorted(
    ["no", *(str(p) for key in ("correct", "correct_weak") for p in load_lexicon().data[key])],
    key=len,
    reverse=True,
)
_OPENER = re.compile(
    rf"^(?:(?:{'|'.join(map(re.escape, _OPENERS))}|that)[\s,.:;–-]+)+", re.IGNORECASE
)


_HEDGES = sorted(map(str, load_lexicon().data["hedges"]), key=len, reverse=True)
_HEDGE = re.compile(
    rf"\b(?:{'|'.join(map(re.escape, _HEDGES))})"
    r"\b,?(?:\s+that\b)?\s*",
    re.IGNORECASE,
)
"""A word of doubt, with what binds it to what it doubts."""


_SENTENCES = re.compile(rf"{NO_TITLE}[.!;]\s+(?=\S)", re.IGNORECASE)
_NO = re.compile(r"\s*no\b", re.IGNORECASE)
_DENYING = re.compile(r"\bnot\b", re.IGNORECASE)


def _is_of(told: Sequence[Fact], instead: Sequence[Fact], *, weakly: bool = False) -> bool:
    """Return whether what is said instead has to do with what was told: a thing or a relation is the same.

    ``weakly``: it may go on rather than correct, and so tells the same relation anew: ``well, …``.
    """
    terms = [[(f.relation,) if weakly else f for f in of] for of in (told, instead)]
    about = [{t for term in of for t in term} for of in terms]
    return not all(about) or bool((about[0] & about[1]) - {TRUE, FALSE})


def _keeps(changed: Sequence[Fact], before: Sequence[Fact], instead: Sequence[Fact]) -> bool:
    """Return whether a changed report tells what is said instead, and the same of other things as before."""
    things = {t for f in instead for t in (f.subject, f.object)} - {TRUE, FALSE}
    kept = [f for f in before if things.isdisjoint((f.subject, f.object))]
    return {*instead, *kept} <= {*changed} and _is_of(before, instead)


def _without_opener(text: str) -> str:
    """Return a correction without the words that only say that it is one."""
    return _OPENER.sub("", text.strip())
