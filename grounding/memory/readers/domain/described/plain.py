"""Sentences in plainer words: without sounds, spans of time and what only stands beside what is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    DETERMINERS,
    MODALS,
    OF_IT,
    PARTICLES,
    Word,
    is_going_on,
    is_participle,
    lemmas,
    states_of,
)
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_of
from commonground.grounding.memory.readers.domain.described.phrases import HANDS
from commonground.grounding.memory.readers.domain.described.segment import PREPOSITIONS, THERE
from commonground.grounding.words.nouns import word_set

_SOUNDS = word_set("um uh er erm hm oh ah yeah ok okay")
_OPENING = frozenset(["well", "right"])
"""Words that are sounds where something begins, and tell which or how elsewhere: ``stage right``."""
_JOINING = frozenset([",", "and", "but", ":"])
_HELD_IN = frozenset(["in", "into", "over", "under", "on"])
"""What stands before the hands or arms that somebody has a thing in."""
_HAVING = frozenset(["get", "gets", "got", "getting", "have", "has", "had", "having"])
Kin = Callable[[Phrase, Phrase], bool]


def plain_words(sentence: Sequence[Word]) -> list[Word]:
    """Return a sentence without sounds, how long something took, and words for all of a thing."""
    texts = ["", *(w.text for w in sentence), ""]
    words = [
        w
        for at, w in enumerate(sentence)
        if w.text not in _SOUNDS and (texts[at].isalnum() or w.text not in _OPENING)
        if not (_is_of_all(texts[at : at + 3]) or _is_way(texts[at + 1 : at + 3]))
    ]
    return _held(_told_beside(words))


def _told_beside(words: Sequence[Word]) -> list[Word]:
    """Return words with a clause for how something is beside it: ``went in with the door shut``."""
    found: list[Word] = []
    wanted = any(w.text in MODALS | {"be"} for w in words)
    be = Word("be" if wanted else "is")
    for at, word in enumerate(words):
        state = [w.text for w in words[at + 2 : at + 4]]
        if word.text in ("behind", "under") and found and len(state) > 1 and states_of(state[0]):
            found += [Word(","), Word("the"), words[at + 3], be, words[at + 2]]
            return [*found, *_told_beside(words[at + 4 :])]  # "behind a closed door"
        size = _beside(words, at + 1) if word.text == "with" and found else 0
        joins = found and found[-1].text in _JOINING
        if size:
            found += [*([] if joins else [Word(",")]), *words[at + 1 : at + size], be]
            return [*found, *_told_beside(words[at + size :])]
        found.append(word)
    return found


def _beside(words: Sequence[Word], start: int) -> int:
    """Return how many words from ``with`` on come before the state that ends what is beside; 0 for none."""
    if start >= len(words) or words[start].text not in DETERMINERS | OF_IT:
        return 0
    for at in range(start + 2, min(start + 5, len(words))):
        text, after = words[at].text, [w.text for w in words[at + 1 : at + 3]] + ["", ""]
        end = after[after[0] in PARTICLES]
        ends = end == "" or not end.isalnum() or end in _JOINING
        if (states_of(text) or is_participle(text)) and ends:
            return at - start + 1
        if text in PREPOSITIONS | AUXILIARIES or not text.isalnum():
            return 0
    return 0


def _is_way(texts: Sequence[str]) -> bool:
    """Return whether a word only says by which way: ``drove it round to the yard``."""
    return texts[0] in ("round", "around") and texts[1] in ("to", "into", "from", "back")


def _is_of_all(texts: Sequence[str]) -> bool:
    """Return whether a word only says that what is told is so of all spoken of: ``they are all washed``."""
    before, text, after = texts
    told = is_participle(after) or bool(states_of(after))
    spread = text == "all" and after in ("over", "down", "around", "along")
    return spread or (text in ("all", "both") and before in AUXILIARIES and told)


def plain_parts(parts: Sequence[Part], kin: Kin) -> list[Part]:
    """Return parts without what they deny beside what they tell, and with whom ``who`` goes on about."""
    found: list[Part] = []
    at = 0
    while at < len(parts):
        size = _denied(parts, at, found, kin)
        if size:
            at += size
            continue
        size = _brought_about(parts, at, found)
        if size:
            at += size
            continue
        owner = parts[at + 1] if at + 1 < len(parts) else None
        hands = text_of(parts[at + 2]) if at + 2 < len(parts) else ""
        if text_of(parts[at]) in _HELD_IN and isinstance(owner, Phrase) and hands in HANDS:
            found += [Word("with"), _whose(owner, found)]
            at += 3
            continue
        found.append(_gone_on_about(parts, at, found))
        at += 1
    return found


def _whose(owner: Phrase, before: Sequence[Part]) -> Phrase:
    """Return in whose hands something is: in those of who acts, where these are his."""
    begin = max((n for n, p in enumerate(before) if text_of(p) in _JOINING), default=-1)
    doer = next((p for p in before[begin + 1 :] if isinstance(p, Phrase) and not p.owner), None)
    own = doer is not None and owner.pronoun in OF_IT and doer.pronoun not in ("it", "they")
    return doer if own and doer is not None else replace(owner, owner=False)


def _brought_about(parts: Sequence[Part], at: int, before: list[Part]) -> int:
    """Return how many parts only say that what follows is so: ``got it going``, ``has her hands free``."""
    thing, state = parts[at + 1 : at + 2], text_of(parts[at + 2]) if at + 2 < len(parts) else ""
    if text_of(parts[at]) not in _HAVING or not thing or not isinstance(thing[0], Phrase):
        return 0
    if is_going_on(state):
        return 1
    owner = next(((n, p) for n, p in enumerate(before) if isinstance(p, Phrase)), None)
    if state not in HANDS or thing[0].pronoun not in OF_IT or owner is None:
        return 0
    before[owner[0]] = replace(owner[1], owner=True)
    return 2


def _gone_on_about(parts: Sequence[Part], at: int, before: Sequence[Part]) -> Part:
    """Return a part, or what a clause after a comma goes on about: ``by Ann, who went home``."""
    text = text_of(parts[at])
    if text not in ("who", "which", "where") or text_of(parts[at - 1] if at else None) != ",":
        return parts[at]
    if text == "where":
        return Word("and")
    named = [p for p in before if isinstance(p, Phrase) and not p.owner]
    return named[-1] if named else parts[at]


def _denied(parts: Sequence[Part], at: int, before: Sequence[Part], kin: Kin) -> int:
    """Return how many parts only name what it is not: ``, not bench 1``, ``rather than Ann``."""
    begins = _past(parts, at, frozenset([",", "and", "but"]))
    denying = _denying(parts, begins, joined=begins > at or any(map(_is_phrase, before[-1:])))
    end = _past(parts, begins + denying, PREPOSITIONS)
    if _is_there_instead([*map(text_of, parts[begins:])]):
        return len(parts) - at
    named = _named(parts[end : end + 1]) if denying and _is_end(parts, end + 1) else None
    if named is None:
        return 0
    phrases = [p for p in before if isinstance(p, Phrase) and not p.pronoun]
    if begins > at and end == begins + denying and len(phrases) == 1:
        return 0  # "the jug is broken, not the cup" tells of the cup too
    return end + 1 - at if any(kin(p, named) for p in phrases) else 0


def _is_end(parts: Sequence[Part], at: int) -> bool:
    """Return whether a clause ends before a part."""
    return at >= len(parts) or text_of(parts[at]) in (",", ";", "and", "but")


def _is_there_instead(texts: Sequence[str]) -> bool:
    """Return whether all that is left only says where something is not: ``instead of inside``."""
    return texts[:2] == ["instead", "of"] and texts[2:] != [] and THERE | {"in"} >= {*texts[2:]}


def _named(parts: Sequence[Part]) -> Phrase | None:
    """Return the phrase that parts begin with, where that names something."""
    first = parts[0] if parts else None
    return first if isinstance(first, Phrase) and not first.pronoun else None


def _denying(parts: Sequence[Part], at: int, *, joined: bool) -> int:
    """Return how many words deny what is named next."""
    texts = [text_of(p) for p in parts[at : at + 2]]
    if texts[:1] == ["not"]:
        return int(joined)
    return 2 if texts in (["rather", "than"], ["instead", "of"]) else 0


def _is_phrase(part: Part) -> bool:
    return isinstance(part, Phrase)


def _past(parts: Sequence[Part], at: int, words: frozenset[str]) -> int:
    """Return where some words end."""
    while at < len(parts) and text_of(parts[at]) in words:
        at += 1
    return at


def _held(words: Sequence[Word]) -> list[Word]:
    """Return words with one for a verb of having and its particles: ``holding on to it``."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        rest = tuple(w.text for w in words[at + 1 : at + 3])
        known = [load_lexicon().verb(lemma, rest) for lemma in lemmas(words[at].text)]
        holds = len(rest) > 1 and any(v is not None and "hold" in v.classes for v in known)
        found.append(Word("holding") if holds else words[at])
        at += 3 if holds else 1
    return found
