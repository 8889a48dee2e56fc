"""Why something was done, and what for: it is no report of its own, and names what the rest speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from commonground.grounding.memory.ontology.words import (
    DETERMINERS,
    MODALS,
    NEGATIONS,
    OF_IT,
    PERSONAL,
    Word,
    classes_of,
    lemmas,
)
from commonground.grounding.memory.readers.domain.described.denoting import Denoting

_WANTING = frozenset(["want", "need"])
"""Verbs of why somebody did something; ``hope`` and ``think`` may stand beside all that is told."""
_SWAPPING = frozenset(["swap", "exchange", "switch", "trade"])
"""Verbs of what is told in full behind a colon."""
_LIKED = 6
"""So many words a clause has not that only says that something is where somebody likes it."""
_MARKS = frozenset([",", ";", "-", "–", "and", "but", "so", "because"])
_SPEAKING = frozenset(["i", "we"])


class Reasons:
    """Tells reasons from what is told of one world."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting = denoting

    def without(self, task: Sequence[Word]) -> list[Word]:
        """Return a task without why it is wanted: ``take Ann the key, she's asking for it``."""
        clauses = _clauses(task)
        last = [w.text for w in clauses[-1][1:]] if len(clauses) > 1 else []
        last = last or [""]
        asks = any(t in ("asking", "waiting", "looking", "needs", "wants") for t in last)
        pronoun = last[0] in PERSONAL and {"it", "them"} & {*last[1:]}
        why = asks and pronoun and clauses[-1][0].text in (",", "because")
        return [w for clause in clauses[: -1 if why else None] for w in clause]

    def apart(self, sentence: Sequence[Word]) -> tuple[list[Word], list[Word]]:
        """Return what a sentence tells, and why that was done: ``Ann wants it, so I've kept it for her``."""
        clauses = _clauses(sentence)
        reasons = [n for n in range(len(clauses)) if self._is_reason(clauses, n)]
        if len(reasons) == len(clauses):
            return [*sentence], []
        kept = [w for n, clause in enumerate(clauses) if n not in reasons for w in clause]
        told = [*dropwhile(lambda w: w.text in _MARKS, kept)]
        return told, [w for n in reasons for w in clauses[n]]

    def _is_reason(self, clauses: Sequence[Sequence[Word]], at: int) -> bool:
        """Return whether a clause says what somebody wanted who did what the next one, or the last, tells."""
        texts = [w.text for w in clauses[at] if w.text not in _MARKS]
        if at and clauses[at][0].text == "so" and not MODALS.isdisjoint(texts[1:3]):
            return True  # "so I can get at it"
        if at and (texts[:2] == ["in", "case"] or _is_liked(texts)):
            return True
        if not self._is_wanting(texts):
            return False
        after = [w.text for w in clauses[at + 1]] if at + 1 < len(clauses) else [""]
        follows = after[0] == "so" or after[:2] == [",", "so"]
        return follows

    def _is_wanting(self, texts: Sequence[str]) -> bool:
        """Return whether words tell what somebody wanted, and not what an action does: ``needs a wash``."""
        verb = next((n for n, t in enumerate(texts) if lemmas(t) & _WANTING), 0)
        object_ = texts[verb + 1] if verb and verb + 1 < len(texts) else ""
        named = object_ in DETERMINERS | OF_IT | PERSONAL | {"to", "some", "more"}
        sayings, rest = self.denoting.sayings, texts[verb + 1 :]
        done = object_ != "to" and any(map(sayings.is_deed, rest))
        done = done or not {*sayings.state_words}.isdisjoint(rest)  # "it wants a clean"
        return named and not done and NEGATIONS.isdisjoint(texts)


def _is_liked(texts: Sequence[str]) -> bool:
    """Return whether a clause says that something is where it should be: ``where I like it``."""
    likes = any("desire" in classes_of(t, frozenset()) for t in texts[1:3])
    where = texts[:1] == ["where"] and NEGATIONS.isdisjoint(texts)
    return where and ((likes and len(texts) < _LIKED) or "should" in texts[1:3])


def _clauses(sentence: Sequence[Word]) -> list[list[Word]]:
    """Return the clauses of a sentence, each with the mark or joining word before it."""
    found: list[list[Word]] = [[]]
    for word in sentence:
        joins = word.text in (",", ";", "-", "–", "because")
        joins = joins or (word.text == "so" and found[-1] != [] and found[-1][-1].text != ",")
        if joins and found[-1]:
            found.append([])
        found[-1].append(word)
    return [clause for clause in found if clause]
