"""The closed vocabulary: phrases by category, read once from a text file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from commonground.errors import GroundingError
from commonground.grounding.words.nouns import word_set
from commonground.grounding.words.verbs import verb_forms

_PARTED = re.compile(r"(?='s\b)|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d)")


@dataclass(slots=True)
class Trie:
    """Phrases by their words; each ends in the categories it belongs to."""

    children: dict[str, Trie] = field(default_factory=dict)
    entries: list[tuple[str, Any, float]] = field(default_factory=list)

    def add(self, words: Sequence[str], category: str, value: Any, cost: float = 0.0) -> None:
        """Add a phrase."""
        node = self
        for word in words:
            node = node.children.setdefault(word, Trie())
        node.entries.append((category, value, cost))

    def matches(self, words: Sequence[str], at: int) -> Iterable[tuple[int, str, Any, float]]:
        """Yield (end, category, value, cost) of every phrase that starts at a position."""
        node: Trie | None = self
        for end in range(at, len(words)):
            node = node.children.get(words[end]) if node is not None else None
            if node is None:
                return
            for category, value, cost in node.entries:
                yield end + 1, category, value, cost

    def words(self) -> frozenset[str]:
        """Return every word of every phrase."""
        found: set[str] = set()
        stack = [self]
        while stack:
            node = stack.pop()
            found.update(node.children)
            stack += node.children.values()
        return frozenset(found)


# Small words: no misspellings of anything, and never part of a name.
FUNCTION_WORDS = word_set(
    "the a an of and or either neither nor both all any every each some one two that this these those it "
    "them they its their which who whom whose where there no not never do don by to for with from in on at "
    "be is are was were been being has have had you your me my i we us our he she him her his will would "
    "could should must may might if unless until than as so such respectively other others else same "
    "former latter rest remaining more most least only just"
)


def split_words(phrase: str) -> list[str]:
    """Return the words of a phrase as the tokenizer makes them."""
    return _PARTED.sub(" ", phrase.replace("-", " ")).split()


@cache
def vocabulary() -> tuple[Trie, frozenset[str]]:
    """Return the closed vocabulary and its words; read once, and nobody changes it afterwards."""
    text = (files("commonground.grounding") / "words/data/phrases.txt").read_text("utf-8")
    trie = Trie()
    category, is_verb = "", False
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.partition("#")[0].strip()
        head = re.fullmatch(r"\[([A-Z_]+)( verb)?\]", line)
        if head:
            category, is_verb = head[1], bool(head[2])
        elif line:
            if not category:
                raise GroundingError(f"phrases.txt:{number}: a line before the first [CATEGORY]")
            value, colon, phrases = line.partition(": ")
            for phrase in (phrases if colon else line).split(","):
                _add(trie, category, value if colon else "", phrase.strip(), is_verb=is_verb)
    return trie, trie.words() | FUNCTION_WORDS


def _add(trie: Trie, category: str, value: str, phrase: str, *, is_verb: bool) -> None:
    """Add a phrase; of verbs the first word in all its forms, past and participle as CATEGORY_D."""
    words = split_words(phrase)
    if not words:
        return
    if not is_verb:
        trie.add(words, category, value or phrase)
        return
    forms = verb_forms(words[0])
    if words[0] == "be":
        forms |= {"are": {"third"}, "am": {"third"}}
    for form, kinds in forms.items():
        if kinds & {"base", "third", "gerund"}:
            trie.add([form, *words[1:]], category, value or phrase)
        if kinds & {"past", "participle"}:
            trie.add([form, *words[1:]], f"{category}_D", value or phrase)
