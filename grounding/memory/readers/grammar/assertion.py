"""Which clauses assert something: not what might, should or did not happen, nor what is only said."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.lexicon import INERT, Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.english.sentence import Sentence
from commonground.grounding.memory.english.tokens import sentences
from commonground.grounding.memory.readers.grammar.frames.situation import classes_of
from commonground.grounding.words.numbers import number_of

_WH = frozenset(["where", "who", "why", "how", "what", "when", "which", "whether"])
_WITHOUT = frozenset(["of", "from", "about", "without", "before", "instead of"])
_BEING = frozenset(["is", "are", "was", "were", "be", "been", "get", "got", "gets"])
_DETERMINERS = frozenset(["the", "this", "that", "my", "his", "her", "our", "their", "your"])
_COUNTED = frozenset(
    ["a", "an", "all", "every", "always", "immediately", "instantly", "at", "right"]
)


def is_cleft(clause: Clause) -> bool:
    """``It was Ben who took it.``"""
    governor = clause.governor
    if governor is None or governor.verb is None or not governor.verb.is_copula:
        return False
    subject = governor.subject
    return (
        subject is not None
        and subject.kind == "pronoun"
        and subject.pronoun in ("it", "this", "he", "she")
    )


def _is_report(clause: Clause) -> bool:
    """``The mug on the desk``, ``same for the bowl``: reports without a verb."""
    located = clause.subject is not None and bool(clause.places)
    return clause.kind == "main" and (located or "same" in clause.text or "ditto" in clause.text)


def _is_shown(clause: Clause, verb: VerbGroup) -> bool:
    return verb.lemma in ("watch", "show") and clause.governor is not None


def _is_headless(clause: Clause, verb: VerbGroup) -> bool:
    """Return whether a clause that should have a subject has none."""
    subjectless = clause.subject is None and not clause.existential and not verb.passive
    return subjectless and clause.kind in ("main", "content")


def _may_be_order(clause: Clause, verb: VerbGroup) -> bool:
    """Return whether a clause may be an order: nobody did it, and the verb has a form without an ending."""
    bare = verb.word.lower() in ("", verb.lemma)
    return _is_headless(clause, verb) and bare and clause.kind == "main"


def _is_you(subject: Mention | None) -> bool:
    """Return whether a clause speaks of whoever listens: ``you would find it in the fridge``."""
    return subject is not None and subject.words.lower() == "you"


_WANTED = frozenset(["desire", "lacking"])
"""Kinds of a verb that says what is wanted, and no more of where that is than of what it lacks."""


def _tells_nothing(clause: Clause, classes: Collection[str]) -> bool:
    """Return whether a verb tells of nothing that is so: ``she wants it there``."""
    kinds = {*classes}
    return bool(clause.places and kinds >= _WANTED) or (bool(kinds) and kinds <= INERT)


class Assertions:
    """Tells what is asserted from what is wished, doubted, denied or made up."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def is_real(self, clause: Clause) -> bool:
        """Return whether a clause says that something is or happened, rather than might or should."""
        verb = clause.verb
        if verb is None:
            return _is_report(clause)
        if clause.complemented or self._is_unreal_kind(clause):
            return False
        if clause.kind == "infinitive":
            return self._infinitive_is_real(clause) or _is_shown(clause, verb)
        if _is_headless(clause, verb):
            return self._is_sighting(clause, verb)
        if clause.kind == "gerund" and (self._is_ending(clause) or self._is_lacking(clause)):
            clause.negated = not clause.negated
            return True
        if verb.modal:
            return self._modal_is_real(clause, verb)
        classes = classes_of(clause, self.lexicon)
        return not _tells_nothing(clause, classes) or self._has_state(clause)

    def _is_sighting(self, clause: Clause, verb: VerbGroup) -> bool:
        """``See the mug on the desk``: without a subject, only what is seen at a place is a report."""
        observed = "observe" in classes_of(clause, self.lexicon) and verb.form == "base"
        return bool(clause.places) and (observed or bool(clause.where and verb.is_copula))

    def _is_unreal_kind(self, clause: Clause) -> bool:
        """``if Ben took it``, ``instead of taking it``, ``the mug that was there``, ``dreamt that``."""
        if clause.kind == "adverbial":
            return clause.link in ("if", "unless", "whether", "until", "till")
        if clause.kind == "relative":
            return not self._relative_is_real(clause)
        if clause.kind == "gerund":
            without = clause.link in _WITHOUT and not self._is_lacking(clause)
            return clause.subject is None or without
        fiction = clause.kind == "content" and self._is_fiction(clause)
        return fiction or self._is_wished(clause)

    def is_fancy(self, clause: Clause) -> bool:
        """Return whether a clause wishes, orders or supposes, however else it may be read."""
        verb = clause.verb
        if verb is None:
            return False
        if clause.kind == "adverbial":
            return clause.link in ("if", "whether")
        classes = classes_of(clause, self.lexicon)
        if "desire" in classes or self._is_wished(clause):
            return True
        if verb.modal:
            return not (_is_you(clause.subject) or self._modal_is_real(clause, verb))
        if clause.kind == "infinitive":
            undone = not self._infinitive_is_real(clause) or clause.negated
            return undone and not (classes and classes <= INERT)
        return _may_be_order(clause, verb) and "observe" not in classes

    def _modal_is_real(self, clause: Clause, verb: VerbGroup) -> bool:
        """Return whether a clause with ``can`` or ``will`` says what is seen."""
        seeing = verb.modal in ("can", "could", "will", "may") and not clause.negated
        return "observe" in classes_of(clause, self.lexicon) and seeing

    def _is_wished(self, clause: Clause) -> bool:
        """``I wish the lamp were on``; ``make sure the lamp is on``, said to whoever listens."""
        governor = clause.governor
        if governor is None or governor.verb is None or clause.link not in ("", "that"):
            return False
        verb = governor.verb
        classes = self._full_classes(verb) or self._bare_classes(verb)
        order = governor.subject is None and verb.form == "base" and "ensuring" in classes
        return order or (clause.kind == "content" and "desire" in classes)

    def _is_fiction(self, clause: Clause) -> bool:
        """``Ana dreamt that …``."""
        outer = clause.governor.verb if clause.governor is not None else None
        return outer is not None and "fiction" in self._bare_classes(outer)

    def _has_state(self, clause: Clause) -> bool:
        verb = clause.verb
        if verb is None:
            return False
        entries = [
            self.lexicon.verb(verb.lemma, rest)
            for rest in (verb.rest, *((p,) for p in clause.particles), ())
        ]
        return any(entry is not None and entry.states for entry in entries)

    def _infinitive_is_real(self, clause: Clause) -> bool:
        governor = clause.governor
        if governor is None or governor.verb is None or governor.verb.modal:
            return False
        outer = governor.verb
        classes = self._classes(outer)
        if "avoiding" in classes:
            clause.negated = not clause.negated
            return True
        return "doing" in classes and not outer.negated

    def _classes(self, verb: VerbGroup) -> frozenset[str]:
        """Return the classes of a verb by itself and with its particles."""
        return self._bare_classes(verb) | self._full_classes(verb)

    def _bare_classes(self, verb: VerbGroup) -> frozenset[str]:
        return self.lexicon.classes_of(verb.lemma)

    def _full_classes(self, verb: VerbGroup) -> frozenset[str]:
        return self.lexicon.classes_of(verb.lemma, verb.rest)

    def _is_ending(self, clause: Clause) -> bool:
        """``stopped making noise``."""
        verb = clause.governor.verb if clause.governor is not None else None
        return verb is not None and not verb.modal and "ending" in self._full_classes(verb)

    def _is_lacking(self, clause: Clause) -> bool:
        """``needs washing``: what is asked for has not been done."""
        governor = clause.governor
        if (
            governor is None
            or governor.verb is None
            or governor.verb.modal
            or governor.verb.negated
        ):
            return False
        subject = clause.subject
        if subject is None or subject.kind == "person":
            return False
        if subject.kind == "pronoun" and subject.pronoun not in (None, "it", "they"):
            return False
        return "lacking" in self._classes(governor.verb)

    def _relative_is_real(self, clause: Clause) -> bool:
        verb = clause.verb
        if verb is None:
            return False
        if is_cleft(clause):
            return True
        if (
            clause.restrictive
            or verb.pluperfect
            or (verb.past and (verb.progressive or verb.is_copula))
        ):
            return False
        return verb.lemma not in ("belong", "own")

    def is_hedged(self, clause: Clause) -> bool:
        """Return whether a clause stands under somebody's saying or believing."""
        governor = clause.governor
        if clause.kind != "content" or governor is None or governor.verb is None:
            return False
        classes = self._bare_classes(governor.verb)
        hearsay = governor.does("hear") or "observe" not in classes
        return bool(classes & {"speech", "belief"}) and hearsay

    def is_habit(self, sentence: Sentence) -> bool:
        words = [t.text for t in sentence.tokens]
        return self.lexicon.habits.find(words) is not None

    def is_missed(self, text: str) -> bool:
        """Return whether a text tells of what is no longer so, or of what did not quite come about.

        ``used to clean`` after a form of ``be``, ``almost`` before a count or a time and ``all but the pie``
        are something else.
        """
        for tokens in sentences(text):
            words = [t.text for t in tokens]
            for at in range(len(words)):
                size = self.lexicon.missed.match(words, at)
                after = words[at + size] if at + size < len(words) else ""
                used = words[at] == "used"
                counted = after in _COUNTED or number_of(after) is not None
                counted = counted or (words[at] == "all" and _begins_noun(words[at + size :]))
                if size and not (words[at - 1] in _BEING if used and at else counted):
                    return True
        return False

    def has_hedge(self, text: str) -> bool:
        """Return whether a text says that it is not certain."""
        for tokens in sentences(text):
            words = [t.text for t in tokens]
            for at in range(len(words)):
                size = self.lexicon.hedges.match(words, at)
                after = words[at + size] if at + size < len(words) else ""
                if size and after not in _WH:
                    return True
            for at, word in enumerate(words[:-1]):
                if (
                    word in ("might", "may", "could")
                    and words[at - 1] != "you"
                    and words[at + 1] not in ("see", "not", "hear", "use", "do", "you")
                ):
                    return True
        return False


def _begins_noun(words: Sequence[str]) -> bool:
    """Return whether words begin with a noun phrase that tells which one: ``the pie``, ``Ann's pie``."""
    return bool(words) and (words[0] in _DETERMINERS or words[1:2] == ["'s"])
