"""The areas next to one, said by their symbols: ``R3 and its neighbors``, ``the hall or an adjacent one``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from commonground.grounding.language.mentions import Mention
from commonground.grounding.language.put_right import Find
from commonground.grounding.resolver.choice import Unclear

_NEIGHBORS = re.compile(
    r"\s*,?\s+(?P<link>and|or|as\s+well\s+as|plus)\s+(?P<one>(?:any\s+)?one\s+of\s+|an?\s+)?"
    r"(?:all\s+(?:of\s+)?|each\s+(?:of\s+)?|every\s+|both\s+(?:of\s+)?)?(?:the\s+|its\s+)?"
    r"(?:(?:neighbou?ring|adjacent|adjoining)\s+(?:rooms?|areas?|regions?|ones?)|(?P<plain>neighbou?rs?))\b(?!\s+of\b)",
    re.IGNORECASE,
)


def neighbors_named(
    text: str, find: Find, next_to: Callable[[Mention], Sequence[str] | None]
) -> str:
    """Return a text that names the neighbors of an area; Unclear where the map does not tell any.

    ``next_to`` tells their symbols, None for what is no area.
    """
    said = _NEIGHBORS.search(text)
    if said is None or (said["link"].casefold() == "or") != bool(said["one"]):
        return text
    before = text[: said.start()]
    named = [one for one in find(before) if one.end == said.start()]
    beside = next_to(named[-1]) if named else None
    if not beside and named and (beside is not None or said["plain"]):
        raise Unclear(f"The map does not tell what is next to {before[named[-1].start :]}.")
    if not beside:
        return text
    link = "or" if said["one"] else "and"
    listed = "".join(f", {symbol}" for symbol in beside[:-1])
    return f"{before}{listed} {link} {beside[-1]}{text[said.end() :]}"
