"""What is asked back about a text: what was understood of it, which of its words were not, and why.

Readers ask about a whole text. People have to know which sentence to say again, so sentences, and the clauses
of one, are read in turn here. What is found so is only said back, and nothing is done because of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Generic, NamedTuple, TypeVar

from commonground.grounding.english.faithful import BACK
from commonground.grounding.words.closed import NO_TITLE

T = TypeVar("T")
_SENTENCE = re.compile(rf"{NO_TITLE}[.!?;]+[\"'”’)]*\s+", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\s*[,:;–—]+\s+|(?<!\ba)\s+(?=(?:and|but|so|because|while|whereas|since|although|then)\b)",
    re.IGNORECASE,
)
_JOINING = re.compile(
    r"^(?:\W+|(?:and|but|so|because|while|whereas|since|although|then)\b)+|[\s,.:;!?–—]+$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"'((?:[^']|'s )+)'")
_MOST_PARTS = 12
"""Longer texts are not taken apart: reading them again and again takes long."""
_MOST_WORDS, _FEWEST_WORDS = 18, 4
Read = Callable[[str], "tuple[T | None, str]"]
"""Returns what a text says, or else the question about it."""


class Apart(NamedTuple, Generic[T]):
    """What is understood of a text, which part of it is not, and what is asked about that."""

    found: T | None = None
    left: str = ""
    why: str = ""


def asked_about(
    text: str, why: str, found: Apart[str], vague: Collection[str], instead: Callable[[str], str]
) -> str:
    """Return a question that names the words it is about: those that it quotes, else those not understood.

    ``instead`` is what to ask about these in the place of ``vague`` questions, which say nothing of words.
    """
    word = _quoted_in(why, text)
    part = clause_with(word, text) if word else found.left or text
    lead = f"I understood: {found.found}. " if found.found and found.left else ""
    if found.left and not word:  # a question about other words than these is not about these
        why = found.why if "'" not in found.why or _quoted_in(found.why, part) else ""
    if why in vague or not why:
        return f"{lead}I did not understand {quoted(part)}{instead(part)}".strip()
    if part == text or {*_words(part)} <= {*_words(word)}:
        return f"{lead}{why}"
    return f"{lead}You said {quoted(part)}: {why}"


def apart(text: str, read: Read[T], matters: Callable[[str], int]) -> Apart[T]:
    """Return the part of a text that matters most and cannot be read after what comes before it.

    What does not matter at all tells nothing by itself.
    """
    found, before, left, why = None, "", text, ""
    for joint in (_SENTENCE, _CLAUSE):
        parts = _divided(left, joint)
        if not 1 < len(parts) <= _MOST_PARTS:
            continue
        before, more, open_ones = _read_on(before, parts, read)
        found = found if more is None else more
        telling = _most_telling(
            open_ones, matters, 0 if joint is _CLAUSE and more is not None else 1
        )
        if joint is _CLAUSE and more is None:  # what clauses say together is not one of them
            telling = telling if len(telling) == 1 else []
        if not telling or len(_words(telling[0][0])) < _FEWEST_WORDS:
            break
        left, why = telling[0]
    return Apart(found, "" if left == text else left, why)


def _most_telling(
    parts: Sequence[tuple[str, str]], matters: Callable[[str], int], least: int
) -> list[tuple[str, str]]:
    """Return the parts that matter most, if they matter so much."""
    ranks = [matters(part) for part, _ in parts]
    return [p for p, rank in zip(parts, ranks, strict=True) if rank >= max((*ranks, least))]


def _read_on(
    before: str, parts: Sequence[str], read: Read[T]
) -> tuple[str, T | None, list[tuple[str, str]]]:
    """Return what can be read after what was said before, what that says, and the other parts.

    What takes up what was said may mean a part that cannot be read.
    """
    found, left = None, list[tuple[str, str]]()
    for part in parts:
        if left and not BACK.isdisjoint(_words(part)):
            continue
        got, why = read(f"{before}{part}")
        if got is None:
            left.append((part, why))
        else:
            before, found = f"{before}{part}", got
    return before, found, left


def _divided(text: str, joint: re.Pattern[str]) -> list[str]:
    ends = [*(found.end() for found in joint.finditer(text)), len(text)]
    return [text[a:b] for a, b in zip([0, *ends[:-1]], ends, strict=True) if text[a:b].strip()]


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a text."""
    return _divided(text, _SENTENCE)


def clauses_in(text: str) -> list[str]:
    """Return the clauses of a text, without what joins them."""
    parts = (part for sentence in sentences_in(text) for part in _divided(sentence, _CLAUSE))
    return [said for part in parts if (said := _JOINING.sub("", part.strip()))]


def quoted(part: str) -> str:
    """Return words of a speaker as they are quoted: without what only joins them, and not too many."""
    words = _JOINING.sub("", part.strip()).split()
    told = " ".join(words[:_MOST_WORDS])
    return f"“{told}{' …' if len(words) > _MOST_WORDS else ''}”"


def in_clause(words: str, text: str) -> str:
    """Return words as they are quoted, with the clause that they stand in."""
    around, alone = clause_with(words, text), quoted(words)
    apart = {*_words(words)} < {*_words(around)}  # and not what a reader makes up
    return f"{alone} in {quoted(around)}" if apart else alone


def clause_with(words: str, text: str) -> str:
    """Return the clause of a text that has most of some words."""
    said = {*_words(words)}
    for joint in (_SENTENCE, _CLAUSE):
        text = max(
            _divided(text, joint), key=lambda part: len(said & {*_words(part)}), default=text
        )
    return text


def _quoted_in(question: str, text: str) -> str:
    """Return the first words that a question quotes and that a text has."""
    said = {*_words(text)}
    quotes = (words for words in _QUOTED.findall(question) if said.issuperset(_words(words)))
    return next(quotes, "")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
