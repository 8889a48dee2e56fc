"""What the things of a memory are called, kept in its file: only what changed since is named again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from commonground.grounding.memory.ontology.meanings import NAMING
from commonground.grounding.memory.ontology.names import Name, Names

if TYPE_CHECKING:
    from commonground.grounding.knowledge.store import KnowledgeStore
    from commonground.grounding.memory.ontology.meanings import Meanings

_KEPT = "names"
_FORMAT = 3
_WORTH_KEEPING = 100
"""So many new names are worth writing all of them."""


def names_of(store: KnowledgeStore, meanings: Meanings) -> Names:
    """Return the names of a memory's world, from its file as far as they stand there and still hold."""
    store.refresh()
    digest = _digest(meanings)
    kept = _kept(store.note(_KEPT), digest)
    tx, known = kept if kept is not None else (0, {})
    known = _without_stale(store, meanings, known, tx)
    names = Names(store.things.values(), store.facts, meanings, known)
    new = len(names.names) - len(known)
    writable = not (store.read_only or store.connection.in_transaction)
    if writable and new >= (1 if kept is None else _WORTH_KEEPING):
        groups = _grouped(names.names.values())
        store.keep_note(_KEPT, json.dumps([_FORMAT, digest, store.tx, groups]))
    return names


def _digest(meanings: Meanings) -> str:
    """Return a mark of all that names depend on beside things and facts."""
    means = {name: meaning.means for name, meaning in meanings.relations.items()}
    return hashlib.sha256(json.dumps(means).encode()).hexdigest()[:16]


def _kept(note: str | None, digest: str) -> tuple[int, dict[str, Name]] | None:
    """Return the change after which names were kept, and the names; None where they are of no use."""
    try:
        version, mark, tx, groups = json.loads(note or "[0, 0, 0, 0]")
        if (version, mark) != (_FORMAT, digest):
            return None
        return int(tx), {name.thing: name for group in groups for name in _named(*group)}
    except (ValueError, TypeError, RecursionError):
        return None  # they are made again from what they came from


def _grouped(names: Iterable[Name]) -> list[list[object]]:
    """Return names as JSON has them: those together that differ in their words and numbers alone."""
    groups: dict[tuple[object, ...], list[list[object]]] = {}
    for n in names:
        shared = (
            n.kind,
            n.head,
            n.owner,
            (*sorted(n.attributes),),
            n.room,
            n.whole,
            (*sorted(n.rooms),),
        )
        own: list[object] = [n.thing, n.number, " ".join(n.own), " ".join(n.other)]
        groups.setdefault(shared, []).append(own)
    return [[*shared, rows] for shared, rows in groups.items()]


def _named(
    kind: str,
    head: list[str],
    owner: str | None,
    attributes: list[str],
    room: str | None,
    whole: str | None,
    rooms: list[str],
    rows: list[tuple[str, int | None, str, str]],
) -> Iterator[Name]:
    shared = kind, (*head,), owner, frozenset(attributes), room, whole
    joined = frozenset(rooms)
    for thing, number, own, other in rows:
        yield Name(thing, *shared, number, joined, (*own.split(),), (*other.split(),))


def _without_stale(
    store: KnowledgeStore, meanings: Meanings, known: dict[str, Name], tx: int
) -> dict[str, Name]:
    """Leave out the names of what has changed since; all of them where others are named after it."""
    changed = store.things_since(tx)
    attributes = {a for name in known.values() for a in name.attributes} if changed else set()
    naming = meanings.person_types | meanings.room_types
    if any(t in attributes or meanings.is_a(store.things[t].kind, naming) for t in changed):
        return {}
    telling, of_rooms = set(meanings.having(*NAMING)), set(meanings.having("inside_of"))
    facts = [f for f in store.changed_since(tx) if f.relation in telling]
    stale = {*changed, *(f.object if f.relation in of_rooms else f.subject for f in facts)}
    return {key: name for key, name in known.items() if key not in stale} if stale else known
