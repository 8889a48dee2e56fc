"""Sentences → clauses: who does what to which thing where, as the words stand."""

from __future__ import annotations

from commonground.grounding.memory.english.attachment import Attachment
from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.verb_groups import CAUSING, COMPLEMENTED


class ClauseReader(Attachment):
    """Reads the clauses of one sentence from left to right."""

    def read(self) -> list[Clause]:
        """Return the clauses in the order in which they begin."""
        self.found.append(self.clause)
        at = 0
        while at < len(self.tokens):
            size = (
                self._mark(at)
                or self._subordinate(at)
                or self._relative(at)
                or self._existential(at)
                or self._joint(at)
                or self._contrast(at)
                or self._negation(at)
                or self._long_state(at)
                or self._long_prep(at)
                or self._verb(at)
                or self._noun(at)
                or self._prep(at)
                or self._state(at)
            )
            if not size:
                self.clause.unknown.append(self.words[at])
                size = 1
            self.clause.text += self.words[at : at + size]
            at += size
        return [clause for clause in self.found if not clause.is_empty()]

    # ---- verbs

    def _verb(self, at: int) -> int:
        if self.preposition and not self._is_gerund(at):
            return 0
        group, size = self._group(at)
        if group is None or self._is_no_verb(at, group):
            return 0
        if group.infinitive and self.clause.verb is not None:
            return self._infinitive(group, size)
        if group.infinitive and self.clause.is_empty():
            self.clause.kind = "infinitive"
            self.clause.verb = group
            self.joined, self.comma = "", False
            return size
        if self.clause.verb is None:
            return self._first_verb(group, size)
        return size if self._order_on(group) else self._further_verb(group, size, at)

    def _is_no_verb(self, at: int, group: VerbGroup) -> bool:
        """Return whether what could be a verb is a noun here: ``the light``, ``changed places``."""
        plural = group.form == "third" and not group.negated and self._just_after_verb(at)
        return self._looks_like_noun(at, group) or plural

    def _further_verb(self, group: VerbGroup, size: int, at: int) -> int:
        """Take in a verb that comes after the clause's own."""
        if group.form == "gerund" and not group.progressive:
            return self._gerund(group, size, at)
        if group.form in ("participle", "past") and self._is_complement(at, group):
            self.clause.words.append((self.words[at + size - 1], self._described_by(group)))
            return size
        return self._next_verb(group, size)

    def _looks_like_noun(self, at: int, group: VerbGroup) -> bool:
        """A base form where no verb can stand is a noun: ``the light``, ``a wash``."""
        if (
            group.form == "third"
            and self.clause.verb is None
            and self.clause.subject is None
            and not self.joined
        ):
            return (
                self.mention(at) is not None and not group.negated and self.word(at) == group.word
            )
        if group.form != "base" or group.modal or group.infinitive:
            return False
        subject = self.clause.subject
        if self.clause.verb is None and subject is None:
            noun = self.mention(at)
            return noun is not None and noun.end > at and bool(self._group(noun.end)[0])
        if self.clause.verb is not None and not self.joined and not self.comma:
            last = self._last_mention()
            caused = self.clause.verb.lemma in CAUSING and last in self.clause.objects
            return not (caused and last is not None and last.end == at)
        return False

    def _first_verb(self, group: VerbGroup, size: int) -> int:
        if group.form == "gerund" and not group.progressive and self.clause.subject is None:
            self.clause.kind = "gerund"
        self.clause.verb = group
        self.joined, self.comma = "", False
        return size

    def _gerund(self, group: VerbGroup, size: int, at: int) -> int:
        governor = self.clause.lemma
        last = self.clause.objects[-1].end if self.clause.objects else -1
        complement = governor in COMPLEMENTED and last >= at - 1
        observed = bool(self.clause.objects) and (
            complement or "observe" in self.lexicon.classes_of(governor)
        )
        subject = self.clause.objects[-1] if observed else self.clause.subject
        if observed and complement:
            self.clause.complemented = True
        link = self.preposition or self.joined
        inner = Clause("gerund", link=link, subject=subject, verb=group, governor=self.clause)
        self._inner(inner)
        return size

    def _infinitive(self, group: VerbGroup, size: int) -> int:
        governor = self.clause
        classes = self.lexicon.classes_of(governor.lemma)
        ordered = governor.objects and bool(classes & {"speech", "desire"})
        subject = (
            governor.objects[-1]
            if ordered and governor.objects[-1].kind in ("person", "pronoun")
            else governor.subject
        )
        self._open(Clause("infinitive", link="to", subject=subject, verb=group, governor=governor))
        return size

    def _is_complement(self, at: int, group: VerbGroup) -> bool:
        """``left the door closed``: a participle right after the object describes it."""
        if self.joined or group.passive or group.perfect or group.modal:
            return False
        last = self._last_mention()
        participle = "participle" in self.lexicon.forms_of(self.words[at])
        if last is None or last.end != at or last not in self.clause.objects:
            return False
        follows = self.mention(at + 1) if group.form == "past" else None
        return participle and follows is None

    def _order_on(self, group: VerbGroup) -> bool:
        """Begin the clause of a verb that goes on with an order; return whether it does."""
        governor = self.clause.governor
        if not self.joined or governor is None or not _orders_on(self.clause, group):
            return False
        self._open(Clause(link=self.joined, subject=governor.subject, verb=group))
        return True

    def _next_verb(self, group: VerbGroup, size: int) -> int:
        """A further finite verb begins a clause with the same subject, or that of the last object."""
        previous = self.clause
        subject = previous.subject
        last = self._last_mention()
        if not self.joined and not self.comma and last is not None and last in previous.objects:
            previous.objects.remove(last)
            subject = last
        link = self.joined or ("," if self.comma else "")
        inherited = Clause(link=link, subject=subject, verb=group, governor=previous)
        gerunds = previous.kind == "gerund" and group.form != "gerund"
        if gerunds:
            inherited.governor = None
        elif (
            previous.kind in ("infinitive", "content", "relative", "adverbial", "gerund")
            and self.joined
            and subject is previous.subject
        ):
            inherited.kind = previous.kind
            inherited.governor, inherited.link = previous.governor, previous.link or link
            inherited.antecedent, inherited.restrictive = previous.antecedent, previous.restrictive
        self._open(inherited)
        return size


def _orders_on(previous: Clause, group: VerbGroup) -> bool:
    """Return whether a verb goes on with an order: ``check that no tap is on, and turn off any that is``."""
    told, governor = previous.verb, previous.governor
    if previous.kind != "content" or told is None or governor is None or governor.verb is None:
        return False
    plain = group.form == "base" and not group.modal and not group.infinitive
    finite = told.form != "base" and not told.modal
    return plain and finite and governor.verb.form == "base"
