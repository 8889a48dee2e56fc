"""Deeds that nobody here can do, or should: verbs the vocabulary does not know, and a few that do harm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.fidelity.robots import is_named
from commonground.grounding.language.tokens import Token
from commonground.grounding.language.vocabulary import vocabulary
from commonground.grounding.words.nouns import words_of

_ENDS = frozenset([".", ";", "!", "?", ":", "\n"])
_ASKING = frozenset(words_of("should shall must will can could would may please and then"))
_OBJECTS = frozenset(
    words_of(
        "the a an all every each both any some this that these those it them us me my our your his her their"
    )
)
"""What stands behind a verb that is done to something."""
_HARM = frozenset(
    [
        ("set", "fire"), ("set", "alight"), ("blow", "up"), ("run", "down"), ("knock", "over"),
        ("knock", "down"), ("tip", "over"), ("push", "over"),
    ]
)  # fmt: skip


def undoable(tokens: Sequence[Token], robots: Sequence[str]) -> Iterator[str]:
    """Yield what a text wants done that is no deed of a robot."""
    known = vocabulary()[1]
    for at, token in enumerate(tokens[:-1]):
        behind = tokens[at + 1].text
        harmful = (token.text, behind) in _HARM
        strange = token.kind == "word" and token.text not in known and behind in _OBJECTS
        if (harmful or strange) and _is_told(tokens, at, robots):
            yield f"no robot here can {token.text}{' ' + behind if harmful else ''}"


def _is_told(tokens: Sequence[Token], at: int, robots: Sequence[str]) -> bool:
    """Return whether a text says what to do there: first, behind a robot's name, behind a modal verb."""
    before = at - 1
    if before >= 0 and tokens[before].text == ",":
        before -= 1
    if before < 0 or tokens[before].text in _ENDS:
        return True
    word = tokens[before].text
    asked = word == "you" and before > 0 and tokens[before - 1].text in _ASKING
    return asked or word in _ASKING or any(is_named(name, word) for name in robots)
