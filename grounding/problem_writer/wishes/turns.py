"""Turns of phrase that ask for something, as orders: ``into the bin with it``, ``soap: onto the shelf``."""

from __future__ import annotations

import re

from commonground.grounding.problem_writer.wishes.heads import ordered, orders
from commonground.grounding.problem_writer.wishes.home import Home
from commonground.grounding.problem_writer.wishes.likeness import likeness
from commonground.grounding.problem_writer.wishes.wordings import wordings
from commonground.grounding.words.nouns import word_set

_NOTING = word_set("lives belongs goes stays live belong go stay in on into onto out off same")
_BETTER = word_set("better best safer happier nicer handier")
_WELL = word_set(
    "well good nice lovely great fine perfect pretty smart handy safe respectable right"
)


def turned(text: str, home: Home) -> str:
    """Return a text in which turns of phrase are said as orders, or as what goes where."""
    known = wordings()
    text = known["hence"].sub(r"\g<mark> so ", known["asked_you"].sub("please ", text))
    text = known["as_for"].sub(_of_that, known["pair"].sub("both of ", text))
    text = known["with_door"].sub(_with_door, text)
    text = known["pleased"].sub(" please ", known["item"].sub(_new_item, text))
    text = known["noted"].sub(lambda found: _noted(found, home), text)
    text = known["same"].sub(_the_same, text)
    text = known["where_is"].sub(lambda found: _that_one(found, home), text)
    text = known["which_is"].sub(lambda found: _told_of(found, home), text)
    text = known["whoever"].sub(_by_anyone, text)
    text = known["directed"].sub(_directed, known["off_to"].sub(r"move \g<what> \g<how> ", text))
    text = known["fronted"].sub(r"\g<before>\g<modal> \g<what>", text)
    text = known["may_go"].sub(r"move \g<what> \g<how> ", text)
    text = known["going"].sub(lambda found: _going(found, home), text)
    text = known["ends_up"].sub(_ends_up, text)
    text = known["have_so"].sub(lambda found: _have_so(found, home), text)
    return known["fits_there"].sub(lambda found: _fits(found, home), text)


def _holds(noun: str, home: Home) -> bool:
    """Return whether things can be put in or on what a noun names."""
    named = home.nouns.named(noun)
    return named is not None and home.usually(named.types, "receptacle")


def _new_item(found: re.Match[str]) -> str:
    """Return what parts the items of a list."""
    before = found.string[: found.start()].rstrip()
    return "" if not before else " " if before[-1] in ".;!?" else ". "


def _of_that(found: re.Match[str]) -> str:
    """Return what is said as for a thing as said of it by its name."""
    said = re.sub(r"\b(?:it|they|them)\b", found["what"], found["rest"], count=1, flags=re.I)
    return f"{found['before']}{said if said != found['rest'] else found['what'] + ',' + said}"


def _with_door(found: re.Match[str]) -> str:
    """Return how the door of a thing is to be as an order, behind another one."""
    verb = "open" if found["how"].lower() == "open" else "close"
    return f"and {verb} {found['what']}" if found["and"] else found[0]


def _noted(found: re.Match[str], home: Home) -> str:
    """Return what is noted of a thing behind a colon as said of it."""
    first = found["first"].lower()
    said = first in _NOTING or first in ordered() or likeness(first) is not None
    fits = said and home.nouns.named(found["noun"]) is not None
    return f"{found['before']}{found['topic']} {found['first']}" if fits else found[0]


def _the_same(found: re.Match[str]) -> str:
    """Return what is to be done to one thing as well, if that is noted of the one before."""
    said = found["state"].lower() in ordered() or likeness(found["state"]) is not None
    return f"{found['before']}{found['between']} {found['state']}" if said else found[0]


def _that_one(found: re.Match[str], home: Home) -> str:
    """Return the name of the only place of several that a thing is in."""
    place, what = (home.nouns.named(found[name]) for name in ("place", "what"))
    if place is None or what is None:
        return found[0]
    things = home.things(what.types)
    fits = [name for name in home.things(place.types) if {*things} & {*home.contents([name])}]
    return fits[0] if len(fits) == 1 else found[0]


def _told_of(found: re.Match[str], home: Home) -> str:
    """Return nothing for what is only told of a thing that its name tells apart."""
    noun = home.nouns.find(found["noun"])
    one = noun is not None and len(home.things(noun.types)) == 1
    return found["noun"] if one else found[0]


def _by_anyone(found: re.Match[str]) -> str:
    """Return what whoever likes may do as an order."""
    return found["verb"] if found["verb"].lower() in orders() else found[0]


def _directed(found: re.Match[str]) -> str:
    """Return an order for ``into the bin with it``, ``off with it``."""
    turn, what = found["turn"], found["what"]
    words = f"turn {turn} {what}" if turn else f"put {what} {found['where']}"
    return f"{found['before']}{found['joint']}{words}"


def _going(found: re.Match[str], home: Home) -> str:
    """Return what is on its way to a place of the house as what goes there."""
    goes = "go" if re.match(r"\s+(?:are|come|move)\b", found[0]) else "goes"
    how = found["how"] or found["to"] or found["onto"]
    return f" {goes} {how} " if _holds(found["place"], home) else found[0]


def _ends_up(found: re.Match[str]) -> str:
    """Return an order for where something shall end up."""
    return f"{found['also']}put it {found['how']} " if found["also"] else f"goes {found['how']} "


def _have_so(found: re.Match[str], home: Home) -> str:
    """Return an order for how people will have a thing."""
    return "have " if home.nouns.named(found["noun"]) else found[0]


def _fits(found: re.Match[str], home: Home) -> str:
    """Return where a thing would do well as where it goes; how well it does there now is only told."""
    well = _BETTER if re.match(r"['’](?:s|re)|\s+(?:is|are)", found[0]) else _BETTER | _WELL
    fits = found["how"].lower() in well and _holds(found["noun"], home)
    return f" goes {found['where']}" if fits else found[0]
