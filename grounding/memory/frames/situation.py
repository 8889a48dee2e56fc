"""What a clause is about: its roles, and the things of the world that stand in them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.frames.participants import (
    GOALS,
    HANDLING,
    HOUSE,
    SOURCES,
    Participants,
)
from commonground.grounding.memory.house import Accepts, Setting
from commonground.grounding.memory.unclear import Unclear


@dataclass(slots=True)
class Roles:
    """Who and what a clause is about, by construction."""

    actor: Mention | None
    theme: Mention | None
    extra: Mention | None = None
    """A second object: ``gave Ben the mug``."""
    goals: list[tuple[str, Mention]] = field(default_factory=list)
    sources: list[tuple[str, Mention]] = field(default_factory=list)
    others: list[tuple[str, Mention]] = field(default_factory=list)


class Situation(Participants):
    """A world, what is being said, and who and what the phrases of a clause mean."""

    def begin(self, clause: Clause) -> None:
        """Note who acts in a clause, whom its other pronouns then do not mean."""
        self.linker.barred, self.linker.subject = None, clause.subject
        self.linker.barred = self.person_of(clause.subject)

    def classes(self, clause: Clause) -> frozenset[str]:
        """Return the classes of a clause's verb with its particles, else of the bare verb."""
        verb = clause.verb
        if verb is None:
            return frozenset()
        found: set[str] = set()
        if verb.lemma == "get" and verb.perfect and not verb.past and not verb.rest:
            return frozenset(("hold",))
        preps = [(p,) for p, m in clause.places]
        first = [verb.rest] if verb.rest else []
        for rest in (*first, *((p,) for p in clause.particles), *preps, ()):
            entry = self.lexicon.verb(verb.lemma, rest)
            if entry is not None and entry.classes:
                found |= entry.classes
                if rest not in preps:
                    break
        present = verb.form == "third" or (verb.progressive and not verb.past)
        if found >= {"take", "hold"} and present and not verb.passive:
            found.discard("take")
        return frozenset(found)

    def roles_of(self, clause: Clause) -> Roles:
        verb = clause.verb
        objects = [m for m in clause.objects if m.kind != "place word"]
        if verb is not None and verb.passive:
            actor, theme = clause.agent, clause.subject
            extra = objects[0] if objects else None
        elif verb is None or verb.is_copula or clause.existential or not objects:
            actor = clause.subject if self.can_act(clause.subject) else None
            theme, extra = (None if actor is not None else clause.subject), None
        else:
            actor, theme = clause.subject, objects[0]
            extra = objects[1] if len(objects) > 1 else None
        roles = Roles(actor, theme, extra)
        places = [
            (p, m) for p, m in clause.places if not (m.kind == "unknown" and m.head[-1:] in HOUSE)
        ]
        if not objects and actor is not None and verb is not None and theme is None:
            listed = self._listed_object(clause)
            if listed is not None:
                roles.theme = listed[1]
                places.remove(listed)
        for prep, mention in places:
            group = (
                roles.goals if prep in GOALS else roles.sources if prep in SOURCES else roles.others
            )
            group.append((prep, mention))
        if clause.object_preposition in GOALS and objects:
            roles.goals.insert(0, (clause.object_preposition, objects[0]))
        roles.goals += [("in", m) for m in clause.objects if m.kind == "place word"]
        return roles

    def _listed_object(self, clause: Clause) -> tuple[str, Mention] | None:
        """Return the noun phrase of a verb listed with its preposition: ``reached for the mug``."""
        for prep, mention in clause.places:
            entry = (
                self.lexicon.verb(clause.verb.lemma, (prep,)) if clause.verb is not None else None
            )
            if entry is not None and entry.classes & HANDLING:
                return prep, mention
        return None

    @staticmethod
    def is_negated(clause: Clause) -> bool:
        """Return whether a clause says that something is not so."""
        verb = clause.verb
        negated = clause.negated != (verb is not None and verb.negated)
        nobody = any(
            m is not None and m.pronoun == "nobody" for m in (clause.subject, clause.agent)
        )
        return negated != nobody

    # ---- people

    def _context(self, clause: Clause, roles: Roles) -> Setting:
        """Return where things of a clause are looked for: rooms it names, then where its actor is."""
        spots = (s for m in clause.mentions for s in (m, *(w for _, w in m.where)))
        rooms = [self.linker.some(s, self.names.is_room) for s in spots if self._is_room(s)]
        actor = self.person_of(roles.actor)
        actor = self._concerned(clause) if actor is None else actor
        return Setting(tuple(chain(*rooms)), actor)

    def _concerned(self, clause: Clause) -> str | None:
        """Return who had the thing that a clause without an actor is about."""
        for mention in clause.mentions:
            if mention.holder is not None:
                return self.person_of(mention.holder)
        released = self.discourse.now.released
        return next(iter(released.values()), None)

    # ---- rooms and places

    def _resolved_spot(self, mention: Mention, clause: Clause, roles: Roles) -> list[str]:
        context = self._context(clause, roles)
        return [
            self.linker.one(
                mention,
                lambda t: (
                    (not self.names.is_item(t) and not self.house.is_someone(t))
                    or self.names.is_person(t)
                ),
                context,
            )
        ]

    # ---- things

    def items(
        self,
        mention: Mention,
        clause: Clause,
        roles: Roles | None = None,
        accepts: Accepts | None = None,
    ) -> tuple[str, ...]:
        """Return the movable things a phrase means."""
        accepts, roles = accepts or self.names.is_item, roles or Roles(None, None)
        if mention.kind == "several":
            return tuple(
                t for part in mention.parts for t in self.items(part, clause, roles, accepts)
            )
        if mention.kind == "group" or (mention.every and mention.kind == "thing"):
            return tuple(t for t in self._group(mention, clause, roles) if accepts(t))
        if (
            mention.kind == "pronoun"
            and mention.pronoun == "they"
            and len(self.discourse.now.group) > 1
        ):
            return tuple(t for t in self.discourse.now.group if accepts(t))
        if (
            mention.kind == "pronoun"
            and mention.pronoun in ("it", "this")
            and self._group_just_moved()
        ):
            return tuple(t for t in self._group_just_moved() if accepts(t))
        if mention.kind == "unknown":
            raise Unclear(f"nothing known here is called '{mention.words}'", "unknown")
        context = self._context(clause, roles)
        near = [*roles.sources, *(roles.goals if self.is_negated(clause) else [])]
        hints = frozenset(s for _, m in near for s in self._spot_candidates(m))
        if roles.actor is not None and not hints:
            hints = frozenset(filter(None, [self.person_of(roles.actor)]))
        return (self.linker.one(mention, accepts, replace(context, spots=hints)),)

    def item(self, mention: Mention, clause: Clause, roles: Roles | None = None) -> str:
        """Return the movable thing that a phrase means, the first of several."""
        things = self.items(mention, clause, roles)
        if not things:
            raise Unclear(f"which is meant by '{mention.words}'?", "unclear")
        return things[0]

    def _group(self, mention: Mention, clause: Clause, roles: Roles) -> list[str]:
        """Return the things ``everything on the sofa`` or ``the rest`` means."""
        topic = self.discourse.now
        spots = [s for _, where in mention.where for s in self._resolved_spot(where, clause, roles)]
        if not spots:
            spots = [s for _, m in roles.sources for s in self._resolved_spot(m, clause, roles)]
        if spots:
            topic.source = spots[0]
            found = self.house.items_at(spots)
            topic.group = list(found)
        elif mention.kind == "thing" and not self._is_generic(mention):
            found = list(self.linker.candidates(mention, self.names.is_item))
        elif topic.group:
            found = list(topic.group)
        elif topic.source is not None or topic.places:
            places = [t for t in topic.places if not self.names.is_room(t)] or topic.places
            found = self.house.items_at([topic.source or places[0]])
        else:
            raise Unclear(f"what is meant by '{mention.words}'?", "ambiguous")
        if mention.head and mention.kind == "thing":
            known = self.linker.candidates(mention, self.names.is_item)
            found = [t for t in found if t in known]
        excluded = [
            *mention.excluding,
            *clause.excluding,
            *(m for p, m in clause.places if p == "except"),
        ]
        without = {t for m in excluded for t in self.items(m, clause)}
        if mention.other:
            without |= {t for t in (*topic.themes, *topic.things) if self.names.is_item(t)}
        return [t for t in found if t not in without]
