"""Actions that a verb names: who and what they are done with, as far as said, and else by what they need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.memory.ontology.deeds import Deed, words_of
from commonground.grounding.memory.ontology.words import (
    ENDED,
    PARTICLES,
    TRANSFERS,
    alike,
    classes_of,
    is_going_on,
)
from commonground.grounding.memory.readers.domain.described.doable import Binding, Doable
from commonground.grounding.memory.readers.domain.described.nouns_above import is_noun
from commonground.grounding.memory.readers.domain.described.said import Said
from commonground.grounding.memory.readers.domain.described.segment import Role

_MOST = 200
"""So many ways to fill in an action are looked at."""


class Doing(Doable):
    """Finds what actions bring about that a verb names."""

    def _do(self, said: Said, *, surely: bool) -> bool:
        """Find what the one action brings about that a verb names, where what it needs tells the rest."""
        segment = said.segment
        if not segment.verbs or self.task or _only_begins(segment.verbs):
            return False
        ways: dict[frozenset[Fact], tuple[list[Role], list[Fact]]] = {}
        for deed in self.roles.deeds:
            words = self._heard_of(deed, said)
            if not words or (surely and len(words) < 2):
                continue
            for binding, used in self._bindings(deed, said):
                changes = frozenset(self._changes(deed, binding))
                if changes:
                    ways.setdefault(changes, (used, [*self._ended(deed, binding)]))
        if len(ways) != 1:
            return False
        ((changes, (used, ended)),) = ways.items()
        said.found.made += sorted(changes)
        said.found.ended += ended
        for role in used:
            role.used = True
        said.found.words |= {*segment.verbs}
        self._heard(said)
        return True

    def _changes_only_states(self, said: Said) -> bool:
        """Return whether the verb names actions that bring no two things together."""
        deeds = [d for d in self.roles.deeds if self._heard_of(d, said)]
        of_robot = self.roles.in_hand | self.roles.nameless
        adds = [a for deed in deeds for a in deed.adds if a.predicate not in of_robot]
        ends = [a for deed in deeds for a in deed.deletes if a.predicate not in of_robot]
        told = adds or ends  # who dusts a thing begins nothing
        return bool(told) and all(len(atom.args) == 1 for atom in told)

    def _heard_of(self, deed: Deed, said: Said) -> set[str]:
        """Return the words of an action's name that a segment has; none without its verb."""
        name, segment = words_of(deed.name), said.segment
        if not any(alike(v, name[0]) for v in segment.verbs):
            return set()
        nouns = {w for r in segment.roles for w in r.phrase.words}
        if self._is_of_another_part(deed, segment.parts_of) or self._lacks_noun(name, said):
            return set()  # to pull a knob is not to pull a tag, nor to give a halter to give a feed
        rest = {w for w in name[1:] if (w in PARTICLES and w in segment.particles) or w in nouns}
        return {name[0], *rest}

    def _lacks_noun(self, name: Sequence[str], said: Said) -> bool:
        """Return whether an action is named by a noun that is not said, behind a verb of moving anything."""
        nouns = [w for w in name[1:] if w not in PARTICLES and is_noun(w)]
        if not nouns or not any(classes_of(name[0], frozenset()) & TRANSFERS):
            return False
        words = [*said.segment.words]
        for role in said.segment.roles:
            things = self.referents.candidates(role.phrase, agents=said.agents)
            words += [*role.phrase.words, *(w for t in things for w in self._kinds_called(t))]
        return not any(alike(n, w) for n in nouns for w in words)

    def _kinds_called(self, thing: str) -> Iterator[str]:
        """Yield the words of the types of a thing."""
        kind = self.kinds[thing]
        for name in (kind, *self.roles.vocabulary.types.ancestors(kind)):
            yield from words_of(name)

    def _is_of_another_part(self, deed: Deed, parts: set[str]) -> bool:
        """Return whether parts are named of which none is what an action is done to by its name."""
        changed = {atom.predicate for atom in (*deed.adds, *deed.deletes)}
        own = {noun for relation in changed for noun in self.wording.sayings.all[relation].done_to}
        return bool(parts and own) and not any(alike(w, p) for w in own for p in parts)

    def _bindings(self, deed: Deed, said: Said) -> Iterator[tuple[Binding, list[Role]]]:
        """Yield what the parameters of an action may be, with the phrases that say so."""
        named: dict[str, set[str]] = {}
        used: list[Role] = []
        agents = {*said.agents} if self._has_doer(deed) else set[str]()
        for role in said.segment.roles:
            things = self.referents.candidates(role.phrase, agents=said.agents)
            if self._is_beside(role, things, said, agents):
                used.append(role)
                continue
            fitting = [
                p
                for p, kinds in deed.kinds.items()
                if any(self.roles.is_a(self.kinds[t], kinds) for t in things)
            ]
            if not fitting:
                return
            used.append(role)
            named[role.phrase.text] = {*things}
        for count, binding in enumerate(self._solve(deed, [*deed.needs], {})):
            values = {*binding.values()}
            if count > _MOST:
                return
            if agents <= values and all(things & values for things in named.values()):
                yield binding, used

    @staticmethod
    def _is_beside(role: Role, things: list[str], said: Said, doers: set[str]) -> bool:
        """Return whether a phrase only says who does what takes nobody who does it."""
        does = bool(things) and {*things} == {*said.agents}
        return role.before_verb and does and not doers

    def _has_doer(self, deed: Deed) -> bool:
        """Return whether an action says who does it; where none of its parameters is, anybody does."""
        return any(map(self.roles.is_somebody, deed.kinds.values()))


def _only_begins(verbs: Sequence[str]) -> bool:
    """Return whether verbs tell of work and not that it is done: ``started washing it``."""
    other = {v for v in verbs if not is_going_on(v)} - ENDED
    return bool(other) and other != {*verbs}
