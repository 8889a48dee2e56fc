"""The predicates of goals on a scene graph, and what planning has to know of each.

A predicate that is true of an object once something was done beside it is a row here with its ``deed``, and
needs nothing more. Any other one gets a row, its truth after an execution in ``execution``, and stops that
make it true in ``final`` if it speaks of where the robot ends, else in ``build_errand`` or ``carrying``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Predicate(NamedTuple):
    """What planning has to know of one predicate."""

    kinds: tuple[str, ...]
    """Kinds of its arguments: place, object or region."""
    in_pddl: str
    """The predicate of the sparse PDDL task that says the same; empty where places of a region say it."""
    needs: tuple[str, ...] = ()
    """Capabilities a robot needs to make it true."""
    deed: str = ""
    """The action, called as its capability, that makes it true of the object beside which it is done: for
    good, and as good whichever robot does it. Empty for what comes true in another way."""

    @property
    def about_thing(self) -> bool:
        """Whether its facts are about an object first of all."""
        return self.kinds[0] == "object"


VOCABULARY: Mapping[str, Predicate] = {
    "visited-place": Predicate(("place",), "visited"),
    "at-place": Predicate(("place",), "at"),
    "visited-object": Predicate(("object",), "visited"),
    "at-object": Predicate(("object",), "at"),
    "safe": Predicate(("object",), "inspected", ("inspect",), deed="inspect"),
    "visited-region": Predicate(("region",), "visited-region"),
    "in-region": Predicate(("region",), ""),
    "explored-region": Predicate(("region",), ""),
    "holding": Predicate(("object",), "holding", ("pick",)),
    "object-in-place": Predicate(("object", "place"), "lies", ("pick", "place")),
}
VISITS = frozenset({"visited-place", "visited-object", "visited-region"})
"""True once the robot was there."""
FINALS = frozenset({"at-place", "at-object", "in-region"})
"""True where the robot ends."""
RESULTS = frozenset({"explored-region", "holding", "object-in-place"})
"""As good whichever robot brings it about, as deeds are; all else says where a robot itself is or was."""
KINDS = {"objects": "object", "surface_places": "place", "places": "place", "regions": "region"}
"""Layer → kind of argument its nodes are."""


def done_by() -> dict[str, str]:
    """Return predicate → the deed that makes it true, of those that have one."""
    return {name: row.deed for name, row in VOCABULARY.items() if row.deed}


def is_result(predicate: str) -> bool:
    """Return whether a fact is as good whichever robot brings it about."""
    return predicate in RESULTS or bool(VOCABULARY[predicate].deed)
