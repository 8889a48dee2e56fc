"""Talk: words under which what is told may not be so, and clauses of a task that ask for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import dropwhile

from commonground.grounding.memory.english.lexicon import UNTOLD, is_past, load_lexicon
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.ontology.words import (
    MODALS,
    NEGATIONS,
    Word,
    classes_of,
    lemmas,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.nouns import SMALL
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase
from commonground.grounding.memory.readers.domain.described.phrases import Phrases
from commonground.grounding.memory.readers.domain.described.segment import segment
from commonground.grounding.memory.readers.domain.described.wishes import wished
from commonground.grounding.memory.readers.domain.described.wording import Wording
from commonground.grounding.memory.readers.domain.disambiguation import Meant
from commonground.grounding.words.nouns import word_set

UNREAL = word_set("if unless whether almost nearly until till or used wish either")
"""Words under which what stands beside them may not be so."""
DOUBTING = UNREAL | word_set(
    "once when whenever soon before after provided case lest story tale plan idea film "
    "movie play game book script theory test drill exercise example other others rest "
    "same instead who except"
)
"""Words under which what stands beside them may not be so, or not all of it, or of others too."""
_MARKS = frozenset([",", "-", "–", "—", ";", ":", "and", "but", "so", "because", "since", "then"])
_FOR_THAT = MODALS | word_set("you somebody someone anybody please do see to that it for me us")
"""Words that ask for no more than what is asked for beside them."""
_ANYBODY = frozenset(["you", "anyone", "anybody", "someone", "somebody"])
_SAYING = UNTOLD - {"desire"}
_SPEAKING = frozenset(["i", "we", "you"])
_LINKING = frozenset(["feel", "look", "smell", "taste", "sound"])


def links_state(texts: Sequence[str]) -> frozenset[str]:
    """Return the verb by which words only say how something looks or feels: ``feels quite warm``."""
    at = next((n for n, t in enumerate(texts) if lemmas(t) & _LINKING), len(texts))
    rest = [t for t in texts[at + 1 :] if not says_nothing(t)]
    bare = len(rest) == 1 and rest[0] not in SMALL
    return frozenset(texts[at : at + 1]) if bare else frozenset()


def turns(texts: Sequence[str]) -> bool:
    """Return whether words make what is told beside them doubtful, of another time, or correct it."""
    words = load_lexicon()
    phrases = (words.hedges, words.habits, words.retract, words.correct, words.missed)
    weak = texts[0] == "no" or words.correct_weak.match(texts, 0) > 0
    return weak or any(p.find([*texts]) for p in phrases) or bool(times_in(" ".join(texts)))


def asks_nothing(
    wording: Wording,
    apart: tuple[Sequence[Word], Sequence[Word]],
    kept: Sequence[Sequence[Word]],
    meant: Meant,
) -> bool:
    """Return whether a clause of a task only calls somebody, asks for what another one says, or tells.

    ``..., Ann?``, ``can you see to that``, ``if you can manage``, ``the first guests are due at five``.
    """
    clause, after = apart
    words = [*dropwhile(lambda w: w.text in _MARKS, clause)]
    texts = _said(words)
    parts = Phrases(wording.denoting, meant.changes).parts(words)
    things, called = _named(parts)
    if called or texts[:1] == ["if"] or _FOR_THAT.issuperset(texts):
        whom = not {"him", "her"}.isdisjoint(w.text for said in kept for w in said)
        return all(map(meant.is_somebody, things)) and not (things and whom)
    telling = wording.is_telling(segment(parts, wording.sayings.is_deed))
    leads_on = texts[:1] == ["we"] and "so" in _said(after[:2], frozenset())
    if leads_on or not (things or telling):
        return True
    return not (things and _denies(kept)) and wished(parts, meant.is_somebody) is None


def _named(parts: Sequence[Part]) -> tuple[list[str], bool]:
    """Return what parts name, and whether they do no more."""
    named = [p for p in parts if isinstance(p, Phrase)]
    things = [t for p in named if not p.pronoun for t in p.things]
    return things, all(says_nothing(p.text) for p in parts if not isinstance(p, Phrase))


def _said(words: Sequence[Word], but: frozenset[str] = _MARKS) -> list[str]:
    return [w.text for w in words if w.text not in but]


def _denies(kept: Sequence[Sequence[Word]]) -> bool:
    """Return whether what is kept denies: what is wanted instead may be told next."""
    return any(w.text in NEGATIONS for said in kept for w in said)


def is_for_hearers(texts: Sequence[str]) -> bool:
    """Return whether a clause only tells those who hear it what they may want: ``if you need me``."""
    if texts and load_lexicon().openers.match(texts, 0) == len(texts):
        return True  # "..., would you believe it"
    classes = {c for t in texts for c in classes_of(t, frozenset())}
    looks = bool(classes & {"desire", "observe"}) or "looking" in texts
    return texts[:1] == ["if"] and texts[1:2] != [] and texts[1] in _ANYBODY and looks


def says_what_for(texts: Sequence[str]) -> bool:
    """Return whether a clause only says what for, or that it is well so: ``so I can get at it``."""
    said = [t for t in texts if t.isalpha() or t not in _MARKS]
    if said[:1] == ["so"]:
        return not MODALS.isdisjoint(said[2:4])
    liked = any("desire" in classes_of(t, frozenset()) for t in said[2:3]) or "should" in said[2:3]
    return said[:2] == ["in", "case"] or (said[:1] == ["where"] and liked)


def casts_doubt(texts: Sequence[str]) -> bool:
    """Return whether a clause makes what is told beside it doubtful, or corrects it.

    What others will do, can do or want is another matter; what the speaker thinks is not.
    """
    links = links_state(texts)
    classes = {c for t in texts if t not in links for c in classes_of(t, frozenset())}
    told = {*texts} & DOUBTING or "?" in texts or (texts and turns(texts)) or classes & _SAYING
    own = not {*texts}.isdisjoint(_SPEAKING) and NEGATIONS.isdisjoint(texts)
    wants = any("desire" in classes_of(t, frozenset()) and not is_past(t) for t in texts)
    return bool(told) or (own and (not MODALS.isdisjoint(texts) or wants))
