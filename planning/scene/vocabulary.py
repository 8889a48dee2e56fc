"""The predicates of goals on a scene graph, and what planning has to know of each.

A new predicate gets a row here, its truth after an execution in ``certificate``, and stops that make it true
in ``final`` if it speaks of where the robot ends, else in ``visits`` or ``carrying``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Predicate(NamedTuple):
    """What planning has to know of one predicate."""

    kinds: tuple[str, ...]
    """Kinds of its arguments: place, object or region."""
    in_pddl: str
    """The predicate of the sparse PDDL task that says the same."""
    needs: tuple[str, ...] = ()
    """Capabilities a robot needs to make it true."""


VOCABULARY: Mapping[str, Predicate] = MappingProxyType(
    {
        "visited-place": Predicate(("place",), "visited"),
        "at-place": Predicate(("place",), "at"),
        "visited-object": Predicate(("object",), "visited"),
        "at-object": Predicate(("object",), "at"),
        "safe": Predicate(("object",), "inspected", ("inspect",)),
        "visited-region": Predicate(("region",), "visited-region"),
        "in-region": Predicate(("region",), "visited-region"),
        "explored-region": Predicate(("region",), "visited-region"),
        "holding": Predicate(("object",), "holding", ("pick",)),
        "object-in-place": Predicate(("object", "place"), "lies", ("pick", "place")),
    }
)
VISITS = frozenset({"visited-place", "visited-object", "visited-region"})
"""True once the robot was there."""
FINALS = frozenset({"at-place", "at-object", "in-region"})
"""True where the robot ends."""
RESULTS = frozenset({"safe", "explored-region", "holding", "object-in-place"})
"""As good whichever robot brings it about; all else says where a robot itself is or was."""
KINDS = {"objects": "object", "surface_places": "place", "places": "place", "regions": "region"}
"""Layer → kind of argument its nodes are."""
