"""What was said, before anybody asks what it is about: clauses, their roles, and the phrases in them.

An utterance knows no world and no domain. Every name, number and noun in it is a `Span` of the text; all else
is one of the words listed here. The tables of a domain (orders on a map, wishes to a household, reports to a
memory) turn it into goals and facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, Union


@dataclass(frozen=True, slots=True)
class Span:
    """Words of the text."""

    start: int
    end: int
    text: str


Determiner: TypeAlias = Literal[
    "the", "all", "each", "both", "any", "any one", "any two", "the two"
]
Extreme: TypeAlias = Literal[
    "nearest", "farthest", "northernmost", "southernmost", "westernmost", "easternmost",
    "leftmost", "rightmost", "largest", "smallest", "tallest", "",
]  # fmt: skip
Where: TypeAlias = Literal[
    "in", "not in", "near", "within", "beyond", "between", "left of", "right of", "in front of",
    "behind", "north of", "south of", "east of", "west of", "in the same area as", "on the left",
    "on the right", "on", "under", "above", "opposite", "holds", "holds no", "belongs to",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """A condition on where something is; ``on the left`` and ``on the right`` are the robot's own."""

    how: Where
    to: tuple[Reference, ...] = ()
    distance: Span | None = None


@dataclass(frozen=True, slots=True)
class Best:
    """The one that is the most of something: ``the second nearest to the door``, ``the newest``."""

    how: Extreme
    words: Span | None = None
    """A superlative that is none of the listed: ``most expensive``."""
    to: Reference | None = None
    rank: Span | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Things, areas or people, picked out by words."""

    noun: Span | None = None
    name: Span | None = None
    """A proper name of an area or a robot."""
    symbol: Span | None = None
    """A node of the map by its letter and number."""
    person: Span | None = None
    speaker: bool = False
    everybody: bool = False
    """Whoever lives here: ``our``."""
    same_noun: bool = False
    """The noun of the phrase before: ``the one by the door``."""
    again: tuple[Span, ...] = ()
    """Taken up again: the nouns that were said before."""
    det: Determiner = "the"
    count: Span | None = None
    total: Span | None = None
    """How many there are: ``two of the three``."""
    color: Span | None = None
    attribute: Span | None = None
    best: Best | None = None
    where: tuple[Relation, ...] = ()
    owner: Phrase | None = None
    level: Span | None = None
    """Of a shelf: ``second``, ``top``."""
    from_above: bool = False
    room: Phrase | None = None
    located: Phrase | None = None
    """The piece of furniture that it is in or on now."""
    everything: bool = False
    """All that is in or on ``located``, whatever it is."""
    only: Span | None = None
    """Of everything, what is like this: ``dirty``."""
    but: Phrase | None = None
    """What is left out."""
    beside: Phrase | None = None
    """A place next to this."""
    corrected: Span | None = None
    """A wrong noun, said first and put right at once."""


@dataclass(frozen=True, slots=True)
class Group:
    """Phrases joined by ``and`` or by ``or``."""

    join: Literal["all of", "one of"]
    phrases: tuple[Phrase, ...]


Reference: TypeAlias = Union["Phrase", "Group"]


@dataclass(frozen=True, slots=True)
class Crew:
    """Who is told to do it."""

    choose: Literal[
        "named",
        "each",
        "either",
        "all",
        "any one",
        "other",
        "all but",
        "able",
        "nearest",
        "unnamed",
    ]
    names: tuple[Span, ...] = ()
    can: Literal["", "pick things up", "inspect", "carry", "drive there"] = ""
    near: Phrase | None = None


Sense: TypeAlias = Literal[
    # going and looking
    "go to", "end up at", "inspect", "explore", "stay", "come back", "enter", "come near", "touch",
    "use", "move", "leave",
    # handling
    "put", "hold", "take", "have", "give", "bring along", "swap", "throw away", "pile up",
    "serve", "robot is given", "robot is relieved of", "robot is moved",
    # treating
    "open", "close", "switch on", "switch off", "tune", "clean", "cut up", "cook", "heat", "chill",
    "toast", "break", "fill", "empty", "clear", "make the bed", "mess up the bed", "run water",
    "stop water", "light the room", "darken the room", "silence", "keep doors", "put back", "keep",
    # being
    "be at", "be in room", "own", "be open", "be closed", "be on", "be off", "be clean", "be dirty",
    "be hot", "be cold", "be empty", "contain", "be broken", "work again", "ring", "be made",
    "be unmade", "be like",
    # asking
    "where is", "how many", "is there", "nearest robot", "who has", "what is in", "is it", "since when",
    # putting a report right
    "wrong thing", "wrong person", "wrong place", "wrong number", "wrong altogether", "did the same",
    # beyond the list
    "other", "routine", "nothing",
]  # fmt: skip
"""What a verb says; ``other`` where no other sense fits, ``routine`` for a whole procedure by its name."""

Mood: TypeAlias = Literal["do", "never", "tell", "ask"]
Hedge: TypeAlias = Literal[
    "", "maybe", "formerly", "almost", "dreamt", "planned", "denied", "unknown by now"
]


@dataclass(frozen=True, slots=True)
class Clause:
    """One thing that is to be done, must not be done, happened, is so, or is asked."""

    sense: Sense
    mood: Mood = "do"
    verb: Span | None = None
    """The words themselves of an ``other`` verb or of a routine."""
    agent: Phrase | None = None
    theme: Reference | None = None
    goal: Reference | None = None
    """Where to, or to whom."""
    source: Reference | None = None
    location: Reference | None = None
    partner: Phrase | None = None
    """What a thing is exchanged for."""
    content: Span | None = None
    """A liquid, a channel."""
    state: Span | None = None
    negated: bool = False
    follows: bool = False
    """Its theme, goal or agent, where left out, is that of the report before."""
    back: bool = False
    """To where it was before."""
    manner: Span | None = None
    hedge: Hedge = ""
    heard_from: Phrase | None = None
    condition: Clause | None = None


@dataclass(frozen=True, slots=True)
class Steps:
    """Steps in some order, or one of them."""

    join: Literal["any order", "in order", "in reverse", "one of", "at once"]
    steps: tuple[Step, ...]


Step: TypeAlias = Union["Clause", "Steps"]


@dataclass(frozen=True, slots=True)
class Part:
    """What one crew is told, or what one speaker reports."""

    step: Step
    crew: Crew | None = None
    introduced: tuple[Phrase, ...] = ()
    """Things spoken of first, in a statement of their own."""
    then: bool = False
    """Only after the part before is finished."""
    shared: bool = False
    """Divided among the crew."""
    stands: Literal["", "taken back", "of another day", "imagined", "again as before"] = ""
    when: Span | None = None


UNMEANT = frozenset(["taken back", "of another day", "imagined"])
"""How a part stands that asks for nothing."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """All that was said."""

    parts: tuple[Part, ...]
