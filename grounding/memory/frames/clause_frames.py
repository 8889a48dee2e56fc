"""Frames: clauses → events, by verb classes and by what types of things stand in which roles.

What an event is depends on the construction first and on the verb second: somebody, a thing and a
place in one clause are a move whatever the verb, unless it is one of those that say otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.events import Deed, Event
from commonground.grounding.memory.frames.absences import AbsenceFrames
from commonground.grounding.memory.frames.beings import BeingFrames
from commonground.grounding.memory.frames.liquids import LiquidFrames
from commonground.grounding.memory.frames.moves import MoveFrames
from commonground.grounding.memory.frames.participants import CHORES
from commonground.grounding.memory.frames.references import ReferenceFrames
from commonground.grounding.memory.frames.transfers import TransferFrames
from commonground.grounding.memory.house import Setting


class Frames(ReferenceFrames, LiquidFrames, TransferFrames, MoveFrames, AbsenceFrames, BeingFrames):
    """Reads clauses in the light of a world and of what was said before."""

    def events(self, clause: Clause) -> list[Event]:
        """Return what a clause says has happened; nothing where it says no such thing."""
        self._unfold(clause)
        roles = self.roles_of(clause)
        for frame in (
            self._same,
            self._taken_back,
            self._attributed,
            self._left_behind,
            self._left_hands,
            self._swap,
            self._contents,
            self._channel,
            self._state,
            self._evacuation,
            self._transfer,
            self._robot_moved,
            self._move,
            self._absence,
            self._being,
            self._going,
            self._holding,
        ):
            found = frame(clause, roles)
            if found is not None:
                return [self._caused(event, clause) for event in found]
        return []

    def _unfold(self, clause: Clause) -> None:
        """``took a walk to the hall`` means ``walked``; ``got a wash`` means ``was washed``."""
        verb = clause.verb
        if verb is None:
            return
        known = self.lexicon.verb(verb.lemma, verb.rest) or self.lexicon.verb(verb.lemma)
        classes = known.classes if known is not None else frozenset()
        if verb.lemma == "do" and any(m.head[-1:] in CHORES for m in clause.objects):
            self._unfold_chore(clause, verb)
        elif classes & {"light", "undergoing"} and verb.modal != "could":
            bare = [Mention("unknown", w, 0, 0, head=(w,)) for w in clause.unknown[-1:]]
            for mention in (*clause.objects, *bare):
                if self._unfold_noun(clause, verb, mention, classes):
                    return

    def _unfold_chore(self, clause: Clause, verb: VerbGroup) -> None:
        """``did the washing-up on the plate``."""
        for _, mention in clause.places:
            if mention.kind in ("thing", "pronoun") and self.is_items(mention):
                clause.verb, clause.objects = replace(verb, lemma="wash"), [mention]

    def _unfold_noun(
        self, clause: Clause, verb: VerbGroup, mention: Mention, classes: frozenset[str]
    ) -> bool:
        """Put the verb that a noun is made of in the place of a verb that says nothing."""
        head = mention.head[-1] if mention.kind == "unknown" and mention.head else ""
        lemma = next(iter(self.lexicon.lemmas(head)), None) if head else None
        inner = self.lexicon.verb(lemma) if lemma is not None else None
        if lemma is None or inner is None or not (mention.indefinite or not mention.determiner):
            return False
        others = [m for m in clause.objects if m is not mention]
        undergoing = "undergoing" in classes and not others and bool(inner.states)
        clause.verb = replace(verb, lemma=lemma, rest=(), passive=verb.passive or undergoing)
        clause.objects = others
        if undergoing and "lacking" in classes:  # what needs a wash has had none
            clause.negated = not clause.negated
        return True

    def _caused(self, event: Event, clause: Clause) -> Event:
        """Return the event with who is behind it: ``let the mug rest there``, ``made the water flow``."""
        if not isinstance(event, Deed) or event.actor is not None:
            return event
        governor = clause.governor
        if governor is not None and governor.does("let make have get") and governor.kind == "main":
            return event.by(self.person_of(governor.subject))
        return event

    def background(self, clause: Clause) -> None:
        """Take in a clause that only describes: ``which Ben had been carrying`` says who puts it down."""
        verb = clause.verb
        if (
            verb is None
            or not (verb.past or verb.form == "gerund")
            or "hold" not in self.classes(clause)
        ):
            return
        subject, thing = (
            clause.subject,
            next((m for m in clause.objects if self.is_items(m)), None),
        )
        if subject is None or thing is None or not self.can_act(subject):
            return
        thing.holder = thing.holder or subject
        who = self.person_of(subject)
        found = self.linker.some(
            thing, self.names.is_item, Setting(spots=frozenset(filter(None, [who])))
        )
        if who is not None and len(found) == 1:
            self.discourse.now.released[found[0]] = who
