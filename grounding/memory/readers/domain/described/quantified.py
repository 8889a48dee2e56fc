"""All, both, every, none and nothing: what is said of all things of a kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.memory.ontology.words import (
    AUXILIARIES,
    COPULAS,
    EVERY,
    FROM,
    MODALS,
    TO,
    Word,
    classes_of,
    is_participle,
    number_in,
)
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.named import NAME
from commonground.grounding.memory.readers.domain.described.phrase import Part, Phrase, text_at
from commonground.grounding.memory.readers.domain.described.relative import BELONGING

_PEOPLE = frozenset(["everybody", "everyone", "nobody"])
_THINGS = frozenset(["everything", "anything", "nothing", "whatever"])
_NONE = frozenset(["nothing", "nobody"])
_OPEN, _WHOM = frozenset(["what", "whatever"]), frozenset(["whoever", "whomever"])
_NARROWING = TO | FROM | frozenset(["that", "which", "who", "of", "belonging"])
_MARKS = frozenset([",", ";", ":", "and", "but", "then", "so", "-"])


def without_counts(words: Sequence[Word]) -> list[Word]:
    """Return words with ``no`` for ``none of``, and ``all cups`` for ``all three cups``."""
    found: list[Word] = []
    at = 0
    while at < len(words):
        texts = [w.text for w in words[at : at + 4]]
        found.append(words[at])
        at += 1
        if texts[0] in EVERY:
            at += _counting(texts[1:])
    return found


def _counting(texts: Sequence[str]) -> int:
    """Return how many words after ``all`` only count: ``three``, ``the two``, ``pairs of``."""
    the = int(texts[:1] == ["the"])
    if texts[the : the + 1] and number_in(texts[the]) and len(texts) > the + 1:
        return the + 1
    measured = len(texts) > 1 and texts[1] == "of" and texts[0] in ("pairs", "sets", "one")
    return 2 if measured else 0


class Quantifiers:
    """Finds who and what is meant by words for everybody and everything in one world."""

    def __init__(self, denoting: Denoting) -> None:
        self.denoting, self.roles = denoting, denoting.roles
        self.kinds = denoting.calling.kinds

    def resolved(self, parts: Sequence[Part]) -> list[Part]:
        """Return parts with phrases for ``everybody`` and ``nothing``."""
        found: list[Part] = []
        for at, part in enumerate(parts):
            text = part.text if isinstance(part, Word) else ""
            headed = self._headed(parts, at) or _of_none(parts[at], found)
            if headed is not None:
                found += headed
            elif text in _PEOPLE | _THINGS and self._is_general(parts, at):
                found += [Word("no")] if text in _NONE else []
                found.append(self._all(text))
            elif isinstance(part, Phrase) and found and found[-1] == Word("no"):
                found.append(replace(part, every=True))
            else:
                found.append(part)
        return found

    def _headed(self, parts: Sequence[Part], at: int) -> list[Part] | None:
        """Return a phrase for all that may be meant, and what opens its clause: ``what Ann is holding``."""
        text, after = text_at(parts, at), parts[at + 1] if at + 1 < len(parts) else None
        if at and isinstance(parts[at - 1], Phrase):
            return None
        if text in _OPEN and (isinstance(after, Phrase) or _is_there(parts, at + 1)):
            return [
                replace(self._head("thing", self.denoting.movable, text), every=True),
                Word("that"),
            ]
        if text in _WHOM and after is not None:
            return [self._head("person", self._people(), text), Word("who")]
        if at and text == "where" and isinstance(after, Phrase) and _is_now_there(parts, at + 2):
            return self._where(led=text_at(parts, at - 1) in TO | FROM)
        return None

    def _where(self, *, led: bool) -> list[Part]:
        zones = [t for t, kind in self.kinds.items() if self.roles.is_a(kind, self.roles.zones)]
        place: list[Part] = [self._head("place", zones, "where"), Word("where")]
        return place if led else [Word("at"), *place]

    @staticmethod
    def _head(noun: str, things: Sequence[str], text: str) -> Phrase:
        return Phrase((noun,), dict.fromkeys(things, NAME), source=(text,))

    def _is_general(self, parts: Sequence[Part], at: int) -> bool:
        """Return whether a word stands for all people, or for all things that what follows tells."""
        text, before = text_at(parts, at), text_at(parts, at - 1) if at else ","
        after = text_at(parts, at + 1)
        if text in _NONE:
            begins = before in _MARKS | {"please"} or at == 0
            return begins and after in _NARROWING | AUXILIARIES | MODALS
        named = at + 1 < len(parts) and isinstance(parts[at + 1], Phrase)
        return text in _PEOPLE or named or after in _NARROWING or after.endswith(("ing", "ed"))

    def _all(self, text: str) -> Phrase:
        things = self._people() if text in _PEOPLE else self.denoting.movable
        return Phrase((text,), dict.fromkeys(things, NAME), every=True, source=(text,))

    def _people(self) -> list[str]:
        people = [t for t in self.kinds if self.denoting.calling.is_person(t)]
        robots = self.roles.robots
        return people or [t for t, kind in self.kinds.items() if self.roles.is_a(kind, robots)]


def _is_there(parts: Sequence[Part], at: int) -> bool:
    """Return whether a word says that something is somewhere: ``is``, ``stands``."""
    text = text_at(parts, at)
    return text in COPULAS or "located" in classes_of(text, frozenset())


def _of_none(part: Part, before: list[Part]) -> list[Part] | None:
    """Return a phrase of all that is not, or is not to be: ``I do not want any cups there``."""
    if not isinstance(part, Phrase) or before[-1:] != [Word("any")] or Word("not") not in before:
        return None
    before.pop()
    return [replace(part, every=True)]


def _is_now_there(parts: Sequence[Part], at: int) -> bool:
    """Return whether something is there; ``where it belongs``, or ``is kept``, is found by what lasts."""
    kept = text_at(parts, at) in BELONGING or is_participle(text_at(parts, at + 1))
    return not kept and _is_there(parts, at)
