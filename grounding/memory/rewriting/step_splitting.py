"""The steps of a report: its clauses down to single deeds, each with who did it.

``She opened the chest, put it in there and closed it`` are three steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.english.words import BE, HAVE, MODALS
from commonground.grounding.words.nouns import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_JOINT = re.compile(
    r"(?P<end>\s*[.;:!?–—]+)(?:\s+|$)"
    r"|(?:,\s*|\s+)(?:and|but|then|whereas|while|plus)(?:\s+(?:then|also|afterwards|finally|just))*\s+|,\s+",
    re.I,
)
_SUBJECTS = word_set("i he she they we it")
_AFTER = word_set(
    "the a an my his her its our your their it them him me that this those these some all both "
    "everything back up down out off over away on in into onto to at from home straight"
)
_ADVERBS = word_set("just then also now since quickly promptly already finally still even both")
_MOST = 4


def steps_in(
    text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]
) -> list[str]:
    """Return the steps of a report in their order, each as a sentence of its own."""
    found, subject = list[str](), ""
    for begin, end in _spans(text, is_person, names_any):
        said = text[begin:end].strip(" ,")
        own = _subject_of(said, is_person)
        whole = f"{subject} {said}" if subject and not own and _goes_on(said, names_any) else said
        subject = own or subject
        found.append(f"{whole[:1].upper()}{whole[1:].rstrip(' .')}.")
    return found


def _spans(
    text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]
) -> Iterator[tuple[int, int]]:
    """Yield where each step begins and ends."""
    begin = 0
    for found in _JOINT.finditer(text):
        after = text[found.end() :]
        if not _WORD.search(after):
            break
        if found["end"] or _begins(after, is_person, names_any):
            yield begin, found.start()
            begin = found.end()
    yield begin, len(text)


def _begins(text: str, is_person: Callable[[str], bool], names_any: Callable[[str], bool]) -> bool:
    """Return whether words begin a clause: with who does something, what was done, or what is so."""
    words = [word.lower() for word in _WORD.findall(text[: _end(text)])]
    if len(words) < 2:
        return False
    if _goes_on(text, names_any):
        return True
    first, contracted, _ = words[0].partition("'")
    if first in _SUBJECTS or is_person(_WORD.findall(text)[0].partition("'")[0]):
        own = contracted and first not in _SUBJECTS and not _is_done(words[1])
        return not own and words[1] not in ("and", "or") and any(map(_may_be_verb, words[1:4]))
    sizes = range(1, min(_MOST, len(words)))
    return any(_is_told(words, n) and names_any(_name(words[:n])) for n in sizes)


def _end(text: str) -> int:
    found = re.search(r"[,.;:!?–—]|\band\b", text)
    return found.start() if found else len(text)


def _is_told(words: Sequence[str], size: int) -> bool:
    """Return whether something is told of what so many words name: ``tap's running``, ``the lid is up``."""
    return words[size - 1].endswith("'s") or words[size] in BE


def _name(words: Sequence[str]) -> str:
    return " ".join(words).removesuffix("'s")


def _goes_on(text: str, names_any: Callable[[str], bool]) -> bool:
    """Return whether words begin with what somebody did who is not named again: ``shut fridge`` in notes."""
    words = [word.lower() for word in _WORD.findall(text)]
    while words and words[0] in _ADVERBS:
        words = words[1:]
    if len(words) > 1 and words[0] in HAVE and _is_done(words[1]):
        return True
    past = bool(words) and "past" in load_lexicon().forms_of(words[0])
    return past and (not _AFTER.isdisjoint(words[1:2]) or names_any(" ".join(words[1:_MOST])))


def _is_done(word: str) -> bool:
    return "participle" in load_lexicon().forms_of(word)


def _may_be_verb(word: str) -> bool:
    return word in BE or word in HAVE or word in MODALS or bool(load_lexicon().lemmas(word))


def _subject_of(said: str, is_person: Callable[[str], bool]) -> str:
    """Return who does something in a clause: the last one named before a verb."""
    words = _WORD.findall(said)
    subject = ""
    for at, word in enumerate(words[:-1]):
        name, own, _ = word.partition("'")
        who = name.lower() in _SUBJECTS - {"it"} or (is_person(word) and not own)
        after = [w.lower() for w in words[at + 1 :] if w.lower() not in _ADVERBS][:1]
        does = own or any(map(_may_be_verb, after))
        if who and does:
            subject = name
    return subject
