"""Which of the things that a noun phrase may speak of is meant: by type, owner, place and what was said."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from commonground.grounding.knowledge.facts import FALSE, TRUE
from commonground.grounding.memory.interpretation.ambiguity import which_of
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.ontology.deeds import words_of
from commonground.grounding.memory.ontology.predicate_names import OWNING
from commonground.grounding.memory.ontology.words import TITLES
from commonground.grounding.memory.readers.domain.described.denoting import Denoting
from commonground.grounding.memory.readers.domain.described.named import EXACT, LIKE, NAME
from commonground.grounding.memory.readers.domain.described.phrase import Phrase
from commonground.grounding.memory.readers.domain.described.segment import Role
from commonground.grounding.memory.readers.domain.disambiguation import Meant

Accepts = Callable[[str], bool]
OTHERS = frozenset(["him", "her", "them"])
"""Pronouns of whom something is done to: not of who does it."""


def _anything(thing: str) -> bool:
    """Accept whatever a phrase may mean."""
    return True


class Referents:
    """Resolves noun phrases while a text is read."""

    def __init__(self, meant: Meant, denoting: Denoting, *, task: bool = False) -> None:
        self.meant, self.denoting, self.changes = meant, denoting, meant.changes
        self.roles, self.kinds = meant.roles, meant.kinds
        self.task = task
        self.zones: list[str] = []
        """Where something was said to be, the last first."""
        self.lately = True
        """Whether the one of several is meant that was spoken of last."""
        self.several: list[str] | None = None
        """What a sentence that asks for nothing was about: a pronoun after it means one of these."""

    def candidates(
        self, phrase: Phrase, accepts: Accepts = _anything, agents: Sequence[str] = ()
    ) -> list[str]:
        """Return what a phrase may mean where only some things fit, the most direct ones."""
        if phrase.pronoun:
            return self._by_pronoun(phrase, accepts, agents)
        fitting = self._fitting(phrase, accepts)
        if phrase.owners:
            fitting = {t: fitting[t] for t in self._of_owner(phrase, [*fitting], agents)}
        all_ = phrase.every and not phrase.like  # one may be called so, and others are such
        best = (max if all_ else min)(fitting.values(), default=NAME)
        found = [t for t, rank in fitting.items() if rank <= best]
        if phrase.words[-1:] == ("one",) and not phrase.every:
            found = self._like_spoken(found)
        return self._but_last(found) if phrase.other else found

    def _like_spoken(self, things: list[str]) -> list[str]:
        """Return those of some things that are such as was spoken of last: ``the white one`` is a cup too."""
        last = next(iter((*self.meant.themes, *self.meant.discourse.recent("themes"))), None)
        same = [t for t in things if last is not None and self.kinds[t] == self.kinds[last]]
        return same if {*same} - {last} else things

    def _fitting(self, phrase: Phrase, accepts: Accepts) -> dict[str, int]:
        """Return what fits of all that a phrase may mean; no like things where it names some itself."""
        things = phrase.things or self._numbered(phrase, accepts)
        named = any(rank <= NAME for rank in things.values())
        return {t: r for t, r in things.items() if accepts(t) and not (named and r == LIKE)}

    def _of_owner(self, phrase: Phrase, things: list[str], agents: Sequence[str]) -> list[str]:
        """Return the things of the owner that a phrase names, those with all of their names said first."""
        mine = self._owned(things, phrase.owners[0], agents)
        if not mine:  # "her ward" is where she works, and there is one
            mine = [
                t for t in things if phrase.things.get(t) == EXACT and self.denoting.is_where(t)
            ]
        own, said = self.denoting.calling.own_words, {*phrase.text.split()}
        return [t for t in mine if own[t] and {*own[t]} <= said] or mine

    def _but_last(self, things: Sequence[str]) -> list[str]:
        """Return things without the one spoken of last; none where none was."""
        spoken = (*self.meant.themes, *self.meant.discourse.recent("themes", "people"))
        last = next((t for t in spoken if t in things), None)
        return [t for t in things if t != last] if last is not None else []

    def _by_pronoun(self, phrase: Phrase, accepts: Accepts, agents: Sequence[str]) -> list[str]:
        """Return what a pronoun, or ``there``, may mean."""
        pronoun = phrase.pronoun
        if pronoun == "there":
            return [z for z in self._there(phrase, agents) if accepts(z)][:1]
        if pronoun == "you":
            return [*filter(accepts, self._robot())]
        if pronoun == "it" and self.several is not None:
            return [t for t in self.several if accepts(t)]
        alone = self.task and {*agents}.issuperset(self.meant.people)
        others = {*agents} if pronoun in OTHERS and not alone else set()
        just = self._just_named() if pronoun == "it" else set()

        def may(thing: str) -> bool:
            spoken = not just or thing in just  # of a text before this one it is no longer
            return accepts(thing) and thing not in others and spoken

        return self._latest(pronoun, may) or self._driven(pronoun, accepts, may)

    def _just_named(self) -> set[str]:
        """Return what this text spoke of, but for where somebody only goes."""
        zones = self.roles.zones
        return {t for t in self.meant.themes if not self.roles.is_a(self.kinds[t], zones)}

    def _driven(self, pronoun: str, accepts: Accepts, may: Accepts) -> list[str]:
        """Return the thing that a pronoun for somebody may mean."""
        if not self._is_thing(pronoun, accepts):
            return []
        return self._latest("it", lambda t: may(t) and (self.task or self._is_driven(t)))

    def _is_driven(self, thing: str) -> bool:
        """Return whether a thing is moved by going along, and called ``her`` as a van is."""
        seats = [s for s in self.roles.whereabouts if self.roles.takes_doer(s.relation)]
        return any(self.roles.puts(self.kinds[thing], s) for s in seats)

    def _is_thing(self, pronoun: str, accepts: Accepts) -> bool:
        """Return whether a text speaks of a thing as of somebody: ``fill her up``, which nobody can be."""
        if pronoun not in ("her", "him", "she", "he"):
            return False
        if any(self.meant.is_called(p, pronoun) for p in self.meant.people):
            return False
        return self.task or not any(accepts(t) for t in self.kinds if self.meant.is_somebody(t))

    def _robot(self) -> list[str]:
        """Return the one robot of a world, to whom all is said."""
        robots = [t for t, k in self.kinds.items() if self.roles.is_a(k, self.roles.robots)]
        return robots if len(robots) == 1 else []

    def _there(self, phrase: Phrase, agents: Sequence[str]) -> list[str]:
        """Return the places that ``there`` may mean, and ``here``: first where who speaks is."""
        speaker = self.meant.speaker if phrase.text == "here" else None
        speaker = None if speaker in agents and self.zones else speaker  # who says where he is
        found = [self.changes.zone_of(speaker) if speaker else None, *self.zones]
        spoken = [*self.meant.themes, *self.meant.discourse.recent("themes")]
        places = [thing for thing in spoken if self.denoting.is_where(thing)]
        found += places[:1]
        if phrase.words[:1] != ("out",):  # nobody is out there himself
            found += [self.changes.zone_of(agent) for agent in agents]
        found += places
        return [zone for zone in dict.fromkeys(found) if zone is not None]

    def _latest(self, pronoun: str, accepts: Accepts) -> list[str]:
        try:
            return self.meant.resolve_pronoun(pronoun, accepts)
        except Unclear:
            return []

    def pick(self, phrase: Phrase, accepts: Accepts, agents: Sequence[str] = ()) -> list[str]:
        """Return the one thing that is meant, or all where all are; Unclear where that is open."""
        found = self.candidates(phrase, accepts, agents)
        if not found:
            raise Unclear(f"what does '{phrase.text or phrase.pronoun}' mean there?")
        if phrase.every and phrase.like:
            raise Unclear(f"which are '{phrase.text}'?")  # of a like noun not all may be found
        self._check_several(phrase, found, accepts)
        if len(found) == 1 or phrase.every or phrase.is_group:
            return found
        here = self.here(phrase, found, agents)
        here = here if phrase.only else self._lately(phrase, here)
        if len(here) > 1:
            names = self.denoting.calling.names
            raise which_of(phrase.text, sorted(here, key=lambda t: names.things[t].name), names)
        return here

    def _check_several(self, phrase: Phrase, found: Sequence[str], accepts: Accepts) -> None:
        """Raise Unclear where several things are spoken of and not which: ``the lights``."""
        if phrase.source[:1] == ("both",) and phrase.is_plural and len(found) != 2:
            raise Unclear(f"which two are meant by '{phrase.text}'?")
        if phrase.every or phrase.is_group:
            return
        own, several = self.denoting.calling.own_words, [t for t in phrase.things if accepts(t)]
        named = any(phrase.words[-1] in (*own[t], *self.denoting.pieces(t)) for t in found)
        if phrase.is_plural and len(several) > 1 and not (named or phrase.owners or phrase.pronoun):
            raise Unclear(f"which '{phrase.text}' are meant?")

    def _lately(self, phrase: Phrase, things: list[str]) -> list[str]:
        """Return the one of several things that was spoken of last, where that is to count; else all."""
        if not self.lately:
            return things
        spoken = (*self.meant.themes, *self.meant.people)  # a trolley may be one who acts, too
        here = [t for t in (*spoken, *self.meant.discourse.recent("themes")) if t in things]
        return here[:1] or things

    def _numbered(self, phrase: Phrase, accepts: Accepts) -> dict[str, int]:
        """Return the things of a rank alone: ``the second``."""
        if phrase.rank is None:
            return {}
        ranked = self.denoting.ranked({*filter(accepts, self.kinds)}, phrase.rank)
        return dict.fromkeys(ranked, NAME)

    def here(self, phrase: Phrase, found: list[str], agents: Sequence[str] = ()) -> list[str]:
        """Return the things in the zone of who acts, of who speaks for ``this one``, or all where none is."""
        speaker = self.meant.speaker if phrase.source[:1] in (("this",), ("these",)) else None
        agents = agents if speaker is None else [speaker]
        zones = {self.changes.zone_of(agent) for agent in agents or self.meant.agents} - {None}
        return [t for t in found if t in zones or self.changes.zone_of(t) in zones] or found

    def _owned(self, things: list[str], owner: Phrase, agents: Sequence[str]) -> list[str]:
        """Return the things that belong to an owner: by what lasts, else by what he has, else by name."""
        called = {*owner.words} - TITLES
        named = [t for t in things if self._is_named_for(t, called)] if not owner.pronoun else []
        if named:
            return named  # "Helen's bedroom" is its name
        for person in self._owners(owner, agents):
            mine = self.owned_by(things, person)
            if mine:
                return mine
        return []

    def owned_by(self, things: Iterable[str], owner: str) -> list[str]:
        """Return what is somebody's: by name, what lasts, what he has, else the key of what is his."""
        known = [*things]
        for belongs in (self._called_by, self._owning, self.lasting, self.held):
            mine = [t for t in known if belongs(t, owner)]
            if mine:
                return mine
        his = [t for t in self.kinds if self._owning(t, owner)]
        return [t for t in known if any(self.lasting(t, o) for o in his)]

    def _called_by(self, thing: str, owner: str) -> bool:
        """Return whether a thing is called by the name of a person: ``Ann's lamp``."""
        called = {*self.denoting.calling.own_words[owner]} - TITLES
        person = self.denoting.calling.is_person(owner) and thing != owner
        return person and self._is_named_for(thing, called)

    def _is_named_for(self, thing: str, owner: set[str]) -> bool:
        """Return whether somebody's name is in a thing's, as it is or with an ``s``: ``leas_phone``."""
        pieces = self.denoting.pieces(thing)
        return all(w in pieces or w + "s" in pieces for w in owner)

    def _owners(self, owner: Phrase, agents: Sequence[str]) -> Iterable[str]:
        if not owner.pronoun:
            return self.candidates(owner)
        if owner.pronoun == "its":
            return dict.fromkeys([*self.meant.themes, *self.meant.discourse.recent("themes")])
        people = [*agents, *self.meant.people, *self.meant.discourse.recent("people")]
        things = [*self.meant.themes, *self.meant.discourse.recent("themes")]
        animals = [t for t in things if self.roles.is_animal(self.kinds[t])]
        called = (p for p in (*people, *animals) if self.meant.is_called(p, owner.pronoun))
        return dict.fromkeys(p for p in called if p != self.meant.speaker or p in agents)

    def _owning(self, thing: str, other: str) -> bool:
        """Return whether a fact of two things holds by a relation that is called as owning."""
        return any(OWNING & {*words_of(r)} for r in self._between(thing, other))

    def lasting(self, thing: str, other: str) -> bool:
        """Return whether a fact of two things holds that no action changes."""
        return any(r not in self.roles.vocabulary.changing for r in self._between(thing, other))

    def held(self, thing: str, other: str) -> bool:
        """Return whether any fact of two things holds."""
        return any(True for _ in self._between(thing, other))

    def _between(self, one: str, other: str) -> Iterable[str]:
        for a, b in ((one, other), (other, one)):
            for fact in self.changes.draft.about(a):
                if fact.object == b and fact.object not in (TRUE, FALSE):
                    yield fact.relation

    def related(self, thing: str, other: str) -> bool:
        """Return whether a fact of two things holds, or one is in the other, or with it."""
        if thing == other:
            return False
        return (
            self.changes.related(thing, other, moved=True) or self.changes.zone_of(thing) == other
        )

    def had(self, thing: str, other: str) -> bool:
        """Return whether a fact of two things held when the text began."""
        base = self.changes.base
        return any(
            f.object == b for a, b in ((thing, other), (other, thing)) for f in base.about(a)
        )

    def narrowed(self, phrase: Phrase, other: Phrase, agents: Sequence[str]) -> dict[str, int]:
        """Return what a phrase may mean that is related to what another one may."""
        things = phrase.things or self._numbered(phrase, _anything)
        meant = self.candidates(other, agents=agents)
        of = self.had if phrase.is_general else self.related
        for others in (meant if other.every else self.here(other, meant, agents), [*other.things]):
            found = {t: r for t, r in things.items() if any(t == o or of(t, o) for o in others)}
            if found:
                return found
        return {}

    def note(self, role: Role) -> None:
        """Keep the zones that a phrase may mean."""
        for thing in role.phrase.things if role.used or len(role.phrase.things) == 1 else ():
            if self.denoting.is_where(thing):
                self.zones.insert(0, thing)
