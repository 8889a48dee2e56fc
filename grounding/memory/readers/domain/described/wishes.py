"""What a task wants to be so: its segments as a report of it would have them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    DETERMINERS,
    FILLING,
    FROM,
    MODALS,
    PARTICLES,
    TO,
    Word,
    classes_of,
    is_going_on,
    is_participle,
    is_verb,
    says_nothing,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.segment import Segment
from commonground.grounding.words.nouns import word_set

IsSomebody = Callable[[str], bool]
_ASKING = frozenset(["please", "kindly", "let", "lets", "let's", "'d", "'ll", "go", "wanted"])
_ANYBODY = frozenset(["somebody", "someone", "anybody", "anyone", "you", "we", "i", "us", "me"])
_LIKING = word_set("like love want wants wish ought belongs belong supposed due prefer gotta")
_LETTING = frozenset(["get", "have", "make", "keep", "leave", "want"])
_CAUSING = frozenset(["get", "have", "see", "find", "gets", "got", "having", "getting"])
"""Verbs of which only what follows is wanted: ``have it washed``, ``see the lid shut``."""
_LACKING = word_set("need needs needed wanted require requires required requested")
_FREE = _ASKING | MODALS | _ANYBODY | _LIKING | _LACKING


def free_of_wishes(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence without words that only ask."""
    return [w for w in sentence if w.text not in _FREE]


def wished(parts: Sequence[Part], is_somebody: IsSomebody) -> list[Part] | None:
    """Return what a segment of a task asks for; None where it only tells how things are."""
    texts = [text_of(p) for p in parts]
    if _is_foretold(parts) or _is_his_own(parts, is_somebody):
        return None
    begun = [p for p in _wanted_by(parts, is_somebody) if text_of(p) not in _FREE - {"go"}]
    kept = _caused(begun)
    if _asks(texts) or not kept or _is_order(kept[0]) or _is_order(begun[0]):
        return kept
    return None if _tells(texts) else kept


def _is_foretold(parts: Sequence[Part]) -> bool:
    """Return whether a segment only says what somebody else will do then: ``she will wash it herself``."""
    first, texts = parts[0] if parts else None, [text_of(p) for p in parts[1:3]]
    somebody = isinstance(first, Phrase) and first.pronoun in ("he", "she", "they")
    does = (
        texts[-1:] != []
        and is_verb(texts[-1])
        and texts[-1] not in _FREE | COPULAS | {"have", "get"}
    )
    return somebody and texts[:1] == ["will"] and does


def _is_his_own(parts: Sequence[Part], is_somebody: IsSomebody) -> bool:
    """Return whether a segment only says what somebody wants to do himself: ``Ann wants to wash it``."""
    parts = parts[1:] if text_of(parts[0] if parts else None) == "please" else parts
    first, texts = parts[0] if parts else None, [text_of(p) for p in parts[1:4]]
    named = isinstance(first, Phrase) and not first.pronoun and all(map(is_somebody, first.things))
    return named and texts[:2] == ["wants", "to"] and texts[2] not in _LETTING | COPULAS | {"be"}


def _wanted_by(parts: Sequence[Part], is_somebody: IsSomebody) -> Sequence[Part]:
    """Return parts without who wants what they tell, with ``have`` where somebody wants a thing."""
    at = next((n for n, p in enumerate(parts) if text_of(p) in _LIKING | _LACKING), None)
    if at is None or not _wants(text_of(parts[at])):
        return parts
    wanting = [p for p in parts[:at] if isinstance(p, Phrase)]
    after = _listed(parts, at + 1)
    if len(wanting) != 1 or after == at + 1:
        return parts
    if after == len(parts) or text_of(parts[after]) in ("", "and"):
        return [*parts[:at], Word("have"), *parts[at + 1 :]]
    return [*parts[:at], Word("have"), *parts[at + 1 :]]


def _wants(text: str) -> bool:
    return text == "due" or "desire" in classes_of(text, frozenset())


def _listed(parts: Sequence[Part], at: int) -> int:
    """Return where a list of phrases that begins at a part ends."""
    start = at
    while at < len(parts) and isinstance(parts[at], Phrase):
        at += 1
        if (
            at + 1 < len(parts)
            and text_of(parts[at]) == "and"
            and isinstance(parts[at + 1], Phrase)
        ):
            at += 1
    return at if at > start else start


def _caused(parts: list[Part]) -> list[Part]:
    """Return what is to come about without the verb that only says so: ``have it washed``."""
    if not parts or text_of(parts[0]) not in _CAUSING:
        return parts
    after = _listed(parts, 1)
    if after == 1:
        return parts
    if not _is_predicate(parts, after):
        return [Word("have"), *parts[1:]] if text_of(parts[0]) == "see" else parts
    if text_of(parts[0]) == "get" and text_of(parts[after]) in FROM:
        return parts
    return parts[1:]


def _is_predicate(parts: Sequence[Part], at: int) -> bool:
    """Return whether what follows a phrase may be said of it: ``washed``, ``in the hall``, ``open``."""
    texts = [text_of(p) for p in parts[at:] if not says_nothing(text_of(p))]
    first = texts[0] if texts else ""
    if not first or first == "and":
        return False
    known = first in TO | FROM | PARTICLES | {"by", "near", "beside", "not"}
    verbal = is_participle(first) or is_going_on(first) or is_verb(first)
    return known or verbal or bool(states_of(first)) or first not in DETERMINERS


def _asks(texts: Sequence[str]) -> bool:
    """Return whether words ask for something: ``please``, ``should``, or ``to`` before a verb."""
    plain = load_lexicon().lemmas
    return any(t in _FREE - _ANYBODY for t in texts) or any(
        one == "to" and (two in _LETTING | COPULAS or two in plain(two))
        for one, two in pairwise(texts)
    )


def _is_order(part: Part) -> bool:
    """Return whether a segment begins with a plain verb."""
    if not isinstance(part, Word):
        return False
    return part.text in _LETTING or part.text in load_lexicon().lemmas(part.text)


def _tells(texts: Sequence[str]) -> bool:
    """Return whether a segment has a verb that tells how things are."""
    telling = (COPULAS | {"has", "have", "'s"}) - {"be"}
    return any(t in telling or _is_finite(t) for t in texts if t)


def _is_finite(text: str) -> bool:
    lemmas = load_lexicon().lemmas(text)
    return bool(lemmas) and text not in lemmas and text.endswith("s")


def about(asked: Sequence[Part], topic: Sequence[Part]) -> list[Part]:
    """Return a plain order with the topic named before it as its object, where it has none."""
    named = any(isinstance(p, Phrase) for p in asked[1:2]) or any(
        isinstance(p, Phrase) and p.pronoun for p in asked
    )
    begins = bool(asked) and isinstance(asked[0], Word)
    return [asked[0], *topic, *asked[1:]] if begins and not named else [*asked]


def is_told_too(made: Segment) -> bool:
    """Return whether a segment is what else is so, or to be: ``locked and tagged``, ``and on again``."""
    words = [
        w for w in made.words if not says_nothing(w) and w not in (FILLING - PARTICLES) | COPULAS
    ]
    switched = bool(words) and {*words} <= {"on", "off"}
    done = bool(words) and made.words[:1] == words[:1] and is_participle(words[0])
    return all(r.phrase.pronoun for r in made.roles) and (switched or done)


def is_topic(parts: Sequence[Part]) -> bool:
    """Return whether a segment only names things, which another one speaks of."""
    return bool(parts) and all(isinstance(p, Phrase) for p in parts)
