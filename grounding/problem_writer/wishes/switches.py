"""What a thing is switched by, said with that thing: ``the bath tap``, ``the tap of the bath``."""

from __future__ import annotations

from collections.abc import Iterator

from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.problem_writer.wishes.home import SWITCHES, Home
from commonground.grounding.words.nouns import word_set

_THE = word_set("the my our")
_OF = word_set("of on in at over for by")
_LONGEST = 2
"""Names of things have so many words."""


def with_own_switches(text: str, home: Home) -> str:
    """Return a text in which the switch of a thing has its own name, where others are called alike."""
    for start, end, name in reversed([*_said(text, home)]):
        text = f"{text[:start]}{name}{text[end:]}"
    return text


def _said(text: str, home: Home) -> Iterator[tuple[int, int, str]]:
    """Yield from where to where a text calls the switch of a thing, and its name."""
    tokens = [token for token in tokens_of(text) if token.text != "'s"]
    words = [token.text.casefold() for token in tokens]
    switches = {switch for switch in SWITCHES.values() if len(home.things([switch])) > 1}
    at = 0
    for begin in range(len(words)):
        kinds = switches & {*_types(words[begin : begin + 1], home)}
        for first, place, last in _with_places(words, begin) if kinds else ():
            name = _switch_of(place, kinds, home)
            if name and first >= at:
                yield tokens[first].start, tokens[last].end, name
                at = last + 1
                break


def _with_places(words: list[str], at: int) -> Iterator[tuple[int, list[str], int]]:
    """Yield the words that may name what a switch belongs to, each with where all of it begins and ends."""
    for size in range(_LONGEST, 0, -1):
        first = at - size
        if first >= 0 and "," not in words[first:at]:
            yield first - (first > 0 and words[first - 1] in _THE), words[first:at], at
        behind = words[at + 3 : at + 3 + size]
        if len(behind) == size and words[at + 1] in _OF and words[at + 2] in _THE:
            yield at - (at > 0 and words[at - 1] in _THE), behind, at + 2 + size


def _switch_of(place: list[str], kinds: set[str], home: Home) -> str:
    """Return the one switch of some kinds that a place has."""
    types = [kind for kind in _types(place, home) if SWITCHES.get(kind) in kinds]
    names = home.switches(types) if len(types) == 1 else ()
    return names[0] if len(names) == 1 and names[0] in home.there else ""


def _types(words: list[str], home: Home) -> tuple[str, ...]:
    noun = home.nouns.named(" ".join(words))
    return home.present(noun.types) if noun is not None else ()
