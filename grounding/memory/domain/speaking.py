"""Who speaks: somebody of the world who says his name is ``I`` until somebody else does."""

from __future__ import annotations

import re

from commonground.grounding.memory.domain.calling import Calling
from commonground.grounding.memory.domain.words import (
    DETERMINERS,
    EVERY,
    FROM,
    MODALS,
    PARTICLES,
    PERSONAL,
    TO,
    classes_of,
    is_participle,
    sentences_of,
)
from commonground.grounding.memory.english.lexicon import load_lexicon

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
        left_out = known is not None and self._leaves_out(rest)
        return f"{name} {named[:1].lower()}{named[1:]}" if acts or left_out else named

    @staticmethod
    def _third(found: re.Match[str], name: str, text: str) -> str:
        """Return a name in place of a word for who speaks, where he does or undergoes what is told."""
        word, said = found["word"].lower(), found["word"]
        after = next(iter(re.findall(r"[\w']+", text[found.end() :].lower())), "")
        before = (re.findall(r"[\w']+", text[: found.start()].lower()) or [""])[-1]
        minding = classes_of(after, frozenset()) & _MINDING or after in ("mean", "meant")
        if minding or after in MODALS:
            return said
        given = before in TO | FROM | {"by"} or classes_of(before, frozenset()) & {"give"}
        return said if word == "me" and not given else name + _THIRD.get(word, "")

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
        found = [t for t in self.calling.kinds if said <= {*own[t]} and self._acts(t)]
        return found[0] if len(found) == 1 else None

    def _acts(self, thing: str) -> bool:
        roles = self.calling.roles
        return roles.is_a(self.calling.kinds[thing], roles.people | roles.robots)

    def _leaves_out(self, text: str) -> bool:
        """Return whether a report begins with what its speaker did, or with where he is again.

        ``took the key``, ``back in the stacks``; but ``parked on road 2`` may be of a thing.
        """
        said = [w.text for sentence in sentences_of(text)[:1] for w in sentence]
        first, rest = (said or [""])[0], [*said[1:], ""]
        if first == "back":
            return rest[0] in _PRESENT
        if not _is_past(first):
            return False
        if "go" in classes_of(first, frozenset(rest[:1]) & PARTICLES):
            return True
        after = next((w for w in rest if w not in PARTICLES), "")
        named = {w for words in self.calling.own_words.values() for w in words}
        return after in DETERMINERS | PERSONAL | EVERY | named - {""}


_PRESENT = frozenset(["in", "at", "on"])
"""What follows ``back`` where somebody says where he is."""


def _is_past(word: str) -> bool:
    """Return whether a word can only be a past form or a participle: ``put`` may be an order."""
    forms = {form for of in load_lexicon().lemmas(word).values() for form in of}
    return "base" not in forms and ("past" in forms or is_participle(word))
