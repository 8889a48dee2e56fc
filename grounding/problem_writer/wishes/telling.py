"""Which words of a command only tell something: what people do, what they will do, and how things are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from commonground.grounding.english.remarks import JOINING, MARKS, PEOPLE, remarks
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.words.nouns import words_of as listed

BEING = frozenset(
    listed("be get gets got make keep leave want have are is should needs until till them it")
)
_MEANING = frozenset(listed("want wants wanted need needs like going trying got"))
"""Before ``to`` and a verb, with a person in front, these tell what that person will do."""
_LEFT_TO_ROBOTS = frozenset(listed("have need want take like be"))
"""Behind ``I'll`` these tell what others are to do."""
_HAVING = frozenset(listed("has have 's 've"))
_WAITING = frozenset(listed("until till once when after if unless while make sure see"))


class Telling:
    """The words of one command, each with whether it only tells something."""

    def __init__(self, text: str) -> None:
        tokens = tokens_of(text)
        self.words = [token.text.casefold() for token in tokens]
        told = remarks(text)
        self.told = [
            (told(token) and not self._is_to_you(at)) or self._is_how_it_is(at)
            for at, token in enumerate(tokens)
        ]
        """Of each word, whether it only tells something."""
        self.own = [self._is_own_deed(at) for at in range(len(self.words))]
        """Of each word, whether it tells what people want to do themselves."""
        self.aside = [
            told or (own and self._others()) for own, told in zip(self.own, self.told, strict=True)
        ]
        """Of each word, whether it asks for nothing, beside others that do."""

    def _others(self) -> bool:
        """Return whether there is anything but what people do themselves."""
        words = zip(self.words, self.own, self.told, strict=True)
        return any(not (own or told or w in MARKS | JOINING) for w, own, told in words)

    def _is_how_it_is(self, at: int) -> bool:
        """Return whether a word is in a stretch that tells how it is: ``it's getting dark``."""
        begin = max((n + 1 for n in range(at) if self.words[n] in MARKS), default=0)
        first, *more = self.words[begin : at + 1]
        been = any(a in _HAVING and b == "been" for a, b in pairwise(more))
        if been and _WAITING.isdisjoint((first, *more)):
            return True  # ``the light's been on all day``
        return first == "it" and bool(more) and more[0] in ("'s", "is", "was") and "to" not in more

    def _is_own_deed(self, at: int) -> bool:
        """Return whether a word is in a stretch that tells what somebody will do: ``I want to sew on it``."""
        begin = max((n + 1 for n in range(at + 1) if self.words[n] in MARKS), default=0)
        end = next((n for n in range(at, len(self.words)) if self.words[n] in MARKS), None)
        words = self.words[begin:end]
        while words and words[0] in JOINING:
            words = words[1:]
        return _wants_to_do(words) or _will_do(words)

    def _is_to_you(self, at: int) -> bool:
        """Return whether a word is in a stretch that speaks to somebody: ``I wonder if you could``."""
        begin = max((n + 1 for n in range(at) if self.words[n] in MARKS), default=0)
        return "you" in self.words[begin:at]


def _will_do(words: Sequence[str]) -> bool:
    """``I'll do the rest``."""
    will = words[1:2] in (["'ll"], ["will"]) and _LEFT_TO_ROBOTS.isdisjoint(words[2:3])
    return will and words[0] in PEOPLE and "you" not in words


def _wants_to_do(words: Sequence[str]) -> bool:
    """``I want to sew on it``."""
    told = [
        n for n in range(1, len(words) - 1)
        if words[n] == "to" and words[n - 1] in _MEANING and words[n + 1] not in BEING | {"see"}
    ]  # fmt: skip
    return bool(told) and words[0] in PEOPLE and "you" not in words[: told[0]]
