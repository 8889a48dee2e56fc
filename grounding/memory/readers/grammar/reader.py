"""The hand-written reader of English at work on one memory: reports, corrections and tasks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from commonground.grounding.english.utterance import Utterance
from commonground.grounding.knowledge.index import View
from commonground.grounding.knowledge.records import Source
from commonground.grounding.memory.beliefs.conversation import LastReport
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.retractions import beyond, may_correct, retracts
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.effects import Effects
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.house import Accepts, Setting
from commonground.grounding.memory.interpretation.outcome import Told
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.names import Names
from commonground.grounding.memory.readers.grammar.frames.mentions import Mentions
from commonground.grounding.memory.readers.grammar.reports import ReportReader
from commonground.grounding.memory.readers.grammar.requests import RequestReader
from commonground.grounding.memory.readers.senses.event_table import Said
from commonground.grounding.memory.readers.senses.remarks import exchanged, filling, kinds
from commonground.grounding.memory.readers.senses.resolver import Resolver
from commonground.grounding.memory.retrieval.query import named_in

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory


@dataclass(frozen=True, slots=True)
class _Calls:
    """Tells which one thing a noun phrase means."""

    mentions: Mentions
    resolver: Resolver

    def one(self, mention: Mention, accepts: Accepts, setting: Setting | None = None) -> str | None:
        """Return the one thing a phrase means; None where there is none such, or several."""
        if not self.mentions.may_be(mention, accepts):
            return None
        try:
            phrase = self.mentions.one(mention)
            return None if phrase is None else self.resolver.one(phrase, accepts, setting)
        except Unclear:
            return None


class Corrector:
    """Reads corrections of a world's reports."""

    def __init__(self, reader: ReportReader) -> None:
        self.reader = reader
        self.names: Names = reader.names

    def read(
        self, text: str, events: Sequence[Event], view: View, speaker: str | None
    ) -> list[Event]:
        """Return events as a text says they were; none where it puts nothing right."""
        right, wrong = self._mentions(text)
        reports, mentions = self.reader.reports, self.reader.frames(view, (), speaker).mentions
        resolver = reports.roles(Said(Utterance(()), speaker), reports.effects(view)).resolver
        calls = _Calls(mentions, resolver)
        if self._is_of_others(right, events, calls):
            return []
        if not wrong and self._is_of_one(right, events, calls):
            return []
        rooms, new = filling(events, self.names.is_room), dict[str, str]()
        for mention in right:
            for accepts in kinds(resolver.house):
                meant = calls.one(mention, accepts, Setting(tuple(rooms)))
                old = self._old(filling(events, accepts), wrong, accepts, calls)
                if meant is not None and old is not None and old not in new:
                    if meant != old:
                        new[old] = meant
                    break
        return exchanged(events, new, self.names) if new else []

    def _is_of_others(
        self, right: Sequence[Mention], events: Sequence[Event], calls: _Calls
    ) -> bool:
        """Return whether a text speaks of two things that the last report did not: ``she mixed up …``."""
        is_item, may_be = self.names.is_item, calls.mentions.may_be
        named = (m for m in right if m.kind == "thing" and m.ordinal is None)
        things = [m for m in named if may_be(m, is_item)]
        found = (calls.one(mention, is_item) for mention in things)
        told = filling(events, is_item)
        return len(things) > 1 and all(thing not in told for thing in found)

    def _is_of_one(self, right: Sequence[Mention], events: Sequence[Event], calls: _Calls) -> bool:
        """Return whether a text tells of one of several things of the last report: that is a new report."""
        told, is_item = filling(events, self.names.is_item), self.names.is_item
        return len(told) > 1 and any(calls.one(mention, is_item) in told for mention in right)

    def _old(
        self,
        old_ones: list[str],
        wrong: list[Mention],
        accepts: Callable[[str], bool],
        calls: _Calls,
    ) -> str | None:
        """Return which part is wrong: the one called so, else the first of its kind."""
        named = (calls.one(mention, accepts) for mention in wrong)
        found = next((thing for thing in named if thing in old_ones), None)
        return found or (old_ones[0] if old_ones else None)

    def _mentions(self, text: str) -> tuple[list[Mention], list[Mention]]:
        """Return the phrases that are meant and those that were wrong."""
        right: list[Mention] = []
        wrong: list[Mention] = []
        for tokens in sentences(text):
            for clause in self.reader.clauses(self.reader.cleaner.clean(tokens)):
                negated = clause.negated or (clause.verb is not None and clause.verb.negated)
                (wrong if negated else right).extend(_flat(clause))
                wrong += clause.excluding
                wrong += [m for p, m in clause.places if p == "instead of"]
        return [
            m for m in right if m not in wrong and m.kind not in ("pronoun", "place word")
        ], wrong


def _flat(clause: Clause) -> list[Mention]:
    return [part for mention in clause.mentions for part in (mention.parts or [mention])]


class Grammar:
    """Reads what is said to a memory by rules."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.reader = ReportReader(memory.reports, load_lexicon())
        self.requests = RequestReader(self.reader, memory.wishes)
        self.corrector = Corrector(self.reader)

    def remarked(self, text: str, speaker: str | None, now: int) -> Told | None:
        """Take in an order to the memory, or a remark on the report before; None where a text is neither."""
        order, last = self.memory.guard.commands(text), self.memory.last
        if order is not None:
            return Told("none", question=f"'{order}' is an order to the memory, not a report")
        if last is not None and retracts(text):
            return self._take_back(last, text, speaker, now)
        if last is None or self.memory.settings.backend == "openai":
            return None  # shown the last report, the model corrects by itself
        return self._reread(last, text, speaker) if may_correct(text, weak=False) else None

    def ordered(self, text: str) -> Wanted | None:
        """Return why a task is none: it is an order to the memory; None where it may be one."""
        order = self.memory.guard.commands(text)
        question = f"'{order}' is an order to the memory, not a task"
        return None if order is None else Wanted("ask", question=question)

    def wanted(self, text: str, speaker: str | None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        self.memory.store.refresh()
        return self.ordered(text) or self.requests.read(text, self.memory.store.facts, speaker)

    # ---- taking back and putting right --------------------------------------------------------

    def _take_back(self, last: LastReport, text: str, speaker: str | None, now: int) -> Told:
        """Take the last report back, and take in what the text says besides: what was meant, or is so."""
        memory, rest = self.memory, beyond(text)
        told = bool(rest) and bool(named_in(rest, memory.retriever.calling))
        whole = told and self._reads(rest, speaker)
        corrected = self._reread(last, rest, speaker) if told and not whole else None
        if corrected is not None:
            return corrected
        question = memory.both.asked(rest, speaker, now) if told else ""
        if question:  # what was meant instead is not known yet
            return Told("ask", question=question)
        taken = memory.putting_right.taken_back(last, text, speaker)
        return memory.tell(rest, speaker, now).after(taken, memory.store.facts) if told else taken

    def _reads(self, text: str, speaker: str | None) -> bool:
        facts = self.memory.store.facts
        return self.reader.read(text, facts, Discourse(), speaker).status == "ok"

    def _reread(self, last: LastReport, text: str, speaker: str | None) -> Told | None:
        """Read the last report again with what a text puts right in it; None where it puts nothing right."""
        memory = self.memory
        facts = memory.store.facts
        meant = self.corrector.read(text, last.events, facts, speaker or last.speaker)
        if not meant:
            return None
        source = Source("person", speaker or "", text)
        return memory.putting_right.or_ask(last, source, lambda view: self._applied(meant, view))

    def _applied(self, events: Sequence[Event], view: View) -> Reading:
        """Return what events make so in the light of what is believed."""
        effects = Effects(self.memory.names, self.memory.store.groups, view)
        told = tuple(effects.apply_all(events))
        made, ended = tuple(effects.asserted), tuple(effects.retracted)
        return Reading("ok", made, ended, events=told, spoken=told)
