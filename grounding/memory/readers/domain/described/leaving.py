"""Who left where he was, or is back, and what was brought back, before it is said where that is."""

from __future__ import annotations

from commonground.grounding.knowledge.facts import FALSE, TRUE, Fact
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.words import (
    COPULAS,
    FILLING,
    FROM,
    NEGATIONS,
    PARTICLES,
    classes_of,
    lemmas,
    says_nothing,
)
from commonground.grounding.memory.readers.domain.described.doers import Doers
from commonground.grounding.memory.readers.domain.described.said import Said
from commonground.grounding.memory.readers.domain.described.segment import Role, Segment
from commonground.grounding.memory.readers.domain.finding import Found

_HERE = frozenset(["here", "back", "again"])
_AWAY = frozenset(["home", "away", "off", "out", "gone", "left"])
"""Words for being in none of the places of a world."""


class Leaving(Doers):
    """Keeps who went away, or came, in the segments of a text."""

    def _leaves(self, made: Segment) -> bool:
        """Return whether a segment only tells that somebody left where he was: it goes on with where to."""
        subjects, objects = made.subjects(), made.objects()
        if self.task or made.negated:
            return False
        if self.likely is not None and self._goes_off(made):
            return True
        if len(made.roles) != 2 or not (subjects and objects):
            return False
        agents = self._agents(made) if "leave" in lemmas(made.verb) else []
        zones = {z for agent in agents if (z := self.changes.zone_of(agent)) is not None}
        left = {*self.referents.candidates(objects[0].phrase, zones.__contains__)}
        if len(agents) != 1 or not left:
            return False
        self.gone.add(agents[0])
        self.agents, self.doer = agents, subjects[0].phrase
        return True

    def _goes_off(self, made: Segment) -> bool:
        """Return whether a segment only tells that somebody went, or came from somewhere."""
        agents = self._agents(made)
        goes = [v for v in made.verbs if "go" in classes_of(v, made.particles)] == made.verbs != []
        left = all(map(self._is_left, (r for r in made.roles if not r.before_verb)))
        if not (goes and left and agents and (made.subjects() or self.found)) or made.passive:
            return False
        self.gone.update(agents)
        if not _AWAY.isdisjoint(made.words):
            self.away.update(agents)
        self.agents, self.told = agents, made.parts
        self.doer = next((r.phrase for r in made.subjects()), self.doer)
        for agent in agents:
            self.meant.spoke_of(agent)
        return True

    def _is_left(self, role: Role) -> bool:
        """Return whether a phrase names where somebody came from."""
        return role.preposition in FROM and self.telling.is_where(role)

    def _comes(self, made: Segment) -> bool:
        """Return whether a segment only tells that somebody or something is back; where is said next."""
        if self.task or not made.roles or not _is_coming(made):
            return False
        things = self.referents.candidates(made.roles[-1].phrase)
        if any(r.preposition for r in made.roles) or len(things) != 1:
            return False
        if made.negated and self._presence(things[0]) is None:
            return False
        self.gone.update(things)
        self.away |= {things[0]} if made.negated else set()
        self.told = made.parts
        self.meant.spoke_of(things[0])
        return True

    def _check_gone(self) -> None:
        """Raise Unclear where somebody left and it was not said where to, unless he is only away."""
        roles = self.reader.wording.roles
        going = {*roles.whereabouts, *roles.positions}
        made = [f for found in self.found for f in found.made]
        placed = {
            (f.subject, f.object)[s.at] for f in made for s in going if s.relation == f.relation
        }
        for agent in sorted(self.gone - placed):
            state = self._presence(agent)
            if state is None:
                raise Unclear("and where is that now?")
            so = Fact(agent, state, FALSE if agent in self.away else TRUE)
            self.changes.assert_all([so])
            self.found.append(Found([so]))

    def _note_gone(self, said: Said) -> None:
        """Keep who came away from where he was: he is somewhere else now."""
        going, denied = self.meant.roles.going, said.segment.negated
        for over in said.found.ended if not (self.task or denied) else ():
            if going is not None and over.relation == going.relation:
                self.gone.add((over.subject, over.object)[going.at])

    def _presence(self, thing: str) -> str | None:
        """Return the state of somebody who is there; None where this world tells that in no state."""
        return self.meant.roles.presence(self.meant.kinds[thing])


def _is_coming(made: Segment) -> bool:
    """Return whether a segment has no words but for being back: ``is here again``, ``gave it back``."""
    little = FILLING | PARTICLES | NEGATIONS | _HERE
    rest = [w for w in made.words if w not in little | {*made.verbs}]
    moving = {"go", "give", "transport"}
    moves = all(classes_of(v, made.particles) & moving for v in made.verbs)
    told = bool(made.verbs) or not COPULAS.isdisjoint(made.words)
    return told and moves and not _HERE.isdisjoint(made.words) and all(map(says_nothing, rest))
