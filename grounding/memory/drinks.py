"""Drinks: ``bring Ana some coffee`` asks for any vessel with it."""

from __future__ import annotations

from commonground.grounding.memory.english.clause import Clause
from commonground.grounding.memory.english.mention import Mention
from commonground.grounding.memory.frames.clause_frames import Frames
from commonground.grounding.memory.goals import GoalWriter
from commonground.grounding.memory.names import Names
from commonground.grounding.memory.wishes import Wishes
from commonground.planning.pddl import Formula


class DrinkReader:
    """Reads requests for something to drink."""

    def __init__(self, names: Names, wishes: Wishes) -> None:
        self.names = names
        self.wishes = wishes

    def drink(self, clause: Clause, frames: Frames) -> Formula | None:
        """``Bring Ana some coffee``: a vessel with it, whichever, in her hands."""
        drinks = self.names.meanings.file.drinks
        if drinks is None or drinks.holder not in self.names.meanings.relations:
            return None
        liquid, named = self._liquid(clause, frames)
        if liquid is None or named:
            return None
        people = self._people(clause, frames)
        if not people or any(frames.linker.may_be(m, self._has_tap) for m in clause.mentions):
            return None
        ordered = clause.verb is not None and self.wishes.is_order(clause, frames)
        who = frames.linker.one(people[-1 if ordered else 0], self.names.is_person)
        return GoalWriter(self.names).drink(who, liquid)

    def _people(self, clause: Clause, frames: Frames) -> list[Mention]:
        """Return who a clause names that can drink, else who was spoken of last."""
        people = [
            m for m in clause.mentions if frames.can_act(m) and m.pronoun not in ("you", "someone")
        ]
        latest = frames.discourse.latest(self.names.is_person, "subjects", "people")
        if people or latest is None:
            return people
        return [Mention("person", latest, 0, 0, thing=latest)]

    def _liquid(self, clause: Clause, frames: Frames) -> tuple[str | None, bool]:
        """Return the liquid asked for, and whether a certain vessel is named with it."""
        found, certain = None, False
        for mention in clause.mentions:
            if (
                mention.kind == "value"
                and mention.thing is not None
                and self.names.is_liquid(mention.thing)
            ):
                found = mention.thing
            elif mention.content is not None and mention.content.thing is not None:
                found = mention.content.thing
                certain = certain or not mention.indefinite
            elif mention.kind == "thing" and frames.linker.may_be(
                mention, frames.linker.house.is_vessel
            ):
                certain = certain or not mention.indefinite
        return found, certain

    def _has_tap(self, thing: str) -> bool:
        return self.names.meanings.state_relation("flow", self.names.kind(thing)) is not None
