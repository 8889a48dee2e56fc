"""Candidate nodes of a reference: by symbol, by noun, or from what was said before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from commonground.grounding.linking import EXACT, Pool
from commonground.grounding.meaning import ELIDED, Reference, Thing
from commonground.grounding.nodes import NodeKind, Nodes, NumberedName, numbered
from commonground.grounding.resolver.back import Back
from commonground.grounding.resolver.choice import Choice, Unclear, symbols_of
from commonground.grounding.resolver.scope import Scope
from commonground.grounding.resolver.wording import describe, kind_of, listing
from commonground.grounding.words.concepts import everyday
from commonground.grounding.words.layers import layer_of
from commonground.grounding.words.nouns import singulars, spoken
from commonground.grounding.world import World
from commonground.reading import whole_number

LETTERS: Mapping[str, NodeKind] = {"O": "object", "R": "region", "P": "place"}

Resolve = Callable[[Reference, Sequence[NodeKind], Scope], Choice]


def fitting(thing: Thing, kinds: Sequence[NodeKind]) -> Sequence[NodeKind]:
    """Return the kinds of nodes that a reference can mean where these kinds are wanted."""
    return kinds if thing.kind in ("thing", "robot") else (cast(NodeKind, thing.kind),)


class Candidates:
    """Finds candidates; ``resolve`` grounds references inside references."""

    def __init__(self, world: World, resolve: Resolve) -> None:
        self.world, self.resolve = world, resolve
        self.back = Back(world)

    def pools(self, thing: Thing, kinds: Sequence[NodeKind], scope: Scope) -> list[Pool]:
        """Return the candidates of a reference, a pool for each layer that has some, likeliest first."""
        if thing.ids:
            return [self._by_ids(thing, kinds)]
        if thing.among is not None:
            return self._of_choice(self.resolve(thing.among, kinds, scope))
        wanted = fitting(thing, kinds)
        if thing.of is not None or thing.again:
            every = replace(thing, amount="all", total=None, count=None)
            antecedent = self.back.antecedent(every, wanted, scope)
            if antecedent is not None:
                return self._of_choice(antecedent)
        named = self.world.candidates(thing.noun, wanted) or self._layer(thing.noun, wanted)
        # a name that people gave one is no word for several
        named.sort(key=lambda p: (spoken(thing.noun) in p.nodes.given) != (thing.amount == "the"))
        if thing.noun.rpartition(" ")[2] == ELIDED and not any(pool.exact for pool in named):
            return self._elided(thing, scope)
        telling = thing.noun and not everyday().senses(thing.noun)  # a kitchen is no kitchen door
        return named or (self._namesake(thing.noun, scope) if telling else [])

    def _layer(self, noun: str, kinds: Sequence[NodeKind]) -> list[Pool]:
        """Return every node of the layer that a noun speaks of, where the map calls nothing by it."""
        layer = layer_of(noun) if noun else None
        fits = [kind for kind in kinds if layer in (kind, "thing")]
        return self.world.pools("", fits)

    def _elided(self, thing: Thing, scope: Scope) -> list[Pool]:
        """``The red one``: of the set spoken of last, else of the class spoken of last."""
        last = scope.memory.last_noun()
        if last is None:
            raise Unclear(f"One of what? '{describe(thing)}' refers to nothing said before.")
        told = scope.memory.told_of(last)
        if told is not None:
            return self._of_choice(told.choice)
        words = thing.noun.removesuffix(ELIDED).strip() or thing.trait
        if namesake := self._namesake(words, scope):
            return namesake
        noun = f"{thing.noun.removesuffix(ELIDED)}{last.noun}".strip()
        found = self.world.candidates(noun, (last.kind,))
        alone = sum(len(pool.rows) for pool in found) == 1
        if thing.trait or (thing.where and alone):
            # of the upper field and the oldest one, only the first is called so
            return self.world.candidates(noun.rpartition(" ")[2], (last.kind,))
        return found

    def _namesake(self, words: str, scope: Scope) -> list[Pool]:
        """Return what is named like that spoken of last but for these words: the new slip, the old one."""
        last = scope.memory.last_noun()
        first, _, head = last.noun.rpartition(" ") if last is not None else ("", "", "")
        if last is None or not words or not first:
            return []
        found = self.world.candidates(f"{words} {head}", (last.kind,))
        return [pool for pool in found if pool.exact and len(pool.favorites)]

    def _of_choice(self, choice: Choice) -> list[Pool]:
        """Return the nodes of a choice as candidates again."""
        rows: dict[str, list[int]] = {}
        for symbol in symbols_of(choice):
            found = self.world.find(symbol)
            if found is not None:
                rows.setdefault(found[0].kind, []).append(found[1])
        if len(rows) > 1:
            raise Unclear(f"{listing(symbols_of(choice))} are of different kinds.")
        none = np.empty(0, np.int64)
        return [
            Pool(self.world.layer(k), np.array(r, np.int64), EXACT, none) for k, r in rows.items()
        ]

    # ---- symbols and numbers --------------------------------------------------------------------

    def _by_ids(self, thing: Thing, kinds: Sequence[NodeKind]) -> Pool:
        found = [self._by_id(i, thing, kinds) for i in dict.fromkeys(thing.ids)]
        nodes = found[0][0]
        if any(other is not nodes for other, _ in found):
            raise Unclear(f"{', '.join(thing.ids)} are of different kinds.")
        rows = np.array([row for _, row in found], np.int64)
        return Pool(nodes, rows, EXACT, np.empty(0, np.int64))

    def _by_id(self, text: str, thing: Thing, kinds: Sequence[NodeKind]) -> tuple[Nodes, int]:
        number = whole_number(text.strip().lstrip("#"))
        wanted = [kind for kind in LETTERS.values() if kind in fitting(thing, kinds)]
        if number is None:
            hits = self._by_symbol(text.strip()[:1].upper() + text.strip()[1:], wanted)
        else:
            hits = [hit for kind in wanted for hit in self._numbered(number, thing.noun, kind)]
        if not hits:
            what = thing.kind if thing.kind != "thing" else "node"
            raise Unclear(f"There is no {what} {text} on this map.")
        called = [hit for hit in hits if self._is_called(*hit, thing.noun)]
        if not called:
            nodes, row = hits[0]
            symbol = nodes.symbols[row]
            raise Unclear(f"{symbol} is a {nodes.words[row]}, not a {thing.noun}.", [symbol])
        if len(called) > 1:
            both = [nodes.symbols[row] for nodes, row in called]
            raise Unclear(f"Does {text} mean {' or '.join(both)}?", both)
        nodes, row = called[0]
        if nodes.kind not in fitting(thing, kinds):
            raise Unclear(f"{nodes.symbols[row]} is {kind_of(nodes.kind)}; that does not fit here.")
        return nodes, row

    def _by_symbol(self, symbol: str, kinds: Sequence[NodeKind]) -> list[tuple[Nodes, int]]:
        """Return the node of a symbol, and others that are called like it."""
        layers = [self.world.layer(kind) for kind in kinds]
        called = [
            (nodes, int(row)) for nodes in layers
            for row in (*nodes.by_name.get(symbol.lower(), ()), *nodes.by_class.get(symbol, ()))
        ]  # fmt: skip
        return [*dict.fromkeys([*filter(None, [self._find(symbol)]), *called])]

    def _numbered(self, number: int, noun: str, kind: NodeKind) -> list[tuple[Nodes, int]]:
        """Return the nodes of a layer that a number may mean.

        Where names of what is spoken of end in numbers, a number is part of a name and no index.
        """
        nodes = self.world.layer(kind)
        names = numbered(nodes)
        so = [one for one in names if self._is_headed(one, nodes, noun)]
        if so:
            rows = [one.row for one in so if one.number == number]
            if not rows:
                called = f"{so[0].head} {number}"
                raise Unclear(f"Nothing on this map is called '{called}'. There is '{so[0]}'.")
            return [(nodes, row) for row in rows]
        rows = [one.row for one in names if one.number == number and not noun]
        index = self._find(f"{kind[0].upper()}{number}")
        return [*filter(None, [index]), *((nodes, row) for row in rows if (nodes, row) != index)]

    def _is_headed(self, one: NumberedName, nodes: Nodes, noun: str) -> bool:
        """Return whether a name says before its number what is spoken of."""
        if not noun or noun == ELIDED:
            return layer_of(one.head.rpartition(" ")[2]) == nodes.kind
        if f" {one.head}".endswith(tuple(f" {form}" for form in singulars(spoken(noun)))):
            return True
        its_class = spoken(nodes.words[one.row])
        return its_class in (one.head, str(one)) and self._is_meant(nodes, one.row, noun)

    def _find(self, symbol: str) -> tuple[Nodes, int] | None:
        return self.world.find(symbol) or self.world.find(symbol[:1].lower() + symbol[1:])

    def _is_called(self, nodes: Nodes, row: int, noun: str) -> bool:
        if not noun or noun == ELIDED or self._is_meant(nodes, row, noun):
            return True
        return any(self._is_headed(one, nodes, noun) for one in numbered(nodes) if one.row == row)

    def _is_meant(self, nodes: Nodes, row: int, noun: str) -> bool:
        return any(row in pool.rows for pool in self.world.candidates(noun, (nodes.kind,)))
