"""Frames: the grammar's clauses → clauses of an utterance, by verb classes and the types of what fills roles.

What a clause says depends on the construction first and on the verb second: somebody, a thing and a
place in one clause are a move whatever the verb, unless it is one of those that say otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Hedge, Phrase
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.state_words import STATES
from commonground.grounding.memory.readers.grammar.frames.absences import AbsenceFrames
from commonground.grounding.memory.readers.grammar.frames.beings import BeingFrames
from commonground.grounding.memory.readers.grammar.frames.liquids import LiquidFrames
from commonground.grounding.memory.readers.grammar.frames.situation import CHORES, Roles

_BY_SOMEBODY = frozenset([*STATES, "put", "fill", "tune", "swap", "robot is moved"])
"""Senses of which somebody else may be the cause."""


class Frames(LiquidFrames, BeingFrames, AbsenceFrames):
    """Reads the clauses of one text in the light of a world and of what was said before."""

    def take(self, clause: Clause, hedge: Hedge = "") -> list[Said]:
        """Return what one more clause says has happened, and remember that it did."""
        found = [replace(said, hedge=hedge) for said in self.clauses(clause)]
        self.said += found
        roles = self.roles_of(clause)
        themes = [m for m in (roles.theme, roles.extra) if m is not None and not self.can_act(m)]
        if found:
            meant = [*map(self.meant, themes)]
            self.unplaced = [m for m in self.unplaced if m not in meant]
            self.mentions.themes[:0] = [m for m in themes if m.kind != "pronoun"]
            self.mentions.uttered += themes
        self.note(clause)
        return found

    def note(self, clause: Clause) -> None:
        """Remember what a clause spoke of."""
        for mention in reversed(clause.mentions):
            self.mentions.note(mention)

    def clauses(self, clause: Clause) -> list[Said]:
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
                return [self._caused(said, clause) for said in found]
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

    def _caused(self, said: Said, clause: Clause) -> Said:
        """Return a clause with who is behind it: ``let the mug rest there``, ``made the water flow``."""
        governor = clause.governor
        if said.agent is not None or said.sense not in _BY_SOMEBODY or governor is None:
            return said
        caused = governor.does("let make have get") and governor.kind == "main"
        return replace(said, agent=self.agent(governor.subject)) if caused else said

    def background(self, clause: Clause) -> None:
        """Take in a clause that only describes: ``which Ben had been carrying`` says who puts it down."""
        verb, subject = clause.verb, clause.subject
        holds = verb is not None and (verb.past or verb.form == "gerund")
        thing = next((m for m in clause.objects if self.is_items(m)), None)
        if not holds or "hold" not in self.classes(clause) or subject is None or thing is None:
            return
        if self.can_act(subject):
            thing.holder = thing.holder or subject
            self.releases(thing, self.agent(subject))

    # ---- what is said of what was said before ----------------------------------------------------

    def _same(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``did the same with the mug``, ``ditto in the hall``: what was done before, again."""
        if not {"same", "likewise", "ditto"} & {*clause.text}:
            return None
        named = (*(m for _, m in clause.places), *clause.objects, clause.subject)
        things = (m for m in named if m is not None and m.kind == "thing" and self.is_items(m))
        theme = next(things, None)
        agent = self.agent(clause.subject) if clause.subject is not theme else None
        if theme is not None:
            return [Said("did the same", "tell", agent=agent, theme=self.items(theme, clause))]
        rooms = [m for _, m in clause.places if self.is_room(m)]
        if not rooms or not (clause.verb is None or clause.does("do repeat likewise")):
            return None
        return [Said("did the same", "tell", agent=agent, location=self.mentions.one(rooms[0]))]

    def _taken_back(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``Maya undid that``: the thing last moved is where it was before."""
        if not clause.does("undo reverse revert reset") or self.is_negated(clause):
            return None
        agent = self.agent(roles.actor)
        return [Said("put", "tell", agent=agent, theme=Phrase(), back=True)]

    def _left_behind(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``but left the pen behind``: one of the things just moved was not."""
        verb, theme = clause.verb, roles.theme
        if verb is None or theme is None or not self.is_items(theme):
            return None
        stays = verb.lemma in ("leave", "keep", "spare", "skip", "forget") and (
            {"behind", "there", "out", "alone", "untouched", "back", "only"}
            & {*clause.particles, *clause.unknown, *verb.rest}
            or (verb.passive and not roles.goals)
        )
        if not stays:
            return None
        kept = self.items(theme, clause, roles)
        return [Said("put", "tell", theme=kept, back=True)] if self.said else []

    def _attributed(self, clause: Clause, roles: Roles) -> list[Said] | None:
        """``Ben did that``, ``I took care of it``: who brought about what was just said."""
        verb = clause.verb
        if verb is None or self.is_negated(clause) or not self.said:
            return None
        pronouns = ("it", "this", "they")
        pointed = [m for m in clause.mentions if m.kind == "pronoun" and m.pronoun in pronouns]
        doing = self._is_doing(clause, verb)
        moved = self._is_moving_that(clause, roles) and roles.theme in pointed
        if not (doing or moved) or not (pointed or {"so", "work"} & {*clause.text}):
            return None
        agent = self.agent(clause.agent if verb.passive else roles.actor)
        last = self.said[-1]
        if agent is None or (moved and (last.agent is not None or last.sense != "put")):
            return None
        if last.sense not in _BY_SOMEBODY:
            return None
        self.said[-1] = replace(last, agent=agent)
        return []

    @staticmethod
    def _is_doing(clause: Clause, verb: VerbGroup) -> bool:
        words = {*verb.rest, *(p for p, _ in clause.places), *clause.unknown}
        words |= {w for o in clause.objects for w in o.head}
        seen = clause.does("take see") and bool({"care", "to"} & words)
        return seen or clause.does("do handle arrange manage organize accomplish")

    def _is_moving_that(self, clause: Clause, roles: Roles) -> bool:
        """``Ben put it there``: no other place is named."""
        goals = [m for _, m in (*roles.goals, *roles.sources) if m.kind != "place word"]
        there = any(m.kind == "place word" for m in clause.mentions)
        classes = self.classes(clause)
        moves = bool(classes & {"place", "transport"} and (there or "take" not in classes))
        return moves and not goals and "back" not in clause.particles
