"""Worlds as JSON lines, or as PDDL problems: things with types and names, and facts about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from commonground.errors import GroundingError
from commonground.grounding.knowledge.facts import Fact, atom_of, fact_of
from commonground.grounding.knowledge.glosses import subject_of
from commonground.grounding.knowledge.problems import read_problem
from commonground.grounding.knowledge.spots import Spots, spot
from commonground.grounding.knowledge.vocabulary import Vocabulary
from commonground.planning.pddl import Atom
from commonground.reading import parse_json
from commonground.reading import read_text as bounded_text
from commonground.reasons import reason


class Thing(NamedTuple):
    """Something facts are about."""

    id: str
    kind: str
    name: str
    traits: Mapping[str, str] = MappingProxyType({})
    """Further words about it, such as a person's ``pronoun``."""


@dataclass(slots=True)
class World:
    """Things and facts as a file lists them."""

    things: dict[str, Thing] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    fixed: list[Atom] = field(default_factory=list)
    """Facts of more than two arguments: ``[thing, predicate, other, another]``."""
    extra: dict[str, Any] = field(default_factory=dict)
    """What else the header says."""


class _Header(BaseModel):
    """The first line of a world: everything at once."""

    model_config = ConfigDict(extra="allow")
    objects: dict[str, str] = {}
    names: dict[str, str] = {}
    people: dict[str, dict[str, str]] = {}
    facts: list[
        tuple[str, str, str | bool]
        | tuple[str]
        | tuple[str, bool]
        | Annotated[list[str], Field(min_length=4)]
    ] = []


class _ThingLine(BaseModel):
    """One thing on a line of its own."""

    model_config = ConfigDict(extra="forbid")
    id: str
    type: str
    name: str | None = None
    traits: dict[str, str] = {}


class _FactLine(BaseModel):
    """One fact on a line of its own."""

    model_config = ConfigDict(extra="forbid")
    subject: str
    relation: str
    object: str | bool


def read_text(path: str | Path) -> str:
    try:
        return bounded_text(path)
    except FileNotFoundError as error:
        raise GroundingError(f"{path}: there is no such file") from error
    except (OSError, UnicodeDecodeError) as error:
        raise GroundingError(f"{path}: cannot be read as UTF-8 text: {reason(error)}") from error


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number and the JSON value of every line that is not empty."""
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, parse_json(line, f"{path}:{number}")
        except json.JSONDecodeError as error:
            raise GroundingError(str(error)) from error


def load_world(path: str | Path, vocabulary: Vocabulary) -> World:
    """Read a world and check every line against the domain; the items of an episode are left out."""
    path, world = Path(path), World()
    for constant in vocabulary.domain.constants:
        world.things[constant.name] = Thing(constant.name, constant.types[0], spoken(constant.name))
    facts, fixed = (_problem if path.suffix == ".pddl" else _lines)(path, world)
    for thing in world.things.values():
        if thing.kind not in vocabulary.types:
            raise GroundingError(f"{path}: '{thing.id}' has the unknown type '{thing.kind}'")
    if vocabulary.spots is not None:
        facts, fixed = _folded(vocabulary.spots, facts, fixed)
        facts += [(1, tie) for tie in _with_spots(world, vocabulary, vocabulary.spots)]
    world.fixed = [atom for _, atom in fixed]
    borne = _with_bearers(world, vocabulary)
    facts = [(n, f._replace(subject=f.subject or borne.get(f.relation, ""))) for n, f in facts]
    kinds = {thing.id: thing.kind for thing in world.things.values()}
    for number, said, problem in sorted(_problems(vocabulary, kinds, facts, fixed)):
        raise GroundingError(f"{path}:{number}: fact {said}: {problem}")
    world.facts = [fact for _, fact in facts]
    if not world.things:
        raise GroundingError(
            f"{path}: lists no things; give 'objects' or lines with 'id' and 'type'"
        )
    return world


def _lines(path: Path, world: World) -> tuple[list[tuple[int, Fact]], list[tuple[int, Atom]]]:
    """Take in all lines; return the facts of two and of more arguments, each with its line."""
    facts: list[tuple[int, Fact]] = []
    fixed: list[tuple[int, Atom]] = []
    for number, value in read_lines(path):
        if isinstance(value, dict) and value.get("kind") in ("update", "task"):
            continue
        try:
            facts += [(number, fact) for fact in _line(value, world)]
            fixed += [(number, atom) for atom in world.fixed[len(fixed) :]]
        except ValidationError as error:
            raise GroundingError(f"{path}:{number}: {reason(error)}") from error
    return facts, fixed


def _problem(path: Path, world: World) -> tuple[list[tuple[int, Fact]], list[tuple[int, Atom]]]:
    """Take in a PDDL problem; return its facts of two and of more arguments."""
    problem, names, called = read_problem(read_text(path), str(path))
    for typed in problem.objects:
        name = names.get(typed.name) or spoken(typed.name)
        traits = {"called": called[typed.name]} if typed.name in called else {}
        world.things[typed.name] = Thing(typed.name, typed.types[0], name, traits)
    facts = [(1, fact_of(atom)) for atom in problem.init if len(atom.args) <= 2]
    return facts, [(1, atom) for atom in problem.init if len(atom.args) > 2]


def _with_spots(world: World, vocabulary: Vocabulary, spots: Spots) -> Iterator[Fact]:
    """Add the spots of a world to its things, and yield what ties them to their parts."""
    fitting: dict[str, list[str]] = {}
    for thing in world.things.values():
        for kind in (thing.kind, *vocabulary.types.ancestors(thing.kind)):
            fitting.setdefault(kind, []).append(thing.id)
    for kind, parts in spots.parts(fitting):
        name = " ".join(world.things[part].name for part in parts)
        world.things[spot(parts)] = Thing(spot(parts), kind, name)
        yield from (Fact(*tie) for tie in spots.ties(kind, parts))


def _with_bearers(world: World, vocabulary: Vocabulary) -> dict[str, str]:
    """Add what bears predicates without arguments to the things of a world; return it by predicate."""
    bearers, ids = vocabulary.bearers, dict[str, str]()
    for kind, name in bearers.things():
        ids[kind] = kind if kind not in world.things else f"the-{kind}"
        glosses = (vocabulary.glosses.get(p, "") for p, k in bearers.kinds.items() if k == kind)
        called = next(filter(None, map(subject_of, glosses)), "")
        traits = {"called": called} if called else {}
        world.things[ids[kind]] = Thing(ids[kind], kind, name, traits)
    return {predicate: ids[kind] for predicate, kind in bearers.kinds.items()}


def _folded(
    spots: Spots, facts: Sequence[tuple[int, Fact]], fixed: Sequence[tuple[int, Atom]]
) -> tuple[list[tuple[int, Fact]], list[tuple[int, Atom]]]:
    """Return facts with spots in place of their parts, and the atoms that stay as they are."""
    atoms = [(number, atom_of(fact), fact) for number, fact in facts]
    found = [(n, fact if atom is None else fact_of(spots.atom(atom))) for n, atom, fact in atoms]
    found += [(n, fact_of(new)) for n, old in fixed if (new := spots.atom(old)) != old]
    return found, [(n, old) for n, old in fixed if spots.atom(old) == old]


def _problems(
    vocabulary: Vocabulary,
    kinds: Mapping[str, str],
    facts: Sequence[tuple[int, Fact]],
    fixed: Sequence[tuple[int, Atom]],
) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each fact that cannot be, what it says, and why not."""
    said: dict[Fact, int] = {}
    for number, fact in facts:
        if not fact.subject and fact.relation in vocabulary.signatures:
            yield number, f"({fact.relation})", f"predicate '{fact.relation}' has arguments"
        elif problem := vocabulary.problem(fact, kinds):
            yield number, str(fact) if fact.subject else f"({fact.relation})", problem
        elif fact.is_property and fact.opposite in said:
            yield number, str(fact), f"line {said[fact.opposite]} says the opposite"
        said.setdefault(fact, number)
    for number, atom in fixed:
        if problem := vocabulary.fixed_problem(atom, kinds):
            yield number, f"({' '.join((atom.predicate, *atom.args))})", problem


def _line(value: Any, world: World) -> list[Fact]:
    """Take in one line; return its facts."""
    if isinstance(value, list):
        if len(value) > 3 and all(isinstance(v, str) for v in value):
            world.fixed.append(_fixed(value))
            return []
        match value:
            case [str(relation)] | [str(relation), True]:
                return [triple("", relation, True)]
            case [str(relation), False]:
                return [triple("", relation, False)]
        value = dict(zip(("subject", "relation", "object", "too many"), value, strict=False))
    if not isinstance(value, dict):
        return _header(value, world)
    if "subject" in value:
        line = _FactLine.model_validate(value)
        return [triple(line.subject, line.relation, line.object)]
    if "id" in value:
        thing = _ThingLine.model_validate(value)
        name = thing.name or spoken(thing.id)
        world.things[thing.id] = Thing(thing.id, thing.type, name, thing.traits)
        return []
    return _header(value, world)


def _header(value: Any, world: World) -> list[Fact]:
    """Take in the line that lists everything at once; return its facts."""
    header = _Header.model_validate(value)
    world.extra.update(header.model_extra or {})
    for key, kind in header.objects.items():
        person = header.people.get(key, {})
        name = header.names.get(key) or person.get("name") or spoken(key)
        traits = {k: v for k, v in person.items() if k != "name"}
        world.things[key] = Thing(key, kind, name, traits)
    world.fixed += [_fixed(fact) for fact in header.facts if len(fact) > 3]
    bare = [triple("", fact[0], fact[-1] is not False) for fact in header.facts if len(fact) < 3]
    return bare + [triple(*fact) for fact in header.facts if len(fact) == 3]


def _fixed(words: Sequence[Any]) -> Atom:
    subject, relation, *others = map(str, words)
    return Atom(relation.lower(), (subject, *others))


def triple(subject: str, relation: str, value: str | bool) -> Fact:
    """Return a fact of JSON values; names are lower case as in PDDL, true and false may be bare."""
    text = str(value).lower() if isinstance(value, bool) else value
    return Fact(subject, relation.lower(), text)


def spoken(identifier: str) -> str:
    """Return how an identifier would be said: ``kitchen_table`` → ``kitchen table``."""
    return identifier.replace("_", " ").replace("-", " ").strip()
