"""What shall hold of things in the end: a state of theirs, or a place they are in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from commonground.grounding.problem_writer.goals import SLICED, contains, in_state
from commonground.grounding.problem_writer.wishes.home import LIGHTS, NEEDED, TRASH, Home
from commonground.grounding.problem_writer.wishes.referents import Senseless
from commonground.grounding.problem_writer.wishes.things import Condition, Things, each_of, whole
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import Formula, Not, conjunction, disjunction

_NEEDED = {**NEEDED, "HOT": "pickupable", "COLD": "pickupable"}
_SWITCHED = {"OPENED": "ON", "CLOSED": "OFF"}
"""What opening means for a tap."""


def in_the_state(things: Things, state: str, home: Home) -> Condition:
    """Return that things are in a state; raises where they never can be."""
    shuts = home.usually(things.words, "openable")
    if state in _SWITCHED and not shuts and home.usually(home.switches(things.words), "toggleable"):
        state = _SWITCHED[state]
    if state in ("ON", "OFF"):
        things = switched(things, home)
    needed = _NEEDED.get(state)
    if needed is not None and not home.usually(things.words, needed):
        question = f"{' or '.join(things.words)} cannot be {state.lower()}. What is meant?"
        raise Senseless(question) if state == "CLEAN" else Unclear(question)
    return each_of(things, lambda word: in_state(word, state))


def switched(things: Things, home: Home) -> Things:
    """Return what is switched: the tap of a sink, the knob of a burner, the lamp there is."""
    lamps = home.present(LIGHTS)
    if set(things.words) & set(LIGHTS) and lamps and not home.things(things.words):
        return replace(things, options=tuple((lamp,) for lamp in lamps))
    options = tuple(home.switches(option) for option in things.options)
    if options == things.options:
        return things
    if len(options) == 1 and len(things.options[0]) == 1:
        options = tuple((word,) for word in options[0])  # any tap of a sink with two
    return replace(things, options=options)


def inside(item: Things, places: Sequence[Things], home: Home) -> Condition:
    """Return that things are in or on a place."""
    if len(places) != 1:
        raise Unclear(
            f"Which goes where: '{item.said}', in {' and '.join(p.said for p in places)}?"
        )
    place = places[0]
    if any(len(option) > 1 for option in place.options):
        if place.each:
            raise Unclear(f"Which goes where: '{item.said}', in '{place.said}'?")
        place = replace(
            place, options=tuple((word,) for option in place.options for word in option)
        )
    if not home.usually(place.words, "receptacle"):
        raise Unclear(
            f"Nothing can be put in or on {' or '.join(place.words)}. Where should it go?"
        )
    if not home.usually(item.words, "pickupable"):
        raise Unclear(f"Nobody can carry {' or '.join(item.words)}: '{item.said}'. What is meant?")

    def into(word: str, spots: Iterable[str]) -> Formula:
        thing = _piece(word, home) if item.pieces else word
        fit = [spot for spot in spots if spot != word and _takes(spot, thing, home)]
        if not fit:
            raise Unclear(f"{' or '.join(place.words)} cannot hold {word}. Where should it go?")
        return disjunction([contains(spot, thing) for spot in fit])

    if len(item.options) == 1 and len(place.options) > 1:
        item_of = replace(item)
        goals = tuple(each_of(item_of, lambda w, s=s: into(w, s)).formula for s in place.options)  # type: ignore[misc]
        return Condition(goals, place)
    return each_of(item, lambda word: into(word, place.words))


def _piece(word: str, home: Home) -> str:
    """Return the type of what is cut off a thing."""
    return home.type_of(word).removesuffix(SLICED) + SLICED


def _takes(spot: str, thing: str, home: Home) -> bool:
    """Return whether a place may take a thing, whole or cut."""
    place, kind = home.type_of(spot), home.type_of(thing)
    return home.kinds.takes(place, kind) or home.kinds.takes(place, _piece(thing, home))


def as_described(things: Things, home: Home) -> list[Condition]:
    """Return what a description asks for: ``the sliced tomato``, ``slices``, ``a plate with an egg``."""
    states = (*things.wanted, *(("SLICED",) if things.pieces else ()))
    goals = [in_the_state(things, state, home) for state in states]
    return goals + [inside(held, [things], home) for held in things.holding]


def warm(things: Things, home: Home, *, cooked: bool) -> Condition:
    """Return that things are cooked, where that is different from being hot."""
    in_the_state(things, "HOT", home)

    def made(word: str) -> Formula:
        return in_state(word, "COOKED" if cooked and home.edible(word) else "HOT")

    return each_of(things, made)


def at_home(things: Things, home: Home) -> Condition:
    """Return that things are where such things are usually kept."""

    def kept(word: str) -> Formula:
        usual = home.usual_place(word)
        if usual is None:
            raise Unclear(f"Where should '{things.said}' go?")
        return contains(usual, word)

    return each_of(things, kept)


def as_now(names: Iterable[str], home: Home) -> list[Condition]:
    """Return that portable things are where they are now."""
    return [
        whole(contains(around, name))
        for name in names
        if home.graph.can(name, "pickupable")
        and (around := home.graph.value(name, "in")) is not None
    ]


def out_of(things: Things, places: Sequence[Things], home: Home) -> Condition:
    """Return that things are no longer in a place: one that is named, or where they are now."""
    holders = [word for place in places for word in place.words]
    goals = []
    for option in things.options:
        names = home.inside(home.things(option), holders) if holders else home.things(option)
        around = [(a, n) for n in names if (a := home.graph.value(n, "in")) is not None]
        if not around or (not holders and len(around) > 1):
            raise Unclear(f"Out of what: '{things.said}'?")
        out: list[Formula] = [Not(contains(place, name)) for place, name in around]
        goals.append(disjunction(out) if option[0] not in home.there else conjunction(out))
    return Condition(tuple(goals), things)


def in_trash(things: Things, home: Home) -> Condition:
    """Return that things are thrown away."""
    return inside(things, [Things(((TRASH,),), "trash")], home)
