"""A command cut into chunks: the longest known phrases with their possible meanings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from commonground.grounding.language.tokens import Token, tokenize
from commonground.grounding.problem_writer.commands.robot_names import robots_named
from commonground.grounding.problem_writer.commands.vocabulary import Phrases, Sense, phrases_of
from commonground.grounding.problem_writer.kinds import spaced
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.words.nouns import plural, words_of
from commonground.grounding.words.spelling import Speller

LONGEST = 6
"""Words of the longest phrase."""
_NAME = re.compile(r"\b[A-Z][A-Za-z]*(?:_\d+)+\b")
_ADVERB = re.compile(r"[a-z]{4,}ly")
_TELLING = words_of("partially partly barely hardly nearly almost scarcely family weekly daily")
"""Words that end like adverbs of manner and change what is meant."""
_HYPHENS = re.compile(r"(?<=[A-Za-z])-(?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A phrase and what it may mean; no senses: the word is not known."""

    text: str
    senses: tuple[Sense, ...] = ()
    number: int = 0

    def sense(self, *kinds: str) -> Sense | None:
        """Return its first meaning of some kinds."""
        return next((sense for sense in self.senses if sense.kind in kinds), None)

    def is_(self, *kinds: str) -> bool:
        """Return whether it can be of some kind."""
        return self.sense(*kinds) is not None

    @property
    def known(self) -> bool:
        """Whether it means anything."""
        return bool(self.senses) or self.number > 0


class Chunker:
    """Cuts texts about one house into chunks."""

    def __init__(self, home: Home) -> None:
        self.phrases: Phrases = {**_heads(home), **phrases_of(home.kinds)}
        self.words = frozenset(word for phrase in self.phrases for word in phrase.split())
        self.speller = Speller(self.words)

    def chunks(self, text: str, names: Iterable[str], robots: Iterable[str] = ()) -> list[Chunk]:
        """Return the chunks of a command; names of things stand for themselves."""
        team = list(robots)
        known = {name.lower(): name for name in names}
        spans = [
            (begin, end, Chunk("robot", (Sense("fillers", "robot"), Sense("robot", robot))))
            for begin, end, robot in robots_named(text, team)
        ]
        for match in _NAME.finditer(text):
            name = known.get(match[0].lower())
            if name is not None:
                spans.append((*match.span(), Chunk(name, (Sense("name", name),))))
        found: list[Chunk] = []
        at = 0
        for begin, end, chunk in sorted(spans, key=lambda span: span[0]):
            found += [*self._plain(text[at:begin]), chunk]
            at = end
        return found + self._plain(text[at:])

    def _plain(self, text: str) -> list[Chunk]:
        tokens = tokenize(_HYPHENS.sub(" ", text))
        words = [self._spelled(token) for token in tokens]
        found, at = [], 0
        while at < len(tokens):
            chunk, size = self._next(tokens, words, at)
            found.append(chunk)
            at += size
        return found

    def _spelled(self, token: Token) -> str:
        word = token.text.lower()
        if token.kind != "word" or word in self.words:
            return word
        found = self.speller.correct(word) or word
        return word if word.endswith("ed") and not found.endswith("ed") else found

    def _next(self, tokens: Sequence[Token], words: Sequence[str], at: int) -> tuple[Chunk, int]:
        token = tokens[at]
        if token.kind == "mark":
            kind = "comma" if token.text in (",", "-") else "stop"
            return Chunk(token.text, (Sense(kind),)), 1
        for size in range(min(LONGEST, len(tokens) - at), 0, -1):
            phrase = " ".join(words[at : at + size])
            if phrase in self.phrases:
                return Chunk(phrase, self.phrases[phrase]), size
        if token.kind == "number" or token.value:
            return Chunk(token.text, number=int(token.value)), 1
        if _ADVERB.fullmatch(words[at]) and words[at] not in _TELLING:
            return Chunk(words[at], (Sense("fillers"),)), 1
        return Chunk(words[at]), 1


def _heads(home: Home) -> Phrases:
    """Return the last words of names for things, where these alone tell what is meant."""
    found: dict[str, tuple[Sense, ...]] = {}
    for kind in sorted(home.nouns.present):
        head = spaced(kind).split()[-1]
        for word, many in ((head, False), (plural(head), True)):
            noun = home.nouns.find(word)
            if noun is not None and noun.types == (kind,):
                found[word] = (Sense("thing", kind, plural=many),)
    return found
