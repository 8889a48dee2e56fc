"""Conditions on the things of a clause: in a state, in or on a place, all or one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from commonground.grounding.knowledge.facts import Fact
from commonground.grounding.problem_writer.commands.choices import Choices, any_of
from commonground.grounding.problem_writer.commands.mentions import (
    Clause,
    Mention,
)
from commonground.grounding.problem_writer.commands.references import References
from commonground.grounding.problem_writer.goals import SLICED, contains, in_state
from commonground.grounding.problem_writer.inventory import LIGHTS, NEEDED, SWITCHES
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction, disjunction

SKILLS = {
    "OPENED": ("OpenObject",), "CLOSED": ("CloseObject",), "ON": ("SwitchOn",), "OFF": ("SwitchOff",),
    "BROKEN": ("BreakObject", "ThrowObject"), "SLICED": ("SliceObject",),
    "MOVED": ("PickupObject", "PushObject", "PullObject"),
    "TOASTED": ("SliceObject",),
}  # fmt: skip
"""What must not be done to a thing that shall not get into a state."""


class Conditions:
    """Writes conditions; remembers what was named, taken up and forbidden."""

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
        if words and words[0] in SWITCHES:
            return Mention((SWITCHES[words[0]],), amount=mention.amount)
        if words and words[0] in LIGHTS and not self.choices.home.present(words):
            lamps = self.choices.home.present(LIGHTS)
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

    def _targets(self, clause: Clause) -> list[Mention]:
        return [m for role, m in clause.places if role == "target"]

    def _is_in(self, mention: Mention, place: Mention) -> bool:
        """Return whether a place only tells where the things are now."""
        holders = set(self.choices.things(place))
        return any(
            holders & set(self.choices.graph.around(t)) for t in self.choices.things(mention)
        )

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
