"""All, both, every, none and nothing: what is said of all things of a kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.memory.interpretation.unclear import Unclear
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
from commonground.grounding.memory.readers.domain.described.referents import Referents
from commonground.grounding.memory.readers.domain.described.relative import BELONGING

_EXCEPTING = (
    *(("except", "for"), ("except",), ("apart", "from"), ("aside", "from"), ("other", "than")),
    *(("but", "not"), ("save", "for"), ("minus",), ("excluding",)),
)
_JOINING = frozenset(["and", ","])


def without_excepted(parts: Sequence[Part], referents: Referents) -> list[Part]:
    """Return parts with all but what is excepted where all are named; Unclear where that is open."""
    for at in range(len(parts)):
        size = _excepting(parts, at)
        if not size:
            continue
        whole = next((n for n in range(at - 1, -1, -1) if _is_every(parts[n])), None)
        end = _listed(parts, at + size)
        if whole is not None and end > at + size:
            named = [p for p in parts[at + size : end] if isinstance(p, Phrase)]
            begin = at - (text_at(parts, at - 1) == ",")
            left = _but(parts[whole], named, referents)
            rest = without_excepted(parts[end:], referents)
            return [*parts[:whole], left, *parts[whole + 1 : begin], *rest]
        if text_at(parts, at) in ("except", "bar", "save"):
            raise Unclear(f"'{text_at(parts, at)}': which are meant, and which not?")
    return [*parts]


def _excepting(parts: Sequence[Part], at: int) -> int:
    """Return how many words at a place leave out what is named next."""
    texts = (text_at(parts, at), text_at(parts, at + 1))
    if texts[0] == "but" and at and _is_every(parts[at - 1]):
        return 1 + (texts[1] == "not")  # "every tray but the dirty one"
    after = parts[at + 1] if at + 1 < len(parts) else None
    if texts[0] == "bar" and isinstance(after, Phrase) and after.source[:1] == ("the",):
        return 1  # no "bar 3"
    return next((len(e) for e in _EXCEPTING if e == texts[: len(e)]), 0)


def _is_every(part: Part) -> bool:
    return isinstance(part, Phrase) and part.every


def _listed(parts: Sequence[Part], at: int) -> int:
    """Return where a list of phrases ends."""
    end = at
    while at < len(parts) and isinstance(parts[at], Phrase):
        end = at + 1
        at = end + (text_at(parts, end) in _JOINING)
    return end


def _but(whole: Part, named: Sequence[Phrase], referents: Referents) -> Phrase:
    """Return a phrase for all that one means but what others name."""
    if not isinstance(whole, Phrase):
        raise Unclear("which are meant?")
    all_ = {*referents.candidates(whole)} if whole.owners else {*whole.things}
    gone: set[str] = set()
    for phrase in named:
        meant = {*referents.candidates(phrase, all_.__contains__)}
        if not meant and phrase.owner:  # "all the crates except Ann's"
            owners = referents.candidates(phrase)
            meant = {*referents.owned_by(sorted(all_), owners[0])} if len(owners) == 1 else set()
        if len(meant) != 1 and not phrase.is_plural and not phrase.every:
            raise Unclear(f"which one is meant by '{phrase.text}'?")
        gone |= meant
    if not gone:
        raise Unclear("which are meant, and which not?")
    left = {t: rank for t, rank in whole.things.items() if t in all_ - gone}
    return replace(whole, things=left, like=False)


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
