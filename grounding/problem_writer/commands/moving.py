"""Verbs that bring things somewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.commands.conditions import SKILLS, Conditions
from commonground.grounding.problem_writer.commands.mentions import (
    Clause,
    Mention,
)
from commonground.grounding.problem_writer.goals import contains
from commonground.grounding.problem_writer.inventory import TRASH
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction

_KEEPING = ("put back", "return", "replace", "give back")
_FURNISHING = ("prepare", "set", "load", "pack", "stock", "lay", "arrange")
"""Verbs of which the object may be what things go into: ``prepare a plate with an apple``."""
_HOMING = (
    "store",
    "save",
    "keep",
    "stow",
    "stash",
    "house",
    "file",
    "tidy",
    "hide",
    "secure",
    "stock",
)
"""Verbs that leave it to the house where a thing goes."""


class Moving(Conditions):
    """Reads clauses about where things go."""

    def _put(self, clause: Clause) -> Formula:
        """``put the mug on the table in the sink``: the last place is where it goes."""
        if not clause.objects:
            raise Unclear(f"What is to be put where by '{clause.text}'?")
        targets = self._targets(clause)
        if targets:
            return self._nested(clause, targets)
        if any(m.holding for m in clause.objects) and (
            clause.word.split()[0] in _FURNISHING
            or not any(self.usually(m, "pickupable") for m in clause.objects)
        ):
            return conjunction(
                ()
            )  # ``set the table with a plate``: that is said of the table already
        if any(role == "source" for role, _ in clause.places):
            return self._remove(clause)
        word = clause.word.split()[0]
        if self._goes_back(clause):
            return self._all(clause, self._where_it_was)
        if clause.frame != "put_away" and word not in _HOMING:
            handled = {word for m in clause.objects for word in self.choices.words(m)}
            self.pending.append((clause.text, handled))  # ``take the candle and light it``
            return conjunction(())
        return self._all(clause, self._home)

    def _goes_back(self, clause: Clause) -> bool:
        return clause.word in _KEEPING or any(chunk.text == "back" for chunk in clause.chunks)

    def _where_it_was(self, mention: Mention) -> Formula:
        """Put a thing back where it is known to have been."""
        graph = self.choices.graph
        goals = [
            contains(around, thing)
            for thing in self.choices.things(mention)
            if (around := graph.value(thing, "in")) is not None
        ]
        return conjunction(goals) if goals else self._home(mention)

    def _home(self, mention: Mention) -> Formula:
        """Put a thing where such things are usually kept."""

        def home(word: str) -> Formula:
            usual = self.choices.home.usual_place(word)
            if usual is None:
                raise Unclear(f"Where does the {self.choices.home.type_of(word)} go?")
            return contains(usual, word)

        return self.choices.write(mention, home)

    def _kept(self, clause: Clause) -> Formula:
        """``leave the tomato where it is``: it stays, and nobody lifts it."""
        goals: list[Formula] = []
        for mention in clause.objects:
            for thing in self.choices.things(mention):
                around = self.choices.graph.value(thing, "in")
                if around is not None and self.choices.graph.can(thing, "pickupable"):
                    goals.append(contains(around, thing))
            goals.append(self._spare(mention, SKILLS["MOVED"], ""))
        return conjunction(goals)

    def _recycle(self, clause: Clause) -> Formula:
        bins = self.choices.home.present(("RecyclingBin", TRASH))
        return self._all(clause, lambda m: self._inside(m, Mention(bins[:1] or (TRASH,))))

    def _refrigerate(self, clause: Clause) -> Formula:
        return self._all(clause, lambda m: self._inside(m, Mention(("Fridge",))))

    def _trash(self, clause: Clause) -> Formula:
        if not clause.objects:
            raise Unclear("What is to be thrown away?")
        targets = self._targets(clause) or [Mention((TRASH,))]
        return self._all(clause, lambda m: self._inside(m, targets[-1]))

    def _remove(self, clause: Clause) -> Formula:
        places = [m for role, m in clause.places if role == "source"]
        targets = self._targets(clause)
        if targets:
            return self._all(clause, lambda m: self._inside(m, targets[-1]))
        if any(m.contents for m in clause.objects):
            emptied = [replace(m, contents=False) for m in clause.objects if m.contents]
            return conjunction([self._state(m, "EMPTY") for m in emptied])
        if not clause.objects:
            raise Unclear(f"What is to be taken out: '{clause.text}'?")
        if not places:
            self.taken.append(self._all(clause, self._out_of_it))
            return self.taken[-1]
        self.taken.append(self._all(clause, lambda m: Not(self._inside(m, places[-1]))))
        return self.taken[-1]

    def _out_of_it(self, mention: Mention) -> Formula:
        """Take things out of what they are in now."""
        graph = self.choices.graph
        return conjunction(
            [
                Not(contains(around, thing))
                for thing in self.choices.things(mention)
                if (around := graph.value(thing, "in")) is not None
            ]
        )

    def _fill(self, clause: Clause) -> Formula:
        """``fill the mug``, ``fill the box with the books``."""
        if not clause.objects:
            raise Unclear("What is to be filled?")
        held = [m for m in clause.objects if m.holding]
        return conjunction([self._state(m, "FILLED") for m in clause.objects if m not in held])

    def _serve(self, clause: Clause) -> Formula:
        """``serve the apple in a bowl on the table``: what it is served in goes there too."""
        targets = self._targets(clause) or [Mention(("Plate", "Bowl"))]
        return self._nested(clause, targets)

    def _nested(self, clause: Clause, targets: Sequence[Mention]) -> Formula:
        """``put the apple in a bowl on the table``: into the bowl, and that on the table.

        What stands in the bowl already is only told apart by it, and goes on the table.
        """
        place = targets[-1]
        holder = targets[-2] if len(targets) > 1 else place
        portable = self.usually(holder, "pickupable") and self.usually(holder, "receptacle")
        if holder is place or not portable or any(self._is_in(m, holder) for m in clause.objects):
            return self._all(clause, lambda m: self._inside(m, place))
        inside = self._all(clause, lambda m: self._inside(m, holder))
        return conjunction([inside, self._inside(holder, place)])

    def _take_up(self, clause: Clause) -> Formula:
        """``pick up the mug``: what is done with it comes later; nothing by itself."""
        targets = self._targets(clause)
        self.means = next(iter(clause.objects), None) if clause.word.startswith("us") else None
        carried = clause.frame == "" or clause.word in ("get", "fetch")
        if targets and clause.objects and carried:
            return self._all(clause, lambda m: self._inside(m, targets[-1]))
        if clause.frame == "" and clause.objects:
            words = " or ".join(self.choices.words(clause.objects[0]))
            raise Unclear(f"What is to be done with {words}?")
        return conjunction(())
