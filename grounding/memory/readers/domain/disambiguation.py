"""Which of the things that words may name are meant, by what was said around them and before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from commonground.grounding.memory.interpretation.discourse import Discourse
from commonground.grounding.memory.interpretation.unclear import Unclear
from commonground.grounding.memory.readers.domain.calling import Calling
from commonground.grounding.memory.readers.domain.changes import Changes
from commonground.grounding.words.nouns import is_plural

_PERSONS = frozenset(["he", "she", "him", "her", "his", "hers"])
_WHOSE = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she"}
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
        self.speaker: str | None = None
        """Who speaks, and is no ``he`` or ``she``."""
        self.lost = ""
        """What is nowhere any more by what was told, in words."""
        self.dated = False
        """What is read is a line of a log, with the time that it was written."""

    def is_somebody(self, thing: str) -> bool:
        """Return whether a thing is a person or a robot."""
        return self.roles.is_a(self.kinds[thing], self.roles.people | self.roles.robots)

    def _only_one(self, accepts: Callable[[str], bool]) -> str | None:
        """Return the one person who has been spoken of, if it is only one."""
        return self.people[0] if len(self.people) == 1 and accepts(self.people[0]) else None

    def resolve_pronoun(self, pronoun: str, accepts: Callable[[str], bool]) -> list[str]:
        """Return what a pronoun means; Unclear where nothing that was spoken of fits."""
        if pronoun in ("he", "she") and not self.people:
            either = [t for t in self.discourse.recent("group") if accepts(t) and t != self.speaker]
            if len(either) > 1 and all(map(self.is_somebody, either)):
                raise Unclear(f"whom does '{pronoun}' mean?")
        if pronoun in _SEVERAL:
            several = self.several(accepts)
            if several:
                return several
            latest = self.latest(pronoun, lambda t: accepts(t) and self._is_plural(t))
            if pronoun == "they":
                latest = latest or self._only_one(accepts)
        else:
            latest = self.latest(pronoun, accepts)
            self._check_unread(pronoun, latest, accepts)
        if latest is None:
            raise Unclear(f"whom or what does '{pronoun}' mean?")
        return [latest]

    def _check_unread(
        self, pronoun: str, latest: str | None, accepts: Callable[[str], bool]
    ) -> None:
        """Raise Unclear where ``it`` may be one of several that a report named and was not understood."""
        either = [t for t in self.discourse.recent("unread") if accepts(t)]
        if pronoun == "it" and not self.themes and latest in either and len(either) > 1:
            raise Unclear(f"which of them does '{pronoun}' mean?")

    def several(self, accepts: Callable[[str], bool]) -> list[str]:
        """Return what was last spoken of together, as far as it fits, or just now by the name of several."""
        last = [t for t in self.themes[:1] if accepts(t) and self._is_plural(t)]
        if last and not self.group:
            return last
        for group in (self.group, [*self.discourse.recent("group")]):
            fitting = [t for t in group if accepts(t)]
            if len(fitting) > 1 or (fitting and fitting == group):
                return fitting
        return []

    def _is_plural(self, thing: str) -> bool:
        """Return whether the name of one thing is that of several: ``headphones``, not ``Lost Hours``."""
        words = [w for w in self.calling.own_words[thing] if not w.isdigit()]
        title = self.calling.names.things[thing].name.split()[-1:] != words[-1:]
        return bool(words) and not title and is_plural(words[-1])

    def latest(self, pronoun: str, accepts: Callable[[str], bool]) -> str | None:
        """Return what was spoken of last that a pronoun may mean."""
        spoken = [*self.people, *self.themes, *self.discourse.recent("people", "themes")]
        spoken += self.weather if pronoun == "it" else ()
        wanted = {**dict.fromkeys(_PERSONS, True), **dict.fromkeys(_THINGS, False)}.get(pronoun)
        if wanted is not None:  # a robot may be "it", an animal "he"
            spoken.sort(key=lambda one: self.calling.is_person(one) != wanted)
            spoken.sort(key=lambda one: self.is_somebody(one) != wanted)
        if wanted:  # an animal that was named just now is meant rather than somebody before
            spoken.sort(key=lambda one: one not in (*self.people, *self.themes))
        if wanted is False:  # "it" is one roll rather than rolls
            spoken.sort(key=self._is_plural)
            spoken.sort(key=lambda one: self.roles.is_a(self.kinds[one], self.roles.zones))
        for one in spoken:
            animal = self.roles.is_animal(self.kinds[one])
            other = (wanted is True and not (self.is_somebody(one) or animal)) or (
                wanted is False and self.calling.is_person(one)
            )
            other = other or not self.is_called(one, pronoun)
            if not other and one != self.speaker and accepts(one):
                return one
        return None

    @cached_property
    def weather(self) -> list[str]:
        """The world itself, which ``it`` may mean before anything was spoken of: ``it is raining``."""
        bearers = self.roles.vocabulary.bearers
        return [t for t, kind in self.kinds.items() if bearers.is_world(kind)]

    def is_called(self, one: str, pronoun: str) -> bool:
        """Return whether somebody is spoken of by a pronoun, as far as that is known."""
        known = self.calling.names.things[one].traits.get("pronoun", "they")
        return known not in _WHOSE.values() or _WHOSE.get(pronoun, known) == known

    # ---- what was spoken of ---------------------------------------------------------------------

    def note(self, things: Iterable[str], agents: Sequence[str]) -> None:
        """Keep what a segment spoke of, and who acted."""
        self.agents = [*agents] or self.agents
        for thing in (*things, *agents):
            if thing in self.kinds:
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
