"""What a command says: things spoken of, and clauses of a verb, its objects and its places."""

from __future__ import annotations

from dataclasses import dataclass, field

from commonground.grounding.problem_writer.commands.chunks import Chunk

PUTTING = frozenset(["put", "put_away"])
"""Verbs whose place is where things go."""
STATE_OF = {
    "slice": "SLICED", "wash": "CLEAN", "heat": "HOT", "chill": "COLD", "fill": "FILLED", "break": "BROKEN",
    "open": "OPENED", "close": "CLOSED", "switch_on": "ON", "switch_off": "OFF", "clear": "EMPTY",
    "water": "FILLED", "push": "MOVED", "toast": "TOASTED", "cook": "COOKED",
}  # fmt: skip
"""The state a verb asks for."""
THROWN = ("throw", "toss", "chuck", "fling")


@dataclass(frozen=True, slots=True)
class Mention:
    """Things spoken of, by a noun or a name; how many of them, and which."""

    said: str = ""
    back: str = ""
    """A pronoun."""
    amount: int | None = None
    """So many; 0: all; none: one, whichever."""
    states: tuple[str, ...] = ()
    pieces: bool = False
    contents: bool = False
    """What is in it, rather than it."""
    holding: tuple[Mention, ...] = ()
    """What it is to contain."""
    at: Mention | None = None
    """Where the things spoken of are now: ``the vase on the dresser``."""
    near: bool = False
    """Told apart by something that cannot be checked: ``the chair by the window``."""
    but: tuple[Mention, ...] = ()
    """Of all of them, not these."""
    each: bool = False
    """One by one: ``in each drawer``."""
    again: bool = False
    """Named before."""
    begin: int = 0
    """Its place among the chunks of the command."""


@dataclass(slots=True)
class Clause:
    """One thing to be done or to be true."""

    frame: str = ""
    word: str = ""
    objects: list[Mention] = field(default_factory=list)
    either: bool = False
    """One of the objects will do."""
    places: list[tuple[str, Mention]] = field(default_factory=list)
    """Role of the preposition (target, source, means) and what stands behind it."""
    states: list[str] = field(default_factory=list)
    left_out: list[Mention] = field(default_factory=list)
    """What shall not get there: ``the fork, but not the spoon, in the sink``."""
    denied: bool = False
    """It shall not be done, or not be so."""
    links: tuple[str, ...] = ()
    """The words that join it to the clause before."""
    robots: tuple[str, ...] = ()
    """Who shall do it."""
    unknown: list[str] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)

    def at(self, role: str) -> list[Mention]:
        """Return the places of one role."""
        return [mention for each, mention in self.places if each == role]

    @property
    def empty(self) -> bool:
        """Whether nothing has been said."""
        return not (self.frame or self.objects or self.places or self.states or self.unknown)

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(chunk.text for chunk in self.chunks)
