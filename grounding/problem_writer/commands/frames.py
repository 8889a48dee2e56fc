"""What verbs ask for: each clause becomes conditions that hold when it has been done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.commands.choices import Choices, any_of
from commonground.grounding.problem_writer.commands.mentions import (
    PUTTING,
    STATE_OF,
    Clause,
    Mention,
)
from commonground.grounding.problem_writer.commands.references import NEEDED, SWITCHES, References
from commonground.grounding.problem_writer.goals import SLICED, contains, in_state
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction, disjunction

_LIGHTS = ("LightSwitch", "FloorLamp", "DeskLamp")
_TRASH = "GarbageCan"
_BASINS = frozenset(["Sink", "SinkBasin", "Bathtub", "BathtubBasin", "Faucet"])
_KEEPING = ("put back", "return", "replace", "give back")
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
_SKILLS = {
    "OPENED": ("OpenObject",), "CLOSED": ("CloseObject",), "ON": ("SwitchOn",), "OFF": ("SwitchOff",),
    "BROKEN": ("BreakObject", "ThrowObject"), "SLICED": ("SliceObject",),
    "MOVED": ("PickupObject", "PushObject", "PullObject"),
    "TOASTED": ("SliceObject",),
}  # fmt: skip
"""What must not be done to a thing that shall not get into a state."""


class Frames:
    """Reads clauses one after the other; pronouns refer to what was named before."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.references = References(choices)
        self.usually = self.references.usually
        self.means: Mention | None = None
        """``use the microwave to …``."""
        self.taken: list[Formula] = []
        """Goals of only taking things from somewhere."""
        self.pending: list[tuple[str, set[str]]] = []
        """What was taken up and not put anywhere yet: the words of the clause, and for the things."""
        self.spared: list[Fact] = []
        """What must not be done: ``(thing, "spared", skill)``."""

    def read(self, clause: Clause) -> Formula:
        """Return the goal of a clause."""
        objects = self.references.objects(clause)
        places = [(role, self.references.place(m)) for role, m in clause.places]
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
                [self._spare(m, _SKILLS.get(state, ()), state) for m in clause.objects]
            )
        if clause.frame in PUTTING and self._targets(clause):
            return _negated(self._put(clause))
        if clause.frame in ("trash", "refrigerate", "serve"):
            return _negated(self._special()[clause.frame](clause))
        return self._kept(clause)

    def _kept(self, clause: Clause) -> Formula:
        """``leave the tomato where it is``: it stays, and nobody lifts it."""
        goals = []
        for mention in clause.objects:
            for thing in self.choices.things(mention):
                around = self.choices.graph.value(thing, "in")
                if around is not None and self.choices.graph.can(thing, "pickupable"):
                    goals.append(contains(around, thing))
            goals.append(self._spare(mention, _SKILLS["MOVED"], ""))
        return conjunction(goals)

    def _intact(self, clause: Clause) -> Formula:
        """``leave the tomato whole``."""
        skills = (*_SKILLS["SLICED"], *_SKILLS["BROKEN"])
        return conjunction([self._spare(m, skills, "") for m in clause.objects])

    def _touch(self, clause: Clause) -> Formula:
        raise Unclear(f"What should be true after '{clause.text}'?")

    def _spare(self, mention: Mention, skills: Sequence[str], state: str) -> Formula:
        """Forbid skills for things; where no skill alone brings a state about, it shall just not hold."""
        if state in ("ON", "OFF"):
            mention = self._switch(mention)
        things = self.choices.things(mention)
        if not things:
            return conjunction(())
        self.spared += [Fact(thing, "spared", skill) for thing in things for skill in skills]
        if skills:
            return conjunction(())
        return conjunction([Not(in_state(thing, state)) for thing in things])

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

    # ---- conditions -------------------------------------------------------------------------------

    def _all(self, clause: Clause, make: Callable[[Mention], Formula]) -> Formula:
        return any_of([make(m) for m in clause.objects], either=clause.either)

    def _said_of(self, mention: Mention) -> list[Formula]:
        """Return what a description asks for: ``the sliced tomato``, ``a plate with an egg``."""
        goals = [
            self.choices.write(mention, lambda word, s=state: in_state(word, s))  # type: ignore[misc]
            for state in mention.states
        ]
        if mention.pieces:
            goals.append(self.choices.write(mention, lambda word: in_state(word, "SLICED")))
        for held in mention.holding:
            goals.append(self._inside(held, mention))
        return goals

    def _state(self, mention: Mention, state: str) -> Formula:
        if state in ("ON", "OFF"):
            mention = self._switch(mention)
        self._check(mention, state)
        return self.choices.write(mention, lambda word: in_state(word, state))

    def _switch(self, mention: Mention) -> Mention:
        """Return what is switched: the tap of a sink, the knob of a burner, the lamp there is."""
        words = self.choices.words(mention)
        present = set(self.choices.there.values())
        if words and words[0] in SWITCHES:
            return Mention((SWITCHES[words[0]],), amount=mention.amount)
        if words and words[0] in _LIGHTS and not present & set(words):
            lamps = tuple(kind for kind in _LIGHTS if kind in present)
            return Mention(lamps or mention.types, amount=mention.amount)
        return mention

    def _check(self, mention: Mention, state: str) -> None:
        """Ask where a thing can never be in a state."""
        needed = NEEDED.get(state)
        if needed is not None and not mention.contents and not self.usually(mention, needed):
            words = " or ".join(self.choices.words(mention))
            raise Unclear(f"{words} cannot be {state.lower()}. What is meant?")

    def _inside(self, item: Mention, place: Mention) -> Formula:
        """Return that a thing is in or on a place."""
        if place.each and len(self.choices.things(place)) > 1:
            raise Unclear(
                f"Which goes where: one in each of {len(self.choices.things(place))} places?"
            )

        def into(word: str) -> Formula:
            thing = word + SLICED if item.pieces and not item.name else word
            spots = self.choices.words(place)
            return disjunction([contains(spot, thing) for spot in spots if spot != word])

        return self.choices.write(item, into)

    # ---- verbs ------------------------------------------------------------------------------------

    def _targets(self, clause: Clause) -> list[Mention]:
        return [m for role, m in clause.places if role == "target"]

    def _put(self, clause: Clause) -> Formula:
        """``put the mug on the table in the sink``: the last place is where it goes."""
        if not clause.objects:
            raise Unclear(f"What is to be put where by '{clause.text}'?")
        targets = self._targets(clause)
        if targets:
            return self._all(clause, lambda m: self._inside(m, targets[-1]))
        if any(m.holding for m in clause.objects) and not any(
            self.usually(m, "pickupable") for m in clause.objects
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
        kinds, present = self.choices.kinds, set(self.choices.there.values())

        def home(word: str) -> Formula:
            kind = self.choices.there.get(word, word)
            usual = [place for place in kinds.likely_places(kind) if place in present]
            if not usual:
                raise Unclear(f"Where does the {kind} go?")
            return contains(usual[0], word)

        return self.choices.write(mention, home)

    def _fill(self, clause: Clause) -> Formula:
        """``fill the mug``, ``fill the box with the books``."""
        if not clause.objects:
            raise Unclear("What is to be filled?")
        held = [m for m in clause.objects if m.holding]
        return conjunction([self._state(m, "FILLED") for m in clause.objects if m not in held])

    def _recycle(self, clause: Clause) -> Formula:
        bins = [kind for kind in ("RecyclingBin", _TRASH) if kind in self.choices.there.values()]
        return self._all(clause, lambda m: self._inside(m, Mention(tuple(bins[:1]) or (_TRASH,))))

    def _refrigerate(self, clause: Clause) -> Formula:
        return self._all(clause, lambda m: self._inside(m, Mention(("Fridge",))))

    def _trash(self, clause: Clause) -> Formula:
        if not clause.objects:
            raise Unclear("What is to be thrown away?")
        targets = self._targets(clause) or [Mention((_TRASH,))]
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
        def state(mention: Mention) -> Formula:
            graph, kinds = self.choices.graph, self.choices.kinds

            def made(word: str) -> Formula:
                kind = self.choices.there.get(word, word)
                names = [n for n, k in self.choices.there.items() if word in (n, k)]
                edible = any(graph.can(n, "cookable") for n in names) or (
                    kind in kinds.cookable_slices and kind != "Egg"
                )
                return in_state(word, "COOKED" if cooked and edible else "HOT")

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

    def _serve(self, clause: Clause) -> Formula:
        targets = self._targets(clause) or [Mention(("Plate", "Bowl"))]
        return self._all(clause, lambda m: self._inside(m, targets[-1]))

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

    def _is_in(self, mention: Mention, place: Mention) -> bool:
        """Tell whether a place only tells where the things are now."""
        holders = set(self.choices.things(place))
        return any(
            holders & set(self.choices.graph.around(t)) for t in self.choices.things(mention)
        )

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


def _negated(goal: Formula) -> Formula:
    """Return that a goal shall not hold; of nothing, nothing."""
    return goal if goal == conjunction(()) else Not(goal)
