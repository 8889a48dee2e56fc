"""The words of commands: verbs with their forms, things by type and group, small words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from commonground.config import read_yaml, validated
from commonground.grounding.problem_writer.kinds import Kinds, spaced
from commonground.grounding.words.nouns import plural
from commonground.grounding.words.verbs import verb_forms
from commonground.settings import Settings


class CommandWords(Settings):
    """The file of closed vocabulary."""

    verbs: dict[str, tuple[str, ...]]
    states: dict[str, tuple[str, ...]]
    prepositions: dict[str, tuple[str, ...]]
    small: dict[str, tuple[str, ...]]
    """Words of closed classes by their kind."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of a phrase."""

    kind: str
    """verb, past (a participle), thing, group, preposition, state, link, …"""
    value: str = ""
    plural: bool = False


Phrases = Mapping[str, tuple[Sense, ...]]


@cache
def command_words() -> CommandWords:
    """Return the closed vocabulary."""
    path = str(files("commonground.grounding.problem_writer").joinpath("data/commands.yaml"))
    values, lines = read_yaml(path)
    return validated(CommandWords, values, {k: f"{path}:{n}" for k, n in lines.items()}, path)


def phrases_of(kinds: Kinds) -> Phrases:
    """Return the meanings of every phrase, those of small words included."""
    found: dict[str, dict[Sense, None]] = {}
    for phrase, sense in (*_small(command_words()), *_verbs(command_words()), *_nouns(kinds)):
        found.setdefault(phrase, {})[sense] = None
    return {phrase: tuple(senses) for phrase, senses in found.items()}


def _small(words: CommandWords) -> Iterator[tuple[str, Sense]]:
    for state, phrases in words.states.items():
        yield from ((phrase, Sense("state", state)) for phrase in phrases)
    for role, phrases in words.prepositions.items():
        yield from ((phrase, Sense("preposition", role)) for phrase in phrases)
    for kind, phrases in words.small.items():
        yield from ((phrase, Sense(kind, phrase)) for phrase in phrases)


def _verbs(words: CommandWords) -> Iterator[tuple[str, Sense]]:
    for frame, phrases in words.verbs.items():
        for phrase in phrases:
            base, _, rest = phrase.partition(" ")
            for form, kinds in verb_forms(base).items():
                if kinds & {"base", "third", "gerund"}:
                    yield f"{form} {rest}".strip(), Sense("verb", frame)
                if kinds & {"past", "participle"}:
                    yield f"{form} {rest}".strip(), Sense("past", frame)


def _nouns(kinds: Kinds) -> Iterator[tuple[str, Sense]]:
    for name, kind in kinds.types.items():
        for word in dict.fromkeys((*kind.words, spaced(name), name.lower())):
            yield word, Sense("thing", name)
            yield plural(word), Sense("thing", name, plural=True)
    for group in kinds.groups:
        yield group, Sense("group", group)
        yield plural(group), Sense("group", group, plural=True)
    for short, group in kinds.short.items():
        yield short, Sense("group", group)
        yield plural(short), Sense("group", group, plural=True)
