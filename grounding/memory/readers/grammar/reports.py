"""The grammar's reading of a report: sentences → clauses → an utterance, taken in like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from commonground.grounding.english.utterance import Clause as UtteredClause
from commonground.grounding.english.utterance import Part, Steps, Utterance
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.clauses import ClauseReader
from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.sentence import Cleaner, Sentence
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.interpretation.discourse import Discourse, topic_of
from commonground.grounding.memory.interpretation.events import Event
from commonground.grounding.memory.interpretation.house import House
from commonground.grounding.memory.interpretation.reading import Reading
from commonground.grounding.memory.interpretation.unclear import CERTAIN, Unclear
from commonground.grounding.memory.readers.grammar.assertion import Assertions, is_cleft
from commonground.grounding.memory.readers.grammar.frames.clause_frames import Frames
from commonground.grounding.memory.readers.grammar.frames.mentions import Mentions
from commonground.grounding.memory.readers.grammar.phrases.noun_phrases import NounPhrases
from commonground.grounding.memory.readers.senses.event_table import Said
from commonground.grounding.memory.readers.senses.reports import Reports


class Narration:
    """Puts clauses in order and supplies their subjects."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def in_order(self, clauses: Sequence[Clause]) -> Iterator[Clause]:
        """Yield the clauses that report something, in the order in which it happened."""
        ordered: list[Clause] = []
        for clause in clauses:
            if _is_before(clause) and clause.governor in ordered:
                ordered.insert(ordered.index(clause.governor), clause)
            elif clause.kind == "adverbial" and clause.link in ("after", "once") and ordered:
                ordered.insert(0, clause)
            else:
                ordered.append(clause)
        for at, clause in enumerate(ordered):
            self._complete(clause, ordered[at + 1 :])
            yield clause

    def _complete(self, clause: Clause, later: Sequence[Clause]) -> None:
        """Supply the subject of ``Just put it back`` and of a clause in front of its main clause."""
        verb = clause.verb
        if (
            clause.subject is None
            and clause.kind in ("gerund", "adverbial")
            and not clause.existential
        ):
            clause.subject = next((c.subject for c in later if c.kind == "main"), None)
        if (
            clause.subject is None
            and verb is not None
            and clause.kind == "main"
            and verb.form == "past"
        ):
            base = verb.lemma in self.lexicon.lemmas(
                _last_word(clause, verb.lemma)
            ) and "base" in self.lexicon.lemmas(_last_word(clause, verb.lemma)).get(
                verb.lemma, set()
            )
            if not base:
                clause.subject = Mention("pronoun", "i", 0, 0, pronoun="i")


def _last_word(clause: Clause, lemma: str) -> str:
    return next((w for w in clause.text if w == lemma), "")


def _is_before(clause: Clause) -> bool:
    """Return whether a relative clause tells of what was before that which it belongs to.

    ``tossed the mug to Ben, who caught it``: what takes up the clause before it came after it.
    """
    if clause.kind != "relative" or is_cleft(clause) or clause.does("keep retain"):
        return False
    taken_up = (m for m in clause.objects if m.kind == "pronoun" and m.pronoun in ("it", "they"))
    return clause.restrictive or not any(taken_up)


class ReportReader:
    """Reads reports about one world."""

    def __init__(self, reports: Reports, lexicon: Lexicon) -> None:
        self.reports = reports
        self.names = names = reports.calling.names
        self.lexicon = lexicon
        self.grammar = NounPhrases(names, lexicon)
        self.cleaner = Cleaner(lexicon, names.name_at)
        self.narration = Narration(lexicon)
        self.assertions = Assertions(lexicon)

    # ---- the main path ------------------------------------------------------------------------

    def read(
        self, text: str, view: View, discourse: Discourse, speaker: str | None = None
    ) -> Reading:
        """Return what a report says happened, in the light of what is believed and was said before."""
        parsed = [self.cleaner.clean(tokens) for tokens in sentences(text)]
        told = tuple(discourse.before.events)
        frames = self.frames(view, told, speaker)
        times = tuple(t for sentence in parsed for t in sentence.times)
        try:
            said = Said(self._utterance(parsed, frames), speaker, told, discourse.previous)
        except Unclear as unclear:
            return Reading("ask", question=str(unclear), times=times, candidates=unclear.candidates)
        reading = replace(self.reports.read(said, view), times=times)
        discourse.now = topic_of(reading.spoken)
        asserted, unsure = reading.facts, reading.aside or reading.facts
        if reading.events and self.assertions.is_missed(text):
            return Reading("ask", question="is that so now?", times=times, unreal=True)
        hedged = bool(reading.aside) or self.assertions.has_hedge(text)
        if hedged and (reading.events or reading.aside):
            return Reading(
                "ask", question=CERTAIN, times=times, aside=unsure, offers=(reading.offered(),)
            )
        if reading.events or reading.status == "ask":
            return reading
        why, unreal = self._why_unkept(parsed, frames), self._is_unreal(parsed)
        return Reading("none", asserted, question=why, times=times, unreal=unreal)

    def frames(self, view: View, told: Sequence[Event], speaker: str | None) -> Frames:
        """Return what reads clauses in the light of what is believed and was said before."""
        return Frames(Mentions(self.names, House(self.names, view), told, speaker), self.lexicon)

    def _utterance(self, parsed: Sequence[Sentence], frames: Frames) -> Utterance:
        """Return what sentences say; Unclear where somebody is named whom nobody knows."""
        for sentence in parsed:
            self._take_in(sentence, frames)
        if frames.channel is not None:
            raise Unclear("which screen shows it?")
        lost = (frames.mentions.phrase(m) for m in frames.unplaced)
        asked = [UtteredClause("put", "tell", theme=theme) for theme in lost]
        return Utterance((Part(Steps("in order", (*frames.said, *asked))),))

    def _take_in(self, sentence: Sentence, frames: Frames) -> None:
        """Take in what a sentence says has happened, with what it is not certain about."""
        if sentence.question or self.assertions.is_habit(sentence):
            for clause in self.clauses(sentence):
                frames.note(clause)
            return
        words = [t.text for t in sentence.tokens]
        frames.swapped = self.lexicon.swap_signs.find(words) is not None
        for clause in self.narration.in_order(self.clauses(sentence)):
            frames.begin(clause)
            for who in (clause.agent, clause.subject):
                frames.mentions.note_subject(who)
            if self.assertions.is_real(clause):
                frames.take(clause, "maybe" if self.assertions.is_hedged(clause) else "")
            else:
                frames.background(clause)
                frames.note(clause)

    def _why_unkept(self, parsed: Sequence[Sentence], frames: Frames) -> str:
        """Return why a report without events leaves nothing to remember."""
        clauses = (
            c for sentence in parsed if not sentence.question for c in self.clauses(sentence)
        )
        return why_unkept(filter(self.assertions.is_real, clauses), frames)

    def _is_unreal(self, parsed: Sequence[Sentence]) -> bool:
        """Return whether a text asks, wishes, orders or supposes."""
        if parsed and parsed[-1].question:
            return True  # "the mat in the den? Ben took it" only names it so
        clauses = (c for sentence in parsed for c in self.clauses(sentence))
        deeds = (c for c in clauses if c.verb is not None and c.kind != "relative")
        return any(map(self.assertions.is_fancy, deeds))

    def clauses(self, sentence: Sentence) -> list[Clause]:
        """Return the clauses of a sentence."""

        return ClauseReader(sentence.tokens, self.grammar.parse, self.lexicon).read()


_MOVING = frozenset(["place", "take", "transport", "go", "hold"])


def why_unkept(clauses: Iterable[Clause], frames: Frames) -> str:
    """Return what to say of clauses that told nothing, empty where there is nothing to explain."""
    for clause in clauses:
        moves = bool(frames.classes(clause) & _MOVING) or bool(clause.places)
        if not moves or frames.is_negated(clause):
            continue
        fixed = _fixture(clause, frames)
        if fixed is not None:
            return f"'{fixed}' has a fixed place in this world, so a new one is not remembered"
    return ""


def _fixture(clause: Clause, frames: Frames) -> str | None:
    """Return the name of what a clause moves, if it is a thing that nothing here can move."""
    subject = [clause.subject] if clause.subject is not None else []
    themes = clause.objects or subject
    for mention in themes[:1]:
        if mention.kind != "thing" or frames.is_items(mention) or frames.can_act(mention):
            continue
        if frames.mentions.may_be(mention, frames.names.is_fixture):
            return mention.words
    return None
