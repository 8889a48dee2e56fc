"""Writes out what people in haste leave out, and drops whom they call."""

from __future__ import annotations

import re
from collections.abc import Callable

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.words.contractions import with_apostrophes
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.spelling import common_words

_BEGINNING = re.compile(
    r"^((?:(?:ok|okay|oh|so|well|and|then|also|just|right|yo|lol|nvm|btw|fyi|hi|hey)\b[,.!]?\s+)*)"
    r"([^\W\d_]+)\s+([^\W\d_]+)",
    re.I,
)
_AFTER = word_set(
    "the a an my his her its our your their it them him me that this those these some all both "
    "you everything back up down out off over away on in into onto to at from home just"
)
"""What follows a verb rather than a participle: ``filled the jug``, and not ``filled jugs are there``."""
_ADDRESS = re.compile(
    r"^(?:(?:oi|hey|hi|hello|ok|okay|oh|yo|so|well|um|right|now|dear|listen)\b[,!]? )*([^\W\d_]+)"
    r"(?:[,:!] | (?=(?:can|could|would|will) you\b))",
    re.I,
)
"""Who is called at the beginning, with a mark behind or a question to him."""
_ARROW = re.compile(r"(?<=[\w.)])\s*(?:-+>|=+>|\N{RIGHTWARDS ARROW})\s*(?=\w)")
_CALLED_LAST = re.compile(r",\s+([^\W\d_]+)(?=\s*[.!?]*\s*$)")
_TELLING = re.compile(
    r"^(?:please )?(?:note|know|remember|mind|be aware|be told) that (?=\w)", re.I
)
_THERE_GOES = re.compile(
    r"^(?:(?:and|so|well|oh),? )?(?:there|here) (?:it|he|she|they|we|you|i) (?:goes?|comes?|are|is)"
    r"\s*[:;,!–—-]+\s+(?=\w)",
    re.I,
)
"""Calls attention to what follows, and tells nothing."""


def without_arrows(text: str) -> str:
    """Return a line of a log with ``to`` for the arrows between its words: ``Ann hall -> yard``."""
    return _ARROW.sub(" to ", text)


def without_address(text: str, is_robot: Callable[[str], bool]) -> str:
    """Return a text without whom it calls and that it tells something: ``Robot, note that it is here``."""
    found = _ADDRESS.match(text)
    called = found is not None and is_robot(found[1])
    text = text[found.end() :] if found is not None and called else text
    last = _CALLED_LAST.search(text)
    if last is not None and is_robot(last[1]):
        text = text[: last.start()] + text[last.end() :]
    return _THERE_GOES.sub("", _TELLING.sub("", text))


def with_subject(text: str) -> str:
    """Return a report that begins with what only who speaks can have done, with ``I`` before it."""
    found = _BEGINNING.match(text)
    if found is None:
        return text
    said, verb, after = found.groups()
    done = after.lower() in _AFTER and _is_past(verb.lower())
    does = verb.lower() == "am" or done
    rest = text[len(said) :]
    return f"{said}I {rest[0].lower()}{rest[1:]}" if does else text


def _is_past(word: str) -> bool:
    """Return whether a word can only be a past form: ``put`` may be an order."""
    forms = load_lexicon().forms_of(word)
    return "past" in forms and "base" not in forms


_NAME = re.compile(r"\b[^\W\d_]+\b")
_WITH = re.compile(r"\bw/?(?= [^\W\d_])")


def typed_out(text: str, is_person: Callable[[str], bool]) -> str:
    """Return a text with its apostrophes, and names with a capital where it has no capitals at all."""
    text = with_apostrophes(_WITH.sub("with", text))
    if text != text.lower():
        return text

    def named(found: re.Match[str]) -> str:
        word = found[0]
        person = is_person(word) and word not in common_words()
        return word.capitalize() if person else word

    return _NAME.sub(named, text)
