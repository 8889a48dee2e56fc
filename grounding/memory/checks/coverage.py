"""The people and things that a text names, held against what a reading of it changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from commonground.grounding.english.faithful import NEGATIONS
from commonground.grounding.english.pronouns import SOMEBODY, SPEAKERS, THEIR
from commonground.grounding.english.tokens import tokens_of
from commonground.grounding.knowledge.facts import BOOLEANS, Fact
from commonground.grounding.memory.checks.untouched import untouched
from commonground.grounding.memory.english.lexicon import HAVING, guess_verb, load_lexicon
from commonground.grounding.memory.english.time_phrases import without_times
from commonground.grounding.memory.english.words import HAVE
from commonground.grounding.memory.ontology.name_words import words_of
from commonground.grounding.memory.retrieval.query import mentions_in, named_in
from commonground.grounding.words.nouns import word_set

if TYPE_CHECKING:
    from commonground.grounding.memory.memory import Memory

EXCLUDING = NEGATIONS | {
    "apart", "aside", "other", "save", "besides", "minus", "but", "rather", "instead",
}  # fmt: skip
"""Words by which a text may name what nothing happened to."""
COLLECTING = word_set(
    "everything rest others contents stuff remainder remaining neighbours neighbors belongings"
)
"""Words for all that is somewhere, or for what else is there."""
_OF_THINGS = frozenset(["damage", "cleanliness", "heat", "sound"])
"""What may become of a thing by itself, wherever it is."""
_ADVERBS = NEGATIONS | word_set("just already now also since")
_WITH = word_set("with possession custody arms lap")
_SELVES = word_set("myself yourself himself herself itself ourselves themselves")
_OPENED = re.compile(r"\b(?:re)?(?:opened|closed|shut)\b", re.I)
YOURS = frozenset(["your", "yours", "yourself"])


class Speech:
    """The people and things that one text names."""

    def __init__(self, text: str, memory: Memory) -> None:
        self.text, self.memory, names = text, memory, memory.names
        words = frozenset(token.text.casefold() for token in tokens_of(text))
        self.yours = bool(words & YOURS) and len(names.robots) == 1
        self.excludes = not EXCLUDING.isdisjoint(words)
        mentions = mentions_in(text, memory.retriever.calling)
        self.acting = {who for m in mentions if not m.things for who in m.people}
        """Whoever is named otherwise than by what is his."""
        self.collects = collects(text)
        self.named = {*named_in(text, memory.retriever.calling)}
        if words & (YOURS | {"you"}):
            self.named |= {*names.robots}
        self.points_back = bool(words & (SPEAKERS | SOMEBODY | THEIR | {"they", "them"}))

    def untouched(self, changed: Sequence[Fact], ended: Iterable[Fact] = ()) -> tuple[int, int]:
        """Return how many things, and people or robots, are named that a change has nothing to do with.

        A robot has to do with what ``ended`` by it, though nobody says so: what it held is with somebody now.
        """
        text = without_times(self.text)
        things = untouched(text, changed, self.memory.retriever, people=False)
        everybody = untouched(text, changed, self.memory.retriever)
        ends = {end for fact in (*changed, *ended) for end in (fact.subject, fact.object)}
        passed = self.yours and ends.isdisjoint(self.memory.names.robots)
        return len(things), len(everybody) - len(things) + passed

    def names_all(self, changed: Iterable[tuple[Fact, bool]]) -> bool:
        """Return whether a text names what facts are about; where somebody is follows from what is done."""
        return not self.excludes and all(self._names(fact) for fact, added in changed if added)

    def _names(self, fact: Fact) -> bool:
        names, calling = self.memory.names, self.memory.retriever.calling
        if names.is_person(fact.subject) or names.is_robot(fact.subject):
            return fact.subject in self.named
        said = frozenset(words_of(self.text))
        if fact.is_property or not said.issuperset(names.names[fact.subject].head):
            return False
        values = {value for word in words_of(self.text) for value in calling.values(word)}
        return fact.object in self.named or fact.object in values

    def moves_unnamed(self, added: Iterable[Fact]) -> bool:
        """Return whether facts tell something of a thing that the text does not name."""
        names = self.memory.names
        return any(names.is_item(f.subject) and f.subject not in self.named for f in added)

    def passes_over(self, told: Iterable[Fact], heard: Iterable[Fact]) -> bool:
        """Return whether one reading tells a state of a thing that is named and another tells nothing of."""
        relations, kept = self.memory.meanings.relations, {*heard}
        states = {relations[f.relation].means for f in kept if f.is_property}
        said = told_states(self.text) & _OF_THINGS - states
        return any(
            f.is_property and relations[f.relation].means in said for f in told if f not in kept
        )

    def wants_more(self, facts: Iterable[Fact]) -> bool:
        """Return whether a text has words for a state of things, and facts tell of no such state."""
        relations, said = self.memory.meanings.relations, told_states(self.text)
        told = {relations[f.relation].means for f in facts}
        return not said.isdisjoint(_OF_THINGS) and said.isdisjoint(told)

    def opens_more(self, facts: Iterable[Fact]) -> bool:
        """Return whether a text says that something was opened or closed, and facts tell of no such thing.

        A tap that was closed runs no more.
        """
        relations = self.memory.meanings.relations
        told = {relations[f.relation].means for f in facts if f.is_property}
        said = "openness" in told_states(self.text) and _OPENED.search(self.text) is not None
        return said and told.isdisjoint({"openness", "flow"})

    def tells_otherwise(self, facts: Iterable[Fact]) -> bool:
        """Return whether facts tell of a state for which a text has no word, and it has words for others."""
        relations = self.memory.meanings.relations
        told = {relations[f.relation].means for f in facts if f.is_property}
        said = told_states(self.text)
        return not told.isdisjoint(_OF_THINGS - said) and not said.isdisjoint(_OF_THINGS - told)

    def says_what_became(self, facts: Iterable[Fact]) -> bool:
        """Return whether a text has words for what facts tell: that somebody has a thing, or how one is.

        To charge a phone is not to take it, though one has it in hand then.
        """
        relations = self.memory.meanings.relations
        held = {f.subject for f in facts if relations[f.relation].means == "holding"}
        states = {relations[f.relation].means for f in facts if f.is_property}
        unsaid = (states & load_lexicon().data["states"].keys()) - told_states(self.text)
        return (not held or has_thing(self.text)) and not unsaid

    def unnamed(self, changed: Sequence[Fact]) -> int:
        """Return how many people and robots a change speaks of that are not named, nor stood for."""
        names = self.memory.names
        ends = {end for fact in changed for end in (fact.subject, fact.object)} - BOOLEANS
        robots = {end for end in ends if names.is_robot(end)} - self.named
        people = {end for end in ends if names.is_person(end)} - self.named
        return len(robots) + (0 if self.points_back else len(people))


def collects(text: str) -> bool:
    """Return whether a text speaks of all that is somewhere, or of what else is there."""
    return not COLLECTING.isdisjoint(token.text.casefold() for token in tokens_of(text))


def told_states(text: str) -> set[str]:
    """Return what the words of a text may tell of things: ``cleanliness`` of ``wiped`` and ``muddy``."""
    words, lexicon = words_of(text), load_lexicon()
    found = {c for word in words for state in lexicon.states.get(word, ()) for c in state.concepts}
    for lemma in {lemma for word in words for lemma in lexicon.lemmas(word)}:
        for rest in lexicon.rests.get(lemma, ()):
            entry = lexicon.verb(lemma, rest)
            if entry is not None and {*rest} <= {*words}:
                found |= {c for state in entry.states for c in state.concepts}
    return found


def has_thing(text: str) -> bool:
    """Return whether words of a text may tell that somebody has a thing; ``has done`` tells none."""
    lexicon, words = load_lexicon(), words_of(text)
    said = {*words} | ({"oneself"} if not _SELVES.isdisjoint(words) else set())
    lemmas = {lemma for word in _without_helpers(words) for lemma in _lemmas(word)}
    classes = (
        lexicon.classes_of(lemma, rest)
        for lemma in lemmas
        for rest in lexicon.rests.get(lemma, ())
        if said.issuperset(rest)
    )
    return not said.isdisjoint(_WITH) or any(not HAVING.isdisjoint(found) for found in classes)


def _lemmas(word: str) -> set[str]:
    """Return the verbs a word is a form of, or whose doer it names: ``bearer``."""
    return {*load_lexicon().lemmas(word), *({word[:-2], word[:-1]} if word.endswith("er") else ())}


def _without_helpers(words: Sequence[str]) -> Iterator[str]:
    """Yield words but the ``has`` of ``has just charged``."""
    after = ""
    for word in reversed(words):
        if word not in HAVE or not _is_participle(after):
            yield word
        after = after if word in _ADVERBS or load_lexicon().adverbs.match([word], 0) else word


def _is_participle(word: str) -> bool:
    forms = load_lexicon().forms_of(word)
    guessed = guess_verb(word)
    return "participle" in forms or (guessed is not None and guessed[1] == "past")
