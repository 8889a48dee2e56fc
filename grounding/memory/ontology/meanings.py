"""What the predicates and types of a domain mean in English."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field, ValidationError

from commonground.errors import GroundingError
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.ontology.derivation import Derivation
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.words.nouns import plural
from commonground.reading import read_text
from commonground.reading_yaml import YAML_MB, parse_yaml
from commonground.reasons import reason
from commonground.settings import Settings


class RelationMeaning(Settings):
    """What one predicate means."""

    means: str
    prepositions: list[str] = Field(default_factory=list)
    inverted: bool = False
    actor: Literal["present", "anywhere"] = "anywhere"
    decay: Annotated[float, Field(gt=0)] | None = None


class TypeMeaning(Settings):
    """The nouns for things of one type."""

    nouns: list[str] = Field(default_factory=list)
    parts: list[str] = Field(default_factory=list)
    hands: list[str] = Field(default_factory=list)


class Purpose(Settings):
    """A request that names no place, and the place it means."""

    verbs: list[str]
    relation: str
    nouns: list[str]


class Drinks(Settings):
    """The predicates of a served drink."""

    holder: str
    contents: str


class MeaningsFile(Settings):
    """The content of a file of meanings."""

    relations: dict[str, RelationMeaning] = Field(default_factory=dict)
    types: dict[str, TypeMeaning] = Field(default_factory=dict)
    shared_words: list[str] = Field(default_factory=list)
    purposes: dict[str, Purpose] = Field(default_factory=dict)
    drinks: Drinks | None = None


@lru_cache(8)  # every memory of a household has the same
def _parsed(text: str, where: str) -> MeaningsFile:
    return MeaningsFile.model_validate(parse_yaml(text, where)[1])


NAMING = ("owner", "attribute", "joins", "inside", "inside_of", "part")
"""The meanings of the facts that things are called by."""


class Meanings:
    """The meanings of a domain: from a file, and from the domain itself for what the file leaves out."""

    def __init__(self, vocabulary: Vocabulary, file: MeaningsFile) -> None:
        self.vocabulary = vocabulary
        self.file = file
        self.derivation = Derivation(Roles(vocabulary))
        self.relations = {
            name: file.relations.get(name) or self._derived(name) for name in vocabulary.signatures
        }

    @classmethod
    def load(
        cls, vocabulary: Vocabulary, path: Path | None = None, kept: str | None = None
    ) -> Meanings:
        """Read a file of meanings, or a text kept of one; by default that of the household domains."""
        where = str(path or "household.yaml")
        try:
            default = files(__package__) / "household.yaml"
            text = kept or read_text(str(path or default), YAML_MB)
            file = _parsed(text, where)
        except (OSError, UnicodeDecodeError, yaml.YAMLError, ValidationError) as error:
            raise GroundingError(f"{where}: cannot be read as meanings: {reason(error)}") from error
        return cls(vocabulary, file)

    def _derived(self, relation: str) -> RelationMeaning:
        """Return what the domain tells of a predicate."""
        found = self.derivation.meaning(relation)
        return RelationMeaning(
            means=found.means,
            prepositions=[*found.prepositions],
            inverted=found.inverted,
            actor="present" if found.present else "anywhere",
        )

    @property
    def are_given(self) -> bool:
        """Return whether a file says what all predicates mean and how the things are called."""
        listed = all(name in self.file.relations for name in self.vocabulary.signatures)
        return listed and bool(self.file.types)

    @property
    def silent(self) -> frozenset[str]:
        """The predicates that a file says mean nothing, though the domain tells what they do."""
        return frozenset(
            name
            for name, meaning in self.file.relations.items()
            if meaning.means == "derived" and name in self.vocabulary.signatures
            if self.derivation.meaning(name).means != "derived"
        )

    def because(self, relation: str) -> str:
        """Return what tells the meaning of a predicate."""
        if relation in self.file.relations:
            return "the file of meanings"
        return self.derivation.meaning(relation).because

    def explained(self) -> list[str]:
        """Return the lines of a file of meanings that says the same, each with what tells it."""
        from commonground.grounding.memory.ontology.predicate_words import Sayings

        ways = Sayings(self.derivation.roles).explained
        said = (
            f"  {n}: {_line(m)}  # {self.because(n)}; said: {ways(n)}"
            for n, m in self.relations.items()
        )
        return ["relations:", *said]

    # ---- looking up ---------------------------------------------------------------------------

    @property
    def fixed(self) -> frozenset[str]:
        """The relations that say how the house is, which neither an action nor a report changes."""
        return frozenset(self.having(*NAMING)) - self.vocabulary.changing

    def having(self, *means: str) -> list[str]:
        """Return the predicates that mean one of some things, in the domain's order."""
        return [name for name, meaning in self.relations.items() if meaning.means in means]

    def takes(self, relation: str, position: int, kinds: Iterable[str]) -> bool:
        """Return whether a thing of one of some types may stand at an argument of a predicate."""
        arguments = self.vocabulary.signatures[relation].arguments
        types = arguments[position] if position < len(arguments) else ()
        return any(self.vocabulary.is_a(kind, *types) for kind in kinds)

    def relation_between(self, means: str, subject: str, value: str) -> str | None:
        """Return the predicate of a meaning that takes two types, the most specific one first."""
        fits = [
            name
            for name in self.having(means)
            if self.takes(name, 0, [subject]) and self.takes(name, 1, [value])
        ]
        return fits[0] if fits else None

    def state_relation(self, concept: str, kind: str) -> str | None:
        """Return the property of a concept that things of a type may have."""
        for name in self.having(concept):
            if self.vocabulary.signatures[name].is_property and self.takes(name, 0, [kind]):
                return name
        return None

    @cached_property
    def robot_types(self) -> frozenset[str]:
        """The types of who acts in the domain's plans and is somewhere."""
        return self._given_or(self.derivation.roles.robots, 0, changing=True)

    @cached_property
    def person_types(self) -> frozenset[str]:
        """The types of who is somewhere though no action moves them."""
        return self._given_or(self.derivation.roles.people, 0, changing=False)

    @cached_property
    def room_types(self) -> frozenset[str]:
        return self._given_or(self.derivation.roles.zones, 1)

    @cached_property
    def item_types(self) -> frozenset[str]:
        """The types of what can be held or put somewhere."""
        return self._ends("place", 0) | self._ends("holding", 0)

    @cached_property
    def place_types(self) -> frozenset[str]:
        return self._ends("place", 1)

    @cached_property
    def fixture_types(self) -> frozenset[str]:
        return self._ends("inside", 0) | self._ends("inside_of", 1) | self._ends("joins", 0)

    def _given_or(
        self, derived: frozenset[str], at: int, changing: bool | None = None
    ) -> frozenset[str]:
        """Return the types that a file says are at an argument of whereabouts, with what the domain tells."""
        given = frozenset(
            t
            for name in self.having("whereabouts")
            if name in self.file.relations and changing in (None, name in self.vocabulary.changing)
            for t in self.vocabulary.signatures[name].arguments[at]
        )
        return given if self.are_given else given | derived

    def _ends(self, means: str, position: int) -> frozenset[str]:
        signatures = self.vocabulary.signatures
        return frozenset(t for n in self.having(means) for t in signatures[n].arguments[position])

    def is_a(self, kind: str, types: Iterable[str]) -> bool:
        """Return whether a type is one of some types or below one of them."""
        return self.vocabulary.is_a(kind, *types)

    def nouns(self, kind: str) -> list[str]:
        """Return the nouns for things of a type, its supertypes' after its own, with plurals."""
        return self._words(kind, "nouns", default=[kind.replace("_", " ").replace("-", " ")])

    def parts(self, kind: str) -> list[str]:
        """Return the nouns for parts of things of a type."""
        return self._words(kind, "parts", default=[])

    def _words(self, kind: str, which: str, default: list[str]) -> list[str]:
        found: list[str] = []
        above = self.vocabulary.types.ancestors(kind)
        for name in sorted(above, key=lambda t: -len(self.vocabulary.types.ancestors(t))):
            meaning = self.file.types.get(name)
            if meaning is not None:
                found += getattr(meaning, which)
            elif name == kind:
                found += default
        return list(dict.fromkeys(found))

    @cached_property
    def hands(self) -> frozenset[str]:
        """The nouns for what a robot holds things with."""
        return frozenset(
            word
            for kind, meaning in self.file.types.items()
            if self.is_a(kind, self.robot_types)
            for hand in meaning.hands
            for word in (hand, plural(hand))
        )

    def half_lives(self) -> Mapping[str, float]:
        """Return the half-life of belief in each predicate's facts, in seconds."""
        return {
            name: meaning.decay * 3600.0
            for name, meaning in self.relations.items()
            if meaning.decay is not None
        }


def _line(meaning: RelationMeaning) -> str:
    """Return a meaning as YAML on one line, without what is so anyway."""
    said = meaning.model_dump(exclude_defaults=True)
    return yaml.safe_dump(said, default_flow_style=True, sort_keys=False, width=10_000).strip()
