"""What verbs ask for: each clause becomes conditions that hold when it has been done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.commands.choices import Choices, any_of
from commonground.grounding.problem_writer.commands.mentions import PUTTING, THROWN, Clause, Mention
from commonground.grounding.problem_writer.goals import SLICED, contains, in_state
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction, disjunction

_STATE_OF = {
    "slice": "SLICED", "wash": "CLEAN", "heat": "HOT", "chill": "COLD", "fill": "FILLED", "break": "BROKEN",
    "open": "OPENED", "close": "CLOSED", "switch_on": "ON", "switch_off": "OFF", "clear": "EMPTY",
    "water": "FILLED",
}  # fmt: skip
_NEEDED = {
    "SLICED": "sliceable", "FILLED": "fillable", "BROKEN": "breakable", "OPENED": "openable",
    "CLOSED": "openable", "ON": "toggleable", "OFF": "toggleable", "EMPTY": "receptacle",
    "TOASTED": "sliceable", "CLEAN": "pickupable",
}  # fmt: skip
_SEVERAL = ("both", "them", "both of them", "all of them", "these", "those", "they")
_SWITCHES = {
    "Sink": "Faucet",
    "SinkBasin": "Faucet",
    "Bathtub": "Faucet",
    "StoveBurner": "StoveKnob",
}
"""What is switched where people name what it works on."""
_LIGHTS = ("LightSwitch", "FloorLamp", "DeskLamp")
_TRASH = "GarbageCan"


class Frames:
    """Reads clauses one after the other; pronouns refer to what was named before."""

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.recent: list[list[Mention]] = []
        """Objects and places of the clauses so far, the latest last."""
        self.named: list[list[Mention]] = []
        """Objects alone."""
        self.means: Mention | None = None
        """``use the microwave to …``."""
        self.taken: list[Formula] = []
        """Goals of only taking things from somewhere."""

    def read(self, clause: Clause) -> Formula:
        """Return the goal of a clause."""
        objects = self._objects(clause)
        places = [(role, self._place(m)) for role, m in clause.places]
        clause = replace(clause, objects=objects, places=places)
        self._remember([m for role, m in places if role != "means"], objects)
        goals = [self._meaning(clause)]
        for mention in (*objects, *(m for _, m in places)):
            goals += self._said_of(mention)
        return conjunction(goals)

    def _meaning(self, clause: Clause) -> Formula:
        frame = "ensure" if clause.states else clause.frame
        special = self._special().get(frame)
        if special is not None:
            return special(clause)
        state = _STATE_OF.get(frame)
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
        }

    # ---- references -------------------------------------------------------------------------------

    def _remember(self, places: Sequence[Mention], objects: Sequence[Mention]) -> None:
        if places:
            self.recent.append(list(places))
        if objects:
            self.recent.append(list(objects))
            self.named.append(list(objects))

    def _objects(self, clause: Clause) -> list[Mention]:
        """Return the objects with pronouns replaced; a verb without one takes those named before."""
        state = clause.states[0] if clause.states else _STATE_OF.get(clause.frame, "")
        found: list[Mention] = []
        for mention in clause.objects:
            if mention.back in _SEVERAL and len(self.named) > 1 and len(self.named[-1]) == 1:
                found += [replace(m[-1], states=(), holding=()) for m in self.named[-2:]]
            else:
                found += self._meant(state, mention.back) if mention.back else [mention]
        if (
            not found
            and clause.frame not in ("", "ensure", "brew", "take_up", "cook")
            and self.recent
        ):
            return self._meant(state)
        return found

    def _meant(self, state: str, back: str = "") -> list[Mention]:
        """Return what ``it`` or ``them`` means: the latest things for which the verb makes sense."""
        needed = _NEEDED.get(state, "pickupable")
        for mentions in reversed(self.recent):
            if back == "it" and len(mentions) > 1:
                continue  # ``put the egg and the tomato on a plate and heat it``
            if all(self._usually(m, needed) for m in mentions):
                return [replace(m, states=(), holding=()) for m in mentions]
        if self.recent:
            return self.recent[-1]
        raise Unclear("What is 'it'?")

    def _usually(self, mention: Mention, affordance: str) -> bool:
        graph, kinds = self.choices.graph, self.choices.kinds
        for word in self.choices.words(mention):
            if affordance == "toggleable" and word in _SWITCHES:
                return True
            names = [n for n, kind in self.choices.there.items() if word in (n, kind)]
            if any(graph.can(name, affordance) for name in names):
                return True
            if not names and affordance in kinds.usual(word):
                return True
        return False

    def _place(self, mention: Mention) -> Mention:
        if not mention.back:
            return mention
        for mentions in reversed(self.recent):
            holders = [m for m in mentions if self._usually(m, "receptacle")]
            if holders:
                return replace(holders[-1], states=(), holding=())
        raise Unclear("Where is 'there'?")

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
        if words and words[0] in _SWITCHES:
            return Mention((_SWITCHES[words[0]],), amount=mention.amount)
        if words and words[0] in _LIGHTS and not present & set(words):
            lamps = tuple(kind for kind in _LIGHTS if kind in present)
            return Mention(lamps or mention.types, amount=mention.amount)
        return mention

    def _check(self, mention: Mention, state: str) -> None:
        """Ask where a thing can never be in a state."""
        needed = _NEEDED.get(state)
        if needed is not None and not mention.contents and not self._usually(mention, needed):
            words = " or ".join(self.choices.words(mention))
            raise Unclear(f"{words} cannot be {state.lower()}. What is meant?")

    def _inside(self, item: Mention, place: Mention) -> Formula:
        """Return that a thing is in or on a place."""

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
        if any(role == "source" for role, _ in clause.places):
            return self._remove(clause)
        if clause.word.split()[0] in (*THROWN, "leave", "drop"):
            raise Unclear(f"Where should it go: '{clause.text}'?")
        return self._all(clause, self._home)

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
            return conjunction(())  # what is done with it comes later
        self.taken.append(self._all(clause, lambda m: Not(self._inside(m, places[-1]))))
        return self.taken[-1]

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
            carried = self._usually(mention, "pickupable")
            if (
                not carried
                and clause.word.startswith("clean")
                and self._usually(mention, "receptacle")
            ):
                return self._state(mention, "EMPTY")
            return self._state(mention, "CLEAN")

        if not clause.objects:
            raise Unclear("What is to be washed?")
        return self._all(clause, clean)

    def _ensure(self, clause: Clause) -> Formula:
        """``the fridge should be closed``, ``leave the light on``, ``the apple must be in the fridge``."""
        if not clause.objects:
            raise Unclear(f"What is meant by '{clause.text}'?")
        goals = [self._all(clause, lambda m, s=s: self._state(m, s)) for s in clause.states]  # type: ignore[misc]
        if not clause.states or clause.frame in PUTTING:
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
