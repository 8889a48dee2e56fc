"""The clauses of a sentence in the order in which things happened, with what they leave out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.lexicon import Lexicon
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.readers.grammar.assertion import is_cleft


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
