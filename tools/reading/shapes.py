"""Noun phrases in the shapes that English has for them: the blue mug of Ana's, the mug in the sink.

An author has a few shapes that come to mind. What is said of a thing (its color, its owner, where it is)
goes before the noun or after it, in a genitive, a relative clause or an aside, and everybody is understood.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from examples import SYMBOL, Example
from phrases import NAMES, NOUN, Piece

from commonground.grounding.english.spans import KINDS
from commonground.grounding.english.symbols import CLOSE

COLOR, ATTRIBUTE, PERSON, ORDINAL = (
    KINDS.index(k) for k in ("color", "attribute", "person", "ordinal")
)
ARTICLES = ("the", "that", "this")
MINE = {"speaker": ("my", "mine"), "everybody": ("our", "ours")}
BEING = (
    "", "", "", "that is", "which is", "that 's", "which stands", "that sits", "standing", "lying", "now",
    "that lies", "which was left", "the one", "kept", "to be found", "which you find", "sitting",
)  # fmt: skip
IN_ROOM = (
    "in", "in", "in", "of", "over in", "inside", "that stands in", "which is in", "up in", "down in", "from",
    "that belongs in", "back in", "the one in", "to be found in",
)  # fmt: skip
AT = {
    "located": ("on", "in", "inside", "on top of", "from", "at"),
    "in": ("in", "inside", "within", "over in"),
    "near": ("near", "close to", "next to", "beside", "by", "not far from"),
    "on": ("on", "on top of", "atop"),
    "holds": ("with", "that has", "containing", "which holds", "where you find"),
}
LEVELS = ("level", "level", "shelf", "row", "tier", "board")
FROM = {False: ("from the floor", "from below", "up"), True: ("from the top", "from above", "down")}
OWNING = ("that belongs to", "belonging to", "owned by", "which is owned by")
HAS = {
    "household": ("color", "color", "owner", "owner", "attribute", "located"),
    "memory": ("color", "color", "owner", "owner", "attribute", "located"),
    "scene": ("color", "attribute", "in", "near", "holds"),
}
STANDING = ("room", "room", "room", "level", "color")
"""What may be said of furniture."""


@dataclass(slots=True, eq=False)
class Slot:
    """Words of a text that a span marks."""

    words: tuple[str, ...]
    kind: int
    cls: str = ""


@dataclass(slots=True)
class Thing:
    """What a phrase says, whatever its shape."""

    noun: Slot
    color: Slot | None = None
    attribute: Slot | None = None
    owner: Slot | str | None = None
    """A person, or ``speaker`` or ``everybody``."""
    level: Slot | None = None
    from_above: bool = False
    room: Thing | None = None
    located: Thing | None = None
    near: tuple[str, Thing] | None = None
    """A relation of the map and what to."""

    def items(self, number: Callable[[Slot], int]) -> Iterator[int]:
        """Yield the symbols of the phrase, in the order of the fields of a `Phrase`."""
        yield from (SYMBOL["noun"], number(self.noun))
        for name, slot in (("color", self.color), ("attribute", self.attribute)):
            if slot is not None:
                yield from (SYMBOL[name], number(slot))
        if self.near is not None:
            how, other = self.near
            yield from (SYMBOL["where"], SYMBOL[f"how={how}"], SYMBOL["to:Phrase"])
            yield from (*other.items(number), SYMBOL[CLOSE])
        if isinstance(self.owner, Slot):
            yield from (SYMBOL["owner"], SYMBOL["person"], number(self.owner), SYMBOL[CLOSE])
        elif self.owner is not None:
            yield from (SYMBOL["owner"], SYMBOL[self.owner], SYMBOL[CLOSE])
        if self.level is not None:
            yield from (SYMBOL["level"], number(self.level))
        if self.from_above:
            yield SYMBOL["from_above"]
        for name, inner in (("room", self.room), ("located", self.located)):
            if inner is not None:
                yield from (SYMBOL[name], *inner.items(number))
        yield SYMBOL[CLOSE]


@dataclass(slots=True)
class Line:
    """Words as they are put one behind the other, with the slots among them."""

    parts: list[str | Slot] = field(default_factory=list)
    aside: bool = False
    """Whether a comma has to follow where the sentence goes on."""

    def add(self, *parts: str | Slot | Line) -> Line:
        for part in parts:
            if isinstance(part, Line):
                self.parts += part.parts
                self.aside = part.aside
            elif isinstance(part, Slot):
                self.parts.append(part)
                self.aside = False
            elif part:
                self.parts += part.split()
                self.aside = False
        return self


class Shapes:
    """Says phrases of examples in other shapes, and says more of what is named barely."""

    def __init__(
        self, pools: Mapping[tuple[str, bool], Sequence[tuple[str, ...]]], rng: random.Random
    ) -> None:
        self.pools, self.random = pools, rng

    def __call__(self, e: Example, pieces: Sequence[Piece]) -> Example:
        """Return the example with one of its phrases said in another shape."""
        fit = [p for p in pieces if p.start and e.tokens[p.start - 1].lower() in ARTICLES]
        if not fit or SYMBOL["again"] in e.items or len(e.segments) > 9:
            return e
        piece = self.random.choice(fit)
        thing = thing_of(piece)
        if thing is None:
            return e
        bare = len(piece.items) == 3
        self._enrich(thing, e.domain, piece.classes[0], piece.key[1])
        if bare and thing == Thing(thing.noun):
            return e
        return self._put(e, piece, thing)

    # ---- what is said -----------------------------------------------------------------------------

    def _enrich(self, thing: Thing, domain: str, cls: str, pool: str) -> None:
        """Let more be known of a thing that is named barely."""
        if thing != Thing(thing.noun):
            return
        standing = pool in ("furniture", "device") and domain != "scene"
        if pool in ("room", "area") and domain != "scene":
            return
        options = STANDING if standing else HAS[domain]
        for what in {
            self.random.choice(options) for _ in range(self.random.choice((1, 1, 2, 2, 3)))
        }:
            self._know(thing, what)

    def _know(self, thing: Thing, what: str) -> None:
        if what == "color":
            thing.color = self._slot("color", COLOR)
        elif what == "attribute":
            thing.attribute = self._slot("attribute", ATTRIBUTE)
        elif what == "owner":
            mine = self.random.random() < 0.2
            thing.owner = self.random.choice([*MINE]) if mine else self._slot("person", PERSON)
        elif what == "level":
            thing.level = self._slot("ordinal", ORDINAL)
            thing.from_above = self.random.random() < 0.15
        elif what == "room":
            thing.room = Thing(self._slot("room", NOUN))
            if self.random.random() < 0.15:
                thing.room.owner = self._slot("person", PERSON)
        elif what == "located":
            thing.located = Thing(self._slot("furniture", NOUN))
            for more in ("room", "level"):
                if self.random.random() < (0.5 if more == "room" else 0.2):
                    self._know(thing.located, more)
        else:
            pool = {"in": "area", "near": "thing", "holds": "thing"}[what]
            thing.near = (what, Thing(self._slot(pool, NOUN)))

    def _slot(self, pool: str, kind: int) -> Slot | None:
        found = self.pools.get((pool, False))
        return Slot(self.random.choice(found), kind, pool) if found else None

    # ---- how it is said ---------------------------------------------------------------------------

    def said(self, thing: Thing) -> Line:
        """Return the words of a phrase, its article among them."""
        line = self._named(thing)
        if thing.level is not None:
            line = self._leveled(thing, line)
        if thing.room is not None:
            line.add(self.random.choice(IN_ROOM), self.said(thing.room))
        if thing.located is not None:
            line.add(self._at("located", thing.located))
        if thing.near is not None:
            line.add(self._at(*thing.near))
        if isinstance(thing.color, Slot) and thing.color not in line.parts:
            shape = self.random.choice(
                (", the C one", ", the C one", ", a C one", ", which is C", ", C")
            )
            before, _, after = shape.partition("C")
            line.add(before, thing.color, after)
            line.aside = True
        return line

    def _named(self, thing: Thing) -> Line:
        """Return noun, color, attribute and owner; a color may be left for the end."""
        pick = self.random.random()
        color, noun = thing.color, thing.noun
        before: list[Slot] = [s for s in (thing.attribute, color) if s is not None]
        line = Line()
        if color is not None and len(noun.words) == 1 and not _many(noun) and pick < 0.2:
            noun.words = (_plural(noun.words[0]),)
            line.add(self.random.choice(("the", "the", "that")), *before, "one of")
            return self._owned(thing, line, [], late=False)
        if color is not None and pick < 0.5:
            before = before[:-1]
        return self._owned(thing, line, before, late=self.random.random() < 0.6)

    def _owned(self, thing: Thing, line: Line, before: Sequence[Slot], late: bool) -> Line:
        owner, noun = thing.owner, thing.noun
        article = self.random.choice(("the", "the", "the", "that"))
        if owner is None:
            return line.add(article, *before, noun)
        if isinstance(owner, str):
            first, last = MINE[owner]
            if late:
                return line.add(article, *before, noun, "of", last)
            return line.add(first, *before, noun)
        if not late:
            return line.add(owner, "'s", *before, noun)
        line.add(article, *before, noun)
        if self.random.random() < 0.7:
            return line.add("of", owner, "'s" if self.random.random() < 0.8 else "")
        return line.add(self.random.choice(OWNING), owner)

    def _leveled(self, thing: Thing, line: Line) -> Line:
        word = self.random.choice(LEVELS)
        low = self.random.random() < 0.3 or thing.from_above
        counted = self.random.choice(FROM[thing.from_above]) if low else ""
        if self.random.random() < 0.35:
            line.add(",", self.random.choice(("", "the")), thing.level, word, counted)
            line.aside = True
            return line
        return Line().add(
            "the", thing.level, word, counted, self.random.choice(("of", "of", "in")), line
        )

    def _at(self, how: str, thing: Thing) -> Line:
        being = "" if how == "holds" else self.random.choice(BEING)
        line = Line().add(", " + being if being and self.random.random() < 0.25 else being)
        aside = line.parts[:1] == [","]
        line.add(self.random.choice(AT[how]), self.said(thing))
        line.aside = line.aside or aside
        return line

    def _put(self, e: Example, piece: Piece, thing: Thing) -> Example:
        """Return the example with the thing said where a piece and its article were."""
        line = self.said(thing)
        start, stop = piece.start - 1, piece.start + len(piece.tokens)
        tokens: list[str] = []
        slots: list[tuple[int, Slot]] = []
        for part in line.parts:
            if isinstance(part, Slot):
                slots.append((start + len(tokens), part))
                tokens += part.words
            else:
                tokens.append(part)
        if line.aside and (e.tokens[stop : stop + 1] or ["."])[0].isalnum():
            tokens.append(",")
        if e.tokens[start][:1].isupper():
            tokens[0] = tokens[0][:1].upper() + tokens[0][1:]
        grown = len(tokens) - (stop - start)
        last, more = piece.first + len(piece.segments), len(slots) - len(piece.segments)
        at = {id(slot): -1 - piece.first - k for k, (_, slot) in enumerate(slots)}
        items = [
            *(_moved(i, piece.first, more) for i in e.items[: piece.at]),
            *thing.items(lambda slot: at[id(slot)]),
            *(_moved(i, piece.first, more) for i in e.items[piece.at + len(piece.items) :]),
        ]
        segments = [
            *e.segments[: piece.first],
            *((s, s + len(slot.words), slot.kind) for s, slot in slots),
            *((s + grown, t + grown, k) for s, t, k in e.segments[last:]),
        ]
        classes = [*e.classes[: piece.first], *(slot.cls for _, slot in slots), *e.classes[last:]]
        made = [*e.tokens[:start], *tokens, *e.tokens[stop:]]
        return Example(e.domain, made, segments, items, classes, e.author, e.id)


def thing_of(piece: Piece) -> Thing | None:
    """Return what a phrase says; None where a shape for some of it is not known here."""
    slots = [
        Slot(piece.tokens[s:t], k, c)
        for (s, t, k), c in zip(piece.segments, piece.classes, strict=True)
    ]
    found, rest = _thing(list(piece.items), slots)
    return found if not rest else None


def _thing(items: list[int], slots: Sequence[Slot]) -> tuple[Thing | None, list[int]]:
    values: dict[str, object] = {}
    while items:
        name = NAMES[items.pop(0)]
        if name == CLOSE:
            return (Thing(**values) if "noun" in values else None), items  # type: ignore[arg-type]
        if name in ("noun", "color", "attribute", "level") and items[0] < 0:
            values[name] = slots[-1 - items.pop(0)]
        elif name in ("room", "located"):
            values[name], items = _thing(items, slots)
        elif name == "owner" and items[1:2] == [SYMBOL[CLOSE]] and NAMES[items[0]] in MINE:
            values[name], items = NAMES[items[0]], items[2:]
        elif name == "owner" and NAMES[items[0]] == "person":
            values[name], items = slots[-1 - items[1]], items[3:]
        else:
            return None, items
        if values.get(name) is None:
            return None, items
    return None, items


def _moved(item: int, first: int, more: int) -> int:
    return item if item >= 0 or -1 - item < first else item - more


def _many(noun: Slot) -> bool:
    last = noun.words[-1].lower()
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "o", "u"):
        return word[:-1] + "ies"
    return word + "s"
