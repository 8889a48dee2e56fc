"""Which of the things that words may name are meant, by what was said around them and before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from commonground.grounding.memory.discourse import Discourse
from commonground.grounding.memory.domain.calling import Calling, Mention
from commonground.grounding.memory.domain.changes import Changes
from commonground.grounding.memory.domain.clauses import Clause, Role
from commonground.grounding.memory.domain.words import FROM
from commonground.grounding.memory.unclear import Unclear
from commonground.grounding.words.nouns import singular

_PERSONS = frozenset(["he", "she", "him", "her", "his", "hers"])
_THINGS = frozenset(["it", "its"])
_SEVERAL = frozenset(["they", "them", "their", "theirs"])


class Meant:
    """Finds what is meant while a text is read, and keeps what it spoke of."""

    def __init__(self, calling: Calling, changes: Changes, discourse: Discourse) -> None:
        self.calling, self.changes, self.discourse = calling, changes, discourse
        self.roles, self.kinds = calling.roles, calling.kinds
        self.agents: list[str] = []
        """Who acted last."""
        self.themes: list[str] = []
        self.people: list[str] = []
        self.group: list[str] = []
        """What was last spoken of together."""

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)

    def resolve(
        self, mention: Mention, accepts: Callable[[str], bool], clause: Clause
    ) -> list[str]:
        """Return the one thing that is meant, or all where all are; Unclear where that is open."""
        if mention.pronoun:
            return self.resolve_pronoun(mention, accepts)
        found = [t for t in mention.things if accepts(t)]
        if not found:
            raise Unclear(f"'{mention.text}' does not fit there")
        narrowed = found if len(found) == 1 else self._narrowed(found, mention, clause)
        if len(narrowed) > 1 and not mention.every:
            raise Unclear(f"which {mention.text} is meant?")
        return narrowed

    def resolve_pronoun(self, mention: Mention, accepts: Callable[[str], bool]) -> list[str]:
        """Return what a pronoun means; Unclear where nothing that was spoken of fits."""
        if mention.pronoun in _SEVERAL:
            several = self.several(accepts)
            if several:
                return several
            latest = self.latest(mention.pronoun, lambda t: accepts(t) and self._is_plural(t))
        else:
            latest = self.latest(mention.pronoun, accepts)
        if latest is None:
            raise Unclear(f"whom or what does '{mention.pronoun}' mean?")
        return [latest]

    def several(self, accepts: Callable[[str], bool]) -> list[str]:
        """Return what was last spoken of together, as far as it fits."""
        for group in (self.group, [*self.discourse.recent("group")]):
            fitting = [t for t in group if accepts(t)]
            if len(fitting) > 1 or (fitting and fitting == group):
                return fitting
        return []

    def _is_plural(self, thing: str) -> bool:
        """Return whether the name of one thing is that of several: ``headphones``."""
        words = [w for w in self.calling.own_words[thing] if not w.isdigit()]
        return bool(words) and singular(words[-1]) != words[-1]

    def latest(self, pronoun: str, accepts: Callable[[str], bool]) -> str | None:
        """Return what was spoken of last that a pronoun may mean."""
        spoken = [*self.people, *self.themes, *self.discourse.recent("people", "themes")]
        wanted = {**dict.fromkeys(_PERSONS, True), **dict.fromkeys(_THINGS, False)}.get(pronoun)
        if wanted is not None:  # a robot may be "it", an animal "he"
            spoken.sort(key=lambda one: self.calling.is_person(one) != wanted)
            spoken.sort(key=lambda one: self.is_somebody(one) != wanted)
        for one in spoken:
            animal = self.roles.is_animal(self.kinds[one])
            other = (wanted is True and not (self.is_somebody(one) or animal)) or (
                wanted is False and self.calling.is_person(one)
            )
            if not other and accepts(one):
                return one
        return None

    def _narrowed(self, found: list[str], mention: Mention, clause: Clause) -> list[str]:
        """Return the things that belong to what else is named, or are where somebody is."""
        for role in self._around(mention, clause):
            near = self._near(found, role)
            found = near if near and len(near) < len(found) else found
        if len(found) == 1 or mention.every:
            return found
        here = self._here(found, clause)
        spoken = (*self.themes, *self.discourse.recent("themes"))
        return here if len(here) == 1 else [t for t in spoken if t in here][:1] or here

    def _here(self, found: list[str], clause: Clause) -> list[str]:
        """Return the things in the zone of who acts, or all where none is."""
        zone_of = self.changes.zone_of
        acting = [t for r in clause.agents() for t in r.mention.things if self.is_somebody(t)]
        zones = {zone_of(agent) for agent in acting or self.agents} - {None}
        return [t for t in found if zone_of(t) in zones] or found

    def _near(self, found: list[str], role: Role) -> list[str]:
        """Return the things that belong to what another phrase names, or are named for it."""
        if role.preposition in ("for", "of"):
            named = [t for t in found if self.calling.is_named_for(t, role.mention)]
            if named:
                return named
        others, away = role.mention.things, role.preposition in FROM
        related = self.changes.related
        return [t for t in found if any(related(t, o, moved=away) for o in others if o != t)]

    def _around(self, mention: Mention, clause: Clause) -> list[Role]:
        """Return what else a clause names and may tell which thing is meant, what follows it first."""
        acting = [] if clause.copula else clause.agents()
        acting = [r for r in acting if any(map(self.is_somebody, r.mention.things))]
        roles = [
            r for r in clause.roles if not r.mention.pronoun and not any(r is a for a in acting)
        ]
        at = next((i for i, r in enumerate(roles) if r.mention is mention), len(roles))
        after = [r for r in roles[at + 1 :] if r.preposition]
        return after if mention.every else [*after, *roles[:at]]

    # ---- what was spoken of ---------------------------------------------------------------------

    def note(self, clause: Clause, things: Iterable[str], agents: Sequence[str]) -> None:
        """Keep what a clause spoke of: its theme before the rest, and who acted."""
        self.agents = [*agents] or self.agents
        spoken = [t for t in things if t in self.kinds]
        about = [t for r in clause.themes() for t in r.mention.things if t in spoken]
        self.group = about or self.group
        for thing in (*spoken, *about, *agents):
            self.spoke_of(thing)

    def spoke_of(self, thing: str) -> None:
        """Keep that a thing or somebody was spoken of last."""
        known = self.people if self.is_somebody(thing) else self.themes
        if thing in known:
            known.remove(thing)
        known.insert(0, thing)

    def remember(self) -> None:
        """Keep what the next report may refer to."""
        for thing in reversed(self.themes):
            self.discourse.now.note("themes", thing)
        for person in reversed(self.people):
            self.discourse.now.note("people", person)
        self.discourse.now.group = [*self.group]
