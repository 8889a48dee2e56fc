"""The table of meanings: what each sense of a verb asks of a house."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations

from commonground.grounding.english.utterance import Sense
from commonground.grounding.knowledge.facts import TRUE
from commonground.grounding.problem_writer.goals import contains, in_state
from commonground.grounding.problem_writer.wishes.conditions import (
    as_now,
    at_home,
    in_the_state,
    in_trash,
    inside,
    out_of,
    warm,
)
from commonground.grounding.problem_writer.wishes.home import LIGHTS, Home
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.things import Condition, Things, each_of, whole
from commonground.grounding.resolver.choice import Unclear
from commonground.planning.pddl import conjunction, disjunction


@dataclass(frozen=True, slots=True)
class Roles:
    """Who and what a clause is about, in this house."""

    said: str
    theme: tuple[Things, ...] = ()
    goal: tuple[Things, ...] = ()
    source: tuple[Things, ...] = ()
    location: tuple[Things, ...] = ()
    partner: tuple[Things, ...] = ()
    content: str = ""
    state: str = ""
    back: bool = False
    everything: bool = False
    """The theme is all that is in or on something."""


Write = Callable[[Roles, Home], Sequence[Condition]]


@dataclass(frozen=True, slots=True)
class Row:
    """What one sense means."""

    write: Write
    takes: frozenset[str] = frozenset(["theme"])
    """Roles that it can have; about others is asked."""
    needs: str = "theme"
    """The role without which it means nothing."""
    waits: bool = False
    """Something has to be done with the theme besides."""
    skills: tuple[str, ...] | None = None
    """What nobody does to a theme where it shall never be done; without skills, it shall not come about."""


def _row(write: Write, takes: str = "theme", **how: object) -> Row:
    return Row(write, frozenset(takes.split()), **how)  # type: ignore[arg-type]  # the fields of a row


# ---- states ---------------------------------------------------------------------------------------


def _state(state: str) -> Write:
    return lambda roles, home: [in_the_state(things, state, home) for things in roles.theme]


def _clean(roles: Roles, home: Home) -> Sequence[Condition]:
    _check_tap((*roles.goal, *roles.location), home)
    return _state("CLEAN")(roles, home)


def _check_tap(places: Sequence[Things], home: Home) -> None:
    """Raise `Unclear` for places without running water."""
    for place in places:
        if "Faucet" not in map(home.type_of, home.switches(place.words)):
            raise Unclear(f"That takes running water, not '{place.said}'. What is meant?")


def _warmed(*, cooked: bool) -> Write:
    def write(roles: Roles, home: Home) -> Sequence[Condition]:
        goals = [warm(things, home, cooked=cooked) for things in roles.theme]
        return [*goals, *_there(roles, home)]

    return write


def _there(roles: Roles, home: Home) -> list[Condition]:
    """Return that things are where something is done to them; on a stove they are in something."""
    return [
        inside(things, places, home)
        for things in roles.theme
        if (places := (*roles.goal, *roles.location))
    ]


def _cut(roles: Roles, home: Home) -> Sequence[Condition]:
    return [*_state("SLICED")(roles, home), *_there(roles, home)]


def _break(roles: Roles, home: Home) -> Sequence[Condition]:
    return [*_state("BROKEN")(roles, home), *_there(roles, home)]


def _chill(roles: Roles, home: Home) -> Sequence[Condition]:
    return [*_state("COLD")(roles, home), *_there(roles, home)]


def _toast(roles: Roles, home: Home) -> Sequence[Condition]:
    """Only the toaster toasts, so it need not be said where."""
    goals = [in_the_state(t, state, home) for t in roles.theme for state in ("SLICED", "TOASTED")]
    places = (*roles.goal, *roles.location)
    if all(home.type_of(word) == "Toaster" for place in places for word in place.words):
        return goals
    return [*goals, *_there(roles, home)]


def _fill(roles: Roles, home: Home) -> Sequence[Condition]:
    """Vessels are filled with what runs in the house, other things with things."""
    liquid = roles.content.lower().split()[-1:]
    if liquid in (["coffee"], ["espresso"]) and home.present(["CoffeeMachine"]):
        return _brew(roles, home)
    _check_tap(roles.location, home)
    if roles.content and not any(home.usually(t.words, "fillable") for t in roles.theme):
        return [inside(_contents(roles.content, home), roles.theme, home)]
    if liquid in ([], ["water"]) and "soapy" not in roles.content:
        return _state("FILLED")(roles, home)
    raise Unclear(f"I know of no '{roles.content}' to fill it with. Is water all right?")


def _brew(roles: Roles, home: Home) -> Sequence[Condition]:
    """Coffee runs into what stands in the machine."""
    machine = Things((("CoffeeMachine",),), "coffee machine")
    for place in roles.location:
        if {home.type_of(word) for word in place.words} != {"CoffeeMachine"}:
            raise Unclear(f"No coffee is made in '{place.said}'. What is meant?")
    brewed = [inside(things, [machine], home) for things in roles.theme]
    return [*_state("FILLED")(roles, home), *brewed, whole(in_state("CoffeeMachine", "ON"))]


def _contents(words: str, home: Home) -> Things:
    """Return the things that something is filled with."""
    noun = home.nouns.find(words)
    names = home.things(noun.types) if noun is not None else []
    if noun is None or not names or (len(names) > 1 and not noun.many):
        raise Unclear(f"Which '{words}' should go in?", names)
    return Things((tuple(names),), words)


def _empty(roles: Roles, home: Home) -> Sequence[Condition]:
    """What is in a container is taken out; nobody can pour."""
    for things in roles.theme:
        if any(home.graph.is_true(name, "filled") for name in home.things(things.words)):
            raise Unclear(
                f"No robot here can pour out what is in '{things.said}'. What else should be done?"
            )
        if not home.usually(things.words, "receptacle"):
            raise Unclear(f"{' or '.join(things.words)} cannot be emptied. What is meant?")
    return _state("EMPTY")(roles, home)


def _like(roles: Roles, home: Home) -> Sequence[Condition]:
    state = likeness(roles.state)
    if state is None or not state.goal:
        raise Unclear(f"What should be true once it is '{roles.state}'?")
    return _state(state.goal)(roles, home)


# ---- places ---------------------------------------------------------------------------------------


def _put(roles: Roles, home: Home) -> Sequence[Condition]:
    places = (*roles.goal, *roles.location)
    if places:
        return [inside(things, places, home) for things in roles.theme]
    if roles.back:
        return as_now([n for t in roles.theme for n in home.things(t.words)], home)
    if roles.everything and not roles.source:  # out of there, or what was named before into it
        raise Unclear(f"What is to be put where: '{roles.said}'?")
    if roles.source:
        return [out_of(things, roles.source, home) for things in roles.theme]
    return [at_home(things, home) for things in roles.theme]


def _take_out(roles: Roles, home: Home) -> Sequence[Condition]:
    return [out_of(t, roles.source, home) for t in roles.theme] if roles.source else []


def _throw_away(roles: Roles, home: Home) -> Sequence[Condition]:
    if roles.goal:
        return [inside(things, roles.goal, home) for things in roles.theme]
    return [in_trash(things, home) for things in roles.theme]


def _serve(roles: Roles, home: Home) -> Sequence[Condition]:
    if roles.content:
        raise Unclear(
            f"I can fill something, not serve '{roles.content}'. What should be filled and put where?"
        )
    dishes = roles.goal or (Things((("Plate",), ("Bowl",)), "plate or bowl"),)
    return [inside(things, dishes, home) for things in roles.theme]


def _pile_up(roles: Roles, home: Home) -> Sequence[Condition]:
    """One thing carries the next, in an order that they allow."""
    words = [option for things in roles.theme for option in things.options]
    if any(len(things.options) > 1 for things in roles.theme):
        raise Unclear(f"Which ones are to be put on top of each other: '{roles.said}'?")
    items = [word for option in words for word in option]
    piles = [
        conjunction([contains(low, high) for low, high in pairwise(order)])
        for order in permutations(items[:4])
        if all(_carries(low, high, home) for low, high in pairwise(order))
    ]
    if not 1 < len(items) <= 4 or not piles:
        raise Unclear(f"None of these carries the others: '{roles.said}'. Where should they go?")
    return [whole(disjunction(piles))]


def _carries(low: str, high: str, home: Home) -> bool:
    return home.usually([low], "receptacle") and home.kinds.takes(
        home.type_of(low), home.type_of(high)
    )


def _swap(roles: Roles, home: Home) -> Sequence[Condition]:
    """Two things change places."""
    both = [home.things(t.words) for t in (*roles.theme, *roles.partner)]
    if len(both) != 2 or any(len(names) != 1 for names in both):
        raise Unclear(f"Which two things are to change places: '{roles.said}'?")
    (one,), (other,) = both
    places = home.graph.value(one, "in"), home.graph.value(other, "in")
    if places[0] is None or places[1] is None:
        raise Unclear(f"I do not know where {one} and {other} are, so they cannot change places.")
    return [whole(contains(places[1], one)), whole(contains(places[0], other))]


def _gone(roles: Roles, home: Home) -> Sequence[Condition]:
    raise Unclear(f"Where should it go: '{roles.said}'?")


# ---- water, light, doors --------------------------------------------------------------------------


def _water(state: str) -> Write:
    def write(roles: Roles, home: Home) -> Sequence[Condition]:
        places = (*roles.location, *roles.theme)
        if not any(home.usually(home.switches(things.words), "toggleable") for things in places):
            if len(home.things(["Faucet"])) != 1 and places:
                raise Unclear(f"Which tap is meant: '{roles.said}'?", home.things(["Faucet"]))
            places = (Things((("Faucet",),), "water"),)
        return [in_the_state(things, state, home) for things in places]

    return write


def _light(state: str) -> Write:
    """Dark is without any light, bright is with one."""

    def write(roles: Roles, home: Home) -> Sequence[Condition]:
        named = _lamps(state, home) or (("LightSwitch",),)
        lit = [each_of(Things(named, roles.said), lambda word: in_state(word, state))]
        closed = state == "OFF" and home.has_skill("CloseObject")
        shades = home.things(["Blinds", "Curtains"]) if closed else []
        letting_in = [name for name in shades if home.graph.can(name, "openable")]
        return [*lit, *(whole(in_state(name, "CLOSED")) for name in letting_in)]

    return write


def _lamps(state: str, home: Home) -> tuple[tuple[str, ...], ...]:
    """Return the lamps that are switched: all go off, and where the main light is on, any other goes on."""
    lamps = [n for n in home.things(LIGHTS) if home.graph.can(n, "toggleable")]
    unlit = [n for n in lamps if not home.is_like(n, "on", TRUE)]
    main = [n for n in unlit if home.type_of(n) == "LightSwitch"]
    if state != "OFF" and unlit and not main:
        return tuple((n,) for n in unlit)
    every = tuple(lamps if state == "OFF" else main or lamps)
    return (every,) if every else ()


def _keep_doors(roles: Roles, home: Home) -> Sequence[Condition]:
    doors = [
        n
        for n in home.there
        if home.graph.can(n, "openable") and not home.graph.can(n, "pickupable")
    ]
    states = {name: home.graph.value(name, "open") for name in doors}
    if not doors or None in states.values():
        raise Unclear(
            "I do not know of every door whether it is open. Which are to be left as they are?"
        )
    return [
        whole(in_state(n, "OPENED" if now == "true" else "CLOSED")) for n, now in states.items()
    ]


def _kept(roles: Roles, home: Home) -> Sequence[Condition]:
    return as_now([n for t in roles.theme for n in home.things(t.words)], home)


def _impossible(what: str) -> Write:
    def write(roles: Roles, home: Home) -> Sequence[Condition]:
        raise Unclear(f"No robot here can {what}: '{roles.said}'. What else should be done?")

    return write


_CARRY = ("PickupObject", "PushObject", "PullObject")
_TOUCH = (
    *_CARRY,
    "OpenObject",
    "CloseObject",
    "SwitchOn",
    "SwitchOff",
    "SliceObject",
    "BreakObject",
    "PutObject",
)
_USE = ("SwitchOn", "OpenObject", "PickupObject", "PutObject")
_AT = "theme goal location"
_ALREADY: Write = lambda roles, home: []  # noqa: E731  # what is done by doing something else

TABLE: Mapping[Sense, Row] = {
    "put": _row(_put, "theme goal source location back", skills=_CARRY),
    "be at": _row(_put, "theme goal location"),
    "take": _row(_take_out, "theme source", waits=True, skills=_CARRY),
    "hold": _row(_take_out, "theme source", waits=True, skills=_CARRY),
    "have": _row(_ALREADY, "theme", waits=True),
    "bring along": _row(_put, _AT, skills=_CARRY),
    "give": _row(_gone, "theme goal source", skills=_CARRY),
    "throw away": _row(_throw_away, "theme goal source"),
    "serve": _row(_serve, "theme goal content", needs=""),
    "pile up": _row(_pile_up),
    "swap": _row(_swap, "theme partner"),
    "move": _row(_state("MOVED"), skills=_CARRY),
    "keep": _row(_kept),
    "go to": _row(_ALREADY, _AT, needs="", waits=True),
    "come near": _row(_ALREADY, _AT, needs="", waits=True),
    "inspect": _row(_ALREADY, "theme", waits=True),
    "use": _row(_ALREADY, "theme", waits=True, skills=_USE),
    "touch": _row(_ALREADY, "theme", waits=True, skills=_TOUCH),
    "open": _row(_state("OPENED"), skills=("OpenObject",)),
    "close": _row(_state("CLOSED"), skills=("CloseObject",)),
    "switch on": _row(_state("ON"), skills=("SwitchOn",)),
    "switch off": _row(_state("OFF"), skills=("SwitchOff",)),
    "silence": _row(_state("OFF")),
    "clean": _row(_clean, _AT),
    "cut up": _row(_cut, _AT, skills=("SliceObject",)),
    "cook": _row(_warmed(cooked=True), _AT),
    "heat": _row(_warmed(cooked=False), _AT),
    "chill": _row(_chill, _AT),
    "toast": _row(_toast, _AT),
    "break": _row(_break, _AT, skills=("BreakObject", "ThrowObject")),
    "fill": _row(_fill, "theme content location"),
    "empty": _row(_empty),
    "clear": _row(_state("EMPTY")),
    "run water": _row(_water("ON"), "theme location", needs=""),
    "stop water": _row(_water("OFF"), "theme location", needs=""),
    "light the room": _row(_light("ON"), "location", needs=""),
    "darken the room": _row(_light("OFF"), "location", needs=""),
    "keep doors": _row(_keep_doors, "", needs=""),
    "put back": _row(_ALREADY, "", needs=""),
    "make the bed": _row(_impossible("make a bed")),
    "mess up the bed": _row(_impossible("mess up a bed")),
    "tune": _row(_impossible("tune to a channel"), "theme content"),
    "be open": _row(_state("OPENED")),
    "be closed": _row(_state("CLOSED")),
    "be on": _row(_state("ON")),
    "be off": _row(_state("OFF")),
    "be clean": _row(_state("CLEAN")),
    "be hot": _row(_state("HOT")),
    "be cold": _row(_state("COLD")),
    "be empty": _row(_state("EMPTY")),
    "be broken": _row(_state("BROKEN")),
    "contain": _row(_fill, "theme content"),
    "be like": _row(_like, "theme state"),
}  # fmt: skip
