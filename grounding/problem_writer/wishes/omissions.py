"""Names of a house in a text that neither its utterance nor the wish takes up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from commonground.grounding.english.names import GROUPS, Hint, Names
from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import Span
from commonground.grounding.problem_writer.goals import Wish, words_of
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import words_of as listed
from commonground.grounding.words.numbers import count_of

_AFTER_A_VERB = frozenset(
    listed(
        "the a an my your our his her their its this that these those all both each every any some "
        "it them him me us you i we he she they"
    )
)
"""What follows a verb and no noun: ``light the candle``, ``microwave it``, ``can you``."""


def passed_over(text: str, reading: Reading, names: Names, wish: Wish, home: Home) -> list[str]:
    """Return the robots and things of a house that a text names and nothing was made of."""
    tokens = tokens_of(text)
    words = [token.text for token in tokens]
    heard = [*parts_of(reading.utterance, Span), *reading.chatter]
    hints = names.hints(words)
    begins = {start for start, _, _ in hints}
    touched = set(_touched(wish, home))
    return [
        text[tokens[start].start : tokens[end - 1].end]
        for start, end, group in hints
        if not _is_heard(tokens[start:end], heard)
        and not (GROUPS[group] == "noun" and _is_verb((start, end, group), words, begins))
        and not touched & _types(" ".join(words[start:end]), home)
    ]


def _is_heard(tokens: Iterable[Token], heard: Iterable[Span]) -> bool:
    spans = [*heard]
    return any(t.start < s.end and t.end > s.start for t in tokens for s in spans)


def _is_verb(hint: Hint, words: list[str], begins: set[int]) -> bool:
    """Return whether a word is used as a verb: ``box up``'s object follows at once."""
    start, end, _ = hint
    after = words[end].lower() if end < len(words) else ""
    return end - start == 1 and (
        after in _AFTER_A_VERB or end in begins or count_of(after) is not None
    )


def _touched(wish: Wish, home: Home) -> Iterator[str]:
    """Yield the types that a wish is about."""
    for goal in (wish.goal, *wish.before):
        yield from (home.type_of(word) for word in words_of(goal))
    yield from (home.type_of(fact.subject) for fact in wish.spared)


def _types(words: str, home: Home) -> set[str]:
    noun = home.nouns.find(words)
    return set(noun.types) if noun is not None else set()
