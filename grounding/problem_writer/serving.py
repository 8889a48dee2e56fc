"""What a house has to be like for a purpose: from what things can do, and from what actions make of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache

from commonground.grounding.problem_writer.domain import (
    APPLIANCES,
    STATE_PREDICATES,
    household_domain,
)
from commonground.grounding.problem_writer.goals import (
    EMPTY,
    SLICED,
    contains,
    in_state,
    is_reached,
)
from commonground.grounding.problem_writer.goals import words_of as named_in
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds, instances
from commonground.grounding.problem_writer.purposes import (
    Manner,
    Purpose,
    Purposes,
    bases,
    counts,
)
from commonground.planning.pddl import Atom, Effect, Formula, conjunction
from commonground.planning.pddl.logic import conjuncts


class Serving:
    """Works out what vague commands ask for in a house."""

    def __init__(self, purposes: Purposes, kinds: Kinds, graph: HouseGraph) -> None:
        self.purposes, self.kinds, self.graph = purposes, kinds, graph
        self.types = graph.types()

    def find(
        self, text: str, named: Collection[frozenset[str]] = (), asking: str | None = None
    ) -> Formula | None:
        """Return what a vague text asks for here, or None.

        ``asking`` is the text without what it only tells. ``named`` are the words for each thing the text
        names. All have to occur in what is asked for, or be what it is spoken of by.
        """
        numbers = counts(text)
        for manner, spoken in self.purposes.spoken_of(text, asking):
            used: set[str] = set()
            goals: list[Formula] = []
            for name, words in self._not_ended(manner, spoken):
                goal = None
                if used.isdisjoint(words):
                    told = next((numbers[word] for word in words if word in numbers), None)
                    goal = self._goal(
                        manner, self._called(self.purposes.purposes[name], words), told
                    )
                if goal is not None:
                    goals += conjuncts(goal)
                    used.update(words)
            if not goals and manner in ("clean", "order"):
                goals += [in_state(place, EMPTY) for place in self._surfaces(named)]
            if goals:
                found = conjunction(list(dict.fromkeys(goals)))
                whole = used.issuperset(numbers) and self._covers(found, used, named)
                return found if whole else None
        return None

    def _called(self, purpose: Purpose, words: Collection[str]) -> Purpose:
        """Return a purpose as it is spoken of: who speaks of fruit or a bowl means no other food or dish."""
        said = {self.kinds.short.get(base, base) for word in words for base in bases(word)}
        group = {kind for word in said for kind in self.kinds.members(word)}
        unlisted = said - self.purposes.listed
        group |= {name for name, kind in self.kinds.types.items() if unlisted & {*kind.words}}
        meant = [kind for kind in self._here(purpose) if kind in group]
        return purpose.model_copy(update={"serving": tuple(meant)}) if meant else purpose

    def _not_ended(
        self, manner: Manner, spoken: Sequence[tuple[str, frozenset[str]]]
    ) -> list[tuple[str, frozenset[str]]]:
        """Return the purposes that are spoken of without those that others end: a film ends the light."""
        over = {end for name, _ in spoken for end in self.purposes.purposes[name].ends}
        return [each for each in spoken if manner != "use" or each[0] not in over]

    def _surfaces(self, named: Collection[frozenset[str]]) -> Iterator[str]:
        """Yield the kinds of furniture that are named and at which something is done."""
        used = (place for purpose in self.purposes.purposes.values() for place in purpose.at)
        for kind in self._present(used):
            if any(kind.lower() in names for names in named):
                yield kind

    def _covers(
        self, goal: Formula, used: Collection[str], named: Collection[frozenset[str]]
    ) -> bool:
        covered = {base for word in used for base in bases(word)} & self.purposes.listed
        for word in named_in(goal):
            covered |= {word.lower(), self.types.get(word, "").lower()}
        return all(not names.isdisjoint(covered) for names in named)

    def _goal(self, manner: Manner, purpose: Purpose, count: int | None) -> Formula | None:
        """Return what a purpose comes to here; only what is used can be counted."""
        if manner == "use":
            goals = self._used(purpose, count)
        else:
            treat = {
                "clean": self._clean, "order": self._in_order, "keep": self._in_order, "end": self._ended
            }[manner]  # fmt: skip
            goals = iter(()) if count else treat(purpose)
        found = list(dict.fromkeys(goals))
        return conjunction(found) if found else None

    def _clean(self, purpose: Purpose) -> Iterator[Formula]:
        """Yield that all things for a purpose that get dirty are clean."""
        for kind in self._here(purpose):
            for name in instances([kind], self.types):
                if self.graph.can(name, "dirtyable"):
                    yield in_state(name, "CLEAN")

    def _in_order(self, purpose: Purpose) -> Iterator[Formula]:
        """Yield that the things for a purpose are where they are kept; else that where it is done is free."""
        here = (
            [k for k in self._here(purpose) if self._can(k, "pickupable")] if purpose.kept else []
        )
        for kind in here:
            place = next(
                (p for p in self._present(purpose.kept) if self.kinds.takes(p, kind)), None
            )
            if place is not None:
                yield from (contains(place, name) for name in instances([kind], self.types))
        if not here:
            yield from (in_state(place, EMPTY) for place in self._present(purpose.at)[:1])

    def _ended(self, purpose: Purpose) -> Iterator[Formula]:
        """Yield that all that serves a purpose rests."""
        for kind in self._here(purpose):
            for name in instances([kind], self.types):
                if self.graph.can(name, "toggleable"):
                    yield in_state(name, "OFF")
                elif self.graph.can(name, "openable") and not self.graph.can(name, "pickupable"):
                    yield in_state(name, "CLOSED")

    def _used(self, purpose: Purpose, count: int | None) -> Iterator[Formula]:
        """Yield that as many things as a purpose needs serve it, and that what it ends rests."""
        place = next(iter(self._present(purpose.at)), None)
        ways: list[Formula] = []
        for kind in self._here(purpose):
            goals = [*(in_state(kind, state) for state in purpose.served)] or [*self._in_use(kind)]
            if not goals and place is not None and self._can(kind, "pickupable"):
                goals = [contains(place, kind)]
            if goals:
                ways.append(conjunction(goals))
        ways.sort(
            key=lambda goal: is_reached(goal, self.graph)
        )  # a lamp that is on gives no more light
        if count is not None and count > len(ways):
            return
        yield from ways[: count or purpose.several]
        for name in purpose.ends:
            if name in self.purposes.purposes:
                ended = self.purposes.purposes[name]
                yield from self._ended(ended)

    def _in_use(self, kind: str) -> Iterator[Atom]:
        """Yield what makes a kind of thing do what it is for."""
        made, taps = made_by(kind), [*self._taps(kind)]
        takes = self._present(k.removesuffix(SLICED) for k in self.kinds.takes_only.get(kind, ()))
        if made and takes:
            yield contains(kind, takes[0])
            yield from (in_state(takes[0], state) for state in made)
        elif self._can(kind, "toggleable"):
            yield in_state(kind, "ON")
        elif taps:
            yield from (in_state(tap, "ON") for tap in taps)
        elif self._can(kind, "cookable"):
            yield in_state(kind, "COOKED")
        elif self._can(kind, "sliceable"):
            yield in_state(kind, "SLICED")
        elif self._can(kind, "openable") and not self._can(kind, "pickupable"):
            yield in_state(kind, "OPENED")

    def _taps(self, kind: str) -> Iterator[str]:
        """Yield what lets water run into things of a kind."""
        for name in instances([kind], self.types):
            basin = self.graph.value(name, "stands-for") or name
            yield from self.graph.subjects("serves", basin)

    def _here(self, purpose: Purpose) -> list[str]:
        """Return the kinds of things in the house that serve a purpose, the likeliest first."""
        found: list[str] = []
        for word in purpose.serving:
            able = [kind for kind in sorted(set(self.types.values())) if self._can(kind, word)]
            found += self._present(self.kinds.members(word) or able or (word,))
        return list(dict.fromkeys(found))

    def _present(self, kinds: Collection[str] | Iterator[str]) -> list[str]:
        there = set(self.types.values())
        return [kind for kind in dict.fromkeys(kinds) if kind in there]

    def _can(self, kind: str, affordance: str) -> bool:
        return any(self.graph.can(name, affordance) for name in instances([kind], self.types))


@cache
def made_by(kind: str) -> tuple[str, ...]:
    """Return the states that things come to in a kind of machine once it is on, as the actions say."""
    machine = Atom(APPLIANCES.get(kind, ""), ("?x",))
    states = {predicate: state for state, predicate in STATE_PREDICATES.items()}
    found: dict[str, None] = {}
    for action in household_domain().actions:
        if machine in conjuncts(action.precondition):
            changes = (e.change for e in action.effects if _is_inside(e))
            found |= {states[c.predicate]: None for c in changes if isinstance(c, Atom)}
    return tuple(found)


def _is_inside(effect: Effect) -> bool:
    """Return whether an effect is on what is in the thing that acts, ``?x``."""
    return isinstance(effect.change, Atom) and any(
        isinstance(part, Atom)
        and part.predicate in ("in", "within")
        and part.args == (effect.change.args[0], "?x")
        for part in conjuncts(effect.condition)
    )
