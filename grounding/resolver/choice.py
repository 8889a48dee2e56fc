"""Resolved references: certain nodes, or a choice among nodes that is still open.

A choice is an object with an identity: what is said later of "it" is said of the same choice, so
``go to a box and inspect it`` means one box, not any two.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from commonground.errors import GroundingError
from commonground.grounding.nodes import NodeKind


class Unclear(GroundingError):
    """The instruction cannot be grounded as it stands; the message is a question to the speaker."""

    exit_code = 3

    def __init__(
        self, message: str, candidates: Sequence[str] = (), *, ruled_out: bool = False
    ) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)
        self.ruled_out = ruled_out
        """The words are plain, and the map or the robots rule out what they say."""


@dataclass(frozen=True, slots=True, eq=False)
class Pick:
    """One of several options, each a set of nodes that belong together; often there is only one."""

    kind: NodeKind
    options: tuple[tuple[str, ...], ...]

    @property
    def open(self) -> bool:
        return len(self.options) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """What a pick leaves of a set: the other door, whichever the first was."""

    of: Pick
    pool: tuple[str, ...]

    @property
    def kind(self) -> NodeKind:
        return self.of.kind


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """All or any of several."""

    join: Literal["all", "any"]
    parts: tuple[Choice, ...]


Choice: TypeAlias = "Pick | Rest | Joined"


def only(kind: NodeKind, symbols: Sequence[str]) -> Pick:
    """Return the choice of exactly these nodes."""
    return Pick(kind, (tuple(symbols),))


def leaves(choice: Choice) -> Iterator[Pick | Rest]:
    if isinstance(choice, Joined):
        for part in choice.parts:
            yield from leaves(part)
    else:
        yield choice


def symbols_of(choice: Choice) -> list[str]:
    """Return every node a choice may come to, each once."""
    found: dict[str, None] = {}
    for leaf in leaves(choice):
        groups = (leaf.pool,) if isinstance(leaf, Rest) else leaf.options
        found.update(dict.fromkeys(s for group in groups for s in group))
    return list(found)


def is_settled(choice: Choice) -> bool:
    """Return whether a choice stands for certain nodes, all of them."""
    if isinstance(choice, Joined):
        return choice.join == "all" and all(is_settled(part) for part in choice.parts)
    return isinstance(choice, Pick) and not choice.open


def kinds_of(choice: Choice) -> set[NodeKind]:
    return {leaf.kind for leaf in leaves(choice)}
