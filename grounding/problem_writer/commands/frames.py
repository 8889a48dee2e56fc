"""What verbs ask for: each clause becomes conditions that hold when it has been done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from commonground.grounding.problem_writer.commands.conditions import SKILLS
from commonground.grounding.problem_writer.commands.mentions import (
    PUTTING,
    STATE_OF,
    Clause,
    Mention,
)
from commonground.grounding.problem_writer.commands.moving import Moving
from commonground.grounding.problem_writer.goals import in_state
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction

_BASINS = frozenset(["Sink", "SinkBasin", "Bathtub", "BathtubBasin", "Faucet"])


class Frames(Moving):
    """Reads clauses one after the other; pronouns refer to what was named before."""

    def read(self, clause: Clause) -> Formula:
        """Return the goal of a clause."""
        objects = self.references.objects(clause)
        places = [(role, self.references.place(m)) for role, m in clause.places]
        objects = [m for each in objects for m in self._companions(each)]
        sources = [m for role, m in places if role == "source"]
        targets = [m for role, m in places if role == "target"]
        told = targets[:-1] if clause.frame in PUTTING else targets if not clause.states else []
        objects = [self.references.settled(m, sources, told) for m in objects]
        places = [
            (role, self.references.where(self.references.settled(m, (), ()))) for role, m in places
        ]
        clause = replace(clause, objects=objects, places=places)
        handled = {word for m in objects for word in self.choices.words(m)}
        self.pending = [one for one in self.pending if not one[1] & handled]
        self.references.remember([m for role, m in places if role != "means"], objects)
        if clause.denied:
            return self._denied(clause)
        goals = [self._meaning(clause)]
        if clause.left_out:
            goals.append(_negated(self._put(replace(clause, objects=clause.left_out))))
        for mention in (*objects, *(m for _, m in places)):
            goals += self._said_of(mention)
        return conjunction(goals)

    def _companions(self, mention: Mention) -> list[Mention]:
        """``the plate with the bowl``: what cannot be inside is meant beside."""
        kinds, there = self.choices.kinds, self.choices.there
        holders = [there.get(word, word) for word in self.choices.words(mention)]
        beside = [
            held
            for held in mention.holding
            if not self.usually(mention, "receptacle")
            or not any(
                kinds.takes(holder, there.get(word, word))
                for holder in holders
                for word in self.choices.words(held)
            )
        ]
        if not beside:
            return [mention]
        kept = tuple(held for held in mention.holding if held not in beside)
        return [replace(mention, holding=kept), *beside]

    def _denied(self, clause: Clause) -> Formula:
        """``do not open the fridge``, ``but not the laptop``, ``the light should not be on``."""
        if clause.word.split()[:1] in (["find"], ["locate"], ["look"], ["reach"]):
            return conjunction(())  # ``I cannot find the keys``
        if clause.frame == "take_up" and clause.word.startswith("us"):
            return conjunction([self._spare(m, ("SwitchOn",), "") for m in clause.objects])
        if not clause.objects:
            raise Unclear(f"What is not to be done by '{clause.text}'?")
        if clause.frame == "ensure" or clause.states:
            return _negated(self._ensure(clause))
        state = STATE_OF.get(clause.frame)
        if state is not None:
            return conjunction(
                [self._spare(m, SKILLS.get(state, ()), state) for m in clause.objects]
            )
        if clause.frame in PUTTING and self._targets(clause):
            return _negated(self._put(clause))
        if clause.frame in ("trash", "refrigerate", "serve"):
            return _negated(self._special()[clause.frame](clause))
        return self._kept(clause)

    def _intact(self, clause: Clause) -> Formula:
        """``leave the tomato whole``."""
        skills = (*SKILLS["SLICED"], *SKILLS["BROKEN"])
        return conjunction([self._spare(m, skills, "") for m in clause.objects])

    def _touch(self, clause: Clause) -> Formula:
        raise Unclear(f"What should be true after '{clause.text}'?")

    def _meaning(self, clause: Clause) -> Formula:
        frame = "ensure" if clause.states else clause.frame
        special = self._special().get(frame)
        if special is not None:
            return special(clause)
        state = STATE_OF.get(frame)
        if state is None:
            return conjunction(())
        if not clause.objects:
            raise Unclear(f"What is to be done by '{clause.text}'?")
        return self._all(clause, lambda m: self._state(m, state))

    def _special(self) -> dict[str, Callable[[Clause], Formula]]:
        return {
            "put": self._put,
            "put_away": self._put,
            "refrigerate": self._refrigerate,
            "trash": self._trash,
            "remove": self._remove,
            "cook": self._cook,
            "heat": self._heat,
            "microwave": self._microwave,
            "toast": self._toast,
            "brew": self._brew,
            "serve": self._serve,
            "turn": self._turn,
            "ensure": self._ensure,
            "take_up": self._take_up,
            "": self._take_up,
            "wash": self._wash,
            "fill": self._fill,
            "spare": self._kept,
            "intact": self._intact,
            "water_on": lambda clause: self._state(Mention(("Faucet",)), "ON"),
            "water_off": lambda clause: self._state(Mention(("Faucet",)), "OFF"),
            "recycle": self._recycle,
            "touch": self._touch,
        }

    def _cook(self, clause: Clause) -> Formula:
        objects = clause.objects
        if not objects and any(chunk.text == "water" for chunk in clause.chunks):
            objects = [Mention(("Kettle", "Pot"))]
            return conjunction([self._state(objects[0], s) for s in ("FILLED", "HOT")])
        if not objects:
            raise Unclear("What is to be cooked?")
        return self._warm(replace(clause, objects=objects), cooked=True)

    def _heat(self, clause: Clause) -> Formula:
        return self._warm(clause, cooked=False)

    def _warm(self, clause: Clause, *, cooked: bool) -> Formula:
        def made(word: str) -> Formula:
            edible = cooked and self.choices.home.edible(word)
            return in_state(word, "COOKED" if edible else "HOT")

        def state(mention: Mention) -> Formula:
            return self.choices.write(mention, made)

        goals = [self._all(clause, state)]
        for place in [*self._targets(clause), *([self.means] if self.means else [])]:
            if set(self.choices.words(place)) & {"Microwave", "Plate", "Bowl", "Pan", "Pot"}:
                goals.append(self._all(clause, lambda m, p=place: self._inside(m, p)))  # type: ignore[misc]
        return conjunction(goals)

    def _microwave(self, clause: Clause) -> Formula:
        oven = Mention(("Microwave",))
        inside = self._all(clause, lambda m: self._inside(m, oven))
        return conjunction([inside, self._all(clause, lambda m: self._state(m, "HOT"))])

    def _toast(self, clause: Clause) -> Formula:
        both = ("SLICED", "TOASTED")
        named = [m for _, m in clause.places if "Bread" in self.choices.words(m)]
        clause = replace(clause, objects=clause.objects or named or [Mention(("Bread",))])
        return self._all(clause, lambda m: conjunction([self._state(m, s) for s in both]))

    def _brew(self, clause: Clause) -> Formula:
        cups = [m for m in clause.objects if set(self.choices.words(m)) <= {"Mug", "Cup"}]
        cup = (cups or self._targets(clause) or [Mention(("Mug", "Cup"))])[0]
        machine = Mention(("CoffeeMachine",))
        return conjunction(
            [self._inside(cup, machine), self._state(cup, "FILLED"), self._state(machine, "ON")]
        )

    def _turn(self, clause: Clause) -> Formula:
        raise Unclear(f"On or off: '{clause.text}'?")

    def _wash(self, clause: Clause) -> Formula:
        """``clean the desk`` clears it; what can be carried is washed."""

        def clean(mention: Mention) -> Formula:
            carried = self.usually(mention, "pickupable")
            if (
                not carried
                and clause.word.startswith("clean")
                and self.usually(mention, "receptacle")
            ):
                return self._state(mention, "EMPTY")
            return self._state(mention, "CLEAN")

        if not clause.objects:
            raise Unclear("What is to be washed?")
        for place in self._targets(clause):
            if not set(self.choices.words(place)) & _BASINS and not any(
                m.names or self.choices.things(m) for m in clause.objects if self._is_in(m, place)
            ):
                words = " or ".join(self.choices.words(place))
                raise Unclear(
                    f"Things get clean under running water, not in the {words}. What is meant?"
                )
        return self._all(clause, clean)

    def _ensure(self, clause: Clause) -> Formula:
        """``the fridge should be closed``, ``leave the light on``, ``the apple must be in the fridge``."""
        if not clause.objects:
            raise Unclear(f"What is meant by '{clause.text}'?")
        goals = [self._all(clause, lambda m, s=s: self._state(m, s)) for s in clause.states]  # type: ignore[misc]
        carried = all(self.usually(m, "pickupable") for m in clause.objects)
        if not clause.states or clause.frame in PUTTING or carried:
            for place in self._targets(clause):
                goals.append(self._all(clause, lambda m, p=place: self._inside(m, p)))  # type: ignore[misc]
        return conjunction(goals)


def _negated(goal: Formula) -> Formula:
    """Return that a goal shall not hold; of nothing, nothing."""
    return goal if goal == conjunction(()) else Not(goal)
