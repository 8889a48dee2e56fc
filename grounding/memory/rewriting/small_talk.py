"""A report without its talk: ``well I never``, ``, dear,``, ``, though there's nothing in it but football``.

What stands between two marks, names nothing of the world and has no word for what can happen here tells
nothing that is remembered; nor does a clause that says why, what for or in spite of what, if it names
nothing. Both readers read the rest far better. What may cast doubt on the rest, limits, corrects or dates it,
points to a place or takes up what was said is no talk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from commonground.grounding.english.faithful import NEGATIONS, NUMBERS
from commonground.grounding.english.remarks import JOINING
from commonground.grounding.memory.english.lexicon import UNTOLD, Lexicon, load_lexicon
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.words.nouns import word_set

_PARTS = re.compile(r"[^,;.!?–—]+")
_CODE = frozenset("[]{}()<>=")
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SUBORDINATING = word_set("though although because since for who which whom")
"""What begins a clause that tells why or in spite of what, or more of who was named."""
_PURPOSES = (("so", "as"), ("in", "case"), ("so", "that"), ("in", "order"), ("not", "that"))
_POINTING = word_set(
    "there here back too also likewise same again else other others rest both all each either"
)
"""Words that take up what was said, or say how much of it."""
_TAKING_UP = word_set("it them him her they this that these those one ones")
_DEMONSTRATIVE = word_set("this that these those")
_RELATIVE = word_set("who which whom")
_PERSONS = word_set("i we you he she they")
_DOUBTING = word_set(
    "if unless whether almost nearly until till except or used wish once when before after wrong "
    "mistake mistaken mean meant"
)
_IDLE = word_set("neutral doing observe certain ensuring avoiding lacking undergoing light adding")
"""Classes of verbs that change nothing."""
_BEING = word_set("be is are was were been being am do does did can could")
_HAVING = word_set("have has had got get gets")
"""What these tell of what they take up is remembered."""

_LIKENESS = re.compile(
    r"(?<!\blooks)(?<!\blooked)(?<!\bsounds)(?<!\bthing)(?<!\bis)(?<!\bwas),?\s+(?:just\s+)?like\s+an?\s+"
    r"[^\W\d_]+(?:\s+[^\W\d_]+)?(?=\s*[,;.!?–—]|\s*$)",
    re.I,
)
"""How somebody did something: ``like a civilised man``."""
_LEST = re.compile(
    r",?\s+so\s+(?:that\s+)?(?:nobody|no\s+one|no-one)\s+(?!is\b|was\b|has\b|had\b)[^,;.!?]+", re.I
)
"""What somebody wants not to happen: ``so nobody takes it``."""
_EPITHET = re.compile(
    r"\bthe (?:poor|wretched|blasted|bloody|damned?|silly|stupid|darned|cursed) (?:old )?thing(s)?\b"
    r"(?!['’])",
    re.I,
)
"""What somebody thinks of what he speaks of: ``the poor thing``."""

_HAD_BEEN = re.compile(
    r"(?:\s*[,;.!–—]\s*|\s+)(?:(?:because|as|since|cos)\s+)?(?:(?:it|they|that|those|both)(?:\s+(?:was|were|had\s+been)|['’]d\s+been)"
    r"|(?:some(?:body|one)|he|she|they|I|we)(?:\s+had|['’]d)\s+left\s+(?:it|them))\b"
    r"(?:(?!\b(?:now|again|still|then|after|afterwards|and|but|so)\b)[^,;.!?])*(?=[,;.!?]|\s*$)",
    re.IGNORECASE,
)
"""What is told of something that was done something to, as of before."""


def without_talk(text: str, names_any: Callable[[str], bool]) -> str:
    """Return a text without the parts that are talk; as it is where nothing else would be left.

    ``names_any`` tells whether words name anybody or anything of the world.
    """
    text = _LEST.sub(lambda m: m[0] if names_any(m[0]) else "", text)
    text = _EPITHET.sub(lambda m: "them" if m[1] else "it", _LIKENESS.sub("", text))
    parts = [found for found in _PARTS.finditer(text) if found[0].strip()]
    talk = [_is_talk(found[0], names_any) for found in parts]
    if all(talk) or not any(talk) or not _CODE.isdisjoint(text):
        return text
    kept = [part for part, idle in zip(parts, talk, strict=True) if not idle]
    return _joined(text, kept) if any(map(_has_verb, kept)) else text


def without_before(text: str) -> str:
    """Return a text without clauses that only tell how what was just spoken of had been: ``it was open``."""
    return _HAD_BEEN.sub("", text)


def _has_verb(part: re.Match[str]) -> bool:
    """Return whether a part says something of what it names: ``the telly`` alone tells nothing."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", part[0])]
    said = not (_BEING | _HAVING).isdisjoint(words)
    return said or any(
        word in ("s", "m", "re", "ve") or load_lexicon().lemmas(word) for word in words
    )


def _joined(text: str, kept: Sequence[re.Match[str]]) -> str:
    """Return parts of a text with the strongest mark that stood between them."""
    found = kept[0][0].strip()
    for before, part in pairwise(kept):
        between = text[before.end() : part.start()]
        inserted = between.count(",") > 1 and _WORDS.findall(between)[0].lower() not in JOINING
        mark = next((m for m in ".!?;–—" if m in between), "" if inserted else ",")
        found += f"{mark} {part[0].strip()}"
    return f"{found}."


def _is_talk(part: str, names_any: Callable[[str], bool]) -> bool:
    words = [word.lower() for word in _WORDS.findall(part)]
    said, lexicon = {*words}, load_lexicon()
    alone = (
        len(said - JOINING) == 1 and said & _PERSONS
    )  # "I, since nobody bothers, have closed it"
    told = alone or lexicon.state_phrases.find(words) or any(c.isdigit() for c in part)
    if not words or told or names_any(part) or times_in(part):
        return False
    return not _may_matter(words, lexicon)


def _may_matter(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether words without a name may tell of what is spoken of, or cast doubt on it."""
    said = {*words}
    classes = {name for word in words for name in _classes(lexicon, word)}
    takes_up = bool(said & _RELATIVE) or any(
        _takes_up(words, at, lexicon) for at in range(len(words))
    )
    has = bool(said & _HAVING) and takes_up
    moves = has or bool(classes - _IDLE - UNTOLD)
    if _is_subordinate(words, lexicon):
        return moves and takes_up
    limits = bool(said & (_POINTING | _DOUBTING | NEGATIONS | NUMBERS) or classes & UNTOLD)
    return moves or limits or any(_turning(lexicon, words))


def _takes_up(words: Sequence[str], at: int, lexicon: Lexicon) -> bool:
    """Return whether a word takes up what was spoken of; in ``this microphone`` it does not."""
    if words[at] not in _TAKING_UP:
        return False
    after = words[at + 1] if at + 1 < len(words) else ""
    return words[at] not in _DEMONSTRATIVE or not after or lexicon.is_known(after)


def _classes(lexicon: Lexicon, word: str) -> Iterator[str]:
    """Yield what a word may do as a verb, with any particle."""
    if word in _BEING or word in _HAVING:
        return
    for lemma in lexicon.lemmas(word):
        for rest in lexicon.rests.get(lemma, ()):
            entry = lexicon.verb(lemma, rest)
            if entry is not None:
                yield from entry.classes
                yield from ("state" for _ in entry.states)


def _is_subordinate(words: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether a part only says why, what for or in spite of what, or waits for something."""
    first = (
        [*words[1:]] if words[0].endswith("ly") or words[0] in ("perhaps", "maybe") else [*words]
    )
    if not first:
        return False
    waits = first[0].endswith("ing") and "desire" in {*_classes(lexicon, first[0])}
    return waits or first[0] in _SUBORDINATING or tuple(first[:2]) in _PURPOSES


def is_purpose(part: str) -> bool:
    """Return whether a clause begins with what for it all was: ``so that Ann finds it``."""
    return tuple(word.lower() for word in _WORDS.findall(part)[:2]) in _PURPOSES


def _turning(lexicon: Lexicon, words: Sequence[str]) -> Iterator[bool]:
    """Yield whether words correct what is told beside them, or make it doubtful or a habit."""
    for phrases in (
        lexicon.hedges,
        lexicon.habits,
        lexicon.retract,
        lexicon.correct,
        lexicon.missed,
    ):
        yield phrases.find([*words]) is not None
    yield words[0] == "no" or (words[0] != "it" and lexicon.correct_weak.match([*words], 0) > 0)
