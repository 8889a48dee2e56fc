"""Writes a jotted line out as a sentence: ``05:20. Gratin no longer hot.``

A log gives the time of each line and leaves out the verb where a thing's state or place is told. Both readers
read the sentence that is meant far better.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from commonground.grounding.memory.english.lexicon import Lexicon, load_lexicon
from commonground.grounding.memory.english.time_phrases import times_in
from commonground.grounding.memory.english.timing import TimeWords
from commonground.grounding.words.nouns import word_set

_STAMP = re.compile(
    r"^\s*([0-2]?\d[:.][0-5]\d)\s*(?:h|hrs|hours|o'?clock)?\s*[.,:;–—-]+\s+(?=\w)", re.I
)
_SENTENCE = re.compile(r"[^.!?;\n]+")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_BEING = word_set("be is are was were been being am do does did has have had will would")
_PRONOUNS = word_set("i he she it we you they that there here what who where this")
_PLACING = word_set("in on at inside under beside behind with off out up down upstairs")
_SINCE = word_set("not no now still again back already also longer more all")
_DETERMINERS = word_set("the a an my our his her its their your this that")
_ON_ME = re.compile(r"\bon (?:my|his|her) person\b", re.I)
_INCLUDED = re.compile(
    r", ((?:(?:the|my|his|her|our|their) )?[^\W\d_]+(?: [^\W\d_]+)?) (?:included|in tow|and all)\b",
    re.I,
)
_HEADED = re.compile(r"(\s*)(?:the )?(?P<room>[^:,]+): (?P<rest>[^:]+)$", re.I)
_IS = re.compile(r" is\b")
_VERBS = {(True, False): "has been", (False, True): "has", (False, False): "is"}
"""By whether something was done with what is named, and whether who is named did it."""
_MOST = 4
"""So many words a name has at most."""


def without_stamp(text: str) -> tuple[str, tuple[TimeWords, ...]]:
    """Return a line of a log without the time that it begins with, and that time."""
    found = _STAMP.match(text)
    return (text, ()) if found is None else (text[found.end() :], times_in(found[1]))


def written_out(
    text: str,
    is_called: Callable[[str], bool],
    is_person: Callable[[str], bool],
    is_room: Callable[[str], bool] = lambda _: False,
) -> str:
    """Return a text with the verbs that its sentences leave out; ``is_called`` tells names of the world.

    ``Den: lamp on, chest closed`` tells of each of these in the den.
    """

    def out(found: re.Match[str]) -> str:
        headed = _HEADED.match(found[0])
        if headed is None or not is_room(headed["room"]):
            return _sentence(found[0], is_called, is_person)
        parts = headed["rest"].split(", ")
        told = [_sentence(part, is_called, is_person) for part in parts]
        if told[0] == parts[0]:
            return _sentence(found[0], is_called, is_person)
        room = f" in the {headed['room'].lower()}"
        return headed[1] + ". ".join(_IS.sub(rf"{room} is", one, count=1) for one in told)

    return _SENTENCE.sub(out, _INCLUDED.sub(_along, _ON_ME.sub("with me", text)))


def without_arrow(text: str, is_called: Callable[[str], bool]) -> str:
    """Return a text that says in words that a thing went somewhere, or into a state: ``mug -> desk``."""
    what, _, where = text.partition(" -> " if "->" in text else " → ")
    first, words = re.split(r"[,;.!?]", where, maxsplit=1)[0], _WORD.findall(where.lower())
    if not words or not is_called(what) or not re.fullmatch(r"[\w\s'’,-]+", what):
        return text
    head = _named(what, False)
    if load_lexicon().state_phrases.match(words, 0):
        return f"{head} is {where}"
    return (
        f"{head} went to {'' if words[0] in _DETERMINERS else 'the '}{where}"
        if is_called(first)
        else text
    )


def _along(found: re.Match[str]) -> str:
    """Return ``with the uniform`` for ``, uniform included``."""
    first = found[1].split()[0].lower()
    return f" with {found[1] if first in _DETERMINERS else f'the {found[1]}'}"


def _sentence(said: str, is_called: Callable[[str], bool], is_person: Callable[[str], bool]) -> str:
    """Return a sentence with the verb between what it begins with and what it says of that."""
    words = [*_WORD.finditer(said)]
    spoken, lexicon = [word[0].lower() for word in words], load_lexicon()
    finite = _is_finite(lexicon)
    begin = _named_words(said, words, is_called)
    told, person = spoken[begin:], begin == 1 and is_person(words[0][0])
    undergone = bool(begin) and not person and _is_done_by(told, is_person, lexicon)
    told_of = bool(begin) and not any(map(finite, told)) and _tells(told, person, lexicon)
    whole = any(map(finite, spoken)) and not _is_nominal(said)
    if not undergone and (whole or not told_of):
        return said
    space = said[: len(said) - len(said.lstrip())]
    head = _named(_span(said, words[:begin]), person)
    done = person and "participle" in lexicon.forms_of(told[0])
    return f"{space}{head} {_VERBS[undergone, done]} {said[words[begin].start() :]}"


def _named_words(
    said: str, words: Sequence[re.Match[str]], is_called: Callable[[str], bool]
) -> int:
    """Return how many words a sentence begins with that name somebody or something."""
    sizes = range(min(_MOST, len(words) - 1), 0, -1)
    return next((n for n in sizes if is_called(_span(said, words[:n]))), 0)


def _named(head: str, person: bool) -> str:
    """Return a name that begins a sentence, with an article where it is a thing's and has none."""
    if person or head.split(maxsplit=1)[0].lower() in _DETERMINERS or re.search("['’]", head):
        return head
    return f"The {head[0].lower()}{head[1:]}"


def _span(said: str, words: Sequence[re.Match[str]]) -> str:
    return said[words[0].start() : words[-1].end()]


def _is_nominal(said: str) -> bool:
    """Return whether a colon parts what a line is about from what it says: ``Whistle: with me``."""
    return re.match(r"\s*(?:[^\W\d_]+(?:['’]s)? ){0,3}[^\W\d_]+:\s", said) is not None


def _is_finite(lexicon: Lexicon) -> Callable[[str], bool]:
    """Return what tells whether a word may be the verb of a sentence."""

    def finite(word: str) -> bool:
        ends = re.split("['’]", word, maxsplit=1)[0] in _PRONOUNS or word.endswith(("n't", "n’t"))
        plain = not lexicon.state_phrases.find([word])
        return (
            word in _BEING
            or (ends and not word.isalpha())
            or (plain and bool(lexicon.forms_of(word) - {"participle", "gerund"}))
        )

    return finite


def _is_done_by(told: Sequence[str], is_person: Callable[[str], bool], lexicon: Lexicon) -> bool:
    """Return whether words say by whom something was done: ``pushed to the hall by Ann``."""
    by = any(one == "by" and is_person(other) for one, other in pairwise(told))
    return by and "participle" in lexicon.forms_of(told[0]) and _BEING.isdisjoint(told)


def _tells(told: Sequence[str], person: bool, lexicon: Lexicon) -> bool:
    """Return whether words say where something is, how it is, or what somebody has done."""
    first = next((n for n, word in enumerate(told) if word not in _SINCE), len(told))
    if first == len(told):
        return False
    placed = told[first] in _PLACING
    state = lexicon.state_phrases.match([*told], first) > 0
    return placed or state or (person and "participle" in lexicon.forms_of(told[first]))
