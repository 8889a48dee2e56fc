"""Words of a text that neither its utterance nor the wish takes up: names of a house, and further verbs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from commonground.grounding.english.parts import parts_of
from commonground.grounding.english.reader import Reading
from commonground.grounding.english.tokens import Token, tokens_of
from commonground.grounding.english.utterance import Clause, Span, Utterance
from commonground.grounding.problem_writer.purposes import bases
from commonground.grounding.problem_writer.wishes.heads import orders
from commonground.grounding.words.likeness import likeness
from commonground.grounding.words.nouns import words_of as listed

_PRONOUNS = frozenset(listed("it them him me us you i we he she they this that these those"))
_DETERMINERS = frozenset(
    listed("the a an my your our his her their its all both each every any some no")
)
_BEGINS_NO_VERB = (
    _PRONOUNS
    | _DETERMINERS
    | frozenset(
        listed(
            "in on at to from of off with without by for into onto inside under over up down near behind "
            "beside between out and or but nor so if when while before after until as than not never n't is "
            "are be was been shall will would can could might may must should has have there here who what "
            "which one two everything yes"
        )
    )
)
"""Words of closed classes: what follows ``and`` is no verb if it is one of them."""
_JOINING = frozenset(listed("and then n & plus"))
_BETWEEN = frozenset(listed("then also please to next finally afterwards after that now just only"))
"""What may stand between ``and`` and the verb."""
_NICE_AND = frozenset(listed("nice good"))
"""``nice and cold``."""
_MOVING = ("put", "throw away", "give", "bring along", "take", "hold", "serve", "swap")
"""Senses that are often said in two verbs: pick it up and lay it there."""


_LIT = ("light the room", "darken the room")
"""Senses that need no word of their own in an utterance."""
_OF_LIGHT = ("dark", "bright", "darken")
_ALIKE = 0.6
_TELLING = frozenset(listed("is 's s was are gets got feels looks seems too so as"))
"""Before a word for light these tell how it is, and not how it should be."""


def says_light(text: str, utterance: Utterance) -> bool:
    """Return whether a text asks for the light that a reading of it asks for: ``Hello`` asks for none.

    ``It is dark in here`` tells how it is; whether it should be so is not said.
    """
    if not any(clause.sense in _LIT for clause in parts_of(utterance, Clause)):
        return True
    words = [token.text.casefold() for token in tokens_of(text)]
    at = [n for n, word in enumerate(words) if _is_of_light(word)]
    return bool(at) and not all(n > 0 and words[n - 1] in _TELLING for n in at)


def _is_of_light(word: str) -> bool:
    pairs = ((base, known) for base in bases(word) for known in _OF_LIGHT)
    return any(abs(likeness(base, known)) >= _ALIKE for base, known in pairs)


def verbs_passed_over(text: str, reading: Reading) -> list[str]:
    """Return the verbs of which nothing was made."""
    heard = [*parts_of(reading.utterance, Span), *reading.chatter]
    return _verbs(tokens_of(text), heard, [*parts_of(reading.utterance, Clause)])


def _is_heard(tokens: Iterable[Token], heard: Iterable[Span]) -> bool:
    spans = [*heard]
    return any(t.start < s.end and t.end > s.start for t in tokens for s in spans)


def _verbs(tokens: Sequence[Token], heard: Sequence[Span], clauses: Sequence[Clause]) -> list[str]:
    """Return the verbs joined by ``and``, where they are more than the clauses that were read."""
    joined = {at: tokens[at].text for at in _joined_verbs(tokens, heard)}
    most = len(clauses) + sum(clause.sense in _MOVING for clause in clauses)
    unknown = [verb for verb in joined.values() if verb.lower() not in orders()]
    return unknown if len(joined) >= most else []


def _joined_verbs(tokens: Sequence[Token], heard: Sequence[Span]) -> Iterator[int]:
    """Yield where a verb follows ``and``."""
    for at, token in enumerate(tokens):
        joins = token.text.lower() in _JOINING and not _is_heard([token], heard)
        if not joins or (at and tokens[at - 1].text.lower() in _NICE_AND):
            continue
        at += 1
        while at < len(tokens) and tokens[at].text.lower() in _BETWEEN:
            at += 1
        if at < len(tokens) and _may_be_verb(tokens[at]) and not _is_heard([tokens[at]], heard):
            yield at


def _may_be_verb(token: Token) -> bool:
    return token.text.isalpha() and token.text.lower() not in _BEGINS_NO_VERB
