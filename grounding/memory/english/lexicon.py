"""The words of ``english.yaml``, ready to be looked up by any of their forms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from commonground.errors import GroundingError
from commonground.grounding.memory.english.state_words import State
from commonground.grounding.words.concepts import household
from commonground.grounding.words.nouns import plural, words_of
from commonground.grounding.words.verbs import Form, guessed_lemma, irregular_verbs, verb_forms
from commonground.reading_yaml import parse_yaml
from commonground.reasons import reason

UNTOLD = frozenset(["speech", "belief", "fiction", "desire"])
"""Classes of verbs under which what stands beside them may not be so."""
INERT = frozenset(["desire", "speech", "belief", "certain", "neutral"])
"""Classes of verbs that change nothing."""

HAVING = frozenset(
    ["take", "hold", "give", "receive", "go", "transport", "leave", "swap", "evacuate"]
)
"""Classes of verbs that may tell who has a thing: whoever places one has it no more."""


@dataclass(frozen=True, slots=True)
class Verb:
    """What a verb, with its particles, may do."""

    classes: frozenset[str] = frozenset()
    states: tuple[State, ...] = ()


@dataclass(slots=True)
class _Entry:
    classes: set[str] = field(default_factory=set)
    states: list[State] = field(default_factory=list)


class Phrases:
    """Phrases of several words, found at a place in a list of words."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[str, ...]]] = {}
        for phrase in dict.fromkeys(phrases):
            words = tuple(str(phrase).split())
            self._by_first.setdefault(words[0], []).append(words)
        for found in self._by_first.values():
            found.sort(key=len, reverse=True)

    def match(self, words: Sequence[str], at: int) -> int:
        """Return how many words the longest phrase that begins at a place has; 0 for none."""
        for phrase in self._by_first.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase:
                return len(phrase)
        return 0

    def find(self, words: Sequence[str]) -> str | None:
        """Return the first phrase that stands anywhere in the words, or None."""
        for at in range(len(words)):
            length = self.match(words, at)
            if length:
                return " ".join(words[at : at + length])
        return None


class Lexicon:
    """Words by form, verbs with their classes, states, and set phrases."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._entries: dict[tuple[str, ...], _Entry] = {}
        self._read_verbs()
        self.forms: dict[str, dict[str, set[Form]]] = {}
        """Inflected form → lemma → what form it is."""
        self.rests: dict[str, list[tuple[str, ...]]] = {}
        """Lemma → the particles it may have, longest first."""
        for phrase in sorted(self._entries, key=len, reverse=True):
            self.rests.setdefault(phrase[0], []).append(phrase[1:])
        for lemma in [*self.rests, *irregular_verbs()]:
            for form, kinds in verb_forms(lemma).items():
                self.forms.setdefault(form, {}).setdefault(lemma, set()).update(kinds)
        self.states: dict[str, list[State]] = {}
        self._read_states()
        self.state_phrases = Phrases(self.states)
        for name in words_of(
            "openers nothings adverbs sequence hedges missed retract correct correct_weak "
            "swap_signs habits commanding"
        ):
            setattr(self, name, Phrases(data[name]))
        self.synonyms: dict[str, set[str]] = {}
        for row in household().concepts:
            for word in row.words:
                self.synonyms.setdefault(word, set()).update(w for w in row.words if w != word)

    openers: Phrases
    missed: Phrases
    nothings: Phrases
    adverbs: Phrases
    sequence: Phrases
    hedges: Phrases
    retract: Phrases
    correct: Phrases
    correct_weak: Phrases
    swap_signs: Phrases
    habits: Phrases
    commanding: Phrases

    def _read_verbs(self) -> None:
        for name, phrases in self.data["motion"].items():
            self._note(phrases, name)
        for name in words_of(
            "swap evacuate release lacking doing avoiding light fiction ensuring undergoing "
            "ending adding observe located contain speech belief certain desire neutral"
        ):
            self._note(self.data[name], name)
        for concept, poles in self.data["states"].items():
            for pole, lists in poles.items():
                for phrase in lists["verbs"]:
                    entry = self._entries.setdefault(tuple(str(phrase).split()), _Entry())
                    entry.states.append(State((concept,), pole == "positive"))

    def _note(self, phrases: Iterable[str], name: str) -> None:
        for phrase in phrases:
            self._entries.setdefault(tuple(str(phrase).split()), _Entry()).classes.add(name)

    def _read_states(self) -> None:
        """Collect what describes a state: its own words, and the participles of what brings it about."""
        for concept, poles in self.data["states"].items():
            for pole, lists in poles.items():
                for phrase in lists["words"]:
                    found = self.states.setdefault(str(phrase), [])
                    found.append(State((concept,), pole == "positive"))

    # ---- looking up ---------------------------------------------------------------------------

    def verb(self, lemma: str, rest: Sequence[str] = ()) -> Verb | None:
        """Return what a verb does with exactly these particles, or None."""
        entry = self._entries.get((lemma, *rest))
        return None if entry is None else Verb(frozenset(entry.classes), tuple(entry.states))

    def classes_of(self, lemma: str, rest: Sequence[str] = ()) -> frozenset[str]:
        """Return the classes of a verb with exactly these particles; none where it is not listed."""
        found = self.verb(lemma, rest)
        return found.classes if found is not None else frozenset()

    def forms_of(self, word: str) -> frozenset[Form]:
        """Return which forms of known verbs a word can be."""
        return frozenset[Form]().union(*self.lemmas(word).values())

    def lemmas(self, word: str) -> dict[str, set[Form]]:
        """Return the verbs a word can be a form of; empty where it is no form of a known verb."""
        return self.forms.get(word, {})

    def is_known(self, word: str) -> bool:
        """Return whether a word is one of the lexicon's."""
        return word in self.words()

    def words(self) -> frozenset[str]:
        """Return every word of the lexicon in every form."""
        return _words(self)

    def nouns_like(self, noun: str) -> set[str]:
        """Return the synonyms of a noun phrase."""
        return self.synonyms.get(noun, set())


@cache
def _words(lexicon: Lexicon) -> frozenset[str]:
    found = set(lexicon.forms)
    stack: list[Any] = [lexicon.data]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [*value.values()]
        elif isinstance(value, list):
            stack += value
        else:
            for word in str(value).split():
                found |= {word, plural(word)}
    return frozenset(found)


def guess_verb(word: str) -> tuple[str, Form] | None:
    """Return the lemma and form of an unknown word that looks like a verb."""
    return guessed_lemma(word)


@cache
def load_lexicon() -> Lexicon:
    """Return the lexicon that comes with the program."""
    text = (files(__package__) / "english.yaml").read_text(encoding="utf-8")
    try:
        return Lexicon(parse_yaml(text, "english.yaml")[1])
    except (yaml.YAMLError, KeyError, TypeError) as error:
        raise GroundingError(
            f"english.yaml: cannot be read as a lexicon: {reason(error)}"
        ) from error


def is_past(word: str) -> bool:
    """Return whether a word can only be a past form or a participle of a verb."""
    forms = {form for of in load_lexicon().lemmas(word).values() for form in of}
    return "base" not in forms and ("past" in forms or "participle" in forms)
