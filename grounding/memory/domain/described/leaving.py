"""Who left where he was, before it is said where to."""

from __future__ import annotations

from commonground.grounding.memory.domain.described.doers import Doers
from commonground.grounding.memory.domain.described.segment import Segment
from commonground.grounding.memory.domain.words import FROM, classes_of, lemmas
from commonground.grounding.memory.unclear import Unclear


class Leaving(Doers):
    """Keeps who went away in the segments of a text."""

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
        left = all(r.preposition in FROM for r in made.roles if not r.before_verb)
        if not (goes and left and agents and made.subjects()) or made.passive:
            return False
        self.gone.update(agents)
        self.agents, self.doer = agents, made.subjects()[0].phrase
        for agent in agents:
            self.meant.spoke_of(agent)
        return True

    def _check_gone(self) -> None:
        """Raise Unclear where somebody left a place and it was not said where to."""
        going = {s.relation for s in self.reader.wording.roles.whereabouts}
        made = {f for found in self.found for f in found.made if f.relation in going}
        for agent in self.gone:
            if not any(agent in (f.subject, f.object) for f in made):
                raise Unclear("and where is that now?")
