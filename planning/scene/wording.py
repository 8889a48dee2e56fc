"""Goals as people read them: ``O36 to the parking lot (R5)`` for any of the places of that region."""

from __future__ import annotations

import math
import re
from collections.abc import Collection

from commonground.errors import CommongroundError
from commonground.planning.pddl import And, Formula, Not, Or, nnf, parse_formula
from commonground.planning.scene.goal import Literal, literals
from commonground.planning.scene.precedence import regions_of
from commonground.planning.scene.vocabulary import VOCABULARY
from commonground.scene import SceneGraph

WORDS = {
    "visited-place": "go to {}",
    "at-place": "end at {}",
    "visited-object": "go to {}",
    "at-object": "end at {}",
    "safe": "inspect {}",
    "visited-region": "go to {}",
    "in-region": "end in {}",
    "explored-region": "look through {}",
    "holding": "hold {}",
    "object-in-place": "{} to {}",
}
MOST = 3
"""Alternatives that are named one by one."""


def in_words(goal: Formula | str, graph: SceneGraph) -> str:
    """Return a goal in words, also where the graph does not have all of it; what is none as it is."""
    if isinstance(goal, str):
        try:
            goal = parse_formula(goal, source="goal", fold_case=False)
        except CommongroundError:
            return str(goal)
    return _said(nnf(goal), graph) or "nothing"


def _said(goal: Formula, graph: SceneGraph) -> str:
    if isinstance(goal, And):
        return ", ".join(_said(part, graph) for part in goal.parts)
    if isinstance(goal, Not):
        return f"never {_said(goal.body, graph)}"
    if isinstance(goal, Or):
        said = _in_a_region(goal, graph) or _so_many_of(goal, graph)
        return said or _any_of([_said(part, graph) for part in goal.parts])
    (only,) = literals(goal)
    row = VOCABULARY.get(only.predicate)
    deed = row.deed if row is not None else ""
    said = WORDS.get(only.predicate, (deed or only.predicate) + " {}" * len(only.args))
    return said.format(*(named(arg, graph) for arg in only.args))


def _any_of(texts: list[str]) -> str:
    more = [f"{len(texts) - MOST} others"] if len(texts) > MOST else []
    return " or ".join([*texts[:MOST], *more]) or "what never can be"


def _so_many_of(goal: Or, graph: SceneGraph) -> str:
    """Return what alternatives say that are every choice of as many things; '' for other ones."""
    ways = {frozenset(literals(part)) for part in goal.parts if isinstance(part, And)}
    parts = frozenset[Literal]().union(*ways)
    counts = {len(way) for way in ways}
    if len(counts) != 1 or not _are_alike(parts):
        return ""
    things = sorted({x.args[0] for x in parts}, key=_in_order)
    count, predicate = counts.pop(), next(iter(parts)).predicate
    every = len(ways) == len(goal.parts) == math.comb(len(things), count)
    listed = f"{count} of {', '.join(named(x, graph) for x in things)}"
    return WORDS[predicate].format(listed) if every and count > 1 else ""


def _are_alike(parts: Collection[Literal]) -> bool:
    """Return whether the same is asked of all of some things, and of nothing else beside them."""
    about = {(x.predicate, x.positive, len(x.args)) for x in parts}
    return len(about) == 1 and {(word, True, 1) for word in WORDS} >= about


def _in_order(symbol: str) -> tuple[str, int]:
    digits = symbol.lstrip("@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
    return symbol.removesuffix(digits), int(digits) if digits.isdecimal() else 0


_SYMBOL = re.compile(r"(?<![\w(])[OPR]\d+(?![\w)])")


def with_names(text: str, graph: SceneGraph) -> str:
    """Return a text in which every symbol stands behind what people call the thing: ``the flag (O38)``."""
    return _SYMBOL.sub(lambda found: _called(found[0], graph), text)


def _called(symbol: str, graph: SceneGraph) -> str:
    if symbol not in graph:
        return symbol
    layer, row = graph.find(symbol)
    if symbol.startswith("P"):
        region = regions_of(graph)(symbol)
        return f"{symbol} in {named(region, graph)}" if region else symbol
    name = graph.titles(layer)[row]
    return f"{'the ' if name.islower() else ''}{name} ({symbol})" if name else symbol


def _in_a_region(goal: Or, graph: SceneGraph) -> str:
    """Return what alternatives say that differ in the places of one region; '' for other ones."""
    found = list(literals(goal))
    if len(found) < 2 or not all(x.positive and x.predicate.endswith("place") for x in found):
        return ""
    if not all(x.args[-1] in graph for x in found):
        return ""
    region_of = regions_of(graph)
    same = {(x.predicate, x.args[:-1], region_of(x.args[-1])) for x in found}
    predicate, args, region = next(iter(same))
    if len(same) > 1 or not region or len(found) != len(goal.parts):
        return ""
    return WORDS[predicate].format(*args, named(region, graph))


def named(symbol: str, graph: SceneGraph) -> str:
    """Return a node's symbol, with the name that it has; of a region, what is there at least."""
    if symbol.startswith("P") or symbol not in graph:
        return symbol
    layer, row = graph.find(symbol)
    names = graph.titles(layer) if symbol.startswith("R") else graph.proper_names(layer)
    name = names[row]
    return f"{'the ' if name.islower() else ''}{name} ({symbol})".lstrip() if name else symbol
