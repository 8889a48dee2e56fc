"""Turns of phrase that ask for something, as orders: ``we'll have the pen there``, ``soap: on the shelf``."""

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
    text = known["assigned"].sub(lambda found: _assigned(found, home), text)
    text = known["will_do"].sub(lambda found: _will_do(found, home), text)
    text = known["noted"].sub(lambda found: _noted(found, home), text)
    text = known["noted"].sub(lambda found: _noted(found, home), known["item"].sub(_new_item, text))
    text = known["where_is"].sub(lambda found: _that_one(found, home), text)
    text = known["which_is"].sub(lambda found: _told_of(found, home), text)
    text = known["whoever"].sub(_by_anyone, text)
    text = known["going"].sub(lambda found: _going(found, home), text)
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


def _assigned(found: re.Match[str], home: Home) -> str:
    """Return what is noted with a place as what goes there."""
    here, movable = _holds(found["noun"], home), home.nouns.named(found["topic"].lower())
    if not here or movable is None or not home.usually(movable.types, "pickupable"):
        return found[0]
    return (
        f"{found['before']}{found['topic']} goes {_into(found['noun'], home)} the {found['noun']}"
    )


def _will_do(found: re.Match[str], home: Home) -> str:
    """Return an order for where something may as well be."""
    fits = _holds(found["noun"], home)
    return f". Put it {_into(found['noun'], home)} {found['place']}" if fits else found[0]


def _into(noun: str, home: Home) -> str:
    named = home.nouns.named(noun)
    return "in" if named and home.usually(named.types, "openable") else "on"


def _noted(found: re.Match[str], home: Home) -> str:
    """Return what is noted of a thing behind a colon as said of it."""
    first = found["first"].lower()
    said = first in _NOTING or first in ordered() or likeness(first) is not None
    fits = said and home.nouns.named(found["noun"]) is not None
    return f"{found['before']}{found['topic']} {found['first']}" if fits else found[0]


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


def _going(found: re.Match[str], home: Home) -> str:
    """Return what is on its way to a place of the house as what goes there."""
    goes = "go" if re.match(r"\s+(?:are|come|move)\b", found[0]) else "goes"
    how = found["how"] or found["to"] or found["onto"]
    return f" {goes} {how} " if _holds(found["place"], home) else found[0]


def _have_so(found: re.Match[str], home: Home) -> str:
    """Return an order for how people will have a thing."""
    return "have " if home.nouns.named(found["noun"]) else found[0]


def _fits(found: re.Match[str], home: Home) -> str:
    """Return where a thing would do well as where it goes; how well it does there now is only told."""
    well = _BETTER if re.match(r"['’](?:s|re)|\s+(?:is|are)", found[0]) else _BETTER | _WELL
    fits = found["how"].lower() in well and _holds(found["noun"], home)
    return f" goes {found['where']}" if fits else found[0]
