"""A house as wishes see it: what is in it, what that is called, what it can, and where it is now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from commonground.grounding.knowledge.facts import FALSE, TRUE
from commonground.grounding.problem_writer.graph import HouseGraph
from commonground.grounding.problem_writer.kinds import Kinds, spaced
from commonground.grounding.problem_writer.vocabulary import command_words
from commonground.grounding.problem_writer.wishes.nouns import Nouns, plain
from commonground.grounding.words.numbers import count_of
from commonground.grounding.words.typed import Typed

TRASH = "GarbageCan"
_NUMBER = r"\s+\d+"
_COUNTS = r"(?:two|three|four|five|six|seven|eight|nine|ten)"
NUMBERED = re.compile(r"(?P<noun>.+?)\s+(?P<number>\d+)")
"""A noun with the number of a thing behind it."""
_KNOWN = command_words()
SWITCHES, LIGHTS = _KNOWN.switched_by, _KNOWN.lights
NEEDED, WORK, TOOLS = _KNOWN.needs, _KNOWN.works, _KNOWN.tools


class Home:
    """What is asked of a house while commands are read."""

    def __init__(self, graph: HouseGraph, kinds: Kinds, nouns: Nouns) -> None:
        self.graph, self.kinds, self.nouns = graph, kinds, nouns
        self.there = graph.types()
        self._called = {name.lower().replace("_", " "): name for name in self.there}

    @cached_property
    def typed(self) -> Typed:
        """What puts right how words are spelled."""
        verbs = (word for phrases in _KNOWN.verbs.values() for p in phrases for word in p.split())
        return Typed(self.nouns.all(), self.graph.robots(), verbs)

    def named(self, words: str) -> list[str]:
        """Return the thing that words call by its name: ``Apple_1``, ``apple 1``, ``desk lamp 1``."""
        said = plain(words)
        name = self._called.get(said)
        return self._numbered(said) if name is None else [name]

    def _numbered(self, words: str) -> list[str]:
        """Return the thing of a noun with the number behind it, if only one has that."""
        said = NUMBERED.fullmatch(words)
        noun = self.nouns.named(said["noun"]) if said is not None else None
        if said is None or noun is None:
            return []
        found = [n for n in self.things(noun.types) if n.endswith(f"_{int(said['number'])}")]
        return found if len(found) == 1 else []

    @cached_property
    def _names(self) -> re.Pattern[str]:
        """Return a pattern for the names of things as the house has them, and for nouns with numbers."""
        names = sorted((n for n in self.there if n != self.there[n]), key=len, reverse=True)
        said = [r"\s*[_\s]\s*".join(map(re.escape, n.split("_"))) for n in names]
        for noun in sorted(self.nouns.here(), key=len, reverse=True):
            said.append(r"\s+".join(map(re.escape, noun.split())) + _NUMBER)
        return re.compile(rf"\b(?:{'|'.join(said) or '(?!)'})(?![\w])", re.IGNORECASE)

    def unnamed(self, text: str) -> tuple[str, list[tuple[int, int]]]:
        """Return a text of the same length with nouns for names, and from where to where these are."""
        at = [found.span() for found in self._names.finditer(text)]
        for start, end in at:
            name = next(iter(self.named(text[start:end])), "")
            noun = spaced(self.type_of(name)) if name else ""
            said = NUMBERED.fullmatch(text[start:end])
            if said is not None and name and len(noun) > end - start:
                noun = said["noun"]
            if 0 < len(noun) <= end - start:
                text = text[:start] + noun.ljust(end - start) + text[end:]
        return text, at

    def in_digits(self, text: str) -> str:
        """Return a text with digits for the number of a thing that is said in a word: ``counter two``."""

        def digits(found: re.Match[str]) -> str:
            said = f"{found['noun']} {count_of(found['number'])}"
            return said if self._numbered(plain(said)) else found[0]

        nouns = "|".join(map(re.escape, sorted(self.nouns.here(), key=len, reverse=True)))
        return re.sub(
            rf"\b(?P<noun>{nouns or '(?!)'})\s+(?P<number>{_COUNTS})"
            r"(?=\s*(?:[.,;:!?]|$|(?:and|or|then|but)\b))",
            digits,
            text,
            flags=re.IGNORECASE,
        )

    def things(self, words: Iterable[str]) -> list[str]:
        """Return the things of some names and types that are there."""
        wanted = set(words)
        return [name for name, kind in self.there.items() if name in wanted or kind in wanted]

    def present(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """Return the types that are there, of some."""
        there = set(self.there.values())
        return tuple(kind for kind in kinds if kind in there)

    def type_of(self, word: str) -> str:
        """Return the type of a name; a type is its own."""
        return self.there.get(word, word)

    def usually(self, words: Iterable[str], affordance: str) -> bool:
        """Return whether any of some things has an affordance, or would if it were there."""
        for word in words:
            names = self.things([word])
            if any(self.graph.can(name, affordance) for name in names):
                return True
            if not names and affordance in self.kinds.usual(word):
                return True
        return False

    def edible(self, word: str) -> bool:
        """Return whether a thing can be cooked, whole or as a slice."""
        slices = self.kinds.cookable_slices
        kind = self.type_of(word)
        return self.usually([word], "cookable") or (kind in slices and kind != "Egg")

    def usual_place(self, word: str) -> str | None:
        """Return the type of place in the house where such a thing is usually kept."""
        return next(iter(self.present(self.kinds.likely_places(self.type_of(word)))), None)

    def around(self, thing: str) -> Iterator[str]:
        """Yield what a thing is said to be in or on, up to the first fixed thing."""
        for place in self.graph.around(thing):
            yield place
            if not self.graph.can(place, "pickupable"):
                return

    def inside(self, things: Iterable[str], holders: Iterable[str]) -> list[str]:
        """Return the things that are in or on some places; a sink stands for its basin."""
        places = {self.graph.value(holder, "stands-for") or holder for holder in holders}
        places |= set(holders)
        return [thing for thing in things if places & set(self.around(thing))]

    def contents(self, holders: Iterable[str]) -> list[str]:
        """Return the portable things that are directly in or on some places."""
        names = {
            n for h in holders for n in (h, self.graph.value(h, "stands-for")) if n is not None
        }
        return [
            item
            for holder in sorted(names)
            for item in self.graph.contents(holder)
            if self.graph.can(item, "pickupable")
        ]

    def has_skill(self, skill: str) -> bool:
        """Return whether any robot has a skill."""
        return any(skill in self.graph.values(robot, "skill") for robot in self.graph.robots())

    def is_room(self, name: str) -> bool:
        """Return whether a thing has in it what nobody carries."""
        return any(not self.graph.can(item, "pickupable") for item in self.graph.contents(name))

    def is_like(self, thing: str, relation: str, value: str) -> bool | None:
        """Return whether a thing is in a state; None if nobody knows."""
        if relation == "empty":
            return not self.contents([thing]) and self.is_like(thing, "filled", TRUE) is not True
        now = self.graph.value(thing, relation)
        if now is None and relation in ("open", "on"):
            return None
        return (now or FALSE) == value if value in (TRUE, FALSE) else now == value

    def switches(self, words: Iterable[str]) -> tuple[str, ...]:
        """Return what is switched to switch some things: the tap of a sink, the knob of a burner."""
        found: dict[str, None] = {}
        for word in words:
            kind = SWITCHES.get(self.type_of(word))
            if kind is None:
                found[word] = None
                continue
            links = [n for n in self._links(word) if self.type_of(n) == kind]
            every = len(links) == len(self.things([kind]))
            found |= dict.fromkeys([kind] if every or not links else links)
        return tuple(found)

    def _links(self, word: str) -> list[str]:
        """Return what serves or controls things."""
        names = self.things([word])
        basins = [b for n in names if (b := self.graph.value(n, "stands-for")) is not None]
        return [
            name
            for place in dict.fromkeys((*names, *basins))
            for link in ("serves", "controls")
            for name in self.graph.subjects(link, place)
        ]
