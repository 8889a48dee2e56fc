"""What clauses tell of the states of things, by the words of predicates and actions."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.domain.clauses import Clause, Role
from commonground.grounding.memory.domain.finding import Found, Scene
from commonground.grounding.memory.domain.states import DIRECT, Told
from commonground.grounding.memory.domain.words import PARTICLES, classes_of, lemmas, states_of
from commonground.grounding.memory.unclear import Unclear

_COMING = frozenset(["doing", "ending", "undergoing"])
"""Verbs that only tell that a state begins, goes on or ends."""
_TURNING = frozenset(
    ["become", "make", "turn", "go", "come", "stay", "remain", "keep", "leave", "set", "be", "look"]
)


def find_properties(scene: Scene, clause: Clause, found: Found, *, exact: bool) -> None:
    """Find states of what a clause is about, or of what a part of it belongs to.

    ``exact``: only by the predicates' own words, as the clause was found to say something else too.
    """
    if not clause.roles:
        _find_of_part(scene, clause, found)
    hit = _hit(clause)
    for role in (*_spoken_of(clause), *hit):
        said = [*clause.words, *([role.preposition] if role in hit else [])]
        for relation, told in _told(scene, role, said, clause.verb, exact=exact):
            holds = _polarity(clause, told)
            for thing in scene.resolve(role.mention, scene.accepts(relation, 0), clause):
                found.made.append(Fact(thing, relation, TRUE if holds else FALSE))
            found.words |= told.words | _turning(clause.verb, told)
            role.used = True


def _told(
    scene: Scene, role: Role, said: list[str], verb: str, *, exact: bool
) -> list[tuple[str, Told]]:
    """Return the properties that words tell most surely of what a phrase means."""
    best: list[tuple[str, Told]] = []
    for relation, signature in scene.roles.signatures.items():
        if not signature.is_property or not (role.mention.pronoun or scene.may(role, relation, 0)):
            continue
        told = scene.sayings.told(relation, said, role.mention.words, verb)
        if told is not None and not (exact and told.how):
            best.append((relation, told))
    least = min((told.score for _, told in best), default=())
    return [(relation, told) for relation, told in best if told.score == least]


def _find_of_part(scene: Scene, clause: Clause, found: Found) -> None:
    """Find the state of the one thing that has a part which alone is named: ``the tap is on``."""
    for relation, signature in scene.roles.signatures.items():
        told = scene.sayings.told(relation, clause.words, (), clause.verb)
        if not signature.is_property or told is None or told.missing:
            continue
        things = [*filter(scene.accepts(relation, 0), scene.kinds)]
        if len(things) > 1 and scene.sayings.all[relation].nouns:
            latest = scene.latest("it", scene.accepts(relation, 0))
            things = [] if latest is None else [latest]
        if scene.sayings.all[relation].nouns and len(things) == 1:
            found.made.append(Fact(things[0], relation, TRUE if _polarity(clause, told) else FALSE))
            found.words |= told.words


def _turning(verb: str, told: Told) -> set[str]:
    """Return a verb that only says that what is told begins, or that belongs to a particle that tells it."""
    switched = states_of(verb, told.words & PARTICLES) if told.words & PARTICLES else ()
    coming = classes_of(verb, frozenset()) & _COMING or lemmas(verb) & _TURNING
    return {verb} if coming or switched else set()


def _polarity(clause: Clause, told: Told) -> bool:
    """Return whether a state holds by what tells it; Unclear where its verb may mean the opposite."""
    switching = states_of(clause.verb, told.words & PARTICLES) if told.words & PARTICLES else ()
    if told.how == DIRECT and any(s.positive != told.holds for s in switching):
        raise Unclear(f"what does '{clause.verb}' mean in that?")
    ending = clause.verb not in told.words and "ending" in classes_of(clause.verb, frozenset())
    return told.holds != (clause.negated != ending)


def _hit(clause: Clause) -> list[Role]:
    """Return what a verb changes that stands behind a preposition: ``spilled tea on the shirt``."""
    placed = (r for r in clause.placed() if not clause.passive)
    own = states_of(clause.verb)
    return [r for r in placed if states_of(clause.verb, frozenset([r.preposition])) - own]


def _spoken_of(clause: Clause) -> list[Role]:
    """Return the things whose state a clause may tell: its themes, or what their parts belong to."""
    themes, around = clause.themes(), ("of", "on", "around")
    return [
        r
        for r in clause.roles
        if r.mention.owner or r.preposition in around or any(r is theme for theme in themes)
    ]
