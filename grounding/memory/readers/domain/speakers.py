"""Who speaks: somebody of the world who says his name is ``I`` until somebody else does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.memory.english.lexicon import load_lexicon
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    DETERMINERS,
    EVERY,
    FROM,
    MODALS,
    PARTICLES,
    PERSONAL,
    TO,
    classes_of,
    is_participle,
    says_nothing,
    sentences_of,
)
from commonground.grounding.memory.readers.domain.calling import Calling
from commonground.grounding.words.closed import NO_TITLE

_NAME = r"(?P<name>[\w-]+(?: [\w-]+)?)"
_INTRODUCED = re.compile(
    rf"^\s*(?:(?:here(?: is|'s)?|this is|it's|it is) {_NAME}|{_NAME.replace('name', 'who')} "
    r"(?:here|again|speaks|speaking))(?: here| again| speaking)?\s*(?P<mark>[.,!;–-]+)\s*",
    re.IGNORECASE,
)
_SIGNED = re.compile(rf"^\s*{_NAME}\.\s+")
_FIRST = re.compile(
    r"(?<![\w'])(?P<word>i'm|i am|i've|i have|i was|i'd|i|me|myself|my|mine)(?![\w'])",
    re.IGNORECASE,
)
_THIRD = {
    "i'm": " is", "i am": " is", "i've": " has", "i have": " has", "i was": " was", "i'd": " had",
    "my": "'s", "mine": "'s",
}  # fmt: skip


_MINDING = frozenset(["observe", "speech", "belief", "desire"])
"""What who speaks does himself, whoever he is."""


class Speaking:
    """Puts the name of who speaks in place of ``I`` and ``me``."""

    def __init__(self, calling: Calling) -> None:
        self.calling = calling
        self.speaker: str | None = None

    def named(self, text: str, speaker: str | None = None) -> str:
        """Return a text with who speaks by his name, where he said it now or before, or it is known."""
        known = self._person(speaker) if speaker else None
        self.speaker = known or self.speaker
        text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
        said, rest = self._introduced(text)
        if self.speaker is None:
            return text
        name = " ".join(w.capitalize() for w in self.calling.own_words[self.speaker])
        named = _FIRST.sub(lambda found: self._third(found, name, rest), rest)
        first = rest.split()[:1]
        acts = said and named == rest and first and is_participle(first[0].lower())
        if acts or known is None:
            return f"{name} {named[:1].lower()}{named[1:]}" if acts else named
        return self._with_subject(named, name)

    def _with_subject(self, text: str, name: str) -> str:
        """Return a text with who speaks before the first sentence that leaves out that he did it."""
        parts = _SENTENCES.split(text)
        for at, part in enumerate(parts):
            said = [w.text for sentence in sentences_of(part) for w in sentence]
            size = _opening(said)
            if self._is_place(said[size:]) and at + 1 < len(parts):
                parts[at] = f"{name} is {part[:1].lower()}{part[1:]}"
            elif self._leaves_out(said[size:]):
                opened = _words_begin(part, size)
                rest = part[opened:]
                parts[at] = f"{part[:opened]}{name} {rest[:1].lower()}{rest[1:]}"
            elif name not in part and not self._names_somebody(said):
                continue
            break
        return " ".join(parts)

    def _names_somebody(self, said: Sequence[str]) -> bool:
        """Return whether words name or speak of anybody, who may have done what the next ones tell."""
        people = self.calling.of_kinds(self._does)
        named = {w for t in people for w in self.calling.own_words[t]}
        return not (named | {"he", "she", "they", "we"}).isdisjoint(said)

    def _is_place(self, said: Sequence[str]) -> bool:
        """Return whether a sentence only names where people may be: ``In the office.``"""
        words = [w for w in said if w not in DETERMINERS and w.isalnum()]
        if words[:1] == [] or words[0] not in _PRESENT:
            return False
        found = self.calling.called((*words[1:],)) if words[1:] else []
        return any(self._is_zone(self.calling.kinds[t]) for t in found)

    def _is_zone(self, kind: str) -> bool:
        return self.calling.roles.is_a(kind, self.calling.roles.zones)

    @staticmethod
    def _third(found: re.Match[str], name: str, text: str) -> str:
        """Return a name in place of a word for who speaks, where he does or undergoes what is told."""
        word, said = found["word"].lower(), found["word"]
        follows = re.match(r"\s*([\w']+)", text[found.end() :].lower())
        after = follows[1] if follows is not None else ""
        before = (re.findall(r"[\w']+", text[: found.start()].lower()) or [""])[-1]
        minding = classes_of(after, frozenset()) & _MINDING or after in ("mean", "meant")
        if minding or after in MODALS:
            return said
        given = before in TO | FROM | {"by"}
        given = given or bool(classes_of(before, frozenset()) & {"give", "go", "leave"})
        plain = given or _is_subject(before, after)
        return said if word == "me" and not plain else name + _THIRD.get(word, "")

    def _introduced(self, text: str) -> tuple[bool, str]:
        """Keep who says his name at the beginning; return whether somebody did, and the rest."""
        found = _INTRODUCED.match(text)
        if found is not None:
            person = self._person(found["name"] or found["who"])
            self.speaker = person
            return person is not None, text[found.end() :] if person is not None else text
        signed = _SIGNED.match(text)
        again = signed is not None and self.speaker == self._person(signed["name"])
        if signed is not None and again and self.speaker is not None:
            return True, text[signed.end() :]
        return False, text

    def _person(self, name: str) -> str | None:
        """Return the one of the world whom a name, or a symbol, means."""
        if name in self.calling.kinds:
            return name if self._acts(name) else None
        said = {*name.lower().split()}
        own = self.calling.own_words
        found = [t for t in self.calling.of_kinds(self._does) if said <= {*own[t]}]
        return found[0] if len(found) == 1 else None

    def _acts(self, thing: str) -> bool:
        return self._does(self.calling.kinds[thing])

    def _does(self, kind: str) -> bool:
        roles = self.calling.roles
        return roles.is_a(kind, roles.people | roles.robots)

    def _leaves_out(self, said: Sequence[str]) -> bool:
        """Return whether a sentence begins with what its speaker did, or with where he is again.

        ``took the key``, ``back in the stacks``; but ``parked on road 2`` may be of a thing. ``Put it in``
        may be an order where nothing else in the text was done.
        """
        first, rest = (said or [""])[0], [*said[1:], ""]
        if first == "back":
            return rest[0] in _PRESENT
        if not (_is_past(first) or (_may_be_past(first) and _tells_deed(said))):
            return False
        if "go" in classes_of(first, frozenset(rest[:1]) & PARTICLES):
            return True
        after = next((w for w in rest if w not in PARTICLES), "")
        named = after != "" and bool(self.calling.kindred.having(after))
        return named or after in DETERMINERS | PERSONAL | EVERY


_PRESENT = frozenset(["in", "at", "on"])
"""What follows ``back`` where somebody says where he is."""
_SENTENCES = re.compile(rf"{NO_TITLE}(?<=[.!?])\s+", re.IGNORECASE)


def _is_subject(before: str, after: str) -> bool:
    """Return whether ``me`` between two words does or is something: ``it's me who``, ``me and Ann``."""
    cleft = before == "it's" and after in ("who", "that")
    return cleft or after == "and" or (before == "and" and after in COPULAS)


def _opening(said: Sequence[str]) -> int:
    """Return how many words only open a sentence: ``fyi``, ``just``."""
    at = 0
    while at < len(said):
        size = load_lexicon().openers.match([*said], at)
        if not (size or said[at] in (",", "just") or says_nothing(said[at])):
            break
        at += size or 1
    return at


def _words_begin(text: str, count: int) -> int:
    """Return where a text goes on behind its first words and marks."""
    found = [*re.finditer(r"[\w'-]+|[^\w\s]", text)]
    return found[count].start() if count < len(found) else 0


def _tells_deed(said: Sequence[str]) -> bool:
    """Return whether one of several clauses begins with what can only have been done."""
    joins = (",", "and", "then")
    return any(_is_past(b) for a, b in pairwise(said) if a in joins)


def _may_be_past(word: str) -> bool:
    return any("past" in forms for forms in load_lexicon().lemmas(word).values())


def _is_past(word: str) -> bool:
    """Return whether a word can only be a past form or a participle: ``put`` may be an order."""
    forms = {form for of in load_lexicon().lemmas(word).values() for form in of}
    return "base" not in forms and ("past" in forms or is_participle(word))
