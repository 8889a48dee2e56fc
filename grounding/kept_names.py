"""Names of the map in what a text loses: none is cut, and none goes without words that say something of it.

``Visit the hall, Noon Gate and the shed`` warns of nothing and puts nothing off, whatever names look like.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from commonground.grounding.english.names import GROUPS, Names
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.language.vocabulary import FUNCTION_WORDS


def keeps_names(before: str, after: str, names: Names) -> bool:
    """Return whether what a text lost may be set aside, by the names in it."""
    words, rest = ([t.text.casefold() for t in tokens_of(text)] for text in (before, after))
    hints = names.hints(words)
    named = [range(start, end) for start, end, group in hints if GROUPS[group] != "robot"]
    lost = SequenceMatcher(None, words, rest, autojunk=False).get_opcodes()
    gone = [range(start, end) for what, start, end, *_ in lost if what != "equal"]
    return not any(_is_cut(name, stretch) for name in named for stretch in gone) and not any(
        _names_alone(stretch, words, {at for name in named for at in name}) for stretch in gone
    )


def _is_cut(name: range, stretch: range) -> bool:
    return 0 < len({*name} & {*stretch}) < len(name)


def _names_alone(stretch: range, words: Sequence[str], named: set[int]) -> bool:
    told = all(at in named or _says_nothing(words[at]) for at in stretch)
    return told and not named.isdisjoint(stretch)


def _says_nothing(word: str) -> bool:
    return word in FUNCTION_WORDS or not word.isalnum()
