"""What joins clauses and turns them: conjunctions, relatives, ``where``, ``not … but``."""

from __future__ import annotations

from dataclasses import replace

from commonground.grounding.memory.english.clause import Clause, VerbGroup
from commonground.grounding.memory.english.verb_groups import VerbReader
from commonground.grounding.memory.english.words import (
    CONJUNCTIONS,
    LONG_NEGATIONS,
    LONG_SUBORDINATORS,
    NEGATIONS,
    PREPOSITIONS,
    RELATIVES,
    SUBORDINATORS,
)


class LinkReader(VerbReader):
    """Reads the words between clauses."""

    def _mark(self, at: int) -> int:
        if not self.tokens[at].is_mark:
            return 0
        if self.outer and (self.clause.verb is not None):
            self._close_inner()
        self.comma = True
        self.preposition = ""
        if self.words[at] == ":" and not self.clause.is_empty():
            clause = self.clause
            if (
                clause.verb is None
                and (clause.subject is not None or clause.places)
                and not clause.unknown
            ):
                clause.verb = VerbGroup("be", "third", word="is")  # a colon in the place of "is"
                return 1
            self._open(Clause(link=":"))
            self.outer.clear()
        return 1

    def _joint(self, at: int) -> int:
        long = self._literal(at, LONG_SUBORDINATORS)
        if long is not None and long[0] in CONJUNCTIONS | {"and to", "then before"}:
            self.joined = "and" if long[0] == "and to" else long[0]
            return long[1]
        if self.word(at) in CONJUNCTIONS:
            self.joined = self.word(at)
            return 1
        return 0

    def _subordinate(self, at: int) -> int:
        """``while``, ``before``, ``because`` and the like, with a clause after them."""
        long = self._literal(at, LONG_SUBORDINATORS)
        if long is not None and long[0] in CONJUNCTIONS | {"and to", "then before", "to"}:
            return 0
        word, size = long or (self.word(at), 1)
        if word == "wherever" and self.clause.is_empty():
            self.clause.kind, self.clause.link = "adverbial", "whether"
            return 1
        if word == "where" or word == "wherever":
            return self._where()
        if long is None and (word not in SUBORDINATORS or word == "that"):
            if word == "that" and self._clause_begins(at + 1) and self._takes_content():
                self._inner(Clause("content", link="that", governor=self.clause), keep=False)
                return 1
            return 0
        after = at + size
        if not (
            self._clause_begins(after) or self._is_gerund(after) or self._participle_begins(after)
        ):
            return 0
        subject = self.clause.subject
        if self.clause.is_empty():
            self.clause.kind, self.clause.link = "adverbial", word
        else:
            self._open(Clause("adverbial", link=word))
            self.outer.clear()
        if self._is_gerund(after):
            self.clause.subject = subject
        return size

    def _participle_begins(self, at: int) -> bool:
        group, _ = self._group(at)
        return group is not None and group.form == "participle" and not self.clause.is_empty()

    def _where(self) -> int:
        """``where the mug was`` is a place of the clause it is in; after a comma it goes on there."""
        if self.comma and self.clause.places and self.clause.verb is not None and not self.joined:
            self._open(Clause(link="where"))
            return 1
        if self.joined and self.clause.verb is not None and self.clause.subject is not None:
            self.outer.clear()
            self._open(Clause(link=self.joined))
        inner = Clause("where", link="where", governor=self.clause)
        self.clause.where.append(inner)
        self.outer.append(self.clause)
        self._open(inner)
        return 1

    def _relative(self, at: int) -> int:
        """``who …``, ``which …``, ``that …`` after a noun phrase."""
        word = self.word(at)
        if word not in RELATIVES or not self._last_mention() or self.preposition:
            return 0
        antecedent = self._last_mention()
        group, _ = self._group(at + 1)
        subject = self.mention(at + 1) if group is None else None
        if group is None and (subject is None or self._group(subject.end)[0] is None):
            return 0
        if word == "that" and self.comma:
            return 0
        inner = Clause("relative", link=word, antecedent=antecedent, governor=self.clause)
        inner.restrictive = not self.comma
        if group is not None:
            inner.subject = antecedent
        else:
            inner.objects.append(antecedent) if antecedent is not None else None
        self._inner(inner)
        return 1

    def _existential(self, at: int) -> int:
        """``there is a mug on the table``: what is there follows the verb."""
        if self.word(at) != "there" or (
            self.clause.verb is not None and not self.joined and not self.comma
        ):
            return 0
        group, size = self._group(at + 1)
        if group is None or not (
            group.is_copula or group.lemma in ("seem", "appear", "remain", "lie", "stand", "sit")
        ):
            return 0
        if self.clause.verb is not None:
            self._open(Clause(link=self.joined))
        self.clause.existential = True
        self.clause.verb = group
        self.joined, self.comma = "", False
        return 1 + size

    def _contrast(self, at: int) -> int:
        """``but not the towel``, ``not in the study but in the hall``, ``is with Ben, not on the desk``."""
        clause = self.clause
        word = self.word(at)
        if word == "not" and clause.is_empty() and (found := self.mention(at + 1)) is not None:
            clause.excluding.append(found)
            return 1 + found.end - at - 1
        if clause.verb is None or clause.is_empty() or self._group(at)[0] is not None:
            return 0
        if word == "not" and (self._place_follows(at + 1) or self.mention(at + 1) is not None):
            found = self.mention(at + 1)
            if found is not None:
                if self._finite_after(found.end):
                    return 0
                clause.excluding.append(found)
                self.joined, self.comma = "", False
                return 1 + found.end - at - 1
            if clause.places or clause.words:
                self._repeat(negated=True)
                return 1
        negated = clause.negated or clause.verb.negated
        if self.joined in ("but",) and negated and self._place_follows(at):
            self._repeat(negated=False)
            return 0
        return 0

    def _place_follows(self, at: int) -> bool:
        return self.word(at) in PREPOSITIONS and self.mention(at + 1) is not None

    def _repeat(self, *, negated: bool) -> None:
        """Begin a clause with the same subject and verb, said of another place."""
        clause = self.clause
        verb = replace(clause.verb, negated=False) if clause.verb is not None else None
        again = Clause(
            link="but",
            subject=clause.subject,
            verb=verb,
            objects=list(clause.objects),
            negated=negated,
        )
        again.agent = clause.agent
        self._open(again)

    def _negation(self, at: int) -> int:
        for phrase in LONG_NEGATIONS:
            if tuple(self.words[at : at + len(phrase)]) == phrase:
                if not (self.clause.verb is not None and self.clause.verb.negated):
                    self.clause.negated = True
                return len(phrase)
        if self.word(at) in NEGATIONS and self._group(at)[0] is None:
            self.clause.negated = True
            return 1
        return 0
