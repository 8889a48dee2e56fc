"""A clause of a report → the facts it makes so or ends, by the types of what it names and its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.domain.calling import Mention
from commonground.grounding.memory.domain.clauses import BESIDE, Clause, Role
from commonground.grounding.memory.domain.finding import Found, Scene, fact
from commonground.grounding.memory.domain.moves import (
    find_along,
    find_brought,
    find_moves,
    find_relations,
)
from commonground.grounding.memory.domain.properties import find_properties
from commonground.grounding.memory.domain.roles import words_of
from commonground.grounding.memory.domain.words import (
    EVERY,
    FILLING,
    FROM,
    TO,
    alike,
    classes_of,
    says_nothing,
)
from commonground.grounding.memory.unclear import Unclear

_KNOWN = (
    FILLING
    | TO
    | FROM
    | BESIDE
    | {"of", "by", "not", "no", "never", "'s", "hand", "hands", "something", "after"}
)


def find(scene: Scene, clause: Clause, agents: Sequence[str]) -> Found:
    """Return what a clause makes so or ends; Unclear where not all of it is understood."""
    found = Found()
    _leave_out_kinds(scene, clause)
    verbs = classes_of(clause.verb, clause.particles) if clause.verb else frozenset()
    related = find_relations(scene, clause, agents, found)
    moved = find_moves(scene, clause, agents, verbs, found)
    find_properties(scene, clause, found, exact=related or moved)
    find_brought(scene, clause, agents, found)
    if not scene.task:
        find_along(scene, clause, agents, found)
        _find_attended(scene, clause, agents, found)
    if not (found.made or found.ended):
        raise Unclear("nothing in that was understood to be a change")
    _check_names(scene, clause, found)
    _check_words(scene, clause, found)
    return found


def _leave_out_kinds(scene: Scene, clause: Clause) -> None:
    """Let a noun for the kind of what is named besides mean that: ``changed the channel to CNN``."""
    for role in [*clause.roles]:
        mention = role.mention
        for other in clause.roles if not (mention.every or mention.number) else ():
            kinds = {tuple(words_of(scene.kinds[t])) for t in other.mention.things}
            if mention.words in kinds and mention.words != other.mention.words:
                role.mention = other.mention
                clause.roles.remove(other)
                clause.words += mention.words
                break


def _find_attended(scene: Scene, clause: Clause, agents: Sequence[str], found: Found) -> None:
    """Find where people are who do something in a zone that a clause names besides."""
    for role in clause.placed():
        zones = [t for t in role.mention.things if _is_zone(scene, t)]
        if role.used or not zones or role.preposition in FROM or _narrows(scene, role, found):
            continue
        named = (t for t in (*agents, *found.things()) if t in scene.kinds)
        people = dict.fromkeys(t for t in named if scene.is_somebody(t))
        facts = [f for person in people for f in _in_zone(scene, person, zones[0])]
        found.made += facts
        role.used = bool(facts)


def _is_zone(scene: Scene, thing: str) -> bool:
    return scene.roles.is_a(scene.kinds[thing], scene.roles.zones)


def _in_zone(scene: Scene, thing: str, zone: str) -> Iterator[Fact]:
    for seat in scene.roles.whereabouts:
        if scene.roles.fits(scene.kinds[thing], seat.relation, seat.at):
            yield fact(seat, thing, zone)
            return


def _narrows(scene: Scene, role: Role, found: Found) -> bool:
    """Return whether a phrase only tells which other thing is meant: the table in the hall."""
    things = [t for t in found.things() if t in scene.kinds and not scene.is_somebody(t)]
    related, named = scene.changes.related, scene.calling.is_named_for
    if any(related(thing, where) for thing in things for where in role.mention.things):
        role.used = True
    if role.preposition in ("for", "of") and any(named(t, role.mention) for t in things):
        role.used = True
    return role.used


# ---- nothing may be left over -----------------------------------------------------------------------


def _check_names(scene: Scene, clause: Clause, found: Found) -> None:
    """Raise Unclear where a thing is named that nothing was made of."""
    for role in clause.roles:
        source = role.preposition in FROM | BESIDE or role.preposition == "by"
        acts = role.before_verb and not clause.passive and _is_somebody(scene, role.mention)
        if not (role.used or role.mention.owner or source or acts or _narrows(scene, role, found)):
            raise Unclear(f"what about '{role.mention.text}'?")


def _is_somebody(scene: Scene, mention: Mention) -> bool:
    return bool(mention.pronoun) or all(map(scene.is_somebody, mention.things))


def _words_for(scene: Scene, mention: Mention) -> list[str]:
    """Return the words of a name, and of the types of what it may mean."""
    return [*mention.words, *(w for t in mention.things for w in words_of(scene.kinds[t]))]


def _check_words(scene: Scene, clause: Clause, found: Found) -> None:
    """Raise Unclear where a word is left that nothing was made of."""
    named = [w for r in clause.roles for w in _words_for(scene, r.mention)]
    for word in clause.words:
        part = found.words and (word in clause.parts or (word in EVERY and clause.parts))
        known = word in _KNOWN or word in found.words or says_nothing(word)
        known = known or word in scene.sayings.lasting
        if not (known or part or any(alike(word, n) for n in named)):
            raise Unclear(f"what does '{word}' mean in that?")
