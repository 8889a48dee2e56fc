"""Wishes: clauses that ask for something, turned into what is to have happened."""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.words import MODALS
from commonground.grounding.memory.readers.grammar.frames.clause_frames import Frames

_ASKING = MODALS - {"might"}


class Wishes:
    """Tells orders, needs and wishes from statements."""

    def __init__(self) -> None:
        self.lexicon = load_lexicon()

    def wish(self, clause: Clause, frames: Frames) -> Clause | None:
        """Return a clause that says what is wished for as if it had happened, or None where it is no wish."""
        verb = clause.verb
        if verb is None:
            return self._verbless(clause)
        if clause.kind == "relative":
            return None
        governed = self._governed(clause, frames)
        if governed is not None:
            return governed
        classes = frames.classes(clause)
        if self.is_order(clause, frames):
            return self._ordered(clause)
        if clause.kind == "infinitive":
            return self._infinitive(clause)
        if clause.kind == "gerund" and clause.governor is not None:
            return self._needed(clause, frames)
        if classes & {"desire", "lacking"}:
            return self._desired(clause, frames)
        asked = bool(clause.text) and clause.text[0] in MODALS
        if asked or verb.modal in _ASKING:
            return self._unmodal(clause)
        return clause if self._belongs_there(clause, verb, frames) else None

    @staticmethod
    def _belongs_there(clause: Clause, verb: VerbGroup, frames: Frames) -> bool:
        """``The mug goes on the shelf``: how things are to be, said of a thing."""
        if verb.form not in ("third", "base") or clause.existential or verb.is_copula:
            return False
        if clause.subject is None or not frames.classes(clause) & {"go", "located"}:
            return False
        return not frames.can_act(clause.subject)

    def _governed(self, clause: Clause, frames: Frames) -> Clause | None:
        """``Make sure the lamp is on``, ``I want the door shut``: what the outer verb asks for."""
        governor = clause.governor
        if (
            governor is None
            or governor.verb is None
            or clause.kind in ("infinitive", "gerund", "adverbial")
        ):
            return None
        if clause.link not in ("", "that", "if", "whether") or clause.verb is None:
            return None
        classes = frames.classes(governor) | getattr(
            self.lexicon.verb(governor.verb.lemma), "classes", frozenset()
        )
        asks = bool(classes & {"desire", "lacking"}) or (
            bool(classes & {"ensuring"}) and self.is_order(governor, frames)
        )
        if not asks:
            return None
        return self._unmodal(clause)

    def is_order(self, clause: Clause, frames: Frames) -> bool:
        """Return whether somebody, whoever it be, or the robot is told to do something."""
        verb, subject = clause.verb, clause.subject
        if verb is None or clause.kind not in ("main", "gerund", "content"):
            return False
        if subject is None or subject.pronoun == "someone":
            return self._is_plain(verb)
        if frames.mentions.may_be(subject, frames.names.is_robot):
            return self._is_plain(verb)
        if verb.form == "base" and clause.objects and not (subject.plural or verb.modal):
            return not frames.can_act(subject)  # "stew to the table and put the kettle on"
        return subject.pronoun == "you" or self._goes_on(clause, verb)

    def _is_plain(self, verb: VerbGroup) -> bool:
        """Return whether a verb stands as it does in an order: ``somebody shut it``, not ``shuts``."""
        forms = self.lexicon.lemmas(verb.word or verb.lemma).get(verb.lemma, {"base"})
        bare = not (verb.passive or verb.perfect or verb.form in ("third", "gerund"))
        return bare and "base" in forms

    def _goes_on(self, clause: Clause, verb: VerbGroup) -> bool:
        """``Take the mug and put it down``: an order with the subject of the one before."""
        governor = clause.governor
        if governor is None or clause.link not in ("and", ",", "then", "but", "so") or verb.modal:
            return False
        if governor.subject is not clause.subject:
            return False
        past = governor.verb is not None and governor.verb.past
        return verb.form == "base" or (bool(clause.objects) and not past)

    @staticmethod
    def _ordered(clause: Clause) -> Clause:
        clause.subject = _addressed()
        if clause.verb is not None:
            clause.verb = replace(clause.verb, form="past", modal="")
        return clause

    @staticmethod
    def _unmodal(clause: Clause) -> Clause:
        if clause.verb is not None:
            clause.verb = replace(
                clause.verb,
                modal="",
                form="past" if clause.verb.form == "base" else clause.verb.form,
            )
        return clause

    def _infinitive(self, clause: Clause) -> Clause | None:
        """``I want you to wash it``, ``it needs to be washed``, ``make sure to close it``."""
        governor = clause.governor
        if governor is None or governor.verb is None:
            return None
        if governor.negated or governor.verb.negated:
            clause.negated = not clause.negated
        if governor.objects:
            clause.subject = governor.objects[-1]
        return self._unmodal(clause)

    def _needed(self, clause: Clause, frames: Frames) -> Clause | None:
        """``needs washing``; ``would you mind closing the door``."""
        governor = clause.governor
        if governor is None or governor.verb is None:
            return None
        if "lacking" in frames.classes(governor) or governor.verb.lemma in ("mind", "want", "stop"):
            if governor.verb.lemma == "stop":
                clause.negated = not clause.negated
            return clause
        return None

    def _desired(self, clause: Clause, frames: Frames) -> Clause | None:
        """``I want the lamp off``, ``Ana needs the bowl``."""
        verb, theme = clause.verb, _wished_thing(clause)
        if verb is None or theme is None:
            return None
        wished = Clause(link=clause.link, subject=theme, verb=VerbGroup("be", "third", word="is"))
        wished.places = [p for p in clause.places if p[0] != "for"]
        wished.words, wished.particles = clause.words, clause.particles
        wished.negated = verb.negated or clause.negated
        if wished.words or clause.particles or any(frames.is_spot(m) for _, m in wished.places):
            return wished
        if clause.subject is not None and frames.can_act(clause.subject):
            wished.places = [*wished.places, ("with", clause.subject)]
            return wished
        return None

    def _verbless(self, clause: Clause) -> Clause | None:
        """``the mug to Theo``, ``in the bin with it``, ``lights off``."""
        theme = clause.subject or next((m for p, m in clause.places if p == "with"), None)
        places = [(p, m) for p, m in clause.places if m is not theme]
        if theme is None or not (places or clause.words or clause.particles):
            return None
        wished = Clause(
            subject=theme, verb=VerbGroup("go" if places else "be", "past", word="went")
        )
        wished.places, wished.words, wished.particles = places, clause.words, clause.particles
        wished.excluding = clause.excluding
        return wished


def _wished_thing(clause: Clause) -> Mention | None:
    """Return what is wanted: the object, or what one asks for or is after."""
    asked = (m for p, m in clause.places if p in ("for", "after"))
    return next(iter([*clause.objects, *asked]), None)


def _addressed() -> Mention:
    """Return the mention of the robot that is spoken to."""
    return Mention("pronoun", "you", 0, 0, pronoun="you")
