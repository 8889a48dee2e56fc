"""Memories on disk: made from a domain and a world, and opened again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.knowledge.files import load_world, read_text
from commonground.grounding.knowledge.groups import Group, Groups
from commonground.grounding.knowledge.invariants import Part
from commonground.grounding.knowledge.records import Source
from commonground.grounding.knowledge.settings import KnowledgeSettings
from commonground.grounding.knowledge.store import KnowledgeStore
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.grounding.memory.english.clock import moment_ns
from commonground.grounding.memory.memory import Memory
from commonground.grounding.memory.ontology.deeds import Seat
from commonground.grounding.memory.ontology.meanings import Meanings
from commonground.grounding.memory.ontology.roles import Roles
from commonground.grounding.memory.ontology.stored_names import names_of
from commonground.grounding.memory.settings import MemorySettings

if TYPE_CHECKING:
    from commonground.grounding.model.client import ChatModel

_MEANINGS = "meanings"


def create_memory(
    path: str | Path,
    domain: str | Path,
    facts: str | Path,
    meanings: str | Path | None = None,
    *,
    at_ns: int | None = None,
    settings: KnowledgeSettings | None = None,
) -> KnowledgeStore:
    """Make a memory of the world a file lists; nothing is left behind where a line is wrong."""
    domain = Path(domain)
    facts = Path(facts)
    meanings = None if meanings is None else Path(meanings)
    at_ns = moment_ns(at_ns)
    text = read_text(domain)
    vocabulary = Vocabulary.parse(text, str(domain))
    world = load_world(facts, vocabulary)
    known = Meanings.load(vocabulary, meanings)
    source = Source("file", facts.name)
    store = KnowledgeStore.create(
        path,
        text,
        world.things.values(),
        world.facts,
        at_ns=at_ns,
        source=source,
        settings=settings,
    )
    if world.fixed:
        store.keep_fixed(world.fixed)
    if meanings is not None:
        store.keep_note(_MEANINGS, read_text(meanings))
    store.groups = held_apart(store, known)
    store.keep_note("groups", store.groups.to_json())
    names_of(store, known)
    return store


def held_apart(store: KnowledgeStore, meanings: Meanings) -> Groups:
    """Return what excludes what, with what somebody has: that lies nowhere, though no action may say so.

    What is said or seen of people is in no action of a robot; where a thing is believed to be both, nothing
    is changed.
    """
    roles = Roles(store.vocabulary, meanings.silent)
    known = {
        part.predicate for group in store.groups.all if len(group.parts) > 1 for part in group.parts
    }
    more = tuple(
        Part(s.relation, (s.at,), 2)
        for s in sorted(roles.holding, key=str)
        if s.relation not in known
    )
    groups = (
        replace(group, parts=(*group.parts, *more)) if _is_of_places(group, roles) else group
        for group in store.groups.all
    )
    joined = Groups(groups, store.kinds, store.vocabulary)
    clash = any(joined.rivals(store.facts, fact) for fact in store.facts)
    return store.groups if clash else joined


def _is_of_places(group: Group, roles: Roles) -> bool:
    """Return whether a group says that a thing is in one place."""
    seats = {Seat(part.predicate, part.order[0]) for part in group.parts if part.arity == 2}
    return bool(seats) and len(seats) == len(group.parts) and seats <= roles.positions


def first_contradictions(store: KnowledgeStore) -> list[tuple[Fact, Fact]]:
    """Return facts of a memory that exclude each other by what all its others respect, two by two."""
    return Groups.broken(store.vocabulary, store.facts)


def meanings_of(domain: str | Path, meanings: str | Path | None = None) -> Meanings:
    """Return what the predicates of a domain mean: by a file, and by the domain where that says nothing."""
    domain = Path(domain)
    meanings = None if meanings is None else Path(meanings)
    return Meanings.load(Vocabulary.parse(read_text(domain), str(domain)), meanings)


def open_memory(
    path: str | Path,
    settings: MemorySettings | None = None,
    knowledge: KnowledgeSettings | None = None,
    model: ChatModel | None = None,
    *,
    read_only: bool = False,
) -> AbstractContextManager[Memory]:
    """Open the memory kept in a file, for a ``with`` block; belief fades as the domain's meanings say."""
    path = Path(path)
    if path.exists() and not path.is_file():
        raise GroundingError(f"{path}: is a folder or a device, not the file of a memory")
    if not path.exists():
        raise GroundingError(f"{path}: there is no memory; 'commonground memory init' makes one")
    return _opened(path, settings, knowledge, model, read_only)


@contextmanager
def _opened(
    path: Path,
    settings: MemorySettings | None,
    knowledge: KnowledgeSettings | None,
    model: ChatModel | None,
    read_only: bool,
) -> Iterator[Memory]:
    with KnowledgeStore.open(path, read_only=read_only, settings=knowledge) as store:
        kept = store.note(_MEANINGS)
        meanings = Meanings.load(store.vocabulary, None, kept)
        store.settings = fading(store.settings, meanings)
        yield Memory(store, meanings, settings, model)


def fading(settings: KnowledgeSettings, meanings: Meanings) -> KnowledgeSettings:
    """Return settings with the half-lives of the meanings, where the settings give none."""
    known = {**meanings.half_lives(), **settings.half_life_s}
    return settings.model_copy(update={"half_life_s": known})
