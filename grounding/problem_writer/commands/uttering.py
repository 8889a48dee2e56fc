"""Clauses of a command as clauses of an utterance: each verb by its sense in the table of meanings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from commonground.grounding.english.utterance import Clause as Said
from commonground.grounding.english.utterance import Group, Phrase, Reference, Sense, Span
from commonground.grounding.problem_writer.commands.mentions import (
    PUTTING,
    STATE_OF,
    Clause,
    Mention,
)
from commonground.grounding.problem_writer.commands.phrases import Phrases
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.resolver.choice import Unclear

_SENSES: dict[str, Sense] = {
    "slice": "cut up", "heat": "heat", "microwave": "heat", "cook": "cook", "chill": "chill",
    "toast": "toast", "fill": "fill", "water": "fill", "break": "break", "open": "open", "close": "close",
    "switch_on": "switch on", "switch_off": "switch off", "clear": "clear", "push": "move",
    "trash": "throw away", "serve": "serve",
}  # fmt: skip
"""Senses of verbs that ask for no more than what is done to their things."""
_WARMING = frozenset(["Microwave", "Plate", "Bowl", "Pan", "Pot"])
"""Where things are while they get warm; that a stove is used goes without saying."""
_HOMING = (
    "store", "save", "keep", "stow", "stash", "house", "file", "tidy", "hide", "secure",
)  # fmt: skip
"""Verbs that leave it to the house where a thing goes."""
_KEEPING = ("put back", "return", "replace", "give back")
_SOUGHT = ("find", "locate", "look", "reach")


class Uttering:
    """Turns clauses one after the other; pronouns refer to what was named before."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.phrases = Phrases(home)
        self._means: Mention | None = None
        """``use the microwave to …``."""

    def said(self, clause: Clause) -> Sequence[Said]:
        """Return what a clause says; nothing where it only leads up to another."""
        objects = self.phrases.objects(clause)
        clause.places = [(role, self.phrases.place(m)) for role, m in clause.places]
        told = clause.at("target")
        told = told[:-1] if clause.frame in PUTTING else [] if clause.states else told
        clause.objects = [self._told_apart(m, [*clause.at("source"), *told]) for m in objects]
        self.phrases.remember([m for role, m in clause.places if role != "means"], clause.objects)
        if clause.denied:
            return self._denied(clause)
        said = self._asked(clause)
        if clause.left_out:
            said = [*said, *_never(self._put(replace(clause, objects=clause.left_out)))]
        return said

    def _told_apart(self, mention: Mention, places: Sequence[Mention]) -> Mention:
        """Return a mention with the place that its things are in now, of those that were named."""
        if mention.contents:
            return mention
        if mention.at is not None:
            one = len(self.home.things(self.phrases.words(mention))) == 1
            elsewhere = one and not self.phrases.are_in(mention, self.phrases.place(mention.at))
            return replace(mention, at=None) if elsewhere else mention
        there = (place for place in places if self.phrases.are_in(mention, place))
        return replace(mention, at=next(there, None))

    def _asked(self, clause: Clause) -> Sequence[Said]:
        frame = "ensure" if clause.states else clause.frame
        special = _SPECIAL.get(frame)
        return special(self, clause) if special else [self._do(_SENSES[frame], clause)]

    def _do(self, sense: Sense, clause: Clause, **roles: object) -> Said:
        """Return a clause about the objects of another."""
        if not clause.objects:
            raise Unclear(f"What is to be done by '{clause.text}'?")
        theme = self.phrases.reference(clause.objects, either=clause.either)
        return replace(Said(sense, theme=theme), **roles)  # type: ignore[arg-type]  # roles of a clause

    def _last(self, places: Sequence[Mention]) -> Reference | None:
        return self.phrases.phrase(places[-1]) if places else None

    # ---- where things go --------------------------------------------------------------------------

    def _put(self, clause: Clause) -> Sequence[Said]:
        """``put the mug on the table in the sink``: the last place is where it goes."""
        if clause.at("target"):
            return self._nested(clause)
        if clause.at("source"):
            return self._removed(clause)
        if clause.word in _KEEPING or any(chunk.text == "back" for chunk in clause.chunks):
            return [self._do("put", clause, back=True)]
        homing = clause.frame == "put_away" or clause.word.split()[0] in _HOMING
        return [self._do("put" if homing else "take", clause)]

    def _nested(self, clause: Clause) -> Sequence[Said]:
        """``put the apple in a bowl on the table``: into the bowl, and that on the table.

        What stands in the bowl already is only told apart by it, and goes on the table.
        """
        *before, place = clause.at("target")
        if before and self._is_tray(place) and not self._is_tray(before[-1]):
            before[-1], place = place, before[-1]  # ``to the table on a plate``
        goal = self.phrases.phrase(place)
        holder = before[-1] if before else place
        portable = self._is_tray(holder)
        inside = any(self.phrases.are_in(m, holder) for m in clause.objects)
        if holder is place or not portable or inside:
            return [self._do("put", clause, goal=goal)]
        bowl = self.phrases.phrase(holder)
        again = Phrase(again=(bowl.noun,)) if bowl.noun is not None else bowl
        return [self._do("put", clause, goal=bowl), Said("put", theme=again, goal=goal)]

    def _is_tray(self, mention: Mention) -> bool:
        """Return whether things are carried in or on a thing."""
        return all(self.phrases.usually(mention, can) for can in ("pickupable", "receptacle"))

    def _served(self, clause: Clause) -> Sequence[Said]:
        return self._nested(clause) if clause.at("target") else [self._do("serve", clause)]

    def _trashed(self, clause: Clause) -> Sequence[Said]:
        return [self._do("throw away", clause, goal=self._last(clause.at("target")))]

    def _refrigerated(self, clause: Clause) -> Sequence[Said]:
        return [self._do("put", clause, goal=_a("fridge"))]

    def _removed(self, clause: Clause) -> Sequence[Said]:
        goal = self._last(clause.at("target"))
        if goal is not None:
            return [self._do("put", clause, goal=goal)]
        held = [replace(m, contents=False) for m in clause.objects if m.contents]
        if held:
            return [self._do("clear", replace(clause, objects=held))]
        sources = clause.at("source")
        there = [p for p in sources if any(self.phrases.are_in(m, p) for m in clause.objects)]
        source = self._last(there) if sources else self._where_now(clause.objects)
        return [self._do("take", clause, source=source)]

    def _where_now(self, mentions: Sequence[Mention]) -> Reference | None:
        """Return what some things are in now."""
        names = [name for m in mentions for name in self.home.things(self.phrases.words(m))]
        around = dict.fromkeys(self.home.graph.value(name, "in") for name in names)
        places = tuple(_a(place) for place in around if place is not None)
        return Group("all of", places) if len(places) > 1 else next(iter(places), None)

    def _taken(self, clause: Clause) -> Sequence[Said]:
        """``pick up the mug``: what is done with it comes later; nothing by itself."""
        self._means = next(iter(clause.objects), None) if clause.word.startswith("us") else None
        goal = self._last(clause.at("target"))
        carried = not clause.frame or clause.word in ("get", "fetch")
        if goal is not None and clause.objects and carried:
            return [self._do("put", clause, goal=goal)]
        if not clause.frame and clause.objects:
            raise Unclear(f"What is to be done with {clause.objects[0].said}?")
        return []

    def _kept(self, clause: Clause) -> Sequence[Said]:
        """``leave the tomato where it is``: it stays, and nobody lifts it."""
        return [self._do("keep", clause), *_never([self._do("move", clause)])]

    # ---- what is done to things -------------------------------------------------------------------

    def _ensured(self, clause: Clause) -> Sequence[Said]:
        """``the fridge should be closed``, ``leave the light on``, ``the apple must be in the fridge``."""
        said = [self._do("be like", clause, state=_span(s.lower())) for s in clause.states]
        carried = all(self.phrases.usually(m, "pickupable") for m in clause.objects)
        goal = self._last([m for m in clause.at("target") if not self._are_over(clause.objects, m)])
        if goal is not None and (not clause.states or clause.frame in PUTTING or carried):
            said.append(self._do("be at", clause, goal=goal))
        return said

    def _are_over(self, objects: Sequence[Mention], place: Mention) -> bool:
        """Return whether things get hot over a stove in something else."""
        kinds = [self.home.type_of(word) for m in objects for word in self.phrases.words(m)]
        stove = tuple(self.phrases.words(place)) == ("StoveBurner",)
        return stove and not any(self.home.kinds.takes("StoveBurner", kind) for kind in kinds)

    def _warmed(self, clause: Clause) -> Sequence[Said]:
        places = [*clause.at("target"), *([self._means] if self._means else [])]
        around = [m for m in places if _WARMING.intersection(self.phrases.words(m))]
        location = _a("microwave") if clause.frame == "microwave" else self._last(around)
        objects = [m if m.at not in around else replace(m, at=None) for m in clause.objects]
        clause = replace(clause, objects=objects)
        return [self._do(_SENSES[clause.frame], clause, location=location)]

    def _toasted(self, clause: Clause) -> Sequence[Said]:
        bread = [m for _, m in clause.places if "Bread" in self.phrases.words(m)]
        objects = clause.objects or bread or [Mention("bread")]
        return [self._do("toast", replace(clause, objects=objects))]

    def _brewed(self, clause: Clause) -> Sequence[Said]:
        cups = [m for m in clause.objects if {*self.phrases.words(m)} <= {"Mug", "Cup"}]
        either = Group("one of", (_a("mug"), _a("cup")))
        theme = self._last(cups or clause.at("target")) or either
        return [Said("fill", theme=theme, content=_span("coffee"))]

    def _filled(self, clause: Clause) -> Sequence[Said]:
        """``fill the mug``, ``fill the box with the books``."""
        held = bool(clause.objects) and all(m.holding for m in clause.objects)
        return [self._do("have" if held else "fill", clause)]

    def _washed(self, clause: Clause) -> Sequence[Said]:
        are_in = self.phrases.are_in
        around = [p for p in clause.at("target") if not any(are_in(m, p) for m in clause.objects)]
        return [self._do("clean", clause, location=self._last(around))]

    def _water(self, clause: Clause) -> Sequence[Said]:
        return [Said("run water" if clause.frame == "water_on" else "stop water")]

    def _unclear(self, clause: Clause) -> Sequence[Said]:
        raise Unclear(f"What should be true after '{clause.text}'?")

    # ---- what shall not be ------------------------------------------------------------------------

    def _intact(self, clause: Clause) -> Sequence[Said]:
        """``leave the tomato whole``."""
        return _never([self._do("cut up", clause), self._do("break", clause)])

    def _denied(self, clause: Clause) -> Sequence[Said]:
        """``do not open the fridge``, ``but not the laptop``, ``the light should not be on``."""
        if clause.word.split()[:1] and clause.word.split()[0] in _SOUGHT:
            return []  # ``I cannot find the keys``
        if clause.frame == "take_up" and clause.word.startswith("us"):
            return _never([self._do("use", clause)])
        outcomes = ("ensure", "trash", "refrigerate", "serve", *STATE_OF)
        goes = clause.frame in PUTTING and clause.at("target")
        if clause.states or goes or clause.frame in outcomes:
            return _never(self._asked(clause))
        return self._kept(clause)


_SPECIAL: Mapping[str, Callable[[Uttering, Clause], Sequence[Said]]] = {
    "put": Uttering._put, "put_away": Uttering._put, "refrigerate": Uttering._refrigerated,
    "trash": Uttering._trashed, "remove": Uttering._removed,
    "serve": Uttering._served, "take_up": Uttering._taken, "": Uttering._taken,
    "spare": Uttering._kept, "intact": Uttering._intact, "ensure": Uttering._ensured,
    "cook": Uttering._warmed, "heat": Uttering._warmed, "microwave": Uttering._warmed,
    "toast": Uttering._toasted, "brew": Uttering._brewed, "fill": Uttering._filled,
    "wash": Uttering._washed, "water_on": Uttering._water, "water_off": Uttering._water,
    "turn": Uttering._unclear, "touch": Uttering._unclear, "give": Uttering._unclear,
}  # fmt: skip
"""Verbs whose meaning hangs on what else is said."""


def _never(said: Sequence[Said]) -> Sequence[Said]:
    """Return that something is not to be done, or not to be so."""
    return [replace(clause, negated=True) for clause in said]


def _span(words: str) -> Span:
    return Span(0, 0, words)


def _a(noun: str) -> Phrase:
    return Phrase(noun=_span(noun), det="any one")
