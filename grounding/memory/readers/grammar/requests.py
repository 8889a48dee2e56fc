"""The grammar's reading of a task: wishes, orders, needs and complaints → an utterance → a goal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Part, Phrase, Span, Steps, Utterance
from commonground.grounding.knowledge.index import View
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.mention import Mention, is_none
from commonground.grounding.memory.english.sentence import Sentence
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.interpretation.goals import Wanted
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.grammar.frames.clause_frames import Frames
from commonground.grounding.memory.readers.grammar.frames.states import OPPOSITE
from commonground.grounding.memory.readers.grammar.reports import ReportReader
from commonground.grounding.memory.readers.grammar.wishes import Wishes
from commonground.grounding.memory.readers.senses import event_table
from commonground.grounding.memory.readers.senses import wishes as senses

_FOR_SOMEBODY = frozenset(["serve", "have"])
"""Senses whose agent is to get something."""


class RequestReader:
    """Reads tasks about one world."""

    def __init__(self, reader: ReportReader, goals: senses.Wishes) -> None:
        self.reader = reader
        self.names = reader.names
        self.goals = goals
        self.wishes = Wishes()

    # ---- the main path ------------------------------------------------------------------------

    def read(self, text: str, view: View, speaker: str | None = None) -> Wanted:
        """Return the goal a task asks for, or what to ask back."""
        frames = self.reader.frames(view, (), speaker)
        wished: list[Said] = []
        stated: list[Said] = []
        try:
            for tokens in sentences(text):
                for clause in self._clauses(self.reader.cleaner.clean(tokens)):
                    frames.begin(clause)
                    wish = self._wished(clause, frames)
                    if wish is None:
                        told = self._stated(clause, frames)
                        as_said = self._is_caused(told, frames) or _is_to_be(clause, told)
                        (wished if as_said else stated).extend(told)
                    else:
                        wished += wish
            done = self._done(wished, stated)
        except Unclear as unclear:
            return Wanted("ask", question=str(unclear))
        utterance = Utterance((Part(Steps("in order", tuple(done))),))
        return self.goals.wanted(event_table.Said(utterance, speaker), view)

    def _done(self, wished: Sequence[Said], stated: Sequence[Said]) -> list[Said]:
        """Return what is to be done: what is wished, or else that what is complained of ends."""
        if any(said.sense == "put" for said in wished):
            wished = [said for said in wished if not _is_gone(said)]
        ended = [replace(s, sense=OPPOSITE[s.sense]) for s in stated if s.sense in OPPOSITE]
        return [done for said in wished or ended for done in _for_robot(said)]

    def _clauses(self, sentence: Sentence) -> list[Clause]:
        clauses = [c for c in self.reader.clauses(sentence) if c.kind != "where"]
        return [
            c
            for c in clauses
            if not (
                c.kind == "adverbial"
                and c.link in ("if", "when", "before", "until", "because", "since", "so")
            )
        ]

    def _wished(self, clause: Clause, frames: Frames) -> list[Said] | None:
        """Return what a clause asks for: of things in the plural all; None where it asks for nothing."""
        drink = self._drink(clause, frames)
        wish = self.wishes.wish(clause, frames) if drink is None else None
        if wish is None:
            return None if drink is None else [drink]
        frames.begin(wish)
        for mention in wish.mentions:
            if mention.kind == "thing" and mention.plural and mention.owner is None:
                mention.every = True
        found = frames.take(wish)
        if all(map(_is_gone, found)):
            frames.mentions.uttered.clear()  # what is not there need not be part of what is wished
            frames.said.clear()
        return found

    # ---- complaints -----------------------------------------------------------------------------

    @staticmethod
    def _is_caused(told: Iterable[Said], frames: Frames) -> bool:
        """``get the water flowing``: what the robot is to bring about is no complaint."""
        robots = [*map(frames.mentions.somebody, frames.names.robots)]
        return any(said.agent in robots for said in told)

    def _stated(self, clause: Clause, frames: Frames) -> list[Said]:
        """Return the states a clause says things are in."""
        if clause.verb is None or clause.kind == "relative":
            return []
        try:
            found = frames.take(clause)
        except Unclear:
            return []
        frames.mentions.uttered.clear()  # what is told need not be part of what is wished
        return [said for said in found if said.sense in OPPOSITE]

    # ---- drinks ---------------------------------------------------------------------------------

    def _drink(self, clause: Clause, frames: Frames) -> Said | None:
        """``Bring Ana some coffee``: a vessel with it, whichever, in her hands."""
        drinks = self.names.meanings.file.drinks
        if drinks is None or drinks.holder not in self.names.meanings.relations:
            return None
        liquid = self._liquid(clause, frames)
        people = self._people(clause, frames) if liquid is not None else []
        has_tap = (frames.mentions.may_be(m, self._has_tap) for m in clause.mentions)
        if liquid is None or not people or any(has_tap):
            return None
        ordered = clause.verb is not None and self.wishes.is_order(clause, frames)
        return Said("serve", agent=people[-1 if ordered else 0], content=liquid)

    def _people(self, clause: Clause, frames: Frames) -> list[Phrase]:
        """Return who a clause names that can drink, else who was spoken of last."""
        people = [
            m for m in clause.mentions if frames.can_act(m) and m.pronoun not in ("you", "someone")
        ]
        known = [*frames.mentions.subjects, *frames.mentions.people][:1]
        named = [frames.mentions.one(m) for m in people]
        return [who for who in named if who] or [*map(frames.mentions.somebody, known)]

    def _liquid(self, clause: Clause, frames: Frames) -> Span | None:
        """Return the liquid asked for; None where a certain vessel is named with it."""
        found: Mention | None = None
        for mention in clause.mentions:
            vessel = frames.mentions.may_be(mention, frames.house.is_vessel)
            if frames.may_be_liquid(mention):
                found = mention
            elif mention.content is not None or (mention.kind == "thing" and vessel):
                found = mention.content or found
                if not mention.indefinite:
                    return None
        if found is None or found.thing is None:
            return None
        return frames.mentions.span(self.names.things[found.thing].name, found)

    def _has_tap(self, thing: str) -> bool:
        return self.names.meanings.state_relation("flow", self.names.kind(thing)) is not None


def _is_gone(said: Said) -> bool:
    """Return whether a clause says only where something is no longer."""
    return (said.sense == "take" and said.agent is None) or (said.sense == "have" and said.negated)


def _for_robot(said: Said) -> list[Said]:
    """Return a clause as something to do, without who brings it about: that is the planner's business."""
    said = replace(said, mood="do")
    if _is_gone(said):
        raise Unclear("where should it go?")
    if said.sense == "take":
        return [replace(said, sense="have", source=None)]
    if said.sense == "go to" and said.theme is not None:
        held = replace(said, sense="have", goal=None)
        return [replace(said, theme=None), held]
    return [said if said.sense in (*_FOR_SOMEBODY, "go to") else replace(said, agent=None)]


def _is_to_be(clause: Clause, told: Iterable[Said]) -> bool:
    """Return whether a clause without a verb that would state it says how something is to be.

    ``no water flowing into the sink``; ``bin closed, please``, unless that is what nobody wants.
    """
    verb, subject = clause.verb, clause.subject
    if verb is None or subject is None or clause.kind != "main":
        return False
    none = is_none(subject) and verb.form == "gerund" and not verb.progressive
    return none or (_is_result(clause, verb) and senses.UNWISHED.isdisjoint(s.sense for s in told))


def _is_result(clause: Clause, verb: VerbGroup) -> bool:
    """Return whether a clause has only a participle, of what something is in the end: not ``left open``."""
    bare = verb.form in ("past", "participle") and not (verb.passive or verb.perfect or verb.modal)
    alone = not (clause.objects or clause.words)
    return bare and alone and "participle" in load_lexicon().lemmas(verb.word).get(verb.lemma, ())
