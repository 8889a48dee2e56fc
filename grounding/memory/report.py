"""The offline reading of a report: sentences → clauses → events → facts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.grounding.knowledge.groups import Groups
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.assertion import Assertions
from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.effects import Effects
from commonground.grounding.memory.elided import with_has
from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.clauses import ClauseReader
from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.sentence import Cleaner, Sentence
from commonground.grounding.memory.english.spelling import Speller
from commonground.grounding.memory.english.tokens import Token, sentences
from commonground.grounding.memory.english.words import FUNCTION_WORDS
from commonground.grounding.memory.events import Event, Go, Have, Somewhere, themes_of
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.linking import Linker
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.narration import Narration
from commonground.grounding.memory.phrases.noun_phrases import NounPhrases
from commonground.grounding.memory.reading import Reading
from commonground.grounding.memory.topics import Topics
from commonground.grounding.memory.unclear import Unclear


class ReportReader:
    """Reads reports about one world."""

    def __init__(self, names: Names, groups: Groups, lexicon: Lexicon) -> None:
        self.names = names
        self.groups = groups
        self.lexicon = lexicon
        self.grammar = NounPhrases(names, lexicon)
        self.cleaner = Cleaner(lexicon, names.name_at)
        self.narration = Narration(lexicon)
        self.assertions = Assertions(lexicon)
        self.topics = Topics(names)
        self.speller = Speller(self._name_words(), FUNCTION_WORDS, lexicon.words())

    def _name_words(self) -> set[str]:
        """Return every word that the names of this world consist of."""
        phrases = (
            *self.names.people,
            *self.names.values,
            *self.names.nouns,
            *self.names.attributes,
        )
        return {word for words in phrases for word in words} | set(self.names.meanings.hands)

    # ---- the main path ------------------------------------------------------------------------

    def read(
        self, text: str, view: View, discourse: Discourse, speaker: str | None = None
    ) -> Reading:
        """Return what a report says happened, in the light of what is believed and was said before."""
        written = with_has(text, self.names.is_named_person)
        parsed = [self.cleaner.clean(tokens) for tokens in self.tokens(written)]
        times = tuple(t for sentence in parsed for t in sentence.times)
        frames = self.frames(view, discourse, speaker)
        effects = frames.effects
        events: list[Event] = []
        doubtful: list[Event] = []
        try:
            for sentence in parsed:
                doubtful += self._take_in(sentence, frames, events)
        except Unclear as unclear:
            return Reading("ask", question=str(unclear), times=times)
        question = self._left_open(events, discourse)
        if question:
            return Reading("ask", question=question, times=times)
        events += effects.apply_all(_brought_along(events))
        doubtful = effects.apply_all(_unconfirmed(doubtful, events))
        asserted, retracted = tuple(effects.asserted), tuple(effects.retracted)
        if events and self.assertions.is_missed(text):
            return Reading("ask", question="is that so now?", times=times, unreal=True)
        hedged = bool(doubtful) or self.assertions.has_hedge(text)
        if hedged and (events or doubtful):
            return Reading("ask", question="is that certain?", times=times, aside=asserted)
        if not events:
            why, unreal = self._why_unkept(parsed, frames), self._is_unreal(parsed, frames)
            return Reading("none", asserted, retracted, question=why, times=times, unreal=unreal)
        return Reading("ok", asserted, retracted, tuple(events), times)

    def frames(self, view: View, discourse: Discourse, speaker: str | None) -> Frames:
        """Return what reads clauses in the light of what is believed and was said before."""
        effects = Effects(self.names, self.groups, view)
        linker = Linker(self.names, effects.draft, discourse, speaker)
        return Frames(self.names, linker, effects, discourse, self.lexicon)

    def _left_open(self, events: Sequence[Event], discourse: Discourse) -> str:
        """Return what to ask about: a channel without a screen, a thing that is somewhere else now."""
        if discourse.now.channel is not None:
            return "which screen shows it?"
        placed = {thing for event in events for thing in themes_of(event)}
        lost = next((thing for thing in discourse.now.unplaced if thing not in placed), None)
        return "" if lost is None else f"where is {self.names.things[lost].name} now?"

    def _why_unkept(self, parsed: Sequence[Sentence], frames: Frames) -> str:
        """Return why a report without events leaves nothing to remember."""
        clauses = (
            c for sentence in parsed if not sentence.question for c in self.clauses(sentence)
        )
        return why_unkept((c for c in clauses if self.assertions.is_real(c, frames)), frames)

    def _is_unreal(self, parsed: Sequence[Sentence], frames: Frames) -> bool:
        """Return whether a text asks, wishes, orders or supposes."""
        if parsed and parsed[-1].question:
            return True  # "the mat in the den? Ben took it" only names it so
        clauses = (c for sentence in parsed for c in self.clauses(sentence))
        deeds = [c for c in clauses if c.verb is not None and c.kind != "relative"]
        return any(self.assertions.is_fancy(deed, frames) for deed in deeds)

    def _take_in(self, sentence: Sentence, frames: Frames, events: list[Event]) -> list[Event]:
        """Add what a sentence says has happened; return what it is not certain about."""
        discourse, doubtful = frames.discourse, list[Event]()
        if sentence.question or self.assertions.is_habit(sentence):
            for clause in self.clauses(sentence):
                self.topics.note(clause, [], frames)
            return doubtful
        words = [t.text for t in sentence.tokens]
        frames.swapped = self.lexicon.swap_signs.find(words) is not None
        for clause in self.narration.in_order(self.clauses(sentence)):
            frames.begin(clause)
            self.topics.note_subject(clause, frames)
            real = self.assertions.is_real(clause, frames)
            if not real:
                frames.background(clause)
            found = frames.events(clause) if real else []
            if found and self.assertions.is_hedged(clause):
                doubtful += found
                found = []
            for event in found:
                frames.effects.apply(event)
                events.append(event)
            discourse.now.events = events
            self.topics.note(clause, found, frames)
        return doubtful

    def tokens(self, text: str) -> list[list[Token]]:
        """Return the words of a text, misspelt ones corrected."""
        return [
            [
                t if t.is_mark or t.is_time else replace(t, text=self.speller.correct(t.text))
                for t in tokens
            ]
            for tokens in sentences(text)
        ]

    def clauses(self, sentence: Sentence) -> list[Clause]:
        """Return the clauses of a sentence."""

        return ClauseReader(sentence.tokens, self.grammar.parse, self.lexicon).read()


def _brought_along(events: Sequence[Event]) -> list[Event]:
    """Who carries a thing that is in a room is in that room."""
    placed = [event for event in events if isinstance(event, Somewhere)]
    held = [event for event in events if isinstance(event, Have)]
    return [Go(h.holder, p.room) for p in placed for h in held if {*h.things} <= {*p.things}]


def _unconfirmed(doubtful: Sequence[Event], events: Sequence[Event]) -> list[Event]:
    """Return the doubtful events about things of which nothing certain is said."""
    certain = {thing for event in events for thing in themes_of(event)}
    return [event for event in doubtful if not certain & {*themes_of(event)}]


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
        if not frames.linker.may_be(mention, frames.names.is_fixture):
            continue
        try:
            fixed = frames.linker.one(mention, frames.names.is_fixture)
        except Unclear:  # several are called so: none of them moves
            return mention.words
        return frames.names.things[fixed].name
    return None
